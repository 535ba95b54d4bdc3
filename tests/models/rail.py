"""RAIL (Railway Rivals): a slow model of rules RL-1 to RL-70 and of the map format, written from the rules alone."""

from __future__ import annotations

import heapq
from collections import Counter
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import pairwise

# --- 1. components and figures -------------------------------------------------------

START_ACCOUNT = 20  # RL-2
PREMIUM = 6  # RL-14
JOIN_FEE = 1  # RL-16
HALF_HEX_FEE = 2  # RL-16
RUN_FEE = 1  # RL-36
MOST_TO_ONE_RIVAL = 10  # RL-37
PRIZES = [20, 10]  # RL-46
LEAST_DISTANCE = 6  # RL-28, where the map names none
TARGET = {2: 250, 3: 250, 4: 225, 5: 200, 6: 200}  # RL-52
LAST_ROUND = 60  # RL-25a
ROUNDS_AFTER_DECLARATION = 2  # RL-24
LAST_RACE = 150  # RL-55
LOADING = 2  # RL-65: pips for loading and unloading a ferry
DEAREST_CANDIDATE = 20  # section 10, step 4

LAND = ("plain", "mountain")
WATER = ("sea", "lake")

Segment = tuple[str, str]


def segment(u: str, v: str) -> Segment:
    """A segment (or an edge) is named by its two hexes, the smaller name first."""
    return (u, v) if u < v else (v, u)


def neighbour_names(hex_id: str, rows: int, columns: int) -> list[str]:
    """The neighbours on the board: pointy hexes in rows, even rows shifted right by half a hex (map format)."""
    row, column = int(hex_id[:2]), int(hex_id[2:])
    shift = 0 if row % 2 == 1 else 1
    around = [
        (row, column - 1),
        (row, column + 1),
        (row - 1, column - 1 + shift),
        (row - 1, column + shift),
        (row + 1, column - 1 + shift),
        (row + 1, column + shift),
    ]
    return sorted(f"{r:02}{c:02}" for r, c in around if 1 <= r <= rows and 1 <= c <= columns)


class Board:
    """What a map file says, looked up by hex. Never changed, shared by all copies of a model."""

    def __init__(self, data: dict) -> None:
        self.terrain: dict[str, str] = {}
        self.country: dict[str, str | None] = {}
        for row, line in enumerate(data["grid"], 1):
            for column, character in enumerate(line, 1):
                meaning = data["legend"][character]
                self.terrain[f"{row:02}{column:02}"] = meaning["terrain"]
                self.country[f"{row:02}{column:02}"] = meaning.get("country")
        self.abroad: dict[str, set[str]] = {code: set() for code in data["countries"]}
        for h, country in self.country.items():
            if country is not None:
                self.abroad[country].add(h)
        self.neighbours = {h: neighbour_names(h, data["rows"], data["columns"]) for h in self.terrain}
        self.rivers = {segment(*edge) for river in data["rivers"] for edge in river["edges"]}
        self.blocked = {segment(*edge) for edge in data["blocked_edges"]}
        self.cities = {city["hex"]: city["name"] for city in data["cities"]}
        self.numbers = {number: city["hex"] for city in data["cities"] for number in city["numbers"]}
        places = [*data["cities"], *data.get("ports", []), *data.get("landings", [])]
        self.places = {place["name"]: place["hex"] for place in places}
        self.start_cities = sorted(self.places[name] for name in data["start_cities"])
        self.distinct_first_edges = data["start_rule"] == "distinct_first_edges"
        self.least_distance = data.get("min_race_distance", LEAST_DISTANCE)
        self.ferries = {ferry["id"].lower(): ferry for ferry in data["ferries"]}
        self.ferry_limits = data["ferry_limits"]
        self.special = data["special_races"]

    def building_cost(self, u: str, v: str) -> int:
        """RL-13: 1, and 2 for each mountain, and 2 for a river."""
        mountains = [self.terrain[u], self.terrain[v]].count("mountain")
        return 1 + 2 * mountains + (2 if segment(u, v) in self.rivers else 0)

    def running_cost(self, u: str, v: str) -> int:
        """RL-43: 1, or 2 from a hex that is no mountain onto one that is."""
        return 2 if self.terrain[u] != "mountain" and self.terrain[v] == "mountain" else 1

    def hex_of(self, name: str) -> str:
        """A place's hex; a hex stands for itself."""
        return self.places.get(name, name)


# --- 8. options ----------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """Section 8, with its defaults."""

    dice: int = 2  # RL-7, RL-56
    shared_throw: bool = False  # RL-57
    joint_lines: bool = False  # RL-58
    joint_runs: bool = True  # RL-33
    ten_percent: bool = False  # RL-59
    chained: bool = False  # RL-59a
    races: int | None = None  # RL-54: the number of races; None in the target game
    advanced: bool = False  # RL-60 ff.
    city_parallel_free: bool = False  # RL-18
    deferred_join_fee: bool = False  # RL-18


FLAGS = ("shared_throw", "joint_lines", "joint_runs", "chained", "advanced", "city_parallel_free", "deferred_join_fee")
VALUES = {
    **dict.fromkeys(FLAGS, ("true", "false")),
    "dice": ("2", "1"),
    "expansion": ("race_income", "ten_percent"),
    "end": ("target", "races"),
}


def read_options(rules: dict[str, str], numbers: int) -> Options:
    """The options of `rules`, on a map with so many numbers."""
    races = (str(numbers // 2), str(numbers))  # RL-54
    for name, value in rules.items():
        allowed = races if name == "races" else VALUES.get(name)
        if allowed is None:
            raise ValueError(f"rules: got {name!r}; expected one of {' '.join([*VALUES, 'races'])}")
        if value not in allowed:
            raise ValueError(f"rules {name}: got {value!r}; expected one of {' '.join(allowed)}")
    options = Options(**{name: rules[name] == "true" for name in FLAGS if name in rules})
    return replace(
        options,
        dice=int(rules.get("dice", "2")),
        ten_percent=rules.get("expansion") == "ten_percent",
        races=int(rules.get("races", races[0])) if rules.get("end") == "races" else None,
    )


# --- what a race is made of ----------------------------------------------------------


@dataclass(frozen=True)
class Route:
    """A way from the start to a goal."""

    hexes: tuple[str, ...]
    pips: int  # RL-43, RL-65
    fees: dict[int, int]  # RL-36: rival -> points before setting off


@dataclass
class Train:
    """A train that has entered, of one player or of two (RL-33: the proposer first)."""

    members: tuple[int, ...]
    route: Route | None = None
    thrown: int = 0  # RL-44: the sum of its throws
    arrived: int | None = None  # the round of the race in which it arrived


@dataclass
class Report:
    """What there is to tell about the race that runs or was the last, by seat."""

    race_pips: dict[int, int] = field(default_factory=dict)
    fees_due: dict[int, dict[int, int]] = field(default_factory=dict)
    net_payments: list[tuple[int, int, int]] = field(default_factory=list)
    prizes: dict[int, int] = field(default_factory=dict)
    received: dict[int, int] = field(default_factory=dict)
    budget: dict[int, int] = field(default_factory=dict)
    is_over: bool = False


CHANCE_STAGES = ("first", "throw", "line throw", "from", "to", "run")


class Model:
    """A position. Players are seats 0 to n-1 (in tokens 1 to n), hexes go by their four digits."""

    def __init__(self, board: dict, players: int, rules: dict[str, str] | None = None) -> None:
        """RL-1, RL-2: accounts of 20 and an empty map; nobody knows yet who begins (RL-4)."""
        if not 2 <= players <= 6:
            raise ValueError(f"players: got {players}; expected 2 to 6")
        self.board = Board(board)
        self.options = read_options(rules or {}, len(self.board.numbers))
        # section 7: on a map without special races the advanced rules have no effect
        self.is_advanced = self.options.advanced and self.board.special is not None
        self.players = players
        self.names = [str(seat + 1) for seat in range(players)]
        self.stage = "first"
        # what stands on the map
        self.accounts = [START_ACCOUNT] * players
        self.starts: list[str | None] = [None] * players
        self.tracks: list[set[Segment]] = [set() for _ in range(players)]
        self.touched: list[set[str]] = [set() for _ in range(players)]  # the hexes that the track touches
        self.first_edges: list[Segment | None] = [None] * players  # RL-12
        self.further_connected: set[str] = set()  # only in positions that were given
        self.ferry_owner: dict[str, int] = {}
        # construction
        self.round = 1
        self.order = list(range(players))  # RL-6: of this round
        self.turns_used: set[int] = set()  # who has had a turn in this round
        self.turn = 0
        self.pips = 0
        self.shared_pips = 0  # RL-57: the throw of this round
        self.declared: int | None = None  # RL-24: the round of the declaration
        self.is_first_step = True  # RL-58: no build step yet in this turn
        self.partner: int | None = None  # RL-58: with whom the player in turn builds
        self.offered_to: int | None = None  # who has to answer, to a joint line or a joint run
        self.refusals: set[int] = set()  # who refused the player in turn, in this turn
        self.joint_line_pips: int | None = None
        # the races
        self.race_number = 1  # RL-26
        self.opener = 0
        self.start: str | None = None
        self.goals: list[str] = []
        self.is_special_run = False  # RL-66: the goal comes from the table
        self.least_distance = self.board.least_distance  # RL-30: of this draw
        self.reach: dict[str, dict[str, int]] = {}  # RL-28: city -> hex -> distance, when a race is drawn
        self.chained_start: str | None = None  # RL-59a
        self.numbers_used: Counter[int] = Counter()  # RL-54
        self.entries: list[str | None] = [None] * players  # None: not answered yet; out, alone, joint
        self.trains: list[Train] = []  # in order
        self.race_round = 1
        self.still_to_throw: list[int] = []  # in this round of the race
        self.limits = [0] * players  # RL-49: what is left of them
        # for those who ask afterwards
        self.build_cost = 0
        self.fees_paid: Counter[tuple[int, int]] = Counter()
        self.bonus: Counter[int] = Counter()
        self.report = Report()

    def copy(self) -> Model:
        twin = copy(self)
        for name in ("accounts", "starts", "first_edges", "order", "goals", "entries", "limits"):
            setattr(twin, name, list(getattr(self, name)))
        for name in ("further_connected", "turns_used", "refusals"):
            setattr(twin, name, set(getattr(self, name)))
        for name in ("ferry_owner", "numbers_used", "fees_paid", "bonus"):
            setattr(twin, name, copy(getattr(self, name)))
        twin.tracks = [set(track) for track in self.tracks]
        twin.touched = [set(hexes) for hexes in self.touched]
        twin.trains = [replace(train) for train in self.trains]
        twin.report = replace(self.report)  # its entries are replaced, never changed
        return twin

    # --- 2. setup ---------------------------------------------------------------------

    @classmethod
    def new(cls, board: dict, players: int, rules: dict[str, str] | None = None) -> Model:
        """The start of a game: the throw for who begins (RL-4)."""
        return cls(board, players, rules)

    def clockwise_from(self, seat: int) -> list[int]:
        return [(seat + i) % self.players for i in range(self.players)]

    # --- 10. decisions ----------------------------------------------------------------

    def to_move(self) -> int | str:
        if self.stage == "over":
            return "over"
        if self.stage in CHANCE_STAGES:
            return "chance"
        if self.stage in ("start", "build"):
            return self.turn
        if self.stage in ("line answer", "run answer"):
            return self.offered_to
        if self.stage == "enter":
            return self.asked()
        if self.stage == "route":
            return self.next_to_name().members[0]
        if self.stage == "repair":
            return self.offenders()[0].members[0]
        return self.expander()

    def chance(self) -> dict[str, int]:
        """The outcomes and their weights."""
        if self.stage == "first":  # RL-4
            return {f"first:{seat + 1}": 1 for seat in range(self.players)}
        if self.stage in ("throw", "line throw"):
            if self.options.dice == 1:  # RL-56
                return {f"throw:{n}": 1 for n in range(1, 7)}
            return {f"throw:{n}": 6 - abs(7 - n) for n in range(2, 13)}  # RL-7
        if self.stage == "from":  # RL-29
            return {f"from:{number}": 1 for number in self.start_numbers()}
        if self.stage == "to":  # RL-29, RL-69
            return {f"to:{goal}": 1 for goal in self.goals_from(self.start)}
        if self.stage == "run":  # RL-42
            return {f"die:{n}": 1 for n in range(1, 7)}
        return {}

    def legal(self) -> list[str]:
        """The options of the decision, in the order of the table of section 10, hexes ascending."""
        if self.to_move() == "chance":
            return list(self.chance())
        if self.stage == "start":
            return [f"start:{h}" for h in self.board.start_cities]
        if self.stage == "build":
            offers = [f"joint:{q + 1}" for q in range(self.players) if self.line_offer_fault(q) is None]
            declare = ["declare"] if self.declare_fault() is None else []
            return [*offers, *self.segment_tokens(), "end", *declare, *self.ferry_tokens()]
        if self.stage in ("line answer", "run answer"):
            return ["accept", "refuse"]
        if self.stage == "enter":
            return self.entry_tokens()
        if self.stage == "route":
            return self.route_tokens(self.route_candidates()) or ["withdraw"]
        if self.stage == "repair":
            return [*self.route_tokens(self.route_candidates()), "withdraw"]
        if self.stage == "expand":
            return [*self.segment_tokens(), "end", *self.ferry_tokens()]
        return []

    def play(self, token: str) -> None:
        """Plays a legal move. Of routes and entries also those that `legal` does not list; of segments either way
        round. A refusal begins with the reason code of section 12, where it has one."""
        if self.stage == "over":
            raise ValueError("the game is over")
        kind, _, rest = token.partition(":")
        moves = {
            "first": {"first": self.play_first},
            "throw": {"throw": self.play_throw},
            "start": {"start": self.play_start},
            "build": {
                "joint": self.play_line_offer,
                "build": self.play_build,
                "end": self.play_end,
                "declare": self.play_declare,
                "ferry": self.play_ferry,
            },
            "line answer": {"accept": self.play_line_accept, "refuse": self.play_line_refuse},
            "line throw": {"throw": self.play_line_throw},
            "from": {"from": self.play_from},
            "to": {"to": self.play_to},
            "enter": {"out": self.play_out, "alone": self.play_alone, "joint": self.play_run_offer},
            "run answer": {"accept": self.play_run_accept, "refuse": self.play_run_refuse},
            "route": {"route": self.play_route, "withdraw": self.play_withdraw},
            "repair": {"route": self.play_route, "withdraw": self.play_withdraw},
            "run": {"die": self.play_die},
            "expand": {"build": self.play_build, "end": self.play_end, "ferry": self.play_ferry},
        }[self.stage]
        has_operand = kind in ("first", "throw", "start", "joint", "build", "ferry", "from", "to", "route", "die")
        if kind not in moves or bool(rest) != has_operand or token == f"{kind}:":
            raise ValueError(f"{token!r} is no move of this decision; expected one of {' '.join(moves)}")
        if self.stage in CHANCE_STAGES and token not in self.chance():
            raise ValueError(f"{token!r} cannot come; expected one of {' '.join(self.chance())}")
        if has_operand:
            moves[kind](rest)
        else:
            moves[kind]()

    def seat_named(self, text: str) -> int:
        """The other player whom a token names by a 1-based seat."""
        seats = [str(seat + 1) for seat in range(self.players)]
        if text not in seats or int(text) - 1 == self.to_move():
            raise ValueError(f"player {text!r}: expected another player's seat from 1 to {self.players}")
        return int(text) - 1

    # --- 3.1 rounds and turns ---------------------------------------------------------

    def play_first(self, rest: str) -> None:
        """RL-4."""
        self.order = self.clockwise_from(int(rest) - 1)
        self.begin_round()

    def begin_round(self) -> None:
        self.turns_used = set()
        self.turn = self.order[0]
        self.stage = "throw"

    def play_throw(self, rest: str) -> None:
        """RL-7; RL-57: a shared throw is made once and stays for the round."""
        self.pips = int(rest)
        self.shared_pips = self.pips
        self.begin_building()

    def begin_building(self) -> None:
        """RL-7: in the first turn the player chooses a start city after the throw."""
        self.is_first_step = True
        self.partner = None
        self.refusals = set()
        self.stage = "start" if self.starts[self.turn] is None and not self.tracks[self.turn] else "build"

    def play_start(self, rest: str) -> None:
        """RL-5."""
        if rest not in self.board.start_cities:
            raise ValueError(f"not-a-start-city: {rest}")
        self.starts[self.turn] = rest
        self.stage = "build"

    def play_end(self) -> None:
        """The player builds no more: in construction (RL-8) or after a race (RL-51)."""
        if self.stage == "expand":
            self.limits[self.expander()] = 0
            self.expand_or_go_on()
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """RL-6, RL-8: pips left are lost; the next player's turn, or the next round, or the end of the phase."""
        self.pips = 0
        self.turns_used.add(self.turn)
        if self.partner is not None:  # RL-58: both turns of the round are used up
            self.turns_used.add(self.partner)
            self.partner = None
        left = [p for p in self.order if p not in self.turns_used]
        is_last_turn = not self.open_cities()  # RL-23
        if left:
            if is_last_turn:
                self.end_construction(left[0])
                return
            self.turn = left[0]
            if self.options.shared_throw:  # RL-57
                self.pips = self.shared_pips
                self.begin_building()
            else:
                self.stage = "throw"
            return
        is_last_round = self.round >= LAST_ROUND  # RL-25a
        if self.declared is not None and self.round >= self.declared + ROUNDS_AFTER_DECLARATION:  # RL-24
            is_last_round = True
        next_order = [*self.order[1:], self.order[0]]  # RL-6
        if is_last_turn or is_last_round:
            self.end_construction(next_order[0])
            return
        self.round += 1
        self.order = next_order
        self.begin_round()

    # --- 3.2 where one may build ------------------------------------------------------

    def is_in_network(self, player: int, hex_id: str) -> bool:
        """RL-9: the track touches the hex, or it is the chosen start city."""
        return hex_id in self.touched[player] or hex_id == self.starts[player]

    def network(self, player: int) -> set[str]:
        start = self.starts[player]
        return self.touched[player] | ({start} if start is not None else set())

    def builders(self) -> list[int]:
        """Who builds now: one player, or the two of a joint line (RL-58)."""
        if self.stage == "expand":
            return [self.expander()]
        return [self.turn] if self.partner is None else [self.turn, self.partner]

    def build_fault(self, u: str, v: str) -> str | None:
        """Why the segment may not be built from u to v now; the checks of RL-9 in the order of section 12."""
        board = self.board
        builders = self.builders()
        if u not in board.terrain or v not in board.terrain:
            return "no-such-place"
        if v not in board.neighbours[u]:
            return "not-adjacent"
        if any(not self.is_in_network(p, u) for p in builders):  # RL-10, RL-58
            return "not-connected-to-own-network"
        if board.terrain[v] not in LAND:
            return "water-or-off-limits"
        if segment(u, v) in board.blocked:  # RL-61
            return "blocked-edge"
        if board.country[u] is not None:  # RL-60
            return "line-ends-abroad"
        if board.country[v] is not None and not self.is_advanced:  # RL-11
            return "border"
        if any(segment(u, v) in self.tracks[p] for p in builders):
            return "already-built"
        if board.distinct_first_edges:  # RL-12
            for p in builders:
                if not self.tracks[p] and segment(u, v) in self.first_edges:
                    return "start-direction-taken"
        cost = board.building_cost(u, v)
        bills = self.bills(u, v)
        if self.stage == "expand":  # RL-49: the account pays for both
            builder = builders[0]
            total = cost + sum(bills[builder].values())
            if total > self.limits[builder]:
                return "over-expansion-limit"
            return "cannot-pay-fee" if total > self.accounts[builder] else None
        if cost > self.pips:
            return "not-enough-pips"
        if any(sum(bills[p].values()) > self.accounts[p] for p in builders):  # RL-22
            return "cannot-pay-fee"
        return None

    def segment_tokens(self) -> list[str]:
        """Every legal segment once. With both ends in the network it can be built from either: then it stands there
        from the smaller name, unless the fees differ (deferred_join_fee), which makes it two moves."""
        own = set.intersection(*(self.network(p) for p in self.builders()))
        tokens = []
        for u in sorted(own):
            for v in self.board.neighbours[u]:
                if self.build_fault(u, v) is not None:
                    continue
                is_again = v < u and v in own and self.build_fault(v, u) is None
                if is_again and self.bills(u, v) == self.bills(v, u):
                    continue
                tokens.append(f"build:{u}-{v}")
        return tokens

    def play_build(self, rest: str) -> None:
        """One segment: the pips, the fees (RL-21), the track, the premium (RL-14)."""
        u, _, v = rest.partition("-")
        fault = self.build_fault(u, v)
        if fault is not None:
            raise ValueError(f"{fault}: {rest}")
        builders = self.builders()
        cost = self.board.building_cost(u, v)
        bills = self.bills(u, v)
        is_premium = self.stage == "build" and v in self.open_cities()  # RL-14, RL-50
        self.build_cost += cost
        for builder, bill in bills.items():
            for rival, points in bill.items():
                self.accounts[builder] -= points
                self.accounts[rival] += points
                self.fees_paid[builder, rival] += points
        for p in builders:
            if not self.tracks[p]:
                self.first_edges[p] = segment(u, v)  # RL-12
            self.tracks[p].add(segment(u, v))
            self.touched[p] |= {u, v}
            if is_premium:
                self.accounts[p] += PREMIUM // len(builders)  # RL-58: 3 and 3
                self.bonus[p] += PREMIUM // len(builders)
        if self.stage == "build":
            self.pips -= cost
            self.is_first_step = False
        else:  # RL-49
            self.accounts[builders[0]] -= cost
            self.limits[builders[0]] -= cost + sum(bills[builders[0]].values())
            self.expand_or_go_on()

    # --- 3.5 fees to rivals -----------------------------------------------------------

    def bills(self, u: str, v: str) -> dict[int, dict[int, int]]:
        """What each builder pays each rival for the segment; between the two of a joint line nothing is due (RL-58)."""
        builders = self.builders()
        rivals = [r for r in range(self.players) if r not in builders]
        return {p: {r: fee for r in rivals if (fee := self.fee(p, r, u, v)) > 0} for p in builders}

    def fee(self, builder: int, rival: int, u: str, v: str) -> int:
        """RL-16 and the options of RL-18, for a segment built from u to v."""
        cities = self.board.cities
        if segment(u, v) in self.tracks[rival]:  # (a)
            halves = [u, v]
            if self.options.city_parallel_free:
                halves = [h for h in halves if h not in cities]
            deferred = JOIN_FEE if self.options.deferred_join_fee and u in cities else 0
            return HALF_HEX_FEE * len(halves) + deferred
        if v in self.touched[rival] and v not in cities and v not in self.touched[builder]:  # (b)
            return JOIN_FEE
        return 0  # (c)

    # --- 3.6 end of construction ------------------------------------------------------

    def open_cities(self) -> list[str]:
        """RL-23: the cities that no track touches and where nobody began."""
        connected = set.union(*self.touched, set(self.starts), self.further_connected)
        return [h for h in self.board.cities if h not in connected]

    def declare_fault(self) -> str | None:
        """RL-24."""
        if self.declared is not None:
            return "already-declared"
        n_open = len(self.open_cities())
        if n_open == 0:
            return "no-city-open"
        return "more-than-one-city-open" if n_open > 1 else None

    def play_declare(self) -> None:
        fault = self.declare_fault()
        if fault is not None:
            raise ValueError(f"{fault}: construction cannot be declared closed")
        self.declared = self.round
        self.is_first_step = False

    def end_construction(self, opener: int) -> None:
        """RL-25: who would have the next turn opens the first race."""
        self.opener = opener
        self.draw_race()

    # --- 4.1 start and goal -----------------------------------------------------------

    def links(self) -> dict[str, list[tuple[str, str | None]]]:
        """From each hex where a train can go: over the segments of all players (None) and the ferries bought."""
        result: dict[str, list[tuple[str, str | None]]] = {}
        for u, v in sorted(set.union(*self.tracks)):
            result.setdefault(u, []).append((v, None))
            result.setdefault(v, []).append((u, None))
        for ferry_id in sorted(self.ferry_owner):
            ferry = self.board.ferries[ferry_id]
            result.setdefault(ferry["from"], []).append((ferry["to"], ferry_id))
            result.setdefault(ferry["to"], []).append((ferry["from"], ferry_id))
        return result

    def distances(self, start: str, links: dict[str, list[tuple[str, str | None]]]) -> dict[str, int]:
        """RL-28: the shortest ways from the start, in segments and lengths of ferries; none leads through a foreign
        hex (RL-62)."""
        result: dict[str, int] = {}
        queue = [(0, start)]
        while queue:
            distance, here = heapq.heappop(queue)
            if here in result:
                continue
            result[here] = distance
            if self.board.country[here] is not None:
                continue
            for there, ferry_id in links.get(here, []):
                length = 1 if ferry_id is None else self.board.ferries[ferry_id]["length"]
                heapq.heappush(queue, (distance + length, there))
        return result

    def is_special(self) -> bool:
        """RL-66: by its number the race is special."""
        return self.is_advanced and self.race_number % self.board.special["every"] == 0

    def is_used_up(self, number: int) -> bool:
        """RL-54: each number is start or goal once in the shorter game, twice in the longer one."""
        if self.options.races is None:
            return False
        times = 2 if self.options.races == len(self.board.numbers) else 1
        return self.numbers_used[number] >= times

    def goals_from(self, start: str) -> dict[str, list[str]]:
        """The goals that qualify from a start: number, or roll of the table, -> goal hexes (RL-28, RL-69)."""
        reach = self.reach[start]
        if not self.is_special_run:
            return {
                str(number): [h]
                for number, h in sorted(self.board.numbers.items())
                if not self.is_used_up(number) and reach.get(h, -1) >= self.least_distance
            }
        result = {}
        for row in self.board.special["table"]:
            goals = self.available(row["goals"], start)
            if goals:
                result[row["roll"].lower()] = goals
        return result

    def available(self, goals: list[dict], start: str) -> list[str]:
        """RL-69: of the goals of a table's row those with a built way that is long enough, ascending."""
        hexes = set()
        for goal in goals:
            if "place" in goal:
                hexes.add(self.board.places[goal["place"]])
            else:
                hexes |= self.board.abroad[goal["country"]]
        return sorted(h for h in hexes if self.reach[start].get(h, -1) >= self.least_distance)

    def start_numbers(self) -> list[int]:
        """RL-29, RL-66: the numbers that qualify as start."""
        numbers = sorted(self.board.numbers.items())
        return [number for number, h in numbers if not self.is_used_up(number) and self.goals_from(h)]

    def measure(self) -> None:
        """Measures the ways from every numbered city; nothing is built before the goal is drawn."""
        links = self.links()
        self.reach = {h: self.distances(h, links) for h in set(self.board.numbers.values())}

    def draw_race(self) -> None:
        """RL-29, RL-30, RL-59a, RL-66: on to the draw of the start, or of the goal, or to the end of the game."""
        self.start = None
        self.goals = []
        self.measure()
        chained_start = self.chained_start
        self.chained_start = None
        kinds = [True, False] if self.is_special() else [False]  # RL-66: without a special start an ordinary race
        self.least_distance = self.board.least_distance
        for is_special in kinds:
            self.is_special_run = is_special
            if chained_start is not None and self.goals_from(chained_start):  # RL-59a
                self.start = chained_start
                self.stage = "to"
                return
            if self.start_numbers():
                self.stage = "from"
                return
        if self.options.races is not None:  # RL-30
            self.least_distance = 1
            if self.start_numbers():
                self.stage = "from"
                return
        self.stage = "over"

    def play_from(self, rest: str) -> None:
        """RL-27."""
        self.start = self.board.numbers[int(rest)]
        self.numbers_used[int(rest)] += 1
        self.stage = "to"

    def play_to(self, rest: str) -> None:
        """RL-27; a special race uses up no goal number (RL-70)."""
        self.goals = self.goals_from(self.start)[rest]
        if not self.is_special_run:
            self.numbers_used[int(rest)] += 1
        self.begin_entering()

    # --- 4.2 entering -----------------------------------------------------------------

    def begin_entering(self) -> None:
        self.report = Report()
        self.entries = [None] * self.players
        self.trains = []
        self.refusals = set()
        self.stage = "enter"

    def race_order(self) -> list[int]:
        """RL-26: from the opener, clockwise."""
        return self.clockwise_from(self.opener)

    def asked(self) -> int | None:
        """RL-31: the first in order who has not answered."""
        return next((p for p in self.race_order() if self.entries[p] is None), None)

    def entry_tokens(self) -> list[str]:
        """Section 10: who has not answered yet counts as entered alone; with a joint run nothing is set off."""
        player = self.asked()
        tokens = ["out"]
        hoped = {q for q in range(self.players) if q != player and self.entries[q] in (None, "alone")}
        if self.candidates((player,), hoped):
            tokens.append("alone")
        for q in range(self.players):
            if q != player and self.run_offer_fault(q) is None and self.candidates((player, q), set()):
                tokens.append(f"joint:{q + 1}")
        return tokens

    def play_out(self) -> None:
        self.entries[self.asked()] = "out"
        self.ask_next()

    def play_alone(self) -> None:
        player = self.asked()
        self.entries[player] = "alone"
        self.trains.append(Train((player,)))
        self.ask_next()

    def run_offer_fault(self, partner: int) -> str | None:
        """RL-33: why the player who is asked may not propose a joint run to the other."""
        if self.players < 3:
            return "joint-needs-three-players"
        if not self.options.joint_runs:
            return "joint runs are off"
        if self.entries[partner] is not None:
            return "the partner has answered already"
        return "the partner has refused" if partner in self.refusals else None

    def play_run_offer(self, rest: str) -> None:
        partner = self.seat_named(rest)
        fault = self.run_offer_fault(partner)
        if fault is not None:
            raise ValueError(f"{fault}: joint:{rest}")
        self.offered_to = partner
        self.stage = "run answer"

    def play_run_accept(self) -> None:
        proposer, partner = self.asked(), self.offered_to
        self.entries[proposer] = self.entries[partner] = "joint"
        self.trains.append(Train((proposer, partner)))
        self.ask_next()

    def play_run_refuse(self) -> None:
        """The proposer chooses again."""
        self.refusals.add(self.offered_to)
        self.stage = "enter"

    def ask_next(self) -> None:
        self.refusals = set()
        self.stage = "enter" if self.asked() is not None else "route"
        if self.stage == "route":
            self.go_on_naming()

    # --- 4.3 route and fees -----------------------------------------------------------

    def next_to_name(self) -> Train | None:
        """RL-34: the first train in order without a route."""
        return next((train for train in self.trains if train.route is None), None)

    def naming(self) -> Train:
        """The train whose player decides now, in naming or in a repair."""
        return self.next_to_name() if self.stage == "route" else self.offenders()[0]

    def sets_off_with(self, train: Train) -> set[int]:
        """RL-38: the rivals with whom the train may count on setting off. Withdrawn trains are gone from the list."""
        if len(train.members) == 2:
            return set()
        return {t.members[0] for t in self.trains if t is not train and len(t.members) == 1}

    def set_off_now(self) -> set[int]:
        """As sets_off_with for the decision at hand; in a repair nothing is set off (RL-38)."""
        return self.sets_off_with(self.naming()) if self.stage == "route" else set()

    def owners(self, u: str, v: str, ferry_id: str | None) -> list[int]:
        if ferry_id is not None:
            return [self.ferry_owner[ferry_id]]
        return [p for p in range(self.players) if segment(u, v) in self.tracks[p]]

    def toll(self, ferry_id: str | None) -> int:
        """RL-36, RL-65: what a segment or a ferry costs those who do not own it."""
        return RUN_FEE if ferry_id is None else self.board.ferries[ferry_id]["toll"]

    def step_pips(self, u: str, v: str, ferry_id: str | None) -> int:
        """RL-43, RL-65."""
        if ferry_id is not None:
            return self.board.ferries[ferry_id]["length"] + LOADING
        return self.board.running_cost(u, v)

    def default_payee(self, owners: list[int], owed: dict[int, int], toll: int, set_off: set[int]) -> int | None:
        """Step 4 of the route candidates: the poorest (equal: first in seat order) of the owners who can be paid."""
        can_be_paid = [r for r in owners if r in set_off or owed.get(r, 0) + toll <= MOST_TO_ONE_RIVAL]
        return min(can_be_paid, key=lambda r: (self.accounts[r], r), default=None)

    def fee_shares(self, members: tuple[int, ...], points: int) -> list[int]:
        """RL-33: halves; the odd point is paid by the richer, between equals by the proposer."""
        if len(members) == 1:
            return [points]
        more, less = points - points // 2, points // 2
        return [more, less] if self.accounts[members[0]] >= self.accounts[members[1]] else [less, more]

    def is_payable(self, members: tuple[int, ...], points: int) -> bool:
        """RL-39: no share is more than the account it is paid from."""
        shares = self.fee_shares(members, points)
        return all(share <= self.accounts[p] for p, share in zip(members, shares, strict=True))

    def candidates(self, members: tuple[int, ...], set_off: set[int]) -> list[Route]:
        """The route candidates of a train, by the five steps of section 10."""
        rivals = [r for r in range(self.players) if r not in members]
        rivals.sort(key=lambda r: (-self.accounts[r], r))  # from the richest
        links = self.links()
        # a label is (pips, total fee, fees owed in the order of `rivals`, hexes, members whose line it has used)
        labels = [(0, 0, (0,) * len(rivals), (self.start,), frozenset())]
        kept: dict[str, list[tuple[int, int, frozenset[int]]]] = {}
        found: list[tuple[int, int, Route]] = []
        while labels:
            pips, fee, owed, hexes, used = heapq.heappop(labels)  # step 1
            here = hexes[-1]
            if any(m <= pips and f <= fee and others >= used for m, f, others in kept.get(here, [])):
                continue  # step 2
            kept.setdefault(here, []).append((pips, fee, used))
            if here in self.goals and len(used) == len(members):  # step 3
                found.append((pips, fee, Route(hexes, pips, self.positive(rivals, owed))))
                continue
            if self.board.country[here] is not None:  # step 3
                continue
            for there, ferry_id in links.get(here, []):  # step 4
                if there in hexes:
                    continue
                new_fee, new_owed, new_used = fee, owed, used
                owners = self.owners(here, there, ferry_id)
                if any(p in members for p in owners):
                    new_used = used | {p for p in owners if p in members}
                else:
                    toll = self.toll(ferry_id)
                    payee = self.default_payee(owners, dict(zip(rivals, owed, strict=True)), toll, set_off)
                    if payee is None:
                        continue
                    new_fee = fee + toll
                    new_owed = tuple(o + (toll if r == payee else 0) for r, o in zip(rivals, owed, strict=True))
                    not_set_off = sum(o for r, o in zip(rivals, new_owed, strict=True) if r not in set_off)
                    if new_fee > DEAREST_CANDIDATE or not self.is_payable(members, not_set_off):
                        continue
                new_pips = pips + self.step_pips(here, there, ferry_id)
                heapq.heappush(labels, (new_pips, new_fee, new_owed, (*hexes, there), new_used))
        result = []
        for i, (pips, fee, route) in enumerate(found):  # step 5
            others = [(m, f, j) for j, (m, f, _) in enumerate(found) if j != i]
            is_beaten = any(m <= pips and f <= fee and ((m, f) != (pips, fee) or j < i) for m, f, j in others)
            if not is_beaten:
                result.append(route)
        return result

    @staticmethod
    def positive(rivals: list[int], owed: tuple[int, ...]) -> dict[int, int]:
        return {r: points for r, points in zip(rivals, owed, strict=True) if points > 0}

    def route_candidates(self) -> list[Route]:
        """Those of the train that names or repairs now."""
        return self.candidates(self.naming().members, self.set_off_now())

    @staticmethod
    def route_tokens(routes: list[Route]) -> list[str]:
        """Candidates pay the default payees, so their tokens need no suffix."""
        return ["route:" + "-".join(route.hexes) for route in routes]

    def read_route(self, text: str, members: tuple[int, ...], set_off: set[int]) -> Route:
        """An explicit route: RL-34 to RL-39.

        The text is the hexes, then for each segment whose payee is not the default `:AAAA-BBBB+K`, segment and seat.
        The default is that of step 4 of the candidates, segment by segment along the route.
        """
        way, *suffixes = text.split(":")
        hexes = tuple(way.split("-"))
        named: dict[Segment, int] = {}
        for suffix in suffixes:
            ends, _, seat = suffix.partition("+")
            u, _, v = ends.partition("-")
            if seat not in [str(p + 1) for p in range(self.players)] or segment(u, v) in named:
                raise ValueError(f"say-which-line-is-used: got {suffix!r}; expected one AAAA-BBBB+SEAT a segment")
            named[segment(u, v)] = int(seat) - 1
        if any(h not in self.board.terrain for h in hexes):
            raise ValueError(f"no-such-place: {way}")
        if hexes[0] != self.start:
            raise ValueError(f"route-does-not-begin-at-start: {hexes[0]}; expected {self.start}")
        if hexes[-1] not in self.goals:
            raise ValueError(f"route-does-not-end-at-goal: {hexes[-1]}; expected one of {' '.join(self.goals)}")
        if len(set(hexes)) < len(hexes):  # Q26
            raise ValueError(f"route-repeats-a-hex: {way}")
        if any(self.board.country[h] is not None for h in hexes[:-1]):  # RL-62
            raise ValueError(f"no-through-running-abroad: {way}")
        links = self.links()
        steps = []  # of the route: from, to, the ferry if it is one, owners
        for u, v in pairwise(hexes):
            kinds = [ferry_id for there, ferry_id in links.get(u, []) if there == v]
            if not kinds:
                raise ValueError(f"no-track: {u}-{v}")
            steps.append((u, v, kinds[0], self.owners(u, v, kinds[0])))
        used = {p for _, _, _, owners in steps for p in owners}
        if any(p not in used for p in members):  # RL-35
            raise ValueError(f"no-own-track-on-route: {way}")
        pips = 0
        fees: dict[int, int] = {}
        for u, v, ferry_id, owners in steps:
            pips += self.step_pips(u, v, ferry_id)
            payee = named.pop(segment(u, v), None)
            is_free = any(p in members for p in owners)  # RL-36
            if payee is not None and (is_free or payee not in owners):
                raise ValueError(f"say-which-line-is-used: player {payee + 1} is not paid for {u}-{v}")
            if is_free:
                continue
            toll = self.toll(ferry_id)
            if payee is None:
                payee = self.default_payee(owners, fees, toll, set_off)
            if payee is None:
                raise ValueError(f"more-than-10-to-one-rival: {u}-{v}")
            fees[payee] = fees.get(payee, 0) + toll
        if named:
            raise ValueError(f"say-which-line-is-used: {'-'.join(next(iter(named)))} is not on the route")
        not_set_off = {r: points for r, points in fees.items() if r not in set_off}
        if any(points > MOST_TO_ONE_RIVAL for points in not_set_off.values()):  # RL-37
            raise ValueError(f"more-than-10-to-one-rival: {way}")
        if not self.is_payable(members, sum(not_set_off.values())):  # RL-39
            raise ValueError(f"cannot-pay-fee: {way}")
        return Route(hexes, pips, fees)

    def play_route(self, rest: str) -> None:
        train = self.naming()
        train.route = self.read_route(rest, train.members, self.set_off_now())
        self.go_on_naming()

    def play_withdraw(self) -> None:
        """RL-31: in naming only who has no candidate; RL-38: in a repair anyone."""
        if self.stage == "route" and self.route_candidates():
            raise ValueError("withdraw: a train that has a route names one (RL-31)")
        train = self.naming()
        self.trains = [t for t in self.trains if t is not train]
        self.go_on_naming()

    def go_on_naming(self) -> None:
        """RL-38: when all routes are named, repairs as long as anyone offends; then the race is paid for and run."""
        self.report.race_pips = {t.members[0]: t.route.pips for t in self.trains if t.route is not None}
        self.report.fees_due = {t.members[0]: t.route.fees for t in self.trains if t.route is not None}
        if self.next_to_name() is not None:
            self.stage = "route"
        elif self.offenders():
            self.stage = "repair"
        else:
            self.pay_fees()
            self.begin_running()

    def net_fees(self, train: Train) -> dict[int, int]:
        """RL-37: what the train still owes each rival after setting off."""
        result = {}
        for rival, points in train.route.fees.items():
            if rival in self.sets_off_with(train):
                other = next(t for t in self.trains if t.members == (rival,))
                points -= other.route.fees.get(train.members[0], 0)
            if points > 0:
                result[rival] = points
        return result

    def offenders(self) -> list[Train]:
        """RL-38: the trains, in order, that owe someone more than 10 net or cannot pay what they owe net."""
        result = []
        for train in self.trains:
            net = self.net_fees(train)
            is_too_much = any(points > MOST_TO_ONE_RIVAL for points in net.values())
            if is_too_much or not self.is_payable(train.members, sum(net.values())):
                result.append(train)
        return result

    def pay_fees(self) -> None:
        """RL-39: all at the same moment."""
        payments = []  # payer, receiver, points; a joint train goes by its proposer
        change = [0] * self.players
        received: Counter[int] = Counter()
        for train in self.trains:
            net = self.net_fees(train)
            for p, share in zip(train.members, self.fee_shares(train.members, sum(net.values())), strict=True):
                change[p] -= share
            for rival, points in net.items():
                change[rival] += points
                received[rival] += points
                payments.append((train.members[0], rival, points))
        self.accounts = [account + c for account, c in zip(self.accounts, change, strict=True)]
        self.report.net_payments = payments
        self.report.received = dict(received)

    # --- 4.4 running ------------------------------------------------------------------

    def begin_running(self) -> None:
        """RL-32, RL-41: without a second train nothing is run."""
        if len(self.trains) < 2:
            self.end_race()
            return
        self.race_round = 1
        self.still_to_throw = [t.members[0] for t in self.trains]
        self.stage = "run"

    def play_die(self, rest: str) -> None:
        """RL-42, RL-44: the next train of this round throws and moves."""
        train = next(t for t in self.trains if t.members[0] == self.still_to_throw[0])
        self.still_to_throw = self.still_to_throw[1:]
        train.thrown += int(rest)
        if train.thrown >= train.route.pips:
            train.arrived = self.race_round
        if self.still_to_throw:  # RL-45: the round is always finished
            return
        if sum(t.arrived is not None for t in self.trains) >= 2:  # RL-46
            self.end_race()
            return
        self.race_round += 1
        self.still_to_throw = [t.members[0] for t in self.trains if t.arrived is None]

    def ranking(self) -> list[list[Train]]:
        """RL-45, RL-47: the trains that have arrived, best first, those that tie together."""
        if len(self.trains) == 1:  # RL-41
            return [self.trains]
        places: dict[tuple[int, int], list[Train]] = {}
        for train in self.trains:
            if train.arrived is not None:
                unused = train.thrown - train.route.pips
                places.setdefault((train.arrived, -unused), []).append(train)
        return [places[place] for place in sorted(places)]

    def prize_shares(self, members: tuple[int, ...], points: int) -> list[int]:
        """RL-33: halves; the odd point goes to the poorer, between equals to the proposer."""
        if len(members) == 1:
            return [points]
        more, less = points - points // 2, points // 2
        return [more, less] if self.accounts[members[0]] <= self.accounts[members[1]] else [less, more]

    def end_race(self) -> None:
        """RL-46 to RL-48: prizes and incomes; then the end of the game, or expansion, or the next race."""
        prizes: Counter[int] = Counter()
        place = 0
        ranking = self.ranking()
        for tied in ranking:
            each = sum(PRIZES[place : place + len(tied)]) // len(tied)  # RL-47
            place += len(tied)
            for train in tied:
                for p, share in zip(train.members, self.prize_shares(train.members, each), strict=True):
                    prizes[p] += share
        for p in prizes:
            self.accounts[p] += prizes[p]
        self.report.prizes = dict(prizes)
        self.report.is_over = True
        self.note_chained_start(ranking)
        if self.is_last_race():
            self.stage = "over"
            return
        for p in range(self.players):
            self.limits[p] = self.expansion_limit(p)
        self.report.budget = dict(enumerate(self.limits))
        self.expand_or_go_on()

    def note_chained_start(self, ranking: list[list[Train]]) -> None:
        """RL-59a: where the next race begins, if that is settled."""
        self.chained_start = None
        if not self.options.chained:
            return
        if not self.is_special_run:
            self.chained_start = self.goals[0]
        elif ranking and len(ranking[0]) == 1:
            goal = ranking[0][0].route.hexes[-1]
            if goal in self.board.numbers.values():
                self.chained_start = goal

    # --- 4.5 expansion ----------------------------------------------------------------

    def income(self, player: int) -> int:
        """RL-48."""
        return self.report.prizes.get(player, 0) + self.report.received.get(player, 0)

    def expansion_limit(self, player: int) -> int:
        """RL-49, or RL-59 in its place."""
        if not self.options.ten_percent:
            return self.income(player)
        if self.race_number % 2 == 1:
            return 0
        account = self.accounts[player]
        return account // 10 if account >= 50 else min(5, account)

    def expander(self) -> int | None:
        """RL-49: the first in order who has a limit left."""
        return next((p for p in self.race_order() if self.limits[p] > 0), None)

    def expand_or_go_on(self) -> None:
        if self.expander() is not None:
            self.stage = "expand"
            return
        self.race_number += 1
        self.opener = (self.opener + 1) % self.players  # RL-26
        self.draw_race()

    # --- 5. end of the game -----------------------------------------------------------

    def is_last_race(self) -> bool:
        """RL-52, RL-54, RL-55."""
        if self.options.races is not None:
            return self.race_number >= self.options.races
        return max(self.accounts) >= TARGET[self.players] or self.race_number >= LAST_RACE

    def scores(self) -> list[int]:
        return list(self.accounts)

    def winners(self) -> list[int]:
        """RL-53."""
        if self.stage != "over":
            return []
        return [p for p in range(self.players) if self.accounts[p] == max(self.accounts)]

    # --- 6. variants: the joint line --------------------------------------------------

    def line_offer_fault(self, partner: int) -> str | None:
        """RL-58: why the player in turn may not offer the other a joint line."""
        if not self.options.joint_lines:
            return "joint lines are off"
        if partner == self.turn or partner in self.turns_used:
            return "the partner's turn of this round is not still to come"
        if not self.is_first_step or self.partner is not None:
            return "a joint line is offered before the first build step"
        if partner in self.refusals:
            return "the partner has refused"
        if not self.tracks[self.turn] or not self.tracks[partner]:
            return "both need track"
        if not self.network(self.turn) & self.network(partner):
            return "the networks have no hex in common"
        return None

    def play_line_offer(self, rest: str) -> None:
        partner = self.seat_named(rest)
        fault = self.line_offer_fault(partner)
        if fault is not None:
            raise ValueError(f"{fault}: joint:{rest}")
        self.offered_to = partner
        self.stage = "line answer"

    def play_line_refuse(self) -> None:
        self.refusals.add(self.offered_to)
        self.stage = "build"

    def play_line_accept(self) -> None:
        """The partner's throw is made at once; a shared throw (RL-57) is the partner's throw too."""
        self.partner = self.offered_to
        self.stage = "line throw"
        if self.options.shared_throw:
            self.play_line_throw(str(self.shared_pips))

    def play_line_throw(self, rest: str) -> None:
        """Three quarters of both throws, rounded down."""
        self.pips = 3 * (self.pips + int(rest)) // 4
        self.joint_line_pips = self.pips
        self.stage = "build"

    # --- 7. advanced rules: ferries ---------------------------------------------------

    def ferry_fault(self, ferry_id: str) -> str | None:
        """RL-63, RL-64: why the link may not be bought now."""
        builders = self.builders()
        player = builders[0]
        if not self.is_advanced:
            return "advanced-rules-off"
        if ferry_id not in self.board.ferries:
            return "no-such-ferry"
        if len(builders) == 2:  # RL-58
            return "no ferry is bought with a joint line"
        if ferry_id in self.ferry_owner:
            return "ferry-already-owned"
        ferry = self.board.ferries[ferry_id]
        if ferry["from"] not in self.touched[player]:
            return "port-not-reached"
        own = [self.board.ferries[f] for f, owner in self.ferry_owner.items() if owner == player]
        limits = self.board.ferry_limits
        if "max_per_player" in limits and len(own) >= limits["max_per_player"]:
            return "ferry-limit"
        if limits.get("different_ports") and any(f["from"] == ferry["from"] for f in own):
            return "ferry-same-port"
        if self.stage == "expand" and ferry["price"] > self.limits[player]:
            return "over-expansion-limit"
        return "cannot-pay-fee" if ferry["price"] > self.accounts[player] else None

    def ferry_tokens(self) -> list[str]:
        return [f"ferry:{f}" for f in sorted(self.board.ferries) if self.ferry_fault(f) is None]

    def play_ferry(self, rest: str) -> None:
        fault = self.ferry_fault(rest)
        if fault is not None:
            raise ValueError(f"{fault}: ferry:{rest}")
        player = self.builders()[0]
        price = self.board.ferries[rest]["price"]
        self.ferry_owner[rest] = player
        self.accounts[player] -= price
        if self.stage == "build":
            self.is_first_step = False
        else:
            self.limits[player] -= price
            self.expand_or_go_on()

    # --- 12. the conformance cases ----------------------------------------------------

    @classmethod
    def given(cls, board: dict, given: dict) -> Model:
        """The position of a case, built as given even if no game could lead to it."""
        names = given["players"]
        rules = {name: str(value).lower() for name, value in given.get("options", {}).items()}
        model = cls(board, len(names), rules)
        model.names = list(names)
        seat = {name: i for i, name in enumerate(names)}
        hex_of = model.board.hex_of
        for name, points in given.get("accounts", {}).items():
            model.accounts[seat[name]] = points
        for name, city in given.get("starts", {}).items():
            model.starts[seat[name]] = hex_of(city)
        for name, lines in given.get("tracks", {}).items():
            for line in lines:
                hexes = [hex_of(place) for place in line]
                model.touched[seat[name]] |= set(hexes)
                model.tracks[seat[name]] |= {segment(u, v) for u, v in pairwise(hexes)}
        for name, (u, v) in given.get("first_edges", {}).items():
            model.first_edges[seat[name]] = segment(hex_of(u), hex_of(v))
        model.further_connected = {hex_of(city) for city in given.get("already_connected", [])}
        model.ferry_owner = {ferry.lower(): seat[name] for ferry, name in given.get("ferries", {}).items()}
        model.round = given.get("round_number", 1)
        model.declared = given.get("declared_round")
        model.order = [seat[name] for name in given.get("order", names)]
        model.race_number = given.get("race_number", 1)
        model.numbers_used = Counter({int(n): times for n, times in given.get("numbers_used", {}).items()})
        if given.get("phase", "construction") == "construction":
            model.give_turn(seat[given["turn"]] if "turn" in given else model.order[0], given.get("pips"))
            return model
        model.opener = model.order[0]
        if "race" in given:
            model.give_race(given["race"], seat)
        elif "budget" in given:
            for name, points in given["budget"].items():
                model.limits[seat[name]] = points
            model.expand_or_go_on()
        else:
            model.draw_race()
        return model

    def give_turn(self, turn: int, pips: int | None) -> None:
        """A turn of construction, before the throw or with pips left."""
        self.begin_round()
        self.turns_used = set(self.order[: self.order.index(turn)])
        self.turn = turn
        if pips is not None:
            self.play_throw(str(pips))

    def give_race(self, race: dict, seat: dict[str, int]) -> None:
        """A race: before the draw of the goal, before or in the entering, or before the routes."""
        self.measure()
        self.start = self.board.hex_of(race["start"])
        self.is_special_run = "goal_table" in race
        if "goals" in race:
            self.goals = sorted(self.board.hex_of(place) for place in race["goals"])
        elif "goal_table" in race:
            self.goals = self.available(race["goal_table"], self.start)
        else:
            self.is_special_run = self.is_special()
            self.stage = "to"
            return
        self.begin_entering()
        entered = [seat[name] for name in race.get("entered", [])]
        if not entered and "unanswered" not in race:
            return
        self.entries = ["out"] * self.players
        partner = {seat[p]: seat[q] for p, q in race.get("joint", [])}
        for p in entered:
            if p in partner:
                self.entries[p] = self.entries[partner[p]] = "joint"
                self.trains.append(Train((p, partner[p])))
            else:
                self.entries[p] = "alone"
                self.trains.append(Train((p,)))
        if "unanswered" in race:
            for name in race["unanswered"]:
                self.entries[seat[name]] = None
            asked = next(p for p in self.race_order() if self.entries[p] == "out")  # the one who is asked besides
            self.entries[asked] = None
            return
        self.go_on_naming()

    def facts(self) -> dict:
        """What an `expect` can ask about, in its words; `draw` and `entries` show in `legal`."""
        names = self.names

        def by_name(points: dict[int, int]) -> dict[str, int]:
            return {names[p]: points[p] for p in sorted(points)}

        is_construction = self.stage in ("first", "throw", "start", "build", "line answer", "line throw")
        fees_paid: dict[str, dict[str, int]] = {}
        for payer, receiver in sorted(self.fees_paid):
            fees_paid.setdefault(names[payer], {})[names[receiver]] = self.fees_paid[payer, receiver]
        candidates = {}
        if self.stage in ("route", "repair"):
            routes = self.route_candidates()
            candidates = {names[self.to_move()]: [[r.pips, sum(r.fees.values())] for r in routes]}
        to_go = {}
        if self.stage == "run":
            to_go = {t.members[0]: t.route.pips - t.thrown for t in self.trains if t.arrived is None}
        last_round = None
        if self.declared is not None:
            last_round = min(self.declared + ROUNDS_AFTER_DECLARATION, LAST_ROUND)
        everybody = range(self.players)
        return {
            "accounts": by_name(dict(enumerate(self.accounts))),
            "pips_left": self.pips if is_construction else 0,
            "build_cost": self.build_cost,
            "fees_paid": fees_paid,
            "bonus": by_name(self.bonus),
            "joint_line_pips": self.joint_line_pips,
            "phase_over": not is_construction,
            "next_turn": names[self.turn] if is_construction else None,
            "opener": None if is_construction else names[self.opener],
            "last_round": last_round,
            "ferries": {self.board.ferries[f]["id"]: names[p] for f, p in sorted(self.ferry_owner.items())},
            "goals": list(self.goals),
            "special": self.is_special(),
            "candidates": candidates,
            "race_pips": by_name(self.report.race_pips),
            "fees_due": {names[p]: by_name(fees) for p, fees in sorted(self.report.fees_due.items())},
            "net_payments": sorted([names[p], names[q], points] for p, q, points in self.report.net_payments),
            "must_change_route": [names[t.members[0]] for t in self.offenders()] if self.stage == "repair" else [],
            "race_over": self.report.is_over,
            "to_go": by_name(to_go),
            "prizes": by_name(self.report.prizes),
            "income": by_name({p: self.income(p) for p in everybody}),
            "budget": by_name(self.report.budget),
            "budget_left": by_name(dict(enumerate(self.limits))),
            "game_over": self.stage == "over",
            "winners": [names[p] for p in self.winners()],
        }


# --- the map format: what a map is refused for ---------------------------------------

KEYS = [
    "format", "id", "name", "rows", "columns", "legend", "grid", "cities", "start_cities", "start_rule", "regions", "rivers",
    "blocked_edges", "countries", "ferries", "ferry_limits", "special_races", "provenance",
]
NUMBERS = [red * 10 + white for red in range(1, 7) for white in range(1, 7)]


def faults(data: dict) -> list[str]:
    """Why the map is refused, one line each ("A map is refused if"); none when it is good."""
    missing = [f"key {key!r} is missing" for key in KEYS if key not in data]
    if missing:
        return missing
    broken = grid_faults(data)
    if broken:  # nothing can be looked up on such a grid
        return broken
    terrain, country = {}, {}
    for row, line in enumerate(data["grid"], 1):
        for column, character in enumerate(line, 1):
            terrain[f"{row:02}{column:02}"] = data["legend"][character]["terrain"]
            country[f"{row:02}{column:02}"] = data["legend"][character].get("country")
    home = {h for h in terrain if terrain[h] in LAND and country[h] is None}
    result = place_faults(data, terrain, country, home)
    result += edge_faults(data, terrain)
    names = {city["name"] for city in data["cities"]}
    result += [f"start city {name!r} does not exist" for name in data["start_cities"] if name not in names]
    if not result:  # the ways are only searched on a map that is sound so far
        result += way_faults(data, terrain, home)
    landings = {place["hex"] for place in data.get("landings", [])}
    ports = {place["hex"] for place in [*data["cities"], *data.get("ports", [])]}
    for ferry in data["ferries"]:
        if ferry["from"] not in ports or ferry["to"] not in landings:
            result.append(f"ferry {ferry['id']} does not lead from a port or city to a landing")
    if data["special_races"] is not None:
        result += special_faults(data, country, home, terrain)
    return result


def grid_faults(data: dict) -> list[str]:
    result = []
    if len(data["grid"]) != data["rows"]:
        result.append(f"grid has {len(data['grid'])} rows; expected {data['rows']}")
    for row, line in enumerate(data["grid"], 1):
        if len(line) != data["columns"]:
            result.append(f"row {row} of grid has {len(line)} hexes; expected {data['columns']}")
        for character in sorted(set(line) - set(data["legend"])):
            result.append(f"row {row} of grid: {character!r} is not in legend")
    return result


def place_faults(data: dict, terrain: dict, country: dict, home: set[str]) -> list[str]:
    result = []
    numbers = [number for city in data["cities"] for number in city["numbers"]]
    result += [f"number {n} is used twice" for n in sorted(set(numbers)) if numbers.count(n) > 1]
    result += [f"number {n} is none of the 36" for n in sorted(set(numbers)) if n not in NUMBERS]
    places = [*data["cities"], *data.get("ports", []), *data.get("landings", [])]
    for what in ("name", "hex"):
        values = [place[what] for place in places]
        result += [f"two places have the {what} {v!r}" for v in sorted(set(values)) if values.count(v) > 1]
    for place in places:
        if len(place["name"]) == 4 and all(c in "0123456789" for c in place["name"]):
            result.append(f"place {place['name']!r} is named by four digits")
    for city in data["cities"]:
        if city["hex"] not in home or terrain[city["hex"]] != "plain":
            result.append(f"city {city['name']!r} does not lie on a home hex of terrain plain")
    for port in data.get("ports", []):
        if port["hex"] not in home:
            result.append(f"port {port['name']!r} does not lie on home land")
    for landing in data.get("landings", []):
        if landing["hex"] not in terrain or country[landing["hex"]] != landing["country"]:
            result.append(f"landing {landing['name']!r} does not lie in {landing['country']!r}")
    return result


def edge_faults(data: dict, terrain: dict) -> list[str]:
    result = []
    rivers = [edge for river in data["rivers"] for edge in river["edges"]]
    for kind, edges in (("river", rivers), ("blocked", data["blocked_edges"])):
        for u, v in edges:
            if u not in terrain or v not in neighbour_names(u, data["rows"], data["columns"]):
                result.append(f"{kind} edge {u}-{v} joins hexes that do not touch")
    for u, v in rivers:
        if terrain.get(u) in WATER or terrain.get(v) in WATER:
            result.append(f"river edge {u}-{v} touches water")
    times = Counter(segment(u, v) for u, v in rivers)
    result += [f"river edge {u}-{v} is listed twice" for (u, v), n in sorted(times.items()) if n > 1]
    return result


def way_faults(data: dict, terrain: dict, home: set[str]) -> list[str]:
    """Step 5: the home land hangs together; every start city reaches every city over segments of at most 6 pips."""
    blocked = {segment(*edge) for edge in data["blocked_edges"]}
    rivers = {segment(*edge) for river in data["rivers"] for edge in river["edges"]}

    def reached(start: str, most_pips: int) -> set[str]:
        found = {start}
        heads = [start]
        while heads:
            u = heads.pop()
            for v in neighbour_names(u, data["rows"], data["columns"]):
                cost = 1 + 2 * [terrain[u], terrain[v]].count("mountain") + (2 if segment(u, v) in rivers else 0)
                if v in home and v not in found and segment(u, v) not in blocked and cost <= most_pips:
                    found.add(v)
                    heads.append(v)
        return found

    result = []
    if home:
        apart = home - reached(min(home), 7)
        if apart:
            result.append(f"home does not hang together: {len(apart)} hexes are apart, {min(apart)} among them")
    hexes = {city["name"]: city["hex"] for city in data["cities"]}
    for start in data["start_cities"]:
        found = reached(hexes[start], 6)
        for name, h in hexes.items():
            if h not in found:
                result.append(f"city {name!r} cannot be reached from {start!r} over segments of at most 6 pips")
    return result


def special_faults(data: dict, country: dict, home: set[str], terrain: dict) -> list[str]:
    """The table of the special races: its goals and its rolls."""
    result = []
    special = data["special_races"]
    names = {place["name"] for place in [*data["cities"], *data.get("ports", []), *data.get("landings", [])]}
    blocked = {segment(*edge) for edge in data["blocked_edges"]}
    reachable = {country.get(landing["hex"]) for landing in data.get("landings", [])}
    for h in terrain:
        if terrain[h] in LAND and country[h] is not None:
            around = neighbour_names(h, data["rows"], data["columns"])
            if any(u in home and segment(u, h) not in blocked for u in around):
                reachable.add(country[h])
    for row in special["table"]:
        for goal in row["goals"]:
            if "place" in goal and goal["place"] not in names:
                result.append(f"roll {row['roll']}: goal {goal['place']!r} is no place")
            if "country" in goal and goal["country"] not in reachable:
                result.append(f"roll {row['roll']}: no hex of {goal['country']!r} can be reached")
    rolls = [row["roll"] for row in special["table"]]
    expected = [str(n) for n in range(1, 7)]
    if special["dice"] == "red_value_white_parity":
        expected = [n + parity for n in expected for parity in "JU"]
    result += [f"roll {roll} is missing" for roll in expected if roll not in rolls]
    result += [f"roll {roll} stands twice" for roll in sorted(set(rolls)) if rolls.count(roll) > 1]
    return result
