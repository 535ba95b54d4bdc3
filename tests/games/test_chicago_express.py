"""Chicago Express: its material and its money over random games, and what a position may not be."""
from itertools import pairwise
from random import Random

import pytest
from pairs import MANNERS
from railwright.cext.chicago_express import Decision
from railwright.engine.game import IllegalMove
from railwright.engine.table import Table
from subjects.chicago_express import Subject, given

STARTING_CASH = {2: 60, 3: 40, 4: 30, 5: 24, 6: 20}                     # CE-10
SHARES = {"PRR": 3, "B&O": 4, "C&O": 6, "NYC": 5, "WAB": 2}             # CE-1
LOCOMOTIVES = {"PRR": 20, "B&O": 22, "C&O": 26, "NYC": 24, "WAB": 11}   # CE-1
HOUSES = 20                                                             # CE-3
FOREST_CASH = 2                                                         # CE-74
TURNS_OF_A_ROUND = range(7, 12)                                         # CE-104
MOST_DIVIDENDS = 8                                                      # CE-104
HEXES = {hex_["id"]: hex_ for hex_ in Table.new("chicago-express", 2).chart.data["hexes"]}
CHICAGO, DETROIT = "A2", "E0"
NEAR_CHICAGO = {                # one build away from Chicago, two dials one step from red
    "given": {"players": 3, "cash": {"P0": 30, "P1": 20, "P2": 10}, "shares": {"P0": {"NYC": 2, "PRR": 1}, "P1": {"NYC": 1, "B&O": 1}},
              "companies": {"NYC": {"treasury": 40, "track": ["S3", "R2", "Q2", "P1", "O1", "N0", "M0", "L0", "K1", "J1", "I2", "H2", "G2",
                                                              "F2", "E2", "D2", "C2"]}},
              "dials": {"auction": 2, "build": 4}},
}


def random_game(table, seed):
    """(the move's word, the facts after it) to the end."""
    rng, subject, choose = Random(seed), Subject(table), MANNERS[seed % len(MANNERS)]
    story = [("", subject.facts())]
    while legal := subject.legal():
        table.play(choose(rng, legal))
        story.append((table.moves[-1], subject.facts()))
    return story


@pytest.fixture(scope="module", params=range(15))
def story(request):
    """A game of every size from the start, then games from a position near Chicago."""
    table = given(NEAR_CHICAGO).table if request.param >= 10 else Table.new("chicago-express", 2 + request.param % 5)
    return random_game(table, request.param)


# --- what no game may do ---------------------------------------------------------
def test_ce1_shares_and_locomotives_are_neither_made_nor_lost(story):
    for _, facts in story:
        for company in SHARES:
            held = sum(shares.get(company, 0) for shares in facts["shares"].values())
            standing = sum(company in companies for companies in facts["locomotives_on"].values())
            assert held + facts["shares_left"][company] == SHARES[company]
            assert standing + facts["locomotives_left"][company] == LOCOMOTIVES[company]


def test_ce3_a_house_is_in_the_supply_or_on_the_board(story):
    assert all(facts["houses_left"] + len(facts["developed"]) == HOUSES for _, facts in story)


def test_ce7_money_comes_and_goes_only_as_the_rules_say(story):
    """Out by what is built (CE-56), in by forests (CE-74), the Chicago dividend (CE-81) and general ones (CE-91)."""
    company, placed = "", []
    for (_, old), (token, new) in pairwise(story):
        kind, *words = token.split(":")
        expected = general_dividend(old, new)
        if kind == "build" and len(words) == 1:
            company, placed = next(name for name in SHARES if name.lower().replace("&", "") == words[0]), []
        elif kind == "build":
            placed.append(words[1].upper())
            expected -= HEXES[placed[-1]]["cost"] * len(new["locomotives_on"][placed[-1]])
        if kind in ("build", "stop") and new["decision"] != "place" and CHICAGO in placed:
            expected += payout(old, new, company)
        if kind == "develop" and HEXES[words[0].upper()]["terrain"] == "forest":
            expected += FOREST_CASH
        assert wealth(new) - wealth(old) == expected, token


def wealth(facts):
    return sum(facts["cash"].values()) + sum(facts["treasury"].values())


def general_dividend(old, new):
    """CE-91: what the dividend between two decisions paid in all, if one was held."""
    held = new["general_dividends"] - old["general_dividends"]
    return sum(payout(old, new, company) for company in SHARES) if held else 0


def payout(old, new, company):
    """CE-91: income / shares sold, rounded up, on every share; the income before Detroit advanced (CE-94)."""
    gain = new["industry"]["Detroit"] - old["industry"]["Detroit"] if company in new["locomotives_on"].get(DETROIT, []) else 0
    sold = SHARES[company] - new["shares_left"][company]
    return -(-(new["income"][company] - gain) // sold) * sold if sold else 0


def test_ce10_a_game_begins_with_120_dollars_in_all():
    for players, dollars in STARTING_CASH.items():
        facts = Subject(Table.new("chicago-express", players)).facts()
        assert list(facts["cash"].values()) == [dollars] * players and wealth(facts) == 120


def test_ce54_a_forest_or_mountain_holds_one_locomotive(story):
    for hex_id, companies in story[-1][1]["locomotives_on"].items():
        assert len(companies) == 1 or HEXES[hex_id]["terrain"] in ("city", "industry", "plains")


def test_ce104_rounds_have_7_to_11_turns_and_there_are_at_most_8(story):
    turns = sum(story[0][1]["dials"].values())
    for (_, old), (token, new) in pairwise(story):
        turns += token.startswith("dial:")
        if new["general_dividends"] > old["general_dividends"]:
            assert turns in TURNS_OF_A_ROUND
            turns = 0
    assert story[-1][1]["game_over"] and story[-1][1]["general_dividends"] <= MOST_DIVIDENDS


# --- what a position may not be --------------------------------------------------
def opening(**fields):
    return Table.new("chicago-express", 3).position, fields


def middle(**fields):
    return given(NEAR_CHICAGO).table.position, fields


PLACING = {"decision": [int(Decision.PLACING)], "turn": [0], "building": [3]}
FAULTS = {
    "cash below 0": (middle(cash=[-1, 0, 0, 0, 0, 0]), "cash or treasury is out of range"),
    "cash that leaves no room for dividends": (middle(cash=[8000, 0, 0, 0, 0, 0]), "cash or treasury is out of range"),
    "cash of an empty seat": (middle(cash=[1, 1, 1, 1, 0, 0]), "cash or treasury is out of range"),
    "treasury below 0": (middle(treasury=[0, 0, -1, 0, 0]), "cash or treasury is out of range"),
    "CE-1 more shares than there are": (middle(shares=[4, *[0] * 29]), "more shares are held"),
    "CE-12 shares of Wabash before it is founded": (middle(shares=[0, 0, 0, 0, 1, *[0] * 25]), "not founded"),
    "CE-13 an auction out of order": (opening(opened=[2]), "not the next of the opening auctions"),
    "CE-13 a later share is sold": (opening(shares=[0, 0, 6, *[0] * 27]), "a later opening auction has no share"),
    "CE-30 two dials on red": (middle(dial=[3, 5, 0]), "two dials on red"),
    "CE-4 a dial past red": (middle(dial=[4, 0, 0]), "past red"),
    "CE-50 building without a share": (middle(**PLACING | {"building": [2]}), "holds no share"),
    "CE-52 track that hangs nowhere": (middle(track=[1, *[0] * 19]), "start hex"),
    "CE-60 Chicago without a locomotive there": (middle(**PLACING, placed=[1], tochicago=[1]), "placed no locomotive in Chicago"),
    "CE-94 more dividends than Detroit knows": (middle(dividends=[1]), "more dividends"),
    "a field too short": (middle(cash=[1, 2]), "has 2 values; expected 6"),
    "a field that is none": (middle(gold=[1]), "unknown field 'gold'"),
}


@pytest.mark.parametrize("position, fault", FAULTS.values(), ids=FAULTS)
def test_fields_that_do_not_fit_are_refused(position, fault):
    start, fields = position
    with pytest.raises(ValueError, match=fault):
        start.load(fields)


def test_rich_positions_can_be_read_again_at_any_time():
    """The bound on cash shrinks with the dividends to come: what was let in stays readable after each of them."""
    table = given(NEAR_CHICAGO).table
    rich = [dollars for dollars in range(8191) if is_loadable(table.position, dollars)][-1]
    table.positions = [table.position.load({"cash": [rich, rich, rich, 0, 0, 0]})]
    for ply, _ in enumerate(random_game(table, 5)):
        table.positions[ply].load({})


def is_loadable(position, dollars):
    try:
        position.load({"cash": [dollars, 0, 0, 0, 0, 0]})
    except ValueError:
        return False
    return True


# --- what is said of an illegal move ---------------------------------------------
REFUSED = {                     # moves from the position near Chicago, and why the last one is refused
    "CE-21": ("dial:auction offer:prr bid:3", "the least bid is \\$4"),
    "CE-22": ("dial:auction offer:prr bid:31", "player 1 has \\$30"),
    "a bid in words": ("dial:auction offer:prr bid:ten", "a bid is a whole number of dollars"),
    "CE-33": ("dial:auction decline dial:auction", "the auction dial is on red"),
    "CE-41": ("dial:auction offer:wab", "not founded yet"),
    "CE-50": ("dial:build build:co", "player 1 holds no share of co"),
    "CE-52": ("dial:build build:nyc build:nyc:a2", "a2 is not next to track of nyc"),
    "CE-53": ("dial:build build:nyc build:nyc:philadelphia", "nobody builds on r5"),
    "CE-55": ("dial:build build:nyc build:nyc:c2", "nyc stands on c2 already"),
    "CE-57": ("dial:build build:prr", "prr can build nowhere with \\$0"),
    "CE-70": ("dial:develop develop:a2", "a2 cannot be developed"),
    "CE-72": ("dial:develop develop:detroit", "e0 cannot be developed"),
    "CE-51": ("dial:build build:nyc stop", "a build places one locomotive at least"),
    "a dial that is none": ("dial:sell", "no dial is called 'sell'"),
    "a hex before the company": ("dial:build build:nyc:b2", "player 1 has to choose a company to build with"),
    "a company in place of a hex": ("dial:build build:nyc build:nyc", "player 1 has to choose a hex to build on"),
    "another kind of move": ("bid:4", "player 1 has to choose a dial"),
}


@pytest.mark.parametrize("moves, reason", REFUSED.values(), ids=REFUSED)
def test_an_illegal_move_is_refused_with_its_rule(moves, reason):
    table = given(NEAR_CHICAGO).table
    *before, last = moves.split()
    table.play_all(before)
    with pytest.raises(IllegalMove, match=rf"'{last}' is illegal: .*{reason}.*; expected one of "):
        table.play(last)


@pytest.mark.parametrize("word, token", {"BUILD:NYC:Chicago": "build:nyc:a2", "build:nyc:fort-wayne": "build:nyc:d3"}.items())
def test_city_names_are_taken_for_their_hexes(word, token):
    table = given(NEAR_CHICAGO).table
    table.play_all(["dial:build", "build:nyc", "build:nyc:b2"])
    table.play(word)
    assert table.moves[-1] == token
