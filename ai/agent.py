"""What decides for a player: the interface of all agents, and the limits they think under."""
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic

from railwright.engine.table import Table


@dataclass(frozen=True)
class Limits:
    """How long to think: whichever limit is reached first. None: no such limit."""
    movetime: float | None = None       # seconds
    nodes: int | None = None
    searchmoves: tuple[int, ...] = ()   # only these moves; empty: all
    multipv: int = 1
    is_brief: bool = False              # end early when the time left could not change the move


@dataclass
class Info:
    """What an agent found out so far; the fields of an `info` line."""
    depth: int
    seldepth: int
    nodes: int
    seconds: float
    hashfull: int                       # thousandths of the tree's memory
    win: list[float]                    # the winning chance of each player, adding up to 1
    margin: list[float]                 # the final score expected for each player
    visits: int
    pv: list[int]                       # the moves expected, the best one first
    multipv: int = 1

    @property
    def nps(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


Report = Callable[[list[Info]], None]   # the best lines, best first


@dataclass
class Choice:
    """The move chosen, and the lines behind it."""
    move: int
    lines: list[Info] = field(default_factory=list)


class Agent(ABC):
    """Decides for whichever player is to move at a table. It sees only what that player may know."""
    name: str

    @abstractmethod
    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        """The move to play; there is at least one. Returns soon after `stop` is set."""

    def forget(self) -> None:  # noqa: B027 - most agents remember nothing
        """A new game begins: whatever is remembered of the old one goes."""


class Clock:
    """The time since thinking began, and whether it should end."""

    def __init__(self, limits: Limits, stop: Event):
        self.began, self.limits, self.stop = monotonic(), limits, stop

    @property
    def seconds(self) -> float:
        return monotonic() - self.began

    def is_up(self) -> bool:
        return self.stop.is_set() or (self.limits.movetime is not None and self.seconds >= self.limits.movetime)
