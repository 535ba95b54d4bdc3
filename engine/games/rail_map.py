"""RAIL maps: reading a file of the format rail-map-1, with every fault by its place, and the figures for the core."""
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, TypeVar

from railwright.cext import rail as core
from railwright.engine.boards import BoardError, Reader
from railwright.engine.game import nearest

T = TypeVar("T")
FORMAT = "rail-map-1"
LAND, WATER = ("plain", "mountain"), ("sea", "lake")
TERRAINS = (*LAND, *WATER, "off")
NUMBERS = [red * 10 + white for red in range(1, 7) for white in range(1, 7)]
START_RULES = ("any", "distinct_first_edges")
DICE = {"one_die": [str(n) for n in range(1, 7)], "red_value_white_parity": [f"{n}{parity}" for n in range(1, 7) for parity in "JU"]}
MOST_FAULTS = 100                               # that are told of one map
Segment = tuple[str, str]


@dataclass(frozen=True)
class RailMap:
    """What a map file says, looked up by hex and by the core's numbers."""
    terrain: dict[str, str]
    country: dict[str, str | None]
    rivers: frozenset[Segment]
    blocked: frozenset[Segment]
    hexes: tuple[str, ...]                      # that a line can reach, by the core's number
    number_of: dict[str, int]
    segments: tuple[Segment, ...]               # by the core's number
    segment_of: dict[Segment, int]
    cities: dict[str, str]                      # hex -> name, in the order of the file
    numbers: dict[str, list[int]]               # hex -> the numbers of its city
    places: dict[str, str]                      # name -> hex: cities, ports and landings
    place_names: dict[str, str]                 # hex -> name
    ferries: tuple[dict[str, Any], ...]         # by the core's number, that is by id
    rolls: tuple[str, ...]                      # of the table of special races
    labels: tuple[str, ...]

    def place(self, hex_id: str) -> str:
        """`Malmö (3104)`, or the hex alone."""
        name = self.place_names.get(hex_id)
        return f"{name} ({hex_id})" if name else hex_id


def segment(u: str, v: str) -> Segment:
    """A segment, or an edge, is named by its two hexes, the smaller name first."""
    return (u, v) if u < v else (v, u)


def place_of(hex_id: str) -> tuple[int, int]:
    """Row and column, from 1."""
    return int(hex_id[:2]), int(hex_id[2:])


def beside(hex_id: str) -> list[str]:
    """The six hexes around, north-west, north-east, west, east, south-west, south-east: ascending; some may lie off the board."""
    row, column = place_of(hex_id)
    shift = 1 - row % 2                         # even rows lie half a hex further east
    around = [(row - 1, column - 1 + shift), (row - 1, column + shift), (row, column - 1), (row, column + 1),
              (row + 1, column - 1 + shift), (row + 1, column + shift)]
    return [f"{r:02}{c:02}" if 1 <= r <= 99 and 1 <= c <= 99 else "" for r, c in around]


def read_map(name: str, data: dict[str, Any]) -> tuple[RailMap, dict[str, Any]]:
    """The map, and its figures for the core; BoardError names the first fault and how many there are."""
    survey = Survey(name, data)
    survey.run()
    if survey.faults:
        more = f" (and {len(survey.faults) - 1} more: `railwright map check` names them)" if len(survey.faults) > 1 else ""
        raise BoardError(name, survey.faults[0] + more)
    return survey.map(), survey.figures()


def map_faults(name: str, data: dict[str, Any]) -> list[str]:
    """Every fault of a map by its place; none when it is good."""
    survey = Survey(name, data)
    survey.run()
    return survey.faults[:MOST_FAULTS]


class Survey:
    """Goes through a map's file section by section and notes what is wrong."""

    def __init__(self, name: str, data: dict[str, Any]):
        self.board = Reader(name, data)
        self.faults: list[str] = []
        self.terrain: dict[str, str] = {}
        self.country: dict[str, str | None] = {}
        self.rivers: list[Segment] = []
        self.blocked: list[Segment] = []
        self.cities: list[dict[str, Any]] = []
        self.ports: list[dict[str, Any]] = []
        self.landings: list[dict[str, Any]] = []
        self.ferries: list[dict[str, Any]] = []
        self.starts: list[str] = []
        self.special: dict[str, Any] | None = None

    def note(self, fault: str, expected: str) -> None:
        self.faults.append(" ".join(f"{fault}; expected {expected}".split()))

    def take(self, read: Callable[[], T], default: T) -> T:
        """What `read` gives; its BoardError is noted, and `default` stands in."""
        try:
            return read()
        except BoardError as fault:
            self.faults.append(str(fault).removeprefix(f"board {self.board.name}: "))
            return default

    def run(self) -> None:
        """Each part is read when those it needs are sound."""
        self.read_head()
        self.read_grid()
        if self.faults:                         # nothing can be looked up on such a grid
            return
        self.read_places()
        self.read_edges()
        self.read_starts()
        self.read_ferries()
        if not self.faults:
            self.check_ways()
        self.read_special()
        if not self.faults:
            self.check_bounds()

    # --- the parts -------------------------------------------------------------------
    def read_head(self) -> None:
        board = self.board
        for key in ("id", "name"):
            self.take(lambda key=key: board.at(key).text(), "")     # type: ignore[misc]
        self.take(lambda: board.at("format").one_of([FORMAT]), "")
        for key in ("regions", "provenance"):
            entry = self.take(lambda key=key: board.at(key), None)  # type: ignore[misc]
            if entry is not None and not isinstance(entry.value, dict):
                self.note(f"{key} is no object", "{...}")
        if board.has("min_race_distance"):
            self.take(lambda: board.at("min_race_distance").number(1, 99), 0)

    def read_grid(self) -> None:
        board = self.board
        rows = self.take(lambda: board.at("rows").number(1, 99), 0)
        columns = self.take(lambda: board.at("columns").number(1, 99), 0)
        nothing: dict[str, tuple[str, str | None]] = {}
        none: list[str] = []
        legend = self.take(self.read_legend, nothing)
        lines = self.take(lambda: [line.text() for line in board.at("grid").each()], none)
        if self.faults:
            return
        if len(lines) != rows:
            self.note(f"grid has {len(lines)} rows", str(rows))
        for row, line in enumerate(lines, 1):
            if len(line) != columns:
                self.note(f"row {row} of grid has {len(line)} hexes", str(columns))
            for letter in sorted(set(line) - set(legend)):
                column = line.index(letter) + 1
                self.note(f"row {row} of grid: {letter!r} in column {column} is not in legend", f"one of {' '.join(legend)}")
        if self.faults:
            return
        for row, line in enumerate(lines, 1):
            for column, letter in enumerate(line, 1):
                self.terrain[f"{row:02}{column:02}"], self.country[f"{row:02}{column:02}"] = legend[letter]

    def read_legend(self) -> dict[str, tuple[str, str | None]]:
        legend = self.board.at("legend")
        if not isinstance(legend.value, dict):
            raise legend.fail("is no object", "{...}")
        countries = self.board.at("countries")
        if not isinstance(countries.value, dict):
            raise countries.fail("is no object", "{...}")
        for code in countries.value:
            countries.at(code).text()
        result = {}
        for letter in legend.value:
            entry = legend.at(letter)
            if len(letter) != 1:
                raise entry.fail("stands for more than one character", "one")
            country = entry.at("country").one_of(countries.value) if entry.has("country") else None
            result[letter] = entry.at("terrain").one_of(TERRAINS), country
        return result

    def read_places(self) -> None:
        def read(key: str, *others: str) -> list[dict[str, Any]]:
            entries = self.board.at(key).each() if key == "cities" or self.board.has(key) else []
            for entry in entries:
                for word in ("name", "hex", *others):
                    entry.at(word).text()
            return [entry.value for entry in entries]

        self.cities = self.take(lambda: read("cities"), [])
        self.ports = self.take(lambda: read("ports"), [])
        self.landings = self.take(lambda: read("landings", "country"), [])
        if not self.cities and not self.faults:
            self.note("cities is empty", "at least one city")
        self.take(self.read_numbers, None)
        if self.faults:
            return
        self.check_names()
        for city in self.cities:
            if not self.is_home(city["hex"]) or self.terrain[city["hex"]] != "plain":
                self.note(f"city {city['name']!r} at {city['hex']} does not lie on home plain", "a home hex of terrain plain")
        for port in self.ports:
            if not self.is_home(port["hex"]):
                self.note(f"port {port['name']!r} at {port['hex']} does not lie on home land", "a home hex")
        for landing in self.landings:
            if self.country.get(landing["hex"]) != landing["country"] or self.terrain[landing["hex"]] not in LAND:
                self.note(f"landing {landing['name']!r} at {landing['hex']} does not lie in {landing['country']!r}", "a hex of it")

    def read_numbers(self) -> None:
        found: dict[int, str] = {}
        for city in self.board.at("cities").each():
            for number in city.at("numbers").each():
                value = number.number(0, 99)
                if value not in NUMBERS:
                    self.note(f"{number.place} is {value}", "a number of two dice, 11 to 66")
                elif value in found:
                    self.note(f"number {value} of {city.value.get('name')!r} is used twice, also by {found[value]!r}", "each number once")
                found[value] = city.value.get("name")

    def check_names(self) -> None:
        places = [*self.cities, *self.ports, *self.landings]
        for word in ("name", "hex"):
            values = [place[word] for place in places]
            for value in sorted({value for value in values if values.count(value) > 1}):
                self.note(f"two places have the {word} {value!r}", f"each {word} once")
        for place in places:
            if len(place["name"]) == 4 and place["name"].isascii() and place["name"].isdigit():
                self.note(f"place {place['name']!r} is named by four digits", "a name that is no hex")

    def is_home(self, hex_id: str) -> bool:
        return self.terrain.get(hex_id) in LAND and self.country[hex_id] is None

    def read_edges(self) -> None:
        def read(list_: Reader) -> list[Segment]:
            result = []
            for edge in list_.each():
                ends = [end.text() for end in edge.each()]
                if len(ends) != 2:
                    raise edge.fail(f"names {len(ends)} hexes", "two")
                result.append(segment(ends[0], ends[1]))
            return result

        def read_rivers() -> list[tuple[str, Segment]]:
            return [(river.at("name").text(), edge) for river in self.board.at("rivers").each() for edge in read(river.at("edges"))]

        no_rivers: list[tuple[str, Segment]] = []
        rivers = self.take(read_rivers, no_rivers)
        self.blocked = self.take(lambda: read(self.board.at("blocked_edges")), [])
        self.rivers = [edge for _, edge in rivers]
        for what, (u, v) in [*((f"river {name}: edge", edge) for name, edge in rivers), *(("blocked edge", edge) for edge in self.blocked)]:
            if u not in self.terrain or v not in self.terrain or v not in beside(u):
                self.note(f"{what} {u}-{v} joins hexes that do not touch", "two neighbours on the board")
            elif what != "blocked edge" and (self.terrain[u] in WATER or self.terrain[v] in WATER):
                self.note(f"{what} {u}-{v} touches water", "land on both sides")
        for u, v in sorted({edge for edge in self.rivers if self.rivers.count(edge) > 1}):
            self.note(f"river edge {u}-{v} is listed twice", "each edge once")

    def read_starts(self) -> None:
        names = [city["name"] for city in self.cities]
        self.starts = self.take(lambda: [start.text() for start in self.board.at("start_cities").each()], [])
        if not self.starts:
            self.note("start_cities is empty", "at least one city")
        for start in self.starts:
            if start not in names:
                self.note(f"start city {start!r} does not exist", f"the name of a city{nearest(start, names)}")
        rule = self.take(lambda: self.board.at("start_rule").one_of(START_RULES), "any")
        if rule == "distinct_first_edges" and not self.faults:
            hexes = {city["name"]: city["hex"] for city in self.cities}
            for start in self.starts:
                ways = sum(self.is_home(v) and segment(hexes[start], v) not in self.blocked for v in beside(hexes[start]))
                if ways < core.N_DIRECTIONS:
                    self.note(f"start city {start!r} has {ways} sides on which one can build", "six, for distinct_first_edges")

    def read_ferries(self) -> None:
        def read() -> list[dict[str, Any]]:
            result = []
            for entry in self.board.at("ferries").each():
                ferry = {word: entry.at(word).text() for word in ("id", "name", "from", "to")}
                length = entry.at("length").number(1, core.MAX_FERRY_PIPS - core.LOADING)
                price, toll = entry.at("price").number(0, 99), entry.at("toll").number(0, core.MOST_TO_ONE_RIVAL)
                result.append({**ferry, "length": length, "price": price, "toll": toll})
            return result

        self.ferries = self.take(read, [])
        ports, landings = {place["hex"] for place in [*self.cities, *self.ports]}, {place["hex"] for place in self.landings}
        for ferry in self.ferries:
            if ferry["from"] not in ports or ferry["to"] not in landings:
                self.note(f"ferry {ferry['id']!r} leads from {ferry['from']} to {ferry['to']}", "from a port or city to a landing")
        for what, values in (("id", [ferry["id"].lower() for ferry in self.ferries]),
                             ("way", [f"{ferry['from']}-{ferry['to']}" for ferry in self.ferries])):
            for value in sorted({value for value in values if values.count(value) > 1}):
                self.note(f"two ferries have the {what} {value!r}", f"each {what} once")
        for ferry in self.ferries:
            if not ferry["id"].isascii() or not ferry["id"].isalnum():
                self.note(f"ferry {ferry['id']!r} has a name that no move can spell", "letters and digits")
        limits = self.take(lambda: self.board.at("ferry_limits"), Reader("", {}))
        if not isinstance(limits.value, dict):
            self.note("ferry_limits is no object", "{...}")
        if limits.has("max_per_player"):
            self.take(lambda: limits.at("max_per_player").number(0, 99), 0)
        if limits.has("different_ports"):
            self.take(lambda: limits.at("different_ports").flag(), False)

    def read_special(self) -> None:
        special = self.take(lambda: self.board.at("special_races"), Reader("", None))
        if special.value is None:
            return
        self.take(lambda: special.at("every").number(1, 99), 1)
        self.take(lambda: special.at("name").text(), "")
        dice = self.take(lambda: special.at("dice").one_of(DICE), "one_die")
        no_rows: list[dict[str, str]] = []
        rows = self.take(lambda: self.read_rows(special), no_rows)
        rolls = [row["roll"] for row in rows]
        for roll in DICE[dice]:
            if rolls.count(roll) != 1:
                self.note(f"special_races: roll {roll} {'is missing' if roll not in rolls else 'stands twice'}", "each roll once")
        for roll in rolls:
            if roll not in DICE[dice]:
                self.note(f"special_races: roll {roll!r} cannot come", f"one of {' '.join(DICE[dice])}")
        self.special = special.value

    def read_rows(self, special: Reader) -> list[dict[str, str]]:
        names = [place["name"] for place in [*self.cities, *self.ports, *self.landings]]
        within_reach = {self.country[h] for h in self.border_hexes()} | {landing["country"] for landing in self.landings}
        result = []
        for row in special.at("table").each():
            result.append({"roll": row.at("roll").text(), "label": row.at("label").text()})
            goals = row.at("goals").each()
            if not goals:
                self.note(f"{row.place} has no goals", "at least one")
            for goal in goals:
                if goal.has("country"):
                    if goal.at("country").text() not in within_reach:
                        country = goal.value["country"]
                        self.note(f"{row.place}: no hex of {country!r} can be reached", "a country beside home, or with a landing")
                elif goal.at("place").text() not in names:
                    place = goal.value["place"]
                    self.note(f"{row.place}: goal {place!r} is no place", f"a city, port or landing{nearest(place, names)}")
        return result

    # --- what hangs together -----------------------------------------------------------
    def border_hexes(self) -> list[str]:
        """The foreign hexes that a line can reach (RL-60, RL-61)."""
        blocked = set(self.blocked)
        return [h for h in self.terrain if self.terrain[h] in LAND and self.country[h] is not None
                and any(self.is_home(u) and segment(u, h) not in blocked for u in beside(h))]

    def cost(self, u: str, v: str) -> int:
        """RL-13."""
        mountains = (self.terrain[u] == "mountain") + (self.terrain[v] == "mountain")
        return 1 + 2 * mountains + 2 * (segment(u, v) in self.river_set)

    @cached_property
    def river_set(self) -> frozenset[Segment]:
        return frozenset(self.rivers)

    def reached(self, start: str, most_pips: int) -> set[str]:
        """The home hexes that can be reached over segments of at most so many pips."""
        blocked = set(self.blocked)
        found, heads = {start}, [start]
        while heads:
            u = heads.pop()
            for v in beside(u):
                if v not in found and self.is_home(v) and segment(u, v) not in blocked and self.cost(u, v) <= most_pips:
                    found.add(v)
                    heads.append(v)
        return found

    def check_ways(self) -> None:
        """Home hangs together; every start city reaches every city over segments that one die can pay."""
        home = {h for h in self.terrain if self.is_home(h)}
        apart = home - self.reached(min(home), 7)
        if apart:
            self.note(f"home does not hang together: {len(apart)} hexes are apart, {min(apart)} among them", "one piece")
        hexes = {city["name"]: city["hex"] for city in self.cities}
        for start in self.starts:
            found = self.reached(hexes[start], 6)
            for name, h in hexes.items():
                if h not in found:
                    self.note(f"city {name!r} at {h} cannot be reached from {start!r} over segments of at most 6 pips", "a way")

    def check_bounds(self) -> None:
        """What the core has room for."""
        land = self.land()
        for what, n, most in (("hexes that a line can reach", len(land), core.MAX_LAND),
                              ("segments", len(self.segments(land)), core.MAX_SEGMENTS), ("cities", len(self.cities), core.MAX_CITIES),
                              ("start cities", len(self.starts), core.MAX_STARTS),
                              ("ferries", len(self.ferries), core.MAX_FERRIES)):
            if n > most:
                self.note(f"the map has {n} {what}", f"at most {most}")
        if not self.segments(land):
            self.note("the map has no segment that can be built", "at least one")

    # --- what the core wants -------------------------------------------------------------
    def land(self) -> list[str]:
        landings = {landing["hex"] for landing in self.landings}
        return sorted({*(h for h in self.terrain if self.is_home(h)), *self.border_hexes(), *landings})

    def segments(self, land: list[str]) -> list[Segment]:
        known, blocked = set(land), set(self.blocked)
        return [(u, v) for u in land for v in beside(u)
                if v > u and v in known and (u, v) not in blocked and (self.is_home(u) or self.is_home(v))]

    def map(self) -> RailMap:
        land = self.land()
        segments = self.segments(land)
        places = [*self.cities, *self.ports, *self.landings]
        table = self.special["table"] if self.special else []
        return RailMap(
            terrain=self.terrain, country=self.country, rivers=self.river_set, blocked=frozenset(self.blocked),
            hexes=tuple(land), number_of={h: i for i, h in enumerate(land)}, segments=tuple(segments),
            segment_of={s: i for i, s in enumerate(segments)}, cities={city["hex"]: city["name"] for city in self.cities},
            numbers={city["hex"]: sorted(city["numbers"]) for city in self.cities},
            places={place["name"]: place["hex"] for place in places}, place_names={place["hex"]: place["name"] for place in places},
            ferries=tuple(sorted(self.ferries, key=lambda ferry: ferry["id"].lower())),
            rolls=tuple(row["roll"].lower() for row in table), labels=tuple(row["label"] for row in table))

    def figures(self) -> dict[str, Any]:
        land = self.land()
        number_of = {h: i for i, h in enumerate(land)}
        segments = self.segments(land)
        mountain = [self.terrain[h] == "mountain" for h in land]
        pairs = [(number_of[u], number_of[v]) for u, v in segments]
        city_hex = [number_of[city["hex"]] for city in self.cities]
        city_of = {number: i for i, city in enumerate(self.cities) for number in city["numbers"]}
        by_name = {city["name"]: number_of[city["hex"]] for city in self.cities}
        limits = self.board.value["ferry_limits"]
        most = limits.get("max_per_player")
        ferries = [(number_of[f["from"]], number_of[f["to"]], f["length"], f["price"], f["toll"])
                   for f in sorted(self.ferries, key=lambda ferry: ferry["id"].lower())]
        is_abroad = [self.country[h] is not None for h in land]
        return {
            "is_abroad": is_abroad, "ends": pairs, "cost": [self.cost(u, v) for u, v in segments],
            "direction": [beside(u).index(v) for u, v in segments],
            "run_pips": [(climb(mountain, i, j), climb(mountain, j, i)) for i, j in pairs],
            "city_hex": city_hex, "city_of": [city_of.get(number, core.NO_HEX) for number in NUMBERS],
            "start_hex": sorted(by_name[name] for name in set(self.starts)),
            "distinct_first_edges": self.board.value["start_rule"] == "distinct_first_edges",
            "least_distance": self.board.value.get("min_race_distance") or core.LEAST_DISTANCE,
            "ferries": ferries, "ferries_per_player": core.MAX_FERRIES if most is None else most,
            "different_ports": bool(limits.get("different_ports")),
            "special_every": self.special["every"] if self.special else 0,
            "row_goals": [self.goal_numbers(row, number_of) for row in self.special["table"]] if self.special else [],
            "build_pips": building_distances(len(land), pairs, [self.cost(u, v) for u, v in segments], is_abroad, city_hex),
            "distance": land_distances(len(land), pairs, ferries, is_abroad, city_hex),
        }

    def goal_numbers(self, row: dict[str, Any], number_of: dict[str, int]) -> list[int]:
        """RL-67, RL-68: the goals of a row of the table, those of its countries that a line can reach."""
        hexes = {place["name"]: place["hex"] for place in [*self.cities, *self.ports, *self.landings]}
        named = {hexes[goal["place"]] for goal in row["goals"] if "country" not in goal}
        countries = {goal["country"] for goal in row["goals"] if "country" in goal}
        return sorted(number_of[h] for h in named | {h for h in number_of if self.country[h] in countries})


def climb(mountain: list[bool], i: int, j: int) -> int:
    """RL-43: 1 pip, or 2 from a hex that is no mountain onto one that is."""
    return 2 if mountain[j] and not mountain[i] else 1


def building_distances(n: int, pairs: list[tuple[int, int]], costs: list[int], is_abroad: list[bool],
                       city_hex: list[int]) -> list[list[int]]:
    """RL-13: from each city to each hex, in pips of the cheapest line at home."""
    beside: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for (i, j), cost in zip(pairs, costs, strict=True):
        if not is_abroad[i] and not is_abroad[j]:
            beside[i].append((j, cost))
            beside[j].append((i, cost))
    result = []
    for start in city_hex:
        distance = [core.FAR] * n
        distance[start] = 0
        queue = [(0, start)]
        while queue:
            far, here = heappop(queue)
            for there, cost in beside[here] if far == distance[here] else ():
                if far + cost < distance[there]:
                    distance[there] = far + cost
                    heappush(queue, (far + cost, there))
        result.append(distance)
    return result


def land_distances(n: int, pairs: list[tuple[int, int]], ferries: list[tuple[int, int, int, int, int]], is_abroad: list[bool],
                   city_hex: list[int]) -> list[list[int]]:
    """From each city to each hex, in segments and lengths of ferries, as if everything were built (RL-28)."""
    beside: list[list[int]] = [[] for _ in range(n)]
    for i, j in pairs:
        beside[i].append(j)
        beside[j].append(i)
    result = []
    for start in city_hex:
        distance = [core.FAR] * n
        distance[start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in beside[here] if not is_abroad[here] else ():
                if distance[there] == core.FAR:
                    distance[there] = distance[here] + 1
                    queue.append(there)
        for port, landing, length, _, _ in ferries:
            distance[landing] = min(distance[landing], distance[port] + length)
        result.append(distance)
    return result
