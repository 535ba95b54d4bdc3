"""What the games of companies and shares have in common when they speak: auctions, payments, places on a hex map."""
from collections.abc import Mapping
from typing import Any

from railwright.engine.boards import Reader
from railwright.engine.game import Chart
from railwright.engine.words import seat

Facts = dict[str, Any]


def amount(a: int, b: int) -> int:
    """A bid, which takes both operands of its move."""
    return a << 12 | b


def dollars(value: float) -> str:
    """A gain or a loss, `+$5`; what rounds to nothing is neither."""
    whole = round(value)
    return f"{'-' if whole < 0 else '+' if whole > 0 else ''}${abs(whole)}"


def hex_word(chart: Chart, number: int) -> str:
    return chart.data["hexes"][number]["id"].lower()


def city_word(name: str) -> str:
    """Fort Wayne, fort-wayne and fortwayne are one."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def auction_facts(figures: dict[str, list[int]], words: list[str]) -> Facts:
    """The running auction: seats from 1, the company by its word."""
    company, opener, speaker, bidder, still_in = figures["auction"]
    bid, minimum = figures["bids"]
    return {
        "company": words[company], "opener": opener + 1, "speaker": speaker + 1,
        "bid": bid, "bidder": bidder + 1 if bidder >= 0 else None, "least": bid + 1 if bidder >= 0 else minimum,
        "still_in": [player + 1 for player in range(8) if still_in >> player & 1],
    }


def no_bid(facts: Facts, dollars: str) -> str:
    """Why the player to move may not bid `dollars`."""
    cash = facts["players"][facts["to_move"] - 1]["cash"]
    if not dollars.isascii() or not dollars.isdigit():
        return "a bid is a whole number of dollars"
    if len(dollars) > 9 or int(dollars) > cash:
        return f"player {facts['to_move']} has ${cash}"
    return f"the least bid is ${facts['auction']['least']}" if int(dollars) < facts["auction"]["least"] else ""


def payment_words(facts: Facts, per_share: Mapping[str, int]) -> str:
    """`prr $4 a share (player 1 $8); ...`, every payment named."""
    parts = []
    for company, dividend in per_share.items():
        paid = [f"{seat(i)} ${player['shares'][company] * dividend}"
                for i, player in enumerate(facts["players"]) if player["shares"].get(company)]
        parts.append(f"{company} ${dividend} a share ({', '.join(paid)})" if paid else f"{company} nothing, no share is sold")
    return "; ".join(parts) if parts else "nobody holds a share"


def share_words(report: Mapping[str, Any], number: int, player: int, cash: int, means: str) -> str:
    """`share number 2: 3.1 dividends of $6.0, +$5 by building and houses, +$2 kept from rivals; has $12`"""
    dividend = report["income"] / report["shares"]
    more = report["future"] / report["shares"] - report["rounds"] * dividend
    parts = [f"share number {number}: {report['rounds']:.1f} dividends of ${dividend:.1f}", f"{dollars(more)} by {means}"]
    kept = report["denial"] * report["future"] / report["shares"]
    if abs(kept) >= 0.5:
        parts.append(f"{dollars(kept)} kept from rivals")
    if report["alone"][player] == report["values"][player]:
        parts.append(f"but nobody else wants it: ${report['alone'][player]:.0f}")
    if report["price_of_cash"] > 1.01:
        parts.append(f"a dollar kept is worth ${report['price_of_cash']:.2f}")
    return ", ".join(parts) + f"; has ${cash}"


def bid_advice(report: Mapping[str, Any], company: str, player: int, bid: int | None) -> str:
    """What a bid, or a pass where there is none, means: the share's value and the sale that is expected."""
    value = report["values"][player]
    sale = "stays unsold" if report["winner"] < 0 else f"goes to {seat(report['winner'])} for about ${report['price']}"
    verdict = "" if bid is None else ", below this bid" if bid > value else ", this bid or more"
    return f"the share of {company} is worth ${value:.0f} to {seat(player)}{verdict}; expected: it {sale}"


def read_hex(entry: Reader, numbers: dict[str, int]) -> int:
    """The number of a hex that is named just as its own entry names it: pictures compare the names."""
    return numbers[entry.one_of(numbers)]
