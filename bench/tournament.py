"""Plays the matches of rows.json and writes their tables into RESULTS.md.

    python bench/tournament.py                      everything that is missing
    python bench/tournament.py --only 'ce-level-*'  some rows, by name
    python bench/tournament.py --games 24           a first look: at most 24 games of each row
    python bench/tournament.py --fresh              everything anew, an evening
    python bench/tournament.py --table              no games, only the tables

As targets of make: `tournament` is the first with $(ARGS) behind it, `ladder` the second with '*-level-*'.

A row is one match of the arena. Its games are kept in bench/records/, so that a run which was cut off goes on where it
stopped; a row whose figures are wanted for a changed program must be played `--fresh`. A row without games on file keeps the
line it has in RESULTS.md as long as its command is the same: another machine may have played it.
"""
import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path

from railwright.ai.arena import ArenaFault, Log, Match, match_of, whole_sets
from railwright.ai.standings import Played, Standing, standings
from railwright.cli.arena import play
from rich.console import Console

HERE = Path(__file__).parent
SEED = 1
ABOVE_PAR = "above par"
HEADER = ("row", "players", "wins %", "95 % interval", "par %", "goal", "reached", "score", "games", "illegal", "late", "date", "command")


@dataclass(frozen=True)
class Row:
    """A match, and what its hero must reach in it."""
    name: str
    game: str
    agents: str
    players: int
    games: int
    goal: float | str                   # a win share, or ABOVE_PAR: the whole interval is
    time: float | None = None           # seconds a move
    nodes: int | None = None
    opening: int = 0
    board: str | None = None

    def match(self) -> Match:
        return match_of(self.game, self.agents, self.players, SEED, self.time, self.nodes, board=self.board, opening=self.opening)

    def record(self, folder: Path) -> Path:
        return folder / f"{self.name}.jsonl"

    def command(self) -> str:
        words = ["railwright arena", self.game, "--agents", self.agents, "--players", str(self.players), "--games", str(self.games)]
        words += ["--time", f"{self.time:g}"] if self.time else []
        words += ["--nodes", str(self.nodes)] if self.nodes else []
        words += ["--board", self.board] if self.board else []
        words += ["--opening", str(self.opening)] if self.opening else []
        return " ".join([*words, "--seed", str(SEED), "--workers 2"])

    def goal_text(self) -> str:
        return f"{100 * self.goal:g} %" if isinstance(self.goal, float) else self.goal

    def is_reached(self, hero: Standing) -> bool:
        return hero.share >= self.goal if isinstance(self.goal, float) else hero.is_above_par


def read_rows(path: Path) -> dict[str, list[Row]]:
    """The rows by table; ValueError names one that does not fit."""
    tables: dict[str, list[Row]] = {}
    for table, rows in json.loads(path.read_text(encoding="utf-8")).items():
        tables[table] = []
        for number, fields in enumerate(rows, 1):
            try:
                row = Row(**fields)
            except TypeError as fault:
                raise ValueError(f"{path.name}: {table} row {number}: {fault}; expected the fields of a row") from None
            if row.goal != ABOVE_PAR and not (isinstance(row.goal, float) and 0 < row.goal <= 1):
                raise ValueError(f"{path.name}: {table} row {number}: goal {row.goal!r}; expected a share from 0 to 1, or {ABOVE_PAR!r}")
            tables[table].append(row)
    names = [row.name for rows in tables.values() for row in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path.name}: {twice[0]!r} stands there twice; expected a name for each row")
    return tables


# --- the tables ------------------------------------------------------------------
def table_text(rows: Sequence[Row], folder: Path, kept: str = "") -> str:
    """The table from the games on file, and from the lines `kept` where there are none."""
    lines = [line_of(HEADER), line_of(["---"] * len(HEADER))]
    for row in rows:
        before = [line for line in kept.splitlines() if line.startswith(f"| {row.name} |") and line.endswith(f"| `{row.command()}` |")]
        lines += before if before and not games_of(row, row.record(folder)) else [line_of(cells(row, folder))]
    return "\n".join(lines)


def line_of(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def cells(row: Row, folder: Path) -> tuple[str, ...]:
    """One line of the table, from the games on file."""
    path = row.record(folder)
    games = games_of(row, path)
    if not games:
        return (row.name, str(row.players), "-", "-", f"{100 / row.players:.1f}", row.goal_text(), "not played", "-", "0", "-", "-", "-",
                f"`{row.command()}`")
    hero, *others = standings(row.agents.split(","), games)
    reached = "yes" if row.is_reached(hero) else "**no**"
    if len(games) < whole_sets(row.games, row.players):
        reached += " so far"
    scores = " : ".join(f"{standing.score:.1f}" for standing in (hero, *others))
    illegal, late = (sum(getattr(standing, field) for standing in (hero, *others)) for field in ("illegal", "late"))
    return (row.name, str(row.players), f"{100 * hero.share:.1f}", f"{100 * hero.low:.1f}-{100 * hero.high:.1f}", f"{100 * hero.par:.1f}",
            row.goal_text(), reached, scores, str(len(games)), str(illegal), str(late),
            date.fromtimestamp(path.stat().st_mtime).isoformat(), f"`{row.command()}`")


def games_of(row: Row, path: Path) -> list[Played]:
    """The games of a row on file; none if they are of another match, for the row was changed since."""
    if not path.exists():
        return []
    try:
        on_file = Log(path, row.match()).games
    except ValueError:
        return []
    return [on_file[number] for number in sorted(on_file) if number < whole_sets(row.games, row.players)]


def rewrite(path: Path, tables: dict[str, list[Row]], folder: Path) -> None:
    """Replaces what stands between the marks of each table; everything else in the file stays."""
    text = path.read_text(encoding="utf-8")
    for name, rows in tables.items():
        first, last = f"<!-- {name}: written by bench/tournament.py -->", f"<!-- end of {name} -->"
        if first not in text or last not in text:
            raise ValueError(f"{path.name}: no place for the table {name!r}; expected a line {first} and below it {last}")
        begin, end = text.index(first) + len(first), text.index(last)
        text = text[:begin] + f"\n{table_text(rows, folder, text[begin:end])}\n" + text[end:]
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


# --- the command -----------------------------------------------------------------
def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(description="Plays the matches of rows.json and writes their tables into RESULTS.md.")
    result.add_argument("--rows", type=Path, default=HERE / "rows.json")
    result.add_argument("--results", type=Path, default=HERE / "RESULTS.md")
    result.add_argument("--records", type=Path, default=HERE / "records", help="the folder of the games")
    result.add_argument("--only", default="*", metavar="PATTERN", help="rows whose name fits, such as 'ce-level-*'")
    result.add_argument("--games", type=int, default=1_000_000, help="at most so many of each row, for a first look")
    result.add_argument("--workers", type=int, default=2)
    result.add_argument("--fresh", action="store_true", help="forget the games on file")
    result.add_argument("--table", action="store_true", help="play nothing")
    return result


def play_rows(options: argparse.Namespace, talk: Console) -> int:
    """Plays the rows one by one; how many could not be played."""
    tables = read_rows(options.rows)
    chosen = [row for rows in tables.values() for row in rows if fnmatchcase(row.name, options.only)]
    if not chosen:
        raise ValueError(f"rows {options.only!r}; expected a name or pattern of {options.rows.name}")
    failed = 0
    for row in [] if options.table else chosen:
        if options.fresh:
            row.record(options.records).unlink(missing_ok=True)
        talk.print(f"{row.name}: {row.command()}", markup=False)
        try:
            match = row.match()
            play(match, min(row.games, options.games), options.workers, Log(row.record(options.records), match), None, talk)
        except (ValueError, ArenaFault) as fault:
            failed += 1
            talk.print(f"error {row.name}: {fault}", markup=False)
        rewrite(options.results, tables, options.records)
    rewrite(options.results, tables, options.records)
    return failed


def main(words: Sequence[str] | None = None) -> int:
    talk = Console(stderr=True, soft_wrap=True, highlight=False)
    options = parser().parse_args(words)
    try:
        return 1 if play_rows(options, talk) else 0
    except (ValueError, OSError) as fault:
        talk.print(f"error {fault}", markup=False)
    except KeyboardInterrupt:
        talk.print("stopped; the same command goes on from here", markup=False)
    return 1


if __name__ == "__main__":
    sys.exit(main())
