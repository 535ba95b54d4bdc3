"""Plays the cases of a file in the form of the game's examples, on the core or on the slow model.

    python tests/conformance/run.py chicago-express tests/conformance/chicago_express.json [--model]

A line for each thing that came otherwise than expected, then `N passed, N failed`. Exit code 0: all passed; 1: some
failed; 2: the game or the file cannot be used, one line says why.
"""
from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:  # as a script; under pytest it is there
    sys.path.insert(0, str(TESTS))

from models.perft import load_board, load_model  # noqa: E402
from railwright.engine.games import game_called  # noqa: E402

Case = dict[str, Any]
KEYS = ("id", "given", "do", "expect")


def module_name(game: str) -> str:
    return game.replace("-", "_")


def checker_of(game: str) -> ModuleType:
    """The module that plays this game's cases on any subject."""
    return importlib.import_module(f"conformance.{module_name(game)}")


def subject_of(game: str, case: Case, is_model: bool) -> Any:
    """An implementation that stands at the position of the case."""
    if not is_model:
        return importlib.import_module(f"subjects.{module_name(game)}").given(case)
    checker = checker_of(game)
    board = checker.load_map(case) if hasattr(checker, "load_map") else load_board(game)
    position = checker.given(case) if hasattr(checker, "given") else case["given"]
    return load_model(game).Model.given(board, position)


def failures_of(game: str, case: Case, is_model: bool = False) -> list[str]:
    """What came otherwise than the case expects, a line each."""
    try:
        return checker_of(game).check(subject_of(game, case, is_model), case)
    except Exception as fault:  # a case that is no position or no move must not hide those behind it
        return [f"expected a case that can be played, got {type(fault).__name__}: {fault}"]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file; ValueError says what is wrong with it."""
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ValueError(f"file {path.name} cannot be read ({fault.strerror}); expected a JSON file of cases") from None
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"file {path.name}: {fault}; expected JSON") from None
    if not isinstance(cases, list):
        raise ValueError(f"file {path.name} holds no list; expected a list of cases")
    for number, case in enumerate(cases, 1):
        missing = [key for key in KEYS if not isinstance(case, dict) or key not in case]
        if missing:
            raise ValueError(f"file {path.name}: case {number} has no {missing[0]!r}; expected {', '.join(KEYS)}")
    return cases


def run(game: str, cases: list[Case], is_model: bool) -> int:
    """Prints what failed and the sum; the number of cases that failed."""
    failed = 0
    for case in cases:
        failures = failures_of(game, case, is_model)
        failed += bool(failures)
        for failure in failures:
            print(f"{case['id']}: {failure.removeprefix(str(case['id'])).lstrip(' :')}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description="Plays conformance cases and says which fail.")
    parser.add_argument("game", help="the id of the game, such as chicago-express")
    parser.add_argument("file", type=Path, help="a JSON file of cases")
    parser.add_argument("--model", action="store_true", help="on the slow model instead of the core")
    arguments = parser.parse_args()
    try:
        game_called(arguments.game)
        cases = read_cases(arguments.file)
    except ValueError as fault:
        print(f"error {fault}", file=sys.stderr)
        return 2
    return 1 if run(arguments.game, cases, arguments.model) else 0


if __name__ == "__main__":
    sys.exit(main())
