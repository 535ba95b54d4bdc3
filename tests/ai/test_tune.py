"""The tuner: on a toy objective whose best weights are known, and through its command with toy games."""
import json
from math import tanh
from random import Random

import pytest
from railwright.ai import arena, tune, weights
from railwright.ai.agents import AGENTS
from railwright.ai.arena import Match, Spec, Workers
from railwright.ai.standings import Played, Standing
from railwright.ai.tune import State, gain_of, make_step, spec
from railwright.engine.games.chicago_express import ChicagoExpress

GAME = "chicago-express"
OLD = {"income": 1.0, "cash": -4.0, "luck": 0.0}
BEST = {"income": 1.5, "cash": -3.0, "luck": 0.0}


def worth(given: dict[str, float]) -> float:
    """The toy objective: highest at BEST, each weight by its own size."""
    return -sum(((given[name] - BEST[name]) / (abs(OLD[name]) or 0.1)) ** 2 for name in BEST)


def state(steps: int, **fields) -> State:
    return State(GAME, "heuristic", 2, 1, 0, steps, OLD, list(OLD), **fields)


# --- the method ------------------------------------------------------------------
def test_weights_move_to_the_best_through_noise():
    random = Random(1)
    s = state(1500)
    while s.step < s.steps:
        make_step(s, lambda first, second, step: max(-1.0, min(1.0, tanh(3 * (worth(first) - worth(second))) + random.gauss(0, 0.3))))
    assert worth(s.mean) > worth(OLD) / 10
    assert s.mean["income"] == pytest.approx(1.5, abs=0.1)
    assert s.mean["cash"] == pytest.approx(-3.0, abs=0.4)


def test_a_step_moves_towards_the_side_that_won():
    s = state(10)
    shaken: list[dict[str, float]] = []
    make_step(s, lambda first, second, step: (shaken.extend([first, second]), 1.0)[1])
    for name in OLD:
        assert (s.now[name] - OLD[name]) * (shaken[0][name] - shaken[1][name]) > 0


def test_a_draw_moves_nothing():
    s = state(10)
    make_step(s, lambda first, second, step: 0.0)
    assert s.now == OLD


def test_only_named_weights_move():
    s = State(GAME, "heuristic", 2, 1, 0, 10, OLD, ["cash"])
    make_step(s, lambda first, second, step: 1.0)
    assert s.now["cash"] != OLD["cash"] and (s.now["income"], s.now["luck"]) == (1.0, 0.0)


def test_steps_do_not_depend_on_interruptions(tmp_path):
    def duel(first, second, step):
        return tanh(worth(first) - worth(second))

    straight, halting = state(20), state(20)
    for step in range(20):
        make_step(straight, duel)
        make_step(halting, duel)
        if step == 9:
            tune.save(tmp_path / "state.json", tune.asdict(halting))
            halting = tune.load(tmp_path / "state.json", state(20))
    assert straight == halting


@pytest.mark.parametrize("scores, wins, gain", [
    ([9, 5, 4], [1, 0, 0], 1.0), ([4, 5, 9], [0, 0, 1], -0.75), ([5, 5, 5], [1 / 3] * 3, 0.0), ([5, 9, 4], [0, 1, 0], -0.25),
])
def test_gain_is_half_by_wins_and_half_by_ranks(scores, wins, gain):
    """Three players: a win is 1 and a loss -1/2 of half the gain; ranks 1 2 3 are 1 0 -1 of the other half."""
    game = Played(0, [0, 1, 1], scores, wins, [], [], [], [], "")
    assert gain_of([game]) == pytest.approx(gain)


def test_weights_travel_in_the_agents_settings():
    assert Spec.parse(spec("ismcts", {"a.b": 1.25, "c": -3e-07})).weights == {"a.b": 1.25, "c": -3e-07}


# --- the command -----------------------------------------------------------------
def toy_game(match: Match, game: int) -> Played:
    """The seats with the better weights win more often."""
    specs, seats = match.specs, match.seats(game)
    noise = [(arena.derived(match.seed, game, seat) % 100 - 50) / 500 for seat in range(match.players)]
    worths = [worth(OLD | specs[agent].weights) + noise[seat] for seat, agent in enumerate(seats)]
    wins = [float(w == max(worths)) for w in worths]
    n = match.players
    return Played(game, seats, [round(1000 * w) for w in worths], wins, [1] * n, [0.0] * n, [0] * n, [0] * n, str(game))


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """Chicago Express with toy weights and toy games; the folder of its weights."""
    monkeypatch.setattr(ChicagoExpress, "weights", tuple(OLD))
    monkeypatch.setattr(weights, "HOME", tmp_path)
    monkeypatch.setattr(tune, "HOME", tmp_path)
    monkeypatch.setattr(arena, "play_game", toy_game)
    monkeypatch.setitem(AGENTS, "heuristic", lambda settings: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{GAME}.json").write_text(json.dumps(OLD))
    weights.own_weights.cache_clear()
    yield tmp_path
    weights.own_weights.cache_clear()


def command(*words: str) -> int:
    return tune.main([GAME, "--workers", "1", *words])


def test_better_weights_are_written(toy, capsys):
    assert command("--games", "2400", "--confirm", "60") == 0
    out = capsys.readouterr().out
    assert "better: written to" in out and "par 25.0 %" in out
    new = json.loads((toy / f"{GAME}.json").read_text())
    assert list(new) == list(OLD) and worth(new) > worth(OLD)


def test_weights_that_are_not_clearly_better_are_not_written(toy, capsys):
    assert command("--games", "8", "--confirm", "8") == 0
    assert "not clearly better: chicago-express.json stays as it is" in capsys.readouterr().out
    assert json.loads((toy / f"{GAME}.json").read_text()) == OLD


def test_the_command_goes_on_where_it_stopped(toy, capsys, monkeypatch):
    words = ("--games", "80", "--confirm", "4", "--resume", "state.json")
    calls = []

    def tiring(match: Match, game: int) -> Played:
        calls.append(game)
        if len(calls) == 42:
            raise KeyboardInterrupt
        return toy_game(match, game)

    monkeypatch.setattr(arena, "play_game", tiring)
    assert command(*words) == 1
    assert "the same command goes on" in capsys.readouterr().err
    assert json.loads((toy / "state.json").read_text())["step"] == 5
    assert command(*words) == 0
    assert "state state.json: 5 of 10 steps made" in capsys.readouterr().err


@pytest.mark.parametrize("words, message", [
    (["--only", "incom"], "error weight 'incom'; expected one of income cash luck, nearest 'income'"),
    (["--players", "9"], "error players 9; expected 2 to 6 for chicago-express"),
])
def test_errors_are_one_line(toy, capsys, words, message):
    assert command(*words) == 1
    assert capsys.readouterr().err.splitlines()[-1] == message


def test_another_tuning_is_refused(toy, capsys):
    assert command("--games", "8", "--confirm", "4", "--resume", "state.json") == 0
    assert command("--games", "8", "--confirm", "4", "--resume", "state.json", "--seed", "1") == 1
    assert "holds another tuning (seed 0, not 1)" in capsys.readouterr().err


def test_a_game_without_weights_is_refused(toy, capsys, monkeypatch):
    monkeypatch.setattr(ChicagoExpress, "weights", ())
    (toy / f"{GAME}.json").unlink()
    assert command() == 1
    assert capsys.readouterr().err.splitlines()[-1] == "error chicago-express has no weights; expected a game with some"


def test_confirmation_says_how_clear_it_is(toy):
    s = state(1)
    s.mean = BEST
    with Workers() as workers:
        found: Standing = tune.confirm(s, 40, workers, toy / "games.jsonl", lambda n: None)
    assert found.is_above_par and found.games == 40
