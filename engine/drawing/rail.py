"""RAIL in pictures: the map with its terrain, rivers and borders, the lines side by side, the trains, and a panel."""
from dataclasses import dataclass
from math import dist
from typing import Any

from railwright.engine.drawing.hexmap import (
    COLOURS,
    FAINT,
    GROUNDS,
    INK,
    PAPER,
    POINTED,
    SEA,
    Layout,
    draw_shore,
    lay_out,
    locomotive,
    name_label,
)
from railwright.engine.drawing.scene import Circle, Line, Point, Polygon, Rectangle, Scene, Shape, Text, mix, text_width
from railwright.engine.games.rail_map import LAND, RailMap, beside, place_of, segment
from railwright.engine.words import listing, plural, seat

Facts = dict[str, Any]

MOST_DOWN, MOST_ACROSS = 1120, 1240     # of the map; the radius of a hex follows
LEAST_RADIUS, MOST_RADIUS = 15, 46
MARGIN = 40                     # of the sea around the map
PANEL = 430                     # its width
PLAYER_COLOURS = tuple(COLOURS[word] for word in ("red", "blue", "green", "orange", "purple", "black"))
LETTERS = "ABCDEF"              # of the players in the text map
RIVER, RIVER_DARK = "#5b9ec9", "#3f7fae"
BORDER = "#b8322a"
WALL = "#41729a"                # an edge that no track may cross
GROUND = {"plain": "#f1e9cd", "mountain": "#d9ccb8", "lake": "#bfdce6", "off": "#d5d2c6"}
ABROAD = "#cfc9b8"              # stirred into the ground of foreign hexes
GOLD, GOLD_DARK = "#f2c443", "#8a6414"
RULE = "#d8cfb8"                # thin lines in the panel
WAITING = {
    "first": "who begins", "throw": "the throw", "start": "a start city", "build": "where to build", "answer": "accept or refuse",
    "from": "the start of the race", "to": "the goal of the race", "enter": "whether to run", "route": "a route",
    "repair": "another route, or to withdraw", "run": "the next die", "expand": "where to build",
}


# --- what both pictures say ------------------------------------------------------
def decision_words(facts: Facts) -> str:
    """`player 2 to choose where to build with 5 pips`, or who has won."""
    if facts["decision"] == "over":
        names = [seat(i) for i in winners(facts)]
        return f"the game is over: {listing(names)} {'wins' if len(names) == 1 else 'share the victory'}"
    who = "the dice decide" if facts["to_move"] == "chance" else f"{seat(facts['to_move'] - 1)} to choose"
    more = f" with {plural(facts['pips'], 'pip')}" if facts["decision"] == "build" else ""
    if facts["decision"] == "expand":
        more = f" for at most {plural(facts['players'][facts['to_move'] - 1]['limit'], 'point')}"
    return f"{who} {WAITING[facts['decision']]}{more}"


def winners(facts: Facts) -> list[int]:
    """RL-53: the highest account wins."""
    most = max(player["account"] for player in facts["players"])
    return [i for i, player in enumerate(facts["players"]) if player["account"] == most]


def cities_of(land: RailMap, player: Facts) -> int:
    """How many cities the player's network touches."""
    touched = {hex_id for pair in player["segments"] for hex_id in pair.split("-")} | {player["start"]}
    return len(touched & set(land.cities))


def race_title(land: RailMap, race: Facts) -> str:
    """`race 3: Berlin to Hamburg`, as far as it is drawn."""
    kind = "special race" if race["special"] else "race"
    if race["start"] is None:
        return f"{kind} {race['number']}"
    if not race["goals"]:
        return f"{kind} {race['number']}: from {land.cities[race['start']]}"
    names = [land.place_names.get(h, h) for h in race["goals"]]
    goals = listing(names) if len(names) <= 3 else f"one of {len(names)} goals"
    return f"{kind} {race['number']}: {land.cities[race['start']]} to {goals}"


def train_words(train: Facts) -> str:
    """`18 pips, 7 thrown, fees 4`."""
    if not train["named"]:
        return "route not named yet"
    words = [plural(train["pips"], "pip")]
    if train["thrown"]:
        words.append(f"{train['thrown']} thrown")
    if train["arrived"]:
        words.append(f"arrived in round {train['arrived']}")
    fees = sum(train["fees"].values())
    return ", ".join([*words, f"fees {fees}"] if fees else words)


def train_place(land: RailMap, train: Facts) -> tuple[str, str, float]:
    """RL-44: between which hexes of its route the train stands, and how far."""
    left = train["thrown"]
    for u, v in zip(train["route"], train["route"][1:], strict=False):
        ferry = next((f for f in land.ferries if {f["from"], f["to"]} == {u, v} and segment(u, v) not in land.segment_of), None)
        climbs = land.terrain[u] != "mountain" and land.terrain[v] == "mountain"
        pips = ferry["length"] + 2 if ferry else 2 if climbs else 1
        if left < pips:
            return u, v, left / pips
        left -= pips
    return train["route"][-1], train["route"][-1], 0


# --- text ------------------------------------------------------------------------
def text(land: RailMap, data: Facts, facts: Facts) -> str:
    """The position in plain text, four columns a hex."""
    parts = [map_text(land, data, facts), players_text(land, facts), race_text(land, facts), f"decision    {decision_words(facts)}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def map_text(land: RailMap, data: Facts, facts: Facts) -> str:
    """Two lines a row: what lies in the hexes and on their eastern sides; what lies on their southern sides."""
    touched: dict[str, str] = {}
    for player, letter in zip(facts["players"], LETTERS, strict=False):
        for hex_id in sorted({h for pair in player["segments"] for h in pair.split("-")} | ({player["start"]} - {None})):
            touched[hex_id] = touched.get(hex_id, "") + letter
    lines = ["   " + "".join(f"{column:<4}" for column in range(1, data["columns"] + 1)).rstrip()]
    for row in range(1, data["rows"] + 1):
        shift = " " * (2 * (row % 2 == 0))
        upper, lower = f"{row:2} {shift}", f"   {shift}"
        for column in range(1, data["columns"] + 1):
            hex_id = f"{row:02}{column:02}"
            _, _, _, east, south_west, south_east = beside(hex_id)
            upper += f"{cell(land, hex_id, touched.get(hex_id, '')):<3}" + side(land, hex_id, east, "|")
            lower += f"{side(land, hex_id, south_west, '~')}{side(land, hex_id, south_east, '~'):>2} "
        lines += [upper.rstrip(), lower.rstrip()]
    letters = ", ".join(f"{LETTERS[i]} {seat(i)}" for i in range(len(facts["players"])))
    legend = ("23 a city by its number  . plain  ^ mountain  o lake  # off limits  , abroad  "
              "| ~ a river on the side between two hexes  = a border\n"
              f"behind it whose lines touch the hex (+ more than there is room for): {letters}")
    return "\n".join(line for line in lines if line.strip()) + "\n\n" + legend


def cell(land: RailMap, hex_id: str, owners: str) -> str:
    """A hex in three letters."""
    terrain = land.terrain[hex_id]
    if hex_id in land.cities:
        numbers = land.numbers[hex_id]
        return (str(numbers[0]) if numbers else "()") + (owners if len(owners) < 2 else "+")
    if terrain == "sea":
        return ""
    sign = {"plain": ".", "mountain": "^", "lake": "o", "off": "#"}[terrain]
    if land.country[hex_id] is not None and terrain in LAND:
        sign = ","
    return sign + (owners if len(owners) <= 2 else owners[0] + "+")


def side(land: RailMap, u: str, v: str, river: str) -> str:
    """What runs between two hexes: a river, a border, nothing."""
    if v not in land.terrain or land.terrain[u] not in LAND or land.terrain[v] not in LAND:
        return " "
    if segment(u, v) in land.rivers:
        return river
    return "=" if (land.country[u] is None) != (land.country[v] is None) else " "


def players_text(land: RailMap, facts: Facts) -> str:
    lines = [f"{'player':<14}{'account':>8}{'segments':>10}{'cities':>8}  start"]
    for i, player in enumerate(facts["players"]):
        mark = ">" if facts["to_move"] == i + 1 else "*" if facts["decision"] == "over" and i in winners(facts) else " "
        start = land.cities[player["start"]] if player["start"] else "-"
        ferries = f"  ferries {' '.join(player['ferries'])}" if player["ferries"] else ""
        figures = f"{player['account']:>8}{len(player['segments']):>10}{cities_of(land, player):>8}"
        lines.append(f"{mark} {LETTERS[i]} {seat(i):<10}{figures}  {start}{ferries}")
    return "\n".join(lines)


def race_text(land: RailMap, facts: Facts) -> str:
    if facts["race"] is None:
        closed = f", closed after round {facts['declared'] + 2}" if facts["declared"] else ""
        names = [land.cities[h] for h in facts["open_cities"]]
        shown = listing(names) if len(names) <= 4 else f"{len(names)}"
        return f"construction, round {facts['round']}{closed}; cities not connected: {shown or 'none'}"
    race = facts["race"]
    lines = [race_title(land, race) + (" (over)" if race["over"] else "")]
    for train in race["trains"]:
        partner = f" with {seat(train['partner'] - 1)}" if train["partner"] else ""
        lines.append(f"  {seat(train['player'] - 1)}{partner}: {train_words(train)}")
    if race["over"]:
        prizes = [f"{seat(player - 1)} {points}" for player, points in race["prizes"].items()]
        lines.append(f"  prizes: {listing(prizes) or 'none'}")
    goal = f"target {facts['target']} points" if facts["target"] else f"{facts['races']} races in all"
    return "\n".join([*lines, f"  {goal}"])


# --- the scene: the map ----------------------------------------------------------
@dataclass
class Sheet:
    """The map on paper."""
    picture: Scene
    layout: Layout
    land: RailMap
    facts: Facts
    countries: dict[str, str]

    @property
    def radius(self) -> float:
        return self.layout.radius

    def centre(self, hex_id: str) -> Point:
        row, column = place_of(hex_id)
        return self.layout.centre(column, row)

    def outline(self, hex_id: str, size: float = 1) -> list[Point]:
        row, column = place_of(hex_id)
        return self.layout.outline(column, row, size)

    def edge(self, u: str, v: str) -> list[Point]:
        """The side between two neighbours: the two corners that both have."""
        return [p for p in self.outline(u) if any(dist(p, q) < 0.1 * self.radius for q in self.outline(v))]


def scene(land: RailMap, data: Facts, facts: Facts) -> Scene:
    """The position as a printed map with a panel on its right."""
    places = [(column, row) for row in range(1, data["rows"] + 1) for column in range(1, data["columns"] + 1)]
    radius = min(MOST_DOWN / (1.5 * data["rows"] + 0.5), MOST_ACROSS / (1.74 * (data["columns"] + 0.5)))
    radius = min(max(radius, LEAST_RADIUS), MOST_RADIUS)
    layout, across, down = lay_out(POINTED, places, radius, MARGIN, MARGIN)
    least = 330 + 64 * len(facts["players"]) + 40 * len(facts["race"]["trains"] if facts["race"] else ())
    height = max(down + 2 * MARGIN, least)
    layout = Layout(POINTED, radius, layout.x, layout.y + (height - 2 * MARGIN - down) / 2)
    picture = Scene(across + 2 * MARGIN + PANEL, height, SEA, f"{data['name']}: {decision_words(facts)}")
    sheet = Sheet(picture, layout, land, facts, data["countries"])
    draw_land(sheet)
    draw_edges(sheet)
    draw_race(sheet)
    draw_lines(sheet)
    draw_places(sheet)
    draw_trains(sheet)
    Panel(sheet, data, across + 2 * MARGIN).draw()
    return picture


def draw_land(sheet: Sheet) -> None:
    land, picture = sheet.land, sheet.picture
    ground = [h for h in land.terrain if land.terrain[h] != "sea"]
    draw_shore(picture, sheet.layout, [place_of(h)[::-1] for h in ground])
    for hex_id in ground:
        terrain, country = land.terrain[hex_id], land.country[hex_id]
        fill = GROUND[terrain]
        if country is not None:
            fill = mix(fill, ABROAD, 0.75)
        name = land.place_names.get(hex_id, terrain)
        picture.add(Polygon(sheet.outline(hex_id), fill=fill, stroke=mix(fill, "#6b5d48", 0.28), width=0.03 * sheet.radius,
                            hint=f"{hex_id} {name}" + (f", {country}" if country else "")))
    draw_countries(sheet)
    for hex_id in ground:
        x, y = sheet.centre(hex_id)
        if land.terrain[hex_id] == "mountain":
            picture.add(*GROUNDS["mountain"].mark(x, y + 0.12 * sheet.radius, 0.98 * sheet.radius))
        elif land.terrain[hex_id] == "lake":
            picture.add(*waves(x, y, sheet.radius))


def draw_countries(sheet: Sheet) -> None:
    """The names of the countries abroad, faint, each on the hex of it that has most of its own around."""
    land = sheet.land
    for code, name in sheet.countries.items():
        own = {h for h in land.terrain if land.country[h] == code and land.terrain[h] in LAND}
        if own:
            hex_id = max(sorted(own), key=lambda h: sum(len(set(beside(n)) & own) for n in [h, *beside(h)] if n in own))
            x, y = sheet.centre(hex_id)
            wide = (2 * sum(n in own for n in beside(hex_id)[2:4]) + 1.4) * 0.95 * sheet.radius
            size = 0.62 * sheet.radius * min(1, wide / text_width(name, 0.62 * sheet.radius))
            sheet.picture.add(Text(x, y - 0.38 * sheet.radius, name, size, fill="#8d8570"))


def waves(x: float, y: float, u: float) -> list[Shape]:
    wave = ((-0.24, 0), (-0.12, -0.09), (0, 0), (0.12, -0.09), (0.24, 0))
    return [Line([(x + (at + dx) * u, y + (down + dy) * u) for dx, dy in wave], stroke="#8fb9c9", width=0.05 * u)
            for at, down in ((-0.24, -0.16), (0.3, 0.04), (-0.1, 0.3))]


def draw_edges(sheet: Sheet) -> None:
    """Rivers in one stroke each, borders in red, blocked edges as a wall."""
    land, picture, u = sheet.land, sheet.picture, sheet.radius
    for width, colour in ((0.3, mix(RIVER, "#ffffff", 0.45)), (0.19, RIVER)):
        for a, b in sorted(land.rivers):
            picture.add(Line(sheet.edge(a, b), stroke=colour, width=width * u))
    for hex_id in land.hexes:
        for other in beside(hex_id):
            if other in land.country and land.country[hex_id] is None and land.country[other] is not None and land.terrain[other] in LAND:
                picture.add(Line(sheet.edge(hex_id, other), stroke=BORDER, width=0.13 * u))
    for a, b in sorted(land.blocked):
        if land.terrain[a] in LAND and land.terrain[b] in LAND:
            picture.add(Line(sheet.edge(a, b), stroke=WALL, width=0.26 * u), Line(sheet.edge(a, b), stroke="#cfe3ee", width=0.1 * u))
    for ferry in land.ferries:
        draw_ferry(sheet, ferry)


def draw_ferry(sheet: Sheet, ferry: Facts) -> None:
    """A dotted line from port to landing, in the colour of its owner."""
    owner = next((i for i, player in enumerate(sheet.facts["players"]) if ferry["id"].lower() in player["ferries"]), None)
    (x, y), (to_x, to_y) = sheet.centre(ferry["from"]), sheet.centre(ferry["to"])
    n = max(3, round(dist((x, y), (to_x, to_y)) / (0.42 * sheet.radius)))
    colour = "#3d6f92" if owner is None else PLAYER_COLOURS[owner]
    hint = f"ferry {ferry['name']}" + (f", {seat(owner)}" if owner is not None else "")
    for i in range(n + 1):
        at = i / n
        sheet.picture.add(Circle(x + (to_x - x) * at, y + (to_y - y) * at, 0.09 * sheet.radius, fill=colour, hint=hint))


def draw_race(sheet: Sheet) -> None:
    """The start and the goals of the race, and the routes as wide pale bands under the lines."""
    race = sheet.facts["race"]
    if race is None or race["start"] is None:
        return
    for hex_id in race["goals"]:
        sheet.picture.add(Polygon(sheet.outline(hex_id, 0.93), fill="#fbe6a0", stroke=GOLD_DARK, width=0.09 * sheet.radius))
    sheet.picture.add(Polygon(sheet.outline(race["start"], 0.93), fill="#dff0d8", stroke="#3c763d", width=0.09 * sheet.radius))
    for i, train in enumerate(race["trains"]):
        if train["route"]:
            points = [sheet.centre(h) for h in train["route"]]
            colour = PLAYER_COLOURS[train["player"] - 1]
            sheet.picture.add(Line(points, stroke=mix(colour, "#fff8d8", 0.45), width=(1.0 - 0.14 * i) * sheet.radius, opacity=0.5))


def draw_lines(sheet: Sheet) -> None:
    """The players' lines in their colours, side by side where several have built."""
    owners: dict[str, list[int]] = {}
    for i, player in enumerate(sheet.facts["players"]):
        for pair in player["segments"]:
            owners.setdefault(pair, []).append(i)
    u = sheet.radius
    width = 0.17 * u
    for pair, players in sorted(owners.items()):
        for points, _ in strands(sheet, pair, players, width):
            sheet.picture.add(Line(points, stroke="#fffdf6", width=width * 1.9))
    for pair, players in sorted(owners.items()):
        for points, player in strands(sheet, pair, players, width):
            sheet.picture.add(Line(points, stroke=PLAYER_COLOURS[player], width=width, hint=f"{pair} {seat(player)}"))


def strands(sheet: Sheet, pair: str, players: list[int], width: float) -> list[tuple[list[Point], int]]:
    (x, y), (to_x, to_y) = (sheet.centre(hex_id) for hex_id in pair.split("-"))
    length = dist((x, y), (to_x, to_y))
    across = (-(to_y - y) / length, (to_x - x) / length)
    result = []
    for i, player in enumerate(players):
        off = (i - (len(players) - 1) / 2) * width * 1.25
        result.append(([(x + across[0] * off, y + across[1] * off), (to_x + across[0] * off, to_y + across[1] * off)], player))
    return result


def draw_places(sheet: Sheet) -> None:
    """Cities with their numbers and names; ports and landings small. Names come last, so that no line hides them."""
    land, picture, u = sheet.land, sheet.picture, sheet.radius
    begun = {player["start"]: i for i, player in reversed(list(enumerate(sheet.facts["players"])))}
    for name, hex_id in land.places.items():
        x, y = sheet.centre(hex_id)
        if hex_id not in land.cities:
            picture.add(Rectangle(x - 0.2 * u, y - 0.2 * u, 0.4 * u, 0.4 * u, 0.08 * u, fill="#ffffff", stroke=WALL, width=0.09 * u,
                                  hint=name))
            continue
        is_open = hex_id in sheet.facts["open_cities"]
        rim = PLAYER_COLOURS[begun[hex_id]] if hex_id in begun else INK
        width = (0.15 if hex_id in begun else 0.07) * u
        picture.add(Circle(x, y, 0.56 * u, fill="#ffffff" if is_open else "#ffeeb8", stroke=rim, width=width, hint=name))
        numbers = [str(number) for number in land.numbers[hex_id]]
        rows = numbers if len(numbers) < 3 else [" ".join(numbers[:2]), " ".join(numbers[2:])]
        size = {0: 0.5, 1: 0.62, 2: 0.46}[min(len(rows), 2)] * u * (0.8 if len(numbers) > 2 else 1)
        for i, row in enumerate(rows):
            picture.add(Text(x, y + (i - (len(rows) - 1) / 2) * 0.92 * size, row, size, bold=True, fill=INK))
    for name, hex_id in land.places.items():
        x, y = sheet.centre(hex_id)
        size = (0.48 if hex_id in land.cities else 0.4) * u
        is_city = hex_id in land.cities
        picture.add(name_label(x, y + (0.84 if is_city else 0.5) * u, name, size, (4.2 if is_city else 1.9) * u, is_city))


def draw_trains(sheet: Sheet) -> None:
    """Each train where its throws have brought it, those on one spot side by side."""
    race = sheet.facts["race"]
    if race is None or race["over"]:
        return
    standing: dict[tuple[str, str, float], int] = {}
    for train in race["trains"]:
        if not train["route"]:
            continue
        u, v, at = train_place(sheet.land, train)
        (x, y), (to_x, to_y) = sheet.centre(u), sheet.centre(v)
        beside_it = standing.get((u, v, at), 0)
        standing[u, v, at] = beside_it + 1
        place = x + (to_x - x) * at, y + (to_y - y) * at - (0.55 + 0.8 * beside_it) * sheet.radius
        letters = f"{train['player']}" + (f"+{train['partner']}" if train["partner"] else "")
        sheet.picture.add(*locomotive(*place, 0.62 * sheet.radius, PLAYER_COLOURS[train["player"] - 1], letters,
                                      f"train of {seat(train['player'] - 1)}: {train_words(train)}"))


# --- the scene: the panel --------------------------------------------------------
class Panel:
    """What the map does not show: whose turn it is, the accounts, the race."""

    def __init__(self, sheet: Sheet, data: Facts, left: float):
        self.picture, self.land, self.facts, self.data = sheet.picture, sheet.land, sheet.facts, data
        self.left, self.right, self.y = left + 24, left + PANEL - 24, 40.0

    def write(self, x: float, y: float, words: str, size: float, fill: str = INK, bold: bool = False, anchor: str = "start",
              most: float = PANEL) -> None:
        """A line of text, made smaller where it would be longer than `most`."""
        wide = text_width(words, size, bold)
        self.picture.add(Text(x, y, words, size * min(1, most / wide) if wide else size, bold=bold, fill=fill, anchor=anchor))

    def heading(self, words: str) -> None:
        self.y += 8
        self.picture.add(Line([(self.left, self.y), (self.right, self.y)], stroke=RULE, width=1.2))
        self.y += 20
        self.write(self.left, self.y, words.upper(), 11.5, FAINT, True)
        self.y += 26

    def draw(self) -> None:
        self.picture.add(Rectangle(self.left - 24, 0, PANEL, self.picture.down, fill=PAPER))
        self.write(self.left, self.y, self.data["name"], 25, INK, True, most=self.right - self.left)
        self.y += 32
        self.write(self.left, self.y, decision_words(self.facts), 14.5, "#7a2f22", True, most=self.right - self.left)
        self.y += 16
        self.draw_players()
        if self.facts["race"] is None:
            self.draw_construction()
        else:
            self.draw_race(self.facts["race"])
        self.draw_end()

    def draw_players(self) -> None:
        self.heading("players")
        over = self.facts["decision"] == "over"
        for x, words in ((250, "account"), (316, "segments"), (382, "cities")):
            self.write(self.left + x, self.y - 26, words, 11, FAINT, anchor="end")
        for i, player in enumerate(self.facts["players"]):
            if self.facts["to_move"] == i + 1 or (over and i in winners(self.facts)):
                self.picture.add(Rectangle(self.left - 10, self.y - 19, PANEL - 28, 46, 8, fill="#f8e7b6"))
            colour = PLAYER_COLOURS[i]
            self.picture.add(*locomotive(self.left + 17, self.y + 2, 15, colour, str(i + 1)))
            self.write(self.left + 44, self.y, seat(i), 15, INK, True)
            start = f"from {self.land.cities[player['start']]}" if player["start"] else "not begun"
            ferries = [ferry["name"] for ferry in self.land.ferries if ferry["id"].lower() in player["ferries"]]
            self.write(self.left + 44, self.y + 17, "; ".join([start, *ferries]), 11.5, FAINT, most=self.right - self.left - 44)
            self.write(self.left + 250, self.y, str(player["account"]), 19, INK, True, "end")
            self.write(self.left + 316, self.y, str(len(player["segments"])), 14, INK, anchor="end")
            self.write(self.left + 382, self.y, str(cities_of(self.land, player)), 14, INK, anchor="end")
            self.y += 50
        self.y -= 8

    def draw_construction(self) -> None:
        self.heading("construction")
        facts = self.facts
        self.write(self.left, self.y, f"round {facts['round']}", 15, INK, True)
        if facts["decision"] == "build":
            for i in range(min(facts["pips"], 18)):
                self.picture.add(Circle(self.left + 92 + 16 * i, self.y, 5.4, fill=INK))
        self.y += 25
        if facts["declared"]:
            self.write(self.left, self.y, f"declared closed: it ends after round {facts['declared'] + 2}", 13, BORDER)
            self.y += 22
        names = [self.land.cities[h] for h in facts["open_cities"]]
        words = f"{len(names)} of {len(self.land.cities)} cities not connected" + (f": {listing(names)}" if 0 < len(names) <= 4 else "")
        self.write(self.left, self.y, words, 13, most=self.right - self.left)
        self.y += 18

    def draw_race(self, race: Facts) -> None:
        self.heading(race_title(self.land, race) + (" - over" if race["over"] else ""))
        if not race["trains"]:
            self.write(self.left, self.y, "no train has entered" + ("" if race["over"] else " yet"), 13, FAINT)
            self.y += 22
        for train in race["trains"]:
            colour = PLAYER_COLOURS[train["player"] - 1]
            partner = f" and {seat(train['partner'] - 1)}" if train["partner"] else ""
            self.write(self.left, self.y, seat(train["player"] - 1) + partner, 13.5, mix(colour, "#000000", 0.15), True)
            self.write(self.right, self.y, train_words(train), 12, INK, anchor="end", most=240)
            part = min(1, train["thrown"] / train["pips"]) if train["named"] else 0
            self.picture.add(Rectangle(self.left, self.y + 11, self.right - self.left, 8, 4, fill="#ece4cf"))
            if part:
                self.picture.add(Rectangle(self.left, self.y + 11, (self.right - self.left) * part, 8, 4, fill=colour))
            self.y += 38
        if race["over"]:
            prizes = [f"{seat(player - 1)} {points}" for player, points in race["prizes"].items()]
            self.write(self.left, self.y, f"prizes: {listing(prizes) or 'none'}", 13, most=self.right - self.left)
            self.y += 20

    def draw_end(self) -> None:
        self.heading("the end")
        facts = self.facts
        if not facts["target"]:
            done = f", {facts['race']['number']} begun" if facts["race"] else ""
            self.write(self.left, self.y, f"after {facts['races']} races{done}", 13)
            return
        self.write(self.left, self.y, f"at {facts['target']} points", 13)
        wide = self.right - self.left
        for i, player in enumerate(facts["players"]):
            y = self.y + 18 + 9 * i
            self.picture.add(Rectangle(self.left, y, wide, 6, 3, fill="#ece4cf"))
            part = min(1, player["account"] / facts["target"])
            if part:
                self.picture.add(Rectangle(self.left, y, wide * part, 6, 3, fill=PLAYER_COLOURS[i], hint=f"{seat(i)} {player['account']}"))
        self.y += 18 + 9 * len(facts["players"])
