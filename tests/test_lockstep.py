"""The slow model and the core play the same random games side by side and must agree at every decision."""
import importlib
from dataclasses import dataclass
from itertools import count
from random import Random

import pytest
from conformance.run import subject_of
from pairs import MANNERS, data_file, file_name, games_with_model, new_model, setting
from railwright.engine.games import GAMES
from railwright.engine.table import Table


@dataclass(frozen=True)
class Pace:
    """How much of a game is played: slow models play fewer games."""
    games: int                  # in an ordinary run
    soak: int                   # with the marker `slow`
    moves: int = 1_000_000      # of one game
    case_moves: int = 1_000_000     # of a game from the position of a case
    facts_every: int = 0        # moves between two comparisons of all facts; 0: never


PACES = {"chicago-express": Pace(100, 2000, facts_every=25)}
USUAL = Pace(6, 200, 1500, 60)
BATCH = 10                      # games of one test
CASES = {f"{game} {case['id']}": (game, case) for game in games_with_model() for case in data_file("conformance", game)}


def pace(game):
    return PACES.get(game, USUAL)


def batches(is_soak):
    """(game, first seed): each a test of its own, so that they can run beside each other."""
    return [(game, first) for game in games_with_model()
            for first in range(0, pace(game).soak if is_soak else pace(game).games, BATCH)]


def new_table(game, seed, rng):
    """A table of every size and on every board in turn; every other game with an option of the rules changed."""
    low, high = GAMES[game].players
    players = low + seed % (high - low + 1)
    board = GAMES[game].boards[seed % len(GAMES[game].boards)]
    rules = {}
    options = [option for option in GAMES[game].options if option.values]
    if options and seed % 2:
        option = rng.choice(options)
        rules = {option.name: rng.choice(option.values)}
    try:
        return Table.new(game, players, board, rules)
    except ValueError:          # an option that does not fit this table
        return Table.new(game, players, board)


def shown(facts):
    """Facts without empty entries, which one side may leave out."""
    return {key: {name: entry for name, entry in value.items() if entry != []} if isinstance(value, dict) else value
            for key, value in facts.items()}


def compare(core, model, legal):
    """What the two say of one position, for an assertion that shows the difference."""
    weights = core.chance() if core.to_move() == "chance" else {}
    ours = (core.to_move(), sorted(legal), weights, core.scores(), core.winners())
    model_weights = model.chance() if model.to_move() == "chance" else {}
    theirs = (model.to_move(), sorted(model.legal()), model_weights, model.scores(), model.winners())
    return ours, theirs


def play(game, core, model, rng, most):
    """Plays a game to its end, or so many moves."""
    table, choose = core.table, rng.choice(MANNERS)
    for ply in count():
        legal = core.legal()
        ours, theirs = compare(core, model, legal)
        assert ours == theirs, f"{setting(table)} moves {' '.join(table.moves)}"
        if pace(game).facts_every and (ply % pace(game).facts_every == 0 or not legal):
            facts = core.facts()
            expected = {key: value for key, value in shown(model.facts()).items() if key in facts}
            assert shown(facts) == expected, f"{setting(table)} moves {' '.join(table.moves)}"
        if not legal or ply == most:
            return
        token = rng.choices(list(weights), weights.values())[0] if (weights := core.chance()) else choose(rng, legal)
        core.play(token)
        model.play(token)
        del table.positions[:-1]        # nothing is taken back here


def play_new(game, seed):
    rng = Random(f"{game} {seed}")
    table = new_table(game, seed, rng)
    core = importlib.import_module(f"subjects.{file_name(game)}").Subject(table)
    play(game, core, new_model(game, table.players, table.rules, table.chart.name), rng, pace(game).moves)


@pytest.mark.parametrize("game, first", batches(False))
def test_model_and_core_agree(game, first):
    for seed in range(first, min(first + BATCH, pace(game).games)):
        play_new(game, seed)


@pytest.mark.parametrize("game, case", CASES.values(), ids=CASES)
def test_model_and_core_agree_from_the_position_of_a_case(game, case):
    """The cases stand where random games seldom come: in Chicago, near the end, without money."""
    play(game, subject_of(game, case, is_model=False), subject_of(game, case, is_model=True), Random(case["id"]), pace(game).case_moves)


@pytest.mark.slow
@pytest.mark.parametrize("game, first", batches(True))
def test_model_and_core_agree_for_long(game, first):
    for seed in range(first, min(first + BATCH, pace(game).soak)):
        play_new(game, 1_000_000 + seed)
