"""RAIL: what no game may do, explicit routes, options, and maps: faults by their place, random small ones."""
import itertools
import json
from copy import deepcopy
from math import isfinite
from random import Random
from threading import Event

import pytest
from conformance.rail import REASONS, steps
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import data_file, model_module, new_model
from railwright.ai.agent import Limits
from railwright.ai.agents import Settings, make_agent
from railwright.ai.heuristic import Heuristic
from railwright.ai.weights import weights_of
from railwright.cext import rail as core
from railwright.cext.game import CHANCE, OVER, unpack
from railwright.cext.rail import Decision, Kind
from railwright.engine.boards import BoardError
from railwright.engine.drawing.scene import Line, Polygon, Text
from railwright.engine.game import IllegalMove
from railwright.engine.games import GAMES, load_chart
from railwright.engine.games.rail import building_cost, decision_of, map_of, matrix, owner_bits
from railwright.engine.games.rail_map import NUMBERS, beside
from railwright.engine.table import Table
from subjects.rail import Subject
from subjects.rail import given as subject_at

GAME = GAMES["rail"]
SWITCHES = ("shared_throw", "joint_lines", "chained", "advanced", "city_parallel_free", "deferred_join_fee")


def some_rules(rng, chart, players):
    """A few options that fit the map and the table."""
    rules = {name: "true" for name in SWITCHES if rng.random() < 0.3 and (name != "advanced" or chart.data["special_races"])}
    if rng.random() < 0.2:
        rules["dice"] = "1"
    if rng.random() < 0.3:
        rules["expansion"] = "ten_percent"
    if rng.random() < 0.2 and players > 2:
        rules["joint_runs"] = "false"
    numbers = sum(map(len, map_of(chart).numbers.values()))
    if rng.random() < 0.3 and numbers > 1:
        rules |= {"end": "races", "races": str(rng.choice((numbers // 2, numbers)))}
    return rules


def new_table(seed, board=None):
    rng = Random(seed)
    board = board or rng.choice(GAME.boards)
    players = rng.randint(2, 6)
    return Table.new("rail", players, board, some_rules(rng, load_chart(GAME, board), players), seed), rng


def random_step(position, rng):
    """A random move of a player who builds rather than not; the move."""
    if position.to_move() == CHANCE:
        outcomes, weights = zip(*position.chance(), strict=True)
        move = rng.choices(outcomes, weights)[0]
    else:
        legal = position.legal()
        move = rng.choice(legal)
        if unpack(move)[0] in (Kind.DO_END, Kind.DO_OUT):
            move = rng.choice(legal)
    position.apply(move)
    return move


# --- what no game may do -----------------------------------------------------------
def bank(chart, before, move, after):
    """Points that came from the bank, or went there, by the rules."""
    kind, a, b = unpack(move)
    old, new = before.figures(), after.figures()
    points = 0
    if kind == Kind.DO_BUILD and old["decision"][0] == Decision.BUILDING:          # RL-14
        points += core.PREMIUM if land_city_opened(chart, old, b) else 0
    elif kind == Kind.DO_BUILD:                                                   # RL-49
        points -= building_cost(map_of(chart), *(map_of(chart).hexes[i] for i in (a, b)))
    elif kind == Kind.DO_FERRY:                                                   # RL-63
        points -= map_of(chart).ferries[a]["price"]
    if new["over"][0] and not old["over"][0]:                                     # RL-46
        points += sum(new["prize"])
    return points


def land_city_opened(chart, figures, number):
    land = map_of(chart)
    cities = list(land.cities)
    hex_id = land.hexes[number]
    return hex_id in cities and not figures["connected"][0] >> cities.index(hex_id) & 1


def pieces(chart, position, player):
    """Into how many pieces the player's track falls."""
    land, owners = map_of(chart), owner_bits(position.figures())
    own = [pair for i, pair in enumerate(land.segments) if owners[i] >> player & 1]
    heads: dict[str, str] = {}

    def head(hex_id):
        while heads.setdefault(hex_id, hex_id) != hex_id:
            hex_id = heads[hex_id]
        return hex_id

    for u, v in own:
        heads[head(u)] = head(v)
    return len({head(hex_id) for hex_id in list(heads)})


@pytest.mark.parametrize("seed", range(12))
def test_rl2_points_move_between_accounts_and_the_bank_as_the_rules_say(seed):
    table, rng = new_table(seed)
    position = table.position
    prizes = (0, 10, 20, 30, 25, 15, 29)        # of one race: ties are rounded down (RL-47)
    for _ in range(1500):
        if position.to_move() == OVER:
            break
        before = position.copy()
        move = random_step(position, rng)
        assert sum(position.scores()) - sum(before.scores()) == bank(table.chart, before, move, position)
        assert min(position.scores()) >= 0                                        # RL-22
        figures = position.figures()
        assert max(figures["paid"]) <= core.MOST_TO_ONE_RIVAL                     # RL-37
        assert sum(figures["prize"]) in prizes


@pytest.mark.parametrize("seed", range(12))
def test_rl10_a_network_is_always_in_one_piece(seed):
    table, rng = new_table(100 + seed)
    for _ in range(12):
        for _ in range(60):
            if table.position.to_move() != OVER:
                random_step(table.position, rng)
        for player in range(table.players):
            assert pieces(table.chart, table.position, player) <= 1


@pytest.mark.parametrize("seed", range(20))
def test_rl25a_rl55_every_game_ends(seed):
    table, _ = new_table(200 + seed)
    table.position.playout(seed)
    figures = table.position.figures()
    assert table.is_over and figures["round"][0] <= core.LAST_ROUND and figures["race"][0] <= core.LAST_RACE


@pytest.mark.parametrize("seed", range(6))
def test_the_search_for_routes_has_room(seed):
    """Labels beyond the room would be lost in silence; random networks are denser than sensible ones."""
    table = Table.new("rail", 6, GAME.boards[seed % 4])
    position = table.position
    for stream in range(150):
        position.playout(seed, stream, 40)
        if position.to_move() == OVER:
            break
        if decision_of(position) in ("route", "repair"):
            assert core.labels_needed(position) < core.MAX_LABELS // 2


# --- refusals ------------------------------------------------------------------------
REFUSED = {case["id"]: case for case in data_file("conformance", "rail")
           if case["expect"].get("illegal", "not-your-turn") != "not-your-turn"}
REFUSED.pop("payee-not-named")      # a route without a suffix pays the default payees


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_refusal_has_the_reason_of_the_rules(case):
    subject = subject_at(case)
    for action in case["do"][:-1]:
        for step in steps(case, action, subject):
            subject.play(step.token)
    *first, last = steps(case, case["do"][-1], subject)
    for step in first:
        subject.play(step.token)
    table = subject.table
    code, words = GAME.refusal(table.chart, table.position, last.token)
    assert code == case["expect"]["illegal"] and code in REASONS and words
    with pytest.raises(IllegalMove) as refused:
        table.play(last.token)
    assert words in str(refused.value) and "; expected " in str(refused.value)


OPTIONS = {
    ("southern_sweden", 3, "advanced=true"): "expected advanced=false on southern_sweden",
    ("tiny", 2, "joint_runs=true"): "expected 3 or more players (RL-33)",
    ("tiny", 3, "end=races,races=18"): "expected races= one of 3 6 on tiny",
    ("germany", 3, "end=races,races=3"): "expected races= one of 18 36 on germany",
    ("germany", 3, "races=18"): "races without end=races; expected both, or neither",
    ("germany", 3, "dice=3"): "expected dice= one of 2 1",
    ("germany", 3, "chain=true"): "rules option 'chain'; expected one of dice",
    ("germany", 7, ""): "players 7; expected 2 to 6",
}


@pytest.mark.parametrize("board, players, rules", OPTIONS, ids=map(str, OPTIONS))
def test_an_option_that_does_not_fit_is_refused(board, players, rules):
    from railwright.engine.table import parse_rules
    with pytest.raises(ValueError) as refused:
        Table.new("rail", players, board, parse_rules(rules))
    assert OPTIONS[board, players, rules] in str(refused.value)


# --- moves that are not listed ---------------------------------------------------------
def to_routes(seed):
    """The core and the slow model side by side, at a decision that names a route; None when the game had none."""
    rng = Random(seed)
    players = rng.randint(2, 6)
    rules = some_rules(rng, load_chart(GAME, "tiny"), players)
    core_side, model = Subject(Table.new("rail", players, "tiny", rules)), new_model("rail", players, rules, "tiny")
    stop = rng.randint(1, 12)
    while core_side.to_move() != "over":
        if model.stage in ("route", "repair"):
            stop -= 1
            if stop == 0:
                return core_side, model, rng
        legal = core_side.legal()
        token = rng.choices(list(weights), weights.values())[0] if (weights := core_side.chance()) else rng.choice(legal)
        core_side.play(token)
        model.play(token)
    return None


def some_way(model, rng):
    """A way on built track from the start, mostly to a goal; now and then a wrong one."""
    links = model.links()
    hexes = [model.start]
    while hexes[-1] not in model.goals or rng.random() < 0.1:
        onward = [there for there, _ in links.get(hexes[-1], []) if there not in hexes or rng.random() < 0.02]
        if not onward or len(hexes) > 60:
            break
        hexes.append(rng.choice(onward))
    token = "route:" + "-".join(hexes)
    for u, v in itertools.pairwise(hexes):
        if rng.random() < 0.1:
            token += f":{min(u, v)}-{max(u, v)}+{rng.randint(1, model.players)}"
    return token


@pytest.mark.parametrize("seed", range(60))
def test_explicit_routes_are_taken_and_refused_as_by_the_slow_model(seed):
    found = to_routes(seed)
    if found is None:
        return
    core_side, model, rng = found
    table = core_side.table
    for _ in range(40):
        token, twin = some_way(model, rng), model.copy()
        before = table.position.fields()
        try:
            twin.play(token)
        except ValueError as fault:
            with pytest.raises(IllegalMove):
                table.play(token)
            assert GAME.refusal(table.chart, table.position, token)[0] == str(fault).partition(":")[0], token
            assert table.position.fields() == before
            continue
        fork = Subject(table.fork())
        fork.play(token)
        facts, expected = fork.facts(), twin.facts()
        assert (fork.to_move(), fork.scores(), sorted(fork.legal())) == (twin.to_move(), twin.scores(), sorted(twin.legal()))
        assert (facts["race_pips"], facts["net_payments"]) == (expected["race_pips"], expected["net_payments"])
        again = table.fork()                                                     # the record's word is the same move
        again.play(fork.table.moves[-1])
        assert again.position == fork.table.position


def test_a_segment_can_be_named_from_either_end():
    table = Table.new("rail", 2, "tiny")
    table.play_all(["first:1", "throw:12", "start:0402", "build:0402-0302", "build:0302-0303"])
    other = [f"build:{v}-{u}" for u, v in (word.removeprefix("build:").split("-") for word in table.tokens() if word.startswith("build:"))]
    for word in other:
        u = word.removeprefix("build:").partition("-")[0]
        in_network = u in ("0402", "0302", "0303")
        fork = table.fork()
        if in_network:
            fork.play(word)
        else:
            with pytest.raises(IllegalMove, match="not on the own network"):
                fork.play(word)


def test_places_may_be_named_for_hexes():
    table = Table.new("rail", 2, "southern_sweden")
    table.play_all(["first:1", "throw:7", "start:MALMÖ"])
    assert table.moves[-1] == f"start:{map_of(table.chart).places['Malmö']}"


# --- maps: faults by their place --------------------------------------------------------
def changed(path, value, board="tiny"):
    data = deepcopy(load_chart(GAME, board).data)
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return data


FAULTS = {
    "a short row": (("grid", 2), "...", "row 3 of grid has 3 hexes; expected 8"),
    "a character that is none": (("grid", 0), "~~~~~~~?", "row 1 of grid: '?' in column 8 is not in legend"),
    "too few rows": (("rows",), 8, "grid has 7 rows; expected 8"),
    "a number used twice": (("cities", 1, "numbers"), [11], "number 11 of 'Två' is used twice"),
    "a number that no dice throw": (("cities", 1, "numbers"), [17], "is 17; expected a number of two dice, 11 to 66"),
    "a name used twice": (("cities", 1, "name"), "Ett", "two places have the name 'Ett'"),
    "a name of four digits": (("cities", 1, "name"), "0402", "place '0402' is named by four digits"),
    "a city in the sea": (("cities", 1, "hex"), "0108", "city 'Två' at 0108 does not lie on home plain"),
    "a city off the board": (("cities", 1, "hex"), "9999", "city 'Två' at 9999 does not lie on home plain"),
    "a river between hexes that do not touch": (("rivers", 0, "edges", 0), ["0402", "0605"], "edge 0402-0605 joins hexes that do not"),
    "a blocked edge between such hexes": (("blocked_edges",), [["0402", "0605"]], "blocked edge 0402-0605 joins hexes that do not touch"),
    "a start city that does not exist": (
        ("start_cities", 0), "Et", "start city 'Et' does not exist; expected the name of a city, nearest 'Ett'"),
    "a ferry from nowhere": (("ferries", 0, "from"), "0302", "expected from a port or city to a landing"),
    "a ferry that is too long": (("ferries", 0, "length"), 99, "ferries[0].length is 99; expected a whole number from 1 to"),
    "a goal that is no place": (
        ("special_races", "table", 0, "goals"), [{"place": "Två!"}],
        "goal 'Två!' is no place; expected a city, port or landing, nearest 'Två'"),
    "a roll twice": (("special_races", "table", 0, "roll"), "2", "roll 2 stands twice"),
    "no cities": (("cities",), [], "cities is empty"),
    "another format": (("format",), "rail-map-2", 'format is "rail-map-2"; expected one of rail-map-1'),
}


@pytest.mark.parametrize("path, value, fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_of_a_map_is_named_with_its_place(path, value, fault):
    data = changed(path, value)
    faults = GAME.board_faults("own.json", data)
    assert any(fault in line for line in faults), faults
    assert all("; expected " in line for line in faults)
    with pytest.raises(BoardError, match=r"board own\.json: "):
        GAME.chart("own.json", data)


def test_every_fault_of_a_map_is_named():
    data = changed(("start_cities",), ["Et", "Tva"])
    data["cities"][2]["numbers"] = [11, 99]
    assert len(GAME.board_faults("own.json", data)) >= 4


def test_a_city_out_of_reach_is_named():
    data = deepcopy(load_chart(GAME, "tiny").data)
    city = data["cities"][0]
    data["blocked_edges"] += [[min(city["hex"], h), max(city["hex"], h)] for h in beside(city["hex"]) if h]
    faults = GAME.board_faults("own.json", data)
    assert any(f"city {city['name']!r} at {city['hex']} cannot be reached" in fault for fault in faults)
    assert any("home does not hang together" in fault for fault in faults)


@pytest.mark.parametrize("board", GAME.boards)
def test_the_maps_that_come_with_the_game_are_good(board):
    data = load_chart(GAME, board).data
    assert GAME.board_faults(board, data) == [] and model_module("rail").faults(data) == []
    assert "reconstruct" in str(data["provenance"]).lower() or board == "tiny"


# --- maps: random small ones ---------------------------------------------------------------
@st.composite
def small_maps(draw):
    """A map of the format that may be played: home in one piece, cities on plain, every city within reach."""
    rows, columns = draw(st.integers(2, 6)), draw(st.integers(3, 7))
    rng = Random(draw(st.integers(0, 2**32)))
    grid = {f"{r:02}{c:02}": rng.choice("......^~a") for r in range(1, rows + 1) for c in range(1, columns + 1)}
    home = {h for h in grid if grid[h] in ".^"}
    piece = largest_piece(home)
    for h in home - piece:
        grid[h] = "~"
    plains = sorted(h for h in piece if grid[h] == ".")
    n_cities = min(len(plains), rng.randint(2, 6))
    if n_cities < 2:
        return None
    hexes = rng.sample(plains, n_cities)
    numbers = rng.sample(NUMBERS, 2 * n_cities)
    edges = sorted({(min(u, v), max(u, v)) for u in piece for v in beside(u) if v in piece and grid[u] + grid[v] != "^^"})
    rivers = rng.sample(edges, min(len(edges), rng.randint(0, 4)))
    has_special = rng.random() < 0.7
    abroad = [h for h in grid if grid[h] == "a"]
    reachable = [h for h in abroad if any(u in piece for u in beside(h))]
    goal = {"country": "A"} if reachable and rng.random() < 0.7 else {"place": "City 0"}
    return {
        "format": "rail-map-1", "id": "small", "name": "small", "rows": rows, "columns": columns,
        "legend": {".": {"terrain": "plain"}, "^": {"terrain": "mountain"}, "~": {"terrain": "sea"},
                   "a": {"terrain": "plain", "country": "A"}},
        "grid": ["".join(grid[f"{r:02}{c:02}"] for c in range(1, columns + 1)) for r in range(1, rows + 1)],
        "cities": [{"numbers": numbers[2 * i:2 * i + 1 + i % 2], "name": f"City {i}", "hex": h} for i, h in enumerate(hexes)],
        "start_cities": ["City 0", "City 1"][:rng.randint(1, 2)], "start_rule": "any", "min_race_distance": rng.randint(1, 4),
        "regions": {}, "rivers": [{"name": "River", "edges": [list(edge) for edge in rivers]}], "blocked_edges": [],
        "countries": {"A": "Abroad"}, "ferries": [], "ferry_limits": {}, "provenance": {},
        "special_races": {"name": "special", "every": 2, "dice": "one_die", "table": [
            {"roll": str(n), "label": f"row {n}", "goals": [goal]} for n in range(1, 7)]} if has_special else None,
    }


def largest_piece(home):
    best: set[str] = set()
    left = set(home)
    while left:
        piece, heads = set(), [min(left)]
        while heads:
            h = heads.pop()
            if h in left:
                left.discard(h)
                piece.add(h)
                heads += [v for v in beside(h) if v in left]
        best = max(best, piece, key=len)
    return best


@settings(deadline=None)
@given(data=small_maps(), seed=st.integers(0, 2**32))
def test_small_maps_are_read_as_the_slow_model_reads_them(data, seed):
    if data is None:
        return
    faults, expected = GAME.board_faults("small", data), model_module("rail").faults(data)
    assert bool(faults) == bool(expected), (faults, expected)


@settings(deadline=None, max_examples=25)
@given(data=small_maps(), seed=st.integers(0, 2**32))
def test_small_maps_are_played_as_by_the_slow_model(data, seed):
    if data is None or GAME.board_faults("small", data):
        return
    rng = Random(seed)
    chart = GAME.chart("small", data)
    players = rng.randint(2, 6)
    rules = some_rules(rng, chart, players)
    table = Table(GAME, chart, players, rules, seed, [GAME.start(chart, players, rules)])
    core_side, model = Subject(table), model_module("rail").Model.new(data, players, rules)
    for _ in range(150):
        legal = core_side.legal()
        assert (core_side.to_move(), legal, core_side.scores()) == (model.to_move(), model.legal(), model.scores())
        if not legal:
            break
        assert core_side.chance() == model.chance()
        token = rng.choices(list(weights), weights.values())[0] if (weights := core_side.chance()) else rng.choice(legal)
        core_side.play(token)
        model.play(token)


# --- kept values ---------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
def test_fees_while_building_are_what_the_accounts_say(seed):
    """RL-16, RL-21: in construction accounts differ from 20 by premiums and fees alone."""
    table, rng = new_table(300 + seed)
    position = table.position
    for _ in range(250):
        random_step(position, rng)
        if position.figures()["decision"][0] > Decision.THROWING_FOR_LINE:
            break
        figures = position.figures()
        for player in range(table.players):
            paid = sum(matrix(figures, "buildfees", player, rival) for rival in range(table.players))
            got = sum(matrix(figures, "buildfees", rival, player) for rival in range(table.players))
            spent = sum(ferry["price"] for i, ferry in enumerate(map_of(table.chart).ferries) if figures["ferries"][i] == player)
            assert figures["account"][player] == core.START_ACCOUNT + figures["premiums"][player] + got - paid - spent


# --- the judgement -------------------------------------------------------------------------
def recounted_odds(a, b):
    """Section 11, item 1, by counting: how often a train of `a` pips is ahead of one of `b`, and how often they tie."""
    def arrivals(pips):
        result, sums = {}, {0: 1.0}
        for round_ in range(1, pips + 1):
            sums_after = {}
            for total, p in sums.items():
                for die in range(1, 7):
                    if total + die >= pips:
                        key = (round_, pips - total - die)
                        result[key] = result.get(key, 0) + p / 6
                    else:
                        sums_after[total + die] = sums_after.get(total + die, 0) + p / 6
            sums = sums_after
        return result

    first, second = arrivals(a), arrivals(b)
    ahead = sum(p * q for x, p in first.items() for y, q in second.items() if x < y)
    tie = sum(p * second.get(x, 0) for x, p in first.items())
    return ahead, tie


@pytest.mark.parametrize("a, b", [(16, 16), (16, 17), (14, 16), (8, 11), (30, 33), (5, 20), (1, 1)])
def test_odds_of_two_trains_are_exact(a, b):
    ahead, tie = recounted_odds(a, b)
    (first, second), (other, _) = core.odds_of([a, b])
    assert first == pytest.approx(ahead + tie / 2, abs=1e-4) and first + other == pytest.approx(1, abs=1e-4)
    assert first + second == pytest.approx(1, abs=1e-3)


def test_odds_of_many_trains_add_up():
    odds = core.odds_of([16, 17, 20, 24, 30])
    assert sum(first for first, _ in odds) == pytest.approx(1, abs=0.02)
    assert sum(second for _, second in odds) == pytest.approx(1, abs=0.05)
    assert [first for first, _ in odds] == sorted((first for first, _ in odds), reverse=True)


@pytest.mark.parametrize("seed", range(6))
def test_priors_and_values_are_figures_in_every_position(seed):
    table, rng = new_table(400 + seed)
    weights, position = weights_of(GAME), table.position
    for _ in range(40):
        position.playout(rng.getrandbits(32), 0, 20)
        values = position.evaluate(weights)
        assert all(isfinite(value) and -100 < value < 2000 for value in values)
        if position.to_move() == OVER:
            assert values == position.scores()
            break
        if position.to_move() >= 0:
            moves = position.candidates(weights)
            assert moves and set(moves) <= set(position.legal())
            assert all(isfinite(p) and p > 0 for p in position.priors(moves, weights))
            assert all("\n" not in GAME.advice(table.chart, position, move, weights) for move in moves)


def test_the_heuristic_connects_the_cities_and_beats_random():
    table = Table.new("rail", 3, "southern_sweden", seed=5)
    heuristic, dice = Heuristic(), Random(5)
    while not table.is_over:
        if table.to_move == CHANCE:
            table.roll()
        elif table.to_move == 0:
            table.push(heuristic.choose(table, Limits(), Event(), lambda lines: None).move)
        else:
            table.push(dice.choice(table.position.legal()))
    assert table.position.winners() == [0]


def test_entering_is_told_in_words():
    case = next(case for case in data_file("conformance", "rail") if case["id"] == "entries-two-players")
    table = subject_at(case).table
    words = GAME.advice(table.chart, table.position, table.tokens()["alone"], weights_of(GAME))
    assert words.startswith("entering is worth +") and "% to win" in words and "fees" in words


def test_a_line_plan_is_told_in_words():
    table = Table.new("rail", 2, "tiny")
    table.play_all(["first:1", "throw:6", "start:0402"])
    words = GAME.advice(table.chart, table.position, table.tokens()["build:0402-0302"], weights_of(GAME))
    assert words.startswith("towards ") and "to go, worth " in words


# --- greedy-lines --------------------------------------------------------------------------
def test_greedy_lines_plays_a_whole_game_of_legal_moves():
    for board, players in (("tiny", 4), ("southern_sweden", 2)):
        table = Table.new("rail", players, board, seed=3)
        agent = make_agent("greedy-lines", GAME, Settings())
        while not table.is_over:
            if table.to_move == CHANCE:
                table.roll()
            else:
                table.push(agent.choose(table, Limits(), Event(), lambda lines: None).move)
        assert table.position.figures()["round"][0] < core.LAST_ROUND


def test_greedy_lines_builds_towards_the_nearest_city():
    """tiny: from Ett (0402) the nearest city is Norr (0103), three plain segments to the north; Två lies behind mountains."""
    table = Table.new("rail", 2, "tiny")
    table.play_all(["first:1", "throw:6", "start:0402"])
    agent = make_agent("greedy-lines", GAME, Settings())
    for _ in range(3):
        table.push(agent.choose(table, Limits(), Event(), lambda lines: None).move)
    assert table.moves[-1].endswith("-0103")


# --- pictures ------------------------------------------------------------------------------
@pytest.mark.parametrize("board, moves", [("tiny", 0), ("tiny", 60), ("germany", 40), ("france", 900), ("tiny", 5000)])
def test_pictures_show_accounts_and_cities_and_keep_inside(board, moves):
    table = Table.new("rail", 5, board)
    table.position.playout(7, 0, moves)
    picture = GAME.scene(table.chart, table.position)
    for shape in picture.shapes:
        points = shape.points if isinstance(shape, Polygon | Line) else [(shape.x, shape.y)]
        assert all(-1 <= x <= picture.across + 1 and -1 <= y <= picture.down + 1 for x, y in points), shape
    words = {shape.text for shape in picture.shapes if isinstance(shape, Text)}
    assert set(map_of(table.chart).places) <= words and {str(score) for score in table.position.scores()} <= words
    told = GAME.text(table.chart, table.position)
    assert all(f" {score} " in told for score in table.position.scores()) and "decision " in told


def test_map_check_and_show(tmp_path, capsys):
    from railwright.cli.map import check, show
    check("germany")
    assert capsys.readouterr().out == "board germany.json can be used for rail\n"
    path = tmp_path / "own.json"
    path.write_text(json.dumps(changed(("start_cities",), ["Et", "Tva"])))
    with pytest.raises(ValueError, match=r"board own\.json: 2 faults; expected none"):
        check(str(path))
    assert capsys.readouterr().out.count("does not exist") == 2
    show("tiny", svg=tmp_path / "tiny.svg")
    assert (tmp_path / "tiny.svg").read_text().startswith("<svg")
    with pytest.raises(ValueError, match="expected rail-map-1, or --game"):
        path.write_text("{}")
        check(str(path))


def test_a_state_whose_race_could_outgrow_its_fields_is_refused():
    position = Table.new("rail", 2, "tiny").position
    with pytest.raises(ValueError, match="round of the race is out of range"):
        position.load({"raceround": [5000]})
