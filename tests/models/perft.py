"""Perft of a slow model: how many lines of play of a given length a position has.

    python tests/models/perft.py chicago-express --players 3 4 --moves bid:7 pass

One line per root move and the total, as the protocol's `perft` prints them. A line that ends before the depth because
the game is over counts as one; chance outcomes count as moves.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def load_model(game: str) -> ModuleType:
    """The module of the game's slow model, beside this file."""
    name = game.replace("-", "_")
    path = Path(__file__).resolve().with_name(f"{name}.py")
    if not path.is_file():
        raise ValueError(f"game {game!r} has no model; expected a file {path.name} beside perft.py")
    spec = importlib.util.spec_from_file_location(f"slow_model_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def load_board(game: str, path: Path | None = None) -> dict:
    """The parsed board file, by default the one in engine/boards."""
    path = path or ROOT / "engine" / "boards" / f"{game.replace('-', '_')}.json"
    if not path.is_file():
        raise ValueError(f"board {path.name} is not there; name one with --board")
    return json.loads(path.read_text(encoding="utf-8"))


def perft(model, depth: int) -> int:
    """The number of lines of `depth` moves, shorter ones that end the game included."""
    if depth == 0:
        return 1
    legal = model.legal()
    if not legal:
        return 1
    if depth == 1:
        return len(legal)
    return sum(perft(after(model, token), depth - 1) for token in legal)


def after(model, token: str):
    """A copy on which the move has been played."""
    successor = model.copy()
    successor.play(token)
    return successor


def parse_rules(text: str) -> dict[str, str]:
    """`k=v,...` as in the protocol."""
    rules = {}
    for pair in filter(None, text.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"rules: got {pair!r}; expected k=v")
        rules[name] = value
    return rules


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the lines of play below a position of a slow model.")
    parser.add_argument("game", help="the id of the game, such as chicago-express")
    parser.add_argument("depth", type=int, help="the length of the lines in moves")
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--board", type=Path, help="a board file (default: the game's in engine/boards)")
    parser.add_argument("--rules", default="", help="options of the game, k=v,...")
    parser.add_argument("--moves", nargs="*", default=[], help="moves played from the start before counting")
    arguments = parser.parse_args()
    if arguments.depth < 0:
        parser.error(f"depth: got {arguments.depth}; expected 0 or more")
    try:
        board = load_board(arguments.game, arguments.board)
        model = load_model(arguments.game).Model.new(board, arguments.players, parse_rules(arguments.rules))
        for token in arguments.moves:
            model.play(token)
    except ValueError as error:
        print(f"error {error}", file=sys.stderr)
        return 1
    counts = []
    if arguments.depth > 0:
        for token in model.legal():
            counts.append(perft(after(model, token), arguments.depth - 1))
            print(f"perft {token} {counts[-1]}", flush=True)
    print(f"perft total {sum(counts) if counts else 1}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
