"""The Great Lakes: what no game may do, what each seat sees, and the worlds that are made up behind a view."""
from collections import Counter
from itertools import combinations, pairwise, permutations
from math import isfinite
from random import Random
from threading import Event

import pytest
from railwright.ai.agent import Limits
from railwright.ai.agents import Settings, make_agent
from railwright.ai.heuristic import Heuristic
from railwright.ai.ismcts import Ismcts
from railwright.ai.weights import weights_of
from railwright.cext import great_lakes as core
from railwright.cext.game import CHANCE, OVER
from railwright.engine.game import IllegalMove
from railwright.engine.games.great_lakes import CARDS, DECKS, numbers
from railwright.engine.table import Table
from subjects.great_lakes import bits, deck_of, fields, full_decks

TABLES = [(players, rules, seed) for seed, (players, rules) in enumerate(
    [(2, {}), (3, {}), (4, {}), (5, {}), (2, {"split": "27-23"}), (5, {"split": "27-23"}), (3, {}), (4, {"split": "27-23"})], 1)]


def random_game(players, rules, seed, weights=None):
    """A table after every move of a random game; kinds of moves are drawn first, so that all of them happen."""
    table, rng = Table.new("great-lakes", players, rules=rules, seed=seed), Random(seed)
    weights = weights or {}
    yield table
    while table.to_move != OVER:
        tokens = list(table.tokens())
        if table.to_move == CHANCE:
            table.roll()
        else:
            kinds = sorted({token.partition(":")[0] for token in tokens})
            kind = rng.choices(kinds, [weights.get(kind, 1) for kind in kinds])[0]
            table.play(rng.choice([token for token in tokens if token.partition(":")[0] == kind]))
        yield table


def hand_of(figures, player):
    return figures["hand"][player * core.N_PILE:][:core.N_PILE]


# --- what no game may do ---------------------------------------------------------
@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_gl1_gl4_cards_tickets_and_pieces_are_always_accounted_for(players, rules, seed):
    for table in random_game(players, rules, seed):
        figures = table.position.figures()
        piles = [figures["deck"][:25], figures["discard"], figures["row"], *(hand_of(figures, p)[:25] for p in range(players))]
        assert [sum(column) for column in zip(*piles, strict=True)] == full_decks(table.chart)
        held = [ticket for p in range(players) for ticket in numbers(figures["tickets"][p]) + numbers(figures["offered"][p])]
        tickets = held + numbers(figures["shuffled"][0]) + figures["under"][:figures["nunder"][0]]
        assert sorted(tickets) == list(range(55))
        assert min(figures["supply"]) >= 0 and min(figures["box"]) >= 0 and min(figures["harboursleft"]) >= 0
        assert figures["row"].count(0) >= 19 and sum(figures["row"]) <= 6


@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_gl81_scores_are_those_of_a_count_from_scratch(players, rules, seed):
    for table in random_game(players, rules, seed, {"exchange": 0.2, "ticket": 0.3}):
        if table.to_move == OVER:
            assert table.position.scores() == [count_score(table, player) for player in range(players)]
    for player in range(players):
        facts = table.game.facts(table.chart, table.position)["players"][player]
        lengths = [table.chart.data["routes"][no - 1]["length"] for no in facts["routes"]]
        exchanged = sum(int(token.partition(":")[2]) for token, mover in zip(table.moves, movers(table), strict=True)
                        if token.startswith("amount:") and mover == player)
        assert facts["score"] == sum(table.chart.data["scores"]["route_length"][str(length)] for length in lengths) - exchanged


def movers(table):
    return [position.to_move() for position in table.positions[:-1]]


def count_score(table, player):
    """GL-81, written once more: the track, the tickets by a walk over the routes, the harbours."""
    data, facts = table.chart.data, table.game.facts(table.chart, table.position)["players"][player]
    own = [data["routes"][no - 1] for no in facts["routes"]]

    def reached(city):
        seen, todo = {city}, [city]
        while todo:
            here = todo.pop()
            ends = [route["b"] if route["a"] == here else route["a"] for route in own if here in (route["a"], route["b"])]
            todo += [end for end in ends if end not in seen]
            seen |= set(ends)
        return seen

    completed = [ticket for ticket in facts["tickets"] if ticket["b"] in reached(ticket["a"])]
    total = facts["score"] - 4 * facts["harbours_left"]
    total += sum(ticket["points"] * (1 if ticket in completed else -1) for ticket in facts["tickets"])
    for city in facts["harbours"]:
        total += (0, 10, 20, 30)[min(3, sum(city in (ticket["a"], ticket["b"]) for ticket in completed))]
    return total


# --- payments that are legal but not listed --------------------------------------
def test_gl92_an_unusual_payment_is_accepted_and_an_illegal_one_refused():
    given = {"players": 2, "phase": "turn", "turn": "P1", "hands": {"P1": {"white.ship1": 2, "white.ship2": 2, "wild": 2}}}
    table = Table.new("great-lakes", 2)
    table.positions = [table.position.load(fields(table.chart, given))]
    kingston = next(route["no"] for route in table.chart.data["routes"] if route["id"] == "toronto-kingston-ship-white"
                    or route["id"] == "kingston-toronto-ship-white")
    listed = list(table.tokens())
    table.play(f"claim:{kingston}:white.ship1.1+white.ship2.1+wild.1")
    assert table.moves[-1] not in listed and table.position.figures()["score"][0] == 7
    table.undo()
    for payment in ("white.ship2.2+wild.1", "white.ship1.2+white.ship2.2", "red.ship2.2", "white.ship2.1", "wild.4", "white.ship2.3"):
        with pytest.raises(IllegalMove):
            table.play(f"claim:{kingston}:{payment}")


# --- what each seat sees ---------------------------------------------------------
@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_gl95_an_observer_who_follows_from_his_seat_knows_what_a_view_shows(players, rules, seed):
    """The game as one seat could write it down leads to the same position as the view of the whole game, bit by bit."""
    observers = [Table.new("great-lakes", players, rules=rules, observer=seat) for seat in range(players)]
    for table in random_game(players, rules, seed, {"ticket": 0.3, "exchange": 0.2, "claim": 3, "pay": 3}):
        if not table.moves:
            continue
        for seat, observer in enumerate(observers):
            follow(table, observer, seat)
            if table.position.figures()["decision"][0] == core.Decision.PAYING and table.to_move != seat:
                continue            # his table waits for the payment
            tell_choices(table, observer)
            if table.to_move == OVER:
                assert public_part(observer.position) == public_part(table.position.view(seat))
            else:
                assert observer.position == table.position.view(seat), table.moves


def public_part(position):
    return {name: value for name, value in position.figures().items() if name != "tickets"}


def follow(table, observer, seat):
    """Plays the table's last move on the observer's table in the words that he has for it."""
    before, token = table.positions[-2], table.moves[-1]
    mover = before.figures()["seat"][0]
    if mover == seat or token.startswith("turn:"):
        observer.play(token)
        return
    kind = token.partition(":")[0]
    if kind in ("deal", "draw"):
        observer.play(token[:token.rindex(":") + 1] + "?")
    elif token.startswith("ticket:keep:"):
        in_setup = before.figures()["decision"][0] == core.Decision.FIRST_TICKETS
        observer.play("ticket:keep:?" if in_setup else "ticket:keep:" + ",".join("?" * (token.count(",") + 1)))
    elif kind == "pieces":
        observer.play("pieces:?")
    elif kind in ("claim", "harbour", "pay"):
        if table.position.figures()["decision"][0] != core.Decision.PAYING:
            bought = token if kind != "pay" else table.moves[-2]
            was, now = before.figures(), table.position.figures()
            paid = [old - new for old, new in zip(hand_of(was, mover), hand_of(now, mover), strict=True)]
            observer.play(f"{bought}:" + "+".join(f"{CARDS[card]}.{n}" for card, n in enumerate(paid) if n))
    else:
        observer.play(token)


def tell_choices(table, observer):
    """GL-91: when all have chosen, the numbers of tickets and the pieces are shown."""
    while observer.position.figures()["decision"] != table.position.figures()["decision"]:
        seat, figures = observer.to_move, table.position.figures()
        if observer.position.figures()["decision"][0] == core.Decision.FIRST_TICKETS:
            observer.play("ticket:keep:" + ",".join("?" * figures["ntickets"][seat]))
        else:
            observer.play(f"pieces:{figures['supply'][2 * seat]}-{figures['supply'][2 * seat + 1]}")


@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_gl96_what_a_seat_cannot_see_does_not_show_in_its_view(players, rules, seed):
    """Worlds that a seat could be in differ in what it cannot see; its view of all of them is one and the same."""
    rng, differing = Random(seed), 0
    for table in random_game(players, rules, seed):
        if rng.random() < 0.9:
            continue
        for seat in range(players):
            view = table.position.view(seat)
            for world in (table.position.determinize(seat, rng.getrandbits(32)) for _ in range(2)):
                differing += world.fields() != table.position.fields()
                assert world.view(seat) == view
    assert differing > 20


def test_gl95_a_view_names_nothing_that_is_private():
    for table in random_game(3, {}, 11):
        figures, view = table.position.figures(), table.position.view(1).figures()
        assert sum(view["deck"][:25]) == 0 and view["deck"][25:] == figures["ndeck"]
        for seat in (0, 2):
            hand = hand_of(view, seat)
            assert hand[:25] == figures["known"][seat * 25:][:25]
            assert sum(hand) == sum(hand_of(figures, seat))
            assert table.to_move == OVER or view["tickets"][seat] == 0
            assert view["offered"][seat] == view["chosen"][seat] == 0
            assert sum(view["fresh"][seat * 25:][:25] + view["stale"][seat * 25:][:25]) == 0
        assert view["shuffled"] == [0]


# --- made-up worlds --------------------------------------------------------------
@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_gl98_every_world_agrees_with_what_its_observer_saw(players, rules, seed):
    rng = Random(seed)
    for table in random_game(players, rules, seed, {"ticket": 0.5}):
        if rng.random() < 0.8:
            continue
        for seat in range(players):
            weights = rng.choice([None, weights_of(table.game)])
            world = table.position.determinize(seat, rng.getrandbits(32), weights=weights)
            truth, made = table.position.figures(), world.figures()
            assert world.load(world.fields()) == world            # it keeps to the material, and what is kept is right
            assert made["ncards"] == truth["ncards"] and made["ndeck"] == truth["ndeck"] and made["ntickets"] == truth["ntickets"]
            assert hand_of(made, seat) == hand_of(truth, seat) and made["tickets"][seat] == truth["tickets"][seat]
            assert seen_cards_are_held(made, players) and own_batches_are_kept(truth, made, seat)
            assert batches_ascend(made) and lost_tickets_are_on_their_trail(truth, made, seat, players)


def seen_cards_are_held(figures, players):
    return all(n <= held for p in range(players)
               for n, held in zip(figures["known"][p * 25:][:25], hand_of(figures, p)[:25], strict=True))


def own_batches_are_kept(truth, made, seat):
    return all(was == now for was, now, by in zip(truth["under"], made["under"], truth["underby"], strict=True)
               if by & ~core.BATCH == seat)


def batches_ascend(figures):
    """GL-R5."""
    rows = list(zip(figures["under"], figures["underby"], strict=True))[:figures["nunder"][0]]
    return all(later[1] & core.BATCH or earlier[0] < later[0] for earlier, later in pairwise(rows))


def lost_tickets_are_on_their_trail(truth, made, seat, players):
    """A ticket that the observer returned and another drew is in a hand or a batch of one who can have drawn it."""
    for ticket in range(55):
        trail = [p for p in range(players) if truth["lost"][seat * core.MAX_SEATS + p] >> ticket & 1]
        places = {p for p in range(players) if (made["tickets"][p] | made["offered"][p]) >> ticket & 1}
        places |= {made["underby"][i] & ~core.BATCH for i in range(made["nunder"][0]) if made["under"][i] == ticket}
        if trail and not places & set(trail):
            return False
    return True


def test_gl98_two_players_know_each_others_old_cards_exactly():
    """The rules' example: when a deck is remade, all that the other holds unseen is known as a pile."""
    for table in random_game(2, {}, 21, {"take": 3, "blind": 3}):
        figures = table.position.figures()
        for seat in (0, 1):
            rival = 1 - seat
            stale, fresh = figures["stale"][seat * 25:][:25], figures["fresh"][seat * 25:][:25]
            unknown = [n - known for n, known in zip(hand_of(figures, rival), figures["known"][rival * 25:][:25], strict=False)]
            for card in range(25):
                assert stale[card] <= unknown[card] <= stale[card] + fresh[card]
                assert stale[card] + fresh[card] == unknown[card] + figures["deck"][card]



def chi_square(seen, expected, samples):
    assert set(seen) <= set(expected)
    total = sum(expected.values())
    return sum((seen[world] - samples * n / total) ** 2 / (samples * n / total) for world, n in expected.items())


def critical(freedom):
    """Wilson and Hilferty: the value that chi-square exceeds once in a thousand times."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + 3.09 * part ** 0.5) ** 3


def test_gl98_cards_of_worlds_are_as_frequent_as_an_exhaustive_count_says():
    """Player 2 holds one old and one new ship card, player 3 one old one; three lie in the deck."""
    old, new = ["red.ship1", "black.ship2"], ["red.ship1", "red.ship2", "red.ship2", "white.ship1"]
    hands = {"P2": {"red.ship1": 1, "red.ship2": 1}, "P3": {"black.ship2": 1}}
    deck = ["red.ship1", "red.ship2", "white.ship1"]
    table = Table.new("great-lakes", 3)
    full = dict(zip(CARDS, full_decks(table.chart), strict=True))
    row = ["green.ship1", "green.ship1", "green.ship2", "red.train", "red.train", "green.train"]
    rest = {card: n - (old + new + row).count(card) for card, n in full.items() if deck_of(card) == "ship"}
    given = {"players": 3, "phase": "turn", "turn": "P1", "hands": hands, "deck_ship": deck, "row": row,
             "discard_ship": {card: n for card, n in rest.items() if n}}
    loaded = fields(table.chart, given)
    ships = [card for card in CARDS if deck_of(card) == "ship"]
    for card in ships:
        loaded["stale"][CARDS.index(card)] = old.count(card)
        loaded["fresh"][CARDS.index(card)] = new.count(card)
    loaded["held"][2 + 1] = loaded["held"][4 + 1] = 1
    position = table.position.load(loaded)
    expected = Counter()
    for first in permutations(range(2)):
        for second in permutations(range(4)):
            expected[(tuple(sorted([old[first[0]], new[second[0]]])), old[first[1]])] += 1
    samples, seen = 4000, Counter()
    for stream in range(samples):
        figures = position.determinize(0, 5, stream).figures()
        held = [[CARDS[card] for card in range(25) for _ in range(hand_of(figures, seat)[card]) if CARDS[card] in ships] for seat in (1, 2)]
        seen[(tuple(sorted(held[0])), held[1][0])] += 1
    assert len(expected) > 4 and chi_square(seen, expected, samples) < critical(len(expected) - 1)


def test_gl98_tickets_of_worlds_are_as_frequent_as_an_exhaustive_count_says():
    """Six unseen tickets: two with player 2, one with player 3, two in a batch that player 2 returned, one on top."""
    table = Table.new("great-lakes", 3)
    unseen = [3, 10, 20, 30, 40, 50]
    loaded = fields(table.chart, {"players": 3, "phase": "turn", "turn": "P1"})
    loaded |= {
        "tickets": [bits([t for t in range(55) if t not in unseen]), bits([3, 30]), bits([10]), 0, 0], "ntickets": [49, 2, 1, 0, 0],
        "shuffled": [bits([50])], "nshuffled": [1], "nunder": [2],
        "under": [20, 40] + [0] * 62, "underby": [1 + core.BATCH, 1] + [0] * 62,
    }
    position = table.position.load(loaded)
    expected = Counter()
    for two in combinations(unseen, 2):
        for one in set(unseen) - set(two):
            for batch in combinations(sorted(set(unseen) - set(two) - {one}), 2):
                expected[(two, one, batch)] += 1
    samples, seen = 12000, Counter()
    for stream in range(samples):
        figures = position.determinize(0, 9, stream).figures()
        seen[(tuple(numbers(figures["tickets"][1])), numbers(figures["tickets"][2])[0], tuple(figures["under"][:2]))] += 1
    assert len(expected) == 180 and chi_square(seen, expected, samples) < critical(179)


def test_gl98_a_player_thinks_tickets_likelier_that_fit_their_owners_routes():
    """Player 2 has joined the cities of ticket 2, has routes at both of 26, at one of 23 and at none of 1; one of these is his."""
    table = Table.new("great-lakes", 3)
    unseen = {0: 1.0, 22: 2.0, 25: 5.0, 1: 12.0}
    given = {"players": 3, "phase": "turn", "turn": "P1",
             "routes": {"P2": ["albany-syracuse-ship-green", "buffalo-syracuse-ship-red", "chicago-muskegon-ship-purple"]}}
    loaded = fields(table.chart, given)
    loaded |= {"tickets": [bits([t for t in range(55) if t not in unseen]), bits([0]), 0, 0, 0], "ntickets": [51, 1, 0, 0, 0],
               "shuffled": [bits([1, 22, 25])], "nshuffled": [3]}
    position = table.position.load(loaded)
    weights = weights_of(table.game, {"fit_one": 2.0, "fit_both": 5.0, "fit_joined": 12.0})
    samples, seen = 4000, Counter()
    for stream in range(samples):
        seen[numbers(position.determinize(0, 9, stream, weights).figures()["tickets"][1])[0]] += 1
    assert chi_square(seen, unseen, samples) < critical(3)


def test_gl98_a_ticket_that_was_returned_and_drawn_stays_on_its_trail():
    """Player 1 returned ticket 5; player 2 drew it, and kept it or returned it: it is nowhere else."""
    table = Table.new("great-lakes", 3)
    loaded = fields(table.chart, {"players": 3, "phase": "turn", "turn": "P1"})
    others = [t for t in range(55) if t not in (4, 7, 8, 9, 11)]
    loaded |= {"tickets": [0, bits([4, 7]), bits([8]), 0, 0], "ntickets": [0, 2, 1, 0, 0],
               "shuffled": [bits(others)], "nshuffled": [len(others)], "nunder": [2],
               "under": [9, 11] + [0] * 62, "underby": [1 + core.BATCH, 1] + [0] * 62,
               "lost": [0, bits([4]), *[0] * 23]}
    position = table.position.load(loaded)
    where = Counter()
    for stream in range(400):
        figures = position.determinize(0, 3, stream).figures()
        where["hand" if figures["tickets"][1] >> 4 & 1 else "batch" if 4 in figures["under"][:2] else "elsewhere"] += 1
    assert where["elsewhere"] == 0 and chi_square(where, Counter(hand=2, batch=2), 400) < critical(1)


# --- the judgement ---------------------------------------------------------------
def some_worlds(table, seat, n=2):
    """Positions that differ from the table's only in what the seat cannot see."""
    return [table.position.determinize(seat, 7, stream) for stream in range(n)]


def choice_of(agent, table, position, limits):
    """What an agent says at a position, time apart."""
    twin = Table(table.game, table.chart, table.players, table.rules, 0, [position])
    lines = agent.choose(twin, limits, Event(), lambda lines: None).lines
    return [(line.pv, line.visits, line.win, line.margin, line.nodes, line.depth) for line in lines]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fairness_no_agent_sees_what_its_player_cannot(players):
    """Positions that differ only in what the mover cannot see give the same answers, bit by bit."""
    rng, compared = Random(players), 0
    for table in random_game(players, {}, 30 + players, {"ticket": 0.3}):
        if table.to_move < 0 or rng.random() < 0.97:
            continue
        worlds = [table.position, *some_worlds(table, table.to_move)]
        for make, limits in ((lambda: Ismcts(seed=3, hash_mib=4), Limits(nodes=60, multipv=3)), (Heuristic, Limits())):
            answers = [choice_of(make(), table, world, limits) for world in worlds]
            assert answers[0] == answers[1] == answers[2]
        compared += any(world != table.position for world in worlds[1:])
    assert compared > 3


@pytest.mark.parametrize("players, rules, seed", TABLES)
def test_candidates_are_legal_and_priors_positive(players, rules, seed):
    weights = weights_of(Table.new("great-lakes", players).game)
    for table in random_game(players, rules, seed):
        position = table.position
        values = position.evaluate(weights)
        assert len(values) == players and all(isfinite(value) for value in values)
        if table.to_move == OVER:
            assert values == [float(score) for score in position.scores()]
        if table.to_move >= 0:
            chosen = position.candidates(weights)
            assert chosen and set(chosen) <= set(position.legal())
            assert all(prior > 0 for prior in position.priors(chosen, weights))


def test_the_heuristic_beats_random_play():
    heuristic, rng, leads = Heuristic(), Random(1), []
    for seed in range(6):
        table = Table.new("great-lakes", 3, seed=seed)
        while table.to_move != OVER:
            if table.to_move == CHANCE:
                table.roll()
            elif table.to_move == seed % 3:
                table.push(heuristic.choose(table, Limits(), Event(), lambda lines: None).move)
            else:
                table.push(rng.choice(table.position.legal()))
        scores = table.position.scores()
        leads.append(scores[seed % 3] - max(score for seat, score in enumerate(scores) if seat != seed % 3))
    assert min(leads) > 0


def test_advice_names_the_cheapest_completion_what_is_missing_and_who_contests_it():
    given = {"players": 2, "phase": "turn", "turn": "P1",
             "routes": {"P1": ["buffalo-erie-ship-grey"], "P2": ["kingston-ottawa-train-yellow"]},
             "tickets": {"P1": ["erie-kingston"]}}
    table = Table.new("great-lakes", 2)
    table.positions = [table.position.load(fields(table.chart, given))]
    advice = table.game.advice(table.chart, table.position, table.tokens()["ticket:draw"], weights_of(table.game))
    assert "Erie - Kingston" in advice and "4 spaces missing, Buffalo - Kingston 4" in advice
    assert "contested: Buffalo - Kingston by player 2" in advice


def test_decks_are_named_as_the_core_counts_them():
    assert [deck_of(card) for card in CARDS[:4]] == ["train", "train", "ship", "ship"] and DECKS == ("train", "ship")


# --- the four styles of the literature -------------------------------------------
STYLES = ("one-step", "long-route", "route-focus", "destination-hungry")


def play_with(names, seed):
    """A game between agents by their names."""
    table = Table.new("great-lakes", len(names), seed=seed)
    agents = [make_agent(name, table.game, Settings(seed=seed)) for name in names]
    while table.to_move != OVER:
        if table.to_move == CHANCE:
            table.roll()
        else:
            table.push(agents[table.to_move].choose(table, Limits(), Event(), lambda lines: None).move)
    return table


@pytest.mark.parametrize("style", STYLES)
def test_a_style_sees_only_what_its_player_can(style):
    for table in random_game(3, {}, 51):
        if table.to_move >= 0 and table.ply % 5 == 0:
            agent = make_agent(style, table.game, Settings())
            answers = [choice_of(agent, table, world, Limits()) for world in (table.position, *some_worlds(table, table.to_move))]
            assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_beats_random_play(style):
    leads = []
    for seed in range(4):
        scores = play_with([style, "random"][::1 if seed % 2 else -1], seed).position.scores()
        leads.append(scores[1 - seed % 2] - scores[seed % 2])
    assert min(leads) > 0


def test_styles_play_in_character():
    """The hungry one holds the most tickets, the one after long routes claims the longest."""
    tickets, lengths = Counter(), Counter()
    for seed in range(3):
        table = play_with(STYLES, seed)
        players = table.game.facts(table.chart, table.position)["players"]
        for style, player in zip(STYLES, players, strict=True):
            tickets[style] += player["n_tickets"]
            claimed = [table.chart.data["routes"][no - 1]["length"] for no in player["routes"]]
            lengths[style] += sum(claimed) / len(claimed)
    assert tickets.most_common(1)[0][0] == "destination-hungry"
    assert lengths.most_common(1)[0][0] == "long-route"
