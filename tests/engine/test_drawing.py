"""Pictures: the scene and its painters, the lie of the hexes, and Chicago Express from the first bid to the end."""
import struct
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from math import dist, sqrt

import pytest
from railwright.engine.boards import find, read
from railwright.engine.drawing.chicago_express import Panel, companies_of, scene, text
from railwright.engine.drawing.hexmap import FLAT, POINTED, Layout, letters_of, sign_word, stack_word, text_map, token_places
from railwright.engine.drawing.scene import Circle, Line, Polygon, Rectangle, Scene, Text, to_png, to_svg
from railwright.engine.games import game_called, load_chart

GAME = game_called("chicago-express")
CHART = load_chart(GAME)
SVG = "{http://www.w3.org/2000/svg}"
POSITIONS = {                   # players, seed, random moves
    "start": (4, 1, 0), "opening of six": (6, 2, 9), "middle": (4, 1, 150), "two players": (2, 5, 90), "five players": (5, 8, 200),
    "end": (6, 3, 4000),
}


@pytest.fixture(params=POSITIONS.values(), ids=POSITIONS)
def facts(request):
    players, seed, moves = request.param
    position = GAME.start(CHART, players, {})
    position.playout(seed, 0, moves)
    return GAME.facts(CHART, position)


# --- Chicago Express -------------------------------------------------------------
def test_svg_shows_every_city_and_every_locomotive(facts):
    root = ElementTree.fromstring(to_svg(scene(CHART, facts)))
    words = [element.text for element in root.iter(SVG + "text")]
    assert {hex_["name"] for hex_ in CHART.data["hexes"] if hex_.get("name")} <= set(words)
    hints = [element.text for element in root.iter(SVG + "title")]
    ids = {company.word: company.id for company in companies_of(CHART, facts)}
    shown = sorted(hint for hint in hints if hint.partition(" on ")[0] in ids.values())
    assert shown == sorted(f"{ids[word]} on {hex_}" for word, figures in facts["companies"].items() for hex_ in figures["track"])


def test_svg_shows_cash_treasuries_and_dials(facts):
    words = {element.text for element in ElementTree.fromstring(to_svg(scene(CHART, facts))).iter(SVG + "text")}
    assert {f"${player['cash']}" for player in facts["players"]} <= words
    assert {f"${company.facts['treasury']}" for company in companies_of(CHART, facts) if company.in_play} <= words
    assert set(facts["dials"]) <= words


def test_nothing_leaves_the_picture(facts):
    picture = scene(CHART, facts)
    for shape in picture.shapes:
        points = shape.points if isinstance(shape, Polygon | Line) else [(shape.x, shape.y)]
        assert all(0 <= x <= picture.across and 0 <= y <= picture.down for x, y in points), shape
    panel = Panel(Scene(0, 0, "#ffffff", ""), CHART, facts, companies_of(CHART, facts), 0)
    panel.draw()
    assert panel.y <= picture.down


def test_png_has_its_size(facts):
    picture = scene(CHART, facts)
    data = to_png(picture, 0.5)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (round(picture.across / 2), round(picture.down / 2))


def test_text_shows_cash_companies_and_the_decision(facts):
    lines = text(CHART, facts).splitlines()
    assert max(map(len, lines)) <= 110
    for i, player in enumerate(facts["players"]):
        line = next(line for line in lines if line[2:].startswith(f"player {i + 1} "))
        assert f" ${player['cash']} " in line
    for company in companies_of(CHART, facts):
        assert any(line.startswith(f"{company.letter} {company.id} ") and f" ${company.facts['treasury']} " in line for line in lines)
    decision = next(line for line in lines if line.startswith("decision "))
    assert f"player {facts['to_move']} " in decision if facts["to_move"] else "the game is over" in decision


def test_text_map_shows_who_stands_where(facts):
    """Each hex is found again at its column and row, odd columns one line lower."""
    lines = text(CHART, facts).splitlines()
    letters = {company.word: company.letter for company in companies_of(CHART, facts)}
    for hex_ in CHART.data["hexes"]:
        line, left = 1 + 2 * hex_["row"] + hex_["col"] % 2, 3 + 5 * hex_["col"]
        top, below = (lines[line + i].ljust(120)[left:left + 5].strip() for i in (0, 1))
        sign = hex_["name"][:3] if hex_.get("name") else {"p": "...", "f": "%%%", "m": "^^^"}[hex_["terrain"][0]]
        assert top.rstrip("0123456789") == sign
        state = facts["hexes"].get(hex_["id"].lower(), {"companies": []})
        assert below == stack_word([letters[word] for word in state["companies"]], list(letters.values()), state.get("developed", False))


# --- hexes -----------------------------------------------------------------------
def hexes_of(board):
    return read(find("", (board,), board))["hexes"]


@pytest.mark.parametrize("board, grid", [("chicago_express", FLAT), ("american_rails", POINTED)])
def test_neighbours_touch_and_no_other_hexes_do(board, grid):
    layout = Layout(grid, 50, 7, 9)
    for one, other in combinations(hexes_of(board), 2):
        apart = dist(layout.centre(one["col"], one["row"]), layout.centre(other["col"], other["row"]))
        named = one["neighbours"].values() if isinstance(one["neighbours"], dict) else one["neighbours"]
        assert apart == pytest.approx(50 * sqrt(3)) if other["id"] in named else apart > 50 * sqrt(3) + 1, (one["id"], other["id"])


@pytest.mark.parametrize("grid", [FLAT, POINTED])
def test_neighbours_share_two_corners(grid):
    layout = Layout(grid, 50, 0, 0)
    ours = {(round(x, 6), round(y, 6)) for x, y in layout.outline(4, 4)}
    theirs = {(round(x, 6), round(y, 6)) for x, y in (layout.outline(5, 4) if grid.pointed else layout.outline(4, 5))}
    assert len(ours & theirs) == 2


@pytest.mark.parametrize("n", range(7))
def test_tokens_do_not_overlap_and_stay_in_the_hex(n):
    places = token_places(n)
    assert len(places) == n
    assert all(abs(x - a) >= 2 * size or abs(y - b) >= 1.6 * size for (x, y, size), (a, b, _) in combinations(places, 2))
    assert all(abs(x) + size < 0.87 and abs(y) + size < 0.5 for x, y, size in places)


def test_words_of_the_text_map():
    everyone = list("PBCNW")
    assert stack_word(["P", "N"], everyone, True) == "PN*"
    assert stack_word(everyone, everyone, False) == "all"
    assert stack_word(list("PBCN"), everyone, True) == "-W*"
    assert [sign_word("^", 4), sign_word(".", 12), sign_word("o", 3, "St. Louis"), sign_word("o", None, "New York")] \
        == ["^^^4", "..12", "StL3", "New"]
    assert letters_of(["prr", "pm", "prm"]) == {"prr": "P", "pm": "M", "prm": "R"}


def test_pointed_rows_shift_even_rows_east():
    shown = text_map(POINTED, {(0, 1): ("ab1", ""), (1, 1): ("cd2", "X"), (0, 2): ("ef3", "")}, "AB".__getitem__, 6).splitlines()
    assert shown[0].split() == ["A", "B"]
    assert [shown[1].index("ab1"), shown[1].index("cd2"), shown[3].index("ef3")] == [3, 9, 6]


# --- the scene -------------------------------------------------------------------
def test_svg_escapes_what_a_board_may_say():
    picture = Scene(40, 30, "#ffffff", "a < b & c")
    picture.add(Text(5, 5, 'Smith & "Sons" <b>\x00', 9, fill="#000000"), Circle(9, 9, 3, fill="#ff0000", hint="<&>"))
    root = ElementTree.fromstring(to_svg(picture))
    assert [element.text for element in root.iter(SVG + "text")] == ['Smith & "Sons" <b>']
    assert [element.text for element in root.iter(SVG + "title")] == ["a < b & c", "<&>"]


def test_png_paints_every_shape_and_letters_the_font_lacks():
    picture = Scene(60, 40, "#ffffff", "")
    picture.add(Rectangle(2, 2, 20, 10, 3, fill="#00ff00", stroke="#000000"), Line([(1, 30), (50, 35)], stroke="#0000ff", width=2),
                Polygon([(30, 5), (40, 5), (35, 15)], fill="#ff0000", opacity=0.5),
                Text(30, 25, "Växjö 東", 10, bold=True, fill="#000000"))
    assert struct.unpack(">II", to_png(picture, 2)[16:24]) == (120, 80)


@pytest.mark.parametrize("scale", [0, -1, 10_000])
def test_png_refuses_a_scale_out_of_bounds(scale):
    with pytest.raises(ValueError, match=r"scale .*; expected more than 0, at most"):
        to_png(Scene(60, 40, "#ffffff", ""), scale)
