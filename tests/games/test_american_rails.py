"""American Rails: its material and its money over random games, its words and pictures, its judgement, what a position may not be."""
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from random import Random
from threading import Event

import pytest
from pairs import MANNERS
from railwright.ai.agent import Limits
from railwright.ai.agents import Settings, make_agent
from railwright.ai.weights import weights_of
from railwright.engine.drawing.american_rails import companies_of
from railwright.engine.drawing.scene import to_svg
from railwright.engine.game import IllegalMove
from railwright.engine.table import Table
from subjects.american_rails import Subject, given

CUBES = {"american": 30, "national": 28, "continental": 25, "majestic": 21, "liberty": 18, "republic": 16}      # AR-3, AR-14
SHARES = {"american": 5, "national": 4, "continental": 3, "majestic": 4, "liberty": 2, "republic": 3}           # AR-3
HOUSES = 12                                                             # AR-4
STARTING_CASH = {3: 50, 4: 50, 5: 40}                                   # AR-13
TAKE, FUND = 2, 5                                                       # AR-37, AR-38
YEARS, COLUMNS = range(1851, 1858), (1, 2, 3)                           # AR-7, AR-9
DATA = Table.new("american-rails", 4).chart.data
CITIES = {city["hex"]: city for city in DATA["cities"]}
HEX_OF = {city["name"]: city["hex"] for city in DATA["cities"]}
TERRAIN = {hex_["id"]: hex_["terrain"] for hex_ in DATA["hexes"]}
SVG = "{http://www.w3.org/2000/svg}"


def random_game(table, seed):
    """(the move's word, the facts after it) to the end."""
    rng, subject, choose = Random(seed), Subject(table), MANNERS[seed % len(MANNERS)]
    story = [("", subject.facts())]
    while legal := subject.legal():
        table.play(choose(rng, legal))
        story.append((table.moves[-1], subject.facts()))
        del table.positions[:-1]
    return story


@pytest.fixture(scope="module", params=range(15))
def story(request):
    return random_game(Table.new("american-rails", 3 + request.param % 3), request.param)


# --- what no game may do ---------------------------------------------------------
def in_game(story):
    """AR-12: the companies that were not taken out at setup."""
    removed = story[1][0].removeprefix("removed:")
    return [company for company in CUBES if company != removed]


def test_ar3_shares_and_cubes_are_neither_made_nor_lost(story):
    for _, facts in story[1:]:
        for company in in_game(story):
            held = sum(shares[company] for shares in facts["shares"].values())
            standing = sum(company in companies for companies in facts["cubes_at"].values())
            assert held + facts["supply_shares"][company] + facts["removed_shares"][company] == SHARES[company]
            assert standing + facts["supply"][company] == CUBES[company]


def test_ar4_houses_leave_the_supply_one_by_one(story):
    built = 0
    for token, facts in story:
        built += token.startswith("develop:")
        assert facts["house_supply"] + built == HOUSES


def test_ar5_money_comes_and_goes_only_through_the_bank(story):
    """Out by cubes (AR-49) and levies (AR-39), in by Finance (AR-37), Take (AR-38) and dividends (AR-59)."""
    for (_, old), (token, new) in pairwise(story):
        kind, *words = token.split(":")
        expected = dividends(old, new)
        if kind == "build":
            expected -= cost(old, words[1].upper(), story)
        elif kind == "fund":
            expected += FUND
        elif kind == "take":
            expected += TAKE
        elif kind == "levy":
            expected -= sum(min(TAKE, cash) for name, cash in old["money"].items() if name != old["next"]["player"])
        assert wealth(new) - wealth(old) == expected, token


def wealth(facts):
    return sum(facts["money"].values()) + sum(facts["treasury"].values())


def dividends(old, new):
    """AR-59: what a dividend phase between the two positions paid."""
    if old["year"] == new["year"] and old["over"] == new["over"]:
        return 0
    return sum(per_share * sum(shares[company] for shares in new["shares"].values()) for company, per_share in new["dividend"].items())


def cost(facts, hex_id, story):
    """AR-48."""
    if TERRAIN[hex_id] == "forest":
        return 3
    if TERRAIN[hex_id] == "mountain":
        return 5
    return 2 + 2 * len(facts["cubes_at"].get(hex_id, [])) + 2 * (hex_id in houses_before(facts, story))


def houses_before(facts, story):
    found = set()
    for token, after in story:
        if token.startswith("develop:"):
            found.add(token.split(":")[1].upper())
        if after is facts:
            return found
    return found


def test_ar58_the_kept_income_is_what_the_map_shows(story):
    houses = set()
    for token, facts in story:
        if token.startswith("develop:"):
            houses.add(token.split(":")[1].upper())
        assert facts["income"] == {company: income(facts, houses, company) for company in CUBES}, token


def income(facts, houses, company):
    reached = {hex_id for hex_id, companies in facts["cubes_at"].items() if company in companies}
    total = 0
    for hex_id in reached & set(CITIES):
        house = hex_id in houses
        alone = facts["cubes_at"][hex_id] == [company]
        total += CITIES[hex_id]["full"] + 2 * house if alone else CITIES[hex_id]["shared"] + house
    special = sum(HEX_OF[name] in reached for name in ("Chicago", "New York", "Atlanta"))
    return total + {0: 0, 1: 0, 2: 10, 3: 30}[special]


def test_ar9_years_and_phases_follow_each_other(story):
    seen = [(facts["year"], facts["column"]) for _, facts in story if facts["column"]]
    steps = [step for i, step in enumerate(seen) if i == 0 or step != seen[i - 1]]
    assert steps == [(year, column) for year in YEARS for column in COLUMNS][:len(steps)]
    assert story[-1][1]["over"] and steps[-1][1] == COLUMNS[-1]         # AR-61: only after a dividend phase


def test_ar31_the_order_is_that_of_the_markers(story):
    spaces = [space["id"] for space in DATA["action_track"]["spaces"]]
    chosen = {}
    for (_, old), (token, new) in pairwise(story):
        if token.startswith("choose:"):
            chosen[spaces.index(token.removeprefix("choose:"))] = old["next"]["player"]
        if old["column"] and not new["over"] and (old["year"], old["column"]) != (new["year"], new["column"]):
            assert new["order"] == [chosen[space] for space in sorted(chosen)]
            chosen = {}


# --- options ---------------------------------------------------------------------
def test_ar12_the_removed_company_is_drawn_or_given():
    table = Table.new("american-rails", 3)
    assert [weight for _, weight in table.position.chance()] == [1] * len(CUBES)
    assert list(table.tokens()) == [f"removed:{company}" for company in CUBES]
    given_table = Table.new("american-rails", 3, rules={"removed": "liberty"})
    assert "offer:liberty" not in given_table.tokens() and len(given_table.tokens()) == 5
    with pytest.raises(ValueError, match=r"rules removed=liberty; expected no such option with 4 players"):
        Table.new("american-rails", 4, rules={"removed": "liberty"})


def test_r1_the_banker_is_drawn_when_asked():
    table = Table.new("american-rails", 5, rules={"banker": "random"})
    assert list(table.tokens()) == [f"banker:{seat}" for seat in range(1, 6)]
    table.play("banker:3")
    assert table.to_move == 2


# --- words -----------------------------------------------------------------------
ACTION = {"players": ["A", "B", "C", "D"], "stage": "action", "shares": {"A": {"american": 1}, "B": {"liberty": 1}},
          "treasury": {"american": 4, "liberty": 20}, "cubes": {"american": ["New York"], "liberty": ["Buffalo"]}}


@pytest.mark.parametrize("moves, token, reason", [
    ("choose:expand4", "build:american:p4", ""),
    ("choose:expand4", "build:american:k4", r"k4 is not next to a cube of american \(AR-46\)"),
    ("choose:expand4", "build:liberty:l2", r"player 1 holds no share of liberty \(AR-46\)"),
    ("choose:expand4", "build:american:q3", ""),
    ("choose:expand4 build:american:p4", "build:american:q3", r"treasury of american is \$2, q3 costs \$3 \(AR-49\)"),
    ("choose:develop", "develop:newyork", r"New York can never be developed \(AR-36\)"),
    ("choose:develop", "develop:albany", r"there is no cube in q1 \(AR-34\)"),
    ("choose:develop", "develop:Buffalo", ""),
    ("choose:auction", "offer:mystic", "no company is called 'mystic'"),
    ("choose:auction offer:liberty", "bid:9", r"the least bid is \$10"),
    ("choose:auction offer:liberty", "bid:51", r"player 1 has \$50"),
    ("choose:pass", "choose:pass", r"player 1 stands on pass in this column \(AR-28\)"),
    ("choose:take2 take", "take", "player 2 has to choose a space of the action track"),
    ("", "develop", ""),
])
def test_a_refusal_names_the_rule(moves, token, reason):
    table = given({"given": ACTION}).table
    table.play_all(moves.split())
    if not reason:
        table.play(token)
        return
    with pytest.raises(IllegalMove, match=reason):
        table.play(token)


def test_ar59_every_payment_is_named():
    position = ACTION | {"year": 1857, "column": 3, "taken": {"pass": "A", "develop": "B", "fund5": "C"}}
    table = given({"given": position}).table
    move = table.play("choose:expand4")
    said = table.game.events(table.chart, table.positions[-2], move, table.position)
    assert said == ["Dividends of 1857: american $8 a share (player 1 $8); liberty $4 a share (player 2 $4)",
                    "The game is over: the year 1857"]


# --- judgement -------------------------------------------------------------------
LAST = {"players": ["A", "B", "C", "D"], "stage": "action", "year": 1857, "column": 3, "order": ["A", "B", "C", "D"],
        "money": {"A": 60, "B": 40, "C": 40, "D": 5}, "shares": {"A": {"american": 1}, "B": {"liberty": 1}},
        "treasury": {"american": 12, "liberty": 3}, "cubes": {"american": ["New York", "P4"], "liberty": ["Buffalo", "Albany"]}}


def chosen(agent, table):
    """The word of the move that the agent chooses."""
    game = table.game
    choice = make_agent(agent, game, Settings()).choose(table, Limits(nodes=200), Event(), lambda lines: None)
    return game.token(table.chart, table.position, choice.move)


def test_what_is_over_is_judged_by_its_cash():
    table = Table.new("american-rails", 4)
    table.position.playout(3, 0, 100_000)
    assert table.position.evaluate(weights_of(table.game)) == table.position.scores()


@pytest.mark.parametrize("seed", range(6))
def test_candidates_are_legal_few_and_have_priors(seed):
    table = Table.new("american-rails", 3 + seed % 3)
    weights = weights_of(table.game)
    for _ in range(400):
        if table.is_over:
            return
        moves = table.position.candidates(weights)
        assert set(moves) <= set(table.position.legal()) and len(set(moves)) == len(moves) <= 12
        if table.to_move >= 0:
            assert min(table.position.priors(moves, weights)) > 0
        table.position.playout(seed, 0, 1)


@pytest.mark.parametrize("agent", ["heuristic", "valuer"])
def test_in_the_last_phase_one_builds_where_it_pays(agent):
    """Philadelphia pays 6 at once to who owns the company alone; a plain pays nothing, a share costs more than it pays."""
    table = given({"given": LAST}).table
    assert chosen(agent, table) in ("choose:expand3", "choose:expand4", "choose:take2")
    table.play("choose:expand3")
    while table.to_move == 0 and "stop" in table.tokens() and (token := chosen(agent, table)) != "stop":
        table.play(token)
    assert "p5" in table.game.facts(table.chart, table.position)["companies"]["american"]["track"]


@pytest.mark.parametrize("agent", ["heuristic", "valuer", "ismcts"])
def test_in_the_last_phase_a_share_is_worth_its_dividend(agent):
    """AR-59: Liberty earns 7, so that a second share pays $4 once; the least bid is $10."""
    table = given({"given": LAST}).table
    table.play_all(["choose:auction", "offer:liberty"])
    assert chosen(agent, table) == "pass"


def test_bids_name_the_figures_of_every_player():
    table = given({"given": ACTION}).table
    weights = weights_of(table.game)
    assert table.game.bids(table.chart, table.position, weights) == []
    table.play_all(["choose:auction", "offer:liberty"])
    found = table.game.bids(table.chart, table.position, weights)
    assert [bid.player for bid in found] == [0, 1, 2, 3] and all(0 <= bid.value <= 50 for bid in found)
    assert all("share number 2: 7.0 dividends of $" in bid.reason and "has $50" in bid.reason for bid in found)
    said = table.game.advice(table.chart, table.position, table.tokens()["bid:50"], weights)
    assert said.startswith("the share of Liberty is worth $") and "below this bid; expected: it goes to player" in said


# --- pictures --------------------------------------------------------------------
@pytest.mark.parametrize("players, moves", [(3, 0), (4, 60), (5, 150), (4, 5000)])
def test_the_picture_shows_every_city_cube_and_dollar(players, moves):
    table = Table.new("american-rails", players)
    table.position.playout(7, 0, moves)
    facts = table.game.facts(table.chart, table.position)
    root = ElementTree.fromstring(to_svg(table.game.scene(table.chart, table.position)))
    words = {element.text for element in root.iter(SVG + "text")}
    assert set(HEX_OF) <= words
    assert {f"${player['cash']}" for player in facts["players"]} <= words
    hints = [element.text for element in root.iter(SVG + "title")]
    companies = companies_of(table.chart, facts)
    names = {company.id for company in companies}
    shown = sorted(hint for hint in hints if hint.partition(" on ")[0] in names)
    assert shown == sorted(f"{company.id} on {hex_}" for company in companies for hex_ in company.facts["track"])
    lines = table.game.text(table.chart, table.position).splitlines()
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("fields, fault", [
    ({"year": [7]}, "year or column is out of range"),
    ({"houses": [13]}, "houses on the board and in supply are more than there are"),
    ({"cubes": [31, 28, 25, 21, 18, 16]}, "cubes on the board and in supply are more than the company has"),
    ({"order": [0, 0, 1, 2, -1]}, "order names a player twice"),
    ({"cash": [9000, 0, 0, 0, 0]}, "cash or treasury is out of range"),
    ({"removed": [2]}, "removed is not a company that could be out of the game"),
    ({"decision": [5]}, "the preparation round asks for a company to put up"),
])
def test_a_position_that_cannot_be_is_refused(fields, fault):
    with pytest.raises(ValueError, match=fault):
        Table.new("american-rails", 4).position.load(fields)
