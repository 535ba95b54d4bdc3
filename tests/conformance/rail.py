"""RAIL: plays the cases of rail.json on any implementation of rules RL-1 to RL-70.

Build the subject at `given(case)`, not at `case["given"]`: it adds what the actions of a few cases take for granted.
A subject has the methods
    to_move() -> seat 0..n-1, "chance" or "over"
    legal()   -> the tokens of all legal moves, at a chance node those of the outcomes
    play(token), which raises ValueError on an illegal move and then leaves the position as it was
    facts()   -> a dict with all keys of `expect` but `illegal`, `draw` and `entries`, which are read from legal().
Players go by their names in the case. Of the facts, build_cost, fees_paid and bonus add up what was built since the
position given; race_pips, fees_due, net_payments, prizes, income, budget (the limits as the race ended) and race_over
speak of the race that runs or, until the next goal is drawn, of the last one; `special` asks only whether
race_number is a special one (RL-66); `candidates` has the player who names a route now; a joint train goes by its
proposer. An account or point that a dict does not name is 0. Where a refusal begins with a reason code, it is compared.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

MAPS = Path(__file__).resolve().parents[2] / "engine" / "boards" / "rail"

# A route token without suffix pays the default payees, so the protocol knows no route that leaves the payee open.
CANNOT_BE_SAID = {"payee-not-named"}


class Subject(Protocol):
    def to_move(self) -> int | str: ...

    def legal(self) -> list[str]: ...

    def play(self, token: str) -> None: ...

    def facts(self) -> dict: ...


@dataclass(frozen=True)
class Step:
    """A move of a case; the seat is None for a chance outcome."""

    seat: int | None
    token: str


def load_map(case: dict) -> dict:
    return json.loads((MAPS / f"{case['given']['map']}.json").read_text(encoding="utf-8"))


def given(case: dict) -> dict:
    """The position of the case, with what its actions take for granted."""
    result = dict(case["given"])
    actions = [action["action"] for action in case["do"]]
    board = load_map(case)
    if "draw_special" in actions and "race_number" not in result:  # a race with such a number
        result["race_number"] = board["special_races"]["every"]
    if "roll_joint_line" in actions and "tracks" not in result:  # RL-58: two networks with a hex in common
        city = next(c for c in board["cities"] if c["name"] == board["start_cities"][0])
        line = [[city["hex"], next_land(board, city["hex"])]]
        result["starts"] = dict.fromkeys(result["players"], city["name"])
        result["tracks"] = dict.fromkeys(result["players"], line)
    if case["id"] == "used-number-18":  # RL-29: a start from which no goal qualifies is never drawn, so there is a further goal
        result["tracks"] = result["tracks"] | {"B": [["1215", "1214", "1314"]]}
    return result


def next_land(board: dict, hex_id: str) -> str:
    """A plain hex west or east of another."""
    row, column = int(hex_id[:2]), int(hex_id[2:])
    for beside in (column - 1, column + 1):
        if 1 <= beside <= board["columns"] and board["grid"][row - 1][beside - 1] == ".":
            return f"{row:02}{beside:02}"
    raise ValueError(f"hex {hex_id}: expected plain land west or east of it")


# --- steps -----------------------------------------------------------------------


def steps(case: dict, action: dict, subject: Subject) -> list[Step]:
    """The moves of one action of the case at the subject's position; questions and `settle` are none."""
    places = place_hexes(case)
    names = case["given"]["players"]
    kind = action["action"]
    seat = names.index(action["player"]) if "player" in action else None
    if kind == "choose_start":
        throw = [Step(None, subject.legal()[0])] if subject.to_move() == "chance" else []  # RL-7: any throw will do
        return [*throw, Step(seat, f"start:{places.get(action['city'], action['city'])}")]
    if kind == "roll":
        return [Step(None, f"throw:{sum(action['dice'])}")]
    if kind == "roll_joint_line":
        (proposer, first), (partner, second) = action["dice"].items()
        return [
            Step(None, f"throw:{sum(first)}"),
            Step(names.index(proposer), f"joint:{names.index(partner) + 1}"),
            Step(names.index(partner), "accept"),
            Step(None, f"throw:{sum(second)}"),
        ]
    if kind in ("build", "build_joint"):
        builder = seat if kind == "build" else names.index(action["players"][0])
        path = [places.get(place, place) for place in action["path"]]
        return [Step(builder, f"build:{u}-{v}") for u, v in pairwise(path)]
    if kind == "end_build":
        return [Step(seat, "end")]
    if kind == "declare_end":
        return [Step(seat, "declare")]
    if kind == "buy_ferry":
        return [Step(seat, f"ferry:{action['ferry'].lower()}")]
    if kind in ("draw_start", "draw_goal", "draw_special"):
        step = Step(None, draw_token(kind, action["dice"]))
        return [step] if step.token in subject.legal() else []  # else it is thrown again
    if kind == "enter":
        return [Step(seat, "alone")]
    if kind == "enter_joint":
        partner = names.index(action["partner"])
        offer = Step(seat, f"joint:{partner + 1}")
        return [offer] if "illegal" in case["expect"] else [offer, Step(partner, "accept")]
    if kind in ("route", "reroute"):
        token = "route:" + "-".join(places.get(place, place) for place in action["path"])
        for line, payee in action.get("pay", {}).items():
            token += f":{line}+{names.index(payee) + 1}"
        return [Step(seat, token)]
    if kind == "withdraw":
        return [Step(seat, "withdraw")]
    if kind == "throw_round":
        return [Step(None, f"die:{action['throws'][name]}") for name in running_order(case) if name in action["throws"]]
    if kind in ("settle", "is_special", "entries", "candidates"):
        return []
    raise ValueError(f"action: got {kind!r}; expected one of those of section 12")


def draw_token(kind: str, dice: list[int]) -> str:
    """RL-27: red is tens, white is ones; RL-67: the red die and whether the white one is even (J) or odd (U)."""
    if kind == "draw_start":
        return f"from:{dice[0]}{dice[1]}"
    if kind == "draw_goal":
        return f"to:{dice[0]}{dice[1]}"
    if len(dice) == 1:
        return f"to:{dice[0]}"
    return f"to:{dice[0]}{'j' if dice[1] % 2 == 0 else 'u'}"


def running_order(case: dict) -> list[str]:
    return case["given"]["race"]["entered"]


def place_hexes(case: dict) -> dict[str, str]:
    board = load_map(case)
    places = [*board["cities"], *board.get("ports", []), *board.get("landings", [])]
    return {place["name"]: place["hex"] for place in places}


# --- checks ----------------------------------------------------------------------


def check(subject: Subject, case: dict) -> list[str]:
    """The failures of the case, one line each; none when it passed."""
    if case["id"] in CANNOT_BE_SAID:
        return []
    is_illegal = "illegal" in case["expect"]
    answers: dict = {}  # to the questions that are asked on the way
    for number, action in enumerate(case["do"], 1):
        name = f"{case['id']} action {number} {action['action']}"
        try:
            moves = steps(case, action, subject)
        except ValueError as error:
            return [f"{name}: {error}"]
        if action["action"].startswith("draw_"):
            answers["draw"], answers["goals"] = draw_answer(case, action, subject, bool(moves))
        if action["action"] == "entries":
            answers["entries"] = {action["player"]: entry_words(case, subject)}
        is_last = is_illegal and number == len(case["do"])
        for step in moves[:-1] if is_last else moves:
            failure = play(subject, step)
            if failure:
                return [f"{name}: {failure}"]
        if is_last:
            return check_refused(subject, case, moves[-1])
        if action["action"] == "draw_special" and moves:
            answers["goals"] = subject.facts()["goals"]
    return check_expected(subject, case, answers)


def draw_answer(case: dict, action: dict, subject: Subject, is_taken: bool) -> tuple[str, list[str]]:
    """What the throw draws: a city, the label of a row of the table, `again`, or `none` in a game that is over."""
    if not is_taken:
        return ("none" if subject.to_move() == "over" else "again"), []
    board = load_map(case)
    result = draw_token(action["action"], action["dice"]).partition(":")[2]
    if action["action"] == "draw_special":
        return next(row["label"] for row in board["special_races"]["table"] if row["roll"].lower() == result), []
    return next(city["name"] for city in board["cities"] if int(result) in city["numbers"]), []


def entry_words(case: dict, subject: Subject) -> list[str]:
    """The options of the enter step: `out`, `alone`, `joint Q` by seat."""
    words = [token for token in ("out", "alone") if token in subject.legal()]
    for seat, name in enumerate(case["given"]["players"]):
        if f"joint:{seat + 1}" in subject.legal():
            words.append(f"joint {name}")
    return words


def play(subject: Subject, step: Step) -> str | None:
    """Plays a step that must be legal; says what went wrong, if anything did. A route need not be a candidate."""
    mover = "chance" if step.seat is None else step.seat
    if subject.to_move() != mover:
        return f"{step.token!r}: expected {mover} to move, got {subject.to_move()}"
    is_listed = not step.token.startswith(("route:", "build:"))  # these are accepted in other words, too
    if is_listed and step.token not in subject.legal():
        return f"{step.token!r}: expected it among the legal moves, got {' '.join(subject.legal())}"
    try:
        subject.play(step.token)
    except ValueError as error:
        return f"{step.token!r}: expected it to be accepted, got {error}"
    return None


def check_refused(subject: Subject, case: dict, step: Step) -> list[str]:
    """The last step of an illegal case: another player is to move, or the move is refused and changes nothing."""
    reason = case["expect"]["illegal"]
    name = f"{case['id']} last step {step.token!r}"
    if reason == "not-your-turn":
        return [] if subject.to_move() != step.seat else [f"{name}: expected another player to move, got this one"]
    if subject.to_move() != step.seat:
        return [f"{name}: expected seat {step.seat} to move, got {subject.to_move()}"]
    failures = []
    before = (subject.to_move(), sorted(subject.legal()), subject.facts())
    if step.token in subject.legal():
        failures.append(f"{name}: expected it not to be offered ({reason}), got it in legal()")
    try:
        subject.play(step.token)
    except ValueError as error:
        code = str(error).partition(":")[0]
        if code in REASONS and code != reason:
            failures.append(f"{name}: expected the reason {reason}, got {error}")
    else:
        failures.append(f"{name}: expected it to be refused ({reason}), got it played")
    if (subject.to_move(), sorted(subject.legal()), subject.facts()) != before:
        failures.append(f"{name}: expected an unchanged position, got another one")
    return failures


def check_expected(subject: Subject, case: dict, answers: dict) -> list[str]:
    """Compares the keys given under `expect`."""
    facts = {**subject.facts(), **answers}
    failures = []
    for key, expected in case["expect"].items():
        got = facts[key]
        if key in ("accounts", "to_go", "race_pips"):  # only the players named
            got = {name: got.get(name, 0) for name in expected}
        elif isinstance(expected, dict):
            expected, got = without_nothing(expected), without_nothing(got)
        if expected != got:
            failures.append(f"{case['id']} {key}: expected {expected}, got {got}")
    if "game_over" in case["expect"] and case["expect"]["game_over"] != (subject.to_move() == "over"):
        failures.append(f"{case['id']} to_move: got {subject.to_move()}")
    legal = subject.legal()
    for token in sorted({token for token in legal if legal.count(token) > 1}):
        failures.append(f"{case['id']}: legal() names {token!r} twice")
    return failures


def without_nothing(value: object) -> object:
    """A dict without entries that are 0, {} or None, also inside."""
    if not isinstance(value, dict):
        return value
    inside = {key: without_nothing(entry) for key, entry in value.items()}
    return {key: entry for key, entry in inside.items() if entry not in (0, {}, None)}


REASONS = [
    "not-your-turn", "not-adjacent", "not-connected-to-own-network", "water-or-off-limits", "blocked-edge", "line-ends-abroad",
    "border", "already-built", "start-direction-taken", "not-enough-pips", "cannot-pay-fee", "over-expansion-limit",
    "start-already-chosen", "not-a-start-city", "wrong-number-of-dice", "more-than-one-city-open", "no-city-open",
    "already-declared", "no-such-ferry", "advanced-rules-off", "ferry-already-owned", "port-not-reached", "ferry-limit",
    "ferry-same-port", "joint-needs-three-players", "route-does-not-begin-at-start", "route-does-not-end-at-goal",
    "route-repeats-a-hex", "no-through-running-abroad", "no-track", "say-which-line-is-used", "no-own-track-on-route",
    "more-than-10-to-one-rival", "no-such-place",
]
