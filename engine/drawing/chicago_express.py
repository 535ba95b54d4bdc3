"""Chicago Express in pictures: the map with its locomotives, and a panel with dials, companies and players."""
from dataclasses import dataclass

from railwright.engine.drawing import panel
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
    draw_waters,
    figure_row,
    lay_out,
    letters_of,
    locomotive,
    name_label,
    network,
    route,
    sign_word,
    stack_word,
    text_map,
    token_places,
)
from railwright.engine.drawing.panel import (
    GOLD,
    PANEL,
    RED,
    RED_DARK,
    End,
    around,
    decision_text,
    draw_spread,
    is_developed,
    players_text,
    standing_on,
    victory_words,
)
from railwright.engine.drawing.scene import Circle, Polygon, Rectangle, Scene, Shape, Text, mix, sector
from railwright.engine.game import Chart
from railwright.engine.games.chicago_express import WAITING, company_word, hex_value, late_company
from railwright.engine.shares import Facts
from railwright.engine.words import plural, seat

RADIUS = 50                     # of a hex
MARGIN = 34                     # of the sea around the map
LEAST_DOWN = 1020               # the panel needs that much
WATERS = (("Lake|Michigan", 0.6, 0.17), ("Lake Erie", 11.4, 0), ("Atlantic|Ocean", 27, 14.2))     # name, across and down in radii


# --- what both pictures say ------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Company(panel.Company):
    start: str                  # the hex where its network begins


def companies_of(chart: Chart, facts: Facts) -> list[Company]:
    words = [company_word(chart, i) for i in range(len(chart.data["companies"]))]
    letters = letters_of(words)
    return [
        Company(word=word, id=entry["id"], letter=letters[word], colour=colour_called(entry.get("colour"), i),
                start=entry["start_hex"].lower(), facts=facts["companies"][word],
                in_play=i != late_company(chart) or facts["wabash_founded"], idle="not founded yet")
        for i, (word, entry) in enumerate(zip(words, chart.data["companies"], strict=True))
    ]


def decision_words(facts: Facts) -> str:
    """`player 2 to choose a dial`, or who has won."""
    if facts["decision"] != "over":
        building = f" for {facts['building']}" if facts["building"] else ""
        return f"{seat(facts['to_move'] - 1)} to choose {WAITING[facts['decision']]}{building}"
    return victory_words(facts)


def end_conditions(chart: Chart, facts: Facts) -> list[End]:
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
    companies = companies_of(chart, facts)
    parts = [map_text(chart, facts), dials_text(facts), companies_text(chart, facts), players_text(companies, facts, 6),
             supplies_text(chart, facts), decision_text(companies, facts, decision_words(facts))]
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


def supplies_text(chart: Chart, facts: Facts) -> str:
    industries = []
    for name, value in facts["industries"].items():
        track = "-".join(f"[{space}]" if space == value else str(space) for space in chart.data["industry_tracks"][name]["values"])
        industries.append(f"{name} {track}")
    ends = [f"{what} {at} (ends at {end}{', holds' if holds else ''})" for what, at, end, holds in end_conditions(chart, facts)]
    return f"industries  {'   '.join(industries)}\nhouses      {facts['houses_left']} of {chart.data['houses']} left\nend         " \
           + ", ".join(ends[:2]) + "\n            " + ", ".join(ends[2:])


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
    draw_waters(picture, layout, places, WATERS)
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
    left = across + 2 * MARGIN
    draw_spread(lambda picture, spare: Panel(picture, chart, facts, companies, left, spare), picture)
    return picture


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
    for pair in network(neighbours, company.start, company.facts["track"]):
        picture.add(*route([spots[word, company.word][:2] for word in pair], company.colour, 4.6))


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
class Panel(panel.Panel):
    pieces, pieces_key = "locos", "locomotives_left"

    def draw(self) -> None:
        super().draw()
        number = self.facts["general_dividends"] + (self.facts["decision"] != "over")
        self.draw_title("Chicago Express", f"round {number}", plural(self.facts["general_dividends"], "general dividend"))
        words = decision_words(self.facts)
        if self.facts["building"]:
            words = words.replace(f" for {self.facts['building']}", f" for {self.company(self.facts['building']).id}")
        self.draw_decision(words)
        self.draw_dials()
        self.draw_companies()
        self.draw_players()
        self.draw_industries()
        self.draw_houses(self.facts["houses_left"], self.chart.data["houses"])
        self.draw_ends("the end: after a dividend with", end_conditions(self.chart, self.facts))

    def token(self, x: float, y: float, u: float, colour: str, letter: str) -> list[Shape]:
        return locomotive(x, y, u, colour, letter)

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
