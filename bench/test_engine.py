"""`railwright engine`: from the start to `uciok`, and `isready` while idle."""
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

COMMAND = [str(Path(sys.executable).with_name("railwright")), "engine"]


@contextmanager
def engine():
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield process
    finally:
        process.communicate("quit\n", timeout=10)


def answer(process, line, last):
    """Sends a line and reads up to the answer that ends it."""
    process.stdin.write(line + "\n")
    process.stdin.flush()
    while process.stdout.readline().rstrip("\n") != last:
        pass


def test_start_to_uciok(benchmark, speeds):
    seconds = []

    def work():
        began = perf_counter()
        with engine() as process:
            answer(process, "uci", "uciok")
            seconds.append(perf_counter() - began)

    benchmark.pedantic(work, rounds=10, iterations=1, warmup_rounds=1)
    speeds.add("engine: start to uciok", f"{1000 * min(seconds):.0f} ms", goal="at most 200 ms")


def test_isready(benchmark, speeds):
    with engine() as process:
        answer(process, "uci", "uciok")
        benchmark.pedantic(answer, (process, "isready", "readyok"), rounds=500, iterations=1, warmup_rounds=20)
    median = benchmark.stats.stats.median
    speeds.add("engine: isready while idle, median", f"{1000 * median:.3f} ms", goal="under 1 ms")
