"""American Rails: a slow model written from the numbered rules alone (AR-1 to AR-66, rulings R-1 to R-29)."""

from __future__ import annotations

BANKER = 0  # seat 0 unless the rules say banker=random
FORCED = ("decline", "stop", "pass")  # section 10: a decision with only one of these is never asked

# Section 10: the kinds of move each decision takes; AR-16: only the offer of an action may be declined.
KINDS = {
    "removed": ("removed",),
    "banker": ("banker",),
    "prep_offer": ("offer",),
    "bid": ("bid", "pass"),
    "start": ("start",),
    "choose": ("choose",),
    "develop": ("develop", "decline"),
    "fund": ("fund", "decline"),
    "take2": ("take", "levy", "expand2", "decline"),
    "offer": ("offer", "decline"),
    "expand": ("build", "stop"),
    "over": (),
}
OPERANDS = {
    "removed": 1,
    "banker": 1,
    "offer": 1,
    "bid": 1,
    "start": 1,
    "choose": 1,
    "develop": 1,
    "fund": 1,
    "build": 2,
}


class IllegalMove(ValueError):
    """A refused move; `code` is one of the codes of section 12."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def is_number(text: str) -> bool:
    """A whole number as a token writes it: digits, no leading zero."""
    return text.isascii() and text.isdigit() and str(int(text)) == text


# --- the board -----------------------------------------------------------------------------------------------------


class Board:
    """The board file, looked up by hex id as it is written there (`Q4`); never changes."""

    def __init__(self, data: dict) -> None:
        self.data = data
        self.hexes = [entry["id"] for entry in data["hexes"]]
        self.terrain = {entry["id"]: entry["terrain"] for entry in data["hexes"]}
        self.neighbours = {entry["id"]: list(entry["neighbours"].values()) for entry in data["hexes"]}  # AR-2
        self.cities = {city["hex"]: city for city in data["cities"]}
        self.hex_of = {city["name"]: city["hex"] for city in data["cities"]} | {hex_id: hex_id for hex_id in self.hexes}
        self.hex_of_token = {hex_id.lower(): hex_id for hex_id in self.hexes}
        self.companies = {company["id"]: company for company in data["companies"]}
        self.spaces = {space["id"]: space for space in data["action_track"]["spaces"]}  # AR-7: top to bottom
        self.links = [[self.hex_of[name] for name in link["cities"]] for link in data["special_connections"]]
        self.bonus = [link["bonus"] for link in data["special_connections"]]
        self.cost = data["terrain_cost"]


class Model:
    """One game of American Rails."""

    # --- 2. setup --------------------------------------------------------------------------------------------------

    def __init__(self, board: Board, names: list[str]) -> None:
        """AR-11 to AR-15 with all six companies in the game and nothing decided yet."""
        data = board.data
        n = len(names)
        self.board = board
        self.names = names
        self.banker = BANKER
        self.ask_banker = False  # rules banker=random: the banker is still to be drawn
        self.companies = list(board.companies)  # the companies in the game
        self.money = [data["starting_money"][str(n)]] * n  # AR-13
        self.shares = [dict.fromkeys(board.companies, 0) for _ in names]  # owned, by player
        self.unsold = {c: board.companies[c]["shares"] for c in board.companies}  # AR-3
        self.removed_shares = dict.fromkeys(board.companies, 0)
        self.supply = {c: board.companies[c]["cubes"] - 1 for c in board.companies}  # AR-14: one is the income marker
        self.treasury = dict.fromkeys(board.companies, 0)  # AR-14
        self.cubes: dict[str, set[str]] = {c: set() for c in board.companies}
        self.houses: set[str] = set()
        self.house_supply = data["development"]["houses"]  # AR-15
        self.stage = "prep"
        self.decision = "over"  # what is asked, a key of KINDS
        self.player = BANKER  # who is asked
        # 3. preparation round
        self.prep_remaining = list(self.companies)  # not yet put up
        self.track: list[int] = []  # the turn order track, place 1 first
        # an auction
        self.auctioned = ""
        self.still_in: list[int] = []  # who has not passed
        self.standing_bid = 0
        self.high_bidder: int | None = None
        # 4. rounds
        self.year = data["years"][0]
        self.column = 0
        self.order: list[int] = []  # order of play of this column
        self.taken: dict[str, int] = {}  # the markers in this column: space -> player
        self.cubes_left = 0  # of the Expand being carried out
        self.dividend: dict[str, int] = {}  # per share, of the last dividend phase

    @classmethod
    def new(cls, board: dict, players: int, rules: dict[str, str] | None = None) -> Model:
        """The start of a game; rules `removed=COMPANY` (3 players) and `banker=random`."""
        rules = rules or {}
        if str(players) not in board["starting_money"]:  # AR-1
            raise ValueError(f"players: got {players}; expected one of {' '.join(board['starting_money'])}")
        for key, value in rules.items():
            if key not in ("removed", "banker"):
                raise ValueError(f"rules: got {key!r}; expected removed or banker")
            if key == "banker" and value != "random":
                raise ValueError(f"rules banker: got {value!r}; expected random")
        model = cls(Board(board), [str(seat + 1) for seat in range(players)])
        model.ask_banker = "banker" in rules
        if board["companies_removed_at_setup"][str(players)] == 0:
            if "removed" in rules:
                raise ValueError(f"rules removed: no company is removed with {players} players")  # AR-12
            model._after_removal()
        elif "removed" in rules:
            if rules["removed"] not in model.companies:
                raise ValueError(f"rules removed: got {rules['removed']!r}; expected {' '.join(model.companies)}")
            model._remove_company(rules["removed"])
            model._after_removal()
        else:
            model.stage = "setup"
            model.decision = "removed"
        return model

    def _remove_company(self, company: str) -> None:
        """AR-12: its cubes and shares are not used at all."""
        self.companies.remove(company)
        self.prep_remaining.remove(company)
        self.unsold[company] = 0
        self.supply[company] = 0

    def _after_removal(self) -> None:
        """AR-12 comes before anything else is decided, so the banker is drawn now if he is drawn at all (R-1)."""
        if self.ask_banker:
            self.stage = "setup"
            self.decision = "banker"
        else:
            self._begin_preparation()

    def copy(self) -> Model:
        other = Model.__new__(Model)
        other.__dict__.update(self.__dict__)
        for name in ("companies", "money", "unsold", "removed_shares", "supply", "treasury", "houses"):
            setattr(other, name, getattr(self, name).copy())
        for name in ("prep_remaining", "track", "still_in", "order", "taken", "dividend"):
            setattr(other, name, getattr(self, name).copy())
        other.shares = [owned.copy() for owned in self.shares]
        other.cubes = {company: hexes.copy() for company, hexes in self.cubes.items()}
        return other

    # --- whose decision, and which moves (section 10) ----------------------------------------------------------------

    def to_move(self) -> int | str:
        if self.decision == "over":
            return "over"
        return "chance" if self.stage == "setup" else self.player

    def chance(self) -> dict[str, int]:
        """AR-12, R-1: every outcome is equally likely."""
        return dict.fromkeys(self.legal(), 1) if self.stage == "setup" else {}

    def legal(self) -> list[str]:
        match self.decision:
            case "removed":  # AR-12
                return [f"removed:{c}" for c in self.companies]
            case "banker":
                return [f"banker:{seat + 1}" for seat in self._seats()]
            case "prep_offer":  # AR-16
                return [f"offer:{c}" for c in self.prep_remaining]
            case "bid":  # AR-18
                return [f"bid:{n}" for n in range(self._lowest_bid(), self.money[self.player] + 1)] + ["pass"]
            case "start":  # AR-21
                return [f"start:{hex_id.lower()}" for hex_id in self._empty_cities()]
            case "choose":  # AR-28
                return [f"choose:{space}" for space in self.board.spaces if space not in self.taken]
            case "develop":  # AR-29, AR-34
                return [f"develop:{hex_id.lower()}" for hex_id in self._cities_to_develop()] + ["decline"]
            case "fund":  # AR-29, AR-37
                return [f"fund:{c}" for c in self.companies] + ["decline"]
            case "take2":  # AR-29, AR-38 to AR-40
                return ["take", "levy"] + (["expand2"] if self._may_expand2() else []) + ["decline"]
            case "offer":  # AR-29, AR-41
                return [f"offer:{c}" for c in self._companies_with_unsold_shares()] + ["decline"]
            case "expand":  # AR-50
                cubes = self._legal_cubes() if self.cubes_left > 0 else []
                return [f"build:{c}:{hex_id.lower()}" for c, hex_id in cubes] + ["stop"]
        return []

    def play(self, token: str) -> None:
        self._check(token)
        self._carry_out(token)
        while self.decision != "over" and self._is_forced(self.legal()):
            self._carry_out(self.legal()[0])

    @staticmethod
    def _is_forced(legal: list[str]) -> bool:
        """Section 10, automatic (1): the only option is `decline`, `stop` or `pass_bid`."""
        return len(legal) == 1 and legal[0] in FORCED

    def _carry_out(self, token: str) -> None:
        kind, *operands = token.split(":")
        match kind:
            case "removed":
                self._remove_company(operands[0])
                self._after_removal()
            case "banker":
                self.banker = int(operands[0]) - 1
                self._begin_preparation()
            case "offer":
                self._offer(operands[0])
            case "bid":
                self._bid(int(operands[0]))
            case "pass":
                self._pass_bid()
            case "start":
                self._start(self.board.hex_of_token[operands[0]])
            case "choose":
                self._choose(operands[0])
            case "develop":
                self._develop(self.board.hex_of_token[operands[0]])
            case "fund":
                self._fund(operands[0])
            case "take":
                self._take()
            case "levy":
                self._levy()
            case "expand2":
                self._begin_expand(self.board.spaces["take2"]["expand"])
            case "build":
                self._build(operands[0], self.board.hex_of_token[operands[1]])
            case "stop" | "decline":  # AR-29: the marker stays where it is
                self._end_turn()

    # --- why a move is refused (section 12) --------------------------------------------------------------------------

    def _check(self, token: str) -> None:
        """Raise the first reason, in the order of section 12, why `token` may not be played."""
        kind, *operands = token.split(":")
        if self.decision == "over":
            raise IllegalMove("game_over", "the game is over")
        if kind not in KINDS[self.decision] or len(operands) != OPERANDS.get(kind, 0):
            expected = " ".join(KINDS[self.decision])
            raise IllegalMove("wrong_decision", f"{token!r} does not answer {self.decision}; expected {expected}")
        match kind:
            case "removed" | "banker" | "offer" | "fund" | "expand2":
                if token not in self.legal():
                    raise IllegalMove("not_available", f"{token!r} is not available")
            case "bid":
                self._check_bid(operands[0])
            case "start":
                self._check_start(operands[0])
            case "choose":
                if operands[0] not in self.board.spaces:
                    raise IllegalMove("not_available", f"there is no space {operands[0]!r}")
                if operands[0] in self.taken:  # AR-28
                    raise IllegalMove("space_taken", f"a marker stands on {operands[0]} in this column")
            case "develop":
                self._check_develop(operands[0])
            case "build":
                self._check_build(operands[0], operands[1])

    def _check_bid(self, amount: str) -> None:
        if not is_number(amount):
            raise IllegalMove("wrong_decision", f"a bid is a whole number of dollars, not {amount!r}")
        if int(amount) < self._lowest_bid():
            raise IllegalMove("bid_too_low", f"the lowest bid is {self._lowest_bid()}")
        if int(amount) > self.money[self.player]:
            raise IllegalMove("bid_too_high", f"player {self.player + 1} has ${self.money[self.player]}")

    def _check_start(self, hex_token: str) -> None:
        hex_id = self.board.hex_of_token.get(hex_token, "")
        if hex_id not in self.board.cities:
            raise IllegalMove("not_a_city", f"{hex_token} is not a city")
        if self._cubes_in(hex_id):
            raise IllegalMove("city_occupied", f"there is a cube in {hex_token}")

    def _check_develop(self, hex_token: str) -> None:
        hex_id = self.board.hex_of_token.get(hex_token, "")
        if hex_id not in self.board.cities:
            raise IllegalMove("not_a_city", f"{hex_token} is not a city")
        if not self.board.cities[hex_id]["developable"]:  # AR-36
            raise IllegalMove("not_developable", f"{hex_token} can never be developed")
        if hex_id in self.houses:
            raise IllegalMove("already_developed", f"{hex_token} has a house")
        if not self._cubes_in(hex_id):
            raise IllegalMove("no_track_in_city", f"there is no cube in {hex_token}")

    def _check_build(self, company: str, hex_token: str) -> None:
        hex_id = self.board.hex_of_token.get(hex_token)
        if hex_id is None:
            raise IllegalMove("no_such_hex", f"there is no hex {hex_token!r}")
        if company not in self.companies:
            raise IllegalMove("not_available", f"{company!r} is not in the game")
        if self.shares[self.player][company] == 0:  # AR-46
            raise IllegalMove("no_share", f"player {self.player + 1} owns no share of {company}")
        if self.supply[company] == 0:  # AR-51
            raise IllegalMove("no_cubes", f"{company} has no cube in its supply")
        if hex_id in self.cubes[company]:  # AR-47
            raise IllegalMove("own_cube_present", f"{company} has a cube in {hex_token}")
        if not self._is_adjacent_to_track(company, hex_id):  # AR-46
            raise IllegalMove("not_adjacent", f"{hex_token} touches no cube of {company}")
        if self._is_full(hex_id):  # AR-47
            raise IllegalMove("terrain_full", f"{hex_token} holds no further cube")
        if self._cost(hex_id) > self.treasury[company]:  # AR-49
            reason = f"treasury of {company} is ${self.treasury[company]}, {hex_token} costs ${self._cost(hex_id)}"
            raise IllegalMove("too_expensive", reason)

    # --- looking at the position -------------------------------------------------------------------------------------

    def _seats(self) -> range:
        return range(len(self.names))

    def _clockwise_from(self, seat: int) -> list[int]:
        """AR-1: every seat, beginning with `seat`."""
        return [(seat + i) % len(self.names) for i in self._seats()]

    def _cubes_in(self, hex_id: str) -> list[str]:
        """The companies with a cube in the hex."""
        return [c for c in self.companies if hex_id in self.cubes[c]]

    def _is_on_the_map(self, company: str) -> bool:
        return len(self.cubes[company]) > 0

    def _owned(self, company: str) -> int:
        return sum(self.shares[seat][company] for seat in self._seats())

    # --- 3. preparation round ----------------------------------------------------------------------------------------

    def _begin_preparation(self) -> None:
        """AR-16: the banker picks the first company."""
        self.stage = "prep"
        self._next_in_preparation(self.banker)

    def _next_in_preparation(self, chooser: int) -> None:
        """AR-23, AR-24: `chooser` puts the next company up; AR-25: or the round is over."""
        if self.prep_remaining:
            self.player = chooser
            self.decision = "prep_offer"
            return
        for seat in self._clockwise_from(self.banker):  # AR-25
            if seat not in self.track:
                self.track.append(seat)
        self.stage = "action"
        self._begin_round()

    def _offer(self, company: str) -> None:
        """AR-16, AR-41: a share of `company` is put up; AR-17, R-27: who put it up speaks first."""
        if self.stage == "prep":
            self.prep_remaining.remove(company)
        self.auctioned = company
        self.still_in = self._clockwise_from(self.player)
        self.standing_bid = 0
        self.high_bidder = None
        self.decision = "bid"

    def _lowest_bid(self) -> int:
        """AR-18, R-25."""
        return max(self.board.data["min_bid"], self.standing_bid + 1)

    def _bid(self, amount: int) -> None:
        self.standing_bid = amount
        self.high_bidder = self.player
        self._next_bidder()

    def _pass_bid(self) -> None:
        """AR-17, R-21: out of this auction."""
        self.still_in.remove(self.player)
        self._next_bidder()

    def _next_bidder(self) -> None:
        """AR-17: clockwise, each player still in; the standing high bidder is not asked."""
        for seat in self._clockwise_from(self.player):
            if seat in self.still_in and seat not in (self.player, self.high_bidder):
                self.player = seat
                return
        if self.high_bidder is None:
            self._nobody_bids(last_passer=self.player)
        else:
            self._sell(self.high_bidder, self.auctioned, self.standing_bid)

    def _nobody_bids(self, last_passer: int) -> None:
        """AR-19, AR-43: the share is out of the game for good."""
        self.unsold[self.auctioned] -= 1
        self.removed_shares[self.auctioned] += 1
        if self.stage == "prep":
            self._next_in_preparation(last_passer)  # AR-24, R-6
        else:
            self._end_turn()

    def _sell(self, buyer: int, company: str, price: int) -> None:
        """AR-20, AR-42: the price goes to the treasury; AR-44, R-13: the buyer places a first cube."""
        self.money[buyer] -= price
        self.treasury[company] += price
        self.unsold[company] -= 1
        self.shares[buyer][company] += 1
        self.player = buyer
        if self._is_on_the_map(company):
            self._after_sale()
        elif self._empty_cities():
            self.decision = "start"
        else:  # AR-45, R-14: the price stays in the treasury
            self.shares[buyer][company] -= 1
            self.removed_shares[company] += 1 + self.unsold[company]
            self.unsold[company] = 0
            self._after_sale()

    def _empty_cities(self) -> list[str]:
        return [hex_id for hex_id in self.board.cities if not self._cubes_in(hex_id)]

    def _start(self, hex_id: str) -> None:
        """AR-21, R-28: free of charge."""
        self.supply[self.auctioned] -= 1
        self.cubes[self.auctioned].add(hex_id)
        self._after_sale()

    def _after_sale(self) -> None:
        """The player is the buyer."""
        if self.stage == "prep":
            if self.player not in self.track:  # AR-22
                self.track.append(self.player)
            self._next_in_preparation(self.player)  # AR-23
        else:
            self._end_turn()

    # --- 4. rounds and turn order ------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        """AR-27: in the order of the turn order track."""
        self._begin_column(1, self.track)

    def _begin_column(self, column: int, order: list[int]) -> None:
        self.column = column
        self.order = list(order)
        self.taken = {}
        self.player = self.order[0]
        self.decision = "choose"

    def _choose(self, space: str) -> None:
        """AR-27 to AR-31: the marker goes to the space, then its action is decided on (AR-29)."""
        self.taken[space] = self.player
        if self.column == 1:
            self.track.remove(self.player)
        match space:
            case "pass":  # AR-33
                self._end_turn()
            case "develop":
                self.decision = "develop"
            case "fund5":
                self.decision = "fund"
            case "take2":
                self.decision = "take2"
            case "auction":
                self.decision = "offer"
            case "expand3" | "expand4":
                self._begin_expand(self.board.spaces[space]["expand"])

    def _end_turn(self) -> None:
        """The next player of the column chooses; after the last one the column is over."""
        waiting = [seat for seat in self.order if seat not in self.taken.values()]
        if waiting:
            self.player = waiting[0]
            self.decision = "choose"
        elif self.column < self.board.data["action_track"]["columns"]:
            self._begin_column(self.column + 1, self._top_to_bottom())  # AR-31
        else:
            self._pay_dividends()
            if self._is_the_end():
                self.stage = self.decision = "over"
            else:  # AR-32
                self.track = self._top_to_bottom()
                self.year += 1
                self._begin_round()

    def _top_to_bottom(self) -> list[int]:
        """The order of the markers in the column."""
        return [self.taken[space] for space in self.board.spaces if space in self.taken]

    # --- 5. actions --------------------------------------------------------------------------------------------------

    def _cities_to_develop(self) -> list[str]:
        """AR-34, AR-36."""
        if self.house_supply == 0:
            return []
        return [
            hex_id
            for hex_id, city in self.board.cities.items()
            if city["developable"] and hex_id not in self.houses and self._cubes_in(hex_id)
        ]

    def _develop(self, hex_id: str) -> None:
        self.house_supply -= 1
        self.houses.add(hex_id)
        self._end_turn()

    def _fund(self, company: str) -> None:
        """AR-37, R-11."""
        self.treasury[company] += self.board.spaces["fund5"]["amount"]
        self._end_turn()

    def _take(self) -> None:
        """AR-38."""
        self.money[self.player] += self.board.spaces["take2"]["amount"]
        self._end_turn()

    def _levy(self) -> None:
        """AR-39, R-8, R-9: to the bank, at most what a player has."""
        for seat in self._seats():
            if seat != self.player:
                self.money[seat] -= min(self.board.spaces["take2"]["amount"], self.money[seat])
        self._end_turn()

    def _may_expand2(self) -> bool:
        """AR-40 and section 10: with 4 or 5 players and at least one legal cube."""
        options = self.board.spaces["take2"]["options"][str(len(self.names))]
        return "expand2" in options and len(self._legal_cubes()) > 0

    def _companies_with_unsold_shares(self) -> list[str]:
        """AR-41."""
        return [c for c in self.companies if self.unsold[c] > 0]

    def _begin_expand(self, cubes: int) -> None:
        """AR-50: up to `cubes` cubes, one decision each."""
        self.cubes_left = cubes
        self.decision = "expand"

    def _legal_cubes(self) -> list[tuple[str, str]]:
        """AR-46 to AR-51: (company, hex) of every cube that may be placed now."""
        found = []
        for company in self.companies:
            if self.shares[self.player][company] == 0 or self.supply[company] == 0:  # AR-46, AR-51
                continue
            for hex_id in self.board.hexes:
                if (
                    hex_id not in self.cubes[company]  # AR-47
                    and self._is_adjacent_to_track(company, hex_id)  # AR-46
                    and not self._is_full(hex_id)  # AR-47
                    and self._cost(hex_id) <= self.treasury[company]  # AR-49
                ):
                    found.append((company, hex_id))
        return found

    def _is_adjacent_to_track(self, company: str, hex_id: str) -> bool:
        return any(near in self.cubes[company] for near in self.board.neighbours[hex_id])

    def _is_full(self, hex_id: str) -> bool:
        """AR-47: forest and mountain hold one cube."""
        limit = self.board.cost[self.board.terrain[hex_id]]["max_cubes"]
        return limit is not None and len(self._cubes_in(hex_id)) >= limit

    def _cost(self, hex_id: str) -> int:
        """AR-48, R-10."""
        cost = self.board.cost[self.board.terrain[hex_id]]
        house = 1 if hex_id in self.houses else 0
        return cost["base"] + cost["per_cube"] * len(self._cubes_in(hex_id)) + cost["per_house"] * house

    def _build(self, company: str, hex_id: str) -> None:
        """AR-49: paid from the treasury to the bank."""
        self.treasury[company] -= self._cost(hex_id)
        self.supply[company] -= 1
        self.cubes[company].add(hex_id)
        self.cubes_left -= 1

    # --- 6. income ---------------------------------------------------------------------------------------------------

    def income(self, company: str) -> int:
        """AR-58, which sums up AR-35 and AR-52 to AR-57."""
        house_bonus = self.board.data["development"]
        total = 0
        for hex_id, city in self.board.cities.items():
            if hex_id not in self.cubes[company]:
                continue
            house = 1 if hex_id in self.houses else 0
            if self._cubes_in(hex_id) == [company]:
                total += city["full"] + house_bonus["full_bonus"] * house
            else:
                total += city["shared"] + house_bonus["shared_bonus"] * house
        for link, bonus in zip(self.board.links, self.board.bonus, strict=True):  # AR-56, AR-57, R-19
            if all(hex_id in self.cubes[company] for hex_id in link):
                total += bonus
        return total

    # --- 7. dividend phase -------------------------------------------------------------------------------------------

    def _pay_dividends(self) -> None:
        """AR-59, AR-60: income / shares owned by players, rounded up."""
        self.dividend = {}
        for company in self.companies:
            owned = self._owned(company)
            if owned == 0:
                continue
            self.dividend[company] = (self.income(company) + owned - 1) // owned
            for seat in self._seats():
                self.money[seat] += self.dividend[company] * self.shares[seat][company]

    # --- 8. end of the game ------------------------------------------------------------------------------------------

    def _is_the_end(self) -> bool:
        """AR-61: asked after each dividend phase."""
        end = self.board.data["end_game"]
        supplies = [self.supply[c] for c in self.companies] + [self.house_supply]  # AR-64, R-15, R-16
        low = [pieces for pieces in supplies if pieces <= end["low_supply"]["threshold"]]
        return (
            self.year == end["last_year"]  # AR-62
            or not self._companies_with_unsold_shares()  # AR-63
            or len(low) >= end["low_supply"]["supplies_needed"][str(len(self.names))]  # AR-64
        )

    def scores(self) -> list[int]:
        """AR-65: a player's own money."""
        return list(self.money)

    def winners(self) -> list[int]:
        """AR-65: the seats with the most money, when over."""
        if self.decision != "over":
            return []
        return [seat for seat in self._seats() if self.money[seat] == max(self.money)]

    # --- 12. the conformance cases -------------------------------------------------------------------------------------------

    @classmethod
    def given(cls, board: dict, given: dict) -> Model:
        """The position of a case, built as given even if it cannot be reached."""
        model = cls(Board(board), list(given["players"]))
        hex_of = model.board.hex_of
        seat_of = {name: seat for seat, name in enumerate(model.names)}
        if "removed_company" in given:
            model._remove_company(given["removed_company"])
        for name, money in given.get("money", {}).items():
            model.money[seat_of[name]] = money
        for name, owned in given.get("shares", {}).items():
            model.shares[seat_of[name]].update(owned)
        model.removed_shares.update(given.get("removed_shares", {}))
        for company in model.companies:
            shares = model.board.companies[company]["shares"]
            model.unsold[company] = shares - model._owned(company) - model.removed_shares[company]
        model.treasury.update(given.get("treasury", {}))
        for company, places in given.get("cubes", {}).items():
            model.cubes[company] = {hex_of[place] for place in places}
            model.supply[company] -= len(places)
        model.supply.update(given.get("supply", {}))
        model.houses = {hex_of[place] for place in given.get("houses", [])}
        model.house_supply = given.get("house_supply", model.house_supply - len(model.houses))
        if given.get("stage", "prep") == "prep":
            model.prep_remaining = list(given.get("prep_remaining", model.companies))
            model.track = [seat_of[name] for name in given.get("track", [])]
            model._next_in_preparation(seat_of[given.get("prep_chooser", model.names[BANKER])])
        else:
            model.stage = "action"
            model.prep_remaining = []
            model.year = given.get("year", model.year)
            order = [seat_of[name] for name in given.get("order", model.names)]
            model._begin_column(given.get("column", 1), order)
            model.taken = {space: seat_of[name] for space, name in given.get("taken", {}).items()}
            waiting = [seat for seat in order if seat not in model.taken.values()]
            model.track = waiting if model.column == 1 else []
            model.player = waiting[0]
        return model

    def facts(self) -> dict:
        """What an `expect` can ask, in its own words; the players by name, the hexes by id."""
        asked = {"player": "chance" if self.stage == "setup" else self.names[self.player]}
        asked["decision"] = "offer" if self.decision == "prep_offer" else self.decision
        return {
            "money": dict(zip(self.names, self.money, strict=True)),
            "treasury": dict(self.treasury),
            "income": {c: self.income(c) for c in self.board.companies},
            "supply": dict(self.supply),
            "house_supply": self.house_supply,
            "shares": {name: dict(owned) for name, owned in zip(self.names, self.shares, strict=True)},
            "supply_shares": dict(self.unsold),
            "removed_shares": dict(self.removed_shares),
            "cubes_at": {h: self._cubes_in(h) for h in self.board.hexes if self._cubes_in(h)},
            "track": [self.names[seat] for seat in self.track],
            "order": [self.names[seat] for seat in self.order],
            "column": self.column,
            "year": self.year,
            "over": self.decision == "over",
            "winners": [self.names[seat] for seat in self.winners()],
            "dividend": dict(self.dividend),
            "next": None if self.decision == "over" else asked,
        }
