"""The solver against endgames that plain max^n over the slow models worked out, and what it does not claim."""
from threading import Event, Timer

import pytest
from pairs import data_file
from protocol.transcripts import Driven
from railwright.ai.solver import solve
from railwright.cext.solver import ExactSolver
from railwright.engine.games import GAMES
from railwright.engine.table import Table
from subjects.chicago_express import given

PATIENT = 60.0                  # seconds that no solution here comes near
ENDGAMES = data_file("endgames", "chicago-express")     # made by tests/models/endgames.py
NAMED = pytest.mark.parametrize("case", ENDGAMES, ids=[case["name"] for case in ENDGAMES])


def table_of(case: dict) -> Table:
    table = given(case).table
    table.play_all(case.get("moves", []))
    return table


def shares_of(winners: list[int], players: int) -> list[float]:
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]


def test_there_is_a_dozen_of_endgames_with_two_to_four_players():
    assert len(ENDGAMES) >= 12 and {case["given"]["players"] for case in ENDGAMES} == {2, 3, 4}


@NAMED
def test_endgame_comes_out_as_the_slow_model_says(case):
    table, expected = table_of(case), case["expected"]
    solution = solve(table, PATIENT, Event())
    assert solution.exact
    assert solution.value == expected["scores"]
    assert solution.win == pytest.approx(shares_of(expected["winners"], table.players))
    assert [table.game.token(table.chart, position, move) for position, move in along(table, solution.pv)] == expected["line"]


def along(table: Table, moves: list[int]):
    """Each move with the position that it is made in."""
    position = table.position.copy()
    for move in moves:
        yield position.copy(), move
        position.apply(move)


@NAMED
def test_a_line_leads_to_the_result(case):
    table = table_of(case)
    solution = solve(table, PATIENT, Event())
    for move in solution.pv:
        table.push(move)
    assert table.is_over and table.position.scores() == solution.value


@NAMED
def test_solve_tells_the_exact_value_and_line(case):
    driven = Driven()
    driven.send(f"position state {table_of(case).state()}".encode())
    scores = " ".join(f"{score:.1f}" for score in case["expected"]["scores"])
    assert driven.send(b"solve movetime 60000") == f"solved value {scores} exact pv {' '.join(case['expected']['line'])}\n"


@NAMED
def test_with_too_few_nodes_nothing_is_claimed(case):
    table = table_of(case)
    needed = solve(table, PATIENT, Event()).nodes
    for nodes in {1, needed // 2, needed - 1} - {0, needed}:
        solution = solve(table, PATIENT, Event(), nodes)
        assert not solution.exact and (solution.value, solution.win, solution.pv) == ([], [], [])
        assert solution.nodes <= nodes


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_not_solved_and_says_so(game):
    driven = Driven()
    driven.send(f"position {game} players {GAMES[game].players[1]}".encode())
    while driven.engine.table.to_move < 0:
        driven.send(b"roll")
    if driven.engine.table.position.has_secrets:
        pytest.skip("a game with secrets cannot be solved")
    words = driven.send(b"solve movetime 20").split()
    assert words[0] == "unsolved" and words[1] == "nodes" and int(words[2]) > 0 and "exact" not in words


def test_stop_ends_it_without_a_claim():
    stop = Event()
    timer = Timer(0.05, stop.set)
    timer.start()
    assert not solve(Table.new("chicago-express", 4), PATIENT, stop).exact
    timer.join()


def test_a_game_that_is_over_is_solved():
    table = Table.new("chicago-express", 3)
    table.position.playout(1)
    solution = solve(table, PATIENT, Event())
    assert solution.exact and solution.value == table.position.scores() and solution.pv == []
    assert solution.win == shares_of(table.position.winners(), 3)


def test_a_small_table_forgets_but_never_errs():
    """Entries that overwrite each other cost time only."""
    for case in ENDGAMES:
        position = table_of(case).position
        win, _, scores = ExactSolver(position, table_mib=0).run(1 << 40, PATIENT)
        assert scores == case["expected"]["scores"] and win == pytest.approx(shares_of(case["expected"]["winners"], position.n_players))
