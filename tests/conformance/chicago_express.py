"""Chicago Express: plays the cases of chicago_express.json on any implementation of rules CE-1 to CE-104.

A subject stands at the position a case gives (`given`) and has the methods
    to_move() -> seat 0..n-1, or "over"
    legal()   -> the tokens of all legal moves
    play(token), which raises ValueError on an illegal move and then leaves the position as it was
    facts()   -> a dict with the keys of `expect` in the words of the examples, all entries present:
                 cash treasury income shares shares_left locomotives_left locomotives_on houses_left developed industry
                 dials wabash_founded general_dividends game_over winners decision, and in a bid decision auctioned and
                 min_bid. `shares` names no company of which the player holds none; `general_dividends` counts those
                 held since the position given (each moves Detroit one space, but for the one that ends the game).
The options are read from legal() and the player to move from to_move(): facts() need not repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Subject(Protocol):
    def to_move(self) -> int | str: ...

    def legal(self) -> list[str]: ...

    def play(self, token: str) -> None: ...

    def facts(self) -> dict: ...


@dataclass(frozen=True)
class Step:
    """A move of a case."""

    seat: int
    token: str


def check(subject: Subject, case: dict) -> list[str]:
    """The failures of the case, one line each; none when it passed."""
    failures = check_given(subject, case)
    moves = steps(case)
    is_illegal = "illegal" in case["expect"]
    accepted = moves[:-1] if is_illegal else moves
    for number, step in enumerate(accepted, 1):
        failure = play(subject, step)
        if failure:
            return [*failures, f"{case['id']} step {number} {step.token!r}: {failure}"]
    if is_illegal:
        return failures + check_refused(subject, case, moves[-1])
    return failures + check_expected(subject, case)


# --- steps -----------------------------------------------------------------------


def steps(case: dict) -> list[Step]:
    """The moves of the case as tokens; a placement takes its company from the step that chose it."""
    result = []
    company = ""
    for step in case["do"]:
        if step["move"] == "company":
            company = step["arg"]
        result.append(Step(seat_of(step["by"]), move_token(step["move"], str(step.get("arg", "")), company)))
    return result


def move_token(move: str, arg: str, company: str) -> str:
    """The token of a move of the examples; `company` is the one that builds."""
    if move in ("pass", "stop", "decline"):
        return move
    if move in ("bid", "dial"):
        return f"{move}:{arg}"
    if move == "offer":
        return f"offer:{company_token(arg)}"
    if move == "company":
        return f"build:{company_token(arg)}"
    if move == "place":
        return f"build:{company_token(company)}:{arg.lower()}"
    if move == "develop":
        return f"develop:{arg.lower()}"
    raise ValueError(f"move: got {move!r}; expected one of the decisions of the rules")


def option_tokens(case: dict, decision: str, options: list[str | int]) -> set[str]:
    """The tokens of the options an `expect` lists at a decision."""
    chosen = [step["arg"] for step in case["do"] if step["move"] == "company"]
    company = chosen[-1] if chosen else ""
    words = ("pass", "stop", "decline")
    return {move_token(str(o) if o in words else decision, str(o), company) for o in options}


def company_token(company: str) -> str:
    return company.lower().replace("&", "")


def seat_of(player: str) -> int:
    return int(player.removeprefix("P"))


# --- checks ----------------------------------------------------------------------


def check_given(subject: Subject, case: dict) -> list[str]:
    """The incomes stated under `given` are those of the subject (CE-6)."""
    failures = []
    incomes = subject.facts()["income"]
    for company, figures in case["given"].get("companies", {}).items():
        if "income" in figures and incomes[company] != figures["income"]:
            what = f"{case['id']} given income {company}"
            failures.append(f"{what}: expected {figures['income']}, got {incomes[company]}")
    return failures


def play(subject: Subject, step: Step) -> str | None:
    """Plays a step that must be legal; says what went wrong, if anything did."""
    if subject.to_move() != step.seat:
        return f"expected seat {step.seat} to move, got {subject.to_move()}"
    if step.token not in subject.legal():
        return f"expected it among the legal moves, got {' '.join(subject.legal())}"
    try:
        subject.play(step.token)
    except ValueError as error:
        return f"expected it to be accepted, got {error}"
    return None


def check_refused(subject: Subject, case: dict, step: Step) -> list[str]:
    """The last step of an illegal case: another player is to move, or the move is refused and changes nothing."""
    if subject.to_move() not in (step.seat, "over"):
        return []
    name = f"{case['id']} last step {step.token!r}"
    failures = []
    before = (subject.to_move(), sorted(subject.legal()), subject.facts())
    if step.token in subject.legal():
        failures.append(f"{name}: expected it not to be offered ({case['expect']['illegal']}), got it in legal()")
    try:
        subject.play(step.token)
    except ValueError:
        pass
    else:
        failures.append(f"{name}: expected it to be refused ({case['expect']['illegal']}), got it played")
    if (subject.to_move(), sorted(subject.legal()), subject.facts()) != before:
        failures.append(f"{name}: expected an unchanged position, got another one")
    return failures


def check_expected(subject: Subject, case: dict) -> list[str]:
    """Compares the keys given under `expect`, and inside an object only the entries given."""
    facts = subject.facts()
    failures = []

    def compare(what: str, expected: object, got: object) -> None:
        if expected != got:
            failures.append(f"{case['id']} {what}: expected {expected}, got {got}")

    legal = subject.legal()
    compare("legal moves named twice", [], sorted({token for token in legal if legal.count(token) > 1}))
    for key, expected in case["expect"].items():
        if key == "to_move":
            compare(key, seat_of(expected), subject.to_move())
        elif key == "game_over":
            compare(key, expected, facts["game_over"])
            compare("to_move is over", expected, subject.to_move() == "over")
        elif key == "options_count":
            compare(key, expected, len(legal))
        elif key == "options":
            compare(key, sorted(option_tokens(case, facts["decision"], expected)), sorted(legal))
        elif key == "options_include":
            compare("options missing", [], sorted(option_tokens(case, facts["decision"], expected) - set(legal)))
        elif key == "options_exclude":
            compare("options too many", [], sorted(option_tokens(case, facts["decision"], expected) & set(legal)))
        elif key == "developed":
            compare(key, sorted(expected), sorted(facts[key]))
        elif key == "locomotives_on":
            for hex_id, companies in expected.items():
                compare(f"{key} {hex_id}", sorted(companies), sorted(facts[key].get(hex_id, [])))
        elif isinstance(expected, dict):
            for entry, value in expected.items():
                compare(f"{key} {entry}", value, facts[key][entry])
        else:
            compare(key, expected, facts[key])
    return failures
