"""Chicago Express on the core, in the words of conformance/chicago_express.json."""
from typing import Any

from railwright.cext.chicago_express import Decision, Purpose
from railwright.engine.game import Chart
from railwright.engine.games.chicago_express import DIALS, company_word, late_company
from railwright.engine.hexes import bits_of
from railwright.engine.table import Table

from subjects import CoreSubject

SEATS = 6                       # the core's fields have room for the most players


class Subject(CoreSubject):
    def facts(self) -> dict[str, Any]:
        table = self.table
        facts = table.game.facts(table.chart, table.position)
        names = [f"P{seat}" for seat in range(table.players)]
        ids = {company_word(table.chart, i): company["id"] for i, company in enumerate(table.chart.data["companies"])}

        def by_company(key: str) -> dict[str, int]:
            return {ids[word]: figures[key] for word, figures in facts["companies"].items()}

        return {
            "cash": {name: player["cash"] for name, player in zip(names, facts["players"], strict=True)},
            "treasury": by_company("treasury"),
            "income": by_company("income"),
            "shares": {name: {ids[word]: n for word, n in player["shares"].items()}
                       for name, player in zip(names, facts["players"], strict=True)},
            "shares_left": by_company("shares_left"),
            "locomotives_left": by_company("locomotives_left"),
            "locomotives_on": {name.upper(): [ids[word] for word in hex_["companies"]] for name, hex_ in facts["hexes"].items()},
            "houses_left": facts["houses_left"],
            "developed": sorted(name.upper() for name, hex_ in facts["hexes"].items() if hex_.get("developed")),
            "industry": facts["industries"],
            "dials": {dial: figures["at"] for dial, figures in facts["dials"].items()},
            "wabash_founded": facts["wabash_founded"],
            "general_dividends": facts["general_dividends"],
            "game_over": facts["decision"] == "over",
            "winners": [names[seat] for seat in self.winners()],
            "decision": facts["decision"],
            "auctioned": ids[facts["auction"]["company"]] if facts["auction"] else None,
            "min_bid": facts["auction"]["least"] if facts["auction"] else None,
        }


def given(case: dict[str, Any]) -> Subject:
    """The position of a case, reachable in play or not."""
    position = case["given"]
    turn = seat_of(position.get("turn", "P0"))
    if position.get("phase", "turn") == "opening":
        return Subject(Table.new("chicago-express", position["players"], rules={"opener": str(turn + 1)}))
    table = Table.new("chicago-express", position["players"])
    table.positions = [table.position.load(fields(table.chart, position) | {"turn": [turn]})]
    table.is_standard_start = False
    return Subject(table)


def fields(chart: Chart, position: dict[str, Any]) -> dict[str, list[int]]:
    """The core's fields at the start of a turn; what the case does not say has its value by default."""
    data = chart.data
    numbers = {hex_["id"]: i for i, hex_ in enumerate(data["hexes"])}
    companies = [company["id"] for company in data["companies"]]
    tracks, founded = tracks_of(chart, position)
    shares = [0] * (SEATS * len(companies))
    for player, held in position.get("shares", {}).items():
        for company, n in held.items():
            shares[seat_of(player) * len(companies) + companies.index(company)] = n
    cash = [0] * SEATS
    for player, dollars in position["cash"].items():
        cash[seat_of(player)] = dollars
    developed = position.get("developed", [])
    markers = {city: track["start"] for city, track in data["industry_tracks"].items()} | position.get("industry", {})
    return {
        "cash": cash,
        "treasury": [position.get("companies", {}).get(company, {}).get("treasury", 0) for company in companies],
        "track": [word for company in companies for word in bits_of(numbers[hex_id] for hex_id in tracks[company])],
        "developed": bits_of(numbers[hex_id] for hex_id in developed),
        "shares": shares,
        "dial": [position.get("dials", {}).get(dial, 0) for dial in DIALS],
        "industry": [track["values"].index(markers[city]) for city, track in data["industry_tracks"].items()],
        "houses": [position.get("houses_left", data["houses"] - len(developed))],
        "founded": [int(founded)],
        "decision": [int(Decision.CHOOSING_DIAL)],
        "purpose": [int(Purpose.ACTION)],
    }


def tracks_of(chart: Chart, position: dict[str, Any]) -> tuple[dict[str, list[str]], bool]:
    """Each company's hexes, and whether Wabash is founded: by default when some company is in Chicago."""
    late = late_company(chart)
    tracks = {company["id"]: [company["start_hex"]] for i, company in enumerate(chart.data["companies"]) if i != late}
    wabash = chart.data["companies"][late]
    tracks |= {company: figures["track"] for company, figures in position.get("companies", {}).items() if "track" in figures}
    in_chicago = any(chart.data["chicago_hex"] in track for track in tracks.values())
    founded = position.get("wabash_founded", in_chicago)
    return {wabash["id"]: [wabash["start_hex"]] if founded else []} | tracks, founded


def seat_of(player: str) -> int:
    return int(player.removeprefix("P"))
