"""American Rails: the words for its moves and its positions (rules AR-1 to AR-66)."""
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from railwright.cext import american_rails as core
from railwright.cext.american_rails import Decision, Kind, Space, Terrain
from railwright.cext.game import BY_BOARD, MAX_CASH, Position, unpack
from railwright.cext.hexes import HEX_WORDS
from railwright.engine.boards import Reader
from railwright.engine.game import Bid, Chart, Game, Option, Rules
from railwright.engine.hexes import costs, numbers_of, read_hexes, read_neighbours
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

N_COMPANIES, MAX_SEATS = core.N_COMPANIES, core.MAX_SEATS
COMPANIES = ("american", "national", "continental", "majestic", "liberty", "republic")     # AR-3, as the rules' option names them
SPACES = ("pass", "develop", "fund5", "take2", "expand3", "auction", "expand4")             # AR-7, from top to bottom
TERRAINS = ("plains", "forest", "mountain", "city")
SEATS = range(core.MIN_SEATS, MAX_SEATS + 1)
MEANS = "building and houses"   # by which a company's dividends grow
DECISIONS = {
    Decision.REMOVING: "removed", Decision.DRAWING_BANKER: "banker", Decision.OFFERING: "offer", Decision.BIDDING: "bid",
    Decision.STARTING: "start", Decision.CHOOSING: "choose", Decision.DEVELOPING: "develop", Decision.FUNDING: "fund",
    Decision.TAKING: "take2", Decision.EXPANDING: "expand", Decision.GAME_OVER: "over",
}
WAITING = {
    "removed": "the company out of the game", "banker": "the banker", "offer": "a share to offer", "bid": "a bid or pass",
    "start": "a city for the first cube", "choose": "a space of the action track", "develop": "a city to develop, or decline",
    "fund": "a company to finance, or decline", "take2": "take, levy or expand, or decline", "expand": "a cube to place, or stop",
}
KINDS = {                       # the first words of the moves that a decision takes
    "offer": ("offer", "decline"), "bid": ("bid", "pass"), "start": ("start",), "choose": ("choose",), "develop": ("develop", "decline"),
    "fund": ("fund", "decline"), "take2": ("take", "levy", "expand2", "decline"), "expand": ("build", "stop"),
}


class AmericanRails(Game):
    name = "american-rails"
    title = "American Rails"
    players = (core.MIN_SEATS, core.MAX_SEATS)
    boards = ("american_rails",)
    unit = "$"
    weights = core.weight_names()
    options = (
        Option("removed", COMPANIES, "random", "with three players, the company that is out of the game (AR-12)"),
        Option("banker", ("random",), "1", "who opens the preparation round: seat 1, or drawn (AR-11)"),
    )

    def chart(self, name: str, data: dict[str, Any]) -> Chart:
        return Chart(name, data, core.make_board(read_figures(name, data)))

    def option_values(self, chart: Chart, players: int, rules: Rules) -> Sequence[int]:
        removed = BY_BOARD
        if "removed" in rules:
            if chart.data["companies_removed_at_setup"][str(players)] == 0:
                raise ValueError(f"rules removed={rules['removed']}; expected no such option with {players} players (AR-12)")
            removed = company_words(chart).index(rules["removed"])
        return [removed, int(self.option(rules, "banker") == "random")]

    # --- moves ---------------------------------------------------------------------
    def token(self, chart: Chart, position: Position, move: int) -> str:
        kind, a, b = unpack(move)
        if kind == Kind.DO_BID:
            return f"bid:{amount(a, b)}"
        if kind == Kind.DO_CHOOSE:
            return f"choose:{SPACES[a]}"
        if kind == Kind.DO_BANKER:
            return f"banker:{a + 1}"
        if kind == Kind.DO_PLACE:
            return f"build:{company_word(chart, a)}:{hex_word(chart, b)}"
        companies = {Kind.DO_REMOVE: "removed", Kind.DO_OFFER: "offer", Kind.DO_FUND: "fund"}
        if kind in companies:
            return f"{companies[kind]}:{company_word(chart, a)}"
        cities = {Kind.DO_START: "start", Kind.DO_DEVELOP: "develop"}
        if kind in cities:
            return f"{cities[kind]}:{hex_word(chart, a)}"
        return {Kind.DO_PASS: "pass", Kind.DO_TAKE: "take", Kind.DO_LEVY: "levy", Kind.DO_EXPAND: "expand2",
                Kind.DO_STOP: "stop", Kind.DO_DECLINE: "decline"}[kind]

    def alias(self, chart: Chart, position: Position, token: str) -> str:
        """City names for hexes, `place` for `build`, a space without `choose:`."""
        kind, *rest = token.split(":")
        if kind == "place":
            kind = "build"
        if kind in ("build", "start", "develop") and rest:
            cities = {city_word(city["name"]): city["hex"].lower() for city in chart.data["cities"]}
            rest[-1] = cities.get(city_word(rest[-1]), rest[-1])
        word = ":".join([kind, *rest])
        return f"choose:{word}" if word in SPACES and position.figures()["decision"][0] == Decision.CHOOSING else word

    def reason(self, chart: Chart, position: Position, token: str) -> str:
        """Which rule speaks against a move that the decision could have taken."""
        facts = self.facts(chart, position)
        kind, *rest = token.split(":")
        decision = facts["decision"]
        if kind not in KINDS[decision] or (kind == "decline" and decision == "offer" and facts["column"] == 0):
            return f"player {facts['to_move']} has to choose {WAITING[decision]}"
        if kind == "bid":
            return no_bid(facts, ":".join(rest))
        if kind == "choose" and rest and rest[0] in SPACES:
            return f"player {facts['spaces'][rest[0]]} stands on {rest[0]} in this column (AR-28)"
        if kind == "expand2":
            with_money = chart.data["action_track"]["spaces"][Space.ON_TAKE]["options"][str(position.n_players)]
            return "no cube can be placed (AR-40)" if "expand2" in with_money else f"not with {position.n_players} players (AR-40)"
        if kind in ("offer", "fund", "build") and rest:
            if rest[0] not in facts["companies"]:
                return f"no company is called '{rest[0]}'"
            if rest[0] == facts["removed"]:
                return f"{rest[0]} is out of the game (AR-12)"
            if kind == "offer":
                return f"{rest[0]} was put up already (AR-16)" if facts["column"] == 0 else f"{rest[0]} has no unsold share (AR-41)"
        if kind in ("start", "develop", "build") and len(rest) == 1 + (kind == "build"):
            return self.no_place(chart, facts, kind, rest)
        return ""

    def no_place(self, chart: Chart, facts: Facts, kind: str, rest: list[str]) -> str:
        """Why nothing can be put on the hex that the move names."""
        word = rest[-1]
        hex_ = next((hex_ for hex_ in chart.data["hexes"] if hex_["id"].lower() == word), None)
        if hex_ is None:
            return f"no hex or city is called '{word}'"
        if kind == "build":
            return self.no_cube(chart, facts, hex_, rest[0])
        state = facts["hexes"].get(word, {})
        city = next((city for city in chart.data["cities"] if city["hex"] == hex_["id"]), None)
        if city is None:
            return f"{word} is not a city ({'AR-21' if kind == 'start' else 'AR-34'})"
        if kind == "start":
            return f"there is a cube in {word} (AR-21)"
        if not city["developable"]:
            return f"{city['name']} can never be developed (AR-36)"
        return f"{city['name']} has a house already (AR-34)" if state.get("developed") else f"there is no cube in {word} (AR-34)"

    def no_cube(self, chart: Chart, facts: Facts, hex_: dict[str, Any], company: str) -> str:
        word, figures = hex_["id"].lower(), facts["companies"][company]
        standing = facts["hexes"].get(word, {}).get("companies", [])
        if not facts["players"][facts["to_move"] - 1]["shares"].get(company):
            return f"player {facts['to_move']} holds no share of {company} (AR-46)"
        if not figures["cubes_left"]:
            return f"{company} has no cube left (AR-51)"
        if company in standing:
            return f"{company} has a cube in {word} already (AR-47)"
        if not {name.lower() for name in hex_["neighbours"].values()} & set(figures["track"]):
            return f"{word} is not next to a cube of {company} (AR-46)"
        if standing and chart.data["terrain_cost"][hex_["terrain"]]["max_cubes"] == 1:
            return f"{word} is a {hex_['terrain']} and taken by {standing[0]} (AR-47)"
        return f"treasury of {company} is ${figures['treasury']}, {word} costs ${cube_cost(chart, facts, word)} (AR-49)"

    def explain(self, chart: Chart, position: Position, move: int) -> str:
        facts = self.facts(chart, position)
        kind, a, b = unpack(move)
        who = f"player {facts['to_move']}"
        if kind == Kind.DO_REMOVE:
            return f"{company_name(chart, company_word(chart, a))} is out of the game"
        if kind == Kind.DO_BANKER:
            return f"{seat(a)} is the banker"
        if kind in (Kind.DO_BID, Kind.DO_PASS):
            auction = facts["auction"]
            share = f"a share of {company_name(chart, auction['company'])}"
            if kind == Kind.DO_BID:
                return f"{who} bids ${amount(a, b)} for {share}"
            return f"{who} passes; {share} " + (f"stands at ${auction['bid']}" if auction["bidder"] else "has no bid yet")
        if kind in (Kind.DO_OFFER, Kind.DO_FUND, Kind.DO_PLACE):
            return f"{who} {self.company_action(chart, facts, kind, a, b)}"
        if kind == Kind.DO_START:
            company = company_name(chart, facts["starting"])
            return f"{who} starts {company} in {place_name(chart, a)}, income {city_of(chart, a)['full']}"
        if kind == Kind.DO_CHOOSE:
            return f"{who} takes {chart.data['action_track']['spaces'][a]['name']}, space {a + 1} of {len(SPACES)}"
        if kind == Kind.DO_DEVELOP:
            return f"{who} develops {self.development_words(chart, facts, a)}"
        spaces = chart.data["action_track"]["spaces"]
        return f"{who} " + {
            Kind.DO_TAKE: f"takes ${spaces[Space.ON_TAKE]['amount']}",
            Kind.DO_LEVY: f"makes every other player pay ${spaces[Space.ON_TAKE]['amount']} to the bank",
            Kind.DO_EXPAND: f"expands with up to {spaces[Space.ON_TAKE]['expand']} cubes in place of the money",
            Kind.DO_STOP: "stops expanding", Kind.DO_DECLINE: "declines the action",
        }[kind]

    def company_action(self, chart: Chart, facts: Facts, kind: int, company: int, place: int) -> str:
        word = company_word(chart, company)
        name, figures = company_name(chart, word), facts["companies"][word]
        if kind == Kind.DO_OFFER:
            return f"puts a share of {name} up for auction, from ${chart.data['min_bid']}; {figures['shares_left'] - 1} more unsold"
        if kind == Kind.DO_FUND:
            given = chart.data["action_track"]["spaces"][Space.ON_FUND]["amount"]
            return f"brings ${given} from the bank to {name}, treasury ${figures['treasury'] + given}"
        cost, gain = cube_cost(chart, facts, hex_word(chart, place)), arrival_gain(chart, facts, word, place)
        return f"extends {name} to {place_name(chart, place)} for ${cost}" + (f", income +{gain}" if gain else "")

    def development_words(self, chart: Chart, facts: Facts, number: int) -> str:
        standing = facts["hexes"][hex_word(chart, number)]["companies"]
        bonus = chart.data["development"]["full_bonus" if len(standing) == 1 else "shared_bonus"]
        return f"{place_name(chart, number)}: income +{bonus} for {listing([company_name(chart, word) for word in standing])}"

    def events(self, chart: Chart, before: Position, move: int, after: Position) -> list[str]:
        """Sales, links and dividends, with every payment."""
        old, new = self.facts(chart, before), self.facts(chart, after)
        said = []
        if old["decision"] in ("bid", "offer") and new["auction"] is None and move_opens_or_bids(move):
            said.append(self.sale_words(chart, old, new, move))
        for company, was in old["companies"].items():
            links = links_of(chart, new["companies"][company]["track"]) - links_of(chart, was["track"])
            said += [f"{was['name']} links {link}" for link in sorted(links)]
        if new["year"] != old["year"] or (new["decision"] == "over" and old["decision"] != "over"):
            said.append(f"Dividends of {old['year']}: " + payment_words(new, new["dividends"]))
            said += end_words(chart, new) if new["decision"] == "over" else []
        if new["decision"] != "over" and (new["year"], new["column"]) != (old["year"], old["column"]):
            order = listing([f"player {player}" for player in new["order"]])
            said.append(f"{new['year']}, phase {new['column']}: the order is {order}")
        return said

    def sale_words(self, chart: Chart, old: Facts, new: Facts, move: int) -> str:
        company = old["auction"]["company"] if old["auction"] else company_word(chart, unpack(move)[1])
        share = f"the share of {company_name(chart, company)}"
        paid = new["companies"][company]["treasury"] - old["companies"][company]["treasury"]
        for i, (was, now) in enumerate(zip(old["players"], new["players"], strict=True)):
            if now["shares"].get(company, 0) > was["shares"].get(company, 0):
                return f"{seat(i)} buys {share} for ${paid}, which goes into its treasury"
        gone = new["companies"][company]["shares_gone"] - old["companies"][company]["shares_gone"]
        if paid > 0:
            return f"no city is free: {plural(gone, 'share')} of {company_name(chart, company)} out of the game, ${paid} in its treasury"
        return f"nobody bids: {share} is out of the game"

    def bids(self, chart: Chart, position: Position, weights: Sequence[float]) -> list[Bid]:
        if position.figures()["decision"][0] != Decision.BIDDING:
            return []
        report = core.share_report(position, weights)
        facts = self.facts(chart, position)
        number = facts["companies"][facts["auction"]["company"]]["sold"] + 1
        return [Bid(player, min(value, figures["cash"]), self.bid_words(report, facts, number, player))
                for player, (value, figures) in enumerate(zip(report["values"], facts["players"], strict=True))]

    def bid_words(self, report: dict[str, Any], facts: Facts, number: int, player: int) -> str:
        figures = facts["players"][player]
        words = share_words(report, number, player, figures["cash"], MEANS)
        if facts["auction"]["company"] not in figures["shares"]:
            words += f", would have a hand in building: {dollars(report['control'])}"
        if facts["column"] == 0 and report["values"][player] >= report["budget"]:
            words += f", keeps money back for later shares: at most ${report['budget']:.0f}"
        return words

    def advice(self, chart: Chart, position: Position, move: int, weights: Sequence[float]) -> str:
        kind, a, b = unpack(move)
        if position.to_move() < 0:
            return ""
        if kind in (Kind.DO_BID, Kind.DO_PASS):
            company = company_name(chart, self.facts(chart, position)["auction"]["company"])
            report = core.share_report(position, weights)
            return bid_advice(report, company, position.to_move(), amount(a, b) if kind == Kind.DO_BID else None)
        gain = core.gains(position, [move], weights)[0]
        rounds = core.rounds_to_come(position, weights)
        return f"worth {dollars(gain)} at the end, set against the rivals, with {rounds:.1f} dividends to come"

    # --- positions -----------------------------------------------------------------
    def facts(self, chart: Chart, position: Position) -> dict[str, Any]:
        figures = position.figures()
        words = company_words(chart)
        tracks = [numbers_of(figures["track"][company * HEX_WORDS:][:HEX_WORDS]) for company in range(N_COMPANIES)]
        hexes: dict[str, dict[str, Any]] = {}
        for company, track in enumerate(tracks):
            for number in track:
                hexes.setdefault(hex_word(chart, number), {"companies": []})["companies"].append(words[company])
        for number in numbers_of(figures["developed"]):
            hexes.setdefault(hex_word(chart, number), {"companies": []})["developed"] = True
        decision = Decision(figures["decision"][0])
        removed, banker, column = (figures[key][0] for key in ("removed", "banker", "column"))
        order = [player + 1 for player in figures["order"] if player >= 0]
        spaces = {SPACES[i]: player + 1 for i, player in enumerate(figures["taken"]) if player >= 0}
        return {
            "game": self.name,
            "to_move": position.to_move() + 1 if position.to_move() >= 0 else None,
            "decision": DECISIONS[decision],
            "players": [
                {"cash": figures["cash"][player],
                 "shares": {words[c]: n for c, n in enumerate(figures["shares"][player * N_COMPANIES:][:N_COMPANIES]) if n}}
                for player in range(position.n_players)
            ],
            "companies": {
                words[c]: {
                    "name": chart.data["companies"][c]["name"], "treasury": figures["treasury"][c], "income": figures["income"][c],
                    "sold": figures["sold"][c], "shares_left": figures["unsold"][c], "shares_gone": figures["gone"][c],
                    "cubes_left": figures["cubes"][c], "track": [hex_word(chart, number) for number in tracks[c]],
                } for c in range(N_COMPANIES)
            },
            "hexes": hexes,
            "houses_left": figures["houses"][0],
            "removed": words[removed] if removed >= 0 else None,
            "banker": banker + 1 if banker >= 0 else None,
            "year": chart.data["years"][figures["year"][0]],
            "column": column,
            "order": order if column > 0 else [],
            "track": order if column == 0 else [player for player in order if column == 1 and player not in spaces.values()],
            "spaces": spaces,
            "waiting": [words[c] for c in range(N_COMPANIES) if figures["waiting"][0] >> c & 1],
            "starting": words[figures["starting"][0]] if decision == Decision.STARTING else None,
            "cubes_to_place": figures["left"][0],
            "auction": auction_facts(figures, words) if decision == Decision.BIDDING else None,
            "dividends": {words[c]: paid for c, paid in enumerate(figures["paid"]) if paid != core.NO_DIVIDEND},
        }

    def text(self, chart: Chart, position: Position) -> str:
        from railwright.engine.drawing.american_rails import text
        return text(chart, self.facts(chart, position))

    def scene(self, chart: Chart, position: Position) -> "Scene":
        from railwright.engine.drawing.american_rails import scene
        return scene(chart, self.facts(chart, position))


# --- names -----------------------------------------------------------------------
def company_word(chart: Chart, company: int) -> str:
    return chart.data["companies"][company]["id"]


def company_words(chart: Chart) -> list[str]:
    return [company["id"] for company in chart.data["companies"]]


def company_name(chart: Chart, word: str) -> str:
    return next(company["name"] for company in chart.data["companies"] if company["id"] == word)


def city_of(chart: Chart, number: int) -> dict[str, Any]:
    return next(city for city in chart.data["cities"] if city["hex"] == chart.data["hexes"][number]["id"])


def place_name(chart: Chart, number: int) -> str:
    hex_ = chart.data["hexes"][number]
    return f"{hex_['city']} ({hex_['id']})" if hex_.get("city") else f"{hex_['terrain']} {hex_['id']}"


def cube_cost(chart: Chart, facts: Facts, word: str) -> int:
    """AR-48: what the next cube costs there."""
    terrain = next(hex_["terrain"] for hex_ in chart.data["hexes"] if hex_["id"].lower() == word)
    cost, state = chart.data["terrain_cost"][terrain], facts["hexes"].get(word, {"companies": []})
    return cost["base"] + cost["per_cube"] * len(state["companies"]) + cost["per_house"] * state.get("developed", False)


def arrival_gain(chart: Chart, facts: Facts, company: str, number: int) -> int:
    """AR-52 to AR-57: what the company's income rises by when it comes there."""
    if chart.data["hexes"][number]["terrain"] != "city":
        return 0
    word, city, bonus = hex_word(chart, number), city_of(chart, number), chart.data["development"]
    state = facts["hexes"].get(word, {"companies": []})
    house = state.get("developed", False)
    gain = city["shared"] + bonus["shared_bonus"] * house if state["companies"] else city["full"] + bonus["full_bonus"] * house
    track = facts["companies"][company]["track"]
    new = links_of(chart, [*track, word]) - links_of(chart, track)
    return gain + sum(link["bonus"] for link in chart.data["special_connections"] if link_name(link) in new)


def link_name(link: dict[str, Any]) -> str:
    return f"{link['cities'][0]} and {link['cities'][1]}, income +{link['bonus']}"


def links_of(chart: Chart, track: Sequence[str]) -> set[str]:
    """AR-56: the special connections whose two cities the track reaches."""
    hexes = {city["name"]: city["hex"].lower() for city in chart.data["cities"]}
    return {link_name(link) for link in chart.data["special_connections"] if all(hexes[name] in track for name in link["cities"])}


def move_opens_or_bids(move: int) -> bool:
    return unpack(move)[0] in (Kind.DO_BID, Kind.DO_PASS, Kind.DO_OFFER)


def end_conditions(chart: Chart, facts: Facts) -> list[tuple[str, int, int, bool]]:
    """AR-62 to AR-64: what each end condition counts, how far it is, where it ends the game, and whether it holds."""
    end = chart.data["end_game"]
    low = end["low_supply"]
    supplies = [figures["cubes_left"] for word, figures in facts["companies"].items() if word != facts["removed"]]
    n_low = sum(pieces <= low["threshold"] for pieces in [*supplies, facts["houses_left"]])
    needed = low["supplies_needed"][str(len(facts["players"]))]
    unsold = sum(figures["shares_left"] for figures in facts["companies"].values())
    return [
        ("the year", facts["year"], end["last_year"], facts["year"] == end["last_year"]),
        ("shares unsold", unsold, 0, unsold == 0),
        (f"supplies of {low['threshold']} or less", n_low, needed, n_low >= needed),
    ]


def end_words(chart: Chart, facts: Facts) -> list[str]:
    held = [f"{what} {at}" for what, at, _, holds in end_conditions(chart, facts) if holds]
    return [f"The game is over: {listing(held)}"]


# --- the board -------------------------------------------------------------------
def read_figures(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The figures for the core, checked one by one; BoardError names the first fault."""
    board = Reader(name, data)
    hexes, numbers = read_hexes(board)
    terrain = [TERRAINS.index(hex_.at("terrain").one_of(TERRAINS)) for hex_ in hexes]
    figures: dict[str, Any] = {"terrain": terrain, "neighbours": read_neighbours(hexes, numbers)}
    numbers = {hex_.value["id"]: i for i, hex_ in enumerate(hexes)}
    figures |= read_costs(board, terrain)
    figures |= read_cities(board, hexes, numbers)
    figures["ways"] = [costs(figures["neighbours"], city, figures["base_cost"], core.FAR) for city in figures["cities"]]
    figures |= read_companies(board)
    figures |= read_track(board)
    development = board.at("development")
    figures["houses"] = development.at("houses").number(1, 100)
    figures["full_bonus"] = development.at("full_bonus").number(0, 20)
    figures["shared_bonus"] = development.at("shared_bonus").number(0, 20)
    figures["min_bid"] = board.at("min_bid").number(1, 1000)
    figures |= read_end(board)
    for key, entry, most in (("starting_cash", "starting_money", 1000), ("n_removed", "companies_removed_at_setup", 1)):
        figures[key] = by_seats(board.at(entry), 0, most)
    figures["most_yearly"] = most_yearly(figures)
    most = figures["n_years"] * figures["most_yearly"] + max(figures["starting_cash"])
    if most > MAX_CASH:
        raise board.fail(f"could pay ${most} to one player", f"at most ${MAX_CASH} in a game: lower values, or fewer years")
    return figures


def by_seats(entry: Reader, low: int, high: int) -> list[int]:
    """A figure for each number of players."""
    return [entry.at(str(n)).number(low, high) if n in SEATS else 0 for n in range(MAX_SEATS + 1)]


def read_costs(board: Reader, terrain: list[int]) -> dict[str, list[int]]:
    """AR-47, AR-48: the cost of a cube, and where one cube is the most."""
    entries = [board.at("terrain_cost").at(word) for word in TERRAINS]
    base, cube, house = ([entry.at(key).number(low, 99) for entry in entries] for key, low in
                         (("base", 1), ("per_cube", 0), ("per_house", 0)))
    exclusive = []
    for entry in entries:
        most = entry.at("max_cubes")
        if most.value not in (None, 1):
            raise most.fail(f"is {most.value}", "null for no limit, or 1")
        exclusive.append(most.value == 1)
    return {"base_cost": [base[kind] for kind in terrain], "cube_cost": [cube[kind] for kind in terrain],
            "house_cost": [house[kind] for kind in terrain], "exclusive": [exclusive[kind] for kind in terrain]}


def read_cities(board: Reader, hexes: list[Reader], numbers: dict[str, int]) -> dict[str, Any]:
    """AR-10, AR-36, AR-56: both values of each city, where houses may stand, and the special connections."""
    full, shared, developable = ([0] * len(hexes) for _ in range(3))
    names: dict[str, int] = {}
    for city in board.at("cities").each():
        place = read_hex(city.at("hex"), numbers)
        name = city.at("name").text()
        if hexes[place].value["terrain"] != "city" or place in names.values() or city_word(name) in map(city_word, names):
            raise city.fail(f"is {name} in {city.value['hex']}", "a name and a hex of terrain 'city' of its own")
        if hexes[place].value.get("city") != name:
            raise hexes[place].fail(f"is called {hexes[place].value.get('city')!r}", f"{name!r}, as in the list of cities")
        names[name] = place
        full[place] = city.at("full").number(0, 99)
        shared[place] = city.at("shared").number(0, full[place])
        developable[place] = int(city.at("developable").flag())
    without = [hex_.value["id"] for i, hex_ in enumerate(hexes) if hex_.value["terrain"] == "city" and i not in names.values()]
    if without:
        raise board.at("cities").fail(f"leave out {without[0]}", "every hex of terrain 'city'")
    if not 2 <= len(names) <= core.MAX_CITIES:
        raise board.at("cities").fail(f"are {len(names)}", f"2 to {core.MAX_CITIES}")
    links = board.at("special_connections").each()
    if len(links) != core.N_LINKS:
        raise board.at("special_connections").fail(f"has {len(links)} entries", f"{core.N_LINKS} pairs of cities (AR-56)")
    ends = [[names[end.one_of(names)] for end in link.at("cities").each()] for link in links]
    for link, pair in zip(links, ends, strict=True):
        if len(pair) != 2 or pair[0] == pair[1]:
            raise link.at("cities").fail(f"names {len(set(pair))} cities", "two different ones")
    return {"cities": sorted(names.values()), "full": full, "shared": shared, "developable": developable, "links": ends,
            "link_bonus": [link.at("bonus").number(0, 99) for link in links]}


def read_companies(board: Reader) -> dict[str, list[int]]:
    companies = board.at("companies").each()
    words = [company.at("id").text() for company in companies]
    if sorted(words) != sorted(COMPANIES):
        raise board.at("companies").fail(f"are called {' '.join(words)}", " ".join(COMPANIES))
    for company in companies:
        company.at("name").text()
    return {"cubes": [company.at("cubes").number(2, 120) - 1 for company in companies],     # AR-14: one is the income marker
            "shares": [company.at("shares").number(1, 20) for company in companies]}


def read_track(board: Reader) -> dict[str, Any]:
    """AR-7: the spaces of the action track and their figures."""
    track = board.at("action_track")
    spaces = track.at("spaces").each()
    words = [space.at("id").text() for space in spaces]
    if tuple(words) != SPACES:
        raise track.at("spaces").fail(f"are {' '.join(words)}", f"{' '.join(SPACES)}, in this order (AR-7)")
    for space in spaces:
        space.at("name").text()
    expanding = (Space.ON_TAKE, Space.ON_EXPAND_3, Space.ON_EXPAND_4)
    options = spaces[Space.ON_TAKE].at("options")
    choices = {n: [choice.one_of(("take", "levy", "expand2")) for choice in options.at(str(n)).each()] for n in SEATS}
    for n, words in choices.items():
        if words[:2] != ["take", "levy"]:
            raise options.at(str(n)).fail(f"are {' '.join(words)}", "take, levy and perhaps expand2 (AR-38 to AR-40)")
    return {
        "columns": track.at("columns").number(1, 9), "fund_amount": spaces[Space.ON_FUND].at("amount").number(0, 99),
        "take_amount": spaces[Space.ON_TAKE].at("amount").number(0, 99),
        "expand": [spaces[i].at("expand").number(1, 9) if i in expanding else 0 for i in range(core.N_SPACES)],
        "may_expand": [int("expand2" in choices.get(n, [])) for n in range(MAX_SEATS + 1)],
    }


def read_end(board: Reader) -> dict[str, Any]:
    """AR-9, AR-62, AR-64."""
    years = [year.number(1, 9999) for year in board.at("years").each()]
    if not 1 <= len(years) <= core.MAX_YEARS or years != sorted(set(years)):
        raise board.at("years").fail(f"has {len(years)} entries", f"1 to {core.MAX_YEARS} rising years")
    end = board.at("end_game")
    last, low = end.at("last_year"), end.at("low_supply")
    if last.value not in years:
        raise last.fail(f"is {last.value}", f"one of the years {years[0]} to {years[-1]}")
    return {"n_years": years.index(last.value) + 1, "last_year": years.index(last.value),
            "low_supply": low.at("threshold").number(0, 99), "low_supplies": by_seats(low.at("supplies_needed"), 1, N_COMPANIES + 1)}


def most_yearly(figures: dict[str, Any]) -> int:
    """At least what one player could ever gain in a round: every share, every city developed and full of companies, and Take."""
    total = figures["columns"] * figures["take_amount"] + sum(figures["shares"]) + N_COMPANIES * sum(figures["link_bonus"])
    for kind, full, shared in zip(figures["terrain"], figures["full"], figures["shared"], strict=True):
        if kind == Terrain.CITY:
            total += max(full + figures["full_bonus"], N_COMPANIES * (shared + figures["shared_bonus"]))
    return total
