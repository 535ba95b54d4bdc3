"""`railwright arena`: a match between agents, with a table of who did how well."""
import json
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from railwright.ai.arena import Log, Match, Result, Workers, default_path, match_of, run, whole_sets
from railwright.ai.standings import Standing, standings, wilson
from railwright.engine.table import parse_rules
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

TABLE_HEADER = ("agent", "games", "seats", "wins %", "95 % interval", "par %", "score", "rank", "rating", "moves", "s/game", "illegal",
                "late")


def arena(
    game: Annotated[str, typer.Argument(help="The game, such as chicago-express.")],
    agents: Annotated[str, typer.Option(help="A,B[,C...]: A has one seat, the others fill the rest in turn. An agent may carry settings: "
                                             "ismcts@nodes=2000, ismcts@time=0.4@level=3, heuristic@weight.NAME=1.5; "
                                             "others go to the search.")],
    games: Annotated[int, typer.Option(min=1, help="How many games, rounded up to whole sets of rotated seats.")] = 100,
    time: Annotated[float | None, typer.Option(min=0.001, help="Seconds a move (0.1 when neither --time nor --nodes is given).")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes a move.")] = None,
    players: Annotated[int | None, typer.Option(help="Players at the table; as many as agents when left out.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same starts, and with --nodes the same games.")] = 0,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that play at the same time.")] = 1,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop when it is clear whether the first agent beats par by --delta.")] = False,
    delta: Annotated[float, typer.Option(min=0.001, max=0.5, help="The gain in win share that --sprt looks for.")] = 0.05,
    rules: Annotated[str, typer.Option(help="Options of the rules: k=v,k=v.")] = "-",
    board: Annotated[str | None, typer.Option(help="A board of the game, or a file.")] = None,
    opening: Annotated[int, typer.Option(min=0, help="Decisions by lot at the start of each set, for agents that repeat themselves.")] = 0,
    record: Annotated[Path | None, typer.Option(help="The file of the games; the same command goes on where it stopped. "
                                                     "Without it: a file in ./arena/ named by the command.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games on file and begin again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The table as JSON.")] = False,
) -> None:
    """Plays a match: win shares with intervals, ranks, ratings; every game is kept on file."""
    talk = Console(stderr=True, soft_wrap=True, highlight=False)
    match = match_of(game, agents, players, seed, time, nodes, parse_rules(rules), board, opening)
    path = record or default_path(match)
    if fresh:
        path.unlink(missing_ok=True)
    log = Log(path, match)
    talk.print(f"record {path}: {len(log.games)} games there", markup=False)
    try:
        result = play(match, games, workers, log, delta if sprt else None, talk)
    except KeyboardInterrupt:
        talk.print("stopped; the same command goes on from here", markup=False)
        raise
    table = standings(match.agents, result.games)
    print(json.dumps(as_dict(result, table)) if as_json else text(result, table))


def play(match: Match, games: int, n_workers: int, log: Log, delta: float | None, talk: Console) -> Result:
    """Runs the match behind a progress bar, if somebody is looking."""
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                   console=talk)
    with Workers(n_workers) as workers, bar if talk.is_terminal else nullcontext():
        task = bar.add_task(match.agents[0], total=whole_sets(games, match.players))
        return run(match, games, workers, log, delta,
                   lambda result: bar.update(task, completed=len(result.games), description=running(result)))


def running(result: Result) -> str:
    """The hero's share so far: `ismcts 61.0 % (52.1-69.2), par 25.0 %`."""
    n = len(result.games)
    won = sum(win for game in result.games for win, agent in zip(game.wins, game.seats, strict=True) if agent == 0)
    low, high = wilson(won, n)
    share = f"{100 * won / n:.1f} % ({100 * low:.1f}-{100 * high:.1f})" if n else "-"
    test = f", llr {result.verdict.llr:+.2f} of ±{result.verdict.bound:.2f}" if result.verdict else ""
    return f"{result.match.agents[0]} {share}, par {100 / result.match.players:.1f} %{test}"


# --- the answer ------------------------------------------------------------------
def text(result: Result, table: list[Standing]) -> str:
    rows = [TABLE_HEADER, *(row(standing) for standing in table)]
    widths = [max(len(line[i]) for line in rows) for i in range(len(TABLE_HEADER))]
    lines = ["  ".join(word.ljust(width) if i == 0 else word.rjust(width) for i, (word, width) in enumerate(zip(line, widths, strict=True)))
             for line in rows]
    return "\n".join([headline(result), *lines, *remarks(result)])


def row(standing: Standing) -> tuple[str, ...]:
    s = standing
    interval, rating = f"{100 * s.low:.1f}-{100 * s.high:.1f}", f"{s.mu:.1f}±{s.sigma:.1f}"
    return (s.agent, f"{s.games}", f"{s.seats}", f"{100 * s.share:.1f}", interval, f"{100 * s.par:.1f}", f"{s.score:.1f}", f"{s.rank:.2f}",
            rating, f"{s.moves:.1f}", f"{s.seconds:.2f}", f"{s.illegal}", f"{s.late}")


def headline(result: Result) -> str:
    match = result.match
    limit = " ".join(filter(None, [f"{match.time:g} s" if match.time else "", f"{match.nodes} nodes" if match.nodes else ""]))
    return f"{match.game}, {match.players} players, {limit} a move, seed {match.seed}, {len(result.games)} games"


def remarks(result: Result) -> list[str]:
    different = len({game.moves for game in result.games})
    lines = ["interval: Wilson, a game is a trial; wins, score, rank, moves and seconds: a seat's mean; rating: Plackett-Luce"]
    if different < len(result.games):
        lines.append(f"only {different} different games: the agents repeat themselves, and the interval says too much; "
                     "a longer --opening makes the starts differ")
    if result.verdict:
        v = result.verdict
        lines.append(f"sprt {v.word}: par against par + {100 * v.delta:g} %, llr {v.llr:+.2f} of ±{v.bound:.2f} after {v.sets} sets")
    return lines


def as_dict(result: Result, table: list[Standing]) -> dict[str, Any]:
    answer = {"match": asdict(result.match), "games": len(result.games), "different": len({game.moves for game in result.games}),
              "interval": "wilson 95 %, a game is a trial", "agents": [asdict(standing) for standing in table]}
    return answer | ({"sprt": asdict(result.verdict)} if result.verdict else {})
