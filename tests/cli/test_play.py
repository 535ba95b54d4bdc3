"""The terminal game, played through a pty as a person would."""
import re
from pathlib import Path

import pytest
from railwright.engine.record import Record
from terminal import CTRL_C, CTRL_D, Terminal, railwright, railwright_process

GAME = ("play", "chicago-express", "--players", "3", "--seat", "1", "--agent", "quick", "--seed", "5")
PROMPT = "player 1> "


def saved(folder: Path) -> Path:
    [path] = folder.glob("*.rwr")
    return path


def moves(path: Path) -> list[str]:
    return Record.read(path).table.moves


def test_asks_for_what_was_not_given_and_takes_enter_for_the_usual(tmp_path):
    with Terminal("play", "--seed", "5", folder=tmp_path) as terminal:
        terminal.expect("Which game [chicago-express]: ")
        terminal.type("chess")
        terminal.expect("error 'chess'; expected one of chicago-express")
        terminal.expect("Which game")
        terminal.type("chicago")
        terminal.expect("How many players, 2 to 6 [4]: ")
        terminal.type("77")
        terminal.expect("error players '77'; expected a whole number from 2 to 6")
        terminal.expect("How many players")
        terminal.type("")
        terminal.expect("Your seat, 1 to 4, or watch [1]: ")
        terminal.type("0")
        terminal.expect("error seat '0'; expected 1 to 4")
        terminal.expect("Your seat")
        terminal.type("")
        terminal.expect("Who plays the other seats [quick]: ")
        terminal.type("")
        terminal.expect("Chicago Express, 4 players, seed 5")
        terminal.expect(PROMPT)


def test_leaves_before_the_game_begins(tmp_path):
    with Terminal("play", folder=tmp_path) as terminal:
        terminal.expect("Which game")
        terminal.press(CTRL_D)
        terminal.expect("No game was begun.")
        assert terminal.ends() == 0
    assert not list(tmp_path.iterdir())


def test_takes_tokens_numbers_and_abbreviations(tmp_path):
    with Terminal(*GAME, folder=tmp_path) as terminal:
        terminal.expect("7-40  bid:7..bid:40")
        terminal.expect("0  pass")
        for line, move in (("bid:9", "bid:9"), ("8", "bid:8"), ("b 10", "bid:10"), ("PASS", "pass"), ("pa", "pass"), ("0", "pass")):
            terminal.expect(PROMPT)
            terminal.type(line)
            terminal.expect("   1. player 1 ")
            terminal.expect(PROMPT)
            assert moves(saved(tmp_path))[0] == move
            while len(moves(saved(tmp_path))) > 0:
                terminal.type("undo")
                terminal.expect("taken back.")


def test_nonsense_gets_one_line_and_loses_nothing(tmp_path):
    with Terminal(*GAME, folder=tmp_path) as terminal:
        for nonsense, answer in (
            ("bid:4", "error 'bid:4' is illegal: the least bid is $7; expected one of bid:7..bid:40, pass"),
            ("bid:400", "error 'bid:400' is illegal: player 1 has $40"),
            ("4", "error 'bid:4' is illegal: the least bid is $7; expected one of bid:7..bid:40, pass"),
            ("b", "error 'b' could be bid:7..bid:40, board; expected a little more"),
            ("xyzzy", "error 'xyzzy' is illegal"), ("undo", "error undo 1; expected a decision of yours before this one"),
            ("undo x", "error undo 'x'; expected a whole number"), ("explain nothing", "error 'nothing' is illegal"),
            ("save /no/such/folder/x.rwr", "error save /no/such/folder/x.rwr: cannot be written"), ("[bold]", "error '[bold]' is illegal"),
            ("99999999999999999999", "error 'bid:999999999' is illegal: player 1 has $40"),
            ("::", "error '::' is illegal"), ("ü", "error 'ü' is illegal"),
        ):
            terminal.expect(PROMPT)
            terminal.type(nonsense)
            terminal.expect(answer)
        terminal.expect(PROMPT)
        assert moves(saved(tmp_path)) == []
        assert "Traceback" not in terminal.text


def test_commands_at_the_prompt(tmp_path):
    with Terminal(*GAME, folder=tmp_path) as terminal:
        terminal.expect(PROMPT)
        terminal.type("help")
        terminal.expect("back to your decision before this one")
        terminal.expect(PROMPT)
        terminal.type("hint")
        terminal.expect("hint: ")
        terminal.expect("to win: player 1 33 %, player 2 33 %, player 3 33 %")
        terminal.expect(PROMPT)
        terminal.type("explain pass")
        terminal.expect("pass: player 1 passes; a share of PRR has no bid yet")
        terminal.expect(PROMPT)
        terminal.type("board")
        terminal.expect("Pennsylvania Railroad")
        terminal.expect(PROMPT)
        terminal.type("moves")
        terminal.expect("7-40  bid:7..bid:40")
        terminal.expect(PROMPT)
        terminal.type("save other.rwr")
        terminal.expect("The game is saved to other.rwr")
        terminal.expect(PROMPT)
        terminal.type("save other.rwr")
        terminal.expect("error save other.rwr: exists already; expected a new name")
        terminal.expect(PROMPT)
        terminal.type("quit")
        terminal.expect("railwright play --resume other.rwr")
        assert terminal.ends() == 0


def test_tells_what_others_did_and_why_money_moved(tmp_path):
    with Terminal(*GAME, folder=tmp_path) as terminal:
        terminal.expect(PROMPT)
        terminal.type("40")
        said = terminal.expect(PROMPT)
        assert "1. player 1 bids $40 for a share of PRR" in said
        assert re.search(r"2\. player 2 passes; a share of PRR stands at \$40", said)
        assert "player 1 buys the share of PRR for $40, which goes into its treasury" in said


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_leaves_cleanly_with_the_game_saved(tmp_path, key):
    with Terminal(*GAME, "--save", "mine.rwr", folder=tmp_path) as terminal:
        terminal.expect(PROMPT)
        terminal.type("9")
        terminal.expect(PROMPT)
        terminal.press(key)
        terminal.expect("The game is saved. Go on with:\n  railwright play --resume mine.rwr\n")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.text
    assert moves(tmp_path / "mine.rwr")[0] == "bid:9"


def test_ctrl_c_interrupts_a_long_thought(tmp_path):
    with Terminal("play", "chicago-express", "--players", "2", "--seat", "1", "--agent", "slow", folder=tmp_path) as terminal:
        terminal.expect(PROMPT)
        terminal.type("9")
        terminal.expect("player 2 thinks")
        terminal.press(CTRL_C)
        terminal.expect("The game is saved.")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.text
    assert moves(saved(tmp_path)) == ["bid:9"]


def test_a_killed_game_is_resumed_without_loss(tmp_path):
    with Terminal(*GAME, folder=tmp_path) as terminal:
        for _ in range(3):
            terminal.expect(PROMPT)
            terminal.type("pass")
        terminal.expect(PROMPT)
        played = terminal.text.count(". player ")
        terminal.kill()
    before = moves(saved(tmp_path))
    assert len(before) == played
    with Terminal("play", "--resume", saved(tmp_path).name, folder=tmp_path) as terminal:
        terminal.expect(f"{played} moves played so far")
        terminal.expect(PROMPT)
        terminal.type("undo 2")
        terminal.expect("taken back.")
        terminal.expect(PROMPT)
        terminal.type("quit")
        assert terminal.ends() == 0
    after = moves(saved(tmp_path))
    assert after == before[:len(after)] and len(after) < len(before)


def test_resume_tells_what_was_cut_off(tmp_path):
    path = tmp_path / "cut.rwr"
    path.write_text('[Game "chicago-express"]\n[Players "2"]\n[Player1 "human"]\n[Player2 "quick"]\n\n1. bid:9 2. pass 3. bid:')
    with Terminal("play", "--resume", "cut.rwr", folder=tmp_path) as terminal:
        terminal.expect("The record was cut off: left out 'bid:', perhaps half a word, behind move 2 'pass'.")
        terminal.expect(PROMPT)


@pytest.mark.parametrize("size", [(120, 50), (80, 24), (40, 10)], ids=str)
def test_no_line_is_wider_than_the_terminal(tmp_path, size):
    with Terminal(*GAME, folder=tmp_path, size=size) as terminal:
        terminal.expect(PROMPT)
        for line in ("help", "board", "8", "hint", "moves"):
            terminal.type(line)
            terminal.expect(PROMPT)
        assert max(map(len, terminal.text.split("\n"))) <= size[0]


def test_no_color_is_honoured(tmp_path):
    with Terminal(*GAME, folder=tmp_path, NO_COLOR="1") as terminal:
        terminal.expect(PROMPT)
        terminal.type("8")
        terminal.expect(PROMPT)
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]", terminal.raw)


def test_a_whole_game_is_played_to_its_end(tmp_path):
    arguments = ("play", "chicago-express", "--players", "2", "--seat", "2", "--agent", "quick", "--seed", "3")
    with Terminal(*arguments, folder=tmp_path) as terminal:
        while not terminal.has_come("player 2> ", "Game over: "):
            terminal.type("pass" if re.search(r"\n +0  pass", terminal.last) else "1")
        terminal.expect("Look at it again with:\n  railwright replay chicago-express-")
        assert terminal.ends() == 0
    record = Record.read(saved(tmp_path))
    assert record.table.is_over
    assert record.agents == ["quick", "human"]
    winners = " and ".join(f"player {player + 1}" for player in record.table.position.winners())
    assert f"Game over: {winners} win" in terminal.text


def test_watching_shows_the_game_to_its_end(tmp_path):
    arguments = ("play", "chicago-express", "--players", "2", "--seat", "watch", "--agent", "quick", "--seed", "2")
    with Terminal(*arguments, folder=tmp_path) as terminal:
        terminal.expect("Game over: ")
        assert terminal.ends() == 0
    assert Record.read(saved(tmp_path)).table.is_over


# --- without a terminal ----------------------------------------------------------
def test_without_a_terminal_the_computer_plays_all_seats(tmp_path):
    arguments = ("play", "chicago-express", "--players", "3", "--seed", "7", "--agent", "quick", "--save", "game.rwr")
    done = railwright(*arguments, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "Game over: " in done.stdout
    record = Record.read(tmp_path / "game.rwr")
    assert record.table.is_over
    assert record.agents == ["quick"] * 3
    assert len(re.findall(r"^ *\d+\. ", done.stdout, re.MULTILINE)) == len(record.table.moves)
    again = railwright(*arguments[:-1], "again.rwr", folder=tmp_path)
    assert again.stdout == done.stdout.replace("game.rwr", "again.rwr")


def test_without_a_terminal_nothing_is_saved_unasked(tmp_path):
    assert railwright("play", "--players", "2", "--agent", "quick", folder=tmp_path).returncode == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments, code, fault", [
    (("chess",), 1, "error game 'chess'; expected one of chicago-express"),
    (("chicago-express", "--players", "9"), 1, "error players 9; expected 2 to 6 for chicago-express"),
    (("chicago-express", "--players", "many"), 2, "--players"),
    (("chicago-express", "--seat", "5", "--players", "3"), 1, "error seat '5'; expected 1 to 3"),
    (("chicago-express", "--agent", "nobody"), 1, "error agent 'nobody'; expected one of quick slow"),
    (("chicago-express", "--level", "11"), 1, "error level 11; expected 1 to 10"),
    (("chicago-express", "--time", "-1"), 1, "error time -1; expected seconds"),
    (("chicago-express", "--time", "nan"), 1, "error time nan; expected seconds"),
    (("chicago-express", "--seed", "-1"), 1, "error seed -1; expected 0 to 2^64-1"),
    (("chicago-express", "--rules", "x"), 1, "error rules 'x'; expected k=v"),
    (("chicago-express", "--rules", "opener=9"), 1, "error rules opener=9; expected"),
    (("chicago-express", "--board", "none.json"), 1, "error board none.json: no such file"),
    (("chicago-express", "--save", "no/where.rwr"), 1, "error save no/where.rwr: cannot be written"),
    (("--resume", "none.rwr"), 1, "error record none.rwr: cannot be read"),
    (("chicago-express", "--resume", "none.rwr"), 2, "GAME does not go with --resume"),
], ids=lambda value: " ".join(value) if isinstance(value, tuple) else None)
def test_wrong_options_get_one_line(tmp_path, arguments, code, fault):
    done = railwright("play", *arguments, folder=tmp_path)
    assert done.returncode == code
    assert fault in done.stderr
    assert "Traceback" not in done.stderr
    assert code == 2 or (done.stdout == "" and done.stderr.count("\n") == 1)


def test_resume_names_the_line_and_the_move_of_a_wrong_record(tmp_path):
    wrong = '[Game "chicago-express"]\n[Players "2"]\n\n1. bid:9 2. pass\n3. bid:99 *\n'
    (tmp_path / "wrong.rwr").write_text(wrong)
    done = railwright("play", "--resume", "wrong.rwr", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error record wrong.rwr line 5: move 3 'bid:99' is illegal: player 1 has $51; expected one of bid:6")
    assert (tmp_path / "wrong.rwr").read_text() == wrong


def test_a_saved_game_is_not_overwritten(tmp_path):
    (tmp_path / "mine.rwr").write_text("precious")
    done = railwright("play", "--players", "2", "--agent", "quick", "--save", "mine.rwr", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error save mine.rwr: exists already; expected a new name (or --resume to go on with it)\n"
    assert (tmp_path / "mine.rwr").read_text() == "precious"


def test_a_terminal_without_unicode_gets_the_game_too(tmp_path):
    done = railwright_process("play", "--players", "2", "--agent", "quick", "--seed", "1", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Game over: " in done.stdout


@pytest.mark.parametrize("typed, offered", [
    ("play chi", "chicago-express"), ("play --agent qu", "quick"), ("hint game.rwr --agent sl", "slow"),
])
def test_the_shell_completes_games_and_agents(tmp_path, typed, offered):
    words = f"railwright {typed}"
    settings = {"_RAILWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = railwright_process(folder=tmp_path, **settings)
    assert done.stdout.split() == [offered]
