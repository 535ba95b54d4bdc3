"""How the games of an arena's record ended: the scores by place, how far apart they lie, how long the games were.

    railwright arena american-rails --agents ismcts,ismcts --players 4 --games 100 --time 0.1 --record RECORD
    python bench/spread.py RECORD

For a look at whether games between equals end as games between people do.
"""
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, stdev

from railwright.ai.arena import Log, Match
from railwright.ai.standings import Played


def read(path: Path) -> tuple[Match, list[Played]]:
    """A match and its games; ValueError names what is no record."""
    try:
        header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["match"]
        match = Match(**header | {"agents": tuple(header["agents"])})
    except (IndexError, KeyError, TypeError, ValueError):
        raise ValueError(f"record {path}: is no record of an arena; expected the file of `railwright arena --record`") from None
    games = list(Log(path, match).games.values())
    if len(games) < 2:
        raise ValueError(f"record {path}: holds {len(games)} games; expected two or more")
    return match, games


def end_year(match: Match, played: Played) -> int | None:
    """The year in which the game ended, where the game has years."""
    table = match.table(played.game)
    for token in played.moves.split()[table.ply:]:
        table.play(token)
    return table.game.facts(table.chart, table.position).get("year")


def line(name: str, values: Sequence[float]) -> str:
    return f"{name:<18}{mean(values):>8.1f}{stdev(values):>8.1f}{min(values):>8g}{max(values):>8g}"


def report(match: Match, games: Sequence[Played]) -> Iterable[str]:
    ranked = [sorted(played.scores, reverse=True) for played in games]
    yield f"{len(games)} games of {len(ranked[0])} players"
    yield f"{'':<18}{'mean':>8}{'sd':>8}{'least':>8}{'most':>8}"
    for place in range(len(ranked[0])):
        yield line(f"place {place + 1}", [scores[place] for scores in ranked])
    yield line("all seats", [score for scores in ranked for score in scores])
    yield line("first to last", [scores[0] - scores[-1] for scores in ranked])
    yield line("moves", [len(played.moves.split()) for played in games])
    years = Counter(year for played in games if (year := end_year(match, played)) is not None)
    for year in sorted(years):
        yield f"ended in {year:<9}{years[year]:>8} games"


def main(words: Sequence[str]) -> int:
    if len(words) != 1:
        print(f"error got {len(words)} records; expected one: python bench/spread.py RECORD", file=sys.stderr)
        return 2
    try:
        print("\n".join(report(*read(Path(words[0])))))
    except (ValueError, OSError) as fault:
        print(f"error {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
