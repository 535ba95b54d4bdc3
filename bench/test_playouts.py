"""Random playouts, one thread, four players: moves a second, beside a bare C loop and beside mcts-simple's own playouts."""
import ctypes
import os
import subprocess
from copy import deepcopy
from pathlib import Path
from threading import Event
from time import perf_counter

import pytest
from mcts_simple import UCT, OpenLoopUCT
from railwright.ai.agent import Clock, Limits
from railwright.ai.baseline import Dice, Root, Tally
from railwright.engine.games import GAMES
from railwright.engine.table import Table

HERE = Path(__file__).parent
PLAYERS = 4
SECONDS = 0.2                   # about as long as a round takes
ROUNDS = 5                      # the best of them counts: others may use the machine
SUBJECTS = (*GAMES, "rail/germany")     # a game on its first map, or on another
GOALS = {"chicago-express": "1,000,000 moves/s, aim 3,000,000", "american-rails": "1,000,000 moves/s, aim 3,000,000",
         "great-lakes": "500,000 moves/s, aim 2,000,000", "rail/germany": "300,000 moves/s, aim 1,000,000"}
TIMES_MCTS_SIMPLE = 300
SEED = 1


@pytest.fixture(scope="session")
def bare_loop(tmp_path_factory):
    """`copy_and_pick` of bare_loop.c, compiled as the core is."""
    library = tmp_path_factory.mktemp("bare") / "bare_loop.so"
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-shared", "-fPIC", "-o", library, HERE / "bare_loop.c"], check=True)
    return ctypes.CDLL(str(library)).copy_and_pick


def start_of(subject):
    game, _, board = subject.partition("/")
    table = Table.new(game, PLAYERS, board or None)
    table.roll_out()
    return table.position


class Playouts:
    """Random games of a size that takes some tenths of a second."""

    def __init__(self, subject):
        self.position = start_of(subject)
        self.seconds = float("inf")         # of the best run so far
        self.games = 20
        self.run()
        self.games = max(20, round(20 * SECONDS / self.seconds))
        self.seconds = float("inf")
        self.moves = self.position.playouts(SEED, self.games)

    def run(self):
        began = perf_counter()
        self.position.playouts(SEED, self.games)
        self.seconds = min(self.seconds, perf_counter() - began)

    def moves_a_second(self):
        return self.moves / self.seconds

    def games_a_second(self):
        return self.games / self.seconds


def beside(benchmark, playouts, work, amount):
    """Runs playouts and the other work by turns, so that both find the same machine; the best rate of the other work."""
    benchmark.pedantic(work, setup=playouts.run, rounds=ROUNDS, iterations=1, warmup_rounds=1)
    return amount / benchmark.stats.stats.min


@pytest.mark.parametrize("subject", SUBJECTS)
def test_playouts(benchmark, speeds, subject):
    playouts = Playouts(subject)
    benchmark.pedantic(playouts.run, rounds=ROUNDS, iterations=1, warmup_rounds=1)
    benchmark.extra_info["moves_a_second"] = round(playouts.moves_a_second())
    speeds.add(f"{subject}: random playouts, {playouts.moves / playouts.games:.0f} moves each", f"{playouts.moves_a_second():,.0f} moves/s",
               goal=GOALS.get(subject, ""))


@pytest.mark.parametrize("game", GAMES)
def test_the_bare_loop_over_the_same_state(benchmark, speeds, bare_loop, game):
    playouts = Playouts(game)
    size = -(-playouts.position.state_size // 8) * 8
    states = [(ctypes.c_uint64 * (size // 8))(*range(size // 8)) for _ in range(2)]
    n = 4_000_000
    rate = beside(benchmark, playouts, lambda: bare_loop(*states, ctypes.c_size_t(size), ctypes.c_long(n)), n)
    speeds.add(f"{game}: bare C loop, copy {size} bytes and pick a bit", f"{rate:,.0f} rounds/s",
               f"a move takes {rate / playouts.moves_a_second():.1f} rounds")


@pytest.mark.parametrize("game", GAMES)
def test_playouts_of_mcts_simple(benchmark, speeds, game):
    """The package's own `simulation`, with its nodes, over the same positions."""
    playouts = Playouts(game)
    position = playouts.position
    kind = OpenLoopUCT if position.has_chance or position.has_secrets else UCT
    n, clock = 60, Clock(Limits(), Event())

    def simulate():
        search = kind(Root(position, Dice(SEED, 0), Tally(PLAYERS, clock)), seed=SEED)
        for _ in range(n):
            search.copied_game = deepcopy(search.game)
            search.simulation([search.root])

    rate = beside(benchmark, playouts, simulate, n)
    speeds.add(f"{game}: mcts-simple's own playouts", f"{rate:,.0f} playouts/s",
               f"ours {playouts.games_a_second():,.0f} playouts/s, {playouts.games_a_second() / rate:,.0f} times as many",
               f"{TIMES_MCTS_SIMPLE} times as many")
