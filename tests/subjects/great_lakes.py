"""The Great Lakes on the core, in the words of conformance/great_lakes.json."""
from typing import Any

from railwright.cext import great_lakes as core
from railwright.cext.great_lakes import Decision
from railwright.engine.game import Chart
from railwright.engine.games.great_lakes import CARDS, DECKS, PIECES, numbers
from railwright.engine.table import Table

from subjects import CoreSubject

SEATS, NODES = core.MAX_SEATS, core.MAX_NODES
USUAL = {"trains": 27, "ships": 23}     # GL-14: the supply by default
PHASES = {"setup_tickets": Decision.FIRST_TICKETS, "setup_pieces": Decision.FIRST_PIECES, "turn": Decision.TURN}
Pile = list[int]                        # by kind of card


class Subject(CoreSubject):
    def winners(self) -> list[int]:
        """GL-82, GL-R9: also before the end, as if it ended now."""
        results = [(total["total"], completed) for total, completed in map(self.final, range(self.table.players))]
        return [seat for seat, result in enumerate(results) if result == max(results)]

    def final(self, seat: int) -> tuple[dict[str, int], int]:
        """GL-81: the parts of the final score, and the number of completed tickets."""
        data = self.table.chart.data
        player = self.table.game.facts(self.table.chart, self.table.position)["players"][seat]
        completed = [ticket for ticket in player["tickets"] if ticket["completed"]]
        named = [sum(city in (ticket["a"], ticket["b"]) for ticket in completed) for city in player["harbours"]]
        total = core.final_scores(self.table.position)[seat]
        parts = {
            "routes": player["score"],
            "tickets": sum(ticket["points"] * (1 if ticket["completed"] else -1) for ticket in player["tickets"]),
            "harbours": sum(data["scores"]["harbour_by_completed_tickets"][str(min(n, 3))] for n in named),
            "unbuilt": data["scores"]["unbuilt_harbour"] * player["harbours_left"],
        }
        assert sum(parts.values()) == total
        return parts | {"total": total}, len(completed)

    def payments(self, token: str) -> list[dict[str, int]]:
        kind, _, what = token.partition(":")
        cities = [city["id"] for city in self.table.chart.data["cities"]]
        asked = int(what) - 1 if kind == "claim" else core.MAX_ROUTES + cities.index(what)
        return [{CARDS[card]: n for card, n in core.payment_cards(self.table.position, asked, payment).items()}
                for payment in core.canonical_payments(self.table.position, asked)]

    def facts(self) -> dict[str, Any]:
        table = self.table
        facts = table.game.facts(table.chart, table.position)
        names = [f"P{seat + 1}" for seat in range(table.players)]
        players = dict(zip(names, facts["players"], strict=True))
        tickets = {ticket["no"]: ticket["id"] for ticket in table.chart.data["tickets"]}
        routes = {route["no"]: route["id"] for route in table.chart.data["routes"]}
        public = {f"{name} {deck} cards": player[f"{deck}_cards"] for name, player in players.items() for deck in DECKS}
        return {
            "score": {name: player["score"] for name, player in players.items()},
            "hands": {name: player["hand"] for name, player in players.items()},
            "pieces": {name: {kind: player[kind] for kind in PIECES} for name, player in players.items()},
            "box": {name: player["box"] for name, player in players.items()},
            "row": sorted(card for card, n in facts["row"].items() for _ in range(n)),
            "discard_train": {card: n for card, n in facts["discard"].items() if ".ship" not in card},
            "discard_ship": {card: n for card, n in facts["discard"].items() if ".ship" in card},
            "harbours": {city: f"P{player}" for city, player in facts["harbours"].items()},
            "harbours_left": {name: player["harbours_left"] for name, player in players.items()},
            "routes": {name: [routes[no] for no in player["routes"]] for name, player in players.items()},
            "tickets": {name: [tickets[ticket["no"]] for ticket in player["tickets"]] for name, player in players.items()},
            "ticket_deck": [tickets[i + 1] for i in numbers(table.position.figures()["shuffled"][0])]
            + [tickets[returned["ticket"]] for returned in facts["returned_tickets"]],
            "deck_sizes": facts["decks"],
            "next": {"by": None if facts["to_move"] is None else names[facts["to_move"] - 1],
                     "phase": "chance" if facts["is_chance"] else facts["decision"]},
            "turns_left": facts["turns_left"],
            "public": public | {f"{name} tickets": player["n_tickets"] for name, player in players.items()},
            "final": {name: self.final(seat)[0] for seat, name in enumerate(names)},
            "winners": [names[seat] for seat in self.winners()],
        }


def given(case: dict[str, Any]) -> Subject:
    """The position of a case; what it does not say is by default (section 13 of the rules)."""
    position = case["given"]
    table = Table.new("great-lakes", position["players"])
    table.positions = [table.position.load(fields(table.chart, position))]
    table.is_standard_start = False
    return Subject(table)


def fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    seats = range(position["players"])
    turns_left = position.get("turns_left")
    is_over = turns_left == 0
    return {
        **card_fields(chart, position), **ticket_fields(chart, position), **piece_fields(chart, position),
        "turnsleft": [core.NOT_YET if turns_left is None else turns_left],
        "decision": [int(Decision.GAME_OVER if is_over else PHASES[position["phase"]])],
        "seat": [int(position["turn"].removeprefix("P")) - 1],
        "firstrow": [0],
        "trains": [0] * SEATS,
        "lost": [0] * SEATS * SEATS,
        "known": [0] * SEATS * core.N_CARDS,
        "stale": [0] * SEATS * core.N_CARDS,
        "held": [0] * SEATS * SEATS * 2,
        "harboursleft": [harbours_left(chart, position, seat) if seat in seats else 0 for seat in range(SEATS)],
    }


def of(position: dict[str, Any], key: str, seat: int, default: Any) -> Any:
    return position.get(key, {}).get(f"P{seat + 1}", default)


def harbours_left(chart: Chart, position: dict[str, Any], seat: int) -> int:
    built = list(position.get("harbours", {}).values()).count(f"P{seat + 1}")
    return of(position, "harbours_left", seat, chart.data["pieces"]["harbours"] - built)


# --- cards -----------------------------------------------------------------------
def pile(cards: dict[str, int]) -> Pile:
    return [cards.get(card, 0) for card in CARDS]


def counted(cards: list[str]) -> Pile:
    return [cards.count(card) for card in CARDS]


def deck_of(card: str) -> str:
    return "ship" if ".ship" in card else "train"


def full_decks(chart: Chart) -> Pile:
    kinds = {kind["kind"]: kind.get("per_colour", kind.get("count")) for kind in chart.data["cards"]["kinds"]}
    return [kinds[card.partition(".")[2] or "wild"] for card in CARDS]


def card_fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    """What is mentioned nowhere is in the deck, or with the last player if the deck is given."""
    players = position["players"]
    hands = [pile(of(position, "hands", seat, {})) for seat in range(players)]
    discard = pile(position.get("discard_train", {}) | position.get("discard_ship", {}))
    rest = [n - thrown - sum(held) for n, thrown, *held in zip(full_decks(chart), discard, *hands, strict=True)]
    stacked = {deck: position.get(f"deck_{deck}") for deck in DECKS}
    for cards in stacked.values():
        rest = [n - used for n, used in zip(rest, counted(cards or []), strict=True)]
    if "row" in position:
        row = counted(position["row"])
    else:
        free = [card for card, n in zip(CARDS, rest, strict=True) for _ in range(n) if card != "wild"]
        row = counted([card for deck in DECKS for card in [card for card in free if deck_of(card) == deck][:3]])
    rest = [n - used for n, used in zip(rest, row, strict=True)]
    deck = [0] * len(CARDS)
    for i, card in enumerate(CARDS):
        given_deck = stacked[deck_of(card)]
        if given_deck is None:
            deck[i] = rest[i]
        else:
            deck[i] = given_deck.count(card)
            hands[-1][i] += rest[i]
    fresh = [[n - up - thrown - own for n, up, thrown, own in zip(full_decks(chart), row, discard, hand, strict=True)] for hand in hands]
    blank = [0] * (SEATS - players)
    return {
        "hand": [n for hand in hands for n in [*hand, 0, 0]] + blank * core.N_PILE,
        "deck": [*deck, 0, 0], "discard": discard, "row": row,
        "fresh": [n for pool in fresh for n in pool] + blank * core.N_CARDS,
    }


# --- tickets and pieces ----------------------------------------------------------
def bits(members: list[int]) -> int:
    return sum(1 << member for member in members)


def ticket_fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    """A given deck has an order that nobody knows; by default all tickets not mentioned are shuffled."""
    index = {ticket["id"]: i for i, ticket in enumerate(chart.data["tickets"])}
    held = [[index[name] for name in of(position, "tickets", seat, [])] for seat in range(SEATS)]
    offered = [[index[name] for name in of(position, "offered", seat, [])] for seat in range(SEATS)]
    under = [index[name] for name in position.get("ticket_deck", [])]
    mentioned = {ticket for group in held + offered for ticket in group}
    shuffled = [] if "ticket_deck" in position else [i for i in index.values() if i not in mentioned]
    room = core.MAX_TICKETS - len(under)
    return {
        "tickets": [bits(group) for group in held], "ntickets": [len(group) for group in held],
        "offered": [bits(group) for group in offered], "noffered": [len(group) for group in offered],
        "shuffled": [bits(shuffled)], "nshuffled": [len(shuffled)],
        "under": under + [0] * room, "nunder": [len(under)],
        "underby": [core.UNOWNED + (core.BATCH if i == 0 else 0) for i in range(len(under))] + [0] * room,
    }


def piece_fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    data = chart.data
    number = {route["id"]: i for i, route in enumerate(data["routes"])}
    node = {city["id"]: i for i, city in enumerate(data["cities"])}
    routes, supply, box, score, harbours = [], [], [], [], []
    for seat in range(SEATS):
        own = [data["routes"][number[name]] for name in of(position, "routes", seat, [])]
        placed = {kind: sum(route["length"] for route in own if route["kind"] + "s" == kind) for kind in PIECES}
        pieces = of(position, "pieces", seat, {kind: USUAL[kind] - placed[kind] for kind in PIECES})
        owned = bits([route["no"] - 1 for route in own])
        routes += [owned & (1 << 64) - 1, owned >> 64]
        supply += [pieces[kind] for kind in PIECES]
        box += [data["pieces"][kind] - pieces[kind] - placed[kind] for kind in PIECES]
        score.append(of(position, "score", seat, sum(data["scores"]["route_length"][str(route["length"])] for route in own)))
        harbours.append(bits([node[city] for city, owner in position.get("harbours", {}).items() if owner == f"P{seat + 1}"]))
    return {"routes": routes, "supply": supply, "box": box, "score": score, "harbours": harbours}
