"""The levels 1 to 10: weaker opponents that still play like people."""
from bisect import bisect
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp
from threading import Event

from railwright.ai.agent import Agent, Choice, Limits, Report
from railwright.ai.ismcts import Ismcts
from railwright.ai.weights import own_weights
from railwright.cext.game import random_below
from railwright.cext.search import W_SCALE
from railwright.engine.game import Game
from railwright.engine.table import Table

FULL = 10
FINE = 1 << 24              # steps of a random number


@dataclass(frozen=True)
class Level:
    """A weak player looks at few lines, misjudges what things are worth, and does not tell close moves apart."""
    nodes: int
    error: float            # of the judgement's weights: the logarithm of the usual factor
    blur: float             # utility that makes a worse move e times less likely
    trust: float = 1.0      # in what it thought of most: the exponent of a move's visits


LEVELS = {
    1: Level(24, 1.0, 1.00, 0.0), 2: Level(24, 0.77, 0.265, 0.5), 3: Level(27, 0.5, 0.11, 0.9), 4: Level(50, 0.31, 0.061),
    5: Level(125, 0.20, 0.038), 6: Level(180, 0.165, 0.031), 7: Level(265, 0.134, 0.025), 8: Level(430, 0.104, 0.0188),
    9: Level(850, 0.058, 0.0104),
}


class Levelled(Agent):
    """Searches as little as its level allows and picks among the moves it saw by how good they looked."""
    name = "ismcts"

    def __init__(self, inner: Ismcts, level: int, seed: int):
        if level not in LEVELS:
            raise ValueError(f"level {level}; expected 1 to {FULL}")
        self.inner, self.level, self.seed = inner, LEVELS[level], seed
        self.given = dict(inner.weights or {})

    def forget(self) -> None:
        self.inner.forget()

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        self.inner.forget()         # what it thought last time would make it stronger than its level
        self.inner.weights = {**own_weights(table.game.name), **self.given, **self.misjudged(table.game)}
        nodes = self.level.nodes if limits.nodes is None else min(limits.nodes, self.level.nodes)
        choice = self.inner.choose(table, replace(limits, nodes=nodes), stop, report)
        found = self.inner.found(self.inner.trees)
        if self.level.blur == 0 or len(found) == 1:
            return choice
        best = max(row.value for row in found)
        parts = [exp((row.value - best) / self.level.blur) * row.visits ** self.level.trust for row in found]
        drawn = self.uniform(table.ply) * sum(parts)
        return Choice(found[bisect(list(accumulate(parts)), drawn)].move, choice.lines)

    def misjudged(self, game: Game) -> dict[str, float]:
        """The weights as this player sees them: wrong by a factor of his own, the same all game long."""
        own = {**own_weights(game.name), **self.given}
        return {name: own[name] * exp(self.level.error * self.bell(i)) for i, name in enumerate(game.weights) if i > W_SCALE}

    def uniform(self, stream: int) -> float:
        return random_below(self.seed, stream, FINE) / FINE

    def bell(self, number: int) -> float:
        """About normally distributed, with a deviation of 1: twelve numbers from 0 to 1, added up."""
        return sum(self.uniform((number + 1) << 32 | k) for k in range(12)) - 6
