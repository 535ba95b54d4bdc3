"""RAIL (Railway Rivals): the words for its moves and its positions (rules RL-1 to RL-70)."""
import itertools
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from railwright.cext import rail as core
from railwright.cext.game import CHANCE, MAX_PLAYERS, OVER, Position, unpack
from railwright.cext.rail import BuildFault, Decision, Entry, FerryFault, Kind, OfferFault, RouteFault
from railwright.engine.game import Chart, Game, Option, Rules
from railwright.engine.games.rail_map import FORMAT, LAND, NUMBERS, RailMap, beside, map_faults, read_map, segment
from railwright.engine.words import listing, plural, seat

if TYPE_CHECKING:
    from railwright.engine.drawing.scene import Scene

SWITCH = ("true", "false")
TARGETS = {2: 250, 3: 250, 4: 225, 5: 200, 6: 200}      # RL-52
DECISIONS = {
    Decision.FIRST_PLAYER: "first", Decision.THROWING: "throw", Decision.CHOOSING_START: "start", Decision.BUILDING: "build",
    Decision.ANSWERING_LINE: "answer", Decision.THROWING_FOR_LINE: "throw", Decision.DRAWING_START: "from", Decision.DRAWING_GOAL: "to",
    Decision.ENTERING: "enter", Decision.ANSWERING_RUN: "answer", Decision.NAMING: "route", Decision.REPAIRING: "repair",
    Decision.RUNNING: "run", Decision.EXPANDING: "expand", Decision.GAME_OVER: "over",
}
WAITING = {
    "start": "a start city", "build": "a segment, or end", "answer": "accept or refuse", "enter": "out, alone or joint",
    "route": "a route", "repair": "another route, or withdraw", "expand": "a segment, or end",
}
WORDS = {                       # of moves without operand
    Kind.DO_END: "end", Kind.DO_DECLARE: "declare", Kind.DO_ACCEPT: "accept", Kind.DO_REFUSE: "refuse", Kind.DO_OUT: "out",
    Kind.DO_ALONE: "alone", Kind.DO_WITHDRAW: "withdraw",
}
BUILD_REASONS = {               # the code of section 12, and words
    BuildFault.NOT_CONNECTED: ("not-connected-to-own-network", "{u} is not on the own network (RL-9)"),
    BuildFault.BLOCKED: ("blocked-edge", "the side between {u} and {v} is blocked (RL-61)"),
    BuildFault.ENDS_ABROAD: ("line-ends-abroad", "{u} lies abroad, where lines end (RL-60)"),
    BuildFault.BORDER: ("border", "a national border runs between {u} and {v} (RL-11)"),
    BuildFault.ALREADY_BUILT: ("already-built", "{u}-{v} is built already (RL-9)"),
    BuildFault.START_TAKEN: ("start-direction-taken", "another player's first segment is {u}-{v} (RL-12)"),
    BuildFault.NO_PIPS: ("not-enough-pips", "{u}-{v} costs {cost} pips, {pips} are left (RL-13)"),
    BuildFault.OVER_LIMIT: ("over-expansion-limit", "{u}-{v} costs more than the {limit} points that are left of this income (RL-49)"),
    BuildFault.NO_POINTS: ("cannot-pay-fee", "the fees for {u}-{v} are more than the account's {account} points (RL-22)"),
}
FERRY_REASONS = {
    FerryFault.NOT_ADVANCED: ("advanced-rules-off", "ferries belong to the advanced rules (RL-63)"),
    FerryFault.JOINT_LINE: ("", "no ferry is bought with a joint line (RL-58)"),
    FerryFault.OWNED: ("ferry-already-owned", "it has an owner (RL-63)"),
    FerryFault.NOT_AT_PORT: ("port-not-reached", "the own track does not touch its port (RL-63)"),
    FerryFault.FERRY_LIMIT: ("ferry-limit", "nobody may own more ferries on this map (RL-64)"),
    FerryFault.SAME_PORT: ("ferry-same-port", "nobody may own two ferries of one port (RL-64)"),
    FerryFault.FERRY_OVER_LIMIT: ("over-expansion-limit", "its price is more than is left of this race's income (RL-63)"),
    FerryFault.FERRY_NO_POINTS: ("cannot-pay-fee", "its price is more than the account (RL-63)"),
}
OFFER_REASONS = {
    OfferFault.OFFERS_OFF: ("", "the rules of this game have no such offer (section 8)"),
    OfferFault.TWO_PLAYERS: ("joint-needs-three-players", "a joint run needs three players (RL-33)"),
    OfferFault.NOT_NOW: ("", "a joint line is offered before the first build step, to one whose turn is still to come (RL-58)"),
    OfferFault.HAS_ANSWERED: ("", "that player has answered already (RL-33)"),
    OfferFault.HAS_REFUSED: ("", "that player has refused (RL-33, RL-58)"),
    OfferFault.NO_LINES: ("", "both need track for a joint line (RL-58)"),
    OfferFault.NO_COMMON_HEX: ("", "the two networks have no hex in common (RL-58)"),
}
ROUTE_REASONS = {
    RouteFault.NOT_FROM_START: ("route-does-not-begin-at-start", "the route begins elsewhere than the race (RL-34)"),
    RouteFault.NOT_TO_GOAL: ("route-does-not-end-at-goal", "the route does not end at a goal of the race (RL-34)"),
    RouteFault.HEX_TWICE: ("route-repeats-a-hex", "the route visits a hex twice (RL-34)"),
    RouteFault.THROUGH_ABROAD: ("no-through-running-abroad", "nobody runs through a foreign hex (RL-62)"),
    RouteFault.NO_TRACK: ("no-track", "there is a step on which nobody has built (RL-34)"),
    RouteFault.NO_OWN_TRACK: ("no-own-track-on-route", "no part of the route is the train's own (RL-35)"),
    RouteFault.WRONG_PAYEE: ("say-which-line-is-used", "a segment is paid to a player who gets nothing for it (RL-36)"),
    RouteFault.TOO_MUCH: ("more-than-10-to-one-rival", "more than 10 points would go to one rival (RL-37)"),
    RouteFault.NOT_PAYABLE: ("cannot-pay-fee", "the fees are more than the account (RL-39)"),
}


@dataclass(frozen=True, eq=False)
class RailChart(Chart):
    """A board with its map looked up."""
    map: RailMap


def map_of(chart: Chart) -> RailMap:
    assert isinstance(chart, RailChart)
    return chart.map


class Rail(Game):
    name = "rail"
    title = "RAIL (Railway Rivals)"
    players = (2, 6)
    boards = ("southern_sweden", "germany", "france", "western_usa", "tiny")
    unit = "points"
    board_format = FORMAT
    weights = core.weight_names()
    options = (
        Option("dice", ("2", "1"), "2", "dice of a construction throw (RL-7, RL-56)"),
        Option("shared_throw", SWITCH, "false", "one throw a round for all (RL-57)"),
        Option("joint_lines", SWITCH, "false", "two players may build a line together (RL-58)"),
        Option("joint_runs", SWITCH, "true", "two players may run one train together (RL-33; 3 or more players)"),
        Option("expansion", ("race_income", "ten_percent"), "race_income", "what may be built after a race (RL-49, RL-59)"),
        Option("chained", SWITCH, "false", "a race begins where the last one ended (RL-59a)"),
        Option("end", ("target", "races"), "target", "a target account, or a number of races (RL-52, RL-54)"),
        Option("races", (), "", "with end=races: half of the map's numbers, or all, such as 18 or 36 (RL-54)"),
        Option("advanced", SWITCH, "false", "borders, ferries and special races, on maps that have them (RL-60)"),
        Option("city_parallel_free", SWITCH, "false", "the half of a parallel segment in a city costs nothing (RL-18)"),
        Option("deferred_join_fee", SWITCH, "false", "a parallel segment out of a city costs 1 more (RL-18)"),
    )

    def chart(self, name: str, data: dict[str, Any]) -> Chart:
        land, figures = read_map(name, data)
        return RailChart(name, data, core.make_board(figures), land)

    def board_faults(self, name: str, data: dict[str, Any]) -> list[str]:
        return map_faults(name, data)

    def option_values(self, chart: Chart, players: int, rules: Rules) -> Sequence[int]:
        self.check_fit(chart, players, rules)
        values = [0] * core.N_CHOICES
        for name, place in (("shared_throw", core.SHARED_THROW), ("joint_lines", core.JOINT_LINES), ("joint_runs", core.JOINT_RUNS),
                            ("chained", core.CHAINED), ("advanced", core.ADVANCED), ("city_parallel_free", core.CITY_PARALLEL_FREE),
                            ("deferred_join_fee", core.DEFERRED_JOIN_FEE)):
            values[place] = self.option(rules, name) == "true"
        values[core.DICE] = int(self.option(rules, "dice"))
        values[core.TEN_PERCENT] = self.option(rules, "expansion") == "ten_percent"
        if self.option(rules, "end") == "races":
            values[core.RACES] = int(rules.get("races", race_counts(chart)[0]))
        return values

    def check_fit(self, chart: Chart, players: int, rules: Rules) -> None:
        """ValueError for an option that does not fit this map or this number of players."""
        counts = race_counts(chart)
        if "races" in rules and rules.get("end") != "races":
            raise ValueError("rules races without end=races; expected both, or neither (RL-54)")
        if "races" in rules and rules["races"] not in counts:
            raise ValueError(f"rules races={rules['races']}; expected races= one of {' '.join(counts)} on {chart.name} (RL-54)")
        if rules.get("end") == "races" and counts[0] == "0":
            raise ValueError(f"rules end=races; expected end=target on {chart.name}, which has fewer than two numbers (RL-54)")
        if rules.get("advanced") == "true" and chart.data["special_races"] is None:
            raise ValueError(f"rules advanced=true; expected advanced=false on {chart.name}, which has no special races (section 7)")
        if rules.get("joint_runs") == "true" and players < 3:
            raise ValueError(f"rules joint_runs=true with {players} players; expected 3 or more players (RL-33)")

    # --- moves ---------------------------------------------------------------------
    def token(self, chart: Chart, position: Position, move: int) -> str:
        kind, a, b = unpack(move)
        land = map_of(chart)
        if kind == Kind.DO_BUILD:
            return f"build:{land.hexes[a]}-{land.hexes[b]}"
        if kind in (Kind.DO_THROW, Kind.DO_DIE):
            return f"{'throw' if kind == Kind.DO_THROW else 'die'}:{a}"
        if kind in (Kind.DO_FIRST, Kind.DO_OFFER):
            return f"{'first' if kind == Kind.DO_FIRST else 'joint'}:{a + 1}"
        if kind == Kind.DO_START:
            return f"start:{land.hexes[a]}"
        if kind == Kind.DO_FERRY:
            return f"ferry:{land.ferries[a]['id'].lower()}"
        if kind == Kind.DO_FROM:
            return f"from:{NUMBERS[a]}"
        if kind == Kind.DO_TO:
            return f"to:{land.rolls[a] if position.figures()['special'][0] else NUMBERS[a]}"
        if kind in (Kind.DO_ROUTE, Kind.DO_EXPLICIT):
            return route_token(land, position, move)
        return WORDS[kind]

    def tokens(self, chart: Chart, position: Position) -> dict[str, int]:
        """As for every game; the routes of a decision are searched once."""
        moves = position.legal()
        if not any(unpack(move)[0] == Kind.DO_ROUTE for move in moves):
            return {self.token(chart, position, move): move for move in moves}
        routes = core.routes(position)
        words = ["route:" + "-".join(route_hexes(map_of(chart), position, route)) for route in routes]
        return {**dict(zip(words, moves, strict=False)), **{WORDS[unpack(move)[0]]: move for move in moves[len(words):]}}

    def alias(self, chart: Chart, position: Position, token: str) -> str:
        """Names of places for hexes: `start:malmö`, `build:malmo-lund`."""
        kind, colon, rest = token.partition(":")
        if kind not in ("start", "build", "route") or not colon:
            return token
        places = {plain(name): hex_id for name, hex_id in map_of(chart).places.items()}
        way, *suffixes = rest.split(":")
        way = "-".join(places.get(plain(word), word) for word in way.split("-"))
        return ":".join([kind, way, *suffixes])

    def unlisted(self, chart: Chart, position: Position, token: str) -> int | None:
        """Section 10: any explicit legal route, an entry without a candidate, a segment from its other end."""
        kind, _, rest = token.partition(":")
        decision = decision_of(position)
        if kind == "route" and decision in ("route", "repair"):
            return core.pack_move(Kind.DO_EXPLICIT, 0, 0) if self.route_fault(chart, position, rest) == ("", "") else None
        move = self.named_move(chart, position, kind, rest)
        return move if move is not None and position.accepts(move) else None

    def named_move(self, chart: Chart, position: Position, kind: str, rest: str) -> int | None:
        """The number of a build step or an entry by its words, legal or not."""
        land = map_of(chart)
        if kind == "build":
            u, _, v = rest.partition("-")
            if u in land.number_of and v in land.number_of:
                return core.pack_move(Kind.DO_BUILD, land.number_of[u], land.number_of[v])
        if kind == "joint" and rest.isascii() and rest.isdigit() and 1 <= int(rest) <= position.n_players:
            return core.pack_move(Kind.DO_OFFER, int(rest) - 1, 0)
        if kind == "alone" and not rest:
            return core.pack_move(Kind.DO_ALONE, 0, 0)
        if kind == "ferry":
            ids = [ferry["id"].lower() for ferry in land.ferries]
            return core.pack_move(Kind.DO_FERRY, ids.index(rest), 0) if rest in ids else None
        return None

    # --- why not ---------------------------------------------------------------------
    def reason(self, chart: Chart, position: Position, token: str) -> str:
        return self.refusal(chart, position, token)[1]

    def refusal(self, chart: Chart, position: Position, token: str) -> tuple[str, str]:
        """Why a move is refused: the reason's code (section 12), where it has one, and words."""
        kind, _, rest = token.partition(":")
        decision = decision_of(position)
        allowed = {"start": ("start",), "build": ("build", "joint", "end", "declare", "ferry"), "answer": ("accept", "refuse"),
                   "enter": ("out", "alone", "joint"), "route": ("route", "withdraw"), "repair": ("route", "withdraw"),
                   "expand": ("build", "end", "ferry")}[decision]
        if kind not in allowed:
            return "", f"{seat(position.to_move())} has to choose {WAITING[decision]}"
        if kind == "start":
            return "not-a-start-city", f"nobody begins at {rest} (RL-5)"
        if kind == "build":
            return self.build_refusal(chart, position, rest)
        if kind == "route":
            return self.route_fault(chart, position, rest)
        if kind == "withdraw":
            return "", "a train that has a route names one (RL-31)"
        if kind == "declare":
            return self.declare_refusal(chart, position)
        move = self.named_move(chart, position, kind, rest)
        if move is None:
            return ("no-such-ferry", f"the map has no ferry '{rest}'") if kind == "ferry" else ("", "")
        fault = core.fault_of(position, move)
        return FERRY_REASONS[FerryFault(fault)] if kind == "ferry" else OFFER_REASONS[OfferFault(fault)] if fault else ("", "")

    def build_refusal(self, chart: Chart, position: Position, rest: str) -> tuple[str, str]:
        """The checks of RL-9 in the order of section 12; those on the map first, which the core does not know whole."""
        land = map_of(chart)
        u, _, v = rest.partition("-")
        if u not in land.terrain or v not in land.terrain:
            return "no-such-place", f"the map has no hex '{u if u not in land.terrain else v}'"
        if v not in beside(u):
            return "not-adjacent", f"{u} and {v} are no neighbours (RL-9)"
        move = self.named_move(chart, position, "build", rest)
        figures = position.figures()
        words = {"u": u, "v": v, "pips": figures["pips"][0], "limit": figures["limit"][position.to_move()],
                 "account": figures["account"][position.to_move()], "cost": building_cost(land, u, v)}
        if move is None or core.fault_of(position, move) != BuildFault.NOT_CONNECTED:
            if u not in land.number_of:
                code, text = BUILD_REASONS[BuildFault.NOT_CONNECTED]
                return code, text.format(**words)
            if land.terrain[v] not in LAND:
                return "water-or-off-limits", f"nobody builds on {v}, {land.terrain[v]} (RL-9)"
        fault = BuildFault.BORDER if move is None else BuildFault(core.fault_of(position, move))
        code, text = BUILD_REASONS[fault]
        return code, text.format(**words)

    def declare_refusal(self, chart: Chart, position: Position) -> tuple[str, str]:
        """RL-24."""
        figures = position.figures()
        n_open = len(map_of(chart).cities) - figures["connected"][0].bit_count()
        if figures["declared"][0]:
            return "already-declared", f"construction was declared closed in round {figures['declared'][0]} (RL-24)"
        if n_open == 0:
            return "no-city-open", "every city is connected (RL-24)"
        return "more-than-one-city-open", f"{n_open} cities are not connected yet (RL-24)"

    def route_fault(self, chart: Chart, position: Position, text: str) -> tuple[str, str]:
        """Reads an explicit route `AAAA-BBBB-..:AAAA-BBBB+SEAT` and notes it in the position; why not, or two empty texts.

        A suffix names who is paid for a segment that several rivals own, where it is not the default of section 10.
        """
        land = map_of(chart)
        way, *suffixes = text.split(":")
        hexes = way.split("-")
        payees = read_payees(suffixes, position.n_players)
        if payees is None:
            return "say-which-line-is-used", "a suffix is not of the form AAAA-BBBB+SEAT, one a segment (RL-36)"
        if any(h not in land.terrain for h in hexes):
            return "no-such-place", f"the map has no hex '{next(h for h in hexes if h not in land.terrain)}'"
        figures = position.figures()
        if hexes[0] != land.hexes[figures["from"][0]]:
            return ROUTE_REASONS[RouteFault.NOT_FROM_START]
        if hexes[-1] not in goal_hexes(land, figures):
            return ROUTE_REASONS[RouteFault.NOT_TO_GOAL]
        if len(set(hexes)) < len(hexes):
            return ROUTE_REASONS[RouteFault.HEX_TWICE]
        if any(land.country[h] is not None for h in hexes[:-1]):
            return ROUTE_REASONS[RouteFault.THROUGH_ABROAD]
        if any(h not in land.number_of for h in hexes):
            return ROUTE_REASONS[RouteFault.NO_TRACK]
        steps = [segment(u, v) for u, v in itertools.pairwise(hexes)]
        if not set(payees) <= set(steps):
            return "say-which-line-is-used", "a suffix names a segment that is not on the route (RL-36)"
        fault = core.draft_route(position, [land.number_of[h] for h in hexes], [payees.get(step, core.NOBODY) for step in steps])
        return ROUTE_REASONS[RouteFault(fault)] if fault else ("", "")

    # --- in words ----------------------------------------------------------------------
    def explain(self, chart: Chart, position: Position, move: int) -> str:
        kind, a, b = unpack(move)
        land, figures = map_of(chart), position.figures()
        who = seat(position.to_move()) if position.to_move() >= 0 else "chance"
        if kind == Kind.DO_BUILD:
            return f"{who} builds {self.segment_words(land, position, a, b)}"
        if kind in (Kind.DO_ROUTE, Kind.DO_EXPLICIT):
            return f"{who} runs {route_words(land, position, move)}"
        if kind in (Kind.DO_FROM, Kind.DO_TO):
            what = "the race begins in" if kind == Kind.DO_FROM else "the goal is"
            return f"{what} {land.labels[a] if kind == Kind.DO_TO and figures['special'][0] else city_numbered(land, NUMBERS[a])}"
        if kind == Kind.DO_OFFER:
            return f"{who} offers {seat(a)} a joint {'line' if decision_of(position) == 'build' else 'run'}"
        words = {
            Kind.DO_FIRST: f"{seat(a)} begins the first round", Kind.DO_START: f"{who} begins in {land.place(land.hexes[a])}",
            Kind.DO_END: f"{who} builds no more", Kind.DO_DECLARE: f"{who} declares construction closed: two more rounds after this one",
            Kind.DO_ACCEPT: f"{who} accepts", Kind.DO_REFUSE: f"{who} refuses", Kind.DO_OUT: f"{who} stays out of the race",
            Kind.DO_ALONE: f"{who} enters a train", Kind.DO_WITHDRAW: f"{who} withdraws the train",
        }
        if kind == Kind.DO_FERRY:
            ferry = land.ferries[a]
            return f"{who} buys the ferry {ferry['name']} for {ferry['price']} points"
        if kind in (Kind.DO_THROW, Kind.DO_DIE):
            return f"the throw is {a}"
        return words[kind]

    def segment_words(self, land: RailMap, position: Position, a: int, b: int) -> str:
        """`0402-0403 for 3 pips, fees 4, a premium of 6`."""
        u, v = land.hexes[a], land.hexes[b]
        after = position.copy()
        after.apply(core.pack_move(Kind.DO_BUILD, a, b))
        fees = sum(after.figures()["buildfees"]) - sum(position.figures()["buildfees"])
        premium = sum(after.figures()["premiums"]) - sum(position.figures()["premiums"])
        unit = "pip" if decision_of(position) == "build" else "point"
        return (f"{land.place(u)} to {land.place(v)} for {plural(building_cost(land, u, v), unit)}"
                + f", fees {fees}" * bool(fees) + f", a premium of {premium}" * bool(premium))

    def events(self, chart: Chart, before: Position, move: int, after: Position) -> list[str]:
        """Fees and premiums, the race's payments and prizes, the ends of phases."""
        land = map_of(chart)
        old, new = before.figures(), after.figures()
        seats = range(before.n_players)
        said = []
        for payer in seats:
            for receiver in seats:
                points = matrix(new, "buildfees", payer, receiver) - matrix(old, "buildfees", payer, receiver)
                if points:
                    said.append(f"{seat(payer)} pays {seat(receiver)} {plural(points, 'point')}")
        for player in seats:
            points = new["premiums"][player] - old["premiums"][player]
            if points:
                said.append(f"{seat(player)} gets a premium of {points}")
        if decision_of(before) in ("build", "throw") and decision_of(after) in ("from", "to", "over"):
            said.append(f"construction is over after round {old['round'][0]}")
        naming = ("enter", "answer", "route", "repair")
        if decision_of(before) in naming and decision_of(after) not in (*naming, "build"):
            said += payment_words(new, seats)
        if new["over"][0] and not old["over"][0]:
            said += prize_words(land, new, seats)
        if decision_of(after) == "over":
            said.append("the game is over: " + listing([f"{seat(p)} wins" for p in after.winners()]))
        return said

    def advice(self, chart: Chart, position: Position, move: int, weights: Sequence[float]) -> str:
        """`entering is worth +6.3: 71 % to win, fees 4`; `towards Bremen, 4 pips to go, worth 7.2 points`."""
        kind, a, _ = unpack(move)
        decision, land = decision_of(position), map_of(chart)
        figures = array("f", weights)
        if decision == "enter" and kind == Kind.DO_OUT:
            alone = core.pack_move(Kind.DO_ALONE, 0, 0)
            return f"entering would be {race_words(core.entry_view(position, alone))}" if alone in position.legal() else ""
        if decision == "enter":
            what = "entering" if kind == Kind.DO_ALONE else f"running with {seat(a)}"
            return f"{what} is {race_words(core.entry_view(position, move))}"
        if kind == Kind.DO_ROUTE:
            return f"this route is {race_words(core.entry_view(position, move))}"
        if kind == Kind.DO_BUILD:
            plan = core.plan_view(position, move, figures)
            if plan["city"] == core.NO_HEX:
                return "towards no city that is worth a line"
            name = land.cities[land.hexes[plan["city"]]]
            to_go = f"{plural(plan['pips'], 'pip')} to go" if plan["pips"] else "reached"
            return f"towards {name}, {to_go}, worth {plan['worth']:.1f} points"
        return ""

    # --- positions -----------------------------------------------------------------
    def facts(self, chart: Chart, position: Position) -> dict[str, Any]:
        land, figures = map_of(chart), position.figures()
        seats = range(position.n_players)
        owners = owner_bits(figures)
        mover = position.to_move()
        decision = decision_of(position)
        is_construction = decision in ("first", "throw", "start", "build") or figures["decision"][0] == Decision.ANSWERING_LINE
        return {
            "game": self.name,
            "to_move": mover + 1 if mover >= 0 else "chance" if mover == CHANCE else None,
            "decision": decision,
            "phase": "construction" if is_construction else "over" if mover == OVER else "operation",
            "players": [
                {"account": figures["account"][p],
                 "start": land.hexes[figures["start"][p]] if figures["start"][p] >= 0 else None,
                 "segments": ["-".join(land.segments[i]) for i in range(len(land.segments)) if owners[i] >> p & 1],
                 "ferries": [ferry["id"].lower() for i, ferry in enumerate(land.ferries) if figures["ferries"][i] == p],
                 "limit": figures["limit"][p]}
                for p in seats
            ],
            "round": figures["round"][0],
            "turn": figures["turn"][0] + 1 if is_construction else None,
            "pips": figures["pips"][0],
            "partner": figures["partner"][0] + 1 if figures["partner"][0] >= 0 else None,
            "declared": figures["declared"][0] or None,
            "open_cities": [h for i, h in enumerate(land.cities) if not figures["connected"][0] >> i & 1],
            "race": race_facts(land, figures, seats) if not is_construction else None,
            "target": None if figures["choices"][core.RACES] else TARGETS[position.n_players],
            "races": figures["choices"][core.RACES] or None,
            "advanced": bool(figures["choices"][core.ADVANCED]),
        }

    def text(self, chart: Chart, position: Position) -> str:
        from railwright.engine.drawing.rail import text
        return text(map_of(chart), chart.data, self.facts(chart, position))

    def scene(self, chart: Chart, position: Position) -> "Scene":
        from railwright.engine.drawing.rail import scene
        return scene(map_of(chart), chart.data, self.facts(chart, position))


# --- names -----------------------------------------------------------------------
def plain(name: str) -> str:
    """Malmö, malmo and MALMÖ are one; so are St. Louis and stlouis."""
    letters = unicodedata.normalize("NFKD", name.lower())
    return "".join(letter for letter in letters if letter.isalnum())


def race_counts(chart: Chart) -> list[str]:
    """RL-54: half of the map's numbers, and all of them."""
    n = sum(len(numbers) for numbers in map_of(chart).numbers.values())
    return [str(n // 2), str(n)]


def decision_of(position: Position) -> str:
    return DECISIONS[Decision(position.figures()["decision"][0])]


def owner_bits(figures: dict[str, list[int]]) -> bytes:
    """A byte for each segment: the bits of its owners."""
    return b"".join(word.to_bytes(8, "little") for word in figures["track"])


def goal_hexes(land: RailMap, figures: dict[str, list[int]]) -> list[str]:
    return [h for i, h in enumerate(land.hexes) if figures["goals"][i >> 6] >> (i & 63) & 1]


def city_numbered(land: RailMap, number: int) -> str:
    hex_id = next(h for h, numbers in land.numbers.items() if number in numbers)
    return f"{land.cities[hex_id]} ({number})"


def building_cost(land: RailMap, u: str, v: str) -> int:
    """RL-13."""
    mountains = (land.terrain[u] == "mountain") + (land.terrain[v] == "mountain")
    return 1 + 2 * mountains + 2 * (segment(u, v) in land.rivers)


def matrix(figures: dict[str, list[int]], name: str, row: int, column: int) -> int:
    return figures[name][row * MAX_PLAYERS + column]


# --- routes ----------------------------------------------------------------------
def walk(land: RailMap, start: int, goal: int, words: Sequence[int]) -> list[str]:
    """The hexes of a route from the set of its segments; a ferry comes last."""
    steps: dict[str, list[str]] = {}
    for i, (u, v) in enumerate(land.segments):
        if words[i >> 6] >> (i & 63) & 1:
            steps.setdefault(u, []).append(v)
            steps.setdefault(v, []).append(u)
    hexes = [land.hexes[start]]
    while following := [v for v in steps.get(hexes[-1], []) if v not in hexes]:
        hexes.append(following[0])
    if hexes[-1] != land.hexes[goal]:
        hexes.append(land.hexes[goal])
    return hexes


def route_hexes(land: RailMap, position: Position, route: dict[str, Any]) -> list[str]:
    return walk(land, position.figures()["from"][0], route["goal"], route["path"])


def route_of(position: Position, move: int) -> dict[str, Any]:
    """The route that a move names."""
    kind, pips, fee = unpack(move)
    if kind == Kind.DO_EXPLICIT:
        return core.drafted(position)
    return next(route for route in core.routes(position) if (route["pips"], route["fee"]) == (pips, fee))


def route_token(land: RailMap, position: Position, move: int) -> str:
    route = route_of(position, move)
    hexes = route_hexes(land, position, route)
    token = "route:" + "-".join(hexes)
    for payee, u, v in zip(route.get("payees", ()), hexes, hexes[1:], strict=False):
        if payee != core.NOBODY:
            token += f":{'-'.join(segment(u, v))}+{payee + 1}"
    return token


def route_words(land: RailMap, position: Position, move: int) -> str:
    route = route_of(position, move)
    hexes = route_hexes(land, position, route)
    towns = [land.cities[h] for h in hexes[1:-1] if h in land.cities]
    fees = [f"{points} to {seat(p)}" for p, points in enumerate(route["fees"]) if points]
    return (f"from {land.place(hexes[0])} to {land.place(hexes[-1])}" + f" by {listing(towns)}" * bool(towns)
            + f": {plural(route['pips'], 'pip')}, fees {listing(fees) or 'none'}")


def read_payees(suffixes: Sequence[str], players: int) -> dict[tuple[str, str], int] | None:
    """`AAAA-BBBB+SEAT`, each segment once; None when a suffix is not of that form."""
    payees: dict[tuple[str, str], int] = {}
    for suffix in suffixes:
        ends, _, player = suffix.partition("+")
        u, _, v = ends.partition("-")
        if player not in [str(p + 1) for p in range(players)] or segment(u, v) in payees:
            return None
        payees[segment(u, v)] = int(player) - 1
    return payees


def race_words(view: dict[str, Any]) -> str:
    """`worth +6.3: 71 % to win, fees 4`."""
    if view["pips"] == 0:
        return "worth nothing: there is no route"
    return f"worth {view['worth']:+.1f}: {100 * view['first']:.0f} % to win, {view['pips']} pips, fees {view['fee']}"


# --- a race in plain names and numbers ----------------------------------------------
def train_figures(figures: dict[str, list[int]], i: int) -> list[int]:
    return figures["trains"][i * core.N_TRAIN_FIGURES:][:core.N_TRAIN_FIGURES]


def race_facts(land: RailMap, figures: dict[str, list[int]], seats: range) -> dict[str, Any]:
    start = figures["from"][0]
    trains = []
    for i in range(figures["ntrains"][0]):
        proposer, partner, named, pips, goal, thrown, arrived, *fees = train_figures(figures, i)
        path = figures["paths"][i * core.SEGMENT_WORDS:][:core.SEGMENT_WORDS]
        trains.append({
            "player": proposer + 1, "partner": partner + 1 if partner >= 0 else None, "named": bool(named), "pips": pips if named else None,
            "goal": land.hexes[goal] if named else None, "thrown": thrown, "arrived": arrived or None,
            "fees": {p + 1: fees[p] for p in seats if fees[p]},
            "route": walk(land, start, goal, path) if named and start >= 0 else [],
        })
    return {
        "number": figures["race"][0], "special": bool(figures["special"][0]), "opener": figures["opener"][0] + 1,
        "start": land.hexes[start] if start >= 0 else None, "goals": goal_hexes(land, figures), "over": bool(figures["over"][0]),
        "entries": [Entry(figures["entry"][p]).name.lower() for p in seats], "trains": trains, "round": figures["raceround"][0],
        "thrower": trains[figures["thrower"][0]]["player"] if figures["decision"][0] == Decision.RUNNING else None,
        "prizes": {p + 1: figures["prize"][p] for p in seats if figures["prize"][p]},
        "paid": {(p + 1, q + 1): matrix(figures, "paid", p, q) for p in seats for q in seats if matrix(figures, "paid", p, q)},
    }


def payment_words(figures: dict[str, list[int]], seats: range) -> list[str]:
    return [f"{seat(p)} pays {seat(q)} {plural(matrix(figures, 'paid', p, q), 'point')} for the race"
            for p in seats for q in seats if matrix(figures, "paid", p, q)]


def prize_words(land: RailMap, figures: dict[str, list[int]], seats: range) -> list[str]:
    prizes = [f"{seat(p)} {figures['prize'][p]}" for p in seats if figures["prize"][p]]
    return [f"race {figures['race'][0]} is over; prizes: {listing(prizes)}" if prizes else "race is over without prizes"]
