"""An opponent for American Rails alone: the valuer, which puts a price in dollars on each action and looks no further.

It is written from what good players say about the game and shares nothing with the evaluation in the core: income slices
over the rounds to come, idle capital, draining a richer rival, tempo, keeping Expand 4 from the next player, and money
alone at the end.
"""
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from threading import Event

from railwright.ai.agent import Agent, Choice, Clock, Limits, Report
from railwright.ai.agents import Settings
from railwright.ai.simple import line, told
from railwright.cext.american_rails import Decision, Kind, Space
from railwright.cext.game import Position, unpack
from railwright.cext.hexes import HEX_WORDS
from railwright.engine.game import Chart
from railwright.engine.hexes import numbers_of
from railwright.engine.table import Table

N_COMPANIES = 6
INCOME_A_DOLLAR = 0.3           # that a treasury becomes when it is spent
SPENT_A_ROUND = 9               # dollars of a treasury
SHARES_A_ROUND = 2              # that leave the supply
GRUDGE = 0.4                    # what the best-placed rival's dollar counts against one's own
DRAIN = 0.2                     # what a dollar out of the richest rival's pocket is worth
TEMPO = 0.5                     # a space further up the track
PROMISE = 0.5                   # of a city that an Expand comes nearer to without reaching it
DENIAL = 0.3                    # of what Expand 4 would bring the next player
PURSE = 0.45                    # of one's money for a share of the preparation round


@dataclass(frozen=True)
class Land:
    """The board, by hex numbers."""
    neighbours: list[list[int]]
    base: list[int]
    per_cube: list[int]
    per_house: list[int]
    exclusive: list[bool]
    city: dict[int, dict]       # the file's entry of each city
    links: list[tuple[int, int, int]]
    chart: Chart


@dataclass
class Scheme:
    """Cubes to place, and what they bring the player."""
    value: float
    cubes: list[tuple[int, int]]        # company and hex, in order


class View:
    """A position as the valuer sees it."""

    def __init__(self, land: Land, position: Position):
        figures = position.figures()
        self.land, self.n = land, position.n_players
        self.cash, self.treasury, self.income = figures["cash"], list(figures["treasury"]), list(figures["income"])
        self.shares = [figures["shares"][p * N_COMPANIES:][:N_COMPANIES] for p in range(self.n)]
        self.owned, self.unsold, self.cubes = figures["sold"], figures["unsold"], list(figures["cubes"])
        self.tracks = [set(numbers_of(figures["track"][c * HEX_WORDS:][:HEX_WORDS])) for c in range(N_COMPANIES)]
        self.houses = set(numbers_of(figures["developed"]))
        self.removed, self.column = figures["removed"][0], figures["column"][0]
        self.order, self.taken = figures["order"], figures["taken"]
        self.rounds = self.rounds_to_come(figures["year"][0])

    def rounds_to_come(self, year: int) -> int:
        """Years left, fewer when the shares run out before."""
        years = len(self.land.chart.data["years"]) - year
        return max(1, min(years, 1 + -(-sum(self.unsold) // SHARES_A_ROUND)))

    def there(self, hex_: int) -> list[int]:
        return [c for c in range(N_COMPANIES) if hex_ in self.tracks[c]]

    def part(self, player: int, company: int) -> float:
        """A player's slice of a company, set against the best-placed rival's."""
        if not self.owned[company]:
            return 0
        slices = [self.shares[p][company] / self.owned[company] for p in range(self.n)]
        return slices[player] - GRUDGE * max(slices[p] for p in range(self.n) if p != player)

    def cost(self, hex_: int) -> int:
        land = self.land
        return land.base[hex_] + land.per_cube[hex_] * len(self.there(hex_)) + land.per_house[hex_] * (hex_ in self.houses)

    def city_income(self, hex_: int, n: int) -> int:
        city, house = self.land.city[hex_], hex_ in self.houses
        return city["shared"] + house if n > 1 else city["full"] + 2 * house

    def arrival(self, player: int, company: int, hex_: int) -> float:
        """What it brings the player in every round when the company comes to the city."""
        if hex_ not in self.land.city:
            return 0
        there = self.there(hex_)
        gain: float = self.city_income(hex_, len(there) + 1)
        gain += sum(bonus for a, b, bonus in self.land.links if hex_ in (a, b) and (a + b - hex_) in self.tracks[company])
        total = gain * self.part(player, company)
        if len(there) == 1:
            total -= (self.city_income(hex_, 1) - self.city_income(hex_, 2)) * self.part(player, there[0])
        return total

    # --- expanding ---
    def scheme(self, player: int, most: int) -> Scheme:
        """City after city, each by the best way for its money, until the cubes are used up."""
        found = Scheme(0, [])
        view = self
        while len(found.cubes) < most:
            best = view.next_leg(player, most - len(found.cubes))
            if best is None or best.value <= 0:
                break
            if view is self:
                view = self.copied()
            for company, hex_ in best.cubes:
                view.treasury[company] -= view.cost(hex_)
                view.tracks[company].add(hex_)
                view.cubes[company] -= 1
            found = Scheme(found.value + best.value, found.cubes + best.cubes)
        return found

    def copied(self) -> "View":
        other = View.__new__(View)
        other.__dict__.update(self.__dict__)
        other.treasury, other.cubes, other.tracks = list(self.treasury), list(self.cubes), [set(track) for track in self.tracks]
        return other

    def next_leg(self, player: int, most: int) -> Scheme | None:
        best = None
        for company in range(N_COMPANIES):
            if self.shares[player][company] and self.cubes[company] and self.tracks[company]:
                for leg in self.legs(player, company, most):
                    if best is None or leg.value / len(leg.cubes) > best.value / len(best.cubes):
                        best = leg
        return best

    def legs(self, player: int, company: int, most: int) -> list[Scheme]:
        """The ways to the cities nearby: whole ones, or their beginning."""
        found = []
        reserve = 0.15 * self.part(player, company) * min(self.rounds - 1, 3)       # a dollar of the treasury may be used later
        for city, way in self.ways(company).items():
            yearly = self.arrival(player, company, city)
            steps, spent = [], 0
            for hex_ in way[:min(most, self.cubes[company])]:
                if spent + self.cost(hex_) > self.treasury[company]:
                    break
                spent += self.cost(hex_)
                steps.append((company, hex_))
            if not steps or yearly <= 0:
                continue
            reached = len(steps) == len(way)
            value = yearly * self.rounds if reached else PROMISE * yearly * (self.rounds - 1) * len(steps) / len(way)
            found.append(Scheme(value - reserve * spent, steps))
        return found

    def ways(self, company: int, reach: int = 8) -> dict[int, list[int]]:
        """The cheapest way to every city within so many cubes."""
        best = dict.fromkeys(self.tracks[company], 0)
        queue = [(0, hex_, ()) for hex_ in self.tracks[company]]
        found: dict[int, list[int]] = {}
        while queue:
            spent, here, way = heappop(queue)
            if spent > best[here]:
                continue
            if way and here in self.land.city:
                found.setdefault(here, list(way))
            if len(way) == reach:
                continue
            for there in self.land.neighbours[here]:
                if there in self.tracks[company] or (self.land.exclusive[there] and self.there(there)):
                    continue
                further = spent + self.cost(there)
                if further < best.get(there, 1 << 30):
                    best[there] = further
                    heappush(queue, (further, there, (*way, there)))
        return found

    # --- shares ---
    def share_value(self, player: int, company: int) -> float:
        """The dividends that the next share will pay, with growth, less what they take from the shares held."""
        after = self.owned[company] + 1
        income = self.income[company] if self.tracks[company] else 5
        growth = INCOME_A_DOLLAR * min(self.treasury[company] + 10, SPENT_A_ROUND * (self.rounds - 1)) / 2
        held = self.shares[player][company]
        later = after + 0.3 * (self.unsold[company] - 1) * (self.rounds > 1)
        gain = (held + 1) * (income + growth) / later - (held * (income + growth) / max(self.owned[company], 1))
        value = max(gain * self.rounds, (income + growth) / later * self.rounds * 0.5)
        return min(value, PURSE * self.cash[player]) if self.column == 0 else value

    def sale(self, company: int) -> tuple[int, float]:
        """Who would buy the share, and for how much; -1 for nobody."""
        limits = sorted(((min(self.share_value(p, company), self.cash[p]), p) for p in range(self.n)), reverse=True)
        if limits[0][0] < self.land.chart.data["min_bid"]:
            return -1, 0
        return limits[0][1], max(self.land.chart.data["min_bid"], limits[1][0])

    def offer_value(self, player: int, company: int) -> float:
        buyer, price = self.sale(company)
        if buyer < 0:
            return -0.5
        idle = INCOME_A_DOLLAR * min(price, SPENT_A_ROUND) * max(self.rounds - 1, 0) / 2
        if buyer == player:
            return self.share_value(player, company) - price + 0.3 * idle * self.part(player, company)
        richest = max((p for p in range(self.n) if p != player), key=lambda p: self.cash[p])
        held, owned = self.shares[player][company], self.owned[company]
        dilution = held * self.income[company] * self.rounds * (1 / max(owned, 1) - 1 / (owned + 1))
        return DRAIN * price * (buyer == richest) + idle * self.part(player, company) - dilution

    # --- the other actions ---
    def fund_value(self, player: int, company: int) -> float:
        """Idle capital is worth nothing, working capital its income over the rounds to come."""
        room = SPENT_A_ROUND * (self.rounds - 1) - self.treasury[company]
        return INCOME_A_DOLLAR * max(0, min(5, room)) * (self.rounds - 1) * self.part(player, company) * 0.6

    def house_value(self, player: int, hex_: int) -> float:
        there = self.there(hex_)
        return sum((2 if len(there) == 1 else 1) * self.rounds * self.part(player, company) for company in there)

    def best_house(self, player: int) -> float:
        places = {hex_ for track in self.tracks for hex_ in track if hex_ in self.land.city} - self.houses
        values = [self.house_value(player, hex_) for hex_ in places if self.land.city[hex_]["developable"]]
        return max([0, *values])

    def levy_value(self, player: int) -> float:
        return sum(min(2, self.cash[p]) for p in range(self.n) if p != player) / (self.n - 1) * 0.8

    def space_value(self, player: int, space: int) -> float:
        """The best that the space allows, and where it stands on the track."""
        spaces = self.land.chart.data["action_track"]["spaces"]
        tempo = TEMPO * (len(spaces) - 1 - space) * (self.rounds > 1)
        if space == Space.ON_DEVELOP:
            return tempo + self.best_house(player)
        if space == Space.ON_FUND:
            return tempo + max([0, *(self.fund_value(player, c) for c in range(N_COMPANIES) if c != self.removed)])
        if space == Space.ON_TAKE:
            cubes = self.scheme(player, spaces[space]["expand"]).value if "expand2" in spaces[space]["options"][str(self.n)] else 0
            return tempo + max(2, self.levy_value(player), cubes)
        if space == Space.ON_AUCTION:
            return tempo + max([0, *(self.offer_value(player, c) for c in range(N_COMPANIES) if self.unsold[c])])
        if space in (Space.ON_EXPAND_3, Space.ON_EXPAND_4):
            return tempo + self.scheme(player, spaces[space]["expand"]).value + self.denied(player, space)
        return tempo

    def denied(self, player: int, space: int) -> float:
        """Expand 4 is kept from the next player, who then has to be content with Expand 3."""
        waiting = [p for p in self.order if p >= 0 and p not in self.taken and p != player]
        if space != Space.ON_EXPAND_4 or not waiting:
            return 0
        return DENIAL * max(0, self.scheme(waiting[0], 4).value - self.scheme(waiting[0], 3).value)

    def start_value(self, hex_: int) -> float:
        """A first cube: the city's own value, and the cities not far from it."""
        self.tracks.append({hex_})
        near = sorted((self.city_income(city, len(self.there(city)) + 1) / sum(map(self.cost, way))
                       for city, way in self.ways(len(self.tracks) - 1, 5).items()), reverse=True)
        self.tracks.pop()
        return self.rounds * (self.land.city[hex_]["full"] + 6 * sum(near[:3]) / 3)

    def wealth(self, player: int) -> float:
        """Money, and the dividends to come at today's incomes."""
        return self.cash[player] + sum(self.shares[player][c] * self.income[c] / self.owned[c] * self.rounds
                                       for c in range(N_COMPANIES) if self.owned[c])


class Valuer(Agent):
    """The move with the highest value in dollars, one move deep."""
    name = "valuer"

    def __init__(self) -> None:
        self.land: Land | None = None           # of the board played on last

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        clock = Clock(limits, stop)
        if self.land is None or self.land.chart is not table.chart:
            self.land = read_land(table.chart)
        view, player = View(self.land, table.position), table.to_move
        moves = list(limits.searchmoves) or table.position.legal()
        values = self.values(view, table.position, player, moves)
        ranked = sorted(moves, key=lambda move: -values[move])[:limits.multipv]
        expected = [view.wealth(seat) for seat in range(table.players)]
        return told([line(move, expected, table.position, len(moves), clock) for move in ranked], report)

    def values(self, view: View, position: Position, player: int, moves: list[int]) -> dict[int, float]:
        figures = position.figures()
        if figures["decision"][0] == Decision.BIDDING:
            return self.bid_values(view, player, figures["auction"][0], moves)
        plan = view.scheme(player, figures["left"][0]) if figures["decision"][0] == Decision.EXPANDING else Scheme(0, [])
        return {move: self.value(view, player, plan, move) for move in moves}

    def bid_values(self, view: View, player: int, company: int, moves: list[int]) -> dict[int, float]:
        """The least bid while it is below the value; else a pass."""
        worth = view.share_value(player, company)
        result = {}
        for move in moves:
            kind, a, b = unpack(move)
            result[move] = worth - (a << 12 | b) if kind == Kind.DO_BID else 0
        return result

    def value(self, view: View, player: int, plan: Scheme, move: int) -> float:
        kind, a, b = unpack(move)
        if kind == Kind.DO_CHOOSE:
            return view.space_value(player, a)
        if kind == Kind.DO_PLACE:
            return 1 if plan.cubes and plan.cubes[0] == (a, b) else -1
        if kind == Kind.DO_OFFER:
            return view.offer_value(player, a)
        if kind == Kind.DO_START:
            return view.start_value(a)
        if kind == Kind.DO_DEVELOP:
            return view.house_value(player, a)
        if kind == Kind.DO_FUND:
            return view.fund_value(player, a)
        if kind == Kind.DO_TAKE:
            return 2
        if kind == Kind.DO_LEVY:
            return view.levy_value(player)
        return view.scheme(player, 2).value if kind == Kind.DO_EXPAND else 0


def read_land(chart: Chart) -> Land:
    hexes, costs = chart.data["hexes"], chart.data["terrain_cost"]
    numbers = {hex_["id"]: i for i, hex_ in enumerate(hexes)}
    named = {city["name"]: numbers[city["hex"]] for city in chart.data["cities"]}
    kinds = [costs[hex_["terrain"]] for hex_ in hexes]
    return Land(
        [[numbers[name] for name in hex_["neighbours"].values()] for hex_ in hexes], [kind["base"] for kind in kinds],
        [kind["per_cube"] for kind in kinds], [kind["per_house"] for kind in kinds], [kind["max_cubes"] == 1 for kind in kinds],
        {numbers[city["hex"]]: city for city in chart.data["cities"]},
        [(*(named[name] for name in link["cities"]), link["bonus"]) for link in chart.data["special_connections"]], chart)


def make_valuer(settings: Settings) -> Agent:
    return Valuer()


AGENTS: dict[str, Callable[[Settings], Agent]] = {"valuer": make_valuer}
