"""show, replay and hint: a recorded game, or a state, as text, picture, JSON and advice."""
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from railwright.engine.table import Table
from terminal import CTRL_D, Terminal, railwright

RECORD = """\
[Game "chicago-express"]
[Players "2"]
[Player1 "human"]
[Player2 "quick"]

1. bid:9 2. pass 3. bid:8 {a fair price} 4. pass 5. pass 6. bid:10 *
"""


@pytest.fixture
def record(tmp_path: Path) -> str:
    (tmp_path / "game.rwr").write_text(RECORD)
    return "game.rwr"


def state(moves: str = "") -> str:
    table = Table.new("chicago-express", 2)
    table.play_all(moves.split())
    return table.state()


# --- show ------------------------------------------------------------------------
def test_show_draws_text(tmp_path, record):
    done = railwright("show", record, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "6. player " in done.stdout
    assert "Pennsylvania Railroad" in done.stdout
    assert "\x1b" not in done.stdout


def test_show_at_a_ply(tmp_path, record):
    shown = json.loads(railwright("show", record, "--ply", "2", "--json", folder=tmp_path).stdout)
    assert (shown["ply"], shown["move"], shown["turn"]) == (2, "pass", shown["facts"]["to_move"])
    assert shown["facts"]["players"][0]["cash"] == Table.from_state(state()).position.scores()[0] - 9
    assert shown["facts"]["companies"]["prr"]["treasury"] == 9
    start = json.loads(railwright("show", record, "--ply", "0", "--json", folder=tmp_path).stdout)
    assert (start["ply"], start["move"], start["state"]) == (0, None, state())


def test_show_draws_svg_and_png(tmp_path, record):
    done = railwright("show", record, "--svg", "a.svg", "--png", "a.png", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    assert Image.open(tmp_path / "a.png").format == "PNG"


def test_show_takes_a_state_from_everywhere(tmp_path):
    token = state("bid:9")
    (tmp_path / "state.txt").write_text(f"state {token}\n")
    shown = [railwright("show", source, "--json", folder=tmp_path, given=token).stdout for source in (token, "-", "state.txt")]
    assert len(set(shown)) == 1
    assert json.loads(shown[0])["state"] == token


@pytest.mark.parametrize("arguments, fault", [
    (("none.rwr",), "error record none.rwr: cannot be read"),
    (("game.rwr", "--ply", "7"), "error ply 7; expected 0 to 6, the moves of the record"),
    (("game.rwr", "--ply", "-1"), "error ply -1; expected 0 to 6"),
    (("game.rwr", "--svg", "no/where.svg"), "error file no/where.svg: cannot be written"),
    (("chicago-express;players=2",), "error state has no 'cash'"),
    (("-",), "error record - line 1: no [Game"),
    ((".",), "error record"),
], ids=lambda value: " ".join(value) if isinstance(value, tuple) else None)
def test_show_says_what_is_wrong(tmp_path, record, arguments, fault):
    done = railwright("show", *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(fault)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "replay", "hint"])
def test_a_wrong_record_names_the_line_and_the_move(tmp_path, command):
    (tmp_path / "wrong.rwr").write_text(RECORD.replace("3. bid:8", "3. bid:800"))
    done = railwright(command, "wrong.rwr", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error record wrong.rwr line 6: move 3 'bid:800' is illegal: player 1 has $")
    (tmp_path / "cut.rwr").write_text(RECORD.replace(" *\n", ""))
    done = railwright(command, "cut.rwr", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error record cut.rwr line 6: is cut off behind move 6 'bid:10'")


# --- replay ----------------------------------------------------------------------
def test_replay_without_a_terminal_prints_all_moves(tmp_path, record):
    done = railwright("replay", record, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.split("\n")
    assert "   1. player 1 bids $9 for a share of PRR" in lines
    assert "    → player 1 buys the share of PRR for $9, which goes into its treasury" in lines
    assert [line.split(".")[0].strip() for line in lines if ". player" in line] == list("123456")


def test_replay_steps_to_and_fro(tmp_path, record):
    with Terminal("replay", record, folder=tmp_path) as terminal:
        terminal.expect("0/6> ")
        terminal.type("")
        terminal.expect("1. player 1 bids $9")
        terminal.expect("1/6> ")
        terminal.type("3")
        terminal.expect("a fair price")
        terminal.expect("3/6> ")
        terminal.type("b")
        terminal.expect("player 1 buys the share of PRR for $9")
        terminal.expect("2/6> ")
        for nonsense in ("7", "x", "-1"):
            terminal.type(nonsense)
            terminal.expect(f"error '{nonsense}'; expected Enter next, b back")
            terminal.expect("2/6> ")
        terminal.type("6")
        terminal.expect("The record ends here; the game goes on.")
        terminal.expect("6/6> ")
        terminal.type("")
        terminal.expect("This is the end.")
        terminal.expect("6/6> ")
        terminal.press(CTRL_D)
        assert terminal.ends() == 0


def test_replay_goes_on_by_itself(tmp_path, record):
    with Terminal("replay", record, "--delay", "0.01", folder=tmp_path) as terminal:
        terminal.expect("The record ends here; the game goes on.")
        assert terminal.ends() == 0


def test_replay_delay_is_checked(tmp_path, record):
    done = railwright("replay", record, "--delay", "-1", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "error delay -1; expected seconds from 0 to 3600\n")


# --- hint ------------------------------------------------------------------------
def test_hint_suggests_a_legal_move_with_chances(tmp_path, record):
    done = railwright("hint", record, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    fields = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    table = Table.new("chicago-express", 2)
    table.play_all(["bid:9", "pass", "bid:8", "pass", "pass", "bid:10"])
    assert fields["move"] in table.tokens()
    assert fields["means"] == table.game.explain(table.chart, table.position, table.tokens()[fields["move"]])
    assert fields["win"] == "player 1 50.0 %, player 2 50.0 %"
    assert fields["agent"].startswith("quick")


def test_hint_as_json_from_stdin(tmp_path):
    done = railwright("hint", "-", "--json", folder=tmp_path, given=state("bid:9"))
    answer = json.loads(done.stdout)
    assert (answer["player"], answer["win"]) == (2, [500, 500])
    assert answer["pv"][0] == answer["move"]


@pytest.mark.parametrize("arguments, fault", [
    (("--time", "0"), "error time 0; expected seconds"),
    (("--agent", "nobody"), "error agent 'nobody'; expected one of quick slow"),
], ids=lambda value: " ".join(value) if isinstance(value, tuple) else None)
def test_hint_says_what_is_wrong(tmp_path, record, arguments, fault):
    done = railwright("hint", record, *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(fault)


def test_hint_needs_a_decision(tmp_path):
    assert railwright("play", "--players", "2", "--agent", "quick", "--save", "over.rwr", folder=tmp_path).returncode == 0
    done = railwright("hint", "over.rwr", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "error hint: the game is over; expected a position where a player decides\n")
