"""RAIL on the core, in the words of conformance/rail.json."""
import itertools
from typing import Any

from conformance.rail import given as completed
from railwright.cext import rail as core
from railwright.cext.game import MAX_PLAYERS
from railwright.cext.rail import Decision, Entry
from railwright.engine.games.rail import goal_hexes, map_of, matrix, train_figures
from railwright.engine.games.rail_map import NUMBERS, segment
from railwright.engine.table import Table

from subjects import CoreSubject

SEATS = MAX_PLAYERS        # the core's fields have room for the most players
CONSTRUCTION = (Decision.FIRST_PLAYER, Decision.THROWING, Decision.CHOOSING_START, Decision.BUILDING, Decision.ANSWERING_LINE,
                Decision.THROWING_FOR_LINE)


class Subject(CoreSubject):
    def __init__(self, table: Table, names: list[str] | None = None):
        super().__init__(table)
        self.names = names or [str(seat + 1) for seat in range(table.players)]
        self.first = table.position.figures()       # what was spent and received before does not count
        self.joint_line_pips: int | None = None

    def play(self, token: str) -> None:
        decision = self.table.position.figures()["decision"][0]
        super().play(token)
        if decision == Decision.THROWING_FOR_LINE:
            self.joint_line_pips = self.table.position.figures()["pips"][0]

    def facts(self) -> dict[str, Any]:
        table, figures = self.table, self.table.position.figures()
        decision, land = Decision(figures["decision"][0]), map_of(table.chart)
        trains = [train_figures(figures, i) for i in range(figures["ntrains"][0])]
        seats = range(table.players)
        is_construction = decision in CONSTRUCTION
        special = table.chart.data["special_races"]
        paid = {(p, q): matrix(figures, "paid", p, q) for p in seats for q in seats if matrix(figures, "paid", p, q)}
        declared = figures["declared"][0]
        return {
            "accounts": self.by_name(figures["account"]),
            "pips_left": figures["pips"][0] if is_construction else 0,
            "build_cost": figures["cost"][0] - self.first["cost"][0],
            "fees_paid": {self.names[p]: self.by_name([self.fees(figures, p, q) for q in seats]) for p in seats},
            "bonus": self.by_name([now - then for now, then in zip(figures["premiums"], self.first["premiums"], strict=True)]),
            "joint_line_pips": self.joint_line_pips,
            "phase_over": not is_construction,
            "next_turn": self.names[figures["turn"][0]] if is_construction else None,
            "opener": None if is_construction else self.names[figures["opener"][0]],
            "last_round": min(declared + core.ROUNDS_AFTER_DECLARATION, core.LAST_ROUND) if declared else None,
            "ferries": {ferry["id"]: self.names[owner]
                        for ferry, owner in zip(land.ferries, figures["ferries"], strict=False) if owner >= 0},
            "goals": goal_hexes(land, figures),
            "special": bool(figures["choices"][core.ADVANCED]) and figures["race"][0] % special["every"] == 0,
            "candidates": self.candidates(),
            "race_pips": {self.names[train[0]]: train[3] for train in trains if train[2]},
            "fees_due": {self.names[train[0]]: self.by_name(train[7:]) for train in trains if train[2]},
            "net_payments": sorted([self.names[p], self.names[q], points] for (p, q), points in paid.items()),
            "must_change_route": self.offenders(figures, trains) if decision == Decision.REPAIRING else [],
            "race_over": bool(figures["over"][0]),
            "to_go": {self.names[train[0]]: train[3] - train[5] for train in trains if decision == Decision.RUNNING and not train[6]},
            "prizes": self.by_name(figures["prize"]),
            "income": self.by_name([figures["prize"][p] + sum(points for (_, q), points in paid.items() if q == p) for p in seats]),
            "budget": self.by_name(figures["budget"]),
            "budget_left": self.by_name(figures["limit"]),
            "game_over": decision == Decision.GAME_OVER,
            "winners": [self.names[p] for p in self.winners()],
        }

    def by_name(self, points: list[int]) -> dict[str, int]:
        return {name: n for name, n in zip(self.names, points, strict=False) if n}

    def fees(self, figures: dict[str, list[int]], payer: int, receiver: int) -> int:
        return matrix(figures, "buildfees", payer, receiver) - matrix(self.first, "buildfees", payer, receiver)

    def candidates(self) -> dict[str, list[list[int]]]:
        routes = core.routes(self.table.position)
        return {self.names[self.table.to_move]: [[route["pips"], route["fee"]] for route in routes]} if routes else {}

    def offenders(self, figures: dict[str, list[int]], trains: list[list[int]]) -> list[str]:
        """RL-38, recounted here: the core only knows the first."""
        result = []
        for train in trains:
            net = list(train[7:])
            for other in trains:
                if other is not train and train[1] < 0 and other[1] < 0:
                    net[other[0]] -= other[7 + train[0]]
            owed = [max(points, 0) for points in net]
            shares = [sum(owed)] if train[1] < 0 else [-(-sum(owed) // 2), sum(owed) // 2]
            accounts = sorted((figures["account"][p] for p in train[:2] if p >= 0), reverse=True)
            if max(owed) > core.MOST_TO_ONE_RIVAL or any(share > account for share, account in zip(shares, accounts, strict=True)):
                result.append(self.names[train[0]])
        return result


# --- the position of a case --------------------------------------------------------
def given(case: dict[str, Any]) -> Subject:
    """The position of a case, reachable in play or not."""
    position = completed(case)
    names = position["players"]
    rules = {name: str(value).lower() for name, value in position.get("options", {}).items()}
    if position["map"] == "southern_sweden":        # section 7: without effect there, and refused by the tables
        rules.pop("advanced", None)
    table = Table.new("rail", len(names), position["map"], rules)
    table.positions = [table.position.load(fields(table, position, names))]
    table.is_standard_start = False
    race = position.get("race", {})
    if "goal_table" in race:                        # RL-69 filters the goals of that row
        row = next(row for row in table.chart.data["special_races"]["table"] if row["goals"] == race["goal_table"])
        table.play(f"to:{row['roll'].lower()}")
        table.positions = [table.position.load(entry_fields(table, race, {name: i for i, name in enumerate(names)}, 0))]
        table.moves, table.numbers = [], []
    return Subject(table, names)


def fields(table: Table, position: dict[str, Any], names: list[str]) -> dict[str, list[int]]:
    land = map_of(table.chart)
    seat = {name: i for i, name in enumerate(names)}

    def number(place: str) -> int:
        return land.number_of[land.places.get(place, place)]

    owners = bytearray(core.MAX_SEGMENTS)
    for name, lines in position.get("tracks", {}).items():
        for line in lines:
            hexes = [land.places.get(place, place) for place in line]
            for u, v in itertools.pairwise(hexes):
                owners[land.segment_of[segment(u, v)]] |= 1 << seat[name]
    first_edges = [core.NO_HEX] * SEATS
    for name, (u, v) in position.get("first_edges", {}).items():
        first_edges[seat[name]] = land.segment_of[segment(land.places.get(u, u), land.places.get(v, v))]
    starts, accounts = [core.NO_HEX] * SEATS, [core.START_ACCOUNT if i < len(names) else 0 for i in range(SEATS)]
    for name, city in position.get("starts", {}).items():
        starts[seat[name]] = number(city)
    for name, points in position.get("accounts", {}).items():
        accounts[seat[name]] = points
    cities = list(land.cities)
    connected = [land.places.get(city, city) for city in position.get("already_connected", [])]
    ferries = [core.NOBODY] * core.MAX_FERRIES
    for ferry, name in position.get("ferries", {}).items():
        ferries[[f["id"] for f in land.ferries].index(ferry)] = seat[name]
    order = [seat[name] for name in position.get("order", names)]
    result = {
        "track": [int.from_bytes(owners[i:i + 8], "little") for i in range(0, len(owners), 8)], "account": accounts, "start": starts,
        "firstedge": first_edges, "connected": [sum(1 << cities.index(h) for h in connected)], "ferries": ferries,
        "round": [position.get("round_number", 1)], "declared": [position.get("declared_round") or 0], "first": [order[0]],
        "opener": [order[0]], "race": [position.get("race_number", 1)],
        "numbers": [min(position.get("numbers_used", {}).get(str(n), 0), 2) for n in NUMBERS],
    }
    if position.get("phase", "construction") == "construction":
        return result | turn_fields(position, order, seat)
    if "race" in position:
        return result | race_fields(table, position["race"], seat, order[0], number)
    limits = [position.get("budget", {}).get(name, 0) for name in names] + [0] * (SEATS - len(names))
    decision = Decision.EXPANDING if "budget" in position else Decision.DRAWING_START
    return result | {"decision": [int(decision)], "limit": limits}


def turn_fields(position: dict[str, Any], order: list[int], seat: dict[str, int]) -> dict[str, list[int]]:
    """A turn of construction, before the throw or with pips left."""
    turn = seat[position["turn"]] if "turn" in position else order[0]
    used = sum(1 << player for player in order[:order.index(turn)])
    pips = position.get("pips")
    name = next(name for name in seat if seat[name] == turn)
    has_begun = name in position.get("starts", {}) or name in position.get("tracks", {})
    decision = Decision.THROWING if pips is None else Decision.BUILDING if has_begun else Decision.CHOOSING_START
    return {"turn": [turn], "used": [used], "decision": [int(decision)], "pips": [pips or 0], "shared": [min(pips or 0, 12)]}


def race_fields(table: Table, race: dict[str, Any], seat: dict[str, int], opener: int, number: Any) -> dict[str, list[int]]:
    """A race: before the draw of the goal, before or in the entering, or before the routes."""
    result = {"from": [number(race["start"])]}
    figures = table.position.figures()
    if "goals" not in race:
        advanced = bool(figures["choices"][core.ADVANCED])
        return result | {"decision": [int(Decision.DRAWING_GOAL)], "special": [int("goal_table" in race or advanced)]}
    goals = [0] * core.LAND_WORDS
    for place in race["goals"]:
        goals[number(place) >> 6] |= 1 << (number(place) & 63)
    return result | {"goals": goals, "decision": [int(Decision.ENTERING)]} | entry_fields(table, race, seat, opener)


def entry_fields(table: Table, race: dict[str, Any], seat: dict[str, int], opener: int) -> dict[str, list[int]]:
    """Who has entered, who has yet to answer."""
    result: dict[str, list[int]] = {}
    entered = [seat[name] for name in race.get("entered", [])]
    if not entered and "unanswered" not in race:
        return result
    partner = {seat[p]: seat[q] for p, q in race.get("joint", [])}
    entry = [int(Entry.OUT)] * SEATS
    trains: list[int] = []
    for player in entered:
        entry[player] = int(Entry.JOINT if player in partner else Entry.ALONE)
        if player in partner:
            entry[partner[player]] = int(Entry.JOINT)
        trains += [player, partner.get(player, core.NOBODY), *[0] * (core.N_TRAIN_FIGURES - 2)]
    if "unanswered" in race:
        for name in race["unanswered"]:
            entry[seat[name]] = int(Entry.UNANSWERED)
        order = [(opener + i) % table.players for i in range(table.players)]
        entry[next(player for player in order if entry[player] == Entry.OUT)] = int(Entry.UNANSWERED)      # the one who is asked besides
    else:
        result["decision"] = [int(Decision.NAMING)]
    trains += [0] * (SEATS * core.N_TRAIN_FIGURES - len(trains))
    return result | {"entry": entry, "ntrains": [len(entered)], "trains": trains}
