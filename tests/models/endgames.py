"""The exact outcome of small endgames, by plain max^n over a slow model: python tests/models/endgames.py chicago-express

Fills in `expected` of every case in tests/endgames/<game>.json. Everybody wants the largest share of the win, then the
largest lead over his best rival, then the first move of the list; a pass stands at the end of the list.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from perft import load_board, load_model

HOME = Path(__file__).resolve().parents[1] / "endgames"


@dataclass
class Outcome:
    """Where perfect play leads from a position."""

    scores: list[int]
    winners: list[int]
    line: list[str]

    def worth(self, seat: int) -> tuple[float, int]:
        """What a seat wants: the win, then the lead."""
        share = 1 / len(self.winners) if seat in self.winners else 0.0
        return share, self.scores[seat] - max(score for other, score in enumerate(self.scores) if other != seat)


def key_of(thing: Any) -> Any:
    """Everything that a model holds, in a form that can be looked up; the board's own data never changes."""
    if is_dataclass(thing):
        return tuple(key_of(getattr(thing, field.name)) for field in fields(thing))
    if isinstance(thing, dict):
        return tuple((name, key_of(value)) for name, value in thing.items())
    if isinstance(thing, (list, tuple)):
        return tuple(map(key_of, thing))
    return frozenset(thing) if isinstance(thing, set) else thing


def position_key(model: Any) -> Any:
    still = {"board", "hexes", "companies", "city_at", "track"}
    tracks = tuple(frozenset(hexes) for hexes in model.track.values())  # the order of building does not matter
    return tracks, tuple(key_of(value) for name, value in vars(model).items() if name not in still)


def solve(model: Any, known: dict[Any, Outcome]) -> Outcome:
    seat = model.to_move()
    if seat == "over":
        return Outcome(model.scores(), model.winners(), [])
    key = position_key(model)
    if key not in known:
        best: Outcome | None = None
        for token in sorted(model.legal(), key=lambda token: token == "pass"):
            after = model.copy()
            after.play(token)
            found = solve(after, known)
            if best is None or found.worth(seat) > best.worth(seat):
                best = Outcome(found.scores, found.winners, [token, *found.line])
        assert best is not None
        known[key] = best
    return known[key]


def expected(game: str, case: dict[str, Any]) -> dict[str, Any]:
    """What the case has to come to."""
    model = load_model(game).Model.given(load_board(game), case["given"])
    for token in case.get("moves", []):
        model.play(token)
    known: dict[Any, Outcome] = {}
    outcome = solve(model, known)
    return {"scores": outcome.scores, "winners": outcome.winners, "line": outcome.line, "positions": len(known)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Works the endgames out again and writes them back.")
    parser.add_argument("game", help="the id of the game, such as chicago-express")
    path = HOME / f"{parser.parse_args().game.replace('-', '_')}.json"
    if not path.is_file():
        print(f"error no endgames {path.name}; expected a file in tests/endgames", file=sys.stderr)
        return 1
    cases = json.loads(path.read_text(encoding="utf-8"))
    for case in cases:
        case["expected"] = expected(parser.parse_args().game, case)
        print(f"{case['expected']['positions']:8} positions  {case['name']}", flush=True)
    rows = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    path.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
