"""A picture as a list of shapes, and two painters for it: SVG text and PNG bytes."""
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from math import ceil, cos, radians, sin
from xml.sax.saxutils import escape, quoteattr

from PIL import Image, ImageDraw, ImageFont

Point = tuple[float, float]
FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
CAPITAL = 0.36                  # half the height of a capital letter, in sizes: text is placed by its middle
BOLD_WIDER = 1.07               # a bold line of text against a plain one
MOST_PIXELS = 64_000_000        # of a PNG
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
PLAIN_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ł": "l", "Ł": "L", "–": "-", "×": "x"})


# --- shapes ----------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Shape:
    """Colours are `#rrggbb`, or empty for none; lengths are in units of the scene."""
    fill: str = ""
    stroke: str = ""
    width: float = 1            # of the stroke
    opacity: float = 1
    hint: str = ""              # what a reader of the SVG is told when the pointer rests here


@dataclass(frozen=True)
class Polygon(Shape):
    points: Sequence[Point]


@dataclass(frozen=True)
class Line(Shape):
    """A line through points, with round ends; only its stroke is painted."""
    points: Sequence[Point]


@dataclass(frozen=True)
class Circle(Shape):
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Rectangle(Shape):
    x: float
    y: float
    across: float
    down: float
    corner: float = 0           # radius of the corners


@dataclass(frozen=True)
class Text(Shape):
    """One line of text; `y` is the middle of its capitals, `stroke` a halo around the letters."""
    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    anchor: str = "middle"      # start, middle or end: which part of the text is at `x`


@dataclass
class Scene:
    across: float
    down: float
    background: str
    title: str
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        self.shapes += shapes


# --- helpers for those who draw --------------------------------------------------
def text_width(text: str, size: float, bold: bool = False) -> float:
    """How long a line of text will be, near enough in any of the fonts."""
    return font(100).getlength(plain_letters(text)) / 100 * size * (BOLD_WIDER if bold else 1)


def sector(x: float, y: float, inner: float, outer: float, start: float, end: float) -> list[Point]:
    """The corners of a piece of a ring, from angle to angle in degrees, clockwise from twelve o'clock."""
    steps = max(2, ceil(abs(end - start) / 4))
    angles = [radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    out = [(x + outer * sin(a), y - outer * cos(a)) for a in angles]
    return out + [(x + inner * sin(a), y - inner * cos(a)) for a in reversed(angles)]


def mix(colour: str, other: str, part: float) -> str:
    """`part` of the other colour stirred into the first."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def ink_on(colour: str) -> str:
    """White or near black, whichever is read more easily on the colour."""
    red, green, blue = rgb(colour)
    return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 150 else "#2a2622"


# --- SVG -------------------------------------------------------------------------
def to_svg(scene: Scene) -> str:
    """A self-contained SVG document."""
    across, down = number(scene.across), number(scene.down)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" height="{down}" '
            f'font-family="{FONTS}" stroke-linejoin="round" stroke-linecap="round">')
    ground = f'<rect width="{across}" height="{down}" fill="{scene.background}"/>'
    lines = [head, f"<title>{clean(scene.title)}</title>", ground, *map(svg_element, scene.shapes), "</svg>"]
    return "\n".join(lines) + "\n"


def svg_element(shape: Shape) -> str:
    match shape:
        case Polygon(points=points):
            name, place = "polygon", f'points="{svg_points(points)}"'
        case Line(points=points):
            name, place = "polyline", f'points="{svg_points(points)}"'
        case Circle(x=x, y=y, radius=radius):
            name, place = "circle", f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        case Rectangle(x=x, y=y, across=across, down=down, corner=corner):
            name = "rect"
            place = f'x="{number(x)}" y="{number(y)}" width="{number(across)}" height="{number(down)}" rx="{number(corner)}"'
        case Text(x=x, y=y, size=size, bold=bold, anchor=anchor):
            name = "text"
            place = (f'x="{number(x)}" y="{number(y + CAPITAL * size)}" font-size="{number(size)}" text-anchor="{anchor}"'
                     + ' font-weight="bold"' * bold + ' paint-order="stroke"' * bool(shape.stroke))
        case _:
            raise TypeError(f"svg_element: {type(shape).__name__} is no shape of a scene")
    inside = clean(shape.text) if isinstance(shape, Text) else ""
    inside += f"<title>{clean(shape.hint)}</title>" if shape.hint else ""
    start = f"<{name} {place} {svg_paint(shape)}"
    return f"{start}>{inside}</{name}>" if inside else f"{start}/>"


def svg_paint(shape: Shape) -> str:
    words = ["fill=" + quoteattr("none" if isinstance(shape, Line) else shape.fill or "none")]
    if shape.stroke:
        words += ["stroke=" + quoteattr(shape.stroke), f'stroke-width="{number(shape.width)}"']
    if shape.opacity < 1:
        words.append(f'opacity="{number(shape.opacity)}"')
    return " ".join(words)


def svg_points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def clean(text: str) -> str:
    """The text escaped, without the characters that XML forbids."""
    return escape("".join(letter for letter in text if letter.isprintable()))


# --- PNG -------------------------------------------------------------------------
def to_png(scene: Scene, scale: float = 1) -> bytes:
    """The picture as a PNG, `scale` pixels to a unit; painted larger and reduced, so that edges are smooth."""
    across, down = round(scene.across * scale), round(scene.down * scale)
    if scale <= 0 or not 1 <= across * down <= MOST_PIXELS:
        most = (MOST_PIXELS / (scene.across * scene.down)) ** 0.5
        raise ValueError(f"scale {scale:g}; expected more than 0, at most {most:.1f}")
    finer = max(2, ceil(3 / max(scale, 1)))
    image = Image.new("RGB", (across * finer, down * finer), scene.background)
    draw = ImageDraw.Draw(image, "RGBA")
    for shape in scene.shapes:
        paint(draw, shape, scale * finer)
    file = BytesIO()
    image.reduce(finer).save(file, "PNG", optimize=False)
    return file.getvalue()


def paint(draw: ImageDraw.ImageDraw, shape: Shape, scale: float) -> None:
    fill, stroke = pixel(shape.fill, shape.opacity), pixel(shape.stroke, shape.opacity)
    width = max(1, round(shape.width * scale))
    match shape:
        case Polygon(points=points):
            corners = [(x * scale, y * scale) for x, y in points]
            if fill:
                draw.polygon(corners, fill)
            if stroke:
                draw.line([*corners, *corners[:2]], stroke, width, joint="curve")
        case Line(points=points):
            corners = [(x * scale, y * scale) for x, y in points]
            draw.line(corners, stroke, width, joint="curve")
            for x, y in (corners[0], corners[-1]):
                draw.ellipse(box(x, y, width / 2 - 0.5), stroke)
        case Circle(x=x, y=y, radius=radius):
            outer = radius * scale + (width / 2 if stroke else 0)
            draw.ellipse(box(x * scale, y * scale, outer), fill, stroke, width if stroke else 0)
        case Rectangle(x=x, y=y, across=across, down=down, corner=corner):
            half = width / 2 if stroke else 0
            corners = [(x * scale - half, y * scale - half), ((x + across) * scale + half, (y + down) * scale + half)]
            draw.rounded_rectangle(corners, corner * scale + half, fill, stroke, width if stroke else 0)
        case Text():
            paint_text(draw, shape, scale)
        case _:
            raise TypeError(f"paint: {type(shape).__name__} is no shape of a scene")


def paint_text(draw: ImageDraw.ImageDraw, shape: Text, scale: float) -> None:
    place = (shape.x * scale, (shape.y + CAPITAL * shape.size) * scale)
    words, face, anchor = plain_letters(shape.text), font(shape.size * scale), ANCHORS[shape.anchor]
    heavier = round(shape.size * scale * 0.028) if shape.bold else 0      # the font has one weight: a thin outline makes it bold
    if shape.stroke:
        halo = pixel(shape.stroke, shape.opacity)
        draw.text(place, words, halo, face, anchor, stroke_width=heavier + round(shape.width * scale / 2), stroke_fill=halo)
    ink = pixel(shape.fill, shape.opacity)
    draw.text(place, words, ink, face, anchor, stroke_width=heavier, stroke_fill=ink)


def pixel(colour: str, opacity: float) -> tuple[int, int, int, int] | None:
    return (*rgb(colour), round(255 * opacity)) if colour else None


def box(x: float, y: float, radius: float) -> list[float]:
    return [x - radius, y - radius, x + radius, y + radius]


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """Pillow's own font, so that every machine paints the same picture."""
    face = ImageFont.load_default(size)
    assert isinstance(face, ImageFont.FreeTypeFont)
    return face


def plain_letters(text: str) -> str:
    """The text in the letters that Pillow's own font has: accents are dropped."""
    return "".join(plain_letter(letter) for letter in text)


def plain_letter(letter: str) -> str:
    if letter.isascii() or letter == "·":
        return letter
    return "".join(letters_below(letter.translate(PLAIN_LETTERS))) or "?"


def letters_below(text: str) -> Iterator[str]:
    return (letter for letter in unicodedata.normalize("NFKD", text) if letter.isascii())
