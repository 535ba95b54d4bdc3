"""The strong agent: the core's tree search, its threads, and what is kept between moves."""
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from threading import Event, Thread

from railwright.ai.agent import Agent, Choice, Clock, Info, Limits, Report
from railwright.ai.weights import own_switches, weights_of
from railwright.cext.search import SWITCHES, Search
from railwright.engine.table import Table

SLICE = 0.005               # seconds between two looks at the clock and at `stop`
REPORT_EVERY = 0.25         # seconds between two reports
SPARE = 1.2                 # the pace may quicken: this many times as many iterations may come as the pace so far promises
FORCED = 50                 # iterations for a move that has no alternative: enough for a line and its score


@dataclass
class Found:
    """What all trees together know of a move at the root."""
    move: int
    visits: int
    value: float
    win: list[float]
    score: list[float]


class Ismcts(Agent):
    """Searches from what its player knows. With several threads each has a tree of its own; their visits are added up."""
    name = "ismcts"

    def __init__(self, seed: int = 0, threads: int = 1, hash_mib: int = 256, switches: Mapping[str, float] | None = None,
                 weights: Mapping[str, float] | None = None):
        self.seed, self.threads, self.hash_mib = seed, threads, hash_mib
        self.switches, self.weights = dict(switches or {}), weights
        self.trees: list[Search] = []
        self.table: Table | None = None         # where the trees stand

    def forget(self) -> None:
        self.trees, self.table = [], None

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        clock = Clock(limits, stop)
        self.stand(table, limits)
        legal = len(limits.searchmoves) or len(table.position.legal())
        nodes = limits.nodes
        if legal == 1 and (limits.movetime is not None or nodes is not None):
            nodes = min(nodes or FORCED, FORCED)
        shares = [None if nodes is None else nodes // self.threads + (i < nodes % self.threads) for i in range(self.threads)]
        others = [Thread(target=self.think, args=(tree, share, clock), daemon=True)
                  for tree, share in zip(self.trees[1:], shares[1:], strict=True)]
        for thread in others:
            thread.start()
        own = self.trees[:1]                    # the others are at work: nobody may look into them now
        self.think(own[0], shares[0], clock, lambda: report(self.lines(own, clock, limits.multipv)))
        for thread in others:
            thread.join()
        lines = self.lines(self.trees, clock, limits.multipv)
        report(lines)
        return Choice(lines[0].pv[0], lines)

    def stand(self, table: Table, limits: Limits) -> None:
        """Puts the trees at the position: further down in those that are there, or at the start of new ones."""
        before, played = self.table, self.played_since(table)
        self.table = table.fork()
        goes_on = before is not None and played is not None and not limits.searchmoves
        followed = [goes_on and tree.follow(table.position, played) for tree in self.trees]     # all of them, whatever one says
        if followed and all(followed):
            return
        if before is None or before.game is not table.game:     # other weights
            weights = weights_of(table.game, self.weights)
            room = (self.hash_mib << 20) // self.threads
            switches = {**own_switches(table.game.name), **self.switches}
            self.trees = [Search(table.position, weights, switches, room, self.seed, i) for i in range(self.threads)]
        for tree in self.trees:
            tree.begin(table.position, limits.searchmoves)

    def played_since(self, table: Table) -> list[int] | None:
        """The moves from where the trees stand to this table; None when it is another game."""
        old = self.table
        if old is None or table.chart is not old.chart or table.positions[0] != old.positions[0]:
            return None
        if table.moves[:len(old.moves)] != old.moves:
            return None
        return table.numbers[len(old.moves):]

    def think(self, tree: Search, nodes: int | None, clock: Clock, tell=None) -> None:
        done, told = 0, 0.0
        while nodes is None or done < nodes:
            left = SLICE if clock.limits.movetime is None else min(SLICE, clock.limits.movetime - clock.seconds)
            ran = tree.run((1 << 62) if nodes is None else nodes - done, max(left, 0))
            done += ran
            if tree.is_proven or clock.is_up() or (clock.limits.is_brief and tree.lead > still_possible(done, clock)):
                break
            if tell is not None and clock.seconds - told > REPORT_EVERY:
                told = clock.seconds
                tell()

    # --- what was found --------------------------------------------------------------
    def found(self, trees: list[Search]) -> list[Found]:
        """Every move tried, the most visited first; with equal visits the better one. A tree that proved them all is enough."""
        exact = [tree for tree in trees if tree.is_proven][:1]
        rows: dict[int, list[tuple]] = defaultdict(list)
        for tree in exact or trees:
            for row in tree.moves():
                rows[row[0]].append(row)
        result = []
        for move, parts in rows.items():
            visits = sum(part[1] for part in parts)

            def mean(values: list[float], parts: list[tuple] = parts, visits: int = visits) -> float:
                return sum(part[1] * value for part, value in zip(parts, values, strict=True)) / visits

            players = range(len(parts[0][3]))
            result.append(Found(move, visits, mean([part[2] for part in parts]),
                                [mean([part[3][p] for part in parts]) for p in players],
                                [mean([part[4][p] for part in parts]) for p in players]))
        return sorted(result, key=lambda row: (row.value, row.visits) if exact else (row.visits, row.value), reverse=True)

    def lines(self, trees: list[Search], clock: Clock, multipv: int) -> list[Info]:
        first = next((tree for tree in trees if tree.is_proven), trees[0])
        nodes = sum(tree.iterations for tree in self.trees)
        return [Info(first.depth, first.seldepth, nodes, clock.seconds, first.hashfull, normal(row.win), row.score, row.visits,
                     first.line(row.move), number) for number, row in enumerate(self.found(trees)[:multipv], 1)]


def still_possible(done: int, clock: Clock) -> float:
    """How many iterations there is time for. A limit of nodes is used up: when one looks must not change what is found."""
    movetime = clock.limits.movetime
    return inf if movetime is None else SPARE * done * (movetime / clock.seconds - 1)


def normal(chances: list[float]) -> list[float]:
    """Chances that add up to 1."""
    total = sum(chances)
    return [chance / total for chance in chances] if total > 0 else [1 / len(chances)] * len(chances)


def switches_of(given: Mapping[str, str]) -> dict[str, float]:
    """Search switches from their texts; ValueError names the bad one."""
    result: dict[str, float] = {}
    for name, text in given.items():
        if name not in SWITCHES:
            raise ValueError(f"search switch {name!r}; expected one of {' '.join(SWITCHES)}")
        try:
            result[name] = float(text)
        except ValueError:
            raise ValueError(f"search switch {name}={text!r}; expected a number") from None
    return result
