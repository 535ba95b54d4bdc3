"""American Rails on the core, in the words of conformance/american_rails.json."""
from typing import Any

from railwright.cext.american_rails import MAX_SEATS, Decision
from railwright.engine.game import Chart
from railwright.engine.games.american_rails import SPACES, company_words
from railwright.engine.hexes import bits_of
from railwright.engine.table import Table

from subjects import CoreSubject

NOBODY = -1


class Subject(CoreSubject):
    def __init__(self, table: Table, names: list[str] | None = None):
        super().__init__(table)
        self.names = names or [str(seat + 1) for seat in range(table.players)]

    def facts(self) -> dict[str, Any]:
        table = self.table
        facts = table.game.facts(table.chart, table.position)
        companies = facts["companies"]

        def by_company(key: str) -> dict[str, int]:
            return {word: figures[key] for word, figures in companies.items()}

        def players(seats: list[int]) -> list[str]:
            return [self.names[seat - 1] for seat in seats]

        asked = {"player": self.names[facts["to_move"] - 1] if facts["to_move"] else "chance", "decision": facts["decision"]}
        return {
            "money": {name: player["cash"] for name, player in zip(self.names, facts["players"], strict=True)},
            "treasury": by_company("treasury"),
            "income": by_company("income"),
            "supply": by_company("cubes_left"),
            "house_supply": facts["houses_left"],
            "shares": {name: dict.fromkeys(companies, 0) | player["shares"]
                       for name, player in zip(self.names, facts["players"], strict=True)},
            "supply_shares": by_company("shares_left"),
            "removed_shares": by_company("shares_gone"),
            "cubes_at": {name.upper(): hex_["companies"] for name, hex_ in facts["hexes"].items() if hex_["companies"]},
            "track": players(facts["track"]),
            "order": players(facts["order"]),
            "column": facts["column"],
            "year": facts["year"],
            "over": facts["decision"] == "over",
            "winners": [self.names[seat] for seat in self.winners()],
            "dividend": facts["dividends"],
            "next": None if facts["decision"] == "over" else asked,
        }


def given(case: dict[str, Any]) -> Subject:
    """The position of a case, reachable in play or not."""
    position = case["given"]
    names = position["players"]
    removed = position.get("removed_company")
    table = Table.new("american-rails", len(names), rules={"removed": removed} if removed else {})
    table.positions = [table.position.load(fields(table.chart, position))]
    table.is_standard_start = False
    return Subject(table, names)


def fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    """The core's fields; what the case does not say has its value by default."""
    data, names, companies = chart.data, position["players"], company_words(chart)
    numbers = {hex_["id"]: i for i, hex_ in enumerate(data["hexes"])}
    numbers |= {city["name"]: numbers[city["hex"]] for city in data["cities"]}
    removed = position.get("removed_company")
    cubes = position.get("cubes", {})
    houses = position.get("houses", [])
    supply = {company["id"]: company["cubes"] - 1 - len(cubes.get(company["id"], [])) for company in data["companies"]}
    supply |= position.get("supply", {}) | ({removed: 0} if removed else {})
    cash = position.get("money", {})
    shares = position.get("shares", {})
    return {
        "cash": padded([cash.get(name, data["starting_money"][str(len(names))]) for name in names], 0),
        "treasury": [position.get("treasury", {}).get(company, 0) for company in companies],
        "track": [word for company in companies for word in bits_of(numbers[place] for place in cubes.get(company, []))],
        "developed": bits_of(numbers[place] for place in houses),
        "shares": padded([shares.get(name, {}).get(company, 0) for name in names for company in companies], 0, len(companies)),
        "gone": [position.get("removed_shares", {}).get(company, 0) for company in companies],
        "cubes": [supply[company] for company in companies],
        "houses": [position.get("house_supply", data["development"]["houses"] - len(houses))],
    } | stage_fields(chart, position)


def stage_fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    """Who is to put a company up, or to choose a space."""
    names, companies = position["players"], company_words(chart)
    if position.get("stage", "prep") == "prep":
        waiting = position.get("prep_remaining", [company for company in companies if company != position.get("removed_company")])
        return {
            "decision": [int(Decision.OFFERING)],
            "turn": [names.index(position.get("prep_chooser", names[0]))],
            "order": padded([names.index(name) for name in position.get("track", [])], NOBODY),
            "waiting": [sum(1 << companies.index(company) for company in waiting)],
        }
    taken = position.get("taken", {})
    return {
        "decision": [int(Decision.CHOOSING)],
        "year": [chart.data["years"].index(position.get("year", chart.data["years"][0]))],
        "column": [position.get("column", 1)],
        "order": padded([names.index(name) for name in position.get("order", names)], NOBODY),
        "taken": [names.index(taken[space]) if space in taken else NOBODY for space in SPACES],
        "waiting": [0],
    }


def padded(values: list[int], blank: int, width: int = 1) -> list[int]:
    """The values of all seats, those of empty ones blank."""
    return values + [blank] * (MAX_SEATS * width - len(values))
