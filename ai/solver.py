"""The exact outcome near the end of a game, where it can be proved."""
from dataclasses import dataclass, field
from threading import Event, Thread

from railwright.cext.solver import ExactSolver
from railwright.engine.table import Table

LOOK = 0.005                # seconds between two looks at `stop`
NO_LIMIT = (1 << 63) - 1


@dataclass(frozen=True)
class Solution:
    """What perfect play brings: everybody wants the win, then the largest lead over his best rival."""
    exact: bool
    nodes: int
    value: list[float] = field(default_factory=list)    # the final scores
    win: list[float] = field(default_factory=list)      # the shares of the win
    pv: list[int] = field(default_factory=list)


def solve(table: Table, seconds: float, stop: Event, nodes: int = NO_LIMIT) -> Solution:
    """Proves the outcome, or says that it could not: within the time, the nodes, or before `stop` was set."""
    if table.is_over:
        return Solution(True, 0, [float(score) for score in table.position.scores()], win_shares(table))
    solver = ExactSolver(table.position)
    found: list = []
    worker = Thread(target=lambda: found.append(solver.run(nodes, seconds)), daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(LOOK)
        if stop.is_set():
            solver.give_up()
    if not found or found[0] is None:
        return Solution(False, solver.nodes)
    win, _, value = found[0]
    return Solution(True, solver.nodes, value, win, solver.line())


def win_shares(table: Table) -> list[float]:
    winners = table.position.winners()
    return [1 / len(winners) if player in winners else 0.0 for player in range(table.players)]
