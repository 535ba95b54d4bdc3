"""The Great Lakes in pictures: the map with its routes, the row, and what the viewer holds."""
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Any

from railwright.engine.drawing.scene import Circle, Line, Point, Polygon, Rectangle, Scene, Shape, Text, ink_on, mix, text_width
from railwright.engine.game import Chart
from railwright.engine.games.great_lakes import CARDS, DECKS, WAITING, city_name
from railwright.engine.words import listing, plural, seat

Facts = dict[str, Any]

SCALE = 1.56                    # units of the scene to one of the board
LEFT, TOP = 34, 30              # of the map in the scene
PANEL = 452                     # the width of the panel beside it
STRIP = 214                     # the height of the strip below it
LAND, SHORE, LAKE, SWELL = "#efe6cf", "#d9c9a0", "#a8cbdc", "#bcd8e4"
INK, FAINT, PAPER, RULE = "#2f2a25", "#8b8172", "#fbf7ea", "#d8cfb8"
DONE = "#2d6a3f"
SEATS = ("#d7352b", "#2463b4", "#2f9a50", "#f0b31c", "#6d3a9c")      # of the players
COLOURS = {"purple": "#9a63b5", "yellow": "#f0c531", "green": "#5fa853", "red": "#d4473d", "black": "#3d3b3c", "white": "#fbfaf5",
           "grey": "#a3a39d"}
SPACE, THICK, LANE = 40, 12.5, 18.5       # a space of a route: its length at most, its breadth; two lanes from middle to middle
BENDS = {                       # how far a route bows out to its right, in units of the board, where a straight one would cross others
    "cleveland-new_york-train-grey": 38, "duluth-thunder_bay-train-black": -17, "muskegon-traverse_city-train-white": 13,
    "muskegon-traverse_city-ship-red": -9, "green_bay-sault_ste_marie-ship-grey-a": -8, "green_bay-sault_ste_marie-ship-grey-b": -8,
    "duluth-marquette-ship-red": 8, "detroit-toronto-train-red": -12, "montreal-rouyn_noranda-train-grey": 18,
    "buffalo-kingston-ship-grey": 9, "buffalo-detroit-ship-purple": -7, "buffalo-detroit-ship-white": -7,
    "detroit-south_bend-train-black": 9, "marathon-sault_ste_marie-ship-grey": 14,
}
LAKES = (                       # the shores, in units of the board; drawn where the five lakes' ports are on it
    ((118, 158), (160, 118), (205, 92), (246, 78), (300, 55), (362, 66), (405, 98), (418, 142), (443, 178), (424, 196), (384, 190),
     (352, 176), (320, 186), (290, 188), (276, 160), (262, 150), (246, 176), (200, 178), (150, 172)),
    ((300, 482), (285, 445), (281, 405), (286, 358), (303, 322), (279, 302), (288, 282), (318, 262), (356, 240), (398, 222), (432, 222),
     (424, 240), (398, 256), (384, 292), (366, 320), (352, 352), (354, 392), (346, 440), (328, 474)),
    ((428, 226), (452, 202), (492, 214), (534, 236), (580, 224), (616, 246), (630, 268), (614, 298), (594, 312), (578, 292), (562, 306),
     (570, 328), (556, 362), (528, 394), (500, 404), (498, 372), (482, 352), (462, 366), (456, 346), (476, 320), (480, 290), (462, 258)),
    ((472, 492), (486, 452), (520, 446), (560, 436), (604, 426), (648, 412), (678, 410), (664, 432), (628, 456), (600, 474),
     (564, 486), (530, 490), (502, 498)),
    ((644, 366), (668, 346), (704, 338), (744, 324), (786, 314), (790, 340), (778, 372), (740, 384), (700, 390), (668, 394), (648, 384)),
)
SEA = ((868, 572), (858, 540), (872, 520), (906, 500), (950, 478), (1012, 452), (1012, 572))
RIVERS = (((442, 184), (452, 204)), ((500, 400), (488, 424), (490, 452)), ((676, 410), (672, 394)), ((784, 316), (830, 272), (880, 230),
          (930, 200), (1010, 158)), ((876, 404), (868, 450), (868, 522)))
WATERS = (("Lake Superior", 226, 151), ("Lake|Michigan", 322, 340), ("Lake|Huron", 546, 346), ("Lake Erie", 572, 458),
          ("Lake|Ontario", 763, 350), ("Atlantic|Ocean", 940, 510))
PORTS = {"duluth", "chicago", "detroit", "toledo", "toronto", "kingston", "sault_ste_marie"}
ABOVE, RIGHT, LEFTWARDS = (0, -22, "middle"), (18, 4, "start"), (-18, 4, "end")
NAMES = {                       # where a city's name stands, from its middle, when not below it
    "thunder_bay": ABOVE, "marathon": ABOVE, "timmins": ABOVE, "rouyn_noranda": ABOVE, "ottawa": ABOVE, "duluth": ABOVE,
    "traverse_city": ABOVE, "sault_ste_marie": ABOVE, "wausau": ABOVE, "south_baymouth": ABOVE, "kingston": ABOVE, "eau_claire": ABOVE,
    "montreal": RIGHT, "albany": RIGHT, "new_york": RIGHT, "muskegon": RIGHT, "port_elgin": RIGHT, "parry_sound": RIGHT,
    "bay_city": LEFTWARDS, "detroit": LEFTWARDS, "toronto": LEFTWARDS, "madison": LEFTWARDS, "sudbury": LEFTWARDS,
    "green_bay": (16, 17, "start"), "milwaukee": (18, 17, "start"), "chicago": (-10, 21, "end"), "erie": (-6, -21, "end"),
    "syracuse": (-12, -23, "end"), "scranton": (-16, 24, "middle"),
}
BELOW = (0, 23, "middle")


# --- what both pictures say ------------------------------------------------------
def viewer(facts: Facts) -> int:
    """Whose hand and tickets are shown: the observer's, or those of the player on turn."""
    return facts["observer"] or facts["turn"] or 1


def decision_words(facts: Facts) -> str:
    """`player 2 to choose an action`, or who has won."""
    if facts["decision"] == "over":
        most = max(facts["scores"])
        names = [seat(i) for i, score in enumerate(facts["scores"]) if score == most]
        return f"the game is over: {listing(names)} {'wins' if len(names) == 1 else 'have the most'}"
    if facts["is_chance"]:
        return "chance: " + {"deal": "cards are dealt", "fill": "the row is laid", "deal_tickets": "tickets are dealt",
                             "draw": f"{seat(facts['turn'] - 1)} draws a card", "turn_up": "a card is turned up",
                             "draw_tickets": f"{seat(facts['turn'] - 1)} draws tickets"}[facts["decision"]]
    asked = f" for {facts['asked']}" if facts["asked"] and facts["decision"] == "pay" else ""
    return f"{seat(facts['to_move'] - 1)} to choose {WAITING[facts['decision']]}{asked}"


def turns_words(facts: Facts) -> str:
    if facts["turns_left"] is None:
        return f"{plural(facts['turns_played'], 'turn')} played"
    return f"the end is near: {plural(facts['turns_left'], 'turn')} left"


def tickets_shown(chart: Chart, player: Facts) -> list[Facts]:
    """The tickets of the viewer, the ones he chooses from among them."""
    offered = [chart.data["tickets"][no - 1] for no in player["offered"] or []]
    choices = [ticket | {"completed": None} for ticket in offered]
    return [*(player["tickets"] or []), *choices]


# --- text ------------------------------------------------------------------------
def text(chart: Chart, facts: Facts) -> str:
    """The position in plain text, at most 110 columns wide."""
    parts = [map_text(chart, facts), routes_text(chart, facts), players_text(chart, facts), cards_text(facts),
             holding_text(chart, facts), decision_words(facts)]
    return "\n\n".join(part for part in parts if part) + "\n"


ACROSS, DOWN = 108, 30          # letters of the terminal map


def map_text(chart: Chart, facts: Facts) -> str:
    """Cities where they lie: `o` inland, `@` a port, a number the harbour of that player, `+` a junction."""
    size = chart.data["map"]
    rows = [[" "] * ACROSS for _ in range(DOWN)]

    def place(city: Facts) -> tuple[int, int]:
        x, y = city["x"] / size["width"] * (ACROSS - 12), city["y"] / size["height"] * (DOWN - 1)
        return min(round(x), ACROSS - 1), min(round(y), DOWN - 1)

    cities = {city["id"]: place(city) for city in chart.data["cities"]}
    for route in chart.data["routes"]:
        (x1, y1), (x2, y2) = cities[route["a"]], cities[route["b"]]
        owner = facts["owners"].get(route["no"])
        steps = max(abs(x2 - x1), 2 * abs(y2 - y1), 1)
        for i in range(1, steps):
            x, y = round(x1 + (x2 - x1) * i / steps), round(y1 + (y2 - y1) * i / steps)
            if owner or rows[y][x] == " ":
                rows[y][x] = str(owner) if owner else "." if route["kind"] == "train" else "~"
    for city in chart.data["cities"]:
        x, y = cities[city["id"]]
        harbour = facts["harbours"].get(city["id"])
        label = "+" if city["junction"] else ("@" if city["port"] else "o") + (f"{harbour}" if harbour else "") + city["name"]
        for i, letter in enumerate(label):
            if x + i < ACROSS:
                rows[y][x + i] = letter
    legend = "@ port, @2 with a harbour of player 2, o inland, + junction; ... train routes, ~~~ ship routes, 111 claimed by player 1"
    return "\n".join("".join(row).rstrip() for row in rows) + "\n" + legend


def routes_text(chart: Chart, facts: Facts) -> str:
    lines = []
    for number, player in enumerate(facts["players"], 1):
        if player["routes"]:
            routes = [chart.data["routes"][no - 1] for no in player["routes"]]
            names = [f"{city_name(chart, route['a'])}-{city_name(chart, route['b'])} {route['length']}" for route in routes]
            lines += wrapped(f"{seat(number - 1)} claimed ", names)
    return "\n".join(lines)


def wrapped(head: str, words: Sequence[str], width: int = 108) -> list[str]:
    lines = [head]
    for i, word in enumerate(words):
        piece = word + (", " if i < len(words) - 1 else "")
        if len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append(" " * len(head))
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def players_text(chart: Chart, facts: Facts) -> str:
    lines = [f"{'':12}{'points':>7}{'trains':>8}{'ships':>7}{'train cards':>13}{'ship cards':>12}{'tickets':>9}{'harbours left':>15}"]
    for i, (player, score) in enumerate(zip(facts["players"], facts["scores"], strict=True)):
        mark = ">" if facts["turn"] == i + 1 and facts["decision"] != "over" else " "
        lines.append(f"{mark} {seat(i):10}{score:>7}{player['trains']:>8}{player['ships']:>7}{player['train_cards']:>13}"
                     f"{player['ship_cards']:>12}{player['n_tickets']:>9}{player['harbours_left']:>15}")
    return "\n".join(lines)


def cards_text(facts: Facts) -> str:
    row = [f"{n}x {card}" if n > 1 else card for card, n in facts["row"].items()]
    decks = ", ".join(f"{deck} deck {facts['decks'][deck]}" for deck in DECKS)
    return "\n".join([*wrapped("row   ", row), f"left  {decks}, ticket deck {facts['ticket_deck']}; {turns_words(facts)}"])


def holding_text(chart: Chart, facts: Facts) -> str:
    who = viewer(facts)
    player = facts["players"][who - 1]
    hand = [f"{n}x {card}" if n > 1 else card for card, n in (player["hand"] or {}).items()]
    lines = wrapped(f"hand of player {who}  ", hand or ["no cards"])
    for ticket in tickets_shown(chart, player):
        mark = {True: "done", False: "open", None: "offered"}[ticket["completed"]]
        lines.append(f"  {ticket['no']:>2} {city_name(chart, ticket['a'])} - {city_name(chart, ticket['b'])} {ticket['points']} ({mark})")
    return "\n".join(lines)


# --- the scene -------------------------------------------------------------------
def scene(chart: Chart, facts: Facts) -> Scene:
    size = chart.data["map"]
    across, down = LEFT + size["width"] * SCALE + PANEL, TOP + size["height"] * SCALE + STRIP
    picture = Scene(across, down, LAND, f"{chart.data['name']}: {decision_words(facts)}")
    draw_water(chart, picture)
    draw_routes(chart, facts, picture)
    draw_cities(chart, facts, picture)
    left, low = LEFT + size["width"] * SCALE + 26, TOP + size["height"] * SCALE + 10
    picture.add(Rectangle(0, low, across, down - low, fill=PAPER), Line([(0, low), (across, low)], stroke=RULE, width=2),
                Rectangle(left, 0, across - left, low, fill=PAPER), Line([(left, 0), (left, low)], stroke=RULE, width=2))
    draw_players(facts, picture, left + 24, across - 24)
    draw_tickets(chart, facts, picture, left + 24, across - 24, low)
    draw_strip(facts, picture, low)
    return picture


def put(point: Point) -> Point:
    """From the board's units to the scene's."""
    return LEFT + point[0] * SCALE, TOP + point[1] * SCALE


def draw_water(chart: Chart, picture: Scene) -> None:
    if not {city["id"] for city in chart.data["cities"]} >= PORTS:
        return
    for points in RIVERS:
        picture.add(Line([put(point) for point in points], stroke=SWELL, width=11))
    for shore in (*LAKES, SEA):
        outline = smooth([put(point) for point in shore])
        picture.add(Polygon(outline, fill=LAKE, stroke=SHORE, width=13), Polygon(outline, fill=LAKE, stroke=SWELL, width=8),
                    Polygon(outline, fill=LAKE))
    for words, x, y in WATERS:
        place = put((x, y))
        for i, word in enumerate(words.split("|")):
            picture.add(Text(place[0], place[1] + 17 * i, word, 14, fill=mix(LAKE, "#2a5a78", 0.5)))


def smooth(points: Sequence[Point], steps: int = 6) -> list[Point]:
    """A closed line through the points without corners (Catmull and Rom)."""
    n, result = len(points), []
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(i + k - 1) % n] for k in range(4))
        for k in range(steps):
            t = k / steps
            result.append((
                0.5 * (2 * bx + (cx - ax) * t + (2 * ax - 5 * bx + 4 * cx - dx) * t * t + (3 * bx - ax - 3 * cx + dx) * t ** 3),
                0.5 * (2 * by + (cy - ay) * t + (2 * ay - 5 * by + 4 * cy - dy) * t * t + (3 * by - ay - 3 * cy + dy) * t ** 3)))
    return result


# --- routes ----------------------------------------------------------------------
def draw_routes(chart: Chart, facts: Facts, picture: Scene) -> None:
    for route in chart.data["routes"]:
        owner = facts["owners"].get(route["no"])
        path = route_path(chart, route)
        ends = f"{city_name(chart, route['a'])} - {city_name(chart, route['b'])}"
        hint = f"{route['no']}: {ends}, {route['colour']} {route['kind']} {route['length']}" + (f", {seat(owner - 1)}" if owner else "")
        for space in spaces(path, route["length"]):
            picture.add(*space_shapes(route, owner, space, hint))
        if owner:
            draw_owner(picture, path, owner)


def route_path(chart: Chart, route: Facts) -> list[Point]:
    """The middle line of a route: beside its twin, bowed out where it would cross others."""
    places = {city["id"]: put((city["x"], city["y"])) for city in chart.data["cities"]}
    (x1, y1), (x2, y2) = places[route["a"]], places[route["b"]]
    length = hypot(x2 - x1, y2 - y1)
    rightx, righty = -(y2 - y1) / length, (x2 - x1) / length
    side = 0.0
    if route.get("double_of"):
        side = LANE / 2 if route["id"] < route["double_of"] else -LANE / 2
    bend = BENDS.get(route["id"], 0) * SCALE
    points = []
    for i in range(41):
        t = i / 40
        off = side + 4 * bend * t * (1 - t)
        points.append((x1 + (x2 - x1) * t + rightx * off, y1 + (y2 - y1) * t + righty * off))
    return points


def spaces(path: Sequence[Point], n: int) -> Iterator[tuple[float, float, float, float]]:
    """The spaces of a route along its path: middle, direction and length; the ends stay clear of the cities."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]
    total, clear = sum(lengths), 13.0
    each = min((total - 2 * clear) / n, SPACE + 5)
    start = (total - each * n) / 2
    for i in range(n):
        (x, y), (nx, ny) = along(path, lengths, start + (i + 0.5) * each), along(path, lengths, start + (i + 0.5) * each + 1)
        yield x, y, atan2(ny - y, nx - x), each - 4


def along(path: Sequence[Point], lengths: Sequence[float], way: float) -> Point:
    for i, length in enumerate(lengths):
        if way <= length or i == len(lengths) - 1:
            part = way / length
            return path[i][0] + (path[i + 1][0] - path[i][0]) * part, path[i][1] + (path[i + 1][1] - path[i][1]) * part
        way -= length
    return path[-1]


def turned(x: float, y: float, angle: float, corners: Sequence[Point]) -> list[Point]:
    return [(x + dx * cos(angle) - dy * sin(angle), y + dx * sin(angle) + dy * cos(angle)) for dx, dy in corners]


def block(length: float, breadth: float) -> list[Point]:
    """A space for a train."""
    a, b = length / 2, breadth / 2
    return [(-a, -b), (a, -b), (a, b), (-a, b)]


def hull(length: float, breadth: float) -> list[Point]:
    """A space for a ship: an oval, pointed at both ends."""
    a, b = length / 2, breadth / 2
    bow = min(a * 0.7, breadth * 0.8)
    return [(-a, 0), (-a + bow * 0.45, -b * 0.8), (-a + bow, -b), (a - bow, -b), (a - bow * 0.45, -b * 0.8), (a, 0),
            (a - bow * 0.45, b * 0.8), (a - bow, b), (-a + bow, b), (-a + bow * 0.45, b * 0.8)]


def space_shapes(route: Facts, owner: int | None, space: tuple[float, float, float, float], hint: str) -> list[Shape]:
    x, y, angle, length = space
    shape = block if route["kind"] == "train" else hull
    colour = COLOURS[route["colour"]]
    edge = mix(colour, "#2b2622", 0.55 if route["colour"] != "white" else 0.4)
    outline = turned(x, y, angle, shape(length, THICK))
    if not owner:
        shapes: list[Shape] = [Polygon(outline, fill=mix(colour, LAND, 0.12), stroke=edge, width=1.3, hint=hint)]
        if route["kind"] == "ship":
            wave = [(-length * 0.22, 1), (-length * 0.1, -1.6), (0, 1), (length * 0.1, -1.6), (length * 0.22, 1)]
            shapes.append(Line(turned(x, y, angle, wave), stroke=mix(colour, ink_on(colour), 0.55), width=1.2))
        return shapes
    paint = SEATS[owner - 1]
    rim = turned(x, y, angle, shape(length + 3, THICK + 5))
    return [Polygon(rim, fill=mix(paint, "#000000", 0.45), hint=hint),
            Polygon(outline, fill=paint, stroke=mix(paint, "#ffffff", 0.35), width=1.6),
            Polygon(turned(x, y, angle, shape(length * 0.45, THICK * 0.3)), fill=mix(paint, "#ffffff", 0.55))]


def draw_owner(picture: Scene, path: Sequence[Point], owner: int) -> None:
    x, y = path[len(path) // 2]
    paint = SEATS[owner - 1]
    picture.add(Circle(x, y, 9, fill=PAPER, stroke=mix(paint, "#000000", 0.45), width=2),
                Text(x, y, str(owner), 12, fill=mix(paint, "#000000", 0.35), bold=True))


# --- cities ----------------------------------------------------------------------
def draw_cities(chart: Chart, facts: Facts, picture: Scene) -> None:
    for city in chart.data["cities"]:
        x, y = put((city["x"], city["y"]))
        if city["junction"]:
            picture.add(Circle(x, y, 6, fill="#eef5f8", stroke="#4a7d97", width=2, hint=city["name"]))
            continue
        fill = "#2f74a8" if city["port"] else "#c9763a"
        picture.add(Circle(x, y, 12.5, fill=PAPER, stroke="#5b5147", width=1.2), Circle(x, y, 9, fill=fill, hint=city["name"]))
        if city["port"]:
            picture.add(*anchor(x, y, 5.2, "#ffffff"))
        owner = facts["harbours"].get(city["id"])
        if owner:
            picture.add(*harbour(x, y - 22, SEATS[owner - 1], str(owner)))
    for city in chart.data["cities"]:
        if not city["junction"]:
            draw_name(city, picture)


def draw_name(city: Facts, picture: Scene) -> None:
    x, y = put((city["x"], city["y"]))
    dx, dy, side = NAMES.get(city["id"], BELOW)
    picture.add(Text(x + dx, y + dy, city["name"], 15.5, fill=INK, stroke=LAND, width=4.5, bold=True, anchor=side))


def anchor(x: float, y: float, u: float, colour: str) -> list[Shape]:
    """The sign of ports, and of cards with the harbour symbol."""
    arc = [(x + u * 0.85 * sin(a), y + 0.15 * u + u * 0.75 * cos(a)) for a in (i * pi / 8 - pi / 2 for i in range(9))]
    return [Circle(x, y - 0.8 * u, 0.22 * u, stroke=colour, width=0.24 * u),
            Line([(x, y - 0.55 * u), (x, y + 0.9 * u)], stroke=colour, width=0.3 * u),
            Line([(x - 0.45 * u, y - 0.25 * u), (x + 0.45 * u, y - 0.25 * u)], stroke=colour, width=0.26 * u),
            Line(arc, stroke=colour, width=0.3 * u)]


def harbour(x: float, y: float, colour: str, word: str) -> list[Shape]:
    """A harbour piece: a lighthouse in its owner's colour."""
    dark = mix(colour, "#000000", 0.45)
    return [Polygon([(x - 11, y + 13), (x + 11, y + 13), (x + 7, y - 6), (x - 7, y - 6)], fill=colour, stroke=dark, width=1.8),
            Rectangle(x - 8, y - 13, 16, 7, fill="#fff3c4", stroke=dark, width=1.5),
            Polygon([(x - 9, y - 13), (x + 9, y - 13), (x, y - 20)], fill=dark),
            Text(x, y + 4, word, 13, fill=ink_on(colour), bold=True)]


# --- players and tickets ---------------------------------------------------------
def draw_players(facts: Facts, picture: Scene, left: float, right: float) -> None:
    words = decision_words(facts)
    size = min(19.0, 19 * (right - left) / text_width(words, 19, True))
    picture.add(Text(left, 36, words[0].upper() + words[1:], size, fill=INK, bold=True, anchor="start"),
                Text(left, 62, turns_words(facts), 15, fill=FAINT, anchor="start"))
    columns = [("points", 0.42), ("trains", 0.55), ("ships", 0.66), ("cards", 0.78), ("tickets", 0.91), ("ports", 1.0)]
    for name, part in columns:
        picture.add(Text(left + (right - left) * part, 96, name, 12.5, fill=FAINT, anchor="end"))
    for i, (player, score) in enumerate(zip(facts["players"], facts["scores"], strict=True)):
        y = 122 + 34 * i
        if facts["turn"] == i + 1 and facts["decision"] != "over":
            picture.add(Rectangle(left - 10, y - 16, right - left + 20, 32, 8, fill="#f1e6c6"))
        picture.add(Circle(left + 10, y, 11, fill=SEATS[i], stroke=mix(SEATS[i], "#000000", 0.4), width=1.5),
                    Text(left + 10, y, str(i + 1), 13, fill=ink_on(SEATS[i]), bold=True),
                    Text(left + 30, y, seat(i) + (" (you)" if facts["observer"] == i + 1 else ""), 15, fill=INK, anchor="start"))
        values = [score, player["trains"], player["ships"], f"{player['train_cards']}+{player['ship_cards']}", player["n_tickets"],
                  player["harbours_left"]]
        for (name, part), value in zip(columns, values, strict=True):
            picture.add(Text(left + (right - left) * part, y, str(value), 15, fill=INK, bold=name == "points", anchor="end"))
    below = 124 + 34 * len(facts["players"])
    picture.add(Text(left, below, "cards: train + ship; ports: harbours not built yet", 11.5, fill=FAINT, anchor="start"))


def draw_tickets(chart: Chart, facts: Facts, picture: Scene, left: float, right: float, low: float) -> None:
    who = viewer(facts)
    player = facts["players"][who - 1]
    top = 122 + 34 * len(facts["players"]) + 34
    picture.add(Line([(left, top - 18), (right, top - 18)], stroke=RULE, width=1.5),
                Text(left, top + 4, f"Tickets of {seat(who - 1)}", 17, fill=INK, bold=True, anchor="start"),
                Text(right, top + 4, f"{facts['ticket_deck']} in the deck", 13, fill=FAINT, anchor="end"))
    shown = tickets_shown(chart, player)
    step = min(34.0, (low - top - 40) / max(len(shown), 1))
    for i, ticket in enumerate(shown):
        y = top + 36 + step * i
        fill = {True: "#dcebd3", False: "#f4ead0", None: "#e3ecf4"}[ticket["completed"]]
        word, ink = {True: ("done", DONE), False: ("open", FAINT), None: ("offered", "#4a6f92")}[ticket["completed"]]
        ends = f"{city_name(chart, ticket['a'])} - {city_name(chart, ticket['b'])}"
        picture.add(Rectangle(left - 6, y - step * 0.44, right - left + 12, step * 0.88, 6, fill=fill),
                    Text(left + 18, y, str(ticket["no"]), step * 0.4, fill=FAINT, anchor="end"),
                    Text(left + 30, y, ends, step * 0.46, fill=INK, anchor="start"),
                    Text(right - 40, y, word, step * 0.38, fill=ink, anchor="end"),
                    Text(right - 4, y, str(ticket["points"]), step * 0.5, fill=INK, bold=True, anchor="end"))


# --- cards -----------------------------------------------------------------------
CARD_ACROSS, CARD_DOWN = 78, 112


def draw_strip(facts: Facts, picture: Scene, low: float) -> None:
    """The row and the decks on the left, the viewer's hand on the right."""
    y, x = low + 46, 34.0
    picture.add(Text(x, low + 24, "Row", 17, fill=INK, bold=True, anchor="start"))
    for card, n in facts["row"].items():
        for _ in range(n):
            picture.add(*card_shapes(card, x, y, CARD_ACROSS, CARD_DOWN))
            x += CARD_ACROSS + 8
    x = 34 + 6 * (CARD_ACROSS + 8) + 14
    for deck, colour in zip(DECKS, ("#b89f6b", "#6f97b5"), strict=True):
        picture.add(*deck_shapes(x, y, deck, facts["decks"][deck], colour))
        x += CARD_ACROSS + 14
    x += 16
    picture.add(Line([(x, low + 22), (x, low + STRIP - 24)], stroke=RULE, width=1.5))
    draw_hand(facts, picture, x + 22, low)


def draw_hand(facts: Facts, picture: Scene, x: float, low: float) -> None:
    who = viewer(facts)
    hand = facts["players"][who - 1]["hand"] or {}
    y, room = low + 46, picture.across - x - 30
    picture.add(Text(x, low + 24, f"Hand of {seat(who - 1)}", 17, fill=INK, bold=True, anchor="start"))
    step = min(CARD_ACROSS + 10.0, room / max(len(hand), 1))
    scale = min(1.0, (step - 6) / CARD_ACROSS)
    for card in sorted(hand, key=CARDS.index):
        across, down = CARD_ACROSS * scale, CARD_DOWN * scale
        picture.add(*card_shapes(card, x, y, across, down))
        if hand[card] > 1:
            picture.add(Circle(x + across - 4, y + 4, 11, fill=INK),
                        Text(x + across - 4, y + 4, str(hand[card]), 13.5, fill="#ffffff", bold=True))
        x += step


def card_shapes(card: str, x: float, y: float, across: float, down: float) -> list[Shape]:
    colour, _, kind = card.partition(".")
    u = across / CARD_ACROSS
    if card == "wild":
        shapes: list[Shape] = [Rectangle(x, y, across, down, 8 * u, fill="#ffffff", stroke="#5b5147", width=1.6, hint=card)]
        stripes = [name for name in COLOURS if name not in ("grey", "white")]
        for i, name in enumerate(stripes):
            shapes.append(Rectangle(x + 6 * u, y + (8 + 19.4 * i) * u, across - 12 * u, 18 * u, 3 * u, fill=COLOURS[name]))
        return [*shapes, Circle(x + across / 2, y + down / 2, 21 * u, fill="#ffffff", stroke="#5b5147", width=1.6),
                *engine(x + across / 2, y + down / 2, 13 * u, INK)]
    paint = COLOURS[colour]
    ink, light = ink_on(paint), "#e8e0cc" if colour == "white" else "#ffffff"
    shapes = [Rectangle(x, y, across, down, 8 * u, fill=paint, stroke=mix(paint, "#000000", 0.45), width=1.6, hint=card),
              Rectangle(x + 6 * u, y + 6 * u, across - 12 * u, down - 12 * u, 5 * u, fill=mix(paint, light, 0.16))]
    middle, height = x + across / 2, y + down / 2
    if kind.startswith("train"):
        shapes += engine(middle, height - 6 * u, 21 * u, ink)
    elif kind == "ship1":
        shapes += steamer(middle, height - 8 * u, 21 * u, ink)
    else:
        shapes += steamer(middle, height - 25 * u, 19 * u, ink) + steamer(middle, height + 21 * u, 19 * u, ink)
    if kind in ("train.h", "ship1"):
        shapes += [Circle(middle, y + down - 23 * u, 13 * u, fill=PAPER, stroke=ink, width=1.4),
                   *anchor(middle, y + down - 23 * u, 8 * u, "#2f74a8")]
    return shapes


def engine(x: float, y: float, u: float, colour: str) -> list[Shape]:
    """A locomotive from the side."""
    return [Rectangle(x - u, y - 0.2 * u, 1.5 * u, 0.6 * u, 0.12 * u, fill=colour),
            Rectangle(x + 0.3 * u, y - 0.75 * u, 0.62 * u, 1.15 * u, 0.08 * u, fill=colour),
            Rectangle(x - 0.82 * u, y - 0.68 * u, 0.24 * u, 0.5 * u, fill=colour),
            Rectangle(x - 0.3 * u, y - 0.42 * u, 0.3 * u, 0.25 * u, 0.1 * u, fill=colour),
            *(Circle(x + dx * u, y + 0.55 * u, 0.2 * u, fill=colour) for dx in (-0.68, -0.14, 0.6))]


def steamer(x: float, y: float, u: float, colour: str) -> list[Shape]:
    """A ship from the side."""
    wave = [(x - u + i * u / 4, y + (0.72 if i % 2 else 0.6) * u) for i in range(9)]
    body = [(x - u, y + 0.05 * u), (x + u, y + 0.05 * u), (x + 0.72 * u, y + 0.48 * u), (x - 0.8 * u, y + 0.48 * u)]
    return [Polygon(body, fill=colour),
            Rectangle(x - 0.55 * u, y - 0.26 * u, 1.0 * u, 0.26 * u, fill=colour),
            Rectangle(x - 0.14 * u, y - 0.75 * u, 0.26 * u, 0.5 * u, fill=colour),
            Line(wave, stroke=colour, width=0.1 * u)]


def deck_shapes(x: float, y: float, deck: str, left: int, colour: str) -> list[Shape]:
    shapes: list[Shape] = []
    for i in range(min(3, (left + 19) // 20)):
        edge = mix(colour, "#000000", 0.4)
        shapes.append(Rectangle(x + 2.5 * i, y - 2.5 * i, CARD_ACROSS, CARD_DOWN, 8, fill=colour, stroke=edge, width=1.4))
    top = 2.5 * max(len(shapes) - 1, 0)
    if not shapes:
        shapes.append(Rectangle(x, y, CARD_ACROSS, CARD_DOWN, 8, fill=LAND, stroke=RULE, width=1.4))
    sign = engine if deck == "train" else steamer
    return [*shapes, *sign(x + top + CARD_ACROSS / 2, y - top + CARD_DOWN / 2 - 12, 20, "#ffffff" if left else FAINT),
            Text(x + top + CARD_ACROSS / 2, y - top + CARD_DOWN - 26, str(left), 19, fill="#ffffff" if left else FAINT, bold=True)]
