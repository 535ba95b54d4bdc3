"""Records: there and back, cut off, edited by hand, mended, replaced as a whole."""
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import MANNERS
from railwright.engine.games import GAMES
from railwright.engine.record import SUFFIX, Record, RecordError
from railwright.engine.table import Table

SMALL = """[Game "chicago-express"]
[Players "3"]
[Player1 "human"]
[Player2 "greedy"]
[Player3 "random"]
[Seed "7"]
[Rules "opener=2"]
[Board "chicago_express"]
[Date "2026-01-31"]
[Result "*"]

1. bid:9 {win 402 301 297 time 0.1s} 2. pass 3. bid:10 *
"""
LEAST = '[Game "chicago-express"]\n[Players "3"]\n'      # the tags that a record cannot do without


def played(game, players, seed, moves, notes=True):
    """A record of some random moves, every third with a remark."""
    rng = Random(seed)
    low, high = GAMES[game].players
    record = Record(Table.new(game, min(max(players, low), high), seed=seed), ["human", *["random"] * 5][:min(max(players, low), high)])
    for _ in range(moves):
        if record.table.is_over:
            break
        if record.table.to_move < 0:
            record.table.roll()
        else:
            record.append(MANNERS[seed % len(MANNERS)](rng, list(record.table.tokens())))
        if notes and rng.random() < 0.3:
            record.remark(f"score {rng.randrange(99)}, time 0.{rng.randrange(9)}s")
    return record


def is_same(one, other):
    return (one.table.state(), one.table.moves, one.agents, one.notes, one.date, one.tags, one.text()) \
        == (other.table.state(), other.table.moves, other.agents, other.notes, other.date, other.tags, other.text())


# --- there and back --------------------------------------------------------------
@pytest.mark.parametrize("game", GAMES)
@given(players=st.integers(2, 6), seed=st.integers(0, 999), moves=st.integers(0, 400))
def test_a_record_is_read_as_it_was_written(game, players, seed, moves):
    record = played(game, players, seed, moves)
    assert is_same(record, Record.parse(record.text()))


def test_the_written_form():
    record = Record.parse(SMALL)
    assert record.text() == SMALL
    assert (record.agents, record.table.rules, record.table.seed) == (["human", "greedy", "random"], {"opener": "2"}, 7)
    assert (record.table.moves, record.notes) == (["bid:9", "pass", "bid:10"], {1: "win 402 301 297 time 0.1s"})


def test_a_game_that_is_over_names_its_winners_and_scores():
    record = played("chicago-express", 4, 2, 9999)
    position = record.table.position
    best = max(position.scores())
    winners = [str(seat + 1) for seat, score in enumerate(position.scores()) if score == best]
    assert record.result == f"{' '.join(winners)} scores {' '.join(map(str, position.scores()))}"
    assert record.text().endswith(" over\n") and f'[Result "{record.result}"]' in record.text()


def test_tags_of_others_and_odd_names_survive():
    record = Record.parse(SMALL)
    record.tags["Event"] = 'A "quoted" \\ name'
    record.agents[0] = "Ann ] {x} ; \n B"
    again = Record.parse(record.text())
    assert again.tags == {"Event": 'A "quoted" \\ name'} and again.agents[0] == "Ann ] {x} ; B"


def test_remarks_with_braces_and_before_the_first_move_survive():
    record = Record.parse(LEAST + "\n{before all} 1. bid:7 2. pass ; to the end of the line\n*\n")
    record.append("bid:8", "a {b} ; c\nd")
    assert Record.parse(record.text()).notes == {0: "before all", 2: "to the end of the line", 3: "a (b) ; c d"}


def test_a_record_from_a_given_state_goes_on_from_it():
    table = played("chicago-express", 3, 5, 60).table
    record = Record(Table.from_state(table.state()), ["human"] * 3)
    record.append(next(iter(table.tokens())))
    again = Record.parse(record.text())
    assert is_same(record, again) and again.table.ply == 61 and "61. " in record.text()


def test_lines_are_not_long_and_may_end_as_on_any_system():
    text = played("chicago-express", 4, 3, 300).text()
    assert max(map(len, text.partition("\n\n")[2].splitlines())) <= 100
    assert is_same(Record.parse(text), Record.decode(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), "x"))


def test_the_game_as_it_was():
    record = played("chicago-express", 3, 5, 60)
    assert record.at(0).moves == [] and record.at(17).moves == record.table.moves[:17] and len(record.table.moves) == 60
    with pytest.raises(ValueError, match="move 61; expected 0 to 60, the moves of the record"):
        record.at(61)


def test_undo_takes_remarks_back():
    record = Record.parse(SMALL)
    record.undo(3)
    assert record.notes == {} and record.table.moves == []


# --- files -----------------------------------------------------------------------
def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / f"game{SUFFIX}"
    record = Record.parse(SMALL)
    record.write(path)
    record.append("pass")
    record.write(path)
    assert is_same(Record.read(path), record)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / f"game{SUFFIX}"
    record = Record.parse(SMALL)
    record.write(path)
    record.append("pass")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        record.write(path)
    assert path.read_text() == SMALL and [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "game.rwr", tmp_path / "link.rwr"
    Record.parse(SMALL).write(path)
    link.symlink_to(path)
    Record.parse(SMALL).write(link)
    assert link.is_symlink() and path.read_text() == SMALL


def test_a_board_beside_the_record_is_found(tmp_path):
    source = Path(__file__).parents[2] / "engine/boards/chicago_express.json"
    (tmp_path / "own.json").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "game.rwr"
    path.write_text(SMALL.replace("chicago_express", "own.json"))
    assert Record.read(path).table.moves == ["bid:9", "pass", "bid:10"]


@pytest.mark.parametrize("name", ["none.rwr", "", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(RecordError, match=r"cannot be read \(.+\); expected a record file"):
        Record.read(tmp_path / name)


@pytest.mark.parametrize("data, fault", {
    b"\xff": "line 1: holds bytes that are no text; expected UTF-8", b"a\n\xc3\x28": "line 2: holds bytes",
    b"x" * (8 << 20) + b"x": "is too long; expected at most 8 MiB", b"": "line 1: no [Game", b"\0": "line 1: no [Game",
}.items(), ids=["bytes", "bytes in line 2", "long", "empty", "NUL"])
def test_a_file_that_is_no_record_is_refused(tmp_path, data, fault):
    path = tmp_path / "game.rwr"
    path.write_bytes(data)
    with pytest.raises(RecordError) as refused:
        Record.read(path)
    assert str(refused.value).startswith("record game.rwr") and fault in str(refused.value)


# --- edited by hand --------------------------------------------------------------
EDITS = {                       # what is replaced by what; the line and the complaint
    "an illegal move": ("bid:10", "bid:9", "line 12: move 3 'bid:9' is illegal: the least bid is $10; expected one of bid:10..bid:40"),
    "a word that is no move": ("2. pass", "2. fold", "line 12: move 2 'fold' is illegal"),
    "a move left out": ("2. pass ", "", "line 12: ply number 3. behind move 1 'bid:9'; expected 2."),
    "a wrong ply number": ("3. bid", "4. bid", "line 12: ply number 4. behind move 2 'pass'; expected 3."),
    "no end mark": (" *\n", "\n", "line 12: is cut off behind move 3 'bid:10'; expected more moves, and at their end * or over"),
    "the wrong end mark": (" *\n", " over\n", "line 12: end mark 'over' behind move 3 'bid:10', but the game goes on; expected *"),
    "something behind the end": (" *\n", " * pass\n", "line 12: 'pass' behind the end mark '*'; expected nothing more"),
    "an open remark": ("0.1s}", "0.1s", "line 12: a comment behind move 1 'bid:9' does not end; expected }"),
    "an unknown game": ("chicago-express", "chicago-xpress", "line 1: game 'chicago-xpress'; expected one of"),
    "too many players": ('[Players "3"]', '[Players "7"]', "line 2: players 7; expected 2 to 6"),
    "players that are no number": ('[Players "3"]', '[Players "x"]', "line 2: Players 'x'; expected a whole number"),
    "a seat too many": ('[Player3 "random"]', '[Player4 "random"]', "line 5: [Player4] in a game of 3; expected Player1 to Player3"),
    "a tag twice": ('[Player2 "greedy"]', '[Player1 "greedy"]', "line 4: a second [Player1]; expected each tag once"),
    "half a tag": ('[Seed "7"]', '[Seed "7]', "line 6: '[Seed \"7]' is no tag; expected [Name \"value\"]"),
    "a seed below 0": ('[Seed "7"]', '[Seed "-7"]', 'line 6: [Seed "-7"]; expected 0 to 2^64-1'),
    "a rule that is none": ("opener=2", "opening=2", "line 7: rules option 'opening'; expected one of opener"),
    "a rule without value": ("opener=2", "opener", "line 7: rules 'opener'; expected k=v, each once"),
    "a board that is not there": ('"chicago_express"', '"nowhere.json"', "line 8: board nowhere.json: no such file"),
    "a board no file can be called": ('"chicago_express"', f'"{"x" * 5000}"', "no such file"),
    "a result that did not come": ('[Result "*"]', '[Result "1 scores 5"]', "line 10: [Result \"1 scores 5\"], but the moves give '*'"),
    "an opener who does not play": ("opener=2", "opener=4", "line 7: rules opener=4; expected a seat from 1 to 3"),
}


@pytest.mark.parametrize("old, new, fault", EDITS.values(), ids=EDITS)
def test_an_edit_is_refused_with_its_line_and_move(old, new, fault):
    assert SMALL.count(old) == 1
    with pytest.raises(RecordError) as refused:
        Record.parse(SMALL.replace(old, new), "game.rwr")
    assert str(refused.value).startswith("record game.rwr line ") and fault in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("old, new", [("1. bid:9", "bid:9"), ("2. pass", "2.pass"), ("3. bid:10", "3... bid:10"), ("bid:9", "BID:9"),
                                      ("[Seed", "  [ Seed"), ("[Date", "; a line for people\n[Date"), ("1. bid", "\n\n1.\nbid")])
def test_an_edit_that_changes_nothing_is_read(old, new):
    assert is_same(Record.parse(SMALL.replace(old, new, 1)), Record.parse(SMALL))


@given(seed=st.integers(0, 10**6))
def test_any_edit_is_read_or_refused(seed):
    rng = Random(seed)
    text = list(played("chicago-express", 3, 1, 80).text())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        text[at:at + rng.randrange(3)] = rng.choice(["", " ", "\n", "{", "}", '"', "]", ";", "*", "over", "9", "\0", "ä", "[", ":"])
    try:
        Record.parse("".join(text))
    except RecordError as fault:
        assert "; expected " in str(fault)


# --- cut off ---------------------------------------------------------------------
def test_wherever_a_record_is_cut_off_its_whole_moves_are_mended():
    record = played("chicago-express", 3, 8, 40)
    text = record.text()
    start = text.index("\n\n") + 2
    for length in range(start, len(text) - 2):
        with pytest.raises(RecordError, match="expected "):
            Record.parse(text[:length])
        mended = Record.parse(text[:length], mend=True)
        n = len(mended.table.moves)
        assert mended.table.moves == record.table.moves[:n] and mended.cut
        assert n >= text[start:length].count(". ") - 1         # all but the word at the cut
        mended.text()
    assert Record.parse(text, mend=True).cut == ""


def test_a_record_cut_off_in_its_tags_says_so():
    for length in range(SMALL.index("\n\n")):
        with pytest.raises(RecordError, match="expected "):
            Record.parse(SMALL[:length])


def test_mending_refuses_what_was_not_cut_off():
    with pytest.raises(RecordError, match="move 2 'fold' is illegal"):
        Record.parse(SMALL.replace("pass", "fold"), mend=True)
