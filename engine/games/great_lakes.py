"""Ticket to Ride: Rails & Sails, The Great Lakes: the words for its moves and its positions (rules GL-1 to GL-99)."""
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from railwright.cext import great_lakes as core
from railwright.cext.game import CHANCE, OVER, Position, unpack
from railwright.cext.great_lakes import Decision, Kind
from railwright.engine.boards import Reader
from railwright.engine.game import Chart, Game, Option, Rules
from railwright.engine.words import listing, plural, seat

if TYPE_CHECKING:
    from railwright.engine.drawing.scene import Scene

COLOURS = ("purple", "yellow", "green", "red", "black", "white")
KINDS = ("train", "train.h", "ship1", "ship2")
CARDS = (*(f"{colour}.{kind}" for colour in COLOURS for kind in KINDS), "wild")
DECKS = ("train", "ship")
PIECES = ("trains", "ships")
DECISIONS = {
    Decision.DEALING: "deal", Decision.FILLING: "fill", Decision.DEALING_TICKETS: "deal_tickets", Decision.DRAWING: "draw",
    Decision.TURNING_UP: "turn_up", Decision.DRAWING_TICKETS: "draw_tickets", Decision.FIRST_TICKETS: "setup_tickets",
    Decision.FIRST_PIECES: "setup_pieces", Decision.TURN: "turn", Decision.REFILLING: "refill", Decision.SECOND_CARD: "second",
    Decision.PAYING: "pay", Decision.KEEPING: "keep", Decision.EXCHANGING: "amount", Decision.GAME_OVER: "over",
}
WAITING = {
    "setup_tickets": "the tickets to keep", "setup_pieces": "trains and ships", "turn": "an action", "refill": "the deck of the new card",
    "second": "a second card", "pay": "the cards to pay with", "keep": "the tickets to keep", "amount": "how many pieces to exchange",
}
WANTED = {
    "setup_tickets": ("ticket",), "setup_pieces": ("pieces",), "turn": ("take", "blind", "claim", "ticket", "harbour", "exchange", "pass"),
    "refill": ("refill",), "second": ("take", "blind"), "pay": ("pay",), "keep": ("ticket",), "amount": ("amount",),
}
FAR = 999                       # spaces between places that no routes join
DETOUR = 3                      # spaces by which a way may be longer than the shortest one
SPLITS = tuple(f"{trains}-{50 - trains}" for trains in range(18, 34))


class GreatLakes(Game):
    name = "great-lakes"
    title = "Ticket to Ride: Rails & Sails - The Great Lakes"
    players = (2, 5)
    boards = ("great_lakes",)
    unit = "points"
    options = (Option("split", SPLITS, "free", "everybody begins with these trains and ships, 27-23 for beginners (GL-14)"),)

    weights = (
        "temperature", "scale", "pieces_a_turn", "toil", "stretch", "sure", "delay", "slack", "pace", "potential", "potential_turns",
        "unknown_ticket", "harbour", "next_harbour", "ticket", "contest", "reserve", "extra", "card", "wild", "hand_full",
        "double_ship", "distance", "gather", "symbol", "spent", "spent_wild", "claim", "hurry", "drawn", "forced", "draw_from",
        "exchange", "no_exchange", "trains_part", "sharpness", "random", "noise", "fit_one", "fit_both", "fit_joined",
    )

    def chart(self, name: str, data: dict[str, Any]) -> Chart:
        return Chart(name, data, core.make_board(read_figures(name, data)))

    def option_values(self, chart: Chart, players: int, rules: Rules) -> Sequence[int]:
        split = self.option(rules, "split")
        return [] if split == "free" else [int(split.partition("-")[0])]

    # --- moves ---------------------------------------------------------------------
    def token(self, chart: Chart, position: Position, move: int) -> str:
        kind, a, b = unpack(move)
        match kind:
            case Kind.DO_DEAL | Kind.DO_TURN_UP | Kind.DO_DRAW:
                word = {Kind.DO_DEAL: "deal", Kind.DO_TURN_UP: "turn", Kind.DO_DRAW: "draw"}[Kind(kind)]
                return f"{word}:{CARDS[a] if a < core.HIDDEN else '?'}"
            case Kind.DO_DEAL_TICKET | Kind.DO_DRAW_TICKET:
                word = "deal" if kind == Kind.DO_DEAL_TICKET else "draw"
                return f"{word}:ticket:{a + 1 if a != core.HIDDEN_TICKET else '?'}"
            case Kind.DO_KEEP:
                kept = [ticket + 1 for i, ticket in enumerate(core.offered_to(position)) if a >> i & 1]
                return "ticket:keep:" + ",".join(map(str, kept))
            case Kind.DO_KEEP_HIDDEN:
                return "ticket:keep:" + ",".join("?" * a)
            case Kind.DO_PIECES:
                return f"pieces:{a}-{chart.data['pieces']['supply'] - a}" if a else "pieces:?"
            case Kind.DO_TAKE:
                return f"take:{CARDS[a]}"
            case Kind.DO_BLIND | Kind.DO_REFILL | Kind.DO_EXCHANGE:
                word = {Kind.DO_BLIND: "blind", Kind.DO_REFILL: "refill", Kind.DO_EXCHANGE: "exchange"}[Kind(kind)]
                return f"{word}:{DECKS[a]}"
            case Kind.DO_CLAIM:
                return f"claim:{a + 1}"
            case Kind.DO_HARBOUR:
                return f"harbour:{city_word(chart, a)}"
            case Kind.DO_PAY:
                return f"pay:{payment_word(position, core.asked_of(position), b)}"
            case Kind.DO_CLAIM_PAYING:
                return f"claim:{a + 1}:{payment_word(position, a, b)}"
            case Kind.DO_HARBOUR_PAYING:
                return f"harbour:{city_word(chart, a)}:{payment_word(position, core.MAX_ROUTES + a, b)}"
            case Kind.DO_AMOUNT:
                return f"amount:{a}"
        return {Kind.DO_TICKETS: "ticket:draw", Kind.DO_PASS: "pass"}[Kind(kind)]

    def alias(self, chart: Chart, position: Position, token: str) -> str:
        """A route by its name, `claim:chicago-milwaukee-ship-red`, or by as much of it as is needed."""
        kind, *rest = token.split(":")
        if kind == "claim" and rest and not rest[0].isdigit():
            named = [route["no"] for route in chart.data["routes"] if route["id"].startswith(rest[0])]
            if len(named) == 1:
                return ":".join([kind, str(named[0]), *rest[1:]])
        return token

    def unlisted(self, chart: Chart, position: Position, token: str) -> int | None:
        """Any legal payment, named with what is bought (GL-92); on an observer's table any card."""
        kind, *rest = token.split(":")
        if kind in ("turn", "draw", "deal") and len(rest) == 1 and rest[0] in CARDS:
            return packed({"turn": Kind.DO_TURN_UP, "draw": Kind.DO_DRAW, "deal": Kind.DO_DEAL}[kind], CARDS.index(rest[0]))
        if kind == "pay" and len(rest) == 1 and position.figures()["decision"][0] == Decision.PAYING:
            return with_payment(chart, Kind.DO_PAY, core.asked_of(position), 0, rest[0])
        if len(rest) != 2:
            return None
        if kind == "claim" and is_route(chart, rest[0]):
            route = int(rest[0]) - 1
            return with_payment(chart, Kind.DO_CLAIM_PAYING, route, route, rest[1])
        cities = [city["id"] for city in chart.data["cities"]]
        if kind == "harbour" and rest[0] in cities:
            city = cities.index(rest[0])
            return with_payment(chart, Kind.DO_HARBOUR_PAYING, core.MAX_ROUTES + city, city, rest[1])
        return None

    def reason(self, chart: Chart, position: Position, token: str) -> str:
        """Which rule speaks against a move that the decision could have taken."""
        facts = self.facts(chart, position)
        kind, *rest = token.split(":")
        player = f"player {facts['to_move']}"
        if kind not in WANTED[facts["decision"]]:
            return f"{player} has to choose {WAITING[facts['decision']]}"
        if kind == "claim" and rest:
            return self.no_claim(chart, facts, rest)
        if kind == "harbour" and rest:
            return self.no_harbour(chart, facts, rest)
        if kind == "take" and rest and rest[0] in CARDS:
            return "a face-up wild cannot be the second card (GL-32)" if rest[0] in facts["row"] else f"{rest[0]} is not in the row"
        if kind == "blind" and rest and rest[0] in DECKS:
            return f"the {rest[0]} deck is empty (GL-37)"
        if token == "pass":
            return "a player passes only when he can do nothing else (GL-21)"
        if kind == "pay":
            return "no legal payment out of the hand (GL-41 to GL-43, GL-61)"
        return ""

    def no_claim(self, chart: Chart, facts: dict[str, Any], rest: list[str]) -> str:
        if not is_route(chart, rest[0]):
            return f"no route is called '{rest[0]}'"
        route, mover = chart.data["routes"][int(rest[0]) - 1], facts["to_move"]
        owner = facts["owners"].get(route["no"])
        if owner:
            return f"player {owner} owns route {route['no']} (GL-40)"
        other = facts["owners"].get(twin_number(chart, route))
        if other == mover:
            return "nobody owns both lanes of a double route (GL-45)"
        if other and len(facts["players"]) < chart.data["doubles"]["second_lane_open_from_players"]:
            return f"the other lane is claimed, with {len(facts['players'])} players this one is closed (GL-46)"
        pieces = facts["players"][mover - 1][f"{route['kind']}s"]
        if pieces < route["length"]:
            return f"route {route['no']} takes {route['length']} {route['kind']}s, player {mover} has {pieces} (GL-40)"
        if facts["players"][mover - 1]["hand"] is None:
            return f"the payment of player {mover} must be named and fit what is known of the hand: claim:{route['no']}:CARDS"
        return f"no legal payment for route {route['no']}: {route['length']} of {route['colour']} (GL-41 to GL-43)"

    def no_harbour(self, chart: Chart, facts: dict[str, Any], rest: list[str]) -> str:
        city = next((city for city in chart.data["cities"] if city["id"] == rest[0]), None)
        mover = facts["players"][facts["to_move"] - 1]
        if city is None:
            return f"no city is called '{rest[0]}'"
        if not city["port"]:
            return f"{city['name']} is no port (GL-60)"
        if rest[0] in facts["harbours"]:
            return f"{city['name']} has a harbour (GL-60)"
        if not mover["harbours_left"]:
            return f"player {facts['to_move']} has no harbour left (GL-60)"
        if not any(rest[0] in (route["a"], route["b"]) for route in chart.data["routes"] if route["no"] in mover["routes"]):
            return f"player {facts['to_move']} has no route to {city['name']} (GL-60)"
        return "no legal payment: two train cards and two ship cards of one colour with the harbour symbol (GL-61)"

    def explain(self, chart: Chart, position: Position, move: int) -> str:
        figures = position.figures()
        kind, a, b = unpack(move)
        who = seat(figures["seat"][0])
        match kind:
            case Kind.DO_DEAL | Kind.DO_DRAW:
                return f"{who} gets {card_name(a)}"
            case Kind.DO_TURN_UP:
                return f"{card_name(a)} is turned up"
            case Kind.DO_DEAL_TICKET | Kind.DO_DRAW_TICKET:
                return f"{who} is offered {ticket_name(chart, a) if a != core.HIDDEN_TICKET else 'a ticket'}"
            case Kind.DO_KEEP:
                offered = core.offered_to(position)
                kept = [ticket_name(chart, ticket) for i, ticket in enumerate(offered) if a >> i & 1]
                return f"{who} keeps {listing(kept)}" + (f" and returns {len(offered) - len(kept)}" if len(kept) < len(offered) else "")
            case Kind.DO_KEEP_HIDDEN:
                is_told = a > 1 or figures["decision"][0] == Decision.KEEPING       # GL-91: in the setup later
                return f"{who} keeps {plural(a, 'ticket')}" if is_told else f"{who} chooses unseen"
            case Kind.DO_PIECES:
                return f"{who} begins with {a} trains and {chart.data['pieces']['supply'] - a} ships" if a else f"{who} chooses unseen"
            case Kind.DO_TAKE:
                return f"{who} takes {card_name(a)} from the row" + (", the only card of the turn" if a == core.WILD else "")
            case Kind.DO_BLIND:
                return f"{who} draws an unseen card of the {DECKS[a]} deck"
            case Kind.DO_REFILL:
                return f"{who} fills the row from the {DECKS[a]} deck"
            case Kind.DO_CLAIM | Kind.DO_CLAIM_PAYING:
                points = chart.data["scores"]["route_length"][str(chart.data["routes"][a]["length"])]
                words = f"{who} claims {route_name(chart, a)} for {plural(points, 'point')}"
                return words + (f" with {payment_words(position, a, b)}" if kind == Kind.DO_CLAIM_PAYING else "")
            case Kind.DO_HARBOUR | Kind.DO_HARBOUR_PAYING:
                return f"{who} builds a harbour in {chart.data['cities'][a]['name']}"
            case Kind.DO_PAY:
                return f"{who} pays with {payment_words(position, core.asked_of(position), b)}"
            case Kind.DO_TICKETS:
                return f"{who} draws tickets"
            case Kind.DO_EXCHANGE:
                return f"{who} exchanges {PIECES[a]} for {PIECES[1 - a]}"
            case Kind.DO_AMOUNT:
                give = core.asked_of(position)
                return f"{who} gives {a} {PIECES[give]} for {a} {PIECES[1 - give]} and loses {plural(a, 'point')}"
        return f"{who} can do nothing and passes"

    def events(self, chart: Chart, before: Position, move: int, after: Position) -> list[str]:
        """Purchases that paid themselves, sweeps, decks that were remade, the end."""
        old, new = self.facts(chart, before), self.facts(chart, after)
        said = []
        kind, a, _ = unpack(move)
        if kind in (Kind.DO_CLAIM, Kind.DO_HARBOUR) and new["decision"] != "pay":
            asked = a if kind == Kind.DO_CLAIM else core.MAX_ROUTES + a
            said.append(f"paid with {payment_words(before, asked, core.canonical_payments(before, asked)[0])}")
        if new["sweeps"] > old["sweeps"]:
            said.append("three wilds lie in the row: all six cards are discarded (GL-34)")
        for deck in DECKS:
            if new["decks"][deck] > old["decks"][deck]:
                said.append(f"the {deck} deck is made anew of {plural(new['decks'][deck], 'card')}")
        if new["turns_left"] is not None and old["turns_left"] is None:
            said.append(f"the end is near: every player has {chart.data['end']['further_turns_each']} more turns (GL-80)")
        if new["decision"] == "over" and old["decision"] != "over":
            totals = ", ".join(f"{seat(player)} {points}" for player, points in enumerate(after.scores()))
            said.append(f"the game is over: {totals}")
        return said

    def advice(self, chart: Chart, position: Position, move: int, weights: Sequence[float]) -> str:
        """Tickets by their cheapest completion; other moves by what they are worth, and which tickets hang on them."""
        kind, a, _ = unpack(move)
        if kind == Kind.DO_KEEP:
            kept = [ticket for i, ticket in enumerate(core.offered_to(position)) if a >> i & 1]
            return "; ".join(self.ticket_advice(chart, position, ticket) for ticket in kept)
        if kind == Kind.DO_TICKETS:
            held = [ticket for ticket, _, _ in core.tickets_planned(position, weights)]
            return "; ".join(self.ticket_advice(chart, position, ticket) for ticket in held) or "every ticket at hand is completed"
        if kind not in (Kind.DO_TAKE, Kind.DO_BLIND, Kind.DO_CLAIM, Kind.DO_HARBOUR, Kind.DO_EXCHANGE):
            return ""
        worth = f"worth about {core.gains(position, [move], weights)[0]:.0f} points"
        if kind == Kind.DO_CLAIM:
            planned = core.tickets_planned(position, weights)
            if planned and a in planned[0][2]:
                return f"{worth}; it is part of the way for {listing([ticket_name(chart, ticket) for ticket, _, _ in planned])}"
            return f"{worth}; no ticket at hand needs it"
        return worth

    def ticket_advice(self, chart: Chart, position: Position, ticket: int) -> str:
        """`Erie - Kingston (5): 6 spaces missing, Buffalo - Erie 2, ...; contested: Buffalo - Erie by player 2`"""
        name, way = ticket_name(chart, ticket), core.cheapest_way(position, ticket)
        if way is None:
            return f"{name}: cannot be completed any more"
        if not way:
            return f"{name}: completed"
        routes = [chart.data["routes"][route] for route in way]
        steps = listing([f"{ends_of(chart, route)} {route['length']}" for route in routes])
        words = f"{name}: {plural(sum(route['length'] for route in routes), 'space')} missing, {steps}"
        contested = [f"{ends_of(chart, route)} by {listing([seat(rival) for rival in rivals])}"
                     for route in routes if (rivals := self.rivals_at(chart, position, route))]
        return words + (f"; contested: {', '.join(contested)}" if contested else "; not contested")

    def rivals_at(self, chart: Chart, position: Position, route: dict[str, Any]) -> list[int]:
        """The other players with a route at one of its ends."""
        facts = self.facts(chart, position)
        ends = {route["a"], route["b"]}
        return [player for player, figures in enumerate(facts["players"]) if player + 1 != facts["turn"]
                and any(ends & {chart.data["routes"][no - 1]["a"], chart.data["routes"][no - 1]["b"]} for no in figures["routes"])]

    # --- positions -----------------------------------------------------------------
    def facts(self, chart: Chart, position: Position) -> dict[str, Any]:
        figures = position.figures()
        observer = figures["seenby"][0]
        decision = DECISIONS[Decision(figures["decision"][0])]
        mover = position.to_move()
        players = [player_facts(chart, figures, player, observer, decision) for player in range(position.n_players)]
        return {
            "game": self.name,
            "to_move": mover + 1 if mover >= 0 else None,
            "is_chance": mover == CHANCE,
            "decision": decision,
            "turn": figures["seat"][0] + 1 if mover != OVER else None,
            "observer": observer + 1 if observer >= 0 else None,
            "players": players,
            "owners": {no: player for player, facts in enumerate(players, 1) for no in facts["routes"]},
            "harbours": {city: player for player, facts in enumerate(players, 1) for city in facts["harbours"]},
            "row": {CARDS[card]: n for card, n in enumerate(figures["row"]) if n},
            "decks": {deck: figures["ndeck"][i] for i, deck in enumerate(DECKS)},
            "discard": {CARDS[card]: n for card, n in enumerate(figures["discard"]) if n},
            "ticket_deck": figures["nshuffled"][0] + figures["nunder"][0],
            "shuffled_tickets": figures["nshuffled"][0],
            "returned_tickets": [returned_facts(figures, i) for i in range(figures["nunder"][0])],
            "cards_due": figures["cardsdue"][0],
            "sweeps": figures["sweeps"][0],
            "asked": asked_word(chart, decision, figures["asked"][0]),
            "turns_played": figures["turnsplayed"][0],
            "turns_left": figures["turnsleft"][0] if figures["turnsleft"][0] != core.NOT_YET else None,
            "scores": position.scores(),
        }

    def text(self, chart: Chart, position: Position) -> str:
        from railwright.engine.drawing.great_lakes import text
        return text(chart, self.facts(chart, position))

    def scene(self, chart: Chart, position: Position) -> "Scene":
        from railwright.engine.drawing.great_lakes import scene
        return scene(chart, self.facts(chart, position))


# --- names -----------------------------------------------------------------------
def packed(kind: int, a: int, b: int = 0) -> int:
    """A move's number, as `unpack` takes it apart."""
    return kind << 24 | a << 12 | b


def city_word(chart: Chart, node: int) -> str:
    return chart.data["cities"][node]["id"]


def city_name(chart: Chart, word: str) -> str:
    return next(city["name"] for city in chart.data["cities"] if city["id"] == word)


def card_name(card: int) -> str:
    """`a red double ship`, for people."""
    if card >= core.HIDDEN:
        return f"an unseen {DECKS[card - core.HIDDEN]} card"
    if card == core.WILD:
        return "a wild"
    names = ("{} train", "{} train with harbour symbol", "single {} ship", "double {} ship")
    return "a " + names[card % 4].format(COLOURS[card // 4])


def ticket_name(chart: Chart, number: int) -> str:
    ticket = chart.data["tickets"][number]
    return f"{city_name(chart, ticket['a'])} - {city_name(chart, ticket['b'])} ({ticket['points']})"


def ends_of(chart: Chart, route: dict[str, Any]) -> str:
    return f"{city_name(chart, route['a'])} - {city_name(chart, route['b'])}"


def route_name(chart: Chart, number: int) -> str:
    route = chart.data["routes"][number]
    return f"{ends_of(chart, route)} ({route['colour']} {route['kind']} route of {route['length']})"


def twin_number(chart: Chart, route: dict[str, Any]) -> int | None:
    return next((other["no"] for other in chart.data["routes"] if other["id"] == route.get("double_of")), None)


def is_route(chart: Chart, word: str) -> bool:
    return any(word == str(route["no"]) for route in chart.data["routes"])


def payment_word(position: Position, asked: int, payment: int) -> str:
    """`red.train.2+wild.1`: the kinds in the order of CARDS."""
    cards = core.payment_cards(position, asked, payment)
    return "+".join(f"{CARDS[card]}.{n}" for card, n in sorted(cards.items()))


def payment_words(position: Position, asked: int, payment: int) -> str:
    """`2 red train and 1 wild`"""
    cards = core.payment_cards(position, asked, payment)
    return listing([f"{n} {card_name(card).partition(' ')[2]}" for card, n in sorted(cards.items())])


def with_payment(chart: Chart, kind: Kind, asked: int, a: int, text: str) -> int | None:
    """A purchase with the payment that `text` names; None when no payment of that shape exists."""
    counts: dict[str, int] = {}
    for part in text.split("+"):
        card, _, n = part.rpartition(".")
        if card not in CARDS or card in counts or n not in ("1", "2", "3", "4", "5", "6", "7", "8", "9"):
            return None
        counts[card] = int(n)
    if list(counts) != sorted(counts, key=CARDS.index):
        return None
    wilds = counts.pop("wild", 0)
    colours = {card.partition(".")[0] for card in counts}
    if len(colours) > 1:
        return None
    colour = colours.pop() if colours else COLOURS[0]
    is_harbour = asked >= core.MAX_ROUTES
    route = None if is_harbour else chart.data["routes"][asked]
    first, second = ("train.h", "ship1") if route is None else ("train", "train.h") if route["kind"] == "train" else ("ship2", "ship1")
    if not set(counts) <= {f"{colour}.{first}", f"{colour}.{second}"}:
        return None
    x, y = counts.get(f"{colour}.{first}", 0), counts.get(f"{colour}.{second}", 0)
    needed = core.HARBOUR_COST - x - y if route is None else route["length"] - y - (2 * x if route["kind"] == "ship" else x)
    if wilds != max(needed, 0):
        return None
    return packed(kind, a, COLOURS.index(colour) << 8 | x << 4 | y)


def asked_word(chart: Chart, decision: str, asked: int) -> str | None:
    if decision == "amount":
        return PIECES[asked]
    if decision != "pay":
        return None
    return f"route {asked + 1}" if asked < core.MAX_ROUTES else f"harbour {city_word(chart, asked - core.MAX_ROUTES)}"


# --- positions -------------------------------------------------------------------
def player_facts(chart: Chart, figures: dict[str, list[int]], player: int, observer: int, decision: str) -> dict[str, Any]:
    is_seen = observer in (-1, player)
    hand = figures["hand"][player * core.N_PILE:][:core.N_PILE]
    known = figures["known"][player * core.N_CARDS:][:core.N_CARDS]
    routes = figures["routes"][2 * player] | figures["routes"][2 * player + 1] << 64
    return {
        "score": figures["score"][player],
        "trains": figures["supply"][2 * player], "ships": figures["supply"][2 * player + 1],
        "box": {"trains": figures["box"][2 * player], "ships": figures["box"][2 * player + 1]},
        "train_cards": figures["ncards"][2 * player], "ship_cards": figures["ncards"][2 * player + 1],
        "hand": {CARDS[card]: n for card, n in enumerate(hand[:core.N_CARDS]) if n} if is_seen else None,
        "known": {CARDS[card]: n for card, n in enumerate(known) if n},
        "n_tickets": figures["ntickets"][player],
        "tickets": ticket_facts(chart, figures, player) if is_seen or decision == "over" else None,
        "n_offered": figures["noffered"][player],
        "offered": [i + 1 for i in numbers(figures["offered"][player])] if is_seen else None,
        "routes": [i + 1 for i in numbers(routes)],
        "harbours": [city_word(chart, node) for node in numbers(figures["harbours"][player])],
        "harbours_left": figures["harboursleft"][player],
    }


def ticket_facts(chart: Chart, figures: dict[str, list[int]], player: int) -> list[dict[str, Any]]:
    """The tickets of a player, and which of them are completed (GL-52)."""
    group = figures["group"][player * core.MAX_NODES:][:core.MAX_NODES]
    nodes = {city["id"]: i for i, city in enumerate(chart.data["cities"])}
    held = [chart.data["tickets"][i] for i in numbers(figures["tickets"][player])]
    return [{"no": ticket["no"], "a": ticket["a"], "b": ticket["b"], "points": ticket["points"],
             "completed": group[nodes[ticket["a"]]] == group[nodes[ticket["b"]]]} for ticket in held]


def returned_facts(figures: dict[str, list[int]], i: int) -> dict[str, Any]:
    by, ticket = figures["underby"][i] & ~core.BATCH, figures["under"][i]
    return {"by": by + 1 if by != core.UNOWNED else None, "ticket": ticket + 1 if ticket != core.UNKNOWN else None}


def numbers(bits: int) -> list[int]:
    """The members of a set of bits."""
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


# --- the board -------------------------------------------------------------------
def read_figures(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The figures for the core, checked one by one; BoardError names the first fault."""
    board = Reader(name, data)
    cities = read_cities(board)
    figures: dict[str, Any] = {"ports": [city.value["port"] for city in board.at("cities").each()]}
    figures["routes"] = read_routes(board, cities)
    figures["tickets"] = read_tickets(board, cities)
    figures["copies"] = read_copies(board)
    pieces, setup, turn, end, points = (board.at(key) for key in ("pieces", "setup", "turn", "end", "scores"))
    figures["pieces"] = [pieces.at("trains").number(1, 60), pieces.at("ships").number(1, 60)]
    figures["supply"] = pieces.at("supply").number(max(figures["pieces"]) + 1, sum(figures["pieces"]))
    figures["harbours"] = pieces.at("harbours").number(0, 9)
    figures["dealt"] = [setup.at("train_cards").number(0, 5), setup.at("ship_cards").number(0, 5)]
    figures["tickets_dealt"] = setup.at("tickets_dealt").number(2, core.MAX_OFFERED)
    figures["first_kept_min"] = setup.at("tickets_kept_min").number(2, figures["tickets_dealt"])
    figures["tickets_drawn"] = turn.at("tickets_drawn").number(1, core.MAX_OFFERED)
    figures["kept_min"] = turn.at("tickets_kept_min").number(1, 1)
    figures["wilds_that_sweep"] = board.at("cards").at("wilds_that_reset").number(1, core.ROW + 1)
    figures["sweeps_max"] = board.at("cards").at("sweeps_in_succession_at_most").number(0, 9)
    figures["both_lanes_from"] = board.at("doubles").at("second_lane_open_from_players").number(2, core.MAX_SEATS + 1)
    figures["trigger"] = end.at("trigger_pieces_at_most").number(0, figures["supply"] - 1)
    figures["further_turns"] = end.at("further_turns_each").number(1, 9)
    figures["safety_turns"] = end.at("safety_stop_turns_per_player").number(1, 1000)
    lengths = points.at("route_length")
    figures["route_points"] = [0] + [lengths.at(str(length)).number(0, 99) for length in range(1, core.MAX_LENGTH + 1)]
    harbours = points.at("harbour_by_completed_tickets")
    figures["harbour_points"] = [harbours.at(str(n)).number(0, 99) for n in range(core.HARBOUR_STEPS)]
    figures["unbuilt"] = points.at("unbuilt_harbour").number(-99, 0)
    check_fixed_figures(board)
    return figures | ways(figures)


def ways(figures: dict[str, Any]) -> dict[str, Any]:
    """What the judgement wants to know of the map: the routes at each place, and those on short ways between a ticket's cities."""
    n_nodes, routes = len(figures["ports"]), figures["routes"]
    far = [[0 if i == j else FAR for j in range(n_nodes)] for i in range(n_nodes)]
    for a, b, _, _, length, _ in routes:
        far[a][b] = far[b][a] = min(far[a][b], length)
    for k in range(n_nodes):
        for i in range(n_nodes):
            for j in range(n_nodes):
                far[i][j] = min(far[i][j], far[i][k] + far[k][j])
    useful = []
    for start, goal, _ in figures["tickets"]:
        most = far[start][goal] + DETOUR + far[start][goal] // 4
        useful.append([i for i, (a, b, _, _, length, _) in enumerate(routes)
                       if min(far[start][a] + far[b][goal], far[start][b] + far[a][goal]) + length <= most])
    return {
        "route_lengths": [length for _, _, _, _, length, _ in routes],
        "adjacent": [[i for i, route in enumerate(routes) if node in route[:2]] for node in range(n_nodes)],
        "ticket_order": sorted(range(len(useful)), key=lambda i: -far[figures["tickets"][i][0]][figures["tickets"][i][1]]),
        "useful": useful,
    }


def check_fixed_figures(board: Reader) -> None:
    """Figures that the core is built around: a file may state them, but not change them."""
    board.at("cards").at("face_up").number(core.ROW, core.ROW)
    board.at("turn").at("travel_cards").number(core.CARDS_A_TURN, core.CARDS_A_TURN)
    for key in ("train_cards_with_symbol", "ship_cards_with_symbol"):
        board.at("turn").at("harbour_cost").at(key).number(core.HARBOUR_OF_EACH, core.HARBOUR_OF_EACH)
    board.at("scores").at("exchange_per_piece").number(-1, -1)


def read_cities(board: Reader) -> dict[str, int]:
    """The cities and junctions by their ids."""
    cities: dict[str, int] = {}
    for city in board.at("cities").each():
        word = city.at("id").text()
        city.at("name").text()
        is_port, is_junction = city.at("port").flag(), city.at("junction").flag()
        if word in cities or not all(letter.isascii() and (letter.isalnum() or letter == "_") for letter in word):
            raise city.at("id").fail(f"is {word!r}", "a name of its own, of letters, digits and _")
        if is_port and is_junction:
            raise city.at("port").fail("is true at a junction", "false (GL-6)")
        city.at("x").number(0, 10_000)
        city.at("y").number(0, 10_000)
        cities[word] = len(cities)
    if not 2 <= len(cities) <= core.MAX_NODES:
        raise board.at("cities").fail(f"has {len(cities)} places", f"2 to {core.MAX_NODES}")
    return cities


def read_routes(board: Reader, cities: dict[str, int]) -> list[tuple[int, int, int, int, int, int]]:
    routes = board.at("routes").each()
    if not 1 <= len(routes) < core.MAX_ROUTES:
        raise board.at("routes").fail(f"has {len(routes)} routes", f"1 to {core.MAX_ROUTES - 1}")
    words = [route.at("id").text() for route in routes]
    read = []
    for number, route in enumerate(routes):
        route.at("no").number(number + 1, number + 1)
        if words.count(words[number]) > 1:
            raise route.at("id").fail(f"is {words[number]!r}", "a name of its own")
        a, b = (cities[route.at(end).one_of(cities)] for end in ("a", "b"))
        if a == b:
            raise route.at("b").fail(f"is {route.value['b']!r}", "another place than the other end")
        kind = DECKS.index(route.at("kind").one_of(DECKS))
        colour = (*COLOURS, "grey").index(route.at("colour").one_of((*COLOURS, "grey")))
        length = route.at("length").number(1, core.MAX_LENGTH)
        twin = words.index(route.at("double_of").one_of(words)) if route.has("double_of") else core.NO_ROUTE
        read.append((a, b, kind, colour, length, twin))
    for number, route_ in enumerate(read):
        twin = route_[5]
        if twin != core.NO_ROUTE and (read[twin][5] != number or lane_of(route_) != lane_of(read[twin])):
            raise routes[number].at("double_of").fail(
                f"is {words[twin]!r}", "a route of the same ends, kind and length that names this one (GL-45)")
    return read


def lane_of(route: tuple[int, int, int, int, int, int]) -> tuple[frozenset[int], int, int]:
    """What the two lanes of a double route have in common."""
    a, b, kind, _, length, _ = route
    return frozenset((a, b)), kind, length


def read_tickets(board: Reader, cities: dict[str, int]) -> list[tuple[int, int, int]]:
    tickets = board.at("tickets").each()
    least = core.MAX_SEATS * core.MAX_OFFERED
    if not least <= len(tickets) < core.HIDDEN_TICKET:
        raise board.at("tickets").fail(f"has {len(tickets)} tickets", f"{least} to {core.HIDDEN_TICKET - 1}")
    read = []
    for number, ticket in enumerate(tickets):
        ticket.at("no").number(number + 1, number + 1)
        a, b = (cities[ticket.at(end).one_of(cities)] for end in ("a", "b"))
        read.append((a, b, ticket.at("points").number(1, 99)))
    return read


def read_copies(board: Reader) -> list[int]:
    """How often each kind of card is there (GL-1, GL-2)."""
    if [colour.text() for colour in board.at("cards").at("colours").each()] != list(COLOURS):
        raise board.at("cards").at("colours").fail("differ", " ".join(COLOURS))
    kinds = {kind.at("kind").text(): kind for kind in board.at("cards").at("kinds").each()}
    for word in (*KINDS, "wild"):
        if word not in kinds:
            raise board.at("cards").at("kinds").fail(f"has no {word!r}", f"all of {' '.join(KINDS)} wild")
    copies = [kinds[kind].at("per_colour").number(0, 15) for kind in KINDS] * len(COLOURS) + [kinds["wild"].at("count").number(0, 30)]
    for deck, parts in (("train", (0, 1)), ("ship", (2, 3))):
        size = sum(copies[4 * colour + part] for colour in range(len(COLOURS)) for part in parts) + (copies[-1] if deck == "train" else 0)
        if not 40 <= size < core.MAX_PILE:
            raise board.at("cards").fail(f"give {size} cards for the {deck} deck", f"40 to {core.MAX_PILE - 1}")
    return copies
