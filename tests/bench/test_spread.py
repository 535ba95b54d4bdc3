"""How games ended: figures worked out by hand from a record of two games."""
import importlib.util
import json
from dataclasses import asdict
from pathlib import Path

import pytest
from railwright.ai.arena import Log, Match, play_game
from railwright.ai.standings import Played

FILE = Path(__file__).parents[2] / "bench" / "spread.py"


@pytest.fixture(scope="module")
def spread():
    spec = importlib.util.spec_from_file_location("spread", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record(path, match, games):
    log = Log(path, match)
    for played in games:
        log.add(played)
    return str(path)


def played(game, scores, moves):
    nothing = [0] * len(scores)
    return Played(game, nothing, scores, [0.0] * len(scores), nothing, [0.0] * len(scores), nothing, nothing, moves)


def test_places_and_spread(spread, tmp_path, capsys):
    match = Match("chicago-express", ("random", "random"), 3, seed=1)
    path = record(tmp_path / "a.jsonl", match, [played(0, [10, 40, 25], "pass pass"), played(1, [30, 20, 15], "bid:7 pass pass pass")])
    assert spread.main([path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 games of 3 players"
    assert [line.split()[-4:] for line in lines[2:]] == [       # mean, deviation of two values: their distance / sqrt(2)
        ["35.0", "7.1", "30", "40"], ["22.5", "3.5", "20", "25"], ["12.5", "3.5", "10", "15"],
        ["23.3", "10.8", "10", "40"], ["22.5", "10.6", "15", "30"], ["3.0", "1.4", "2", "4"]]


def test_the_year_of_the_end_comes_from_the_moves(spread, tmp_path, capsys):
    match = Match("american-rails", ("random", "random"), 3, seed=1, nodes=1)
    path = record(tmp_path / "a.jsonl", match, [play_game(match, game) for game in range(2)])
    assert spread.main([path]) == 0
    ends = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ended in ")]
    assert sum(int(line.split()[3]) for line in ends) == 2


@pytest.mark.parametrize("content, fault", [
    ("", "is no record of an arena"), ('{"match": 3}\n', "is no record of an arena"),
    (json.dumps({"match": asdict(Match("rail", ("random", "random"), 2))}) + "\n", "holds 0 games; expected two or more")])
def test_a_file_that_is_no_record(spread, tmp_path, capsys, content, fault):
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    assert spread.main([str(path)]) == 1
    assert fault in capsys.readouterr().err


def test_no_file(spread, capsys):
    assert spread.main([]) == 2 and capsys.readouterr().err.count("\n") == 1
