"""The levels 1 to 10: weaker opponents that still play like people."""
from bisect import bisect
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp
from threading import Event

from railwright.ai.agent import Agent, Choice, Limits, Report
from railwright.ai.ismcts import Ismcts
from railwright.cext.game import random_below
from railwright.engine.table import Table

FULL = 10


@dataclass(frozen=True)
class Level:
    """A weak player looks at few lines and does not tell close moves apart."""
    nodes: int
    blur: float             # utility that makes a worse move e times less likely


LEVELS = {
    1: Level(8, 0.10), 2: Level(16, 0.07), 3: Level(32, 0.05), 4: Level(64, 0.035), 5: Level(128, 0.025), 6: Level(256, 0.015),
    7: Level(600, 0.010), 8: Level(1500, 0.005), 9: Level(4000, 0.0),
}


class Levelled(Agent):
    """Searches as little as its level allows and picks among the moves it saw by how good they looked."""
    name = "ismcts"

    def __init__(self, inner: Ismcts, level: int, seed: int):
        if not 1 <= level <= FULL:
            raise ValueError(f"level {level}; expected 1 to {FULL}")
        self.inner, self.level, self.seed = inner, LEVELS[level], seed

    def forget(self) -> None:
        self.inner.forget()

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        self.inner.forget()         # what it thought last time would make it stronger than its level
        nodes = self.level.nodes if limits.nodes is None else min(limits.nodes, self.level.nodes)
        choice = self.inner.choose(table, replace(limits, nodes=nodes, multipv=max(limits.multipv, 8)), stop, report)
        found = self.inner.found()
        if self.level.blur == 0 or len(found) == 1:
            return Choice(choice.move, choice.lines[:limits.multipv])
        best = max(row.value for row in found)
        parts = [exp((row.value - best) / self.level.blur) * row.visits for row in found]
        drawn = random_below(self.seed, table.ply, 1 << 24) / (1 << 24) * sum(parts)
        move = found[bisect(list(accumulate(parts)), drawn)].move
        lines = sorted(choice.lines, key=lambda line: line.pv[0] != move)
        return Choice(move, [replace(line, multipv=number) for number, line in enumerate(lines[:limits.multipv], 1)])
