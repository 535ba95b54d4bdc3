"""The list of agents, and how one is made."""
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from railwright.ai.agent import Agent
from railwright.engine.game import Game, nearest


@dataclass(frozen=True)
class Settings:
    """What every agent may be told; the options of the protocol."""
    seed: int = 0
    threads: int = 1
    hash_mib: int = 64
    level: int = 10
    search: Mapping[str, str] = field(default_factory=dict)         # switches of the search, by name
    weights: Mapping[str, float] = field(default_factory=dict)      # in place of the game's own, by name


def make_ismcts(settings: Settings) -> Agent:
    from railwright.ai.ismcts import Ismcts, switches_of
    from railwright.ai.levels import FULL, Levelled
    full = Ismcts(settings.seed, settings.threads, settings.hash_mib, switches_of(settings.search), settings.weights)
    return full if settings.level == FULL else Levelled(full, settings.level, settings.seed)


def make_heuristic(settings: Settings) -> Agent:
    from railwright.ai.heuristic import Heuristic
    return Heuristic(settings.weights)


def make_random(settings: Settings) -> Agent:
    from railwright.ai.simple import Random
    return Random(settings.seed)


def make_greedy(settings: Settings) -> Agent:
    from railwright.ai.simple import Greedy
    return Greedy(settings.seed)


def make_mcts_simple(settings: Settings) -> Agent:
    from railwright.ai.baseline import MctsSimple  # its package loads slowly
    return MctsSimple(settings.seed, settings.hash_mib)


AGENTS: dict[str, Callable[[Settings], Agent]] = {
    "ismcts": make_ismcts, "heuristic": make_heuristic, "greedy": make_greedy, "random": make_random, "mcts-simple": make_mcts_simple,
}
NEED_JUDGEMENT = ("ismcts", "heuristic")        # they think with the game's own evaluation


def agents_for(game: Game) -> dict[str, Callable[[Settings], Agent]]:
    """The agents that can play this game, strongest first: those for all games, and its own families."""
    return {name: make for name, make in AGENTS.items() if game.weights or name not in NEED_JUDGEMENT} | family_of(game)


def family_of(game: Game) -> dict[str, Callable[[Settings], Agent]]:
    """A game's own opponents, from its module in ai/families; most games need none."""
    module = f"railwright.ai.families.{game.name.replace('-', '_')}"
    return import_module(module).AGENTS if find_spec(module) else {}


def make_agent(name: str, game: Game, settings: Settings) -> Agent:
    known = agents_for(game)
    if name not in known:
        raise ValueError(f"agent {name!r}; expected one of {' '.join(known)}{nearest(name, list(known))}")
    return known[name](settings)
