"""What holds in every position of every game: there and back, a fixed order, moves that apply, kept values that are right."""
import re
from copy import copy, deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railwright.cext.game import CHANCE, MAX_MOVES, OVER
from railwright.engine.game import IllegalMove
from railwright.engine.games import GAMES
from railwright.engine.table import Table

FAR = 600                       # moves: beyond the end of most games
MOST_TRIED = 60                 # moves that are tried in one position
ODD = (-128, -2, -1, 0, 1, 2, 3, 5, 6, 7, 8, 20, 63, 127, 255, 5000, 32767, 2**31 - 1, 2**62 + 1)      # for fields

NONSENSE = ("", "nonsense", ":", "pass:", "\0", "a" * 500, "build:", "build:prr:", "bid:", "bid:-1", "bid:1e9", "bid:²",
            "bid:" + "9" * 5000)

WORDS = ("pass", "stop", "decline", "end", "dial:", "dial:x", "bid:0", "bid:9", "offer:", "offer:prr", "offer:wab", "build:prr",
         "build:x:y", "build:prr:k4", "build:prr:k4:k4", "build:0101-0102", "build:-", "develop:", "develop:k4", "claim:1", "claim:",
         "claim:1:", "harbour:x", "take:x", "blind:train", "ticket:keep:", "ticket:keep:1,1", "ticket:keep:x", "ticket:draw",
         "pieces:1-2", "pieces:", "amount:1", "exchange:train", "route:", "route:-", "joint:1", "joint:x", "alone", "out", "withdraw",
         "ferry:x", "start:x", "throw:7", "die:6", "from:11", "to:66", "to:x", "fund:x", "take", "levy", "expand:x", "space:x",
         "start:chicago", "column:1")


@st.composite
def tables(draw, game):
    """A table some random moves into a game of any size, on any board."""
    low, high = GAMES[game].players
    table = Table.new(game, draw(st.integers(low, high)), draw(st.sampled_from(GAMES[game].boards)), seed=draw(st.integers(0, 99)))
    table.position.playout(draw(st.integers(0, 2**32)), 0, draw(st.integers(0, FAR)))
    return table


def every_game(check):
    """The property as one test a game."""
    @pytest.mark.parametrize("game", GAMES)
    @given(data=st.data())
    def test(game, data):
        check(data.draw(tables(game)))

    test.__doc__ = check.__doc__
    return test


def is_same(one, other):
    return (one == other, hash(one) == hash(other), one.fields() == other.fields(), one.legal() == other.legal()) == (True,) * 4


@every_game
def test_state_there_and_back(table):
    token = table.state()
    again = Table.from_state(token)
    assert " " not in token and again.state() == token
    assert is_same(table.position, again.position)
    assert (again.ply, again.seed, again.rules, again.chart.name) == (table.ply, table.seed, table.rules, table.chart.name)


@every_game
def test_kept_values_are_the_recomputed_ones(table):
    """Loading a position's own fields works everything else out again."""
    again = table.position.load(table.position.fields())
    assert again.figures() == table.position.figures()
    assert again == table.position


@every_game
def test_a_copy_is_equal_and_goes_its_own_way(table):
    position = table.position
    for other in (position.copy(), copy(position), deepcopy(position)):
        assert is_same(position, other)
        if legal := other.legal():
            before = position.fields()
            other.apply(legal[0])
            assert position.fields() == before and other != position


@every_game
def test_legal_has_a_fixed_order_and_no_move_twice(table):
    legal = table.position.legal()
    assert legal == table.position.copy().legal() and len(set(legal)) == len(legal) <= MAX_MOVES
    assert list(table.tokens().values()) == legal       # no two moves have one word
    assert (legal == []) == (table.to_move == OVER)
    assert table.position.perft(1) == max(len(legal), 1)


@every_game
def test_words_lead_back_to_their_moves(table):
    game, chart, position = table.game, table.chart, table.position
    for token, move in table.tokens().items():
        assert game.parse(chart, position, token) == move
        assert game.parse(chart, position, token.upper()) == move
        assert set(token) <= set("abcdefghijklmnopqrstuvwxyz0123456789:-+,._?")
        assert position.accepts(move)


@every_game
def test_every_legal_move_applies_and_can_be_taken_back(table):
    before = table.state()
    moves = table.position.legal()
    for move in Random(before).sample(moves, min(len(moves), MOST_TRIED)):
        table.push(move)
        assert table.to_move in (OVER, CHANCE, *range(table.players))
        assert (table.to_move == OVER) == (table.position.legal() == [])
        assert len(table.position.scores()) == table.players
        table.undo()
        assert table.state() == before


@every_game
def test_chance_lists_the_legal_outcomes_with_positive_weights(table):
    outcomes = table.position.chance()
    assert [move for move, _ in outcomes] == (table.position.legal() if table.to_move == CHANCE else [])
    assert all(weight > 0 for _, weight in outcomes)
    if outcomes:
        assert table.position.random_chance(7, 0) == table.position.random_chance(7, 0) in dict(outcomes)


@every_game
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(table):
    before = table.state()
    for move in (0xFFFFFFFF, 0xFE000000, 0x7F123456):
        assert not table.position.accepts(move)
        with pytest.raises(AssertionError, match="is not legal here"):
            table.position.apply(move)
    for token in NONSENSE:
        with pytest.raises(IllegalMove, match=r"is illegal: .+; expected "):
            table.play(token)
    assert table.state() == before


@every_game
def test_any_word_of_any_game_is_played_or_refused_with_a_reason(table):
    for token in WORDS:
        after = table.fork()
        try:
            after.play(token)
        except IllegalMove as fault:
            assert re.search("is illegal: .+; expected ", str(fault)) and after.state() == table.state()


@every_game
def test_winners_have_the_most(table):
    scores, winners = table.position.scores(), table.position.winners()
    assert winners == sorted(set(winners)) and winners
    assert all(scores[player] == max(scores) for player in winners)


@every_game
def test_there_is_a_picture_and_a_word_for_everything(table):
    game, chart, position = table.game, table.chart, table.position
    assert game.text(chart, position) and game.scene(chart, position).shapes and game.facts(chart, position)["game"] == game.name
    for move in position.legal()[:MOST_TRIED]:
        after = position.copy()
        after.apply(move)
        words = [game.explain(chart, position, move), *game.events(chart, position, move, after)]
        assert all(line and "\n" not in line for line in words)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_a_game_with_one_seed_is_one_game(game, data):
    players = data.draw(st.integers(*GAMES[game].players))
    seed = data.draw(st.integers(0, 2**64 - 1))
    ends = [Table.new(game, players).position for _ in range(2)]
    assert ends[0].playout(seed) == ends[1].playout(seed)
    assert ends[0] == ends[1] and ends[0].to_move() == OVER


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=400)
@given(data=st.data())
def test_fields_from_outside_are_refused_or_can_be_played(game, data):
    """Whatever `load` lets in plays to its end, and can be written and read on the way."""
    table = data.draw(tables(game))
    position = table.position
    fields = position.fields()
    for name in data.draw(st.lists(st.sampled_from(list(fields)), min_size=1, max_size=3)):
        place = data.draw(st.integers(0, len(fields[name]) - 1))
        near = st.integers(-2, 2).map(lambda step, was=fields[name][place]: was + step)
        fields[name][place] = data.draw(near | st.sampled_from(ODD))
    try:
        position = position.load(fields)
    except ValueError as fault:
        assert str(fault)
        return
    for stream in range(12):
        assert is_same(position, position.load(position.fields()))
        assert (position.to_move() == OVER) == (position.legal() == [])
        position.playout(stream, stream, 9 * stream)
    position.playout(1)
    assert position.to_move() == OVER
