"""Chicago Express: the words for its moves and its positions (rules CE-1 to CE-104)."""
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from railwright.cext import chicago_express as core
from railwright.cext.chicago_express import Decision, Kind, Purpose, Terrain
from railwright.cext.game import MAX_CASH, OVER, Position, unpack
from railwright.cext.hexes import HEX_WORDS
from railwright.engine.boards import Reader
from railwright.engine.game import Bid, Chart, Game, Option, Rules
from railwright.engine.hexes import distances, numbers_of, read_hexes, read_neighbours
from railwright.engine.shares import (
    Facts,
    amount,
    auction_facts,
    bid_advice,
    city_word,
    dollars,
    hex_word,
    no_bid,
    payment_words,
    read_hex,
    share_words,
)
from railwright.engine.words import listing, plural, seat

if TYPE_CHECKING:
    from railwright.engine.drawing.scene import Scene

N_COMPANIES = core.N_COMPANIES
DIALS = ("auction", "build", "develop")
TERRAINS = ("plains", "forest", "mountain", "city", "industry", "start")
MEANS = "building, development and Chicago"     # by which a company's dividends grow
DECISIONS = {
    Decision.BIDDING: "bid", Decision.CHOOSING_DIAL: "dial", Decision.OFFERING: "offer",
    Decision.CHOOSING_COMPANY: "company", Decision.PLACING: "place", Decision.DEVELOPING: "develop",
    Decision.GAME_OVER: "over",
}


class ChicagoExpress(Game):
    name = "chicago-express"
    title = "Chicago Express"
    players = (2, 6)
    boards = ("chicago_express",)
    unit = "$"
    weights = core.weight_names()
    options = (Option("opener", tuple("123456"), "1", "the seat that opens the first auction (CE-14)"),)

    def chart(self, name: str, data: dict[str, Any]) -> Chart:
        return Chart(name, data, core.make_board(read_figures(name, data)))

    def option_values(self, chart: Chart, players: int, rules: Rules) -> Sequence[int]:
        opener = int(self.option(rules, "opener"))
        if opener > players:
            raise ValueError(f"rules opener={opener}; expected a seat from 1 to {players}")
        return [opener - 1]

    # --- moves ---------------------------------------------------------------------
    def token(self, chart: Chart, position: Position, move: int) -> str:
        kind, a, b = unpack(move)
        words = {
            Kind.DO_PASS: "pass", Kind.DO_BID: f"bid:{amount(a, b)}", Kind.DO_STOP: "stop", Kind.DO_DECLINE: "decline",
        }
        if kind == Kind.DO_DIAL:
            return f"dial:{DIALS[a]}"
        if kind == Kind.DO_OFFER:
            return f"offer:{company_word(chart, a)}"
        if kind == Kind.DO_COMPANY:
            return f"build:{company_word(chart, a)}"
        if kind == Kind.DO_PLACE:
            return f"build:{company_word(chart, a)}:{hex_word(chart, b)}"
        if kind == Kind.DO_DEVELOP:
            return f"develop:{hex_word(chart, a)}"
        return words[kind]

    def alias(self, chart: Chart, position: Position, token: str) -> str:
        """City names for hexes, `b&o` for `bo`."""
        parts = token.replace("&", "").split(":")
        if len(parts) > 1 and parts[0] in ("build", "develop"):
            cities = {city_word(hex_["name"]): hex_["id"].lower() for hex_ in chart.data["hexes"] if hex_.get("name")}
            parts[-1] = cities.get(city_word(parts[-1]), parts[-1])
        return ":".join(parts)

    def reason(self, chart: Chart, position: Position, token: str) -> str:
        """Which rule speaks against a move that the decision could have taken."""
        facts = self.facts(chart, position)
        kind, *rest = token.split(":")
        player = f"player {facts['to_move']}"
        wanted = {"bid": ("bid:", "pass"), "dial": ("dial:",), "offer": ("offer:", "decline"), "company": ("build:", "decline"),
                  "place": ("build:", "stop"), "develop": ("develop:", "decline")}[facts["decision"]]
        if not any(token == word or (word.endswith(":") and token.startswith(word)) for word in wanted):
            return f"{player} has to choose {WAITING[facts['decision']]}"
        companies = facts["companies"]
        if kind == "bid":
            return no_bid(facts, ":".join(rest))
        if kind == "stop":
            return "a build places one locomotive at least (CE-51)"
        if kind == "dial":
            return f"the {rest[0]} dial is on red (CE-33)" if rest[0] in DIALS else f"no dial is called '{rest[0]}'"
        if kind in ("offer", "build") and rest[0] not in companies:
            return f"no company is called '{rest[0]}'"
        if kind == "offer":
            return "all its shares are sold (CE-40)" if companies[rest[0]]["shares_left"] == 0 else "it is not founded yet (CE-41)"
        if kind == "build" and (len(rest) == 1) != (facts["decision"] == "company"):
            return f"{player} has to choose {WAITING[facts['decision']]}"
        if kind == "build" and len(rest) == 1:
            held = facts["players"][facts["to_move"] - 1]["shares"].get(rest[0], 0)
            nowhere = f"{rest[0]} can build nowhere with ${companies[rest[0]]['treasury']}"
            return nowhere if held else f"{player} holds no share of {rest[0]} (CE-50)"
        hexes = {hex_["id"].lower(): hex_ for hex_ in chart.data["hexes"]}
        if rest[-1] not in hexes:
            return f"no hex or city is called '{rest[-1]}'"
        if kind == "develop":
            return self.no_development(chart, facts, hexes[rest[-1]])
        if kind == "build" and rest[0] != facts["building"]:
            return f"{facts['building']} is building"
        return self.no_placement(facts, hexes[rest[-1]], rest[0]) if kind == "build" else ""

    def no_placement(self, facts: dict[str, Any], hex_: dict[str, Any], company: str) -> str:
        word, figures = hex_["id"].lower(), facts["companies"][company]
        standing = facts["hexes"].get(word, {}).get("companies", [])
        cost = (hex_["cost"] or 0) * (len(standing) + 1)
        if hex_["terrain"] == "start":
            return f"nobody builds on {word}, a start city (CE-53)"
        if company in standing:
            return f"{company} stands on {word} already (CE-55)"
        if not {name.lower() for name in hex_["neighbours"]} & set(figures["track"]):
            return f"{word} is not next to track of {company} (CE-52)"
        if standing and hex_["terrain"] in ("forest", "mountain"):
            return f"{word} is a {hex_['terrain']} and taken by {standing[0]} (CE-54)"
        if not figures["locomotives_left"]:
            return f"{company} has no locomotive left (CE-58)"
        return f"treasury of {company} is ${figures['treasury']}, {word} costs ${cost} (CE-57)"

    def no_development(self, chart: Chart, facts: dict[str, Any], hex_: dict[str, Any]) -> str:
        word = hex_["id"].lower()
        state = facts["hexes"].get(word, {})
        if hex_["developable"] in ("never", "auto"):
            return f"{word} cannot be developed (CE-72)"
        if not state.get("companies"):
            return f"no locomotive stands on {word} (CE-70)"
        if state.get("developed"):
            return f"{word} is developed already (CE-71)"
        return f"{word} is at the end of its track (CE-76)" if hex_["terrain"] == "industry" else "no house is left (CE-77)"

    def explain(self, chart: Chart, position: Position, move: int) -> str:
        facts = self.facts(chart, position)
        kind, a, b = unpack(move)
        who = f"player {facts['to_move']}"
        if kind in (Kind.DO_BID, Kind.DO_PASS):
            auction = facts["auction"]
            share = f"a share of {company_name(chart, auction['company'])}"
            if kind == Kind.DO_BID:
                return f"{who} bids ${amount(a, b)} for {share}"
            return f"{who} passes; {share} " + (f"stands at ${auction['bid']}" if auction["bidder"] else "has no bid yet")
        if kind == Kind.DO_DIAL:
            dial = facts["dials"][DIALS[a]]
            return f"{who} takes the {DIALS[a]} action, step {dial['at'] + 1} of {dial['steps']}"
        if kind == Kind.DO_OFFER:
            company = company_word(chart, a)
            figures = facts["companies"][company]
            least = -(-figures["income"] // (figures["sold"] + 1))
            return f"{who} puts a share of {company_name(chart, company)} up for auction, from ${least}"
        if kind == Kind.DO_COMPANY:
            company = company_word(chart, a)
            return f"{who} builds with {company_name(chart, company)}, treasury ${facts['companies'][company]['treasury']}"
        if kind == Kind.DO_PLACE:
            return f"{company_name(chart, company_word(chart, a))} builds to {self.placement_words(chart, facts, b)}"
        if kind == Kind.DO_DEVELOP:
            return f"{who} develops {self.development_words(chart, facts, a)}"
        return f"{who} " + ("stops building" if kind == Kind.DO_STOP else "lets the action lapse")

    def placement_words(self, chart: Chart, facts: dict[str, Any], number: int) -> str:
        hex_ = chart.data["hexes"][number]
        state = facts["hexes"].get(hex_["id"].lower(), {})
        cost = hex_["cost"] * (len(state.get("companies", [])) + 1)
        value = hex_value(chart, facts, number)
        return f"{place_name(chart, number)} for ${cost}" + (f", income +{value}" if value else "")

    def development_words(self, chart: Chart, facts: dict[str, Any], number: int) -> str:
        hex_ = chart.data["hexes"][number]
        companies = listing([company_name(chart, company) for company in facts["hexes"][hex_["id"].lower()]["companies"]])
        if hex_["terrain"] == "forest":
            return f"{place_name(chart, number)}: ${chart.data['forest_development_cash']} into the treasury of {companies}"
        if hex_["terrain"] == "industry":
            values = industry_of(chart, hex_["id"])["values"]
            at = facts["industries"][industry_name(chart, hex_["id"])]
            return f"{place_name(chart, number)}: income +{values[values.index(at) + 1] - at} for {companies}"
        return f"{place_name(chart, number)}: income +{hex_['development']} for {companies}"

    def events(self, chart: Chart, before: Position, move: int, after: Position) -> list[str]:
        """Sales, the Chicago phase and dividends, with every payment."""
        old, new = self.facts(chart, before), self.facts(chart, after)
        said = []
        if (old["decision"] == "bid" and new["auction"] is None) or opened_another(old, new):
            said.append(self.sale_words(chart, old, new))
        kind, _, b = unpack(move)
        if kind in (Kind.DO_PLACE, Kind.DO_STOP) and new["decision"] != "place":
            company = old["building"]
            chicago = chart.data["chicago_hex"].lower()
            reached = company in new["hexes"].get(chicago, {}).get("companies", [])
            if reached and (before.figures()["tochicago"][0] or (kind == Kind.DO_PLACE and hex_word(chart, b) == chicago)):
                said.append(f"{company_name(chart, company)} has reached Chicago; its dividend is "
                            + payment_words(old, {company: new["chicago_dividend"]}))
        if new["wabash_founded"] and not old["wabash_founded"]:
            late = company_word(chart, late_company(chart))
            said.append(f"{company_name(chart, late)} is founded with an income of {new['companies'][late]['income']}")
        if new["general_dividends"] > old["general_dividends"]:
            said.append(f"General dividend number {new['general_dividends']}: " + payment_words(new, new["dividends"]))
            if new["decision"] == "over":
                said.append("An end condition holds: the game is over")
            else:
                said.append(f"The dials go back to the start, Detroit is worth {new['industries'][detroit_name(chart)]}")
        return said

    def sale_words(self, chart: Chart, old: dict[str, Any], new: dict[str, Any]) -> str:
        company = old["auction"]["company"]
        share = f"the share of {company_name(chart, company)}"
        for i, (was, now) in enumerate(zip(old["players"], new["players"], strict=True)):
            if now["shares"].get(company, 0) > was["shares"].get(company, 0):
                paid = max(old["auction"]["bid"], new["companies"][company]["treasury"] - old["companies"][company]["treasury"])
                if not paid:
                    return f"{seat(i)} gets {share} for nothing"
                return f"{seat(i)} buys {share} for ${paid}, which goes into its treasury"
        return f"nobody bids: {share} goes back"

    # --- judgement -----------------------------------------------------------------
    def bids(self, chart: Chart, position: Position, weights: Sequence[float]) -> list[Bid]:
        if position.figures()["decision"][0] != Decision.BIDDING:
            return []
        report = core.share_report(position, weights)
        facts = self.facts(chart, position)
        number = facts["companies"][facts["auction"]["company"]]["sold"] + 1
        return [Bid(player, min(value, figures["cash"]), share_words(report, number, player, figures["cash"], MEANS))
                for player, (value, figures) in enumerate(zip(report["values"], facts["players"], strict=True))]

    def advice(self, chart: Chart, position: Position, move: int, weights: Sequence[float]) -> str:
        kind, a, b = unpack(move)
        if kind in (Kind.DO_BID, Kind.DO_PASS):
            report = core.share_report(position, weights)
            company = company_name(chart, self.facts(chart, position)["auction"]["company"])
            return bid_advice(report, company, position.to_move(), amount(a, b) if kind == Kind.DO_BID else None)
        gain = core.gains(position, [move], weights)[0]
        rounds = core.rounds_to_come(position, weights)
        return f"worth {dollars(gain)} at the end, set against the rivals, with {rounds:.1f} general dividends to come"

    # --- positions -----------------------------------------------------------------
    def facts(self, chart: Chart, position: Position) -> dict[str, Any]:
        figures = position.figures()
        seats = range(position.n_players)
        words = [company_word(chart, company) for company in range(N_COMPANIES)]
        tracks = [numbers_of(figures["track"][company * HEX_WORDS:][:HEX_WORDS]) for company in range(N_COMPANIES)]
        developed = numbers_of(figures["developed"])
        hexes: dict[str, dict[str, Any]] = {}
        for company, track in enumerate(tracks):
            for number in track:
                hexes.setdefault(hex_word(chart, number), {"companies": []})["companies"].append(words[company])
        for number in developed:
            hexes.setdefault(hex_word(chart, number), {"companies": []})["developed"] = True
        decision = figures["decision"][0]
        return {
            "game": self.name,
            "to_move": position.to_move() + 1 if position.to_move() != OVER else None,
            "decision": DECISIONS[Decision(decision)],
            "players": [
                {"cash": figures["cash"][player],
                 "shares": {words[c]: n for c, n in enumerate(figures["shares"][player * N_COMPANIES:][:N_COMPANIES]) if n}}
                for player in seats
            ],
            "companies": {
                words[c]: {
                    "name": chart.data["companies"][c]["name"], "treasury": figures["treasury"][c], "income": figures["income"][c],
                    "sold": figures["sold"][c], "shares_left": chart.data["companies"][c]["shares"] - figures["sold"][c],
                    "locomotives_left": figures["locomotives"][c], "track": [hex_word(chart, number) for number in tracks[c]],
                } for c in range(N_COMPANIES)
            },
            "hexes": hexes,
            "houses_left": figures["houses"][0],
            "industries": {
                name: track["values"][figures["industry"][i]] for i, (name, track) in enumerate(chart.data["industry_tracks"].items())
            },
            "dials": {dial: {"at": figures["dial"][i], "steps": chart.data["dials"][dial]} for i, dial in enumerate(DIALS)},
            "wabash_founded": bool(figures["founded"][0]),
            "building": words[figures["building"][0]] if decision == Decision.PLACING else None,
            "auction": running_auction(figures, words) if decision == Decision.BIDDING else None,
            "turn": figures["turn"][0] + 1,
            "general_dividends": figures["dividends"][0],
            "dividends": {words[c]: figures["paid"][c] for c in range(N_COMPANIES) if figures["paid"][c]},
            "chicago_dividend": figures["paid"][N_COMPANIES],
        }

    def text(self, chart: Chart, position: Position) -> str:
        from railwright.engine.drawing.chicago_express import text
        return text(chart, self.facts(chart, position))

    def scene(self, chart: Chart, position: Position) -> "Scene":
        from railwright.engine.drawing.chicago_express import scene
        return scene(chart, self.facts(chart, position))


WAITING = {
    "bid": "a bid or pass", "dial": "a dial", "offer": "a share to offer, or decline",
    "company": "a company to build with, or decline", "place": "a hex to build on", "develop": "a hex to develop, or decline",
}


# --- names -----------------------------------------------------------------------
def company_word(chart: Chart, company: int) -> str:
    return chart.data["companies"][company]["id"].lower().replace("&", "")


def company_name(chart: Chart, word: str) -> str:
    return next(company["id"] for company in chart.data["companies"] if company["id"].lower().replace("&", "") == word)


def late_company(chart: Chart) -> int:
    return next(i for i, company in enumerate(chart.data["companies"]) if company["opening_order"] is None)


def place_name(chart: Chart, number: int) -> str:
    hex_ = chart.data["hexes"][number]
    return f"{hex_['name']} ({hex_['id']})" if hex_.get("name") else f"{hex_['terrain']} {hex_['id']}"


def industry_name(chart: Chart, hex_id: str) -> str:
    return next(name for name, track in chart.data["industry_tracks"].items() if track["hex"] == hex_id)


def industry_of(chart: Chart, hex_id: str) -> dict[str, Any]:
    return chart.data["industry_tracks"][industry_name(chart, hex_id)]


def detroit_name(chart: Chart) -> str:
    return next(name for name, track in chart.data["industry_tracks"].items() if is_automatic(chart.data, track["hex"]))


def is_automatic(data: dict[str, Any], hex_id: str) -> bool:
    return any(hex_["id"] == hex_id and hex_["developable"] == "auto" for hex_ in data["hexes"])


def hex_value(chart: Chart, facts: dict[str, Any], number: int) -> int:
    """CE-59: what a company gains on arrival."""
    hex_ = chart.data["hexes"][number]
    if hex_["terrain"] == "industry":
        return facts["industries"][industry_name(chart, hex_["id"])]
    developed = facts["hexes"].get(hex_["id"].lower(), {}).get("developed", False)
    return (hex_["income"] or 0) + ((hex_["development"] or 0) if developed else 0)


def running_auction(figures: dict[str, list[int]], words: list[str]) -> Facts:
    return auction_facts(figures, words) | {"purpose": Purpose(figures["purpose"][0]).name.lower()}


def opened_another(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """An opening auction ended and the next one began."""
    return bool(old["auction"] and new["auction"] and old["auction"]["company"] != new["auction"]["company"])


# --- the board -------------------------------------------------------------------
def read_figures(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The figures for the core, checked one by one; BoardError names the first fault."""
    board = Reader(name, data)
    hexes, numbers = read_hexes(board)
    neighbours = read_neighbours(hexes, numbers)
    numbers = {hex_.value["id"]: i for i, hex_ in enumerate(hexes)}
    terrain = [TERRAINS.index(hex_.at("terrain").one_of(TERRAINS)) for hex_ in hexes]
    figures: dict[str, Any] = {"terrain": terrain, "neighbours": neighbours}
    figures |= read_hex_values(hexes, terrain)
    chicago = read_hex(board.at("chicago_hex"), numbers)
    if terrain[chicago] != Terrain.CITY or hexes[chicago].value["developable"] != "never":
        raise board.at("chicago_hex").fail(f"is {board.value['chicago_hex']}", "a city that cannot be developed (CE-72)")
    passable = [kind != Terrain.START for kind in terrain]
    figures |= {"chicago": chicago, "distance": distances(neighbours, chicago, passable, core.FAR)}
    figures |= read_companies(board, numbers, terrain)
    figures |= read_industries(board, hexes, numbers)
    figures["promise"] = [max((hex_income(figures, other) for other in neighbours[i]), default=0) for i in range(len(hexes))]
    figures["dial_steps"] = [board.at("dials").at(dial).number(1, 100) for dial in DIALS]
    figures["houses"] = board.at("houses").number(0, 100)
    figures["max_build"] = board.at("max_locomotives_per_build").number(1, 100)
    figures["forest_cash"] = board.at("forest_development_cash").number(0, 100)
    figures["starting_cash"] = [0, 0] + [board.at("starting_money").at(str(n)).number(0, 1000) for n in range(2, 7)]
    end = board.at("end_game")
    figures["end_locomotives"] = end.at("companies_without_locomotives").number(1, N_COMPANIES)
    figures["end_shares"] = end.at("companies_without_shares").number(1, N_COMPANIES)
    figures["end_houses"] = end.at("houses_left_at_most").number(0, 100)
    values = figures["industry_value"][figures["detroit"]]
    last = end.at("detroit_value").number(0, 1000)
    if last not in values:
        raise end.at("detroit_value").fail(f"is {last}", f"a value of Detroit's track, one of {' '.join(map(str, values))}")
    figures["end_detroit"] = values.index(last)
    figures["most_dividend"] = most_dividend(figures)
    dividends = figures["end_detroit"] - figures["industry_start"][figures["detroit"]] + 2      # CE-104, and one in Chicago (CE-81)
    income = dividends * sum(figures["most_dividend"])
    if income + max(figures["starting_cash"]) > MAX_CASH:
        raise board.fail(f"could pay ${income} to one player", f"at most ${MAX_CASH} in a game: lower incomes, or fewer shares")
    return figures


def read_hex_values(hexes: list[Reader], terrain: list[int]) -> dict[str, list[int]]:
    def value(hex_: Reader, key: str) -> int:
        return 0 if hex_.at(key).value is None else hex_.at(key).number(0, 99)

    for hex_, kind in zip(hexes, terrain, strict=True):
        if hex_.has("name"):
            hex_.at("name").text()
        hex_.at("developable").one_of(("once", "track", "auto", "never"))
        if kind != Terrain.START:
            hex_.at("cost").number(0, 99)
        if (kind == Terrain.INDUSTRY) != (hex_.value["developable"] in ("track", "auto")):
            found = f"is {hex_.value['developable']!r} on terrain {hex_.value['terrain']!r}"
            raise hex_.at("developable").fail(found, "'track' or 'auto' on industry hexes only")
        if kind in (Terrain.START, Terrain.PLAINS) and hex_.value["developable"] == "once":
            raise hex_.at("developable").fail("is 'once'", "'never' on plains and start hexes (CE-72)")
    return {
        "cost": [value(hex_, "cost") for hex_ in hexes],
        "income": [value(hex_, "income") for hex_ in hexes],
        "development": [value(hex_, "development") for hex_ in hexes],
        "with_house": [hex_.value["developable"] == "once" for hex_ in hexes],
    }


def read_companies(board: Reader, numbers: dict[str, int], terrain: list[int]) -> dict[str, Any]:
    companies = board.at("companies").each()
    if len(companies) != N_COMPANIES:
        raise board.at("companies").fail(f"has {len(companies)} companies", f"{N_COMPANIES}")
    words = [company.at("id").text().lower().replace("&", "") for company in companies]
    if len(set(words)) < N_COMPANIES or not all(word.isascii() and word.isalnum() for word in words):
        raise board.at("companies").fail(f"are called {' '.join(words)}", "five different names of letters and digits")
    late = [i for i, company in enumerate(companies) if company.at("opening_order").value is None]
    if len(late) != 1:
        raise board.at("companies").fail(f"has {plural(len(late), 'company')} without an opening order",
                                         "one, which is founded later (CE-12)")
    start_hex = [read_hex(company.at("start_hex"), numbers) for company in companies]
    for i, company in enumerate(companies):
        company.at("name").text()
        if (terrain[start_hex[i]] == Terrain.START) != (i != late[0]):
            raise company.at("start_hex").fail(f"is {company.value['start_hex']}",
                                               "a hex of terrain 'start', or a city for the company founded later")
    opening = sorted((i for i in range(N_COMPANIES) if i != late[0]), key=lambda i: companies[i].at("opening_order").number(1, 99))
    return {
        "late": late[0], "start_hex": start_hex, "opening": opening,
        "start_income": [0 if i == late[0] else company.at("start_income").number(0, 99) for i, company in enumerate(companies)],
        "opening_bid": [0 if i == late[0] else company.at("opening_bid").number(0, 99) for i, company in enumerate(companies)],
        "shares": [company.at("shares").number(1, 20) for company in companies],
        "locomotives": [company.at("locomotives").number(1, 120) for company in companies],
    }


def read_industries(board: Reader, hexes: list[Reader], numbers: dict[str, int]) -> dict[str, Any]:
    tracks = board.at("industry_tracks")
    if not isinstance(tracks.value, dict) or len(tracks.value) != core.N_INDUSTRIES:
        raise tracks.fail("does not name three cities", "three industry tracks (CE-5)")
    entries = [tracks.at(name) for name in tracks.value]
    places = [read_hex(entry.at("hex"), numbers) for entry in entries]
    for place, entry in zip(places, entries, strict=True):
        if hexes[place].value["terrain"] != "industry" or places.count(place) > 1:
            raise entry.at("hex").fail(f"is {entry.value['hex']}", "an industry hex of its own")
    if sum(hex_.value["terrain"] == "industry" for hex_ in hexes) != len(places):
        raise tracks.fail("leaves an industry hex without a track", "one for each")
    automatic = [i for i, place in enumerate(places) if hexes[place].value["developable"] == "auto"]
    if len(automatic) != 1:
        raise tracks.fail(f"has {len(automatic)} tracks that advance by themselves", "one (CE-94)")
    values = [[value.number(0, 99) for value in entry.at("values").each()] for entry in entries]
    for entry, track in zip(entries, values, strict=True):
        if not 1 <= len(track) <= core.MAX_SPACES or track != sorted(set(track)):
            raise entry.at("values").fail(f"has {len(track)} spaces", f"1 to {core.MAX_SPACES} rising values")
        if entry.at("start").value not in track:
            raise entry.at("start").fail(f"is {entry.value['start']}", "a value of the track")
    return {
        "industry_hex": places, "industry_value": values, "detroit": automatic[0],
        "industry_start": [track.index(entry.value["start"]) for entry, track in zip(entries, values, strict=True)],
    }


def hex_income(figures: dict[str, Any], number: int) -> int:
    """What a hex brings when the game begins."""
    if number in figures["industry_hex"]:
        i = figures["industry_hex"].index(number)
        return figures["industry_value"][i][figures["industry_start"][i]]
    return figures["income"][number]


def most_dividend(figures: dict[str, Any]) -> list[int]:
    """At least what each company could ever pay out at once: its locomotives on the richest hexes, developed, each share rounded up."""
    industry = dict(zip(figures["industry_hex"], figures["industry_value"], strict=True))
    worth = sorted((max(industry[i]) if i in industry else figures["income"][i] + figures["development"][i]
                    for i in range(len(figures["terrain"]))), reverse=True)
    return [figures["start_income"][c] + sum(worth[:figures["locomotives"][c]]) + figures["shares"][c] for c in range(N_COMPANIES)]
