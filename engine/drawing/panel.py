"""What the pictures of games with companies and shares have in common: words, the text of the tables, and the panel."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from railwright.engine.drawing.hexmap import FAINT, GAIN, INK, PAPER, house
from railwright.engine.drawing.scene import Circle, Line, Point, Polygon, Rectangle, Scene, Shape, Text, ink_on, mix, text_width
from railwright.engine.game import Chart
from railwright.engine.shares import Facts
from railwright.engine.words import listing, seat

End = tuple[str, int, int, bool]        # what an end condition counts, how far it is, where it ends the game, whether it holds
PANEL = 500                     # its width
RED, RED_DARK = "#c5362c", "#8f231b"
GOLD = "#d9a227"
RULE = "#d8cfb8"                # thin lines in the panel


# --- what both pictures say ------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Company:
    """A company as the pictures show it."""
    word: str
    id: str
    letter: str
    colour: str
    facts: Facts
    in_play: bool
    idle: str = ""              # what is said of it while it is not in play

    @property
    def short(self) -> str:
        """Its name on a certificate."""
        return self.id if len(self.id) <= 5 else f"{self.id[:4]}."

    @property
    def dividend(self) -> int | None:
        """What one share would be paid now."""
        return -(-self.facts["income"] // self.facts["sold"]) if self.facts["sold"] else None


def standing_on(facts: Facts, hex_: Facts) -> list[str]:
    return facts["hexes"].get(hex_["id"].lower(), {}).get("companies", [])


def is_developed(facts: Facts, hex_: Facts) -> bool:
    return facts["hexes"].get(hex_["id"].lower(), {}).get("developed", False)


def winners(facts: Facts) -> list[int]:
    """Most cash wins (CE-102, AR-65)."""
    most = max(player["cash"] for player in facts["players"])
    return [i for i, player in enumerate(facts["players"]) if player["cash"] == most]


def victory_words(facts: Facts) -> str:
    names = [seat(i) for i in winners(facts)]
    return f"the game is over: {listing(names)} {'wins' if len(names) == 1 else 'share the victory'}"


# --- text ------------------------------------------------------------------------
def players_text(companies: Sequence[Company], facts: Facts, width: int) -> str:
    lines = [f"{'player':<12}{'cash':>7}  " + "".join(f"{company.id:>{width}}" for company in companies)]
    for i, player in enumerate(facts["players"]):
        held = "".join(f"{player['shares'].get(company.word) or '-':>{width}}" for company in companies)
        mark = ">" if facts["to_move"] == i + 1 else "*" if facts["decision"] == "over" and i in winners(facts) else " "
        lines.append(f"{mark} {seat(i):<10}{'$' + str(player['cash']):>7}  {held}")
    return "\n".join(lines)


def decision_text(companies: Sequence[Company], facts: Facts, words: str) -> str:
    lines = []
    if auction := facts["auction"]:
        share = next(company.id for company in companies if company.word == auction["company"])
        bid = f"${auction['bid']} bid by {seat(auction['bidder'] - 1)}" if auction["bidder"] else "no bid yet"
        still_in = listing([str(player) for player in auction["still_in"]])
        lines.append(f"auction     a share of {share}: {bid}, at least ${auction['least']} now; still in: {still_in}")
    return "\n".join([*lines, f"decision    {words}"])


# --- the panel -------------------------------------------------------------------
@dataclass
class Panel:
    """The right-hand side; its parts are drawn one below the other, `y` is where the next one goes."""
    picture: Scene
    chart: Chart
    facts: Facts
    companies: Sequence[Company]
    x: float
    spare: float = 0            # room to leave above each heading
    y: float = 0
    n_headings: int = 0

    pieces = ""                 # what a company builds with, as the heading of its column
    pieces_key = ""             # the same among the company's facts
    few_pieces = 0              # so few are shown in red

    def draw(self) -> None:
        """The whole panel; a game says which parts it has."""
        self.picture.add(Rectangle(self.x, 0, PANEL, self.picture.down, fill=PAPER))
        self.picture.add(Line([(self.x, 0), (self.x, self.picture.down)], stroke="#7d6a45", width=3))

    def token(self, x: float, y: float, u: float, colour: str, letter: str) -> list[Shape]:
        """What a company builds with."""
        return []

    @property
    def left(self) -> float:
        return self.x + 24

    @property
    def right(self) -> float:
        return self.x + PANEL - 24

    def write(self, x: float, y: float, words: str, size: float, fill: str = INK, bold: bool = False, anchor: str = "start") -> None:
        self.picture.add(Text(x, y, words, size, bold=bold, anchor=anchor, fill=fill))

    def heading(self, words: str) -> None:
        self.y += self.spare
        self.n_headings += 1
        self.write(self.left, self.y + 8, words.upper(), 12, "#7d6a45", True)
        start = self.left + text_width(words.upper(), 12, True) + 12
        self.picture.add(Line([(start, self.y + 8), (self.right, self.y + 8)], stroke=RULE, width=1.2))
        self.y += 30

    def company(self, word: str) -> Company:
        return next(company for company in self.companies if company.word == word)

    def seat_disc(self, x: float, y: float, player: int, radius: float, marked: bool) -> None:
        self.picture.add(Circle(x, y, radius, fill=INK if marked else PAPER, stroke=INK, width=1.4))
        self.write(x, y, str(player), radius * 1.15, PAPER if marked else INK, True, "middle")

    def draw_title(self, title: str, above: str, below: str) -> None:
        self.picture.add(Rectangle(self.x + 1.5, 0, PANEL, 66, fill="#5b2f24"))
        self.write(self.left, 33, title, 30, "#fbe9c6", True)
        self.write(self.right, 25, above, 15, "#fbe9c6", True, "end")
        self.write(self.right, 46, below, 12, "#e3c9a4", anchor="end")
        self.y = 80

    def draw_decision(self, words: str) -> None:
        """Who decides what; in an auction the share, the bids and who is still in."""
        facts, top = self.facts, self.y
        self.picture.add(Rectangle(self.left - 8, top, PANEL - 32, 74, 10, fill="#f3ead0", stroke=RULE, width=1.2))
        middle = top + (24 if facts["auction"] else 37)
        if facts["to_move"]:
            self.seat_disc(self.left + 18, middle, facts["to_move"], 13, True)
        else:
            self.picture.add(Polygon(star(self.left + 18, middle, 15), fill=GOLD, stroke="#8a6414", width=1.4))
        size = min(15, 15 * 404 / text_width(words, 15, True))
        self.write(self.left + 42, middle, words[0].upper() + words[1:], size, INK, True)
        if auction := facts["auction"]:
            self.draw_auction(auction, top + 54)
        self.y = top + 88

    def draw_auction(self, auction: Facts, y: float) -> None:
        company = self.company(auction["company"])
        self.certificate(self.left + 4, y, company, 1)
        bid = f"${auction['bid']} by player {auction['bidder']}" if auction["bidder"] else "no bid yet"
        self.write(self.left + 62, y, bid, 14, INK, True)
        self.write(self.left + 184, y, f"least now ${auction['least']}", 13)
        self.write(self.left + 286, y, "still in", 13, FAINT)
        for i, player in enumerate(auction["still_in"]):
            self.seat_disc(self.left + 344 + 20 * i, y, player, 9, player == auction["speaker"])

    def certificate(self, x: float, y: float, company: Company, n: int) -> float:
        """A share, or a small pile of them; gives how far it goes across."""
        step = min(4, 12 / max(1, n - 1))
        for i in reversed(range(n)):
            left, edge = x + step * i, mix(company.colour, "#000000", 0.4)
            self.picture.add(Rectangle(left, y - 10, 46, 20, 4, fill=company.colour, stroke=edge, width=1))
        self.picture.add(Rectangle(x + 2.5, y - 7.5, 41, 15, 2.5, stroke=mix(company.colour, "#ffffff", 0.5), width=0.8))
        words = f"{n} {company.short}" if n > 1 else company.short
        size = min(12, 12 * 36 / text_width(words, 12, True))
        self.write(x + 23, y, words, size, ink_on(company.colour), True, "middle")
        return 46 + step * (n - 1)

    def draw_companies(self) -> None:
        self.heading("companies")
        columns = (("income", 208), ("treasury", 262), (self.pieces, 408), ("a share", 452))
        for words, x in columns:
            self.write(self.left + x, self.y, words, 11, FAINT, anchor="end")
        self.write(self.left + 276, self.y, "shares", 11, FAINT)
        self.y += 24
        for company in self.companies:
            self.draw_company(company)
        self.y += 4

    def draw_company(self, company: Company) -> None:
        y, figures = self.y, company.facts
        ink = INK if company.in_play else FAINT
        colour = company.colour if company.in_play else mix(company.colour, PAPER, 0.55)
        self.picture.add(*self.token(self.left + 13, y, 13, colour, company.letter))
        size = min(13, 13 * 138 / text_width(figures["name"], 13, True))
        self.write(self.left + 34, y, figures["name"], size, ink, True)
        if not company.in_play:
            self.write(self.left + 262, y, company.idle, 12, FAINT, anchor="end")
        else:
            self.write(self.left + 208, y, f"{figures['income']}", 16, GAIN, True, "end")
            self.write(self.left + 262, y, f"${figures['treasury']}", 14, ink, anchor="end")
        self.draw_shares(company, self.left + 276, y)
        left = figures[self.pieces_key]
        self.write(self.left + 408, y, str(left), 14, RED if left <= self.few_pieces else ink, anchor="end")
        dividend = f"${company.dividend}" if company.dividend is not None else "-"
        self.write(self.left + 452, y, dividend, 14, ink, company.dividend is not None, "end")
        self.picture.add(Line([(self.left, y + 16), (self.right, y + 16)], stroke="#ebe3cd", width=1))
        self.y += 32

    def draw_shares(self, company: Company, x: float, y: float) -> None:
        """A square a share: sold ones in the company's colour with the holder's number, those out of the game empty."""
        holders = [i + 1 for i, player in enumerate(self.facts["players"]) for _ in range(player["shares"].get(company.word, 0))]
        sold, left = company.facts["sold"], company.facts["shares_left"]
        total = sold + left + company.facts.get("shares_gone", 0)
        wide = min(17, 102 / max(total, 1))
        for i in range(total):
            fill = company.colour if i < sold else "#fffdf6" if i < sold + left else ""
            self.picture.add(Rectangle(x + wide * i, y - 7, wide - 3, 14, 2.5, fill=fill,
                                       stroke=mix(company.colour, "#000000", 0.25) if fill else RULE, width=1.2))
            if i < len(holders):
                self.write(x + wide * i + (wide - 3) / 2, y, str(holders[i]), 10, ink_on(company.colour), True, "middle")

    def draw_players(self) -> None:
        self.heading("players")
        over = self.facts["decision"] == "over"
        for i, player in enumerate(self.facts["players"]):
            marked = self.facts["to_move"] == i + 1
            y = self.y + 6
            if marked or (over and i in winners(self.facts)):
                self.picture.add(Rectangle(self.left - 8, y - 15, PANEL - 32, 30, 8, fill="#f6e3ae"))
            self.seat_disc(self.left + 10, y, i + 1, 11, marked)
            if over and i in winners(self.facts):
                self.picture.add(Polygon(star(self.left + 36, y, 10), fill=GOLD, stroke="#8a6414", width=1))
            elif marked:
                self.picture.add(Polygon([(self.left + 31, y - 6), (self.left + 40, y), (self.left + 31, y + 6)], fill="#5b2f24"))
            self.write(self.left + 104, y, f"${player['cash']}", 17, INK, True, "end")
            x = self.left + 124
            for company in self.companies:
                if n := player["shares"].get(company.word, 0):
                    x += self.certificate(x, y, company, n) + 8
            self.y += 33
        self.y += 8

    def draw_houses(self, left: int, total: int) -> None:
        self.heading(f"houses left: {left} of {total}")
        wide = min(21, (PANEL - 56) / max(total, 1))
        for i in range(total):
            self.picture.add(*house(self.left + 8 + wide * i, self.y, wide * 0.36, i < left))
        self.y += 26

    def draw_ends(self, words: str, ends: list[End]) -> None:
        """How near the end of the game is."""
        self.heading(words)
        for i, (what, at, end, holds) in enumerate(ends):
            x, y = self.left + 236 * (i % 2), self.y + 21 * (i // 2)
            self.write(x, y, f"{what}: {at}", 12.5, RED if holds else INK, holds)
            self.write(x + 148, y, f"ends at {end}", 12, RED if holds else FAINT)
        self.y += 46


def draw_spread(make: Callable[[Scene, float], Panel], picture: Scene) -> None:
    """The panel, its parts spread over the height of the picture."""
    trial = make(Scene(0, 0, PAPER, ""), 0)
    trial.draw()
    make(picture, max(0, picture.down - trial.y) / trial.n_headings).draw()


def around(x: float, y: float, radius: float, angle: float) -> Point:
    """The point at an angle in degrees, clockwise from twelve o'clock."""
    return x + radius * sin(radians(angle)), y - radius * cos(radians(angle))


def star(x: float, y: float, radius: float) -> list[Point]:
    return [around(x, y, radius * (0.45 if i % 2 else 1), 36 * i) for i in range(10)]
