"""Every conformance case, by its id, on the core and on the slow model; and the program that plays them."""
import json
import subprocess
import sys

import pytest
from conformance.run import failures_of
from pairs import HERE, data_file
from railwright.engine.games import GAMES

CASES = {f"{game} {case['id']}": (game, case) for game in GAMES for case in data_file("conformance", game)}
RUN = HERE / "conformance" / "run.py"


@pytest.mark.parametrize("game, case", CASES.values(), ids=CASES)
def test_core_keeps_the_case(game, case):
    assert failures_of(game, case) == []


@pytest.mark.parametrize("game, case", CASES.values(), ids=CASES)
def test_slow_model_keeps_the_case(game, case):
    assert failures_of(game, case, is_model=True) == []


# --- the program -----------------------------------------------------------------
def run(*arguments):
    return subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def two_cases(tmp_path):
    """The first case of Chicago Express, and the same one with an expectation that cannot come true."""
    first = data_file("conformance", "chicago-express")[0]
    second = first | {"id": "wrong", "expect": {"min_bid": 9}}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([first, second]))
    return path


@pytest.mark.parametrize("options", [[], ["--model"]], ids=["core", "model"])
def test_run_names_what_was_expected_and_what_came(two_cases, options):
    done = run("chicago-express", two_cases, *options)
    assert (done.returncode, done.stdout.splitlines()) == (1, ["wrong: min_bid: expected 9, got 8", "1 passed, 1 failed"])


def test_run_goes_on_behind_a_case_that_cannot_be_played(tmp_path):
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([{"id": "odd", "given": {"players": 3, "cash": {"P9": "x"}}, "do": [], "expect": {}}]))
    done = run("chicago-express", path)
    assert done.returncode == 1 and done.stdout.startswith("odd: expected a case that can be played, got ")
    assert done.stdout.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize("content, fault", {
    "{": "expected JSON", "{}": "holds no list; expected a list of cases", "[1]": "case 1 has no 'id'; expected id, given, do, expect",
    '[{"id": "a", "given": {}, "do": []}]': "case 1 has no 'expect'", "\0": "expected JSON",
}.items())
def test_run_refuses_a_bad_file_in_one_line(tmp_path, content, fault):
    path = tmp_path / "cases.json"
    path.write_text(content)
    done = run("chicago-express", path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error file cases.json") and fault in done.stderr


def test_run_refuses_what_is_not_there(tmp_path):
    game, file = run("chicago-xpress", RUN), run("chicago-express", tmp_path / "none.json")
    assert (game.returncode, file.returncode) == (2, 2)
    assert game.stderr == f"error game 'chicago-xpress'; expected one of {' '.join(GAMES)}, nearest 'chicago-express'\n"
    assert file.stderr == "error file none.json cannot be read (No such file or directory); expected a JSON file of cases\n"
