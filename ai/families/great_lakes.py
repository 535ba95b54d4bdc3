"""Four styles of play known from the literature on this family of games, for the Great Lakes.

One-step, long-route, route-focus and destination-hungry are the characters of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based
playtesting of contemporary board games" (2017), written anew for ships, harbours and pieces. They look at what their player
knows, plan with plain shortest ways, and share nothing with our own judgement.
"""
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import Any

from railwright.ai.agent import Agent, Choice, Info, Limits, Report
from railwright.ai.agents import Settings
from railwright.cext import great_lakes as core
from railwright.cext.game import Position, unpack
from railwright.cext.great_lakes import Decision, Kind
from railwright.engine.game import Chart
from railwright.engine.games.great_lakes import numbers
from railwright.engine.table import Table

FAR = 99                        # spaces to a ticket that cannot be completed


@dataclass
class Look:
    """What the player on turn sees, and his way to each ticket."""
    chart: Chart
    position: Position

    @cached_property
    def figures(self) -> dict[str, list[int]]:
        return self.position.figures()

    @cached_property
    def seat(self) -> int:
        return self.figures["seat"][0]

    @cached_property
    def hand(self) -> list[int]:
        return self.figures["hand"][self.seat * core.N_PILE:][:core.N_CARDS]

    @cached_property
    def supply(self) -> list[int]:
        return self.figures["supply"][2 * self.seat:][:2]

    @cached_property
    def routes(self) -> list[dict[str, Any]]:
        return self.chart.data["routes"]

    @cached_property
    def open_tickets(self) -> list[int]:
        """The tickets held and not completed, the most valuable first."""
        held = numbers(self.figures["tickets"][self.seat])
        return sorted((ticket for ticket in held if self.way(ticket) != []), key=lambda ticket: (-self.points(ticket), ticket))

    @cached_property
    def completed(self) -> list[int]:
        return [ticket for ticket in numbers(self.figures["tickets"][self.seat]) if self.way(ticket) == []]

    def points(self, ticket: int) -> int:
        return self.chart.data["tickets"][ticket]["points"]

    def way(self, ticket: int) -> list[int] | None:
        """The routes still to claim, the fewest spaces in all; None when there is no way."""
        return core.cheapest_way(self.position, ticket)

    def spaces(self, ticket: int) -> int:
        way = self.way(ticket)
        return FAR if way is None else sum(self.routes[route]["length"] for route in way)

    def free_routes(self) -> list[int]:
        """Routes that nobody owns and for which there are pieces."""
        taken = {route for seat in range(self.position.n_players) for route in self.owned(seat)}
        return [i for i, route in enumerate(self.routes) if i not in taken and route["length"] <= self.supply[is_ship(route)]]

    def owned(self, seat: int) -> list[int]:
        words = self.figures["routes"][2 * seat:][:2]
        return numbers(words[0] | words[1] << 64)


def is_ship(route: dict[str, Any]) -> int:
    return int(route["kind"] == "ship")


# --- the styles ------------------------------------------------------------------
class Style(Agent):
    """Claims what it is after when it can, and draws cards for it when it cannot. A style says what it is after."""

    @abstractmethod
    def targets(self, look: Look) -> list[int]:
        """The routes to claim, the most wanted first."""

    def wants_tickets(self, look: Look) -> bool:
        """Only when nothing is left to do and there is time for more."""
        return not look.open_tickets and sum(look.supply) >= 15

    def keep(self, look: Look, offered: list[int], least: int) -> list[int]:
        """The tickets to keep: the nearest for their points."""
        ranked = sorted(offered, key=lambda ticket: (look.spaces(ticket) - look.points(ticket), ticket))
        return ranked[:least]

    # --- choosing ----------------------------------------------------------------
    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        position = table.position.view(table.to_move)
        moves = list(limits.searchmoves) or position.legal()
        move = self.decide(Look(table.chart, position), moves) if len(moves) > 1 else moves[0]
        scores = [float(score) for score in position.scores()]
        lines = [Info(1, 1, len(moves), 0.0, 0, [1 / table.players] * table.players, scores, 1, [move])]
        report(lines)
        return Choice(move, lines)

    def decide(self, look: Look, moves: list[int]) -> int:
        decision = look.figures["decision"][0]
        if decision in (Decision.FIRST_TICKETS, Decision.KEEPING):
            return self.best(moves, self.keep_wish(look))
        if decision == Decision.FIRST_PIECES:
            return self.best(moves, lambda kind, a, b: -abs(a - self.trains_wanted(look)))
        if decision == Decision.PAYING:
            return self.best(moves, lambda kind, a, b: -payment_pain(look, b))
        if decision == Decision.REFILLING:
            return self.best(moves, lambda kind, a, b: a == self.kind_wanted(look))
        if decision == Decision.EXCHANGING:
            return self.best(moves, lambda kind, a, b: -a)
        return self.best(moves, self.turn_wish(look))

    @staticmethod
    def best(moves: list[int], wish: Callable[[int, int, int], float]) -> int:
        """The move that is wished for most, the first of equals."""
        return max(moves, key=lambda move: wish(*unpack(move)))

    def keep_wish(self, look: Look) -> Callable[[int, int, int], float]:
        offered = core.offered_to(look.position)
        least = 3 if look.figures["decision"][0] == Decision.FIRST_TICKETS else 1
        kept = set(self.keep(look, offered, least))
        subset = sum(1 << i for i, ticket in enumerate(offered) if ticket in kept)
        return lambda kind, a, b: a == subset

    def trains_wanted(self, look: Look) -> int:
        """What the targets need, and half of the rest."""
        need = Counter(look.routes[route]["kind"] for route in self.targets(look) for _ in range(look.routes[route]["length"]))
        return round(need["train"] + (50 - need["train"] - need["ship"]) / 2)

    def kind_wanted(self, look: Look) -> int:
        targets = self.targets(look)
        return is_ship(look.routes[targets[0]]) if targets else 1

    def turn_wish(self, look: Look) -> Callable[[int, int, int], float]:
        """Tickets, then a claim, then a harbour, then cards; whatever else is possible comes last."""
        targets = self.targets(look)
        rank = {route: len(targets) - i for i, route in enumerate(targets)}
        cards = card_wishes(look, targets)
        asks = self.wants_tickets(look)
        named = Counter(look.chart.data["tickets"][ticket][end] for ticket in look.completed for end in ("a", "b"))
        cities = [city["id"] for city in look.chart.data["cities"]]
        is_late = look.figures["turnsleft"][0] >= 0

        def wish(kind: int, a: int, b: int) -> float:
            if kind == Kind.DO_TICKETS:
                return 5000 if asks else -1
            if kind == Kind.DO_CLAIM:
                if a in rank:
                    return 1000 + rank[a]
                return look.routes[a]["length"] / 10 if not targets or is_late else -2
            if kind == Kind.DO_HARBOUR:
                return 2000 + named[cities[a]] if named[cities[a]] or is_late else -1
            if kind == Kind.DO_TAKE:
                return 1 + cards[a] - (0.5 if a == core.WILD else 0)
            if kind == Kind.DO_BLIND:
                return 1 + mean_wish(look, cards, a)
            return -5
        return wish


class OneStep(Style):
    """Thinks of the present turn alone: after the ticket that is nearest for its points, by the longest routes of its way."""
    name = "one-step"

    def targets(self, look: Look) -> list[int]:
        reachable = [ticket for ticket in look.open_tickets if look.spaces(ticket) < FAR]
        if not reachable:
            return sorted(look.free_routes(), key=lambda route: -look.routes[route]["length"])[:3]
        ticket = max(reachable, key=lambda ticket: look.points(ticket) / look.spaces(ticket))
        return sorted(look.way(ticket) or [], key=lambda route: -look.routes[route]["length"])


class LongRoute(Style):
    """After the longest routes on the map; tickets matter when two routes are equally long."""
    name = "long-route"

    def targets(self, look: Look) -> list[int]:
        served = Counter(route for ticket in look.open_tickets for route in look.way(ticket) or [])
        return sorted(look.free_routes(), key=lambda route: (-look.routes[route]["length"], -served[route], route))[:12]

    def wants_tickets(self, look: Look) -> bool:
        return False


class RouteFocus(Style):
    """Plans ways for all its tickets; first the routes that serve most of them, then by length."""
    name = "route-focus"

    def targets(self, look: Look) -> list[int]:
        served = Counter(route for ticket in look.open_tickets for route in look.way(ticket) or [])
        if served:
            return sorted(served, key=lambda route: (-served[route], -look.routes[route]["length"], route))
        return sorted(look.free_routes(), key=lambda route: -look.routes[route]["length"])[:4]


class DestinationHungry(RouteFocus):
    """Draws tickets at the start until it holds many, keeps what lies near, then builds as one who plans for all of them."""
    name = "destination-hungry"
    ENOUGH = 7

    def wants_tickets(self, look: Look) -> bool:
        return look.figures["ntickets"][look.seat] < self.ENOUGH and sum(look.supply) >= 25

    def keep(self, look: Look, offered: list[int], least: int) -> list[int]:
        planned = {route for ticket in look.open_tickets for route in look.way(ticket) or []}
        spare = sum(look.supply) or 50

        def more(ticket: int) -> int:
            way = look.way(ticket)
            return FAR if way is None else sum(look.routes[route]["length"] for route in way if route not in planned)

        ranked = sorted(offered, key=lambda ticket: (more(ticket) - look.points(ticket), ticket))
        return ranked[:least] + [ticket for ticket in ranked[least:] if more(ticket) <= min(look.points(ticket), spare / 3)]


# --- cards -----------------------------------------------------------------------
def best_colour(look: Look, route: dict[str, Any]) -> int:
    """The colour to pay with: the route's, or on a grey one that of which most is at hand."""
    colours = look.chart.data["cards"]["colours"]
    if route["colour"] in colours:
        return colours.index(route["colour"])
    return max(range(core.N_COLOURS), key=lambda colour: covered(look, route, colour))


def covered(look: Look, route: dict[str, Any], colour: int) -> int:
    plain, symbol, single, double = look.hand[4 * colour:4 * colour + 4]
    return (single + 2 * double if is_ship(route) else plain + symbol) + look.hand[core.WILD]


def card_wishes(look: Look, targets: list[int]) -> list[float]:
    """How much each card is wanted: for the first targets that lack something, the first most."""
    wishes = [0.0] * core.N_CARDS
    weight = 10.0
    for target in targets:
        route = look.routes[target]
        colour = best_colour(look, route)
        missing = route["length"] - covered(look, route, colour)
        if missing <= 0:
            continue
        for card in (2, 3) if is_ship(route) else (0, 1):
            spaces = min(2, missing) if card == 3 else 1
            wishes[4 * colour + card] = max(wishes[4 * colour + card], weight * spaces)
        wishes[core.WILD] = max(wishes[core.WILD], weight * (2.5 if missing == 1 else 0.8))
        weight *= 0.5
    return wishes


def mean_wish(look: Look, wishes: list[float], deck: int) -> float:
    """Of an unseen card: by what the player has not seen yet."""
    fresh = look.figures["fresh"][look.seat * core.N_CARDS:][:core.N_CARDS]
    cards = [card for card in range(core.N_CARDS) if (deck == 0) == (card == core.WILD or card % 4 < 2)]
    total = sum(fresh[card] for card in cards)
    return sum(fresh[card] * wishes[card] for card in cards) / total if total else 0.0


def payment_pain(look: Look, payment: int) -> float:
    """Wilds hurt most, then cards with the harbour symbol, then the others."""
    cards = core.payment_cards(look.position, core.asked_of(look.position), payment)
    return sum(n * (5 if card == core.WILD else 1.5 if card % 4 in (1, 2) else 1) for card, n in cards.items())


def make_one_step(settings: Settings) -> Agent:
    return OneStep()


def make_long_route(settings: Settings) -> Agent:
    return LongRoute()


def make_route_focus(settings: Settings) -> Agent:
    return RouteFocus()


def make_destination_hungry(settings: Settings) -> Agent:
    return DestinationHungry()


AGENTS: dict[str, Callable[[Settings], Agent]] = {
    "one-step": make_one_step, "long-route": make_long_route, "route-focus": make_route_focus,
    "destination-hungry": make_destination_hungry,
}
