"""The mcts-simple package as an opponent: its UCT over our positions, its open-loop UCT where chance or secrets decide."""
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

from mcts_simple import UCT, OpenLoopUCT
from mcts_simple import Game as ItsGame
from railwright.ai.agent import Agent, Choice, Clock, Info, Limits, Report
from railwright.ai.simple import Random
from railwright.cext.game import CHANCE, OVER, Position, random_below
from railwright.engine.table import Table

NODES_PER_MIB = 1600            # a node of the package, with its dictionaries, takes some 620 bytes
REPORT_EVERY = 0.2              # seconds


class TimeUp(Exception):
    """The time was up in the middle of a playout."""


class Tally:
    """What came out of all playouts so far; the package itself keeps the wins of the movers only."""

    def __init__(self, players: int, clock: Clock):
        self.games, self.clock = 0, clock
        self.wins, self.scores = [0.0] * players, [0.0] * players

    def add(self, position: Position) -> None:
        winners = position.winners()
        self.games += 1
        for player, score in enumerate(position.scores()):
            self.wins[player] += (player in winners) / len(winners)
            self.scores[player] += score


class World(ItsGame):
    """A position as the package wants a game: chance is drawn at once, a copy is a copy of the state."""

    def __init__(self, position: Position, dice: "Dice", tally: Tally, only: Sequence[int] = ()):
        self.position, self.dice, self.tally, self.only = position, dice, tally, only

    def __deepcopy__(self, memo: dict[int, Any]) -> "World":
        return World(self.position.copy(), self.dice, self.tally, self.only)

    def get_state(self) -> int:
        return hash(self.position)

    def number_of_players(self) -> int:
        return self.position.n_players

    def current_player(self) -> int:
        return max(self.position.to_move(), 0)

    def possible_actions(self) -> list[int]:
        return list(self.only) or self.position.legal()

    def take_action(self, action: int) -> None:
        if self.tally.clock.is_up():
            raise TimeUp
        self.only = ()
        self.position.apply(action)
        while self.position.to_move() == CHANCE:
            self.position.apply(self.dice.roll(self.position))

    def has_outcome(self) -> bool:
        return self.position.to_move() == OVER

    def winner(self) -> list[int]:
        self.tally.add(self.position)
        return self.position.winners()


class Root(World):
    """Where the search begins: each copy is another world that the player to move could be in."""

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        seat = self.position.to_move()
        return World(self.position.determinize(seat, self.dice.seed, self.dice.next()), self.dice, self.tally, self.only)


class Dice:
    """The chance of one search: a stream of the seed for each roll."""

    def __init__(self, seed: int, first: int):
        self.seed, self.stream = seed, first << 40

    def next(self) -> int:
        self.stream += 1
        return self.stream

    def roll(self, position: Position) -> int:
        return position.random_chance(self.seed, self.next())


class Bounded:
    """A search of the package that keeps its tree within a number of nodes and then plays on below it."""
    root: Any
    copied_game: World
    transposition_table: dict[Any, Any] | None = None

    def __init__(self, root: Root, seed: int, most_nodes: int):
        self.most_nodes, self.n_nodes = most_nodes, 0
        super().__init__(root, seed=seed)               # type: ignore[call-arg]

    def expansion(self, path: list[Any]) -> list[Any]:
        if self.n_nodes >= self.most_nodes:
            return path
        before = len(path[-1].children)
        node = path[-1]
        path = super().expansion(path)                  # type: ignore[misc]
        self.n_nodes += len(node.children) - before
        return path

    def simulation(self, path: list[Any]) -> list[Any]:
        self.n_in_path = len(path)
        if self.n_nodes < self.most_nodes:
            path = super().simulation(path)             # type: ignore[misc]
            self.n_nodes += len(path) - self.n_in_path
            return path
        while not self.copied_game.has_outcome():
            self.copied_game.take_action(self.rng.choice(self.copied_game.possible_actions()))      # type: ignore[attr-defined]
        return path

    def backpropagation(self, path: list[Any]) -> None:
        was_end = path[-1].has_outcome
        super().backpropagation(path)                   # type: ignore[misc]
        if self.n_nodes >= self.most_nodes and len(path) == self.n_in_path:
            path[-1].has_outcome = was_end              # the playout ended below the tree, not at this node


    def take_apart(self) -> None:
        left = [self.root]
        while left:
            node = left.pop()
            left += node.children.values()
            node.children = {}
        if self.transposition_table:
            self.transposition_table.clear()


class Tree(Bounded, UCT):
    """For games without chance and secrets."""


class OpenTree(Bounded, OpenLoopUCT):
    """For the others: a node stands for the moves that led there, so what is legal there differs from visit to visit."""

    def selection(self, node: Any) -> list[Any]:
        path = [node]
        while path[-1].is_expanded and not self.copied_game.has_outcome():
            here = path[-1]
            here.player = self.copied_game.current_player()
            action = self.best_of(here, self.copied_game.possible_actions())
            self.copied_game.take_action(action)
            here.add_child(self.copied_game.current_player(), action)
            path.append(here.children[action])
        path[-1].player = self.copied_game.current_player()
        path[-1].has_outcome = False
        return path

    def best_of(self, node: Any, legal: list[int]) -> int:
        """The package's own choice among the moves that are legal this time; a new one goes first."""
        for action in legal:
            if action not in node.children:
                return action
        with among(node, legal):
            return node.choose_best_action(True)

    def expansion(self, path: list[Any]) -> list[Any]:
        """The package's own, but that playouts in other worlds left children that are not legal this time."""
        with among(path[-1], self.copied_game.possible_actions()):
            return super().expansion(path)


@contextmanager
def among(node: Any, legal: list[int]) -> Iterator[None]:
    """The node with its legal children alone; afterwards with all of them, new ones included."""
    everything = node.children
    node.children = {action: everything[action] for action in legal if action in everything}
    try:
        yield
    finally:
        node.children = everything | node.children


@contextmanager
def uncollected(search: Bounded) -> Iterator[None]:
    """Without garbage collection, which would take longer over so many nodes than the move may; so the tree, whose nodes know
    their parents, is taken apart by hand in the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        search.take_apart()
        if was_on:
            gc.enable()


class MctsSimple(Agent):
    """The baseline: the package's search with its own settings, within our limits."""
    name = "mcts-simple"

    def __init__(self, seed: int, hash_mib: int = 64):
        self.seed, self.most_nodes = seed, hash_mib * NODES_PER_MIB

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        clock, seat = Clock(limits, stop), table.to_move
        tally = Tally(table.players, clock)
        root = Root(table.position, Dice(self.seed, table.ply), tally, limits.searchmoves)
        is_plain = not (table.position.has_chance or table.position.has_secrets)
        search = (Tree if is_plain else OpenTree)(root, random_below(self.seed, table.ply, 1 << 30), self.most_nodes)
        told_at = 0.0
        with uncollected(search):
            with suppress(TimeUp):
                while not clock.is_up() and tally.games != limits.nodes:
                    search.step()
                    if clock.seconds - told_at >= REPORT_EVERY:
                        told_at = clock.seconds
                        report(self.lines(search, tally, seat, limits, clock, is_plain))
            if not tally.games:                         # not even one playout: any move
                return Random(self.seed).choose(table, limits, stop, report)
            lines = self.lines(search, tally, seat, limits, clock, is_plain)
        report(lines)
        return Choice(lines[0].pv[0], lines)

    def lines(self, search: Bounded, tally: Tally, seat: int, limits: Limits, clock: Clock, is_plain: bool) -> list[Info]:
        children = search.root.children
        ranked = sorted(children, key=lambda action: (children[action].n, children[action].w), reverse=True)
        full = min(1000, 1000 * search.n_nodes // search.most_nodes)
        margin = [score / tally.games for score in tally.scores]
        found = []
        for number, action in enumerate(ranked[:limits.multipv], 1):
            node = children[action]
            pv = [action, *(best_line(node) if is_plain else [])]
            win = shared(tally, seat, node.w / node.n if node.n else 0.0)
            found.append(Info(len(pv), len(pv), tally.games, clock.seconds, full, win, margin, node.n, pv, number))
        return found


def best_line(node: Any) -> list[int]:
    """The most visited moves below a node, as long as they were visited more than once."""
    moves: list[int] = []
    while node.children and len(moves) < 20:
        action = max(node.children, key=lambda action: node.children[action].n)
        node = node.children[action]
        if node.n < 2:
            break
        moves.append(action)
    return moves


def shared(tally: Tally, seat: int, own: float) -> list[float]:
    """The mover's chance as the tree has it; the others share the rest as they won the playouts."""
    others = sum(tally.wins) - tally.wins[seat]
    n_others = len(tally.wins) - 1
    return [own if player == seat else (1 - own) * (wins / others if others else 1 / n_others)
            for player, wins in enumerate(tally.wins)]
