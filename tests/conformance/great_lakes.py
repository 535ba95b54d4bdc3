"""The Great Lakes: plays the cases of great_lakes.json on any implementation of rules GL-1 to GL-99.

A subject stands at the position a case gives (`given`) and has the methods
    to_move() -> seat 0..n-1, "chance" or "over"
    legal()   -> the tokens of all legal moves; at a chance node the outcomes
    play(token), which raises ValueError on an illegal move and then leaves the position as it was. Besides the moves of
                 legal() it takes any legal payment (GL-92): `pay:PAYMENT` where a payment is asked, and at a turn
                 `claim:NO:PAYMENT` and `harbour:CITY:PAYMENT`, which name it at once.
    facts()   -> a dict with the keys of `expect` in the words of the examples, all players present: score hands pieces
                 box row discard_train discard_ship harbours harbours_left routes tickets ticket_deck deck_sizes next
                 turns_left public final winners. No pile names a card of which it has none; `final` and `winners` are
                 those of a game that ended now; the shuffled part of the ticket deck may be in any order.
    payments(token) -> for a legal `claim:NO` or `harbour:CITY`: the canonical payments (GL-92), each {card: n}.
Chance is settled here: a deck that the case gives comes in its order, any other by the first outcome in the alphabet.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Case = dict[str, Any]

BOARD = json.loads((Path(__file__).resolve().parents[2] / "engine/boards/great_lakes.json").read_text(encoding="utf-8"))
ROUTE_NO = {route["id"]: route["no"] for route in BOARD["routes"]}
TICKET_NO = {ticket["id"]: ticket["no"] for ticket in BOARD["tickets"]}
KINDS = ("train", "train.h", "ship1", "ship2")
CARDS = (*(f"{colour}.{kind}" for colour in BOARD["cards"]["colours"] for kind in KINDS), "wild")
PIECE = {"trains": "train", "ships": "ship"}
QUESTIONS = ("list_payments", "final_score")


class Subject(Protocol):
    def to_move(self) -> int | str: ...

    def legal(self) -> list[str]: ...

    def play(self, token: str) -> None: ...

    def facts(self) -> dict[str, Any]: ...

    def payments(self, token: str) -> list[dict[str, int]]: ...


@dataclass(frozen=True)
class Step:
    """A move of a case, in one token or two; for a claim or a harbour the payment is apart."""

    seat: int
    tokens: tuple[str, ...]
    payment: str = ""


def check(subject: Subject, case: Case) -> list[str]:
    """The failures of the case, one line each; none when it passed."""
    decks = given_decks(case)
    moves = steps(case)
    is_illegal = "illegal" in case["expect"]
    for number, step in enumerate(moves[:-1] if is_illegal else moves, 1):
        failure = play(subject, step, decks)
        if failure:
            return [f"{case['id']} step {number} {' '.join(step.tokens)}: {failure}"]
    if is_illegal:
        return check_refused(subject, case, moves[-1])
    return check_expected(subject, case)


# --- steps -----------------------------------------------------------------------


def steps(case: Case) -> list[Step]:
    """The moves of the case; its questions change nothing and are left out."""
    return [
        Step(seat_of(step["by"]), move_tokens(step), payment_text(step.get("pay", {})))
        for step in case["do"]
        if step["action"] not in QUESTIONS
    ]


def move_tokens(step: dict[str, Any]) -> tuple[str, ...]:
    action = step["action"]
    if action == "keep_tickets":
        return ("ticket:keep:" + ",".join(map(str, sorted(TICKET_NO[ticket] for ticket in step["tickets"]))),)
    if action == "choose_pieces":
        return (f"pieces:{step['trains']}-{step['ships']}",)
    if action == "take":
        return (f"take:{step['card']}",)
    if action in ("refill", "blind"):
        return (f"{action}:{step['deck']}",)
    if action == "claim":
        return (f"claim:{ROUTE_NO[step['route']]}",)
    if action == "draw_tickets":
        return ("ticket:draw",)
    if action == "harbour":
        return (f"harbour:{step['city']}",)
    if action == "exchange":
        return (f"exchange:{PIECE[step['give']]}", f"amount:{step['count']}")
    if action == "pass":
        return ("pass",)
    raise ValueError(f"action: got {action!r}; expected one of section 13 of the rules")


def option_token(option: str) -> str:
    """The token of an option as `legal` and `not_legal` name it."""
    kind, _, what = option.partition(":")
    if kind == "claim":
        return f"claim:{ROUTE_NO[what]}"
    if kind == "exchange":
        return f"exchange:{PIECE[what]}"
    return "ticket:draw" if option == "draw_tickets" else option


def payment_text(payment: dict[str, int]) -> str:
    return "+".join(f"{card}.{payment[card]}" for card in CARDS if card in payment)


def seat_of(player: str) -> int:
    return int(player.removeprefix("P")) - 1


# --- playing ---------------------------------------------------------------------


def given_decks(case: Case) -> dict[str, list[str]]:
    """The decks that the case gives, from the top."""
    given = case["given"]
    return {
        "train": list(given.get("deck_train", [])),
        "ship": list(given.get("deck_ship", [])),
        "ticket": [str(TICKET_NO[ticket]) for ticket in given.get("ticket_deck", [])],
    }


def settle(subject: Subject, decks: dict[str, list[str]]) -> str | None:
    """Plays chance until a player is to move; says what went wrong, if anything did."""
    while subject.to_move() == "chance":
        outcomes = sorted(subject.legal())
        token = outcomes[0]
        name = "ticket" if ":ticket:" in token else "ship" if ".ship" in token else "train"
        deck = decks[name]
        if deck:
            token = token[: token.rindex(":") + 1] + deck.pop(0)
            if token not in outcomes:
                return f"expected {token} from the deck, got {' '.join(outcomes)}"
        subject.play(token)
    return None


def written(subject: Subject, step: Step) -> tuple[str, ...]:
    """The tokens of a step: a canonical payment as it is asked, any other in one token with what is bought."""
    if not step.payment:
        return step.tokens
    (bought,) = step.tokens
    canonical = []
    if bought in subject.legal():
        canonical = [payment_text(payment) for payment in subject.payments(bought)]
    if step.payment not in canonical:
        return (f"{bought}:{step.payment}",)
    return (bought,) if len(canonical) == 1 else (bought, f"pay:{step.payment}")


def play(subject: Subject, step: Step, decks: dict[str, list[str]]) -> str | None:
    """Plays a step that must be legal; says what went wrong, if anything did."""
    tokens = written(subject, step)
    for token in tokens:
        if subject.to_move() != step.seat:
            return f"expected seat {step.seat} to move, got {subject.to_move()}"
        names_payment = bool(step.payment) and token.count(":") == 2
        if not names_payment and token not in subject.legal():
            return f"expected {token} among the legal moves, got {' '.join(subject.legal())}"
        try:
            subject.play(token)
        except ValueError as error:
            return f"expected {token} to be accepted, got {error}"
    return settle(subject, decks)


# --- checks ----------------------------------------------------------------------


def check_refused(subject: Subject, case: Case, step: Step) -> list[str]:
    """The last step of an illegal case: not his turn, or one of its tokens is refused and changes nothing."""
    reason = case["expect"]["illegal"]
    if subject.to_move() not in (step.seat, "over"):
        return []
    tokens = written(subject, step)
    for token in tokens:
        before = (subject.to_move(), sorted(subject.legal()), subject.facts())
        try:
            subject.play(token)
        except ValueError:
            failures = []
            if token in before[1]:
                failures.append(f"{case['id']} {token}: expected it not to be offered ({reason}), got it in legal()")
            if (subject.to_move(), sorted(subject.legal()), subject.facts()) != before:
                failures.append(f"{case['id']} {token}: expected an unchanged position, got another one")
            return failures
    return [f"{case['id']} {' '.join(tokens)}: expected it to be refused ({reason}), got it played"]


def check_expected(subject: Subject, case: Case) -> list[str]:
    """Compares the keys given under `expect`, and inside an object only the entries given."""
    facts = subject.facts()
    legal = subject.legal()
    failures = []

    def compare(what: str, expected: object, got: object) -> None:
        if expected != got:
            failures.append(f"{case['id']} {what}: expected {expected}, got {got}")

    compare("legal moves named twice", [], sorted({token for token in legal if legal.count(token) > 1}))
    for key, expected in case["expect"].items():
        if key == "legal":
            compare("moves missing", [], [option for option in expected if option_token(option) not in legal])
        elif key == "not_legal":
            compare("moves too many", [], [option for option in expected if option_token(option) in legal])
        elif key == "payments":
            got = subject.payments(asked_payment(case))
            compare(key, sorted(map(payment_text, expected)), sorted(map(payment_text, got)))
        elif key == "row":
            compare(key, sorted(expected), sorted(facts[key]))
        elif key in ("routes", "tickets"):
            for player, names in expected.items():
                compare(f"{key} {player}", sorted(names), sorted(facts[key][player]))
        elif key == "final":
            for player, figures in expected.items():
                for name, value in figures.items():
                    compare(f"{key} {player} {name}", value, facts[key][player][name])
        elif key in ("score", "hands", "pieces", "box", "harbours", "harbours_left", "deck_sizes", "next", "public"):
            for entry, value in expected.items():
                compare(f"{key} {entry}", value, facts[key].get(entry))
        else:  # discard_train discard_ship ticket_deck turns_left winners: as a whole
            compare(key, expected, facts[key])
    return failures


def asked_payment(case: Case) -> str:
    """The purchase whose payments the case lists."""
    question = next(step for step in case["do"] if step["action"] == "list_payments")
    if "route" in question:
        return f"claim:{ROUTE_NO[question['route']]}"
    return f"harbour:{question['harbour_at']}"
