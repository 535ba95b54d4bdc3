"""American Rails in pictures: the map with its cubes and houses, and a panel with the action track, companies and players."""
from railwright.engine.drawing import panel
from railwright.engine.drawing.hexmap import (
    FAINT,
    GAIN,
    GROUNDS,
    INK,
    PAPER,
    POINTED,
    SEA,
    Figure,
    Layout,
    colour_called,
    cube,
    draw_hex,
    draw_shore,
    draw_waters,
    figure_row,
    lay_out,
    letters_of,
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
    RULE,
    Company,
    decision_text,
    draw_spread,
    is_developed,
    players_text,
    standing_on,
    victory_words,
)
from railwright.engine.drawing.scene import Line, Polygon, Rectangle, Scene, Shape, Text, mix, text_width
from railwright.engine.game import Chart
from railwright.engine.games.american_rails import SPACES, WAITING, company_words, cube_cost, end_conditions, links_of
from railwright.engine.shares import Facts
from railwright.engine.words import listing, seat

RADIUS = 40                     # of a hex
MARGIN = 30                     # of the sea around the map
LEAST_DOWN = 1040               # the panel needs that much
WATERS = (("Lake|Michigan", 5.3, 1.9), ("Lake Erie", 14.9, 2.1), ("Atlantic|Ocean", 29, 17), ("Gulf of Mexico", 15, 27.4))
SPACE_WORDS = ("Pass", "Develop", "Finance|$5", "Take $2", "Expand|3", "Auction", "Expand|4")

Spots = dict[tuple[str, str], tuple[float, float, float]]       # by hex and company: the middle of a cube, and half its width


# --- what both pictures say ------------------------------------------------------
def companies_of(chart: Chart, facts: Facts) -> list[Company]:
    letters = letters_of(company_words(chart))
    return [
        Company(word=entry["id"], id=entry["name"], letter=letters[entry["id"]], colour=colour_called(entry.get("colour"), i),
                facts=facts["companies"][entry["id"]], in_play=bool(facts["companies"][entry["id"]]["track"]),
                idle="out of the game" if entry["id"] == facts["removed"] else "not on the map")
        for i, entry in enumerate(chart.data["companies"])
    ]


def city_at(chart: Chart, hex_: Facts) -> Facts | None:
    return next((city for city in chart.data["cities"] if city["hex"] == hex_["id"]), None)


def city_values(chart: Chart, facts: Facts, hex_: Facts, city: Facts) -> tuple[int, int]:
    """AR-35: the full and the shared value, with the house if there is one."""
    house = chart.data["development"]
    built = is_developed(facts, hex_)
    return city["full"] + built * house["full_bonus"], city["shared"] + built * house["shared_bonus"]


def decision_words(facts: Facts) -> str:
    """`player 2 to choose a space of the action track`, or who has won."""
    if facts["decision"] == "over":
        return victory_words(facts)
    who = seat(facts["to_move"] - 1) if facts["to_move"] else "chance"
    further = ""
    if facts["starting"]:
        further = f" of {facts['starting']}"
    elif facts["decision"] == "expand":
        further = f" ({facts['cubes_to_place']} left)"
    elif facts["decision"] == "offer" and facts["column"] > 0:
        further = ", or decline"
    return f"{who} to choose {WAITING[facts['decision']]}{further}"


def phase_words(facts: Facts) -> str:
    return f"action phase {facts['column']}" if facts["column"] else "preparation round"


# --- text ------------------------------------------------------------------------
def text(chart: Chart, facts: Facts) -> str:
    """The position in plain text, at most 110 columns wide on the board of the box."""
    companies = companies_of(chart, facts)
    parts = [map_text(chart, facts, companies), track_text(chart, facts), companies_text(chart, companies),
             players_text(companies, facts, 13), supplies_text(chart, facts), decision_text(companies, facts, decision_words(facts))]
    return "\n\n".join(parts) + "\n"


def map_text(chart: Chart, facts: Facts, companies: list[Company]) -> str:
    letters = {company.word: company.letter for company in companies}
    cells, columns = {}, {}
    for hex_ in chart.data["hexes"]:
        city = city_at(chart, hex_)
        figure = city_values(chart, facts, hex_, city)[0] if city else cube_cost(chart, facts, hex_["id"].lower())
        top = sign_word(GROUNDS[hex_["terrain"]].sign, figure, city["name"] if city else "")
        standing = [letters[word] for word in standing_on(facts, hex_)]
        cells[hex_["col"], hex_["row"]] = (top, stack_word(standing, list(letters.values()), is_developed(facts, hex_)))
        columns[hex_["col"]] = hex_["id"].rstrip("0123456789").lower()
    legend = ("Pit5 a city and its full value;  ...2 plains, %%%3 forest, ^^^5 mountain and the next cube's cost;\n"
              "below: who stands there, * a house\n"
              + ", ".join(f"{company.letter} {company.id}" for company in companies) + "  (all: every company, -A: all but A)")
    return text_map(POINTED, cells, lambda col: columns.get(col, "")) + "\n\n" + legend


def track_text(chart: Chart, facts: Facts) -> str:
    """The action track of this phase from top to bottom, and the turn order."""
    spaces = "   ".join(f"{space} [{facts['spaces'].get(space, ' ')}]" for space in SPACES)
    order = facts["order"] if facts["column"] else facts["track"]
    return (f"year        {facts['year']}, {phase_words(facts)}\ntrack       {spaces}\n"
            f"order       {' '.join(map(str, order)) or 'nobody yet'}")


def companies_text(chart: Chart, companies: list[Company]) -> str:
    lines = [f"{'company':<16}{'income':>7}{'treasury':>10}{'sold':>6}{'left':>6}{'gone':>6}{'cubes left':>12}{'dividend a share':>18}"]
    for company in companies:
        figures = company.facts
        dividend = f"${company.dividend}" if company.dividend is not None else "-"
        line = (f"{company.letter} {company.id[:13]:<14}{figures['income']:>7}{'$' + str(figures['treasury']):>10}{figures['sold']:>6}"
                f"{figures['shares_left']:>6}{figures['shares_gone']:>6}{figures['cubes_left']:>12}{dividend:>18}")
        links = listing(sorted(link.partition(",")[0] for link in links_of(chart, figures["track"])))
        lines.append(line + (f"  links {links}"[:23] if links else "" if company.in_play else f"  {company.idle}"))
    return "\n".join(lines)


def supplies_text(chart: Chart, facts: Facts) -> str:
    ends = [f"{what} {at} (ends at {end}{', holds' if holds else ''})" for what, at, end, holds in end_conditions(chart, facts)]
    return f"houses      {facts['houses_left']} of {chart.data['development']['houses']} left\nend         " \
           + ", ".join(ends[:2]) + "\n            " + ends[2]


# --- the scene: the map ----------------------------------------------------------
def scene(chart: Chart, facts: Facts) -> Scene:
    """The position as a printed map with a panel on its right."""
    hexes = chart.data["hexes"]
    places = [(hex_["col"], hex_["row"]) for hex_ in hexes]
    layout, across, down = lay_out(POINTED, places, RADIUS, MARGIN, MARGIN)
    height = max(LEAST_DOWN, down + 2 * MARGIN)
    layout = Layout(POINTED, RADIUS, layout.x, layout.y + (height - 2 * MARGIN - down) / 2)
    picture = Scene(across + 2 * MARGIN + PANEL, height, SEA, f"American Rails: {decision_words(facts)}")
    companies = companies_of(chart, facts)
    draw_shore(picture, layout, places)
    draw_waters(picture, layout, places, WATERS)
    for hex_ in hexes:
        draw_ground(picture, layout, chart, facts, hex_)
    draw_links(picture, layout, chart)
    spots = token_spots(layout, chart, facts)
    for company in companies:
        draw_network(picture, chart, company, spots)
    for hex_ in hexes:
        draw_labels(picture, layout, chart, facts, hex_)
        draw_cubes(picture, facts, companies, hex_, spots)
    left = across + 2 * MARGIN
    draw_legend(picture, layout, places, left - MARGIN, height - MARGIN)
    draw_spread(lambda picture, spare: Panel(picture, chart, facts, companies, left, spare), picture)
    return picture


def draw_ground(picture: Scene, layout: Layout, chart: Chart, facts: Facts, hex_: Facts) -> None:
    word, standing = hex_["id"].lower(), standing_on(facts, hex_)
    full = standing and chart.data["terrain_cost"][hex_["terrain"]]["max_cubes"] == 1
    price = "full" if full else f"next cube ${cube_cost(chart, facts, word)}"
    hint = f"{word} {hex_.get('city') or hex_['terrain']}, {price}" + (f", {' '.join(standing)}" if standing else "")
    draw_hex(picture, layout, (hex_["col"], hex_["row"]), hex_["terrain"], hint)


def draw_links(picture: Scene, layout: Layout, chart: Chart) -> None:
    """AR-56: a golden rim around the cities of the special connections."""
    names = {name for link in chart.data["special_connections"] for name in link["cities"]}
    for hex_ in chart.data["hexes"]:
        if hex_.get("city") in names:
            place = hex_["col"], hex_["row"]
            picture.add(Polygon(layout.outline(*place, 0.99), fill="#fde9b4", stroke="#8a6414", width=6))
            picture.add(Polygon(layout.outline(*place, 0.95), stroke=GOLD, width=4))


def token_spots(layout: Layout, chart: Chart, facts: Facts) -> Spots:
    spots = {}
    for hex_ in chart.data["hexes"]:
        x, y = layout.centre(hex_["col"], hex_["row"])
        lower = 0.05 if hex_.get("city") else 0
        standing = standing_on(facts, hex_)
        for word, (dx, dy, size) in zip(standing, token_places(len(standing)), strict=True):
            spots[hex_["id"].lower(), word] = (x + dx * RADIUS, y + (dy + lower) * RADIUS, size * RADIUS)
    return spots


def draw_network(picture: Scene, chart: Chart, company: Company, spots: Spots) -> None:
    """AR-46: lines through all cubes of the company, which hang together; in a position that was given perhaps not all."""
    neighbours = {hex_["id"].lower(): [name.lower() for name in hex_["neighbours"].values()] for hex_ in chart.data["hexes"]}
    for start in company.facts["track"][:1]:
        for pair in network(neighbours, start, company.facts["track"]):
            points = [spots[word, company.word][:2] for word in pair]
            if company.colour == colour_called("white", 0):
                picture.add(Line(points, stroke="#8f8a7c", width=8.6))
            picture.add(*route(points, company.colour, 4.2))


def draw_labels(picture: Scene, layout: Layout, chart: Chart, facts: Facts, hex_: Facts) -> None:
    x, y = layout.centre(hex_["col"], hex_["row"])
    picture.add(Text(x, y - 0.82 * RADIUS, hex_["id"].lower(), 7.5, fill="#7a705e", stroke="#f6f0df", width=1.5))
    city = city_at(chart, hex_)
    if city is None:
        return
    picture.add(name_label(x, y - 0.47 * RADIUS, city["name"], 12 if city["special"] else 11, 1.56 * RADIUS))
    full, shared = city_values(chart, facts, hex_, city)
    built = is_developed(facts, hex_)
    house = [Figure("", FAINT, built)] if city["developable"] or built else []
    picture.add(*figure_row(x, y + 0.6 * RADIUS, [Figure(f"{full}/{shared}", GAIN), *house], 10.5))


def draw_cubes(picture: Scene, facts: Facts, companies: list[Company], hex_: Facts, spots: Spots) -> None:
    by_word = {company.word: company for company in companies}
    for word in standing_on(facts, hex_):
        spot = spots[hex_["id"].lower(), word]
        picture.add(*cube(*spot, by_word[word].colour, by_word[word].letter, f"{by_word[word].id} on {hex_['id'].lower()}"))


def draw_legend(picture: Scene, layout: Layout, places: list[tuple[int, int]], right: float, bottom: float) -> None:
    """What the figures mean; left out where the board's own hexes need the corner."""
    across, down = 292, 214
    left, top = right - across, bottom - down
    if any(x > left - RADIUS and y > top - RADIUS for x, y in (layout.centre(*place) for place in places)):
        return
    picture.add(Rectangle(left, top, across, down, 10, fill=PAPER, stroke="#7fa9b8", width=1.2))
    kinds = (("plains", "plains: $2, and $2 for each cube there"), ("forest", "forest: $3, one cube only"),
             ("mountain", "mountain: $5, one cube only"), ("city", "city: as plains, and $2 for a house"))
    for i, (terrain, words) in enumerate(kinds):
        y = top + 26 + 27 * i
        picture.add(Polygon([(left + 26 + dx * 13, y + dy * 13) for dx, dy in POINTED.corners()], fill=GROUNDS[terrain].fill,
                            stroke=mix(GROUNDS[terrain].fill, "#6b5d48", 0.45), width=1))
        picture.add(*GROUNDS[terrain].mark(left + 26, y + 2, 13))
        picture.add(Text(left + 50, y, words, 12, anchor="start", fill=INK))
    y = top + 26 + 27 * 4
    picture.add(*figure_row(left + 28, y, [Figure("4/3", GAIN)], 12))
    picture.add(Text(left + 50, y, "a city's value: alone / shared", 12, anchor="start", fill=INK))
    picture.add(*figure_row(left + 28, y + 26, [Figure("", FAINT, True)], 14))
    picture.add(Text(left + 50, y + 26, "a house: +2 alone, +1 shared", 12, anchor="start", fill=INK))
    picture.add(Polygon([(left + 28 + dx * 10, y + 54 + dy * 10) for dx, dy in POINTED.corners()], fill="#fde9b4", stroke=GOLD, width=3))
    picture.add(Text(left + 50, y + 54, "special: +10 for each pair linked", 12, anchor="start", fill=INK))


# --- the scene: the panel --------------------------------------------------------
class Panel(panel.Panel):
    pieces, pieces_key = "cubes", "cubes_left"

    def draw(self) -> None:
        super().draw()
        self.few_pieces = self.chart.data["end_game"]["low_supply"]["threshold"]
        self.draw_title("American Rails", str(self.facts["year"]), phase_words(self.facts))
        words = decision_words(self.facts)
        if self.facts["starting"]:
            words = words.replace(f" of {self.facts['starting']}", f" of {self.company(self.facts['starting']).id}")
        self.draw_decision(words)
        self.draw_track()
        self.draw_order()
        self.draw_companies()
        self.draw_players()
        self.draw_houses(self.facts["houses_left"], self.chart.data["development"]["houses"])
        self.draw_ends("the end: after a dividend with", end_conditions(self.chart, self.facts))

    def token(self, x: float, y: float, u: float, colour: str, letter: str) -> list[Shape]:
        return cube(x, y, 0.86 * u, colour, letter)

    def draw_track(self) -> None:
        """AR-7: the seven spaces of this phase; a marker stands on those that are taken."""
        self.heading("action track")
        wide = (self.right - self.left) / len(SPACES)
        for i, space in enumerate(SPACES):
            x, player = self.left + wide * i, self.facts["spaces"].get(space)
            fill = "#efe4c6" if player is None else "#e0d3ae"
            self.picture.add(Rectangle(x + 2, self.y - 8, wide - 4, 78, 6, fill=fill, stroke="#b9a878", width=1.2))
            self.write(x + 9, self.y + 1, str(i + 1), 9, FAINT)
            lines = SPACE_WORDS[i].split("|")
            for k, line in enumerate(lines):
                size = min(11.5, 11.5 * (wide - 10) / text_width(line, 11.5, True))
                self.write(x + wide / 2, self.y + 18 + 7 * (2 * k + 1 - len(lines)), line, size, INK, True, "middle")
            if player is not None:
                self.seat_disc(x + wide / 2, self.y + 49, player, 13, player == self.facts["to_move"])
        self.y += 84

    def draw_order(self) -> None:
        """AR-27, AR-31: who comes after whom, and the year."""
        self.heading("turn order and year")
        order = self.facts["order"] if self.facts["column"] else self.facts["track"]
        for i in range(len(self.facts["players"])):
            x = self.left + 14 + 34 * i
            if i < len(order):
                done = order[i] in self.facts["spaces"].values()
                self.seat_disc(x, self.y + 2, order[i], 12, order[i] == self.facts["to_move"])
                if done:
                    self.picture.add(Line([(x - 8, self.y + 18), (x + 8, self.y + 18)], stroke=FAINT, width=2.4))
            else:
                self.picture.add(Rectangle(x - 12, self.y - 10, 24, 24, 12, stroke=RULE, width=1.4))
        years = self.chart.data["years"]
        wide = min(38, 260 / len(years))
        for i, year in enumerate(years):
            x, here = self.right - wide * (len(years) - i), year == self.facts["year"]
            self.picture.add(Rectangle(x + 1.5, self.y - 10, wide - 3, 24, 4, fill="#5b2f24" if here else "#f3ead0", stroke=RULE, width=1))
            self.write(x + wide / 2, self.y + 2, str(year), min(12, wide * 0.32), "#fbe9c6" if here else INK, here, "middle")
        self.y += 34
