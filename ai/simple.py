"""The two plain agents: random, and greedy on the game's own evaluation."""
from collections.abc import Sequence
from threading import Event

from railwright.ai.agent import Agent, Choice, Clock, Info, Limits, Report
from railwright.ai.judgement import after_chance, expected_scores, mean, win_chances, worlds
from railwright.ai.weights import weights_of
from railwright.cext.game import Position, random_below
from railwright.engine.table import Table

WIDE = 64                       # moves of a decision from which on only the game's candidates are tried


class Random(Agent):
    """Any legal move, each as likely as the next."""
    name = "random"

    def __init__(self, seed: int):
        self.seed = seed

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        clock = Clock(limits, stop)
        moves = list(limits.searchmoves) or table.position.legal()
        move = moves[random_below(self.seed, table.ply, len(moves))]
        found = worlds(table.position, table.to_move, self.seed, table.ply)
        values = mean([expected_scores(table.game, world) for world in found])
        return told([line(move, values, found[0], 1, clock)], report)


class Greedy(Agent):
    """The move after which the mover's expected score is highest; of equal ones that which leaves the others least."""
    name = "greedy"

    def __init__(self, seed: int):
        self.seed = seed

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        clock, seat = Clock(limits, stop), table.to_move
        found = worlds(table.position, seat, self.seed, table.ply)
        values: dict[int, list[float]] = {}
        for move in self.tried(table, found[0], limits):
            if values and (clock.is_up() or len(values) == limits.nodes):
                break
            values[move] = self.outcome(table, found, move)
        ranked = sorted(values, key=lambda move: rank(values[move], seat), reverse=True)
        lines = [line(move, values[move], after(found[0], move), len(values), clock) for move in ranked[:limits.multipv]]
        return told(lines, report)

    def tried(self, table: Table, world: Position, limits: Limits) -> Sequence[int]:
        if limits.searchmoves:
            return limits.searchmoves
        moves = world.legal()
        return moves if len(moves) < WIDE else world.candidates(weights_of(table.game))

    def outcome(self, table: Table, found: Sequence[Position], move: int) -> list[float]:
        """What each player may expect after the move, over the worlds and over the chance that follows."""
        ends = [end for world in found for end in after_chance(after(world, move), self.seed, table.ply)]
        return mean([expected_scores(table.game, end) for end in ends])


def rank(values: Sequence[float], seat: int) -> tuple[float, float]:
    """The own value first, then how little the others have; rounded, so that no noise of the sums decides."""
    others = sum(values) - values[seat]
    return round(values[seat], 3), round(-others, 3)


def after(position: Position, move: int) -> Position:
    following = position.copy()
    following.apply(move)
    return following


def line(move: int, values: list[float], position: Position, nodes: int, clock: Clock) -> Info:
    """An agent's finding without a tree behind it."""
    return Info(depth=1, seldepth=1, nodes=nodes, seconds=clock.seconds, hashfull=0, win=win_chances(position, values),
                margin=values, visits=1, pv=[move])


def told(lines: list[Info], report: Report) -> Choice:
    """Reports the lines, best first, and chooses the first move."""
    for number, info in enumerate(lines, 1):
        info.multipv = number
    report(lines)
    return Choice(lines[0].pv[0], lines)
