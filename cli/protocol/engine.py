"""`railwright engine`: the protocol on stdin and stdout.

One thread reads and answers. What takes long (`go`, `solve`, `perft`, `bench`) is done by a second one; as long as it
works, `stop`, `isready` and `quit` are answered at once and every other line waits for its turn, as in UCI engines.
`quit` ends a search at once; lines that wait are answered before, and what is being counted gets a few seconds, so that
a script that is piped in whole gets all its answers.
"""
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from threading import Event, Lock, Thread
from typing import BinaryIO

from railwright.ai.agent import Agent, Info, Limits
from railwright.ai.agents import Settings, make_agent
from railwright.cext.game import CHANCE, OVER
from railwright.cli.protocol.answers import Answers, Fields, per_mille, plain, tenth
from railwright.cli.protocol.infos import Infos, info_fields, tokens_along
from railwright.cli.protocol.options import OPTIONS, Options
from railwright.cli.protocol.words import (
    LONGEST_LINE,
    MOST_NODES,
    MOST_TIME,
    Words,
    decoded,
    keyed,
    new_table,
    number,
    only,
    parsed,
    play_all,
    shortened,
)
from railwright.engine.game import nearest
from railwright.engine.games import GAMES
from railwright.engine.table import Table

QUIT_GRACE = 0.02               # seconds in which `quit` lets a search end by itself
QUIT_PATIENCE = 0.02            # seconds for a search to end when told so, and nothing else is to be answered
COUNT_PATIENCE = 10.0           # the same for perft and bench, and for lines that still wait


@dataclass(frozen=True)
class Job:
    """What takes long; it ends soon after the event is set."""
    run: Callable[[Event], None]
    is_search: bool = False         # `quit` does not wait for it
    ponder: Callable[[Event], None] | None = None       # what to go on with until the next line comes


@dataclass
class Waiting:
    """A line that came while the engine was thinking; None: it was too long to be kept."""
    data: bytes | None
    stop: Event


class Engine:
    """The state behind the protocol: the options, the table, and the work in progress."""

    def __init__(self, answers: Answers):
        self.answers = answers
        self.options = Options()
        self.table: Table | None = None
        self.agent: Agent | None = None
        self.agent_key: tuple[str, str, Settings] | None = None
        self.lock = Lock()              # guards the fields below
        self.worker: Thread | None = None
        self.job: Job | None = None
        self.is_quitting = False
        self.stop_working = Event()
        self.stop_pondering: Event | None = None
        self.waiting: deque[Waiting] = deque()

    # --- lines in ------------------------------------------------------------------
    def receive(self, data: bytes | None) -> bool:
        """Answers a line, or lets it wait; False when it was `quit`."""
        word = b" ".join((data or b"").split())
        if word == b"isready":
            self.answers.say("readyok")
            return True
        if word == b"quit":
            return False
        with self.lock:
            if word == b"stop":
                self.stop_all()
                return True
            if self.worker is not None:
                self.waiting.append(Waiting(data, Event()))
                self.end_pondering()
                return True
        job = self.attempt(data)
        if job is not None:
            self.start(job)
        return True

    def stop_all(self) -> None:
        """Ends the work at hand, and whatever waits will end as soon as it begins."""
        self.stop_working.set()
        self.end_pondering()
        for line in self.waiting:
            line.stop.set()

    def end_pondering(self) -> None:
        if self.stop_pondering is not None:
            self.stop_pondering.set()

    def attempt(self, data: bytes | None) -> Job | None:
        """Answers a line; what takes long comes back as a job. A fault leaves everything as it was."""
        try:
            return self.obey(decoded(data))
        except Exception as fault:      # the last net too: whatever happens, the engine goes on
            self.answers.error(told(fault))
            return None

    def obey(self, line: str) -> Job | None:
        words = line.split()
        if not words:
            return None
        command = COMMANDS.get(words[0])
        if command is None:
            near = nearest(words[0][:60], list(COMMANDS))
            raise ValueError(f"unknown command {shortened(words[0])}; expected one of {' '.join(COMMANDS)}{near}")
        if command.takes_nothing and len(words) > 1:
            raise ValueError(f"{words[0]} got {shortened(words[1])}; expected {command.usage} alone")
        return command.run(self, words[1:])

    # --- work ----------------------------------------------------------------------
    def start(self, job: Job) -> None:
        with self.lock:
            self.stop_working, self.job = Event(), job
            self.worker = Thread(target=self.work, args=(job, self.stop_working), name="work", daemon=True)
            self.worker.start()

    def work(self, job: Job | None, stop: Event) -> None:
        """Does the job, then answers the lines that came in the meantime."""
        while True:
            if job is not None:
                self.attempt_job(job, stop)
            with self.lock:
                if not self.waiting:
                    self.worker = self.job = None
                    return
                line = self.waiting.popleft()
                self.stop_working = stop = line.stop
            job = self.attempt(line.data)
            with self.lock:
                self.job = job
                if self.is_quitting and job is not None and job.is_search:
                    stop.set()

    def attempt_job(self, job: Job, stop: Event) -> None:
        try:
            job.run(stop)
            if job.ponder is not None and not stop.is_set():
                self.ponder(job.ponder)
        except Exception as fault:      # the same net
            self.agent = None           # who knows what it remembers
            self.answers.error(told(fault))

    def ponder(self, think_on: Callable[[Event], None]) -> None:
        """Goes on thinking in silence until the next line comes."""
        with self.lock:
            if self.waiting or self.is_quitting:
                return
            self.stop_pondering = stop = Event()
        think_on(stop)
        with self.lock:
            self.stop_pondering = None

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until all work is done; False when it took too long."""
        worker = self.worker
        if worker is not None:
            worker.join(seconds)
        return self.worker is None

    def quit(self) -> None:
        """Ends what is going on; in the end a search that does not hear `stop` is left behind."""
        with self.lock:
            self.end_pondering()
        if self.wait(QUIT_GRACE):
            return
        with self.lock:
            self.is_quitting = True
            self.end_pondering()
            is_search = self.job is not None and self.job.is_search
            if is_search:
                self.stop_working.set()
            patience = QUIT_PATIENCE if is_search and not self.waiting else COUNT_PATIENCE
        self.wait(patience)

    # --- talking about oneself -----------------------------------------------------
    def uci(self, words: Words) -> None:
        self.answers.say("id", {"name": f"Railwright {version()}"})
        self.answers.say("id", {"author": "the Railwright founders"})
        for option in OPTIONS.values():
            self.answers.say("option", option.fields(), option.line())
        for game in GAMES.values():
            low, high = game.players
            maps = {"maps": ",".join(game.boards)} if len(game.boards) > 1 else {}
            self.answers.say("game", {"name": game.name, "players": f"{low}-{high}", **maps})
        self.answers.say("uciok")

    def help(self, words: Words) -> None:
        for command in COMMANDS.values():
            self.answers.say("help", {"command": command.usage, "text": command.text}, f"help {command.usage}: {command.text}")

    def ready(self, words: Words) -> None:
        self.answers.say("readyok")

    def nothing(self, words: Words) -> None:
        """`stop` and `quit` are seen to before a line gets here."""

    def set_option(self, words: Words) -> None:
        expected = "expected setoption name <Name> value <value>"
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise ValueError(f"setoption got {shortened(' '.join(words))}; {expected}")
        self.options.set(words[1], words[3])
        self.answers.is_json = self.options["Output"] == "json"

    # --- positions -----------------------------------------------------------------
    def new_game(self, words: Words) -> None:
        self.table = None
        if self.agent is not None:
            self.agent.forget()

    def position(self, words: Words) -> None:
        if not words:
            raise ValueError(f"position got nothing; expected a game, one of {' '.join(GAMES)}, or state <state-token>")
        if words[0] == "state":
            if len(words) < 2:
                raise ValueError("position state got nothing; expected a state as `state` prints it")
            table, rest = Table.from_state(words[1]), words[2:]
            if rest and rest[0] != "moves":
                raise ValueError(f"position got {shortened(rest[0])} behind the state; expected moves or nothing")
            rest = rest[1:]
        else:
            settings, rest = keyed(words[1:], ("players", "map", "rules", "seed", "observer"), "moves")
            table = new_table(words[0], settings)
        play_all(table, rest)
        self.table = table

    def move(self, words: Words) -> None:
        if not words:
            raise ValueError("move got nothing; expected one move or more")
        table = self.seated().fork()
        play_all(table, words)
        self.table = table

    def undo(self, words: Words) -> None:
        table = self.seated()
        if len(words) > 1:
            raise ValueError(f"undo got {shortened(words[1])}; expected undo [k]")
        if not table.moves:
            raise ValueError("undo has nothing to take back; expected a move that was played since `position`")
        table.undo(number("undo", words[0] if words else "1", 1, len(table.moves)))

    def roll(self, words: Words) -> None:
        table = self.seated().fork()
        token = table.roll()
        self.table = table
        self.answers.say("chance", {"chance": token})

    def seated(self) -> Table:
        if self.table is None:
            raise ValueError("there is no position; expected position <game> ... first")
        return self.table

    # --- asking --------------------------------------------------------------------
    def legal(self, words: Words) -> None:
        table = self.seated()
        if table.to_move == CHANCE:
            weights = {table.game.token(table.chart, table.position, move): weight for move, weight in table.position.chance()}
            self.answers.say("chance", {"chance": weights})
        else:
            self.answers.say("legal", {"legal": list(table.tokens())})

    def status(self, words: Words) -> None:
        table = self.seated()
        turn = {CHANCE: "chance", OVER: "over"}.get(table.to_move, table.to_move + 1)
        fields: Fields = {"game": table.game.name, "players": table.players, "ply": table.ply, "turn": turn,
                          "scores": table.position.scores()}
        if table.is_over:
            fields["winners"] = [player + 1 for player in table.position.winners()]
        self.answers.say("status", fields)

    def state(self, words: Words) -> None:
        self.answers.say("state", {"state": self.seated().state()})

    def view(self, words: Words) -> None:
        table = self.seated()
        seat = number("view", only(words, "view P"), 1, table.players)
        if table.observer not in (None, seat - 1) and table.position.has_secrets:
            raise ValueError(f"view got {seat}, but this is what player {table.seen_by()} knows; expected that one")
        self.answers.say("state", {"state": table.view(seat - 1).state()})

    def draw(self, words: Words) -> None:
        table = self.seated()
        lines = table.game.text(table.chart, table.position).splitlines()
        self.answers.say("d", {"d": lines}, "\n".join(lines))
        self.answers.say("dok")

    def explain(self, words: Words) -> None:
        from railwright.ai.weights import weights_of
        table = self.seated()
        move = parsed(table, only(words, "explain m"), "explain")
        text = table.game.explain(table.chart, table.position, move)
        advice = table.game.advice(table.chart, table.position, move, weights_of(table.game))
        self.answers.say("explain", {"explain": " ".join(f"{text}; {advice}".split()) if advice else text})

    def evaluate(self, words: Words) -> None:
        from railwright.ai.judgement import WORLDS, judge, win_chances
        table = self.seated()
        values = judge(table)
        is_own = table.position.can_evaluate and not table.is_over
        is_view = table.observer is not None and table.position.has_secrets
        detail = {"by": "evaluation" if is_own else "scores", "worlds": WORLDS if is_view else 1,
                  "win": ",".join(map(str, per_mille(win_chances(table.position, values))))}
        self.answers.say("eval", {"value": [tenth(value) for value in values], "detail": detail})

    def bids(self, words: Words) -> None:
        from railwright.ai.weights import weights_of
        table = self.seated()
        bids = table.game.bids(table.chart, table.position, weights_of(table.game))
        if not bids:
            raise ValueError("bids has nothing to value here; expected an auction")
        values = " ".join(f"player {bid.player + 1} value {tenth(bid.value)}" for bid in bids)
        reasons = "; ".join(f"player {bid.player + 1}: {bid.reason}" for bid in bids if bid.reason)
        listed = [{"player": bid.player + 1, "value": tenth(bid.value), "why": bid.reason} for bid in bids]
        self.answers.say("bids", {"bids": listed}, f"bids {values}" + (f" why {reasons}" if reasons else ""))

    # --- thinking ------------------------------------------------------------------
    def go(self, words: Words) -> Job | None:
        table = self.seated()
        is_infinite, limits = self.limits(table, words)
        if table.is_over:
            self.say_end(table)
            return None
        if table.to_move == CHANCE:
            raise ValueError("go has nothing to choose, chance decides here; expected roll, or move with the outcome")
        table.tokens()                  # raises when the decision is another player's than the observer's
        agent = self.agent_for(table)
        # only an agent that remembers gains by thinking on, and one that is limited by nodes alone forgets
        is_pondering = self.options["Ponder"] == "true" and limits.movetime is not None and type(agent).forget is not Agent.forget
        return Job(lambda stop: self.think(agent, table, limits, is_infinite, stop), is_search=True,
                   ponder=(lambda stop: think_on(agent, table, stop)) if is_pondering else None)

    def limits(self, table: Table, words: Words) -> tuple[bool, Limits]:
        given: dict[str, Words] = {}
        keyword = ""
        for word in words:
            if word in ("movetime", "nodes", "infinite", "searchmoves"):
                if word in given:
                    raise ValueError(f"go got {word} twice; expected each once")
                given[word], keyword = [], word
            elif not keyword or keyword == "infinite" or (keyword != "searchmoves" and given[keyword]):
                raise ValueError(f"go got {shortened(word)}; expected go [movetime ms] [nodes n] [infinite] [searchmoves m1 ...]")
            else:
                given[keyword].append(word)
        is_infinite = "infinite" in given
        if is_infinite and ("movetime" in given or "nodes" in given):
            raise ValueError("go got infinite and a limit; expected one of them")
        movetime = number("go movetime", only(given["movetime"], "movetime ms"), 1, MOST_TIME, "ms") if "movetime" in given else None
        nodes = number("go nodes", only(given["nodes"], "nodes n"), 1, MOST_NODES) if "nodes" in given else None
        if not is_infinite and movetime is None and nodes is None:
            movetime = self.options.number("MoveTime")
        if "searchmoves" in given and not given["searchmoves"]:
            raise ValueError("go searchmoves got nothing; expected one move or more")
        moves = tuple(parsed(table, word, f"searchmoves {i}") for i, word in enumerate(given.get("searchmoves", []), 1))
        return is_infinite, Limits(None if movetime is None else movetime / 1000, nodes, tuple(dict.fromkeys(moves)),
                                   self.options.number("MultiPV"))

    def agent_for(self, table: Table) -> Agent:
        """The agent of the options; the same one as before, with what it remembers, when nothing changed."""
        key = (self.options["Agent"], table.game.name, self.options.settings())
        if self.agent is None or key != self.agent_key:
            self.agent = make_agent(key[0], table.game, key[2])
            self.agent_key = key
        return self.agent

    def think(self, agent: Agent, table: Table, limits: Limits, is_infinite: bool, stop: Event) -> None:
        is_timed = is_infinite or limits.movetime is not None
        if not is_timed:
            agent.forget()              # a search that is limited by nodes alone gives the same lines whatever went before
        infos = Infos(self.answers, table, is_timed)
        choice = agent.choose(table, limits, stop, infos.report)
        if is_infinite:
            stop.wait()                 # as in UCI: no answer before it is asked for
        infos.end(choice.lines)
        token = table.game.token(table.chart, table.position, choice.move)
        line = infos.tokens(choice.lines[0]) if choice.lines else []
        ponder = {"ponder": line[1]} if line[:1] == [token] and len(line) > 1 else {}
        self.answers.say("bestmove", {"bestmove": token, **ponder})

    def say_end(self, table: Table) -> None:
        from railwright.ai.judgement import judge, win_chances
        values = judge(table)
        self.answers.say("info", info_fields(Info(0, 0, 0, 0.0, 0, win_chances(table.position, values), values, 0, []), []))
        self.answers.say("bestmove", {"bestmove": "none"})

    def solve(self, words: Words) -> Job:
        table = self.seated()
        if words and (words[0] != "movetime" or len(words) != 2):
            raise ValueError(f"solve got {shortened(' '.join(words))}; expected solve [movetime ms]")
        movetime = number("solve movetime", words[1], 1, MOST_TIME, "ms") if words else self.options.number("MoveTime")
        return Job(lambda stop: self.say_solution(table, movetime / 1000, stop), is_search=True)

    def say_solution(self, table: Table, seconds: float, stop: Event) -> None:
        from railwright.ai.solver import solve
        solution = solve(table, seconds, stop)
        if solution.exact:
            value, pv = [tenth(score) for score in solution.value], tokens_along(table, solution.pv)
            self.answers.say("solved", {"value": value, "exact": True, "pv": pv}, plain("solved", {"value": value, "exact pv": pv}))
        else:
            self.answers.say("unsolved", {"nodes": solution.nodes, "bound": "none"})

    def perft(self, words: Words) -> Job:
        from railwright.cli.protocol.counting import MOST_DEPTH
        table = self.seated()
        depth = number("perft", only(words, "perft D"), 0, MOST_DEPTH)
        return Job(lambda stop: self.say_perft(table, depth, stop))

    def say_perft(self, table: Table, depth: int, stop: Event) -> None:
        from railwright.cli.protocol.counting import Stopped, divide
        total, n_moves = 0, 0
        try:
            for token, leaves in divide(table, depth, stop):
                self.answers.say("perft", {"move": token, "leaves": leaves}, f"perft {token} {leaves}")
                total, n_moves = total + leaves, n_moves + 1
        except Stopped:
            self.answers.error(f"perft {depth} was stopped after {n_moves} moves; expected to be left to finish")
            return
        self.answers.say("perft", {"total": total if n_moves else 1})

    def bench(self, words: Words) -> Job:
        return Job(self.say_bench)

    def say_bench(self, stop: Event) -> None:
        from railwright.ai.bench import bench, signature
        results = []
        for result in bench(stop):
            results.append(result)
            self.answers.say("bench", {"game": result.game, "players": result.players, "ply": result.ply, "nodes": result.nodes,
                                       "bestmove": result.move})
        if stop.is_set():
            self.answers.error(f"bench was stopped after {len(results)} positions; expected to be left to finish")
            return
        nodes, seconds = sum(result.nodes for result in results), sum(result.seconds for result in results)
        self.answers.say("bench", {"nodes": nodes, "nps": round(nodes / max(seconds, 1e-6)), "signature": signature(results)})


# --- the commands ------------------------------------------------------------------
@dataclass(frozen=True)
class Command:
    usage: str
    text: str
    run: Callable[[Engine, Words], Job | None]

    @property
    def takes_nothing(self) -> bool:
        return " " not in self.usage


COMMANDS = {command.usage.split()[0]: command for command in (
    Command("uci", "who this is, the options, the games; ends with uciok", Engine.uci),
    Command("isready", "answers readyok, also while thinking", Engine.ready),
    Command("setoption name <Name> value <value>", "sets an option", Engine.set_option),
    Command("ucinewgame", "forgets the tree and the position", Engine.new_game),
    Command("position <game> [players N] [map M] [rules k=v,...] [seed S] [observer P] [moves m1 ...] | state <token> [moves m1 ...]",
            "sets up a game, or a state that was printed", Engine.position),
    Command("move m1 [m2 ...]", "plays on, all of the moves or none", Engine.move),
    Command("undo [k]", "takes k moves back", Engine.undo),
    Command("legal", "the legal moves, or the outcomes of chance with their weights", Engine.legal),
    Command("roll", "draws an outcome of chance with the position's seed and plays it", Engine.roll),
    Command("status", "whose turn it is, the scores, the winners", Engine.status),
    Command("state", "the position in one token", Engine.state),
    Command("view P", "what player P may know, in one token", Engine.view),
    Command("d", "a picture for people; ends with dok", Engine.draw),
    Command("explain m", "what a move does, in words", Engine.explain),
    Command("go [movetime ms] [nodes n] [infinite] [searchmoves m1 ...]", "thinks, then names the best move", Engine.go),
    Command("stop", "ends the search now", Engine.nothing),
    Command("eval", "the score each player may expect, without search", Engine.evaluate),
    Command("bids", "in an auction: what the share is worth to each player, and why", Engine.bids),
    Command("solve [movetime ms]", "the exact outcome, where it can be proved", Engine.solve),
    Command("perft D", "counts the sequences of D moves", Engine.perft),
    Command("bench", "the fixed benchmark; ends with its signature", Engine.bench),
    Command("help", "a line a command", Engine.help),
    Command("quit", "ends the program", Engine.nothing),
)}


def think_on(agent: Agent, table: Table, stop: Event) -> None:
    """Thinks about the same position in silence; what follows the move that was chosen gets most of it."""
    agent.choose(table, Limits(), stop, lambda lines: None)


def told(fault: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(fault, ValueError):
        return str(fault)
    if isinstance(fault, MemoryError):
        return "not enough memory; expected a smaller Hash or fewer Threads"
    if isinstance(fault, OSError):
        return f"{fault.strerror or 'a file'} ({shortened(str(fault.filename))}); expected a file that can be read"
    return f"internal fault {type(fault).__name__}: {fault}; expected none, please report it with the line"


@cache
def version() -> str:
    from importlib.metadata import version as of_package
    return of_package("railwright")


# --- the door ----------------------------------------------------------------------
def read_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is too long."""
    while data := stream.readline(LONGEST_LINE + 1):
        if len(data) > LONGEST_LINE and not data.endswith(b"\n"):
            while (more := stream.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
                pass
            yield None
        else:
            yield data.rstrip(b"\r\n")


def serve(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Reads and answers until `quit` or the end of the input."""
    engine = Engine(Answers(stdout))
    for data in read_lines(stdin):
        if not engine.receive(data) or engine.answers.is_broken:
            break
    engine.quit()


def main() -> None:
    """Speaks the protocol on stdin and stdout, then ends the process."""
    sys.setswitchinterval(0.001)        # the reader gets its turn soon, also beside an agent in Python
    with suppress(KeyboardInterrupt):
        serve(sys.stdin.buffer, sys.stdout.buffer)
    os._exit(0)                         # a search that does not hear `stop` in time must not hold up `quit`
