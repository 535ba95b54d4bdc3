"""A yardstick for outsiders: connect four searched by our core and by OpenSpiel's C++ MCTSBot, with as many rollouts.

    pip install -e '.[bench]'
    python bench/yardstick.py [--rollouts N] [--rounds N]

Both grow a UCT tree by one random rollout to the end an iteration, without any proofs, from the empty board, with one
thread. They take turns, so that whatever else the machine does hits both; the ratio is the median of the rounds'.
"""
import argparse
import sys
from array import array
from collections.abc import Callable
from statistics import median
from time import perf_counter

import compiled
from railwright.cext.search import Search

HASH = 256                      # MiB for either tree
WEIGHTS = array("f", [1, 1])    # temperature and scale: connect four has no evaluation
PLAIN = {"win": 1, "rank": 0, "margin": 0, "playout": -1, "random": 1, "widening": 0, "proof": 0, "exploration": 2}
MOST_SEED = 2**31 - 1


def ours(rollouts: int) -> Callable[[int], float]:
    """Seconds for so many rollouts, by seed."""
    position = compiled.load("connect_four").new()

    def seconds(seed: int) -> float:
        search = Search(position, WEIGHTS, PLAIN, HASH << 20, seed)
        began = perf_counter()
        assert search.run(rollouts, 1e9) == rollouts
        return perf_counter() - began
    return seconds


def theirs(rollouts: int) -> Callable[[int], float]:
    import pyspiel
    game = pyspiel.load_game("connect_four")

    def seconds(seed: int) -> float:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, rollouts, HASH, False, seed, False)
        state = game.new_initial_state()
        began = perf_counter()
        bot.mcts_search(state)
        return perf_counter() - began
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description="Iterations a second on connect four, beside OpenSpiel's MCTSBot.")
    parser.add_argument("--rollouts", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    if not (arguments.rollouts > 0 and 0 < arguments.rounds < MOST_SEED):
        parser.error("rollouts and rounds: expected 1 or more")
    try:
        contest = [ours(arguments.rollouts), theirs(arguments.rollouts)]
    except ImportError as fault:
        print(f"error {fault.name} is not installed; expected it from pip install -e '.[bench]'", file=sys.stderr)
        return 1
    rounds = [[run(seed) for run in contest] for seed in range(1, arguments.rounds + 1)]
    speeds = [[arguments.rollouts / seconds for seconds in pair] for pair in rounds]
    mine, other = (median(column) for column in zip(*speeds, strict=True))
    ratios = sorted(pair[0] / pair[1] for pair in speeds)
    print("| rollouts | rounds | ours, iterations/s | MCTSBot, iterations/s | ratio | least | most | goal |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    print(f"| {arguments.rollouts} | {arguments.rounds} | {mine:,.0f} | {other:,.0f} | {median(ratios):.1f} | {ratios[0]:.1f} "
          f"| {ratios[-1]:.1f} | 1.0, aim 2 |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
