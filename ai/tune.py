"""Tunes the named weights of a game by self-play: `python -m railwright.ai.tune GAME`.

Simultaneous perturbation (SPSA, Spall 1992): each step shakes all weights at once, up or down, and lets the shaken
ones play against their mirror image, seats rotated over the same starts and both ways round; the weights then move a
little towards the side that did better. The mean over the second half of the steps plays a confirmation match against
the old weights, and goes into the game's file only if its interval is clear above par. Weights that the agent does not
use only wander (the heuristic makes no playouts): name those that count with --only.
"""
import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from railwright.ai.arena import WEIGHT, ArenaFault, Log, Match, Workers, derived, match_of, run, whole_sets
from railwright.ai.standings import Played, Standing, standings
from railwright.ai.weights import HOME, own_weights
from railwright.engine.game import Game, nearest
from railwright.engine.games import game_called
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

SHAKE = 0.15                    # of a weight's size, at the first step
GAIN = 0.04                     # how far a whole win moves the weights at the first step, in parts of their size
SHAKE_FADES, GAIN_FADES = 0.101, 0.602      # Spall's exponents
STILL = 0.1                     # of the steps: as long the gain hardly fades
ZERO_SIZE = 0.1                 # what a weight of zero is shaken by, having no size of its own
OPENING = 12                    # decisions by lot before the weights play: agents without a seed would play one game for ever
DIGITS = 5                      # a weight is written with

Weights = dict[str, float]
Duel = Callable[[Weights, Weights, int], float]     # how much better the first did, -1 to 1; the last is the step


# --- the method, free of games ---------------------------------------------------
@dataclass
class State:
    """Where the tuning stands; what a state file holds."""
    game: str
    agent: str
    players: int
    nodes: int | None
    seed: int
    steps: int                          # in all
    old: Weights                        # all of the game, as they were
    only: list[str]                     # the names that are tuned
    now: Weights = field(default_factory=dict)
    mean: Weights = field(default_factory=dict)     # over the second half of the steps
    step: int = 0                       # steps made
    trail: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = self.now or dict(self.old)
        self.mean = self.mean or dict(self.old)

    def sizes(self) -> Weights:
        return {name: abs(self.old[name]) or ZERO_SIZE for name in self.only}


def make_step(state: State, duel: Duel) -> None:
    """Shakes the weights, lets the two sides play, and moves the weights towards the better one."""
    k, sizes = state.step, state.sizes()
    signs = {name: 1 if derived(state.seed, k, i) & 1 else -1 for i, name in enumerate(state.only)}
    shake = SHAKE / (k + 1) ** SHAKE_FADES
    gain = GAIN * fading(k, state.steps)
    result = duel(moved(state.now, sizes, signs, shake), moved(state.now, sizes, signs, -shake), k)
    state.now = moved(state.now, sizes, signs, gain * result)
    state.step += 1
    state.trail.append(round(result, 4))
    averaged = state.step - state.steps // 2
    if averaged > 0:
        state.mean = {name: old + (state.now[name] - old) / averaged for name, old in state.mean.items()}


def fading(step: int, steps: int) -> float:
    still = STILL * steps + 1
    return (still / (still + step)) ** GAIN_FADES


def moved(weights: Weights, sizes: Weights, signs: Mapping[str, int], part: float) -> Weights:
    """The weights, some of them moved by a part of their size."""
    return weights | {name: weights[name] + signs[name] * part * sizes[name] for name in sizes}


# --- self-play -------------------------------------------------------------------
def duel_by(state: State, workers: Workers, sets: int = 1) -> Duel:
    """The duel of two sets of weights at the table: each is once alone against all others."""
    def duel(first: Weights, second: Weights, step: int) -> float:
        gains = []
        for hero, others in ((first, second), (second, first)):
            match = match_between(state, hero, others, derived(state.seed, step))
            gains.append(gain_of(run(match, sets * match.players, workers).games))
        return (gains[0] - gains[1]) / 2
    return duel


def match_between(state: State, hero: Weights, others: Weights, seed: int) -> Match:
    agents = ",".join(spec(state.agent, weights) for weights in (hero, others))
    return match_of(state.game, agents, state.players, seed, nodes=state.nodes, opening=OPENING)


def spec(agent: str, weights: Weights) -> str:
    return agent + "".join(f"@{WEIGHT}{name}={value:.{DIGITS}g}" for name, value in weights.items())


def gain_of(games: Sequence[Played]) -> float:
    """How far the hero is above par, -1 to 1: half by wins, half by ranks, which are less noisy."""
    total = 0.0
    for played in games:
        n, seat = len(played.seats), played.seats.index(0)
        total += (played.wins[seat] - 1 / n) * n / (n - 1) / 2 + (1 - 2 * (played.ranks()[seat] - 1) / (n - 1)) / 2
    return max(-1.0, min(1.0, total / len(games)))


def confirm(state: State, games: int, workers: Workers, log: Path, progress: Callable[[int], None]) -> Standing:
    """How the new weights do in one seat against the old ones in all others."""
    match = match_between(state, state.mean, state.old, derived(state.seed, state.steps, 1))
    result = run(match, games, workers, Log(log, match), progress=lambda so_far: progress(len(so_far.games)))
    return standings(["new weights", "old weights"], result.games)[0]


# --- files -----------------------------------------------------------------------
def save(path: Path, content: object) -> None:
    """Replaces the file as a whole: at any moment it holds the old content or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with open(beside, "w", encoding="utf-8") as file:
        file.write(json.dumps(content, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def load(path: Path, begun: State) -> State:
    """The state of a file, if it belongs to the same command."""
    try:
        state = State(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        raise ValueError(f"state {path}: is no state of a tuning; expected one, or a new file") from None
    for name in ("game", "agent", "players", "nodes", "seed", "steps", "only", "old"):
        there, here = getattr(state, name), getattr(begun, name)
        if there != here:
            raise ValueError(f"state {path}: holds another tuning ({name} {there}, not {here}); expected the same command, or another file")
    return state


def names_of(game: Game, only: str | None) -> list[str]:
    """The weights that are tuned."""
    if not game.weights:
        raise ValueError(f"{game.name} has no weights; expected a game with some")
    names = only.split(",") if only else list(game.weights)
    for name in names:
        if name not in game.weights:
            raise ValueError(f"weight {name!r}; expected one of {' '.join(game.weights)}{nearest(name, game.weights)}")
    return names


def written(weights: Weights) -> Weights:
    return {name: float(f"{value:.{DIGITS}g}") for name, value in weights.items()}


# --- the command -----------------------------------------------------------------
def begin(options: argparse.Namespace) -> State:
    game = game_called(options.game)
    low, high = game.players
    players = options.players or max(low, min(high, 4))
    nodes = options.nodes or (1 if options.agent != "ismcts" else 1000)
    steps = max(1, options.games // (2 * players))
    return State(game.name, options.agent, players, nodes, options.seed, steps, dict(own_weights(game.name)), names_of(game, options.only))


def tune(options: argparse.Namespace, talk: Console) -> str:
    """The whole run; what came out, in words."""
    begun = begin(options)
    path = options.resume or Path("arena") / f"tune-{begun.game}-{begun.agent}.json"
    state = load(path, begun) if path.exists() else begun
    talk.print(f"state {path}: {state.step} of {state.steps} steps made", markup=False)
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                   console=talk, disable=not talk.is_terminal)
    with Workers(options.workers) as workers, bar:
        task = bar.add_task("steps", total=state.steps, completed=state.step)
        duel = duel_by(state, workers)
        while state.step < state.steps:
            make_step(state, duel)
            save(path, asdict(state))
            bar.update(task, completed=state.step)
        match = bar.add_task("confirmation", total=whole_sets(options.confirm, state.players))
        found = confirm(state, options.confirm, workers, path.with_suffix(".games.jsonl"), lambda n: bar.update(match, completed=n))
    return finish(state, found)


def finish(state: State, found: Standing) -> str:
    """Writes the weights if they are better, and says what was found."""
    new = written(state.mean)
    lines = [f"{name:24} {state.old[name]:10.5g} -> {new[name]:10.5g}" for name in state.only]
    figures = (f"new against old: {100 * found.share:.1f} % of {found.games} games ({100 * found.low:.1f}-{100 * found.high:.1f}), "
               f"par {100 * found.par:.1f} %")
    target = HOME / f"{state.game}.json"
    if found.is_above_par:
        save(target, new)
        return "\n".join([*lines, figures, f"better: written to {target}"])
    return "\n".join([*lines, figures, f"not clearly better: {target.name} stays as it is"])


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m railwright.ai.tune", description="Tunes a game's weights by self-play.")
    result.add_argument("game")
    result.add_argument("--agent", default="heuristic", choices=("greedy", "heuristic", "ismcts"))
    result.add_argument("--games", type=positive, default=2000, help="games of the tuning; a step takes two sets")
    result.add_argument("--confirm", type=positive, default=400, help="games of the match old against new at the end")
    result.add_argument("--players", type=positive, help="players at the table; 4 when left out")
    result.add_argument("--nodes", type=positive, help="nodes a move")
    result.add_argument("--seed", type=int, default=0)
    result.add_argument("--workers", type=positive, default=2)
    result.add_argument("--only", metavar="NAME,NAME", help="tune these weights only")
    result.add_argument("--resume", type=Path, metavar="FILE", help="the state file; the same command goes on where it stopped")
    return result


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}; expected a whole number from 1")
    return int(text)


def main(words: Sequence[str] | None = None) -> int:
    talk = Console(stderr=True, soft_wrap=True, highlight=False)
    try:
        print(tune(parser().parse_args(words), talk))
    except (ValueError, ArenaFault, OSError) as fault:
        talk.print(f"error {fault}", markup=False)
        return 1
    except KeyboardInterrupt:
        talk.print("stopped; the same command goes on from here", markup=False)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
