"""What all hex boards share: where a hex lies, how its terrain looks, what stands on it; in shapes and in text."""
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

from railwright.engine.drawing.scene import Circle, Line, Point, Polygon, Rectangle, Scene, Shape, Text, ink_on, mix, text_width

INK = "#2f2a25"                 # what is read
FAINT = "#8b8172"               # what is read second
SEA = "#a9cbd8"
SHORES = ((1.34, "#b5d3de"), (1.2, "#c3dde4"), (1.09, "#d6e9ec"))   # rings of shallow water: how far out, in hexes
PAPER = "#fbf7ea"
GAIN = "#2d6a3f"                # the colour of incomes
ROOF = "#b23a2e"

COLOURS = {                     # of companies, by the word in the board's file
    "red": "#c5362c", "blue": "#2a5caa", "yellow": "#f2bb22", "green": "#2f8a4c", "black": "#2d2c2e", "white": "#f7f5ee",
    "grey": "#83878c", "purple": "#7a4a9a", "orange": "#e2772b", "brown": "#7c5433", "pink": "#d9789c",
}
OTHER_COLOURS = ("purple", "orange", "brown", "grey", "pink", "white")      # for a word that is not among them


def colour_called(word: Any, i: int) -> str:
    """The colour of company number `i`, whose board calls it `word`."""
    return COLOURS.get(str(word).lower(), COLOURS[OTHER_COLOURS[i % len(OTHER_COLOURS)]])


def letters_of(words: Sequence[str]) -> dict[str, str]:
    """A letter for each company: the first of its name that no other has taken."""
    letters: dict[str, str] = {}
    for word in words:
        wanted = [*word.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]
        letters[word] = next(letter for letter in wanted if letter not in letters.values())
    return letters


# --- geometry --------------------------------------------------------------------
@dataclass(frozen=True)
class Grid:
    """How the hexes of a board lie. Lengths are in radii, from the centre of a hex to its corner."""
    pointed: bool               # rows of hexes with a corner at the top, or columns of hexes with a flat top
    shifted: int                # 0: even rows lie half a hex further east (even columns further south); 1: odd ones

    def centre(self, col: int, row: int) -> Point:
        if self.pointed:
            return sqrt(3) * (col + 0.5 * (row % 2 == self.shifted)), 1.5 * row
        return 1.5 * col, sqrt(3) * (row + 0.5 * (col % 2 == self.shifted))

    def corners(self) -> list[Point]:
        turn = pi / 6 if self.pointed else 0
        return [(cos(turn + i * pi / 3), sin(turn + i * pi / 3)) for i in range(6)]


FLAT = Grid(pointed=False, shifted=1)       # Chicago Express: odd columns are lower
POINTED = Grid(pointed=True, shifted=0)     # American Rails, RAIL: even rows are further east


@dataclass(frozen=True)
class Layout:
    """A grid put on paper: the radius of a hex, and where column 0 and row 0 would be centred."""
    grid: Grid
    radius: float
    x: float
    y: float

    def centre(self, col: int, row: int) -> Point:
        x, y = self.grid.centre(col, row)
        return self.x + x * self.radius, self.y + y * self.radius

    def outline(self, col: int, row: int, size: float = 1) -> list[Point]:
        x, y = self.centre(col, row)
        return [(x + dx * self.radius * size, y + dy * self.radius * size) for dx, dy in self.grid.corners()]


def lay_out(grid: Grid, places: Iterable[tuple[int, int]], radius: float, left: float, top: float) -> tuple[Layout, float, float]:
    """The layout whose westernmost and northernmost corners are at `left` and `top`, and how far it goes across and down."""
    at_origin = Layout(grid, radius, 0, 0)
    points = [point for col, row in places for point in at_origin.outline(col, row)]
    west, north = min(x for x, _ in points), min(y for _, y in points)
    across, down = max(x for x, _ in points) - west, max(y for _, y in points) - north
    return Layout(grid, radius, left - west, top - north), across, down


# --- terrain ---------------------------------------------------------------------
def tree(x: float, y: float, u: float) -> list[Shape]:
    dark, light = "#5d8a55", "#7ba46c"
    return [
        Rectangle(x - 0.09 * u, y + 0.45 * u, 0.18 * u, 0.4 * u, fill="#7a6148"),
        Polygon([(x, y - u), (x + 0.56 * u, y + 0.5 * u), (x - 0.56 * u, y + 0.5 * u)], fill=dark),
        Polygon([(x, y - u), (x + 0.08 * u, y + 0.5 * u), (x - 0.56 * u, y + 0.5 * u)], fill=light),
    ]


def peak(x: float, y: float, u: float) -> list[Shape]:
    foot = y + 0.6 * u
    return [
        Polygon([(x - 0.95 * u, foot), (x, y - u), (x + 0.95 * u, foot)], fill="#a08d78"),
        Polygon([(x, y - u), (x + 0.95 * u, foot), (x + 0.2 * u, foot), (x - 0.1 * u, y - 0.1 * u)], fill="#84725f"),
        Polygon([(x, y - u), (x + 0.34 * u, y - 0.43 * u), (x + 0.1 * u, y - 0.55 * u), (x - 0.06 * u, y - 0.36 * u),
                 (x - 0.34 * u, y - 0.43 * u)], fill="#fbf9f4"),
    ]


def woods(x: float, y: float, u: float) -> list[Shape]:
    return [shape for dx, dy, size in ((-0.34, -0.2, 0.2), (0.36, -0.16, 0.2), (0.02, -0.38, 0.19), (0.0, 0.02, 0.25))
            for shape in tree(x + dx * u, y + dy * u, size * u)]


def range_(x: float, y: float, u: float) -> list[Shape]:
    left, right = peak(x - 0.3 * u, y - 0.06 * u, 0.3 * u), peak(x + 0.36 * u, y - 0.08 * u, 0.24 * u)
    return left + right + peak(x + 0.06 * u, y + 0.04 * u, 0.36 * u)


def grass(x: float, y: float, u: float) -> list[Shape]:
    tufts = []
    for dx, dy in ((-0.38, -0.28), (0.3, -0.38), (-0.1, 0.06), (0.44, 0.02)):
        cx, cy = x + dx * u, y + dy * u
        tufts += [Line([(cx + lean * u, cy - 0.07 * u), (cx, cy)], stroke="#cfc499", width=0.026 * u) for lean in (-0.045, 0, 0.045)]
    return tufts


def skyline(x: float, y: float, u: float) -> list[Shape]:
    blocks = ((-0.42, 0.26, 0.2), (-0.2, 0.42, 0.17), (-0.01, 0.32, 0.2), (0.21, 0.5, 0.14), (0.37, 0.22, 0.16))
    return [Rectangle(x + dx * u, y + (0.28 - tall) * u, wide * u, tall * u, fill=("#eec382", "#e8b871")[i % 2])
            for i, (dx, tall, wide) in enumerate(blocks)]


def works(x: float, y: float, u: float) -> list[Shape]:
    roof = [(-0.44, 0.28), (-0.44, 0.02), (-0.22, -0.12), (-0.22, 0.02), (0, -0.12), (0, 0.02), (0.16, -0.08), (0.16, -0.3), (0.28, -0.3),
            (0.28, 0.02), (0.44, 0.02), (0.44, 0.28)]
    return [Polygon([(x + dx * u, y + dy * u) for dx, dy in roof], fill="#c99fab")]


def nothing(x: float, y: float, u: float) -> list[Shape]:
    return []


@dataclass(frozen=True)
class Ground:
    fill: str
    sign: str                   # in the text map
    mark: Callable[[float, float, float], list[Shape]] = nothing


GROUNDS = {
    "plains": Ground("#f1e9cd", ".", grass), "forest": Ground("#c3d8ab", "%", woods), "mountain": Ground("#d9ccb8", "^", range_),
    "city": Ground("#f8d9a6", "o", skyline), "industry": Ground("#dfc3cb", "o", works), "start": Ground("#f8d9a6", "o"),
    "sea": Ground(SEA, "~"), "lake": Ground("#bfdce6", "~"),
}
GROUNDS["plain"] = GROUNDS["plains"]


def draw_shore(scene: Scene, layout: Layout, places: Sequence[tuple[int, int]]) -> None:
    """Shallow water around the land, lighter towards it."""
    for size, colour in SHORES:
        scene.add(*(Polygon(layout.outline(col, row, size), fill=colour, stroke=colour, width=0.2 * layout.radius) for col, row in places))


def draw_hex(scene: Scene, layout: Layout, place: tuple[int, int], terrain: str, hint: str = "", fill: str = "") -> None:
    ground = GROUNDS[terrain]
    fill = fill or ground.fill
    scene.add(Polygon(layout.outline(*place), fill=fill, stroke=mix(fill, "#6b5d48", 0.45), width=0.026 * layout.radius, hint=hint))
    x, y = layout.centre(*place)
    scene.add(*ground.mark(x, y, layout.radius))


def draw_waters(scene: Scene, layout: Layout, places: Sequence[tuple[int, int]], waters: Iterable[tuple[str, float, float]]) -> None:
    """The names of the waters, where a board leaves room for them: each with its place in radii from column 0 and row 0."""
    radius, near = layout.radius, [layout.centre(*place) for place in places]
    for name, across, down in waters:
        x, y = layout.x + across * radius, layout.y + down * radius
        lines = name.split("|")
        half = max(text_width(line, 19) for line in lines) / 2
        if all(abs(px - x) > half + 0.75 * radius or abs(py - y) > 0.87 * radius + 12 * len(lines) for px, py in near):
            for i, line in enumerate(lines):
                scene.add(Text(x, y + (i - (len(lines) - 1) / 2) * 24, line, 19, fill="#5f93a8"))


def network(neighbours: Mapping[str, Sequence[str]], start: str, track: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of hexes to join by a line, so that all of the track hangs together, each by a shortest way from the start."""
    left, pairs = set(track), []
    queue = deque(word for word in [start] if word in left)
    left.discard(start)
    while queue:
        here = queue.popleft()
        for there in neighbours[here]:
            if there in left:
                left.discard(there)
                queue.append(there)
                pairs.append((here, there))
    return pairs


# --- what stands on a hex --------------------------------------------------------
TOKEN_ROWS = {0: (), 1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
TOKEN_SIZES = {1: 0.27, 2: 0.26, 3: 0.235, 4: 0.2, 5: 0.19, 6: 0.19}      # half the width of a token, in radii


def token_places(n: int) -> list[tuple[float, float, float]]:
    """Where `n` tokens stand in a hex and how large: across, down and half a width, in radii from the centre."""
    places = []
    rows = TOKEN_ROWS[n]
    for i, count in enumerate(rows):
        size = TOKEN_SIZES[n]
        y = (i - (len(rows) - 1) / 2) * size * 1.84
        places += [((j - (count - 1) / 2) * size * 2.24, y, size) for j in range(count)]
    return places


def locomotive(x: float, y: float, u: float, colour: str, letter: str, hint: str = "") -> list[Shape]:
    """A small locomotive, two `u` long, with the company's letter on it."""
    body = [(-1, -0.86), (-0.22, -0.86), (-0.22, -0.5), (0.42, -0.5), (0.42, -0.9), (0.78, -0.9), (0.78, -0.5), (0.94, -0.38),
            (1, -0.2), (1, 0.56), (-1, 0.56)]
    points = [(x + dx * u, y + dy * u) for dx, dy in body]
    edge = mix(colour, "#000000", 0.35) if ink_on(colour) != "#ffffff" else "#ffffff"
    wheels = [Circle(x + dx * u, y + 0.62 * u, 0.24 * u, fill="#3a3530", stroke="#ffffff", width=0.09 * u) for dx in (-0.6, 0, 0.6)]
    return [
        Polygon([(px + 0.1 * u, py + 0.16 * u) for px, py in points], fill="#000000", opacity=0.22),
        *wheels,
        Polygon(points, fill=colour, stroke=edge, width=0.14 * u, hint=hint),
        Text(x, y + 0.05 * u, letter, 1.12 * u, bold=True, fill=ink_on(colour)),
    ]


def cube(x: float, y: float, u: float, colour: str, letter: str, hint: str = "") -> list[Shape]:
    """A wooden cube, two `u` wide, seen from in front and a little from above."""
    front, lid = [(-0.9, -0.5), (0.6, -0.5), (0.6, 0.9), (-0.9, 0.9)], [(-0.9, -0.5), (-0.6, -0.85), (0.9, -0.85), (0.6, -0.5)]
    side = [(0.6, -0.5), (0.9, -0.85), (0.9, 0.55), (0.6, 0.9)]
    edge = mix(colour, "#000000", 0.4)

    def face(points: list[Point], fill: str, hint: str = "") -> Polygon:
        return Polygon([(x + dx * u, y + dy * u) for dx, dy in points], fill=fill, stroke=edge, width=0.06 * u, hint=hint)

    return [face(lid, mix(colour, "#ffffff", 0.3)), face(side, mix(colour, "#000000", 0.2)), face(front, colour, hint),
            Text(x - 0.15 * u, y + 0.2 * u, letter, 1.1 * u, bold=True, fill=ink_on(colour))]


def house(x: float, y: float, u: float, built: bool = True, hint: str = "") -> list[Shape]:
    """A house, two `u` wide; one that is not built yet is an outline."""
    wall = [(-0.68, -0.05), (-0.68, 0.9), (0.68, 0.9), (0.68, -0.05)]
    roof = [(-1, 0.02), (0, -0.95), (1, 0.02)]
    if not built:
        outline = [*roof[:1], *roof[1:], (0.68, 0.02), (0.68, 0.9), (-0.68, 0.9), (-0.68, 0.02)]
        return [Polygon([(x + dx * u, y + dy * u) for dx, dy in outline], fill=PAPER, stroke=FAINT, width=0.2 * u, hint=hint)]
    return [
        Polygon([(x + dx * u, y + dy * u) for dx, dy in wall], fill="#fff6e0", stroke="#6e2a20", width=0.16 * u, hint=hint),
        Polygon([(x + dx * u, y + dy * u) for dx, dy in roof], fill=ROOF, stroke="#6e2a20", width=0.16 * u),
        Rectangle(x - 0.2 * u, y + 0.36 * u, 0.4 * u, 0.52 * u, fill="#6e2a20"),
    ]


def route(points: Sequence[Point], colour: str, width: float) -> list[Shape]:
    """A stretch of line between two hexes, with a pale bed."""
    return [Line(points, stroke="#fffdf6", width=width * 1.75), Line(points, stroke=colour, width=width)]


def name_label(x: float, y: float, name: str, size: float, most: float, bold: bool = True) -> Text:
    """A city's name, made smaller where it would be longer than `most`."""
    return Text(x, y, name, min(size, size * most / text_width(name, size, bold)), bold=bold, fill=INK, stroke=PAPER, width=0.3 * size)


@dataclass(frozen=True)
class Figure:
    """A figure at the foot of a hex: its text, its colour, and whether a house goes with it."""
    text: str
    colour: str = INK
    house: bool | None = None   # None: no house; False: a place for one; True: it stands


def figure_row(x: float, y: float, figures: Sequence[Figure], size: float) -> list[Shape]:
    """Figures side by side on a pale strip, centred at `x`."""
    gap, half = 0.38 * size, 0.44 * size
    widths = [text_width(f.text, size, True) + (2 * half + 0.15 * size * bool(f.text) if f.house is not None else 0) for f in figures]
    total = sum(widths) + gap * (len(figures) - 1)
    shapes: list[Shape] = [Rectangle(x - total / 2 - 0.3 * size, y - 0.66 * size, total + 0.6 * size, 1.32 * size, 0.5 * size,
                                     fill=PAPER, opacity=0.92)]
    left = x - total / 2
    for figure, width in zip(figures, widths, strict=True):
        start = left
        if figure.house is not None:
            shapes += house(left + half, y, half, figure.house)
            start += 2 * half + 0.15 * size
        shapes.append(Text(start, y, figure.text, size, bold=True, anchor="start", fill=figure.colour))
        left += width + gap
    return shapes


# --- the map in text -------------------------------------------------------------
def stack_word(standing: Sequence[str], everyone: Sequence[str], house: bool, most: int = 4) -> str:
    """The letters of those who stand on a hex, and `*` for a house; `all` and `-X` (all but X) where there is no room."""
    word = "".join(standing)
    mark = "*" * house
    if len(word + mark) > most:
        word = "all" if len(standing) == len(everyone) else "-" + "".join(letter for letter in everyone if letter not in standing)
    return word[:most - len(mark)] + mark


def sign_word(sign: str, cost: int | None, name: str = "") -> str:
    """`Pit4`, `^^^4`, `...1`: three letters of a city or the terrain's sign, and the cost."""
    head = "".join(letter for letter in name if letter.isalnum()) or 3 * sign
    price = "" if cost is None else str(cost)
    return head[:3 if len(price) < 2 else 2].ljust(3 if len(price) < 2 else 2) + price


def text_map(grid: Grid, cells: Mapping[tuple[int, int], tuple[str, str]], column: Callable[[int], str], width: int = 5) -> str:
    """A map for a terminal, two lines a hex, with the columns' letters above and the rows' numbers on both sides."""
    rows = range(min(row for _, row in cells), max(row for _, row in cells) + 1)
    cols = range(min(col for col, _ in cells), max(col for col, _ in cells) + 1)
    margin = 3
    canvas = [[" "] * (margin + width * len(cols) + width // 2) for _ in range(2 * len(rows) + 1)]
    for (col, row), lines in cells.items():
        lower = not grid.pointed and col % 2 == grid.shifted
        further = width // 2 if grid.pointed and row % 2 == grid.shifted else 0
        for i, line in enumerate(lines):
            left = margin + width * (col - cols.start) + further
            words = line.center(width - 1) if i else line
            canvas[2 * (row - rows.start) + lower + i][left:left + len(words)] = list(words)
    for row in rows:
        letters = canvas[2 * (row - rows.start)]
        letters[:2] = list(f"{row:2}")
        letters += list(f"{row:3}")
    head = " " * margin + "".join(f" {column(col)}".ljust(width) for col in cols)
    body = ["".join(line).rstrip() for line in canvas]
    return "\n".join([head.rstrip(), *(body if body[-1] else body[:-1]), head.rstrip()])
