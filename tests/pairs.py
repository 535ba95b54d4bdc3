"""The two implementations of every game side by side: the core and the slow model, and the files both are held to."""
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from models import perft as slow
from railwright.engine.game import Rules
from railwright.engine.games import GAMES, load_chart
from railwright.engine.table import Table, rules_text

HERE = Path(__file__).parent


def file_name(game: str) -> str:
    return game.replace("-", "_")


def data_file(folder: str, game: str) -> list[dict[str, Any]]:
    """What a folder of tests holds about a game; nothing where it has no file."""
    path = HERE / folder / f"{file_name(game)}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


@cache
def model_module(game: str) -> ModuleType:
    return slow.load_model(game)


def games_with_model() -> list[str]:
    return [game for game in GAMES if (HERE / "models" / f"{file_name(game)}.py").is_file()]


def new_model(game: str, players: int, rules: Rules, board: str | None = None) -> Any:
    return model_module(game).Model.new(load_chart(GAMES[game], board).data, players, dict(rules))


def setting(table: Table) -> str:
    """What it takes to set a table up again, for messages."""
    return f"{table.game.name} players {table.players} map {table.chart.name} rules {rules_text(table.rules)}"


# --- random play -----------------------------------------------------------------
def any_move(rng: Random, legal: Sequence[str]) -> str:
    return rng.choice(legal)


def any_kind(rng: Random, legal: Sequence[str]) -> str:
    """The kind of the move first: a kind with few moves would otherwise hardly ever be played."""
    kind = rng.choice(sorted({token.partition(":")[0] for token in legal}))
    return rng.choice([token for token in legal if token.partition(":")[0] == kind])


def eager(rng: Random, legal: Sequence[str]) -> str:
    """Never idle, and mostly the first building move in the alphabet: hexes in the west, where Chicago is, come first."""
    doing = [token for token in legal if token not in IDLE] or legal
    building = [token for token in doing if token.startswith("build:")]
    return min(building) if building and rng.random() < 0.8 else rng.choice(doing)


IDLE = ("decline", "pass", "stop")
MANNERS = (any_move, any_kind, eager)
