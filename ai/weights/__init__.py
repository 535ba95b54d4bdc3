"""The figures behind each game's judgement: one JSON file a game, by name, tuned by self-play."""
import json
from array import array
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from railwright.engine.game import Game, nearest

HOME = Path(__file__).parent


@cache
def own_weights(name: str) -> Mapping[str, float]:
    """The weights that come with a game."""
    path = HOME / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@cache
def own_switches(name: str) -> Mapping[str, float]:
    """The switches of the search that a game wants set otherwise than the core has them."""
    return json.loads((HOME / "switches.json").read_text(encoding="utf-8")).get(name, {})


def weights_of(game: Game, others: Mapping[str, float] | None = None) -> array:
    """The game's weights in the core's order; `others` take the place of its own by their names."""
    named = {**own_weights(game.name), **(others or {})}
    for name in named:
        if name not in game.weights:
            raise ValueError(f"weight {name!r}; expected one of {' '.join(game.weights)}{nearest(name, game.weights)}")
    missing = [name for name in game.weights if name not in named]
    assert not missing, f"{game.name}.json has no {' '.join(missing)}"
    return array("f", [float(named[name]) for name in game.weights])
