"""What a seat is told of the others' moves."""
import random

import pytest
from railwright.cli.terminal.telling import told
from railwright.engine.games import GAMES
from railwright.engine.table import Table

SECRETIVE = [name for name in GAMES if Table.new(name).position.has_secrets]


@pytest.mark.parametrize("name", SECRETIVE)
def test_moves_that_look_alike_are_told_alike(name):
    """Two moves after which a seat sees the same are told to it in the same words."""
    rng = random.Random(11)
    table = Table.new(name, seed=11)
    n_alike = 0
    for _ in range(120):
        table.push(rng.choice(table.position.legal()))
        observer = rng.randrange(table.players)
        before, seen = table.positions[-2], table.position.view(observer)
        if before.to_move() == observer:
            continue
        words = told(table, len(table.moves), observer)
        for move in before.legal():
            other = table.fork()
            other.undo()
            other.push(move)
            if other.position.view(observer) == seen:
                n_alike += move != table.numbers[-1]
                assert told(other, len(other.moves), observer) == words
        if table.is_over:
            break
    assert n_alike
