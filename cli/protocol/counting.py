"""Perft that can be stopped: the core counts the last plies, the plies above are walked here."""
from collections.abc import Iterator
from threading import Event

from railwright.cext.game import OVER, Position
from railwright.engine.table import Table

MOST_DEPTH = 64
CORE_DEPTH = 2                  # plies that the core counts at a time, without looking whether to stop


class Stopped(Exception):
    """Whoever asked does not want to wait any longer."""


def divide(table: Table, depth: int, stop: Event) -> Iterator[tuple[str, int]]:
    """Each root move with the number of leaves below it; nothing at depth 0 and when the game is over."""
    if table.observer is not None and table.position.has_secrets:
        raise ValueError("this is a view of one player; expected a whole position to count from")
    if depth == 0:
        return
    for token, move in table.tokens().items():
        yield token, count(after(table.position, move), depth - 1, stop)


def count(position: Position, depth: int, stop: Event) -> int:
    """How many sequences of `depth` moves there are; a game that ends early is a leaf too."""
    if stop.is_set():
        raise Stopped
    if depth <= CORE_DEPTH or position.to_move() == OVER:
        return position.perft(depth)
    return sum(count(after(position, move), depth - 1, stop) for move in position.legal())


def after(position: Position, move: int) -> Position:
    following = position.copy()
    following.apply(move)
    return following
