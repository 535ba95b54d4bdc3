"""Chicago Express (Wabash Cannonball): a slow model of rules CE-1 to CE-104, written from the rules alone."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace


@dataclass
class Auction:
    """A share under the hammer."""

    kind: str  # "opening" (CE-13), "action" (CE-40) or "founding" (CE-83)
    company: str
    opener: int
    minimum: int
    speaker: int
    still_in: list[int]
    highest: int | None = None  # the highest bid so far
    bidder: int | None = None  # who made it


class Model:
    """A position. Companies, hexes and cities go by their names in the board file; players are seats 0 to n-1."""

    # --- 0. the board ----------------------------------------------------------------

    def __init__(self, board: dict, players: int) -> None:
        """CE-10 to CE-12: everything in place, the first auction not yet opened."""
        if str(players) not in board["starting_money"]:
            raise ValueError(f"players: got {players}; expected one of {', '.join(board['starting_money'])}")
        self.board = board  # never changed, shared by all copies
        self.hexes: dict[str, dict] = {h["id"]: h for h in board["hexes"]}
        self.companies: dict[str, dict] = {c["id"]: c for c in board["companies"]}
        self.city_at: dict[str, str] = {track["hex"]: city for city, track in board["industry_tracks"].items()}
        self.players = players
        self.cash = [board["starting_money"][str(players)]] * players  # CE-10
        self.shares = [dict.fromkeys(self.companies, 0) for _ in range(players)]
        self.treasury = dict.fromkeys(self.companies, 0)  # CE-11
        self.track: dict[str, list[str]] = {}  # the hexes with a locomotive of the company, in the order placed
        for company, figures in self.companies.items():
            self.track[company] = [] if company == "WAB" else [figures["start_hex"]]  # CE-11, CE-12
        self.developed: set[str] = set()
        self.houses = board["houses"]  # CE-3
        self.industry = {city: track["start"] for city, track in board["industry_tracks"].items()}  # CE-5
        self.dials = dict.fromkeys(board["dials"], 0)  # CE-4
        self.wabash_founded = False  # CE-12
        self.turn = 0
        self.decision = "dial"  # bid, dial, offer, company, place, develop or over
        self.auction: Auction | None = None  # set in a bid decision only
        self.building = ""  # the company that builds, in a place decision only
        self.placed: list[str] = []  # the hexes of the build action so far
        self.general_dividends = 0

    # --- 1. components and figures ---------------------------------------------------

    def hex_value(self, hex_id: str) -> int:
        """CE-5, CE-59: what the hex is worth now to a company on it (but for its own eastern start hex)."""
        if hex_id in self.city_at:
            return self.industry[self.city_at[hex_id]]
        hexagon = self.hexes[hex_id]
        if hex_id in self.developed:
            return hexagon["income"] + hexagon["development"]
        return hexagon["income"]

    def income(self, company: str) -> int:
        """CE-6: start income and the current value of every other hex that holds its locomotive."""
        figures = self.companies[company]
        if figures["start_income"] is None:  # Wabash: all its hexes, Fort Wayne included
            return sum(self.hex_value(h) for h in self.track[company])
        others = [h for h in self.track[company] if h != figures["start_hex"]]
        return figures["start_income"] + sum(self.hex_value(h) for h in others)

    def locomotives_on(self, hex_id: str) -> list[str]:
        """The companies that stand on the hex."""
        return [company for company in self.companies if hex_id in self.track[company]]

    def locomotives_left(self, company: str) -> int:
        """CE-1: the count includes the one placed at the start."""
        return self.companies[company]["locomotives"] - len(self.track[company])

    def shares_sold(self, company: str) -> int:
        return sum(held[company] for held in self.shares)

    def shares_left(self, company: str) -> int:
        return self.companies[company]["shares"] - self.shares_sold(company)

    # --- 2. setup and opening auctions -----------------------------------------------

    @classmethod
    def new(cls, board: dict, players: int, rules: dict[str, str] | None = None) -> Model:
        """The start of a game. Rules: `opener=K`, the 1-based seat that opens the first auction (CE-14)."""
        model = cls(board, players)
        opener = "1"
        for name, value in (rules or {}).items():
            if name != "opener":
                raise ValueError(f"rules: got {name!r}; expected opener")
            opener = value
        seats = [str(seat) for seat in range(1, players + 1)]
        if opener not in seats:
            raise ValueError(f"rules opener: got {opener!r}; expected a seat from 1 to {players}")
        model.turn = int(opener) - 1
        model.open_opening_auction(model.opening_order()[0], model.turn)
        return model

    def opening_order(self) -> list[str]:
        """CE-13: PRR, B&O, C&O, NYC."""
        eastern = [c for c in self.companies.values() if c["opening_order"] is not None]
        return [c["id"] for c in sorted(eastern, key=lambda c: c["opening_order"])]

    def open_opening_auction(self, company: str, opener: int) -> None:
        """CE-13: with the minimum bid printed for the company."""
        self.open_auction("opening", company, opener, self.companies[company]["opening_bid"])

    def end_opening_auction(self, company: str, receiver: int) -> None:
        """CE-14: the receiver opens the next one. CE-16: then the holder of the PRR share takes the first turn."""
        order = self.opening_order()
        done = order.index(company) + 1
        if done < len(order):
            self.open_opening_auction(order[done], receiver)
            return
        for seat in range(self.players):
            if self.shares[seat]["PRR"] > 0:
                self.turn = seat
        self.start_turn()

    # --- 3. bidding ------------------------------------------------------------------

    def open_auction(self, kind: str, company: str, opener: int, minimum: int) -> None:
        """CE-20: the opener speaks first."""
        self.auction = Auction(kind, company, opener, minimum, opener, list(range(self.players)))
        self.decision = "bid"

    def under_the_hammer(self) -> Auction:
        assert self.auction is not None, "no auction is held"
        return self.auction

    def least_bid(self) -> int:
        """CE-21: the minimum bid while there is no bid, else a dollar more than the highest."""
        auction = self.under_the_hammer()
        return auction.minimum if auction.highest is None else auction.highest + 1

    def legal_bids(self) -> list[str]:
        """CE-20 to CE-22: pass, or any amount from the least bid to one's cash."""
        cash = self.cash[self.under_the_hammer().speaker]
        return ["pass"] + [f"bid:{amount}" for amount in range(self.least_bid(), cash + 1)]

    def play_bid(self, amount: int) -> None:
        auction = self.under_the_hammer()
        auction.highest = amount
        auction.bidder = auction.speaker
        self.next_speaker()

    def play_pass(self) -> None:
        """CE-23: out of this auction, even if no bid has been made yet."""
        auction = self.under_the_hammer()
        auction.still_in.remove(auction.speaker)
        self.next_speaker()

    def next_speaker(self) -> None:
        """CE-24: a highest bid and all others out, or all out, ends it; else the next player still in speaks."""
        auction = self.under_the_hammer()
        if auction.still_in == [] or auction.still_in == [auction.bidder]:
            self.end_auction()
            return
        seat = (auction.speaker + 1) % self.players
        while seat not in auction.still_in:
            seat = (seat + 1) % self.players
        auction.speaker = seat

    def end_auction(self) -> None:
        auction = self.under_the_hammer()
        self.auction = None
        if auction.highest is not None and auction.bidder is not None:  # CE-25; else CE-26: the share goes back
            self.cash[auction.bidder] -= auction.highest
            self.treasury[auction.company] += auction.highest
            self.shares[auction.bidder][auction.company] += 1
        if auction.kind != "opening":  # CE-34, CE-44, CE-85: the action is over, whoever won
            self.end_turn()
        elif auction.bidder is not None:
            self.end_opening_auction(auction.company, auction.bidder)
        else:  # CE-15: the opener gets it for nothing
            self.shares[auction.opener][auction.company] += 1
            self.end_opening_auction(auction.company, auction.opener)

    # --- 4. turn structure -----------------------------------------------------------

    def dials_on_red(self) -> list[str]:
        """CE-4: a dial stands on red after its last step."""
        return [dial for dial, steps in self.board["dials"].items() if self.dials[dial] >= steps]

    def start_turn(self) -> None:
        """CE-30: with two dials on red a general dividend comes first."""
        self.decision = "dial"
        if len(self.dials_on_red()) >= 2:
            self.hold_general_dividend()

    def end_turn(self) -> None:
        """CE-34: the next player clockwise is on turn."""
        self.building = ""
        self.placed = []
        self.turn = (self.turn + 1) % self.players
        self.start_turn()

    def legal_dials(self) -> list[str]:
        """CE-31, CE-33: one whose dial is not on red."""
        return [f"dial:{dial}" for dial in self.dials if dial not in self.dials_on_red()]

    def play_dial(self, dial: str) -> None:
        """CE-31: the dial moves before anything else happens."""
        self.dials[dial] += 1
        self.decision = {"auction": "offer", "build": "company", "develop": "develop"}[dial]

    def play_decline(self) -> None:
        """CE-32: the action lapses, the dial stays advanced."""
        self.end_turn()

    # --- 5. action: auction a share --------------------------------------------------

    def legal_offers(self) -> list[str]:
        """CE-40: any company with an unsold share. CE-41: Wabash only if founded."""
        in_play = [company for company in self.companies if company != "WAB" or self.wabash_founded]
        offers = [company for company in in_play if self.shares_left(company) > 0]
        return [f"offer:{company_token(company)}" for company in offers] + ["decline"]

    def minimum_bid(self, company: str) -> int:
        """CE-42: income / (shares sold + 1), rounded up."""
        return divide_up(self.income(company), self.shares_sold(company) + 1)

    def play_offer(self, company: str) -> None:
        """CE-43: the player on turn opens the bidding."""
        self.open_auction("action", company, self.turn, self.minimum_bid(company))

    # --- 6. action: build ------------------------------------------------------------

    def build_cost(self, hex_id: str) -> int:
        """CE-56: printed cost x number of locomotives, the new one included."""
        return self.hexes[hex_id]["cost"] * (len(self.locomotives_on(hex_id)) + 1)

    def is_placement_legal(self, company: str, hex_id: str) -> bool:
        """CE-52 to CE-58, in their order."""
        hexagon = self.hexes[hex_id]
        if not any(neighbour in self.track[company] for neighbour in hexagon["neighbours"]):  # CE-52
            return False
        if hexagon["terrain"] == "start":  # CE-53
            return False
        if hexagon["terrain"] in ("forest", "mountain") and self.locomotives_on(hex_id):  # CE-54
            return False
        if hex_id in self.track[company]:  # CE-55
            return False
        if self.build_cost(hex_id) > self.treasury[company]:  # CE-57
            return False
        return self.locomotives_left(company) > 0  # CE-58

    def placements(self, company: str) -> list[str]:
        return [hex_id for hex_id in self.hexes if self.is_placement_legal(company, hex_id)]

    def legal_companies(self) -> list[str]:
        """CE-50: a company of which he holds a share, if it has a legal placement."""
        held = [company for company in self.companies if self.shares[self.turn][company] > 0]
        able = [company for company in held if self.placements(company)]
        return [f"build:{company_token(company)}" for company in able] + ["decline"]

    def play_company(self, company: str) -> None:
        self.building = company
        self.decision = "place"

    def legal_placements(self) -> list[str]:
        """CE-51: a hex; stopping is allowed after the first."""
        company = company_token(self.building)
        moves = [f"build:{company}:{hex_id.lower()}" for hex_id in self.placements(self.building)]
        return [*moves, "stop"] if self.placed else moves

    def play_placement(self, hex_id: str) -> None:
        """CE-56: paid to the bank at once. CE-59: the income follows by CE-6."""
        self.treasury[self.building] -= self.build_cost(hex_id)
        self.track[self.building].append(hex_id)
        self.placed.append(hex_id)
        if len(self.placed) == self.board["max_locomotives_per_build"]:  # CE-51
            self.end_build()

    def end_build(self) -> None:
        """CE-60: the Chicago phase comes when the build action is complete."""
        if self.board["chicago_hex"] in self.placed:
            self.hold_chicago_phase()
        else:
            self.end_turn()

    # --- 7. action: develop ----------------------------------------------------------

    def is_developable(self, hex_id: str) -> bool:
        """CE-70 to CE-78."""
        kind = self.hexes[hex_id]["developable"]
        if not self.locomotives_on(hex_id):  # CE-70
            return False
        if kind == "once":  # CE-71, CE-77: city, mountain, forest
            return hex_id not in self.developed and self.houses > 0
        if kind == "track":  # CE-75, CE-76: Wheeling, Pittsburgh
            city = self.city_at[hex_id]
            return self.industry[city] != self.board["industry_tracks"][city]["values"][-1]
        return False  # CE-72

    def legal_developments(self) -> list[str]:
        return [f"develop:{hex_id.lower()}" for hex_id in self.hexes if self.is_developable(hex_id)] + ["decline"]

    def advance_industry(self, city: str) -> None:
        """CE-75, CE-94: one space; the incomes follow by CE-6."""
        values = self.board["industry_tracks"][city]["values"]
        self.industry[city] = values[values.index(self.industry[city]) + 1]

    def play_development(self, hex_id: str) -> None:
        if hex_id in self.city_at:  # CE-75: no house is used
            self.advance_industry(self.city_at[hex_id])
        else:  # CE-71, CE-73
            self.developed.add(hex_id)
            self.houses -= 1
        if self.hexes[hex_id]["terrain"] == "forest":  # CE-74
            for company in self.locomotives_on(hex_id):
                self.treasury[company] += self.board["forest_development_cash"]
        self.end_turn()

    # --- 8. Chicago phase ------------------------------------------------------------

    def hold_chicago_phase(self) -> None:
        """CE-80 to CE-85."""
        self.pay_dividend(self.building)  # CE-81
        if self.wabash_founded:
            self.end_turn()
            return
        self.wabash_founded = True  # CE-82: free of charge, treasury empty
        self.track["WAB"] = [self.companies["WAB"]["start_hex"]]
        self.building = ""
        self.placed = []
        self.open_auction("founding", "WAB", self.turn, self.minimum_bid("WAB"))  # CE-83

    # --- 9. general dividend phase ---------------------------------------------------

    def pay_dividend(self, company: str) -> None:
        """CE-91: income / shares sold, rounded up, for each share held."""
        sold = self.shares_sold(company)
        if sold == 0:
            return
        dividend = divide_up(self.income(company), sold)
        for seat in range(self.players):
            self.cash[seat] += dividend * self.shares[seat][company]

    def hold_general_dividend(self) -> None:
        """CE-90 to CE-95: payout, end check, dials, Detroit."""
        self.general_dividends += 1
        for company in self.companies:  # CE-91
            self.pay_dividend(company)
        if self.is_end_reached():  # CE-92
            self.decision = "over"
            return
        for dial in self.dials:  # CE-93
            self.dials[dial] = 0
        self.advance_industry("Detroit")  # CE-94

    # --- 10. end of the game ---------------------------------------------------------

    def is_end_reached(self) -> bool:
        """CE-100; looked at in a general dividend phase only (CE-101)."""
        end = self.board["end_game"]
        without_locomotives = [c for c in self.companies if self.locomotives_left(c) == 0]
        without_shares = [c for c in self.companies if self.shares_left(c) == 0]
        return (
            len(without_locomotives) >= end["companies_without_locomotives"]  # a
            or len(without_shares) >= end["companies_without_shares"]  # b
            or self.houses <= end["houses_left_at_most"]  # c
            or self.industry["Detroit"] == end["detroit_value"]  # d
        )

    def scores(self) -> list[int]:
        """CE-102: a player's own cash and nothing else."""
        return list(self.cash)

    def winners(self) -> list[int]:
        """CE-102, CE-103: all who have most cash; nobody before the end."""
        if self.decision != "over":
            return []
        return [seat for seat in range(self.players) if self.cash[seat] == max(self.cash)]

    # --- playing ---------------------------------------------------------------------

    def to_move(self) -> int | str:
        return "over" if self.decision == "over" else self.seat_to_move()

    def seat_to_move(self) -> int:
        return self.under_the_hammer().speaker if self.decision == "bid" else self.turn

    def legal(self) -> list[str]:
        """All legal moves, by the table under "Decisions"."""
        if self.decision == "bid":
            return self.legal_bids()
        if self.decision == "dial":
            return self.legal_dials()
        if self.decision == "offer":
            return self.legal_offers()
        if self.decision == "company":
            return self.legal_companies()
        if self.decision == "place":
            return self.legal_placements()
        if self.decision == "develop":
            return self.legal_developments()
        return []

    def chance(self) -> dict[str, int]:
        """Nothing is left to chance in this game."""
        return {}

    def play(self, token: str) -> None:
        legal = self.legal()
        if token not in legal:
            if self.decision == "over":
                raise ValueError(f"{token!r} is illegal: the game is over")
            who = f"player {self.seat_to_move() + 1}"
            raise ValueError(f"{token!r} is illegal: {who} decides on {self.decision!r}; expected {' '.join(legal)}")
        kind, *parts = token.split(":")
        if kind == "bid":
            self.play_bid(int(parts[0]))
        elif kind == "pass":
            self.play_pass()
        elif kind == "dial":
            self.play_dial(parts[0])
        elif kind == "offer":
            self.play_offer(self.company_called(parts[0]))
        elif kind == "build" and len(parts) == 1:
            self.play_company(self.company_called(parts[0]))
        elif kind == "build":
            self.play_placement(parts[1].upper())
        elif kind == "stop":
            self.end_build()
        elif kind == "develop":
            self.play_development(parts[0].upper())
        else:
            self.play_decline()

    def company_called(self, token: str) -> str:
        return next(company for company in self.companies if company_token(company) == token)

    def copy(self) -> Model:
        other = copy(self)
        other.cash = list(self.cash)
        other.shares = [dict(held) for held in self.shares]
        other.treasury = dict(self.treasury)
        other.track = {company: list(hexes) for company, hexes in self.track.items()}
        other.developed = set(self.developed)
        other.industry = dict(self.industry)
        other.dials = dict(self.dials)
        other.placed = list(self.placed)
        if self.auction is not None:
            other.auction = replace(self.auction, still_in=list(self.auction.still_in))
        return other

    # --- the conformance cases -------------------------------------------------------

    @classmethod
    def given(cls, board: dict, given: dict) -> Model:
        """The position under `given` of a case, reachable in play or not."""
        players = given["players"]
        turn = seat_of(given.get("turn", "P0"))
        if given.get("phase", "turn") == "opening":
            return cls.new(board, players, {"opener": str(turn + 1)})
        model = cls(board, players)
        model.turn = turn
        for player, dollars in given["cash"].items():
            model.cash[seat_of(player)] = dollars
        for player, held in given.get("shares", {}).items():
            model.shares[seat_of(player)].update(held)
        for company, figures in given.get("companies", {}).items():
            model.treasury[company] = figures.get("treasury", 0)
            model.track[company] = list(figures.get("track", model.track[company]))
        in_chicago = model.locomotives_on(board["chicago_hex"])
        model.wabash_founded = given.get("wabash_founded", len(in_chicago) > 0)
        if model.wabash_founded and not model.track["WAB"]:
            model.track["WAB"] = [model.companies["WAB"]["start_hex"]]
        model.developed = set(given.get("developed", []))
        model.houses = given.get("houses_left", board["houses"] - len(model.developed))
        model.industry.update(given.get("industry", {}))
        model.dials.update(given.get("dials", {}))
        return model

    def facts(self) -> dict:
        """Everything an `expect` can ask about, in the words of the conformance cases."""
        seats = range(self.players)
        names = [f"P{seat}" for seat in seats]
        return {
            "cash": {names[seat]: self.cash[seat] for seat in seats},
            "treasury": dict(self.treasury),
            "income": {company: self.income(company) for company in self.companies},
            "shares": {names[seat]: {c: n for c, n in self.shares[seat].items() if n > 0} for seat in seats},
            "shares_left": {company: self.shares_left(company) for company in self.companies},
            "locomotives_left": {company: self.locomotives_left(company) for company in self.companies},
            "locomotives_on": {hex_id: self.locomotives_on(hex_id) for hex_id in self.hexes},
            "houses_left": self.houses,
            "developed": sorted(self.developed),
            "industry": dict(self.industry),
            "dials": dict(self.dials),
            "wabash_founded": self.wabash_founded,
            "general_dividends": self.general_dividends,
            "game_over": self.decision == "over",
            "winners": [names[seat] for seat in self.winners()],
            "to_move": None if self.decision == "over" else names[self.seat_to_move()],
            "decision": self.decision,
            "auctioned": self.auction.company if self.auction else None,
            "min_bid": self.least_bid() if self.auction else None,
            "options": [self.option(token) for token in self.legal()],
        }

    def option(self, token: str) -> str | int:
        """A move as the cases write it: an amount, a company, a hex or a word."""
        kind, *parts = token.split(":")
        if not parts:
            return token
        if kind == "bid":
            return int(parts[0])
        if kind == "offer" or (kind == "build" and len(parts) == 1):
            return self.company_called(parts[0])
        if kind == "dial":
            return parts[0]
        return parts[-1].upper()


def company_token(company: str) -> str:
    """`bo` for B&O."""
    return company.lower().replace("&", "")


def seat_of(player: str) -> int:
    """0 for P0."""
    return int(player.removeprefix("P"))


def divide_up(amount: int, parts: int) -> int:
    """CE-42, CE-91: the quotient, rounded up."""
    return -(-amount // parts)
