"""The two plain agents: random, and greedy on the game's own evaluation."""
from threading import Event

from railwright.ai.agent import Agent, Choice, Info, Limits, Report
from railwright.ai.weights import weights_of
from railwright.cext.game import CHANCE, OVER, Position
from railwright.engine.table import Table


class Random(Agent):
    """Any legal move, each as likely as the next."""
    name = "random"

    def __init__(self, seed: int):
        self.seed = seed

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        from railwright.cext.game import random_below
        moves = list(limits.searchmoves) or table.position.legal()
        move = moves[random_below(self.seed, table.ply, len(moves))]
        return answer(table, move, report)
