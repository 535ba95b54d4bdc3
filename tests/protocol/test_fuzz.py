"""Nonsense on any line: one clear answer, nothing lost, still running."""
import subprocess
import sys
from random import Random

import pytest
from protocol.mutations import good_lines, lines, mutated
from protocol.transcripts import Driven
from railwright.engine.games import GAMES
from railwright.engine.table import Table


def starting_lines() -> list[bytes]:
    """For every game a start, a state, and the words that go with it."""
    found = []
    for game in GAMES.values():
        table = Table.new(game.name, game.players[1], seed=3)
        found += [f"position {game.name} players {players} seed 5".encode() for players in range(game.players[0], game.players[1] + 1)]
        found += [f"position state {table.state()}".encode(), f"position {game.name} observer 1".encode()]
        found += [f"position {game.name} map {board}".encode() for board in game.boards]
    return found


def is_slow(line: bytes) -> bool:
    """Starts work that costs more than a test may: the benchmark, and the memory of a huge tree."""
    words = line.lower().split()
    return words[:1] == [b"bench"] or (words[:1] == [b"setoption"] and (b"hash" in words or b"threads" in words))


def legal_moves(driven: Driven) -> list[bytes]:
    table = driven.engine.table
    return [] if table is None or table.is_over or table.is_hidden() else [token.encode() for token in table.tokens()]


def fuzz(n: int, seed: int) -> int:
    """How many lines were errors."""
    good = good_lines() + starting_lines()
    driven, rng, errors = Driven(), Random(seed), 0
    for number, line in enumerate(lines(seed, n, good)):
        if number % 4 == 3 and (moves := legal_moves(driven)):
            line = b" ".join([b"move", rng.choice(moves)])
            if rng.random() < 0.5:
                line = mutated(line, good, rng)
        elif number % 50 == 49:
            line = rng.choice(starting_lines())
        if is_slow(line):
            continue
        before = driven.snapshot()
        answer = (driven.send(line, wait=False) + driven.send(b"stop")).splitlines()
        assert not any("Traceback" in text or "internal fault" in text for text in answer), f"seed {seed} line {number} {line!r}: {answer}"
        if any(text.startswith(("error", '{"answer": "error"')) for text in answer):
            errors += 1
            assert driven.snapshot() == before, f"seed {seed} line {number} {line!r} changed the state"
    assert driven.send(b"isready") in ("readyok\n", '{"answer": "readyok"}\n')
    return errors


def test_20000_mutated_lines():
    assert fuzz(20_000, seed=1) > 8_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_200000_mutated_lines(seed):
    fuzz(20_000, seed=100 + seed)


def test_mutated_lines_through_a_process():
    sent = [line for line in lines(7, 400, good_lines()) if not is_slow(line) and line.split() not in ([b"quit"], [b"solve"])]
    sent = [line for line in sent if line.split()[:1] not in ([b"go"], [b"perft"])]
    text = b"\n".join([*sent, b"setoption name Output value text", b"isready", b"uci", b"quit", b""])
    start = [sys.executable, "-c", "from railwright.cli.protocol.engine import main; main()"]
    ran = subprocess.run(start, input=text, capture_output=True, timeout=60)
    assert ran.returncode == 0 and ran.stderr == b""
    assert ran.stdout.decode().rstrip().endswith("uciok")
