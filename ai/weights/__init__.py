"""The figures behind each game's judgement: one JSON file a game, by name, tuned by self-play."""
import json
from array import array
from functools import cache
from pathlib import Path

from railwright.engine.game import Game

HOME = Path(__file__).parent


@cache
def weights_of(game: Game) -> array:
    """The game's weights in the core's order; zeros for a game that has none yet."""
    path = HOME / f"{game.name}.json"
    named = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    assert set(named) == set(game.weights), f"{path.name}: expected exactly {' '.join(game.weights)}"
    return array("f", [float(named[name]) for name in game.weights] or [0.0])
