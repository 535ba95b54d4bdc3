"""`railwright` with two agents for tests in place of its own: `quick` plays at random, `slow` thinks until it is stopped."""
import random
import sys
from contextlib import AbstractContextManager
from threading import Event
from unittest.mock import patch

from railwright.ai import agents
from railwright.ai.agent import Agent, Choice, Info, Limits, Report
from railwright.cli.main import run
from railwright.engine.table import Table


class Quick(Agent):
    name = "quick"

    def __init__(self, seed: int):
        self.seed = seed

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        move = random.Random(self.seed * 100_003 + table.ply).choice(table.position.legal())
        even = [1 / table.players] * table.players
        return Choice(move, [Info(1, 1, 1, 0.0, 0, even, [40.0] * table.players, 1, [move])])


class Slow(Quick):
    name = "slow"

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        stop.wait(60)
        return super().choose(table, limits, stop, report)


def only_test_agents() -> AbstractContextManager[object]:
    """As long as it lasts, these are the agents that there are."""
    ours = {"quick": lambda settings: Quick(settings.seed), "slow": lambda settings: Slow(settings.seed)}
    return patch.dict(agents.AGENTS, ours, clear=True)


if __name__ == "__main__":
    sys.argv[0] = "railwright"
    with only_test_agents():
        run()
