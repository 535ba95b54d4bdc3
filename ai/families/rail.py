"""Opponents for RAIL of another family: as the known programs play it, without any judgement of ours."""
from collections.abc import Callable
from heapq import heappop, heappush
from threading import Event
from typing import Any

from railwright.ai.agent import Agent, Choice, Info, Limits, Report
from railwright.ai.agents import Settings
from railwright.engine.games.rail import building_cost, decision_of, map_of
from railwright.engine.games.rail_map import RailMap, beside, segment
from railwright.engine.table import Table

PRIZES = (20, 10)               # RL-46
ENTRANTS = 2                    # trains that it expects in a race besides its own
PIPS_A_ROUND = 3.5              # of a die


class GreedyLines(Agent):
    """Builds to the nearest city that it has not connected, by pips; enters when the prize it expects exceeds the fees."""
    name = "greedy-lines"

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        tokens = table.tokens()
        allowed = [token for token, move in tokens.items() if not limits.searchmoves or move in limits.searchmoves]
        token = self.pick(table, allowed)
        scores = [float(score) for score in table.position.scores()]
        even = [1 / len(scores)] * len(scores)
        lines = [Info(1, 1, len(allowed), 0.0, 0, even, scores, 1, [tokens[token]])]
        report(lines)
        return Choice(tokens[token], lines)

    def pick(self, table: Table, allowed: list[str]) -> str:
        decision = decision_of(table.position)
        if decision == "start":
            return self.first_allowed(self.start_order(table), allowed)
        if decision == "build":
            return self.first_allowed(self.next_segment(table), [*allowed])
        if decision == "enter":
            return "alone" if "alone" in allowed and self.is_worth_it(table) else self.first_allowed(["out"], allowed)
        if decision in ("route", "repair"):
            return self.cheapest_route(table, allowed)
        return self.first_allowed(["end", "refuse"], allowed)

    @staticmethod
    def first_allowed(wanted: list[str], allowed: list[str]) -> str:
        """The first of those wanted that is allowed; else to end, else any."""
        return next((token for token in [*wanted, "end"] if token in allowed), allowed[0])

    # --- construction ------------------------------------------------------------------
    def start_order(self, table: Table) -> list[str]:
        """The start cities, the one with the nearest neighbours first."""
        land = map_of(table.chart)
        starts = [token.removeprefix("start:") for token in table.tokens()]

        def nearness(start: str) -> int:
            pips, _ = distances(land, {start})
            return sum(sorted(pips.get(city, 99) for city in land.cities)[:6])
        return [f"start:{start}" for start in sorted(starts, key=nearness)]

    def next_segment(self, table: Table) -> list[str]:
        """The first segment of the cheapest line to the nearest city that is not connected by the own network."""
        facts, land = table.game.facts(table.chart, table.position), map_of(table.chart)
        player = facts["players"][table.to_move]
        own = {hex_id for pair in player["segments"] for hex_id in pair.split("-")} | {player["start"]}
        rivals = {pair for i, other in enumerate(facts["players"]) if i != table.to_move for pair in other["segments"]}
        pips, before = distances(land, own, rivals)
        nobodys = [city for city in facts["open_cities"] if city in pips]
        for city in sorted(nobodys or [city for city in land.cities if city in pips and city not in own], key=lambda city: pips[city]):
            here = city
            while before.get(here) is not None and before[here] not in own:
                here = before[here]
            if before.get(here) is not None:
                return [f"build:{before[here]}-{here}", f"build:{here}-{before[here]}"]
        return []

    # --- races -------------------------------------------------------------------------
    def is_worth_it(self, table: Table) -> bool:
        """Enters alone, and looks what the cheapest candidate would cost and promise."""
        after = table.fork()
        after.play("alone")
        while decision_of(after.position) in ("enter", "answer"):
            after.play("out" if decision_of(after.position) == "enter" else "refuse")
        routes = candidates(after)
        if not routes:
            return False
        race = table.game.facts(table.chart, table.position)["race"]
        rivals = sum(entry in ("alone", "joint") for entry in race["entries"])
        return max(self.prize(min(rivals + 1, ENTRANTS + 1)) - route["fee"] for route in routes) > 0

    @staticmethod
    def prize(trains: int) -> float:
        """What a train like all others may expect."""
        return sum(PRIZES[:trains]) / trains

    def cheapest_route(self, table: Table, allowed: list[str]) -> str:
        """The least sum of fees and of rounds that it takes longer than the shortest."""
        words = [token for token in allowed if token.startswith("route:")]
        routes = dict(zip([token for token in table.tokens() if token.startswith("route:")], candidates(table), strict=True))
        if not words:
            return allowed[0]
        return min(words, key=lambda token: routes[token]["fee"] + routes[token]["pips"] / PIPS_A_ROUND)


def candidates(table: Table) -> list[dict[str, Any]]:
    from railwright.cext.rail import routes
    return routes(table.position)


def distances(land: RailMap, own: set[str], rivals: set[str] | None = None) -> tuple[dict[str, int], dict[str, str | None]]:
    """Pips from a network to every hex at home, a segment beside a rival's counted dearer, and the hex before each."""
    pips: dict[str, int] = dict.fromkeys(own, 0)
    before: dict[str, str | None] = dict.fromkeys(own)
    queue = [(0, hex_id) for hex_id in sorted(own)]
    while queue:
        far, here = heappop(queue)
        if far > pips[here]:
            continue
        for there in beside(here):
            if land.country.get(there, "") is not None or segment(here, there) not in land.segment_of:
                continue
            more = far + building_cost(land, here, there) + (4 if rivals and "-".join(segment(here, there)) in rivals else 0)
            if more < pips.get(there, 10**6):
                pips[there], before[there] = more, here
                heappush(queue, (more, there))
    return pips, before


def make_greedy_lines(settings: Settings) -> Agent:
    return GreedyLines()


AGENTS: dict[str, Callable[[Settings], Agent]] = {"greedy-lines": make_greedy_lines}
