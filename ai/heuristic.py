"""The instant agent: the move that the game's own judgement thinks likeliest, without any search."""
from collections.abc import Mapping
from threading import Event

from railwright.ai.agent import Agent, Choice, Info, Limits, Report
from railwright.ai.ismcts import normal
from railwright.ai.weights import weights_of
from railwright.engine.table import Table


class Heuristic(Agent):
    """Takes the move with the highest prior."""
    name = "heuristic"

    def __init__(self, weights: Mapping[str, float] | None = None):
        self.weights = weights

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        weights = weights_of(table.game, self.weights)
        position = table.position.view(table.to_move)
        moves = list(limits.searchmoves) or position.candidates(weights)
        priors = position.priors(moves, weights)
        ranked = sorted(zip(priors, moves, strict=True), key=lambda pair: -pair[0])[:limits.multipv]
        scores = position.evaluate(weights)
        lead = max(scores)
        win = normal([2 ** ((score - lead) / weights[0]) for score in scores])
        lines = [Info(1, 1, len(moves), 0.0, 0, win, scores, 1, [move], number) for number, (_, move) in enumerate(ranked, 1)]
        report(lines)
        return Choice(lines[0].pv[0], lines)
