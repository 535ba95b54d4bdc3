"""The tournament: rows as data, tables between their marks, and the way back after a stop."""
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from railwright.ai.agents import AGENTS
from railwright.ai.arena import Spec

FILE = Path(__file__).parents[2] / "bench" / "tournament.py"
MARKS = "# Title\n<!-- strength: written by bench/tournament.py -->\nold\n<!-- end of strength -->\nthe rest\n"
ROW = {"name": "a", "game": "chicago-express", "agents": "heuristic,first", "players": 3, "games": 3, "nodes": 1, "goal": 0.5, "opening": 4}


@pytest.fixture(scope="module")
def tournament():
    spec = importlib.util.spec_from_file_location("tournament", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tournament"] = module
    spec.loader.exec_module(module)
    return module


class First:
    """Takes the first legal move."""
    name = "first"

    def choose(self, table, limits, stop, report):
        from railwright.ai.agent import Choice
        return Choice(table.position.legal()[0])


@pytest.fixture
def command(tournament, tmp_path, monkeypatch):
    """Runs the tournament on a folder of its own."""
    monkeypatch.setitem(AGENTS, "first", lambda settings: First())
    (tmp_path / "RESULTS.md").write_text(MARKS)

    def run(rows: list[dict], *words: str) -> int:
        (tmp_path / "rows.json").write_text(json.dumps({"strength": rows}))
        return tournament.main(["--rows", str(tmp_path / "rows.json"), "--results", str(tmp_path / "RESULTS.md"),
                                "--records", str(tmp_path / "records"), "--workers", "1", *words])
    return run


def table_of(folder: Path) -> list[list[str]]:
    """The cells of the table in RESULTS.md below its header."""
    lines = [line for line in (folder / "RESULTS.md").read_text().splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_rows_of_the_project_are_sound(tournament):
    for rows in tournament.read_rows(FILE.parent / "rows.json").values():
        for row in rows:
            assert len([Spec.parse(agent) for agent in row.agents.split(",")]) >= 2
            assert row.games % row.players == 0 and (row.time or row.nodes or "@nodes=" in row.agents)
            assert row.goal == "above par" or row.goal > 1 / row.players


def test_results_have_a_place_for_each_table(tournament, tmp_path):
    copy = tmp_path / "RESULTS.md"
    copy.write_text((FILE.parent / "RESULTS.md").read_text())
    tables = tournament.read_rows(FILE.parent / "rows.json")
    tournament.rewrite(copy, tables, tmp_path / "records")
    assert copy.read_text().count("| row | players |") == len(tables)


def test_a_row_that_another_machine_played_keeps_its_line(command, tmp_path):
    assert command([ROW]) == 0
    played = table_of(tmp_path)
    (tmp_path / "records" / "a.jsonl").unlink()
    assert command([ROW], "--table") == 0
    assert table_of(tmp_path) == played
    assert command([ROW | {"games": 6}], "--table") == 0        # another command: those were not its games
    assert table_of(tmp_path)[0][6] == "not played"


def test_a_row_is_played_and_the_rest_of_the_file_stays(command, tmp_path):
    assert command([ROW]) == 0
    text = (tmp_path / "RESULTS.md").read_text()
    assert text.startswith("# Title\n") and text.endswith("<!-- end of strength -->\nthe rest\n") and "old" not in text
    (cells,) = table_of(tmp_path)
    assert cells[0] == "a" and cells[1] == "3" and cells[4] == "33.3" and cells[5] == "50 %" and cells[8:11] == ["3", "0", "0"]
    assert cells[6] in ("yes", "**no**")
    assert cells[12] == ("`railwright arena chicago-express --agents heuristic,first --players 3 --games 3 --nodes 1 --opening 4 --seed 1 "
                         "--workers 2`")


def test_rows_that_were_not_played_say_so(command, tmp_path):
    assert command([ROW, ROW | {"name": "b"}], "--only", "b") == 0
    first, second = table_of(tmp_path)
    assert first[6] == "not played" and second[8] == "3"


def test_a_tournament_goes_on_where_it_stopped(command, tmp_path):
    assert command([ROW]) == 0
    record = tmp_path / "records" / "a.jsonl"
    whole = table_of(tmp_path)
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:-1]) + lines[-1][:30])
    assert command([ROW], "--table") == 0
    assert table_of(tmp_path)[0][6].endswith("so far")
    assert command([ROW]) == 0
    assert table_of(tmp_path) == whole


def test_a_row_that_cannot_be_played_does_not_stop_the_others(command, tmp_path, capsys):
    assert command([ROW | {"name": "bad", "players": 9}, ROW]) == 1
    assert "error bad: players 9; expected 2 to 6 for chicago-express" in capsys.readouterr().err
    assert table_of(tmp_path)[1][8] == "3"


def test_games_of_a_row_that_was_changed_do_not_count(command, tmp_path, capsys):
    assert command([ROW]) == 0
    assert command([ROW | {"opening": 5}]) == 1
    assert "holds another match (opening 4, not 5)" in capsys.readouterr().err
    assert table_of(tmp_path)[0][6] == "not played"
    assert command([ROW | {"opening": 5}], "--fresh") == 0
    assert table_of(tmp_path)[0][8] == "3"


@pytest.mark.parametrize("rows, message", [
    ([ROW | {"goal": 7}], "strength row 1: goal 7; expected a share from 0 to 1, or 'above par'"),
    ([ROW, ROW], "rows.json: 'a' stands there twice; expected a name for each row"),
    ([{"name": "a"}], "expected the fields of a row"),
])
def test_bad_rows_are_told_in_one_line(command, capsys, rows, message):
    assert command(rows) == 1
    assert message in capsys.readouterr().err


