"""The speed of the search on the opening of Chicago Express, how soon it stops, and what memory it takes.

    python bench/search.py [--seconds S] [--stops N] [--memory S]

Iterations a second depend on the machine and on what else it does; one and two threads take turns, in one run. By the
clock, which the goals mean, two threads can only be worth two where two processors are idle. By processor time one sees
what the machine's other work takes away, and whether two threads are in each other's way (below 1.00 they are). Stops
and time limits are those of the engine as a process, from the line sent to the `bestmove` read.
"""
import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from threading import Thread
from time import monotonic, perf_counter, process_time, sleep

from railwright.ai.weights import weights_of
from railwright.cext.search import Search
from railwright.engine.table import Table

GAME, PLAYERS = "chicago-express", 4
HASH = 64                       # MiB
SLICE = 0.005                   # seconds between two looks at the clock, as the agent does it
ROUNDS = 5
MOVETIME = 50                   # ms
START = [sys.executable, "-c", "from railwright.cli.protocol.engine import main; main()"]
SPEEDS = {                      # what is measured: the switches, and the goal
    "with evaluation cut-off": ({}, "30,000"),
    "full rollouts by the game's policy": ({"playout": -1}, "10,000"),
    "full rollouts of random moves": ({"playout": -1, "random": 1}, "10,000"),
}


# --- speed -----------------------------------------------------------------------
def iterations(searches: list[Search], seconds: float) -> tuple[float, float]:
    """Iterations a second of all of them together, each in a thread; and those a second of processor time."""
    def work(search: Search) -> None:
        while perf_counter() < end:
            search.run(1 << 40, SLICE)

    began, busy = perf_counter(), process_time()
    end = began + seconds
    threads = [Thread(target=work, args=(search,)) for search in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = sum(search.iterations for search in searches)
    return done / (perf_counter() - began), done / (process_time() - busy)


def speed(table: Table, switches: dict[str, float], threads: int, seconds: float, seed: int) -> tuple[float, float]:
    weights = weights_of(table.game)
    return iterations([Search(table.position, weights, switches, HASH << 20, seed, i) for i in range(threads)], seconds)


def speed_rows(seconds: float) -> Iterator[list[str]]:
    table = Table.new(GAME, PLAYERS)
    for name, (switches, goal) in SPEEDS.items():
        rounds = [[speed(table, switches, threads, seconds / ROUNDS, seed) for threads in (1, 2)] for seed in range(ROUNDS)]
        by_clock, by_processor = ([(alone[i], both[i]) for alone, both in rounds] for i in (0, 1))
        yield [f"{name}, iterations/s", f"{median(alone for alone, _ in by_clock):,.0f}", goal]
        yield [f"{name}, iterations/s of processor time", f"{median(alone for alone, _ in by_processor):,.0f}", "-"]
        yield [f"{name}, two threads over one", f"{median(both / alone for alone, both in by_clock):.2f}", "1.8"]
        yield [f"{name}, a thread of two over one alone, by processor time",
               f"{median(both / alone for alone, both in by_processor):.2f}", "-"]


# --- the engine as a process -------------------------------------------------------
class Engine:
    def __init__(self, *lines: str):
        self.pipe = subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send(*lines, f"position {GAME} players {PLAYERS}", "isready")
        self.until("readyok")

    def send(self, *lines: str) -> None:
        assert self.pipe.stdin is not None
        self.pipe.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.pipe.stdin.flush()

    def until(self, word: str) -> None:
        assert self.pipe.stdout is not None
        while not (line := self.pipe.stdout.readline().decode()).startswith(word):
            assert line, "the engine ended"

    def most_memory(self) -> float:
        """MiB, the most that was resident at any time."""
        status = Path(f"/proc/{self.pipe.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024


@contextmanager
def engine(*lines: str) -> Iterator[Engine]:
    started = Engine(*lines)
    with started.pipe:
        yield started
        started.send("quit")


def stops(n: int) -> list[float]:
    """Milliseconds from `stop` to `bestmove`."""
    rng = Random(1)
    found = []
    with engine(f"setoption name Hash value {HASH}") as started:
        for _ in range(n):
            started.send("go infinite")
            sleep(rng.uniform(0.01, 0.06))
            began = monotonic()
            started.send("stop")
            started.until("bestmove")
            found.append(1000 * (monotonic() - began))
    return found


def overshoots(n: int) -> list[float]:
    """Milliseconds by which a search with a time limit is late."""
    found = []
    with engine(f"setoption name Hash value {HASH}") as started:
        for _ in range(n):
            began = monotonic()
            started.send(f"go movetime {MOVETIME}")
            started.until("bestmove")
            found.append(1000 * (monotonic() - began) - MOVETIME)
    return found


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def time_rows(n: int) -> Iterator[list[str]]:
    for name, values in (("`stop` to `bestmove`", stops(n)), (f"`movetime {MOVETIME}` overshoot", overshoots(n))):
        yield [f"{name}, ms, median / p99 of {n}", f"{median(values):.1f} / {percentile(values, 0.99):.1f}", "p99 under 20"]


def memory_rows(seconds: float) -> Iterator[list[str]]:
    for size in (16, HASH):
        with engine(f"setoption name Hash value {size}") as started:
            started.send("go infinite")
            sleep(seconds)
            started.send("stop")
            started.until("bestmove")
            most = started.most_memory()
        yield [f"memory in {seconds:g} s of `go infinite`, Hash {size}, MiB", f"{most:.0f}", f"under {size + 50}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5, help="for each speed")
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--memory", type=float, default=60, help="seconds of `go infinite`")
    arguments = parser.parse_args()
    print("| figure | value | goal |\n| --- | --- | --- |")
    for rows in (speed_rows(arguments.seconds), time_rows(arguments.stops), memory_rows(arguments.memory)):
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
