"""Board files from outside: a bad one is refused with the place and what was expected, never with another exception."""
import json
from copy import deepcopy
from random import Random

import pytest
from railwright.engine.boards import BoardError, find, read
from railwright.engine.games import GAMES, load_chart
from railwright.engine.table import Table

MUTATIONS = 400                  # of each board
DEEP = 60                        # of which are played and drawn as far as they load
ODD = (None, True, False, 0, 1, -1, 2, 7, 99, 100, 256, 10**6, 10**30, 1.5, float("nan"), "", "x", "A2", "ä", "\0", "\n", "a" * 500,
       [], {}, [[]], ["x"], {"x": 1})


def boards():
    return [(game, board) for game in GAMES for board in GAMES[game].boards]


def places(value, path=()):
    """The path of every entry of a JSON value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield (*path, key)
        yield from places(entry, (*path, key))


def mutate(data, rng):
    """One to three entries replaced, dropped, doubled or swapped."""
    data = deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = list(places(data))
        short = [path for path in found if len(path) <= 3]
        *path, key = rng.choice(short if rng.random() < 0.5 else found)
        holder = data
        for step in path:
            holder = holder[step]
        change = rng.randrange(5)
        if change == 0:
            del holder[key]
        elif change == 1 and isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), deepcopy(holder[key]))
        elif change == 2 and isinstance(holder[key], int) and not isinstance(holder[key], bool):
            holder[key] += rng.choice((-1, 1, 10))
        elif change == 3:
            holder[key] = deepcopy(rng.choice(list(holder.values()) if isinstance(holder, dict) else holder))
        else:
            holder[key] = deepcopy(rng.choice(ODD))
    return data


@pytest.mark.parametrize("game, board", boards())
def test_a_mutated_board_is_refused_or_can_be_played(game, board, tmp_path):
    data = load_chart(GAMES[game], board).data
    path = tmp_path / "own.json"
    refused = 0
    for seed in range(MUTATIONS):
        path.write_text(json.dumps(mutate(data, Random(seed))))
        try:
            chart = load_chart(GAMES[game], str(path))
        except BoardError as fault:
            refused += 1
            assert "; expected " in str(fault) and "\n" not in str(fault), seed
            continue
        if seed < DEEP:
            play_on(game, chart, str(path), seed)
    assert 0 < refused < MUTATIONS


def play_on(game, chart, path, seed):
    """Some moves in words, a picture of each kind, then to the end."""
    table = Table.new(game, GAMES[game].players[1], path, seed=seed)
    for _ in range(12):
        table.position.playout(seed, len(table.moves), 25)
        if table.is_over:
            break
        if table.to_move >= 0:
            table.play(list(table.tokens())[-1])
    assert table.game.text(chart, table.position) and table.game.scene(chart, table.position).shapes
    table.position.playout(seed)
    assert table.is_over


# --- files -----------------------------------------------------------------------
@pytest.mark.parametrize("content, fault", {
    b"": "line 1 column 1: Expecting value; expected JSON", b"[]": "the file holds no object; expected {...}",
    b'{"hexes": 3': "line 1 column 12", b"\xff\xfe": "cannot be read (UnicodeDecodeError); expected a JSON file",
    b"[" * 100_000: "too deep; expected JSON",
}.items(), ids=["empty", "a list", "cut off", "no text", "deep"])
def test_a_file_that_is_no_board_is_refused(tmp_path, content, fault):
    path = tmp_path / "own.json"
    path.write_bytes(content)
    with pytest.raises(BoardError) as refused:
        read(path)
    assert str(refused.value).startswith("board own.json: ") and fault in str(refused.value)


@pytest.mark.parametrize("name", ["nowhere.json", "", "/", "a\0b", "x" * 5000])
def test_a_file_that_is_not_there_is_refused(name):
    with pytest.raises(BoardError, match=r"no such file; expected one of chicago_express or the path of a board file"):
        find("", ("chicago_express",), name)


# --- Chicago Express: faults by hand ---------------------------------------------
FAULTS = {                      # what is changed: the path to it, its new value; what is said
    "a hex twice": (("hexes", 1, "id"), "A2", "hexes[1].id is 'a2'; expected a name of letters and digits that no other hex has"),
    "a terrain that is none": (("hexes", 0, "terrain"), "swamp", 'hexes[0].terrain is "swamp"; expected one of plains, forest'),
    "a neighbour that is none": (("hexes", 0, "neighbours", 0), "Z9", "hexes[0].neighbours[0] is 'Z9'; expected the id of a hex"),
    "a neighbour on one side only": (("hexes", 0, "neighbours"), ["B2"], "expected neighbours on both sides"),
    "a cost below 0": (("hexes", 0, "cost"), -1, "hexes[0].cost is -1; expected a whole number from 0 to 99"),
    "a cost in cents": (("hexes", 0, "cost"), 2.5, "hexes[0].cost is 2.5; expected a whole number"),
    "Chicago in the sea": (("chicago_hex",), "Z9", 'chicago_hex is "Z9"; expected one of'),
    "Chicago in small letters": (("chicago_hex",), "a2", "expected one of A2"),
    "four companies": (("companies",), [], "companies has 0 companies; expected 5"),
    "no shares": (("companies", 0, "shares"), 0, "companies[0].shares is 0; expected a whole number from 1 to 20"),
    "nobody is founded later": (("companies", 4, "opening_order"), 5, "without an opening order; expected one"),
    "a start hex of plains": (("companies", 0, "start_hex"), "B2", "companies[0].start_hex is B2; expected a hex of terrain 'start'"),
    "a track that falls": (("industry_tracks", "Wheeling", "values"), [3, 2], "industry_tracks.Wheeling.values has 2 spaces"),
    "a dial without steps": (("dials", "build"), 0, "dials.build is 0; expected a whole number from 1 to 100"),
    "no money for six": (("starting_money", "6"), None, "starting_money.6 is null; expected a whole number from 0 to 1000"),
    "an end that Detroit never sees": (("end_game", "detroit_value"), 9, "end_game.detroit_value is 9; expected a value of Detroit's"),
    "a name that is no text": (("hexes", 0, "name"), 5, "hexes[0].name is 5; expected a text"),
}


@pytest.mark.parametrize("path, value, fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(path, value, fault):
    game = GAMES["chicago-express"]
    data = deepcopy(load_chart(game).data)
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(BoardError) as refused:
        game.chart("own.json", data)
    assert str(refused.value).startswith("board own.json: ") and fault in str(refused.value)


def test_an_entry_that_is_missing_is_named():
    game = GAMES["chicago-express"]
    for key in ("hexes", "companies", "chicago_hex", "industry_tracks", "dials", "houses", "starting_money", "end_game"):
        data = deepcopy(load_chart(game).data)
        del data[key]
        with pytest.raises(BoardError, match=rf"the board has no '{key}'; expected a value for '{key}'"):
            game.chart("own.json", data)


def test_incomes_beyond_what_the_core_counts_are_refused():
    game = GAMES["chicago-express"]
    data = deepcopy(load_chart(game).data)
    for hex_ in data["hexes"]:
        hex_["income"] = 99
    with pytest.raises(BoardError, match=r"could pay \$\d+ to one player; expected at most \$8190 in a game"):
        game.chart("own.json", data)
