"""Chicago Express in pictures: the map with its locomotives, and a panel with dials, companies and players."""
from collections import deque
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from railwright.engine.drawing.hexmap import (
    FAINT,
    FLAT,
    GAIN,
    GROUNDS,
    INK,
    PAPER,
    SEA,
    Figure,
    Layout,
    colour_called,
    draw_hex,
    draw_shore,
    figure_row,
    house,
    lay_out,
    letters_of,
    locomotive,
    name_label,
    route,
    sign_word,
    stack_word,
    text_map,
    token_places,
)
from railwright.engine.drawing.scene import Circle, Line, Point, Polygon, Rectangle, Scene, Text, ink_on, mix, sector, text_width
from railwright.engine.game import Chart
from railwright.engine.games.chicago_express import WAITING, company_word, hex_value, late_company
from railwright.engine.words import listing, plural, seat

Facts = dict[str, Any]

RADIUS = 50                     # of a hex
MARGIN = 34                     # of the sea around the map
PANEL = 500                     # its width
LEAST_DOWN = 1020               # the panel needs that much
RED, RED_DARK = "#c5362c", "#8f231b"
GOLD = "#d9a227"
N_PARTS = 6                     # headings in the panel
RULE = "#d8cfb8"                # thin lines in the panel
WATERS = (("Lake|Michigan", 0.4, 0.1), ("Lake Erie", 7.6, 0), ("Atlantic|Ocean", 18, 8.2))    # name, column, row


# --- what both pictures say ------------------------------------------------------
@dataclass(frozen=True)
class Company:
    """A company as the pictures show it."""
    word: str
    id: str
    letter: str
    colour: str
    start: str                  # the hex where its network begins
    facts: Facts
    in_play: bool

    @property
    def dividend(self) -> int | None:
        """CE-91: what one share would be paid now."""
        return -(-self.facts["income"] // self.facts["sold"]) if self.facts["sold"] else None


def companies_of(chart: Chart, facts: Facts) -> list[Company]:
    words = [company_word(chart, i) for i in range(len(chart.data["companies"]))]
    letters = letters_of(words)
    return [
        Company(word, entry["id"], letters[word], colour_called(entry.get("colour"), i), entry["start_hex"].lower(),
                facts["companies"][word], i != late_company(chart) or facts["wabash_founded"])
        for i, (word, entry) in enumerate(zip(words, chart.data["companies"], strict=True))
    ]


def standing_on(facts: Facts, hex_: Facts) -> list[str]:
    return facts["hexes"].get(hex_["id"].lower(), {}).get("companies", [])


def is_developed(facts: Facts, hex_: Facts) -> bool:
    return facts["hexes"].get(hex_["id"].lower(), {}).get("developed", False)


def decision_words(facts: Facts) -> str:
    """`player 2 to choose a dial`, or who has won."""
    if facts["decision"] != "over":
        building = f" for {facts['building']}" if facts["building"] else ""
        return f"{seat(facts['to_move'] - 1)} to choose {WAITING[facts['decision']]}{building}"
    names = [seat(i) for i in winners(facts)]
    return f"the game is over: {listing(names)} {'wins' if len(names) == 1 else 'share the victory'}"


def winners(facts: Facts) -> list[int]:
    """CE-102, CE-103: most cash wins."""
    most = max(player["cash"] for player in facts["players"])
    return [i for i, player in enumerate(facts["players"]) if player["cash"] == most]


def end_conditions(chart: Chart, facts: Facts) -> list[tuple[str, int, int, bool]]:
    """CE-100: what each end condition counts, how far it is, where it ends the game, and whether it holds."""
    end, companies = chart.data["end_game"], facts["companies"].values()
    detroit = next(name for name, track in chart.data["industry_tracks"].items()
                   if any(hex_["id"] == track["hex"] and hex_["developable"] == "auto" for hex_ in chart.data["hexes"]))
    sold_out = sum(company["shares_left"] == 0 for company in companies)
    no_engines = sum(company["locomotives_left"] == 0 for company in companies)
    value = facts["industries"][detroit]
    return [
        ("companies sold out", sold_out, end["companies_without_shares"], sold_out >= end["companies_without_shares"]),
        ("out of locomotives", no_engines, end["companies_without_locomotives"], no_engines >= end["companies_without_locomotives"]),
        ("houses left", facts["houses_left"], end["houses_left_at_most"], facts["houses_left"] <= end["houses_left_at_most"]),
        (f"{detroit} at", value, end["detroit_value"], value >= end["detroit_value"]),
    ]


# --- text ------------------------------------------------------------------------
def text(chart: Chart, facts: Facts) -> str:
    """The position in plain text, at most 110 columns wide on the board of the box."""
    parts = [map_text(chart, facts), dials_text(facts), companies_text(chart, facts), players_text(chart, facts),
             supplies_text(chart, facts), decision_text(chart, facts)]
    return "\n\n".join(parts) + "\n"


def map_text(chart: Chart, facts: Facts) -> str:
    companies = companies_of(chart, facts)
    letters = {company.word: company.letter for company in companies}
    cells, columns = {}, {}
    for hex_ in chart.data["hexes"]:
        top = sign_word(GROUNDS[hex_["terrain"]].sign, hex_["cost"], hex_.get("name") or "")
        standing = [letters[word] for word in standing_on(facts, hex_)]
        cells[hex_["col"], hex_["row"]] = (top, stack_word(standing, list(letters.values()), is_developed(facts, hex_)))
        columns[hex_["col"]] = hex_["id"].rstrip("0123456789").lower()
    legend = ("... plains  %%% forest  ^^^ mountain  Pit city, then the cost;  below: who stands there, * a house\n"
              + ", ".join(f"{company.letter} {company.id}" for company in companies)
              + "  (all: every company, -P: all but P)")
    return text_map(FLAT, cells, lambda col: columns.get(col, "")) + "\n\n" + legend


def dials_text(facts: Facts) -> str:
    dials = []
    for name, dial in facts["dials"].items():
        track = "#" * dial["at"] + "." * (dial["steps"] - dial["at"])
        dials.append(f"{name} {dial['at']}/{dial['steps']} [{track}]" + (" red" if dial["at"] == dial["steps"] else ""))
    return "dials       " + "   ".join(dials) + f"   general dividends {facts['general_dividends']}"


def companies_text(chart: Chart, facts: Facts) -> str:
    lines = [f"{'company':<29}{'income':>7}{'treasury':>10}{'sold':>6}{'left':>6}{'locomotives':>13}{'a share':>9}"]
    for company in companies_of(chart, facts):
        figures = company.facts
        dividend = f"${company.dividend}" if company.dividend is not None else "-"
        name = figures["name"] if company.in_play else f"{figures['name'][:8]}, not founded"
        lines.append(f"{company.letter} {company.id:<5}{name[:22]:<22}{figures['income']:>7}{'$' + str(figures['treasury']):>10}"
                     f"{figures['sold']:>6}{figures['shares_left']:>6}{figures['locomotives_left']:>13}{dividend:>9}")
    return "\n".join(lines)


def players_text(chart: Chart, facts: Facts) -> str:
    companies = companies_of(chart, facts)
    lines = [f"{'player':<12}{'cash':>7}  " + "".join(f"{company.id:>6}" for company in companies)]
    for i, player in enumerate(facts["players"]):
        held = "".join(f"{player['shares'].get(company.word) or '-':>6}" for company in companies)
        mark = ">" if facts["to_move"] == i + 1 else "*" if facts["decision"] == "over" and i in winners(facts) else " "
        lines.append(f"{mark} {seat(i):<10}{'$' + str(player['cash']):>7}  {held}")
    return "\n".join(lines)


def supplies_text(chart: Chart, facts: Facts) -> str:
    industries = []
    for name, value in facts["industries"].items():
        track = "-".join(f"[{space}]" if space == value else str(space) for space in chart.data["industry_tracks"][name]["values"])
        industries.append(f"{name} {track}")
    ends = [f"{what} {at} (ends at {end}{', holds' if holds else ''})" for what, at, end, holds in end_conditions(chart, facts)]
    return f"industries  {'   '.join(industries)}\nhouses      {facts['houses_left']} of {chart.data['houses']} left\nend         " \
           + ", ".join(ends[:2]) + "\n            " + ", ".join(ends[2:])


def decision_text(chart: Chart, facts: Facts) -> str:
    lines = []
    if auction := facts["auction"]:
        share = next(company.id for company in companies_of(chart, facts) if company.word == auction["company"])
        bid = f"${auction['bid']} bid by {seat(auction['bidder'] - 1)}" if auction["bidder"] else "no bid yet"
        still_in = listing([str(player) for player in auction["still_in"]])
        lines.append(f"auction     a share of {share}: {bid}, at least ${auction['least']} now; still in: {still_in}")
    return "\n".join([*lines, f"decision    {decision_words(facts)}"])


# --- the scene: the map ----------------------------------------------------------
def scene(chart: Chart, facts: Facts) -> Scene:
    """The position as a printed map with a panel on its right."""
    hexes = chart.data["hexes"]
    places = [(hex_["col"], hex_["row"]) for hex_ in hexes]
    layout, across, down = lay_out(FLAT, places, RADIUS, MARGIN, MARGIN)
    height = max(LEAST_DOWN, down + 2 * MARGIN)
    layout = Layout(FLAT, RADIUS, layout.x, layout.y + (height - 2 * MARGIN - down) / 2)
    picture = Scene(across + 2 * MARGIN + PANEL, height, SEA, f"Chicago Express: {decision_words(facts)}")
    companies = companies_of(chart, facts)
    draw_shore(picture, layout, places)
    draw_waters(picture, layout, places)
    for hex_ in hexes:
        draw_ground(picture, layout, chart, facts, companies, hex_)
    draw_emphasis(picture, layout, chart, companies)
    spots = token_spots(layout, chart, facts)
    for company in companies:
        draw_network(picture, chart, company, spots)
    for i, hex_ in enumerate(hexes):
        draw_labels(picture, layout, chart, facts, companies, i)
        draw_locomotives(picture, facts, companies, hex_, spots)
    draw_legend(picture, layout, places, MARGIN, height - MARGIN)
    draw_panel(picture, chart, facts, companies, across + 2 * MARGIN)
    return picture


def draw_waters(picture: Scene, layout: Layout, places: list[tuple[int, int]]) -> None:
    """The names of the waters, where a board leaves room for them."""
    for name, col, row in WATERS:
        x, y = layout.x + 1.5 * col * RADIUS, layout.y + 1.732 * row * RADIUS
        lines = name.split("|")
        half = max(text_width(line, 19) for line in lines) / 2
        near = [layout.centre(*place) for place in places]
        if all(abs(px - x) > half + 0.75 * RADIUS or abs(py - y) > 0.87 * RADIUS + 12 * len(lines) for px, py in near):
            for i, line in enumerate(lines):
                picture.add(Text(x, y + (i - (len(lines) - 1) / 2) * 24, line, 19, fill="#5f93a8"))


def draw_ground(picture: Scene, layout: Layout, chart: Chart, facts: Facts, companies: list[Company], hex_: Facts) -> None:
    word = hex_["id"].lower()
    standing = standing_on(facts, hex_)
    price = "" if hex_["cost"] is None else f", next locomotive ${hex_['cost'] * (len(standing) + 1)}"
    owner = next((company for company in companies if company.start == word and hex_["terrain"] == "start"), None)
    fill = mix("#fff3dc", owner.colour, 0.36) if owner else ""
    hint = f"{word} {hex_.get('name') or hex_['terrain']}{price}" + (f", {' '.join(standing)}" if standing else "")
    draw_hex(picture, layout, (hex_["col"], hex_["row"]), hex_["terrain"], hint, fill)


def draw_emphasis(picture: Scene, layout: Layout, chart: Chart, companies: list[Company]) -> None:
    """A rim around Chicago and around the cities where companies begin."""
    by_id = {hex_["id"].lower(): hex_ for hex_ in chart.data["hexes"]}
    rims = [(company.start, mix(company.colour, "#ffffff", 0.12)) for company in companies] + [(chart.data["chicago_hex"].lower(), GOLD)]
    for word, colour in rims:
        place = by_id[word]["col"], by_id[word]["row"]
        if colour == GOLD:
            picture.add(Polygon(layout.outline(*place, 0.99), fill="#fde9b4", stroke="#8a6414", width=7))
        picture.add(Polygon(layout.outline(*place, 0.955), stroke=colour, width=4.5))


def token_spots(layout: Layout, chart: Chart, facts: Facts) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Where each locomotive stands, by hex and company: its middle, and half its length."""
    spots = {}
    for hex_ in chart.data["hexes"]:
        x, y = layout.centre(hex_["col"], hex_["row"])
        lower = 0.07 if hex_.get("name") else -0.04
        standing = standing_on(facts, hex_)
        for word, (dx, dy, size) in zip(standing, token_places(len(standing)), strict=True):
            spots[hex_["id"].lower(), word] = (x + dx * RADIUS, y + (dy + lower) * RADIUS, size * RADIUS)
    return spots


def draw_network(picture: Scene, chart: Chart, company: Company, spots: dict[tuple[str, str], tuple[float, float, float]]) -> None:
    """CE-52: lines from the start hex through all locomotives, each reached by a shortest way."""
    neighbours = {hex_["id"].lower(): [name.lower() for name in hex_["neighbours"]] for hex_ in chart.data["hexes"]}
    track = set(company.facts["track"])
    queue = deque(word for word in [company.start] if word in track)
    while queue:
        here = queue.popleft()
        track.discard(here)
        for there in neighbours[here]:
            if there in track:
                track.discard(there)
                queue.append(there)
                picture.add(*route([spots[word, company.word][:2] for word in (here, there)], company.colour, 4.6))


def draw_labels(picture: Scene, layout: Layout, chart: Chart, facts: Facts, companies: list[Company], i: int) -> None:
    hex_ = chart.data["hexes"][i]
    x, y = layout.centre(hex_["col"], hex_["row"])
    name = hex_.get("name") or ""
    picture.add(Text(x, y - 0.74 * RADIUS, hex_["id"].lower(), 9, fill="#6f6554", stroke="#f6f0df", width=2))
    if name:
        goal = hex_["id"] == chart.data["chicago_hex"]
        picture.add(name_label(x, y - 0.46 * RADIUS, name, 14 if goal else 12, 1.34 * RADIUS))
    picture.add(*figure_row(x, y + 0.58 * RADIUS, hex_figures(chart, facts, companies, i), 10.2))


def hex_figures(chart: Chart, facts: Facts, companies: list[Company], i: int) -> list[Figure]:
    """What is printed at the foot of a hex: cost, income, and what a house adds."""
    hex_ = chart.data["hexes"][i]
    built = is_developed(facts, hex_)
    if hex_["terrain"] == "start":
        income = next((entry["start_income"] for entry in chart.data["companies"] if entry["start_hex"] == hex_["id"]), None)
        return [Figure(f"+{income}", GAIN)] if income is not None else [Figure("-", FAINT)]
    figures = [Figure(f"${hex_['cost']}")]
    if hex_["terrain"] == "industry":
        figures.append(Figure(f"+{hex_value(chart, facts, i)}", GAIN))
    elif hex_["income"]:
        figures.append(Figure(f"+{hex_['income']}", GAIN))
    if hex_["developable"] == "once" and (hex_["development"] or built):
        figures.append(Figure(f"+{hex_['development']}" if hex_["development"] else "", GAIN if built else FAINT, built))
    return figures


def draw_locomotives(picture: Scene, facts: Facts, companies: list[Company], hex_: Facts,
                     spots: dict[tuple[str, str], tuple[float, float, float]]) -> None:
    by_word = {company.word: company for company in companies}
    for word in standing_on(facts, hex_):
        spot = spots[hex_["id"].lower(), word]
        picture.add(*locomotive(*spot, by_word[word].colour, by_word[word].letter, f"{by_word[word].id} on {hex_['id'].lower()}"))


def draw_legend(picture: Scene, layout: Layout, places: list[tuple[int, int]], left: float, bottom: float) -> None:
    """What the figures mean; left out where the board's own hexes need the corner."""
    across, down = 236, 150
    top = bottom - down
    centres = [layout.centre(*place) for place in places]
    if any(x < left + across + RADIUS and y > top - 0.9 * RADIUS for x, y in centres):
        return
    picture.add(Rectangle(left, top, across, down, 10, fill=PAPER, stroke="#7fa9b8", width=1.2))
    kinds = (("plains", "plains"), ("forest", "forest: one company"), ("mountain", "mountain: one company"))
    for i, (terrain, words) in enumerate(kinds):
        y = top + 24 + 25 * i
        picture.add(Polygon([(left + 24 + dx * 13, y + dy * 13) for dx, dy in FLAT.corners()], fill=GROUNDS[terrain].fill,
                            stroke=mix(GROUNDS[terrain].fill, "#6b5d48", 0.45), width=1))
        picture.add(*GROUNDS[terrain].mark(left + 24, y + 2, 13))
        picture.add(Text(left + 48, y, words, 12, anchor="start", fill=INK))
    y = top + 24 + 25 * 3
    picture.add(*figure_row(left + 48, y, [Figure("$2"), Figure("+1", GAIN), Figure("+2", FAINT, False)], 11))
    picture.add(Text(left + 98, y, "cost, income, with a house", 11, anchor="start", fill=INK))
    picture.add(Text(left + 14, y + 26, "the n-th company pays n times the cost", 11, anchor="start", fill=FAINT))


# --- the scene: the panel --------------------------------------------------------
def draw_panel(picture: Scene, chart: Chart, facts: Facts, companies: list[Company], x: float) -> None:
    """The panel, its parts spread over the height of the picture."""
    trial = Panel(Scene(0, 0, PAPER, ""), chart, facts, companies, x)
    trial.draw()
    spare = max(0, picture.down - trial.y) / N_PARTS
    Panel(picture, chart, facts, companies, x, spare).draw()


@dataclass
class Panel:
    """The right-hand side; its parts are drawn one below the other, `y` is where the next one goes."""
    picture: Scene
    chart: Chart
    facts: Facts
    companies: list[Company]
    x: float
    spare: float = 0            # room to leave above each heading
    y: float = 0

    def draw(self) -> None:
        self.picture.add(Rectangle(self.x, 0, PANEL, self.picture.down, fill=PAPER))
        self.picture.add(Line([(self.x, 0), (self.x, self.picture.down)], stroke="#7d6a45", width=3))
        self.draw_title()
        self.draw_decision()
        self.draw_dials()
        self.draw_companies()
        self.draw_players()
        self.draw_industries()
        self.draw_houses()

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
        self.write(self.left, self.y + 8, words.upper(), 12, "#7d6a45", True)
        start = self.left + text_width(words.upper(), 12, True) + 12
        self.picture.add(Line([(start, self.y + 8), (self.right, self.y + 8)], stroke=RULE, width=1.2))
        self.y += 30

    def company(self, word: str) -> Company:
        return next(company for company in self.companies if company.word == word)

    def seat_disc(self, x: float, y: float, player: int, radius: float, marked: bool) -> None:
        self.picture.add(Circle(x, y, radius, fill=INK if marked else PAPER, stroke=INK, width=1.4))
        self.write(x, y, str(player), radius * 1.15, PAPER if marked else INK, True, "middle")

    def draw_title(self) -> None:
        self.picture.add(Rectangle(self.x + 1.5, 0, PANEL, 66, fill="#5b2f24"))
        self.write(self.left, 33, "Chicago Express", 30, "#fbe9c6", True)
        number = self.facts["general_dividends"] + (self.facts["decision"] != "over")
        self.write(self.right, 25, f"round {number}", 15, "#fbe9c6", True, "end")
        self.write(self.right, 46, plural(self.facts["general_dividends"], "general dividend"), 12, "#e3c9a4", anchor="end")
        self.y = 80

    def draw_decision(self) -> None:
        """Who decides what; in an auction the share, the bids and who is still in."""
        facts, top = self.facts, self.y
        self.picture.add(Rectangle(self.left - 8, top, PANEL - 32, 74, 10, fill="#f3ead0", stroke=RULE, width=1.2))
        middle = top + (24 if facts["auction"] else 37)
        if facts["decision"] == "over":
            self.picture.add(Polygon(star(self.left + 18, middle, 15), fill=GOLD, stroke="#8a6414", width=1.4))
        else:
            self.seat_disc(self.left + 18, middle, facts["to_move"], 13, True)
        words = decision_words(facts)
        if facts["building"]:
            words = words.replace(f" for {facts['building']}", f" for {self.company(facts['building']).id}")
        self.write(self.left + 42, middle, words[0].upper() + words[1:], 15, INK, True)
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
        words = f"{n} {company.id}" if n > 1 else company.id
        size = min(12, 12 * 36 / text_width(words, 12, True))
        self.write(x + 23, y, words, size, ink_on(company.colour), True, "middle")
        return 46 + step * (n - 1)

    def draw_dials(self) -> None:
        self.heading("dials")
        step = (PANEL - 48) / len(self.facts["dials"])
        for i, (name, dial) in enumerate(self.facts["dials"].items()):
            self.draw_dial(self.left + step * (i + 0.5), self.y + 44, name, dial["at"], dial["steps"])
        self.y += 116

    def draw_dial(self, x: float, y: float, name: str, at: int, steps: int) -> None:
        """CE-4: a dial with START, its steps and the red last one; the hand shows where it stands."""
        arc = 270 / (steps + 1)
        self.picture.add(Circle(x, y, 48, fill="#e6dcc0", stroke="#7d6a45", width=1.6))
        for i in range(steps + 1):
            start = -135 + arc * i
            colour = RED if i == steps else "#fffaf0" if i else "#cfe0cb"
            self.picture.add(Polygon(sector(x, y, 22, 43, start + 1.5, start + arc - 1.5), fill=colour, stroke="#7d6a45", width=0.8))
            across, down = around(x, y, 33.5, start + arc / 2)
            ink = "#ffffff" if i == steps else INK
            if i == at:
                self.picture.add(Circle(across, down, 9.6, fill=ink if i == steps else "#5b2f24"))
                ink = RED_DARK if i == steps else "#ffffff"
            self.write(across, down, str(i) if i else "S", 12, ink, True, "middle")
        angle = -135 + arc * (at + 0.5)
        tip, base = around(x, y, 23, angle), [around(x, y, 6, angle + 90), around(x, y, 6, angle - 90)]
        self.picture.add(Polygon([tip, *base], fill="#5b2f24"), Circle(x, y, 8, fill="#5b2f24"), Circle(x, y, 3, fill="#d9b36a"))
        self.write(x, y + 60, name, 13, INK, True, "middle")

    def draw_companies(self) -> None:
        self.heading("companies")
        columns = (("income", 208), ("treasury", 262), ("locos", 408), ("a share", 452))
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
        self.picture.add(*locomotive(self.left + 13, y, 13, colour, company.letter))
        size = min(13, 13 * 138 / text_width(figures["name"], 13, True))
        self.write(self.left + 34, y, figures["name"], size, ink, True)
        if not company.in_play:
            self.write(self.left + 262, y, "not founded yet", 12, FAINT, anchor="end")
        else:
            self.write(self.left + 208, y, f"{figures['income']}", 16, GAIN, True, "end")
            self.write(self.left + 262, y, f"${figures['treasury']}", 14, ink, anchor="end")
        self.draw_shares(company, self.left + 276, y)
        self.write(self.left + 408, y, str(figures["locomotives_left"]), 14, RED if figures["locomotives_left"] == 0 else ink, anchor="end")
        dividend = f"${company.dividend}" if company.dividend is not None else "-"
        self.write(self.left + 452, y, dividend, 14, ink, company.dividend is not None, "end")
        self.picture.add(Line([(self.left, y + 16), (self.right, y + 16)], stroke="#ebe3cd", width=1))
        self.y += 32

    def draw_shares(self, company: Company, x: float, y: float) -> None:
        """A square a share: sold ones in the company's colour with the holder's number."""
        holders = [i + 1 for i, player in enumerate(self.facts["players"]) for _ in range(player["shares"].get(company.word, 0))]
        total = company.facts["sold"] + company.facts["shares_left"]
        wide = min(17, 102 / total)
        for i in range(total):
            sold = i < company.facts["sold"]
            self.picture.add(Rectangle(x + wide * i, y - 7, wide - 3, 14, 2.5, fill=company.colour if sold else "#fffdf6",
                                       stroke=mix(company.colour, "#000000", 0.25), width=1.2))
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

    def draw_industries(self) -> None:
        self.heading("industries")
        for name, value in self.facts["industries"].items():
            self.write(self.left, self.y, name, 13.5, INK, True)
            values = self.chart.data["industry_tracks"][name]["values"]
            wide = min(38, 340 / len(values))
            for i, space in enumerate(values):
                here = space == value
                self.picture.add(Rectangle(self.left + 104 + wide * i, self.y - 10, wide - 4, 20, 4, fill="#9c4f63" if here else "#f1dfe2",
                                           stroke="#9c4f63", width=1))
                middle = self.left + 104 + wide * i + (wide - 4) / 2
                self.write(middle, self.y, f"+{space}", 12, "#ffffff" if here else "#6b3a47", here, "middle")
            self.y += 26
        self.y += 6

    def draw_houses(self) -> None:
        """The supply of houses, and how near the end of the game is."""
        total, left = self.chart.data["houses"], self.facts["houses_left"]
        self.heading(f"houses left: {left} of {total}")
        wide = min(21, (PANEL - 56) / max(total, 1))
        for i in range(total):
            self.picture.add(*house(self.left + 8 + wide * i, self.y, wide * 0.36, i < left))
        self.y += 26
        self.heading("the end: after a dividend with")
        for i, (what, at, end, holds) in enumerate(end_conditions(self.chart, self.facts)):
            x, y = self.left + 236 * (i % 2), self.y + 21 * (i // 2)
            self.write(x, y, f"{what}: {at}", 12.5, RED if holds else INK, holds)
            self.write(x + 148, y, f"ends at {end}", 12, RED if holds else FAINT)
        self.y += 46


def around(x: float, y: float, radius: float, angle: float) -> Point:
    """The point at an angle in degrees, clockwise from twelve o'clock."""
    return x + radius * sin(radians(angle)), y - radius * cos(radians(angle))


def star(x: float, y: float, radius: float) -> list[Point]:
    return [around(x, y, radius * (0.45 if i % 2 else 1), 36 * i) for i in range(10)]
