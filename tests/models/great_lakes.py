"""The Great Lakes (Ticket to Ride: Rails & Sails): a slow, literal model of rules GL-1 to GL-99 and GL-R1 to GL-R25."""

from __future__ import annotations

from itertools import combinations
from typing import Any

Pile = dict[str, int]  # card -> number of copies, never 0
Board = dict[str, Any]

COLOURS = ("purple", "yellow", "green", "red", "black", "white")
CARDS = (*(f"{colour}.{kind}" for colour in COLOURS for kind in ("train", "train.h", "ship1", "ship2")), "wild")
DECKS = ("train", "ship")
GREY = "grey"

# --- 1. components and figures ---------------------------------------------------
TRAIN_CARDS, TRAIN_CARDS_WITH_SYMBOL, WILDS = 7, 4, 14  # GL-1, the first two per colour
SINGLE_SHIPS, DOUBLE_SHIPS = 4, 6  # GL-2, per colour
TRAINS, SHIPS, HARBOURS = 33, 32, 3  # GL-5
ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}  # GL-8
DEALT = {"train": 2, "ship": 2}  # GL-10
ROW, ROW_OF_EACH = 6, 3  # GL-11
TICKETS_DEALT, SETUP_KEPT_MIN = 5, 3  # GL-12
SUPPLY = 50  # GL-14
CARDS_A_TURN = 2  # GL-30
WILDS_THAT_SWEEP, SWEEPS_MAX = 3, 3  # GL-34, GL-R3
BOTH_LANES_FROM = 4  # GL-46, players
TICKETS_DRAWN, KEPT_MIN = 4, 1  # GL-50
HARBOUR_OF_EACH, HARBOUR_COST = 2, 4  # GL-61
HARBOUR_POINTS = (0, 10, 20, 30)  # GL-63, by completed tickets
UNBUILT = -4  # GL-64
TRIGGER, FURTHER_TURNS = 6, 2  # GL-80
SAFETY_TURNS = 200  # GL-R23, per player

# section 11: the phases in which chance moves, and how its outcomes begin
CHANCE = {
    "deal_cards": "deal",
    "fill": "turn",
    "deal_tickets": "deal:ticket",
    "turn_up": "turn",
    "draw": "draw",
    "draw_tickets": "draw:ticket",
}
# the phases in which a player decides, and how his moves begin
DECISIONS = {
    "setup_tickets": ("ticket",),
    "setup_pieces": ("pieces",),
    "turn": ("take", "blind", "claim", "ticket", "harbour", "exchange", "pass"),
    "refill": ("refill",),
    "second": ("take", "blind"),
    "pay": ("pay",),
    "keep": ("ticket",),
    "amount": ("amount",),
}


def deck_of(card: str) -> str:
    """GL-3: wilds belong to the train deck."""
    return "ship" if ".ship" in card else "train"


def full_deck(deck: str) -> Pile:
    """GL-1, GL-2."""
    copies = {"train": TRAIN_CARDS, "train.h": TRAIN_CARDS_WITH_SYMBOL, "ship1": SINGLE_SHIPS, "ship2": DOUBLE_SHIPS}
    pile = {card: copies[card.partition(".")[2]] for card in CARDS if card != "wild"}
    pile["wild"] = WILDS
    return {card: n for card, n in pile.items() if deck_of(card) == deck}


def add(pile: Pile, card: str, n: int) -> None:
    """n copies more (or fewer) of a card; a card without copies is not in the pile."""
    left = pile.get(card, 0) + n
    assert left >= 0, f"{card}: {left}"
    if left:
        pile[card] = left
    else:
        pile.pop(card, None)


# --- payments: GL-41 to GL-43, GL-61, GL-92 ----------------------------------------
def tidy(payment: Pile) -> Pile:
    """The cards in the fixed order of CARDS, none of them 0 times."""
    return {card: payment[card] for card in CARDS if payment.get(card, 0)}


def payment_text(payment: Pile) -> str:
    """`red.train.2+wild.1`: the kinds in the order of CARDS."""
    return "+".join(f"{card}.{n}" for card, n in tidy(payment).items())


def parse_payment(text: str) -> Pile:
    payment: Pile = {}
    for part in text.split("+"):
        card, _, count = part.rpartition(".")
        if card not in CARDS or not count.isdecimal():
            raise ValueError(f"not a payment: {text!r}")
        payment[card] = int(count)
    if payment_text(payment) != text:
        raise ValueError(f"a payment is written {payment_text(payment)!r}, got {text!r}")
    return payment


def allowed_colours(route: dict[str, Any]) -> tuple[str, ...]:
    """GL-41: on a coloured route the route's, on a grey one any."""
    return COLOURS if route["colour"] == GREY else (route["colour"],)


def train_payments(hand: Pile, route: dict[str, Any]) -> list[Pile]:
    """GL-92, train route: the canonical payments."""
    length, wilds = route["length"], hand.get("wild", 0)
    payments = []
    has_colour = False
    for colour in allowed_colours(route):
        plain = min(hand.get(f"{colour}.train", 0), length)
        symbol = min(hand.get(f"{colour}.train.h", 0), length - plain)
        rest = length - plain - symbol
        if plain + symbol == 0:
            continue
        has_colour = True
        if rest <= wilds:
            payments.append({f"{colour}.train": plain, f"{colour}.train.h": symbol, "wild": rest})
    if not has_colour and length <= wilds:
        payments.append({"wild": length})
    return [tidy(payment) for payment in payments]


def ship_payments(hand: Pile, route: dict[str, Any]) -> list[Pile]:
    """GL-92, ship route: the canonical payments."""
    length, wilds = route["length"], hand.get("wild", 0)
    payments = []
    has_single = has_double = False
    for colour in allowed_colours(route):
        single, double = f"{colour}.ship1", f"{colour}.ship2"
        n_singles, n_doubles = hand.get(single, 0), hand.get(double, 0)
        has_single = has_single or n_singles > 0
        has_double = has_double or n_doubles > 0
        most = min(n_doubles, length // 2)
        for d in range(most + 1):  # (i)
            if length - 2 * d <= n_singles:
                payments.append({double: d, single: length - 2 * d})
        rest = length - 2 * most - n_singles
        if rest > 0 and most + n_singles > 0 and rest <= wilds:  # (ii)
            payments.append({double: most, single: n_singles, "wild": rest})
        if length % 2 == 1 and n_doubles >= (length + 1) // 2:  # (iii)
            payments.append({double: (length + 1) // 2})
    if not has_single and (length == 1 or not has_double) and length <= wilds:
        payments.append({"wild": length})
    return [tidy(payment) for payment in payments]


def route_payments(hand: Pile, route: dict[str, Any]) -> list[Pile]:
    return train_payments(hand, route) if route["kind"] == "train" else ship_payments(hand, route)


def harbour_payments(hand: Pile) -> list[Pile]:
    """GL-92, harbour: the canonical payments."""
    wilds = hand.get("wild", 0)
    payments = []
    has_symbol = False
    for colour in COLOURS:
        trains = min(hand.get(f"{colour}.train.h", 0), HARBOUR_OF_EACH)
        ships = min(hand.get(f"{colour}.ship1", 0), HARBOUR_OF_EACH)
        rest = HARBOUR_COST - trains - ships
        if trains + ships == 0:
            continue
        has_symbol = True
        if rest <= wilds:
            payments.append({f"{colour}.train.h": trains, f"{colour}.ship1": ships, "wild": rest})
    if not has_symbol and wilds >= HARBOUR_COST:
        payments.append({"wild": HARBOUR_COST})
    return [tidy(payment) for payment in payments]


def check_in_hand(hand: Pile, payment: Pile) -> None:
    for card, n in payment.items():
        if hand.get(card, 0) < n:
            raise ValueError(f"cards not in hand: {n} {card}")


def check_one_colour(payment: Pile) -> str | None:
    """The one colour of the cards that are not wilds; None if all are wilds."""
    colours = {card.partition(".")[0] for card in payment if card != "wild"}
    if len(colours) > 1:
        raise ValueError("more than one colour")
    return colours.pop() if colours else None


def check_route_payment(hand: Pile, route: dict[str, Any], payment: Pile) -> None:
    """GL-41 to GL-43: any legal payment, canonical or not."""
    check_in_hand(hand, payment)
    if any(card != "wild" and deck_of(card) != route["kind"] for card in payment):  # GL-43
        raise ValueError("card of the wrong kind")
    colour = check_one_colour(payment)
    if colour is not None and colour not in allowed_colours(route):
        raise ValueError("wrong colour")
    covers = {card: 2 if card.endswith(".ship2") else 1 for card in payment}  # GL-41, GL-42
    cover = sum(n * covers[card] for card, n in payment.items())
    if cover < route["length"]:
        raise ValueError("too few cards")
    if any(cover - covers[card] >= route["length"] for card in payment):  # GL-43
        raise ValueError("superfluous card")


def check_harbour_payment(hand: Pile, payment: Pile) -> None:
    """GL-61: any legal payment, canonical or not."""
    check_in_hand(hand, payment)
    if any(card != "wild" and not card.endswith((".train.h", ".ship1")) for card in payment):
        raise ValueError("card without harbour symbol")
    check_one_colour(payment)
    of_one_card = max((n for card, n in payment.items() if card != "wild"), default=0)
    if of_one_card > HARBOUR_OF_EACH or sum(payment.values()) != HARBOUR_COST:
        raise ValueError("two train cards and two ship cards")


def parse_numbers(text: str) -> list[int]:
    """`3,17,40`: ascending."""
    if text == "":
        return []
    parts = text.split(",")
    if not all(part.isdecimal() for part in parts):
        raise ValueError(f"not ticket numbers: {text!r}")
    numbers = [int(part) for part in parts]
    if numbers != sorted(set(numbers)) or ",".join(map(str, numbers)) != text:
        raise ValueError(f"ticket numbers are written in ascending order, got {text!r}")
    return numbers


def parse_split(text: str) -> tuple[int, int]:
    """`27-23`: trains and ships. GL-14."""
    trains, _, ships = text.partition("-")
    if not (trains.isdecimal() and ships.isdecimal()) or f"{int(trains)}-{int(ships)}" != text:
        raise ValueError(f"not trains-ships: {text!r}")
    if int(trains) > TRAINS or int(ships) > SHIPS:
        raise ValueError("more pieces than exist")
    if int(trains) + int(ships) != SUPPLY:
        raise ValueError("not fifty pieces")
    return int(trains), int(ships)


class Model:
    """A position. `phase` says what is asked next, `seat` who is dealt to, chooses or moves."""

    def __init__(self, board: Board, players: int) -> None:
        if not 2 <= players <= 5:
            raise ValueError(f"2 to 5 players, got {players}")
        # the board: never changed, shared by copies
        self.players = players
        self.cities: dict[str, dict[str, Any]] = {city["id"]: city for city in board["cities"]}
        self.routes: dict[int, dict[str, Any]] = {route["no"]: route for route in board["routes"]}
        self.route_no: dict[str, int] = {route["id"]: route["no"] for route in board["routes"]}
        self.ticket_list: dict[int, dict[str, Any]] = {ticket["no"]: ticket for ticket in board["tickets"]}
        self.split: tuple[int, int] | None = None  # the rules option
        # the position
        self.phase = "deal_cards"
        self.seat = 0  # GL-R10
        self.deck: dict[str, Pile] = {deck: full_deck(deck) for deck in DECKS}  # without order: a draw is chance
        self.discard: dict[str, Pile] = {deck: {} for deck in DECKS}
        self.row: list[str] = []
        self.hands: list[Pile] = [{} for _ in range(players)]
        self.supply: list[dict[str, int]] = [{"train": 0, "ship": 0} for _ in range(players)]
        self.box: list[dict[str, int]] = [{"train": TRAINS, "ship": SHIPS} for _ in range(players)]
        self.harbours_left = [HARBOURS] * players
        self.score = [0] * players
        self.owner: dict[int, int] = {}  # route no -> seat
        self.harbours: dict[str, int] = {}  # city -> seat
        self.tickets: list[list[int]] = [[] for _ in range(players)]
        self.shuffled: list[int] = sorted(self.ticket_list)  # the top of the ticket deck, without order
        self.returned: list[tuple[int | None, tuple[int, ...]]] = []  # GL-R5: below it, (by whom, tickets), in order
        self.turns_played = 0
        self.turns_left: int | None = None  # GL-80: None until the end is near
        # inside a decision or an action
        self.offered: list[list[int]] = [[] for _ in range(players)]  # tickets dealt or drawn, not yet chosen from
        self.chosen: list[Any] = [None] * players  # setup: what each has chosen, hidden until all have
        self.to_draw = 0  # tickets still to be drawn
        self.cards_due = 0  # travel cards that the active player has still to take
        self.from_deck = ""  # the deck of the next card turned up or drawn unseen
        self.is_first_row = True  # GL-11: until the row of the setup lies
        self.sweeps = 0  # GL-R3: in succession
        self.asked = ""  # the claim, harbour or exchange whose payment or amount is asked
        self.history: tuple[tuple[int | None, str], ...] = ()  # (who alone sees it all, token); None: public

    # --- 2. setup ------------------------------------------------------------------
    @staticmethod
    def new(board: Board, players: int, rules: dict[str, str] | None = None) -> Model:
        model = Model(board, players)
        for key, value in (rules or {}).items():
            if key != "split":
                raise ValueError(f"unknown rules option {key!r}; expected split=TRAINS-SHIPS")
            model.split = parse_split(value)
        return model

    def _deal_card(self, card: str) -> None:
        """GL-10: seat by seat, 2 train cards and then 2 ship cards."""
        add(self.hands[self.seat], card, 1)
        if sum(self.hands[self.seat].values()) == sum(DEALT.values()):
            self.seat += 1
            if self.seat == self.players:
                self.seat = 0
                self.phase = "fill"  # GL-11

    def _deal_ticket(self, no: int) -> None:
        """GL-12: seat by seat, 5 tickets."""
        self.offered[self.seat] = sorted(self.offered[self.seat] + [no])
        if len(self.offered[self.seat]) == TICKETS_DEALT:
            self.seat += 1
            if self.seat == self.players:
                self.seat = 0
                self.phase = "setup_tickets"

    def _keep_in_setup(self, kept: list[int]) -> None:
        """GL-12, GL-13, GL-R5. GL-91: asked seat by seat, carried out when all have chosen."""
        self._check_kept(kept, SETUP_KEPT_MIN)
        self.chosen[self.seat] = kept
        self.seat += 1
        if self.seat < self.players:
            return
        for seat, choice in enumerate(self.chosen):
            self._keep(seat, choice)
        self.chosen = [None] * self.players
        self.seat = 0
        if self.split is None:
            self.phase = "setup_pieces"
        else:
            for seat in range(self.players):
                self._set_pieces(seat, self.split)
            self.phase = "turn"

    def _choose_pieces(self, split: tuple[int, int]) -> None:
        """GL-14. GL-91: asked seat by seat, carried out when all have chosen."""
        self.chosen[self.seat] = split
        self.seat += 1
        if self.seat < self.players:
            return
        for seat, choice in enumerate(self.chosen):
            self._set_pieces(seat, choice)
        self.chosen = [None] * self.players
        self.seat = 0
        self.phase = "turn"

    def _set_pieces(self, seat: int, split: tuple[int, int]) -> None:
        trains, ships = split
        self.supply[seat] = {"train": trains, "ship": ships}
        self.box[seat] = {"train": TRAINS - trains, "ship": SHIPS - ships}

    # --- 3. turn structure -----------------------------------------------------------
    def _turn_options(self) -> list[str]:
        """GL-20, GL-93: the five actions; GL-21: pass only if there is none."""
        options = self._card_options(first=True)
        options += [f"claim:{no}" for no in self.routes if self._is_claimable(no)]
        if self._ticket_deck_size() > 0:
            options.append("ticket:draw")
        options += [f"harbour:{city}" for city in self.cities if self._is_harbour_possible(city)]
        options += [f"exchange:{give}" for give in DECKS if self._exchange_limit(give) >= 1]
        return options or ["pass"]

    # --- 4. drawing travel cards -------------------------------------------------------
    def _card_options(self, first: bool) -> list[str]:
        """GL-30, GL-37; GL-32: a wild of the row only as the first card."""
        options = [f"take:{card}" for card in CARDS if card in self.row and (first or card != "wild")]
        return options + [f"blind:{deck}" for deck in self._decks_with_cards()]

    def _decks_with_cards(self) -> list[str]:
        return [deck for deck in DECKS if self.deck[deck]]

    def _take(self, card: str) -> None:
        first = self.phase == "turn"
        if card not in self.row:
            raise ValueError(f"{card} is not in the row")
        if card == "wild" and not first:
            raise ValueError("a face-up wild cannot be the second card")
        self.cards_due = CARDS_A_TURN - 1 if first and card != "wild" else 0  # GL-32
        self.row.remove(card)
        add(self.hands[self.seat], card, 1)
        if self._decks_with_cards():
            self._ask_refill()
        else:
            self._row_changed()  # GL-37: not replaced

    def _blind(self, deck: str) -> None:
        if deck not in self._decks_with_cards():
            raise ValueError(f"the {deck} deck is empty")
        self.cards_due = CARDS_A_TURN - 1 if self.phase == "turn" else 0
        self.from_deck = deck
        self.phase = "draw"

    def _draw_card(self, card: str) -> None:
        """GL-33: also a wild ends nothing."""
        add(self.hands[self.seat], card, 1)
        self._go_on()

    def _ask_refill(self) -> None:
        """GL-31: the deck of the new card; not asked if only one deck has cards."""
        decks = self._decks_with_cards()
        if len(decks) == 1:
            self._refill(decks[0])
        else:
            self.phase = "refill"

    def _refill(self, deck: str) -> None:
        if deck not in self._decks_with_cards():
            raise ValueError(f"the {deck} deck is empty")
        self.from_deck = deck
        self.phase = "turn_up"

    def _turn_up(self, card: str) -> None:
        """A card turned up as a replacement, or as one of a new row."""
        self.row.append(card)
        if self.phase == "turn_up":
            self._row_changed()
        elif self._fill_from() is None:
            self._check_wilds()

    def _row_changed(self) -> None:
        """GL-R3: a row that changes is looked at afresh."""
        self.sweeps = 0
        self._check_wilds()

    def _check_wilds(self) -> None:
        """GL-34, GL-R3: sweep the row, or go on."""
        if self.row.count("wild") < WILDS_THAT_SWEEP or self.sweeps == SWEEPS_MAX:
            self._go_on()
            return
        self.sweeps += 1
        for card in self.row:
            add(self.discard[deck_of(card)], card, 1)
        self.row = []
        self._remake_decks()  # GL-R2: after the whole row has been discarded
        self.phase = "fill"

    def _fill_from(self) -> str | None:
        """GL-11, GL-34: three train cards, then three ship cards; GL-R3: what one deck lacks the other gives."""
        if len(self.row) == ROW:
            return None
        for deck in DECKS:
            if self.deck[deck] and sum(deck_of(card) == deck for card in self.row) < ROW_OF_EACH:
                return deck
        decks = self._decks_with_cards()
        return decks[0] if decks else None

    def _go_on(self) -> None:
        """GL-90: what comes when the row is settled."""
        if self.is_first_row:  # GL-12
            self.is_first_row = False
            self.phase = "deal_tickets"
        elif self.cards_due > 0 and self._card_options(first=False):
            self.phase = "second"
        else:  # GL-38
            self._end_action()

    def _remake_decks(self) -> None:
        """GL-36, GL-R2: an empty deck is made of its discards."""
        for deck in DECKS:
            if not self.deck[deck]:
                self.deck[deck], self.discard[deck] = self.discard[deck], {}

    # --- 5. claiming a route -----------------------------------------------------------
    def _check_route(self, no: int) -> None:
        """GL-40, GL-45, GL-46: all but the payment."""
        route = self.routes[no]
        if no in self.owner:
            raise ValueError("route already claimed")
        lane = self.route_no[route["double_of"]] if route.get("double_of") else None
        if lane in self.owner:
            if self.owner[lane] == self.seat:
                raise ValueError("same player may not own both lanes")
            if self.players < BOTH_LANES_FROM:
                raise ValueError("other lane closed with 2 or 3 players")
        if self.supply[self.seat][route["kind"]] < route["length"]:
            raise ValueError("not enough pieces")

    def _is_claimable(self, no: int) -> bool:
        try:
            self._check_route(no)
        except ValueError:
            return False
        return bool(route_payments(self.hands[self.seat], self.routes[no]))

    def _claim(self, no: int, payment: Pile) -> None:
        """GL-44."""
        route = self.routes[no]
        self._pay(payment)
        self.supply[self.seat][route["kind"]] -= route["length"]
        self.owner[no] = self.seat
        self.score[self.seat] += ROUTE_POINTS[route["length"]]
        self._end_action()

    def _pay(self, payment: Pile) -> None:
        """The cards go to the discards of their decks (GL-3); GL-R2: remade after the whole payment."""
        for card, n in payment.items():
            add(self.hands[self.seat], card, -n)
            add(self.discard[deck_of(card)], card, n)
        self._remake_decks()

    # --- 6. drawing tickets --------------------------------------------------------------
    def _ticket_deck(self) -> list[int]:
        """From the top; the shuffled part, which has no order, by number."""
        return self.shuffled + [no for _, batch in self.returned for no in batch]

    def _ticket_deck_size(self) -> int:
        return len(self._ticket_deck())

    def _remove_ticket(self, no: int) -> None:
        """From the shuffled part while there is one, then from the top of the oldest batch."""
        if self.shuffled:
            self.shuffled.remove(no)
            return
        by, batch = self.returned[0]
        assert batch[0] == no
        self.returned = ([(by, batch[1:])] if batch[1:] else []) + self.returned[1:]

    def _start_drawing_tickets(self) -> None:
        """GL-50."""
        if self._ticket_deck_size() == 0:
            raise ValueError("ticket deck empty")
        self.to_draw = min(TICKETS_DRAWN, self._ticket_deck_size())
        self.phase = "draw_tickets"

    def _draw_ticket(self, no: int) -> None:
        self.offered[self.seat] = sorted(self.offered[self.seat] + [no])
        self.to_draw -= 1
        if self.to_draw == 0:
            self.phase = "keep"

    def _check_kept(self, kept: list[int], at_least: int) -> None:
        if len(kept) < at_least:
            raise ValueError(f"at least {'three tickets' if at_least == SETUP_KEPT_MIN else 'one ticket'}")
        if not set(kept) <= set(self.offered[self.seat]):
            raise ValueError("a ticket that was not offered")

    def _keep_options(self, at_least: int) -> list[str]:
        offered = self.offered[self.seat]
        return [
            "ticket:keep:" + ",".join(map(str, kept))
            for size in range(at_least, len(offered) + 1)
            for kept in combinations(offered, size)
        ]

    def _keep(self, seat: int, kept: list[int]) -> None:
        """GL-51, GL-R5: the others go under the deck, the highest at the very bottom."""
        back = tuple(no for no in sorted(self.offered[seat]) if no not in kept)
        if back:
            self.returned.append((seat, back))
        self.tickets[seat] = sorted(self.tickets[seat] + kept)
        self.offered[seat] = []

    def _is_completed(self, seat: int, no: int) -> bool:
        """GL-52, GL-R20: a path of own routes, trains and ships, also through junctions."""
        ticket = self.ticket_list[no]
        reached, frontier = {ticket["a"]}, [ticket["a"]]
        own = [self.routes[route] for route, owner in self.owner.items() if owner == seat]
        while frontier:
            here = frontier.pop()
            for route in own:
                if here in (route["a"], route["b"]):
                    there = route["b"] if here == route["a"] else route["a"]
                    if there not in reached:
                        reached.add(there)
                        frontier.append(there)
        return ticket["b"] in reached

    def _completed(self, seat: int) -> list[int]:
        return [no for no in self.tickets[seat] if self._is_completed(seat, no)]

    # --- 7. harbours ---------------------------------------------------------------------
    def _check_harbour(self, city: str) -> None:
        """GL-60, GL-6: all but the payment."""
        if city not in self.cities:
            raise ValueError(f"no city {city!r}")
        if not self.cities[city]["port"] or self.cities[city]["junction"]:
            raise ValueError("not a port")
        if city in self.harbours:
            raise ValueError("port already has a harbour")
        own = [self.routes[no] for no, owner in self.owner.items() if owner == self.seat]
        if not any(city in (route["a"], route["b"]) for route in own):  # GL-R16: train or ship
            raise ValueError("no own route to the city")
        if self.harbours_left[self.seat] == 0:
            raise ValueError("no harbour left")

    def _is_harbour_possible(self, city: str) -> bool:
        try:
            self._check_harbour(city)
        except ValueError:
            return False
        return bool(harbour_payments(self.hands[self.seat]))

    def _build_harbour(self, city: str, payment: Pile) -> None:
        """GL-62."""
        self._pay(payment)
        self.harbours[city] = self.seat
        self.harbours_left[self.seat] -= 1
        self._end_action()

    # --- 8. exchanging pieces --------------------------------------------------------------
    def _exchange_limit(self, give: str) -> int:
        """GL-71."""
        get = "ship" if give == "train" else "train"
        return min(self.supply[self.seat][give], self.box[self.seat][get])

    def _exchange(self, give: str, k: int) -> None:
        """GL-70, GL-R8."""
        get = "ship" if give == "train" else "train"
        if k < 1:
            raise ValueError("at least one piece")
        if k > self.supply[self.seat][give]:
            raise ValueError("not enough pieces")
        if k > self.box[self.seat][get]:
            raise ValueError("not enough pieces in the box")
        self.supply[self.seat][give] -= k
        self.box[self.seat][give] += k
        self.box[self.seat][get] -= k
        self.supply[self.seat][get] += k
        self.score[self.seat] -= k
        self._end_action()

    # --- 9. end of the game ------------------------------------------------------------------
    def _end_action(self) -> None:
        """GL-R6: first the active player refills a short row, card by card."""
        self.cards_due = 0
        if len(self.row) < ROW and self._decks_with_cards():
            self._ask_refill()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """GL-80, GL-R23."""
        self.turns_played += 1
        if self.turns_left is not None:
            self.turns_left -= 1
        elif sum(self.supply[self.seat].values()) <= TRIGGER:
            self.turns_left = FURTHER_TURNS * self.players
        if self.turns_left == 0 or self.turns_played >= SAFETY_TURNS * self.players:
            self.phase = "over"
        else:
            self.seat = (self.seat + 1) % self.players
            self.phase = "turn"

    def _harbour_points(self, seat: int) -> int:
        """GL-63, GL-R15."""
        completed = [self.ticket_list[no] for no in self._completed(seat)]
        points = 0
        for city, owner in self.harbours.items():
            if owner == seat:
                n = sum(city in (ticket["a"], ticket["b"]) for ticket in completed)
                points += HARBOUR_POINTS[min(n, len(HARBOUR_POINTS) - 1)]
        return points

    def _final(self, seat: int) -> dict[str, int]:
        """GL-81, if the game ended now."""
        completed = self._completed(seat)
        final = {
            "routes": self.score[seat],
            "tickets": sum(
                self.ticket_list[no]["points"] * (1 if no in completed else -1) for no in self.tickets[seat]
            ),
            "harbours": self._harbour_points(seat),
            "unbuilt": UNBUILT * self.harbours_left[seat],
        }
        return final | {"total": sum(final.values())}

    def scores(self) -> list[int]:
        """The points on the track; when over, the final score."""
        if self.phase == "over":
            return [self._final(seat)["total"] for seat in range(self.players)]
        return list(self.score)

    def winners(self) -> list[int]:
        """GL-82, GL-R9: most points, then most completed tickets, then shared. Before the end: if it ended now."""
        results = [(self._final(seat)["total"], len(self._completed(seat))) for seat in range(self.players)]
        return [seat for seat in range(self.players) if results[seat] == max(results)]

    # --- 11. decisions -------------------------------------------------------------------------
    def to_move(self) -> int | str:
        if self.phase == "over":
            return "over"
        return "chance" if self.phase in CHANCE else self.seat

    def _drawn_deck(self) -> str:
        """The deck of the next travel card of chance."""
        if self.phase == "deal_cards":
            return "train" if sum(self.hands[self.seat].values()) < DEALT["train"] else "ship"
        deck = self._fill_from() if self.phase == "fill" else self.from_deck
        assert deck is not None
        return deck

    def chance(self) -> dict[str, int]:
        """GL-99: a card by its copies in the deck; a ticket of the shuffled part 1 each, or the one on top."""
        if self.phase not in CHANCE:
            return {}
        kind = CHANCE[self.phase]
        if self.phase in ("deal_tickets", "draw_tickets"):
            return {f"{kind}:{no}": 1 for no in self.shuffled or self._ticket_deck()[:1]}
        deck = self.deck[self._drawn_deck()]
        return {f"{kind}:{card}": deck[card] for card in CARDS if card in deck}

    def legal(self) -> list[str]:
        if self.phase in CHANCE:
            return list(self.chance())
        if self.phase == "setup_tickets":
            return self._keep_options(SETUP_KEPT_MIN)
        if self.phase == "setup_pieces":
            return [f"pieces:{t}-{SUPPLY - t}" for t in range(SUPPLY - SHIPS, TRAINS + 1)]
        if self.phase == "turn":
            return self._turn_options()
        if self.phase == "refill":
            return [f"refill:{deck}" for deck in self._decks_with_cards()]
        if self.phase == "second":
            return self._card_options(first=False)
        if self.phase == "pay":
            return [f"pay:{payment_text(payment)}" for payment in self.payments(self.asked)]
        if self.phase == "keep":
            return self._keep_options(KEPT_MIN)
        if self.phase == "amount":
            give = self.asked.partition(":")[2]
            return [f"amount:{k}" for k in range(1, self._exchange_limit(give) + 1)]
        return []

    def payments(self, token: str) -> list[Pile]:
        """GL-92: the canonical payments for `claim:NO` or `harbour:CITY`, as far as the hand goes."""
        kind, _, what = token.partition(":")
        hand = self.hands[self.seat]
        return route_payments(hand, self.routes[int(what)]) if kind == "claim" else harbour_payments(hand)

    def play(self, token: str) -> None:
        """A legal move; also `claim:NO:PAYMENT` and `harbour:CITY:PAYMENT` with any legal payment (GL-92)."""
        if self.phase == "over":
            raise ValueError("the game is over")
        seen_by = None if self.phase in ("turn_up", "fill") else self.seat
        if self.phase in CHANCE:
            self._play_chance(token)
        else:
            self._play_decision(token)
        self.history += ((seen_by, token),)

    def _play_chance(self, token: str) -> None:
        if token not in self.chance():
            raise ValueError(f"{token!r} cannot come; expected one of {' '.join(self.chance())}")
        what = token.rpartition(":")[2]
        if self.phase in ("deal_tickets", "draw_tickets"):
            self._remove_ticket(int(what))
            if self.phase == "deal_tickets":
                self._deal_ticket(int(what))
            else:
                self._draw_ticket(int(what))
            return
        add(self.deck[self._drawn_deck()], what, -1)
        self._remake_decks()  # GL-36
        if self.phase == "deal_cards":
            self._deal_card(what)
        elif self.phase == "draw":
            self._draw_card(what)
        else:
            self._turn_up(what)

    def _play_decision(self, token: str) -> None:
        kind, _, what = token.partition(":")
        kinds = DECISIONS[self.phase]
        if kind not in kinds:
            reasons = {"refill": "the row must be refilled first", "second": "a second card must be taken"}
            raise ValueError(f"{token!r}: {reasons.get(self.phase, 'not asked')}; expected {' or '.join(kinds)}")
        if kind == "ticket":
            self._play_ticket(what)
        elif kind == "pieces":
            self._choose_pieces(parse_split(what))
        elif kind == "take":
            self._take(what)
        elif kind == "refill":
            self._refill(what)
        elif kind == "blind":
            self._blind(what)
        elif kind in ("claim", "harbour"):
            self._play_buy(token)
        elif kind == "pay":
            self._buy(self.asked, parse_payment(what))
        elif kind == "exchange":
            if what not in DECKS:
                raise ValueError(f"{token!r}: expected exchange:train or exchange:ship")
            if self._exchange_limit(what) < 1:
                raise ValueError("nothing to exchange")
            self.asked, self.phase = token, "amount"
        elif kind == "amount":
            if not what.isdecimal() or str(int(what)) != what:
                raise ValueError(f"not a number: {what!r}")
            self._exchange(self.asked.partition(":")[2], int(what))
        elif token != "pass" or self.legal() != ["pass"]:  # GL-21
            raise ValueError("a player passes only when he can do nothing else")
        else:
            self._end_turn()  # GL-R12
        if self.phase not in ("pay", "amount"):
            self.asked = ""

    def _play_ticket(self, what: str) -> None:
        if self.phase == "turn":
            if what != "draw":
                raise ValueError(f"'ticket:{what}': expected ticket:draw")
            self._start_drawing_tickets()
            return
        word, _, numbers = what.partition(":")
        if word != "keep":
            raise ValueError(f"'ticket:{what}': expected ticket:keep:NUMBERS")
        kept = parse_numbers(numbers)
        if self.phase == "setup_tickets":
            self._keep_in_setup(kept)
        else:
            self._check_kept(kept, KEPT_MIN)
            self._keep(self.seat, kept)
            self._end_action()

    def _play_buy(self, token: str) -> None:
        """A claim or a harbour: its payment is asked, unless the token names it or there is only one."""
        kind, what, *payment = token.split(":")
        if kind == "claim":
            if not what.isdecimal() or str(int(what)) != what or int(what) not in self.routes:
                raise ValueError(f"no route {what!r}")
            self._check_route(int(what))
        else:
            self._check_harbour(what)
        bought = f"{kind}:{what}"
        if payment:
            self._buy(bought, parse_payment(":".join(payment)))
            return
        payments = self.payments(bought)
        if not payments:
            raise ValueError("too few cards")
        if len(payments) == 1:
            self._buy(bought, payments[0])
        else:
            self.asked, self.phase = bought, "pay"

    def _buy(self, bought: str, payment: Pile) -> None:
        kind, _, what = bought.partition(":")
        hand = self.hands[self.seat]
        if kind == "claim":
            check_route_payment(hand, self.routes[int(what)], payment)
            self._claim(int(what), payment)
        else:
            check_harbour_payment(hand, payment)
            self._build_harbour(what, payment)

    def copy(self) -> Model:
        twin = Model.__new__(Model)
        twin.__dict__.update(self.__dict__)
        twin.deck = {deck: dict(pile) for deck, pile in self.deck.items()}
        twin.discard = {deck: dict(pile) for deck, pile in self.discard.items()}
        twin.row = list(self.row)
        twin.hands = [dict(hand) for hand in self.hands]
        twin.supply = [dict(pieces) for pieces in self.supply]
        twin.box = [dict(pieces) for pieces in self.box]
        twin.harbours_left = list(self.harbours_left)
        twin.score = list(self.score)
        twin.owner = dict(self.owner)
        twin.harbours = dict(self.harbours)
        twin.tickets = [list(tickets) for tickets in self.tickets]
        twin.shuffled = list(self.shuffled)
        twin.returned = list(self.returned)
        twin.offered = [list(tickets) for tickets in self.offered]
        twin.chosen = list(self.chosen)
        return twin

    # --- what a player can see: GL-95, GL-96 -----------------------------------------------------
    def _n_cards(self, seat: int, deck: str) -> int:
        """GL-R21: the backs differ."""
        return sum(n for card, n in self.hands[seat].items() if deck_of(card) == deck)

    def _as_seen(self, observer: int, index: int) -> str:
        """A token of the history as the observer would write it."""
        seen_by, token = self.history[index]
        if seen_by is None or seen_by == observer:
            return token
        if token.startswith(("deal:", "draw:")):
            return token[: token.rindex(":") + 1] + "?"
        if token.startswith("ticket:keep:"):  # the number kept is public; in the setup when all have chosen
            n_kept = 1 if self.phase == "setup_tickets" else token.count(",") + 1
            return "ticket:keep:" + ",".join("?" * n_kept)
        if token.startswith("pieces:") and self.phase == "setup_pieces":
            return "pieces:?"
        return token

    def view(self, observer: int) -> dict[str, Any]:
        """All that the observer knows; equal views are positions that he cannot tell apart."""
        seats = range(self.players)
        over = self.phase == "over"
        return {
            # GL-95: public
            "players": self.players,
            "split": self.split,
            "phase": self.phase,
            "seat": None if over else self.seat,
            "asked": self.asked,
            "cards_due": self.cards_due,
            "routes": dict(sorted(self.owner.items())),
            "harbours": dict(sorted(self.harbours.items())),
            "harbours_left": list(self.harbours_left),
            "scores": self.scores(),
            "supply": [dict(pieces) for pieces in self.supply],
            "box": [dict(pieces) for pieces in self.box],
            "row": sorted(self.row),
            "discard": {deck: dict(sorted(self.discard[deck].items())) for deck in DECKS},
            "deck_sizes": {deck: sum(self.deck[deck].values()) for deck in DECKS},
            "ticket_deck_size": self._ticket_deck_size(),
            "cards": [{deck: self._n_cards(seat, deck) for deck in DECKS} for seat in seats],
            "n_tickets": [len(self.tickets[seat]) for seat in seats],
            "n_offered": [len(self.offered[seat]) for seat in seats],
            "turns_played": self.turns_played,
            "turns_left": self.turns_left,
            # GL-96: private; GL-53: tickets are shown at the end
            "hand": dict(sorted(self.hands[observer].items())),
            "tickets": [list(self.tickets[seat]) if over or seat == observer else None for seat in seats],
            "offered": list(self.offered[observer]),
            "chosen": self.chosen[observer],
            "ticket_deck": [(None, len(self.shuffled), None)]  # parts from the top: by whom returned, size, known ones
            + [(by, len(batch), batch if by == observer else None) for by, batch in self.returned],
            # the game so far as he saw it: cards taken and drawn, tickets drawn and returned
            "history": [self._as_seen(observer, index) for index in range(len(self.history))],
        }

    # --- 13. the conformance cases -------------------------------------------------------------------------
    @staticmethod
    def given(board: Board, given: dict[str, Any]) -> Model:
        """The position of a case: what is not said is by default (section 13)."""
        model = Model(board, given["players"])
        seats = {f"P{seat + 1}": seat for seat in range(model.players)}
        ticket_no = {ticket["id"]: no for no, ticket in model.ticket_list.items()}

        for player, ids in given.get("routes", {}).items():
            for route in ids:
                model.owner[model.route_no[route]] = seats[player]
        model.harbours = {city: seats[player] for city, player in given.get("harbours", {}).items()}
        for player, seat in seats.items():
            own = [model.routes[no] for no, owner in model.owner.items() if owner == seat]
            placed = {kind: sum(route["length"] for route in own if route["kind"] == kind) for kind in DECKS}
            pieces = given.get("pieces", {}).get(player)
            supply = {"train": 27 - placed["train"], "ship": 23 - placed["ship"]}
            if pieces is not None:
                supply = {"train": pieces["trains"], "ship": pieces["ships"]}
            model.supply[seat] = supply
            model.box[seat] = {
                "train": TRAINS - supply["train"] - placed["train"],
                "ship": SHIPS - supply["ship"] - placed["ship"],
            }
            built = list(model.harbours.values()).count(seat)
            model.harbours_left[seat] = given.get("harbours_left", {}).get(player, HARBOURS - built)
            model.score[seat] = given.get("score", {}).get(player, sum(ROUTE_POINTS[route["length"]] for route in own))
            model.tickets[seat] = sorted(ticket_no[name] for name in given.get("tickets", {}).get(player, []))
            model.offered[seat] = sorted(ticket_no[name] for name in given.get("offered", {}).get(player, []))
            model.hands[seat] = {card: n for card, n in given.get("hands", {}).get(player, {}).items() if n}

        # tickets: a given deck has an order, the rest is shuffled
        if "ticket_deck" in given:
            model.shuffled = []
            order = tuple(ticket_no[name] for name in given["ticket_deck"])
            model.returned = [(None, order)] if order else []
        else:
            held = {no for seat in seats.values() for no in model.tickets[seat] + model.offered[seat]}
            model.shuffled = [no for no in model.shuffled if no not in held]

        # travel cards: what is mentioned nowhere is in the deck, or with the last player if the deck is given
        for deck in DECKS:
            rest = full_deck(deck)
            model.discard[deck] = dict(given.get(f"discard_{deck}", {}))
            mentioned = [model.discard[deck], *model.hands]
            for pile in mentioned:
                for card, n in pile.items():
                    if deck_of(card) == deck:
                        add(rest, card, -n)
            stacked = given.get(f"deck_{deck}")
            for card in stacked or []:
                add(rest, card, -1)
            if "row" in given:
                row = [card for card in given["row"] if deck_of(card) == deck]
            else:
                row = [card for card, n in rest.items() for _ in range(n) if card != "wild"][:ROW_OF_EACH]
            for card in row:
                add(rest, card, -1)
            model.row += row
            if stacked is None:
                model.deck[deck] = rest
            else:
                model.deck[deck] = {}
                for card in stacked:
                    add(model.deck[deck], card, 1)
                for card, n in rest.items():
                    add(model.hands[-1], card, n)

        model.is_first_row = False
        model.phase = given["phase"]
        model.seat = seats[given["turn"]]
        model.turns_left = given.get("turns_left")
        if model.turns_left == 0:
            model.phase = "over"
        return model

    def facts(self) -> dict[str, Any]:
        """What an `expect` can ask, in the words of the conformance cases."""
        names = [f"P{seat + 1}" for seat in range(self.players)]
        public = {}
        for seat, name in enumerate(names):
            public[f"{name} train cards"] = self._n_cards(seat, "train")
            public[f"{name} ship cards"] = self._n_cards(seat, "ship")
            public[f"{name} tickets"] = len(self.tickets[seat])
        mover = self.to_move()
        return {
            "score": dict(zip(names, self.score, strict=True)),
            "hands": {name: tidy(self.hands[seat]) for seat, name in enumerate(names)},
            "pieces": {name: _plural(self.supply[seat]) for seat, name in enumerate(names)},
            "box": {name: _plural(self.box[seat]) for seat, name in enumerate(names)},
            "row": sorted(self.row),
            "discard_train": tidy(self.discard["train"]),
            "discard_ship": tidy(self.discard["ship"]),
            "harbours": {city: names[seat] for city, seat in self.harbours.items()},
            "harbours_left": dict(zip(names, self.harbours_left, strict=True)),
            "routes": {
                name: [self.routes[no]["id"] for no in sorted(self.owner) if self.owner[no] == seat]
                for seat, name in enumerate(names)
            },
            "tickets": {
                name: [self.ticket_list[no]["id"] for no in self.tickets[seat]] for seat, name in enumerate(names)
            },
            "ticket_deck": [self.ticket_list[no]["id"] for no in self._ticket_deck()],
            "deck_sizes": {deck: sum(self.deck[deck].values()) for deck in DECKS},
            "next": {
                "by": names[mover] if isinstance(mover, int) else None,
                "phase": "chance" if mover == "chance" else self.phase,
            },
            "turns_left": self.turns_left,
            "public": public,
            "final": {name: self._final(seat) for seat, name in enumerate(names)},
            "winners": [names[seat] for seat in self.winners()],
        }


def _plural(pieces: dict[str, int]) -> dict[str, int]:
    return {"trains": pieces["train"], "ships": pieces["ship"]}
