"""The engine as a frontend meets it: a process with pipes, and what no transcript can show."""
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from protocol.transcripts import Driven
from railwright.ai.agents import AGENTS, agents_for
from railwright.cext.game import CHANCE
from railwright.cli.protocol.answers import on_one_line, per_mille
from railwright.cli.protocol.words import LONGEST_LINE
from railwright.engine.games import GAMES
from railwright.engine.table import Table

START = [sys.executable, "-c", "from railwright.cli.protocol.engine import main; main()"]
GENEROUS = 2.0                  # seconds for what should take milliseconds: a busy machine is no failure


class Process:
    """An engine in a process of its own."""

    def __init__(self) -> None:
        self.pipe = subprocess.Popen(START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def send(self, *lines: str) -> None:
        assert self.pipe.stdin is not None
        self.pipe.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.pipe.stdin.flush()

    def until(self, is_last: Callable[[str], bool]) -> list[str]:
        """The lines up to the one asked for."""
        assert self.pipe.stdout is not None
        found: list[str] = []
        while not found or not is_last(found[-1]):
            line = self.pipe.stdout.readline()
            assert line, f"the engine ended after {found}"
            found.append(line.decode().rstrip("\n"))
        return found


@pytest.fixture
def process() -> Iterator[Process]:
    started = Process()
    with started.pipe:
        yield started
        started.pipe.kill()


def piped(text: bytes) -> subprocess.CompletedProcess:
    return subprocess.run(START, input=text, capture_output=True, timeout=60)


def is_bestmove(line: str) -> bool:
    return line.startswith("bestmove")


def position_lines(game: str) -> list[bytes]:
    return [f"position {game} players {GAMES[game].players[1]} seed 4".encode()]


def decision(driven: Driven, game: str, plies: int = 0) -> Table:
    """Sets the engine at somebody's decision, some plies on, with the strongest agent that can play the game."""
    driven.send(f"setoption name Agent value {next(iter(agents_for(GAMES[game])))}".encode())
    driven.send(position_lines(game)[0])
    while not driven.engine.table.is_over and (plies > 0 or driven.engine.table.to_move == CHANCE):
        driven.send(b"roll" if driven.engine.table.to_move == CHANCE else b"move " + next(reversed(driven.engine.table.tokens())).encode())
        plies -= 1
    return driven.engine.table


# --- while it thinks -----------------------------------------------------------------
@pytest.mark.parametrize("agent", AGENTS)
def test_stop_and_isready_are_answered_while_it_thinks(process, agent):
    process.send(f"setoption name Agent value {agent}", "position chicago-express players 4", "go infinite")
    time.sleep(0.1)
    began = time.monotonic()
    process.send("isready")
    lines = process.until(lambda line: line == "readyok")
    assert not any(map(is_bestmove, lines))
    process.send("stop")
    lines += process.until(is_bestmove)
    assert time.monotonic() - began < GENEROUS
    assert any(line.startswith("info ") for line in lines)


@pytest.mark.parametrize("work", ["go infinite", "go movetime 60000", "go nodes 1000000000"])
def test_quit_ends_a_search(process, work):
    process.send("position chicago-express players 4", work)
    time.sleep(0.1)
    began = time.monotonic()
    process.send("quit")
    assert process.pipe.wait(timeout=30) == 0
    assert time.monotonic() - began < GENEROUS


def test_end_of_input_is_quit(process):
    process.send("position chicago-express players 4", "go infinite")
    process.pipe.stdin.close()
    assert process.pipe.wait(timeout=30) == 0


def test_isready_and_stop_during_a_long_perft(process):
    process.send("position chicago-express players 4", "perft 30", "isready")
    process.until(lambda line: line == "readyok")
    process.send("stop", "status")
    lines = process.until(lambda line: line.startswith("status"))
    assert lines[-2].startswith("error perft 30 was stopped after")


def test_lines_that_come_while_it_thinks_wait_for_their_turn(process):
    process.send("position chicago-express players 4", "go infinite", "move pass", "status", "go infinite")
    time.sleep(0.1)
    process.send("stop")
    lines = process.until(is_bestmove) + process.until(is_bestmove)
    kinds = [line.split()[0] for line in lines if not line.startswith("info")]
    assert kinds == ["bestmove", "status", "bestmove"]
    assert " ply 1 turn 2 " in next(line for line in lines if line.startswith("status"))


def test_a_script_piped_in_whole_gets_all_its_answers():
    ran = piped(b"position chicago-express players 3\nperft 3\ngo movetime 60000\nstatus\nperft 1\nquit\n")
    lines = ran.stdout.decode().splitlines()
    assert [line for line in lines if line.startswith(("perft total", "bestmove", "status"))][1].startswith("bestmove")
    assert lines[-1] == "perft total 35" and ran.returncode == 0 and ran.stderr == b""


def test_ponder_goes_on_thinking_until_the_next_line(process):
    process.send("setoption name Ponder value true", "position chicago-express players 4", "go movetime 50")
    process.until(is_bestmove)
    time.sleep(0.1)
    process.send("isready", "status", "go movetime 50")
    lines = process.until(is_bestmove)
    assert lines[0] == "readyok" and lines[1].startswith("status ") and lines[2].startswith("info ")
    process.send("quit")
    assert process.pipe.wait(timeout=30) == 0


def test_info_lines_come_at_most_twenty_times_a_second(process):
    process.send("position chicago-express players 4", "go movetime 1000")
    assert 1 <= sum(line.startswith("info ") for line in process.until(is_bestmove)) <= 20


# --- lines ---------------------------------------------------------------------------
def test_crlf_is_accepted():
    assert piped(b"isready\r\nposition chicago-express\r\nlegal x\r\n").stdout == b"readyok\nerror legal got 'x'; expected legal alone\n"


def test_a_last_line_without_its_end_is_answered():
    assert piped(b"isready").stdout == b"readyok\n"


def test_bytes_that_are_no_text():
    assert piped(b"\xff\xfe\nisready\n").stdout == b"error byte 1 of the line is no text; expected UTF-8\nreadyok\n"


def test_a_line_of_a_mebibyte_is_read_and_one_over_the_limit_is_refused():
    long = b"position chicago-express" + b" " * (1 << 20) + b"players 3\nstatus\n"
    over = b"position chicago-express" + b" " * LONGEST_LINE + b"players 4\nstatus\n"
    lines = piped(long + over).stdout.decode().splitlines()
    assert lines[0] == lines[2] == "status game chicago-express players 3 ply 0 turn 1 scores 40 40 40"
    assert lines[1] == f"error the line is too long; expected at most {LONGEST_LINE} bytes"


def test_an_error_stays_on_one_line_and_short():
    assert on_one_line("a\nb\u2028\x1b\ud800") == r"a\nb\u2028\x1b\ud800"
    lines = piped(b"explain " + b"x" * 100_000 + b"\nposition chicago-express\nmove " + b"\x01" * 100_000 + b"\n").stdout.splitlines()
    assert len(lines) == 2 and all(len(line) < 2000 for line in lines)


def test_a_map_that_is_no_board(tmp_path):
    driven = Driven()
    (tmp_path / "bad.json").write_text("{]")
    assert driven.send(f"position chicago-express map {tmp_path / 'bad.json'}".encode()).startswith("error board bad.json: line 1")
    assert driven.send(f"position chicago-express map {tmp_path}".encode()).startswith("error board ")
    assert driven.send(b"position chicago-express map " + b"x" * 5000).startswith("error ")
    assert driven.engine.table is None


# --- answers -------------------------------------------------------------------------
@pytest.mark.parametrize("game", GAMES)
def test_the_same_nodes_and_seed_give_the_same_lines(game):
    answers = []
    for _ in range(2):
        driven = Driven()
        decision(driven, game, 8)
        for _ in range(2):
            answers.append(re.sub(r" (nps|time) \d+", "", driven.send(b"go nodes 300")))
    assert len(set(answers)) == 1 and "bestmove" in answers[0]


@pytest.mark.parametrize("agent, game", [(agent, name) for name, game in GAMES.items() for agent in agents_for(game)])
def test_go_tells_a_score_and_lines_that_can_be_played(agent, game):
    driven = Driven()
    table = decision(driven, game, 15)
    driven.send(f"setoption name Agent value {agent}".encode())
    driven.send(b"setoption name MultiPV value 3")
    *infos, best = driven.send(b"go nodes 20").splitlines()
    assert infos and best.split()[1] in (["none"] if table.is_over else table.tokens())
    for info in infos:
        win = info.partition(" score win ")[2].partition(" margin ")[0].split()
        assert len(win) == table.players and sum(map(int, win)) == 1000
        line = info.partition(" pv ")[2].split()
        before = driven.snapshot()
        assert not line or driven.send(b"move " + " ".join(line).encode()) == ""
        driven.send(f"undo {len(line)}".encode())
        assert driven.snapshot() == before


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_over(game):
    driven = Driven()
    position = decision(driven, game).position
    position.playout(1)
    assert driven.engine.table.is_over
    assert driven.send(b"legal") == "legal\n"
    assert driven.send(b"status").split(" turn ")[1].startswith("over scores ")
    assert driven.send(b"status").split("winners ")[1].split() == [str(player + 1) for player in position.winners()]
    info, best = driven.send(b"go").splitlines()
    assert " score win " in info and best == "bestmove none"
    assert driven.send(b"go infinite").endswith("bestmove none\n")
    assert driven.send(b"perft 3") == "perft total 1\n"
    solved = driven.send(b"solve").split()
    assert solved == ["solved", "value", *(f"{score}.0" for score in position.scores()), "exact", "pv"]
    assert driven.send(b"move pass").startswith("error move 1 'pass' is illegal: the game is over; expected no move")


@pytest.mark.parametrize("game", GAMES)
def test_state_and_view_come_back(game):
    driven = Driven()
    table = decision(driven, game, 10)
    state = driven.send(b"state")
    driven.send(b"position " + state.encode())
    assert driven.send(b"state") == state
    if not table.is_over:
        legal = driven.send(b"legal")
        view = driven.send(f"view {table.to_move + 1}".encode())
        assert driven.send(b"position " + view.encode()) == ""
        assert driven.send(b"legal") == legal
        assert driven.send(b"eval").startswith("eval value ")
        assert driven.send(b"go nodes 50").splitlines()[-1].split()[1] in legal.split()


@pytest.mark.parametrize("game", GAMES)
def test_chance_is_listed_with_weights_and_rolled_by_seed(game):
    driven = Driven()
    driven.send(position_lines(game)[0])
    for _ in range(60):
        table = driven.engine.table
        if table.to_move == CHANCE or table.is_over:
            break
        driven.send(b"move " + next(iter(table.tokens())).encode())
    if driven.engine.table.to_move != CHANCE:
        pytest.skip("no chance in the first moves of this game")
    weights = dict(part.split("=") for part in driven.send(b"legal").split()[1:])
    assert all(int(weight) > 0 for weight in weights.values())
    assert driven.send(b"go").startswith("error go has nothing to choose, chance decides here")
    rolled = driven.send(b"roll").split()
    assert rolled[0] == "chance" and rolled[1] in weights
    driven.send(b"undo")
    assert driven.send(b"roll").split() == rolled


def test_win_chances_add_up_by_the_largest_remainder():
    assert per_mille([1, 1, 1]) == [334, 333, 333]
    assert per_mille([0.4444, 0.3333, 0.2223]) == [445, 333, 222]
    assert per_mille([0.0, 1.0]) == [0, 1000]


def test_json_says_the_same_as_text():
    driven = Driven()
    driven.send(b"position chicago-express players 3")
    text = [driven.send(line).split() for line in (b"legal", b"status", b"perft 1")]
    driven.send(b"setoption name Output value json")
    legal, status = (json.loads(driven.send(line)) for line in (b"legal", b"status"))
    assert legal["legal"] == text[0][1:] and list(map(str, status["scores"])) == text[1][text[1].index("scores") + 1:]
    rows = [json.loads(line) for line in driven.send(b"perft 1").splitlines()]
    assert rows[-1] == {"answer": "perft", "total": len(rows) - 1}


# --- the command -----------------------------------------------------------------------
def railwright(*words: str, text: bytes = b"") -> subprocess.CompletedProcess:
    code = f"import sys; sys.argv = ['railwright', *{words!r}]; from railwright.cli.main import run; run()"
    return subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, timeout=60)


def test_the_engine_starts_without_what_it_does_not_need():
    code = ("import sys; sys.argv = ['railwright', 'engine']; import railwright.cli.main, railwright.cli.protocol.engine; "
            "print([name for name in ('typer', 'rich', 'numpy', 'PIL', 'mcts_simple') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).stdout == b"[]\n"


def test_commands_answer_on_stdout():
    assert railwright("engine", text=b"isready\n").stdout == b"readyok\n"
    assert railwright("--version").stdout.startswith(b"railwright ")
    assert b"chicago-express" in railwright("games").stdout
    assert json.loads(railwright("games", "--json").stdout)[0]["name"] == "chicago-express"
    assert railwright("perft", "chicago-express", "--players", "3", "1").stdout == b"perft total 35\n"
    assert railwright("perft", "chicago-express", "--players", "3", "1", "--divide").stdout.splitlines()[0] == b"perft bid:7 1"
    assert json.loads(railwright("perft", "chicago-express", "--players", "3", "1", "--json").stdout)["total"] == 35


@pytest.mark.parametrize("words, code", [
    (("perft", "chess", "2"), 1), (("perft", "chicago-express", "2", "--players", "9"), 1),
    (("perft", "chicago-express", "2", "--board", "nowhere.json"), 1), (("perft", "chicago-express", "two"), 2),
    (("perft", "chicago-express"), 2), (("nonsense",), 2), (("games", "--xml"), 2), (("engine", "now"), 2),
])
def test_a_command_that_fails_says_why_in_one_line(words, code):
    ran = railwright(*words)
    assert ran.returncode == code and ran.stdout == b""
    assert ran.stderr.startswith(b"error ") and ran.stderr.count(b"\n") == 1 and b"; expected " in ran.stderr
