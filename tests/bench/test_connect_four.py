"""Connect four, the example of how a game is added: its rules, and that the search plays it well."""
import importlib.util
import sys
from array import array
from pathlib import Path
from types import ModuleType

import pytest
from railwright.cext.game import OVER, Position
from railwright.cext.search import Search

BENCH = Path(__file__).parents[2] / "bench"
PERFT = {1: 7, 2: 49, 3: 343, 4: 2401, 5: 16807, 6: 117649, 7: 823536, 8: 5673234}     # lines of just so many moves, as published
COLUMNS, ROWS = 7, 6
DRAW = "330254564223355224331121550404466660106011"
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


@pytest.fixture(scope="module")
def game() -> ModuleType:
    pytest.importorskip("Cython")
    spec = importlib.util.spec_from_file_location("compiled", BENCH / "compiled.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["compiled"] = module
    spec.loader.exec_module(module)
    return module.load("connect_four")


def after(game: ModuleType, columns: str) -> Position:
    position = game.new()
    for column in columns:
        position.apply(game.drop(int(column)))
    return position


# --- a count of its own ------------------------------------------------------------
def is_won(columns: tuple[str, ...], last: int) -> bool:
    """Does the man that fell into `last` make four?"""
    men = {(x, y): man for x, column in enumerate(columns) for y, man in enumerate(column)}
    x, y = last, len(columns[last]) - 1
    for dx, dy in WAYS:
        line = "".join("x" if men.get((x + i * dx, y + i * dy)) == men[x, y] else "." for i in range(-3, 4))
        if "xxxx" in line:
            return True
    return False


def lines_by_depth(most: int) -> list[tuple[int, int]]:
    """For each depth the lines of just so many moves, and of these the ones that won with the last. Equal boards count together."""
    boards = {("",) * COLUMNS: 1}
    result = []
    for depth in range(most):
        man, following, won = "01"[depth % 2], {}, 0
        for board, n in boards.items():
            for column in range(COLUMNS):
                if len(board[column]) < ROWS:
                    grown = (*board[:column], board[column] + man, *board[column + 1:])
                    if is_won(grown, column):
                        won += n
                    else:
                        following[grown] = following.get(grown, 0) + n
        boards = following
        result.append((sum(following.values()) + won, won))
    return result


def test_perft_is_the_published_one_and_the_games_that_ended_before(game):
    """The project's perft counts a line that ends early as one; the published figures leave it out."""
    counted = lines_by_depth(8)
    over = 0
    for depth, (lines, won) in enumerate(counted, 1):
        assert lines == PERFT[depth]
        assert game.new().perft(depth) == lines + over
        over += won


# --- the rules -----------------------------------------------------------------------
@pytest.mark.parametrize("columns", ["0101010", "0011223", "01122323363", "65544343303"], ids=["up", "along", "rising", "falling"])
def test_c4_3_four_in_a_line_win(game, columns):
    position = after(game, columns)
    board = [""] * COLUMNS
    for i, column in enumerate(columns):
        board[int(column)] += "01"[i % 2]
    assert is_won(tuple(board), int(columns[-1]))
    assert position.to_move() == OVER and position.winners() == [(len(columns) - 1) % 2] and position.legal() == []


def test_c4_2_a_full_column_takes_no_more(game):
    assert len(after(game, "000000").legal()) == COLUMNS - 1


def test_c4_3_a_line_does_not_run_over_the_edge(game):
    """Three at the top of a column and one at the bottom of the next are no four."""
    position = after(game, "001006060")
    assert position.to_move() != OVER


def test_c4_4_a_full_board_is_a_draw(game):
    board = [""] * COLUMNS
    for i, column in enumerate(map(int, DRAW)):
        board[column] += "01"[i % 2]
        assert not is_won(tuple(board), column)
    position = after(game, DRAW)
    assert position.to_move() == OVER and position.scores() == [0, 0] and position.winners() == [0, 1]


# --- the search ----------------------------------------------------------------------
def best(position: Position) -> int:
    search = Search(position, array("f", [1, 1]), {"playout": -1}, 1 << 22, 1)
    search.run(4000, 60)
    return max(search.moves(), key=lambda row: (row[2], row[1]) if search.is_proven else (row[1], row[2]))[0]


def test_the_search_wins_at_once_and_stops_a_win(game):
    assert best(after(game, "001122")) == game.drop(3)
    assert best(after(game, "06162")) == game.drop(3)
