"""The fixed benchmark: the same positions and nodes each time, and a signature that changes only when play changes."""
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from threading import Event
from time import monotonic

from railwright.ai.agent import Limits
from railwright.ai.agents import Settings, agents_for, make_agent
from railwright.cext.game import CHANCE, OVER, random_below
from railwright.engine.games import GAMES
from railwright.engine.table import Table

PLIES = (0, 24, 48)             # random moves before the position
NODES = 2000


@dataclass(frozen=True)
class Result:
    """What the agent did in one position."""
    game: str
    players: int
    ply: int
    move: str
    nodes: int
    seconds: float


def positions() -> Iterator[Table]:
    """For each game a few decisions, with fewer and with more players."""
    for game in GAMES.values():
        for i, plies in enumerate(PLIES):
            low, high = game.players
            table = Table.new(game.name, low + i % (high - low + 1), seed=i)
            play_at_random(table, plies)
            if not table.is_over:
                yield table


def play_at_random(table: Table, plies: int) -> None:
    """Random moves, and on to the next decision that leaves a choice."""
    while table.to_move != OVER and (table.ply < plies or table.to_move == CHANCE or len(table.position.legal()) == 1):
        if table.to_move == CHANCE:
            table.roll()
        else:
            legal = table.position.legal()
            table.push(legal[random_below(table.seed, table.ply, len(legal))])


def bench(stop: Event, agent: str = "", nodes: int = NODES) -> Iterator[Result]:
    """Plays each position with one thread and a fixed seed; ends early when `stop` is set."""
    for table in positions():
        player = make_agent(agent or next(iter(agents_for(table.game))), table.game, Settings(seed=1))
        began = monotonic()
        choice = player.choose(table, Limits(nodes=nodes), stop, lambda lines: None)
        if stop.is_set():
            return
        move = table.game.token(table.chart, table.position, choice.move)
        yield Result(table.game.name, table.players, table.ply, move, choice.lines[0].nodes, monotonic() - began)


def signature(results: list[Result]) -> str:
    """A few letters that stand for every move and every count of nodes."""
    text = "\n".join(f"{result.game} {result.ply} {result.move} {result.nodes}" for result in results)
    return sha256(text.encode()).hexdigest()[:12]
