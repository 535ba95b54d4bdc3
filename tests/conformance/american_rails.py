"""American Rails: plays the cases of american_rails.json (docs/rules/american-rails.md, section 12) on any implementation.

A subject stands at the position `given` of its case and has
- `to_move()`: the seat 0..n-1 to decide, or "over";
- `legal()`: the tokens of all legal moves;
- `play(token)`: plays a move; ValueError if it is illegal. If the error has an attribute `code`, it is compared with
  `illegal_code`;
- `facts()`: a dict with the keys money, treasury, income, supply, house_supply, shares, supply_shares, removed_shares,
  cubes_at, track, order, column, year, over, winners, dividend, next, each as `expect` writes it: players by the names
  of `given`, companies by id. `cubes_at` has every hex with a cube, by hex id as on the board (`Q4`); `dividend` has
  the companies with owned shares only; `next` is None when the game is over.

`options` are read off `legal()`, and `paid` off the treasuries, so that facts() need not know them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).with_suffix(".json")
BOARD = Path(__file__).parents[2] / "engine" / "boards" / "american_rails.json"

HEX_OF_CITY = {city["name"]: city["hex"] for city in json.loads(BOARD.read_text(encoding="utf-8"))["cities"]}

# What section 10 calls a move -> its token's kind, where the two differ.
KIND = {"pass_bid": "pass", "place": "build"}


@dataclass(frozen=True)
class Step:
    """One move of a case."""

    player: str
    seat: int
    token: str


def cases() -> list[dict]:
    """Every case of american_rails.json."""
    return json.loads(CASES.read_text(encoding="utf-8"))


def token(move: str, *operands: str) -> str:
    """The token of a move; a place is a city's name or a hex id."""
    words = [HEX_OF_CITY.get(operand, operand).lower() for operand in operands]
    return ":".join([KIND.get(move, move), *words])


def steps(case: dict) -> list[Step]:
    """The `do` of a case as tokens."""
    names = case["given"]["players"]
    found = []
    for step in case["do"]:
        operands = [str(step[key]) for key in ("company", "amount", "city", "space", "hex") if key in step]
        found.append(Step(step["player"], names.index(step["player"]), token(step["move"], *operands)))
    return found


def option(text: str) -> str:
    """The token of an option such as `start New York` or `place american L2`."""
    kind = text.split(" ", 1)[0]
    return token(*text.split(" ", 2 if kind == "place" else 1))


def refusal(subject, step: Step) -> str | None:
    """Play the step; None, or `code: words` of the refusal (`no code: words` from a subject without codes)."""
    if subject.to_move() not in ("over", step.seat):
        return f"not_your_turn: to move is {subject.to_move()}"
    try:
        subject.play(step.token)
    except ValueError as error:
        return f"{getattr(error, 'code', 'no code')}: {error}"
    return None


def check(subject, case: dict) -> list[str]:
    """Play the case on `subject`; the failures, one line each."""
    expect = case["expect"]
    moves = steps(case)
    paid = []
    last = moves.pop() if "illegal" in expect else None
    for number, step in enumerate(moves, 1):
        treasury = dict(subject.facts()["treasury"])
        is_listed = step.token in subject.legal()
        reason = refusal(subject, step)
        if reason is not None:
            return [f"step {number} {step.player} {step.token}: expected to be legal, came {reason}"]
        if not is_listed:
            return [f"step {number} {step.player} {step.token}: expected in legal(), came accepted but not listed"]
        if step.token.startswith("build:"):
            company = step.token.split(":")[1]
            paid.append(treasury[company] - subject.facts()["treasury"][company])
    if last is not None:
        return check_refused(subject, last, expect)
    return check_expected(subject, case, paid)


def check_refused(subject, step: Step, expect: dict) -> list[str]:
    """The step must be refused, for the reason given, and change nothing."""
    what = f"{step.player} {step.token}"
    failures = []
    before = (subject.to_move(), sorted(subject.legal()), subject.facts())
    if subject.to_move() == step.seat and step.token in subject.legal():
        failures.append(f"{what}: expected not in legal(), came listed")
    reason = refusal(subject, step)
    if reason is None:
        return [*failures, f"{what}: expected refusal ({expect['illegal']}), came accepted"]
    if reason.split(":")[0] not in (expect["illegal_code"], "no code"):
        failures.append(f"{what}: expected {expect['illegal_code']}, came {reason}")
    if before != (subject.to_move(), sorted(subject.legal()), subject.facts()):
        failures.append(f"{what}: expected no change, came another position after the refusal")
    return failures


BY_COMPANY = ("treasury", "income", "supply", "supply_shares", "removed_shares")
WHOLE = ("house_supply", "track", "order", "column", "year", "over", "winners", "dividend", "next")


def check_expected(subject, case: dict, paid: list[int]) -> list[str]:
    """Compare what `expect` lists, and only that, with the position."""
    expect = case["expect"]
    facts = subject.facts()
    tokens = subject.legal()
    pairs = []  # (what, expected, came)
    for key, wanted in expect.items():
        if key in WHOLE:
            pairs.append((key, wanted, facts[key]))
            if key == "next":
                pairs.append(("to_move()", case["given"]["players"].index(wanted["player"]), subject.to_move()))
        elif key == "money" or key in BY_COMPANY:
            pairs += [(f"{key} {name}", value, facts[key][name]) for name, value in wanted.items()]
        elif key == "shares":
            for name, owned in wanted.items():
                pairs += [(f"shares {name} {c}", n, facts["shares"][name].get(c, 0)) for c, n in owned.items()]
        elif key == "cubes_at":
            for place, companies in wanted.items():
                came = facts["cubes_at"].get(HEX_OF_CITY.get(place, place), [])
                pairs.append((f"cubes_at {place}", sorted(companies), sorted(came)))
        elif key == "paid":
            pairs.append((key, wanted, paid))
        elif key == "options":
            pairs.append((key, sorted(option(text) for text in wanted), sorted(tokens)))
        elif key == "options_count":
            pairs.append((key, wanted, len(tokens)))
        elif key == "options_include":
            pairs += [(f"option {text}", True, option(text) in tokens) for text in wanted]
        elif key == "options_exclude":
            pairs += [(f"option {text}", False, option(text) in tokens) for text in wanted]
        else:
            pairs.append((key, "a key of section 12", "unknown to this check"))
    return [f"{what}: expected {wanted}, came {came}" for what, wanted, came in pairs if wanted != came]
