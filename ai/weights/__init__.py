"""The figures behind each game's judgement: one JSON file a game, by name, tuned by self-play."""
import json
from array import array
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from railwright.engine.game import Game, nearest

HOME = Path(__file__).parent


def weights_of(game: Game, overrides: Mapping[str, float] | None = None) -> array:
    """The game's weights in the core's order, some of them replaced by name; zeros for a game that has none yet."""
    named = file_weights(game)
    for name in overrides or {}:
        if name not in named:
            expected = f"one of {' '.join(named)}{nearest(name, list(named))}" if named else f"none, {game.name} has no weights"
            raise ValueError(f"weight {name!r}; expected {expected}")
    named = {**named, **(overrides or {})}
    return array("f", [named[name] for name in game.weights] or [0.0])


@cache
def file_weights(game: Game) -> dict[str, float]:
    """The weights of the game's file by name; not to be changed by the caller."""
    path = weights_path(game)
    named = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    assert set(named) == set(game.weights), f"{path.name}: expected exactly {' '.join(game.weights)}"
    return {name: float(named[name]) for name in game.weights}


def weights_path(game: Game) -> Path:
    return HOME / f"{game.name}.json"
