"""What a position is worth to each player, without any search: what the plain agents and the protocol show."""
from collections.abc import Sequence
from math import exp

from railwright.ai.weights import weights_of
from railwright.cext.game import CHANCE, OVER, Position
from railwright.engine.game import Game
from railwright.engine.table import Table

WORLDS = 8                      # samples where chance or a secret decides what a position is worth
SPREAD = 0.1                    # a lead of a tenth of the best score makes a win e times as likely


def expected_scores(game: Game, position: Position) -> list[float]:
    """The game's evaluation; for a game that has none, and at the end, the scores."""
    if position.can_evaluate and position.to_move() != OVER:
        return position.evaluate(weights_of(game))
    return [float(score) for score in position.scores()]


def win_chances(position: Position, values: Sequence[float]) -> list[float]:
    """A rough guess from the scores expected, adding up to 1; at the end the winners share it."""
    if position.to_move() == OVER:
        winners = position.winners()
        return [1 / len(winners) if player in winners else 0.0 for player in range(position.n_players)]
    best = max(values)
    odds = [exp((value - best) / (1 + SPREAD * abs(best))) for value in values]
    return [chance / sum(odds) for chance in odds]


def mean(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each column."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def worlds(position: Position, seat: int, seed: int, stream: int) -> list[Position]:
    """Whole positions that `seat` could be in: several where something is hidden from it."""
    if not position.has_secrets:
        return [position]
    return [position.determinize(seat, seed, stream * WORLDS + i) for i in range(WORLDS)]


def after_chance(position: Position, seed: int, stream: int) -> list[Position]:
    """The positions once chance has decided: a few samples of them, or the position itself."""
    if position.to_move() != CHANCE:
        return [position]
    samples = []
    for i in range(WORLDS):
        sample, drawn = position.copy(), 0
        while sample.to_move() == CHANCE:
            sample.apply(sample.random_chance(seed + drawn, stream * WORLDS + i))
            drawn += 1
        samples.append(sample)
    return samples


def judge(table: Table, seed: int = 0) -> list[float]:
    """The score each player may expect, as far as the table's observer can tell."""
    if table.observer is None:
        return expected_scores(table.game, table.position)
    return mean([expected_scores(table.game, world) for world in worlds(table.position, table.observer, seed, table.ply)])
