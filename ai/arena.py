"""Matches between agents: seats rotated over the same start, game by game on file, in as many processes as wanted."""
import json
import os
import signal
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from itertools import accumulate
from math import inf
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any

from railwright.ai.agent import Agent, Limits
from railwright.ai.agents import Settings, make_agent
from railwright.ai.standings import Played, Verdict, set_shares, sprt
from railwright.ai.weights import weights_of
from railwright.engine.game import Rules
from railwright.engine.games import game_called
from railwright.engine.table import Table

LATE_SECONDS, LATE_PART = 0.05, 0.2     # a move is late when it is over the limit by both together
WEIGHT = "weight."                      # a setting that begins so replaces a weight of the evaluation
DEFAULT_TIME = 0.1                      # seconds a move, when no limit is given


class ArenaFault(RuntimeError):
    """A match that cannot go on: an agent or a worker failed."""


# --- what is played --------------------------------------------------------------
@dataclass(frozen=True)
class Spec:
    """An agent with its settings: `ismcts@nodes=2000@level=3`; what the arena does not know goes to the search."""
    text: str
    name: str
    time: float | None = None
    nodes: int | None = None
    level: int = 10
    threads: int = 1
    hash: int = 64
    search: dict[str, str] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Spec":
        name, *settings = text.split("@")
        known: dict[str, Any] = {}
        search: dict[str, str] = {}
        weights: dict[str, float] = {}
        for setting in settings:
            key, equals, value = setting.partition("=")
            if not name or not key or not equals or not value or key in known or key in search:
                raise ValueError(f"agent {text!r}; expected name@key=value@key=value, each key once")
            if key == "time":
                known[key] = number(text, key, value, 0.001, 86400)
            elif key in ("nodes", "level", "threads", "hash"):
                least, most = {"nodes": (1, 10**12), "level": (1, 10), "threads": (1, 256), "hash": (1, 65536)}[key]
                known[key] = int(number(text, key, value, least, most, whole=True))
            elif key.startswith(WEIGHT):
                weights[key.removeprefix(WEIGHT)] = number(text, key, value, -1e9, 1e9)
            else:
                search[key] = value
        return cls(text, name, **known, search=search, weights=weights)

    def limits(self, match: "Match") -> Limits:
        """Its own limits if it has any, else those of the match."""
        if self.time is None and self.nodes is None:
            return Limits(movetime=match.time, nodes=match.nodes, is_brief=True)
        return Limits(movetime=self.time, nodes=self.nodes, is_brief=True)

    def settings(self, seed: int) -> Settings:
        return Settings(seed=seed, threads=self.threads, hash_mib=self.hash, level=self.level, search=self.search, weights=self.weights)


def number(agent: str, key: str, value: str, least: float, most: float, whole: bool = False) -> float:
    kind = "a whole number" if whole else "a number"
    try:
        result = int(value) if whole else float(value)
    except ValueError:
        result = inf
    if not least <= result <= most:
        raise ValueError(f"agent {agent!r}: {key} is {value!r}; expected {kind} from {least:g} to {most:g}")
    return result


@dataclass(frozen=True)
class Match:
    """What is played; the games of a match depend on nothing else (and on the clock, if time is the limit)."""
    game: str
    agents: tuple[str, ...]             # the first is the hero: one seat, the others fill the rest in turn
    players: int
    seed: int = 0
    time: float | None = None           # seconds a move
    nodes: int | None = None
    rules: Rules = field(default_factory=dict)
    board: str | None = None
    opening: int = 0                    # decisions made by lot before the agents take over

    @property
    def specs(self) -> list[Spec]:
        return [Spec.parse(agent) for agent in self.agents]

    def lineup(self) -> list[int]:
        """Which agent has which chair: A,B,C at four is A,B,C,B."""
        return [0] + [1 + i % (len(self.agents) - 1) for i in range(self.players - 1)]

    def seats(self, game: int) -> list[int]:
        """The lineup, moved on by one seat from game to game of a set."""
        shift = game % self.players
        lineup = self.lineup()
        return lineup[-shift:] + lineup[:-shift] if shift else lineup

    def table(self, game: int) -> Table:
        """The start of a game: the same for all games of a set."""
        table = Table.new(self.game, self.players, self.board, self.rules, derived(self.seed, game // self.players))
        table.roll_out()
        for _ in range(self.opening):
            if not table.is_over:
                table.push(by_lot(table))
                table.roll_out()
        return table

    def check(self) -> None:
        """ValueError says what does not fit, before anything is played."""
        if len(self.agents) < 2:
            raise ValueError(f"agents {','.join(self.agents)!r}; expected two or more, the hero first")
        table = self.table(0)
        if len(self.agents) > self.players:
            raise ValueError(f"agents: {len(self.agents)} at a table of {self.players}; expected at most {self.players}")
        for spec in self.specs:
            weights_of(table.game, spec.weights)
            make_agent(spec.name, table.game, spec.settings(0))


def match_of(game: str, agents: str, players: int | None = None, seed: int = 0, time: float | None = None,
             nodes: int | None = None, rules: Rules | None = None, board: str | None = None, opening: int = 0) -> Match:
    """A match as the command line names it; ValueError says what does not fit."""
    names = tuple(agents.split(","))
    if players is None:
        players = max(len(names), game_called(game).players[0])
    if time is None and nodes is None:
        time = DEFAULT_TIME
    match = Match(game, names, players, seed, time, nodes, rules or {}, board, opening)
    match.check()
    return match


def derived(*numbers: int) -> int:
    """A seed of its own for each row of numbers."""
    return int.from_bytes(blake2b(" ".join(map(str, numbers)).encode(), digest_size=8).digest()) >> 1


def by_lot(table: Table) -> int:
    """A move drawn by the table's seed: half of the time any, half the likelier, the more sensible the game finds it."""
    position = table.position
    if not table.game.weights:
        moves = position.legal()
        chances = [1.0] * len(moves)
    else:
        weights = weights_of(table.game)
        moves = position.candidates(weights)
        priors = position.priors(moves, weights)
        chances = [prior / sum(priors) + 1 / len(moves) for prior in priors]
    bounds = list(accumulate(chances))
    return moves[min(bisect(bounds, derived(table.seed, table.ply, 1) / 2**63 * bounds[-1]), len(moves) - 1)]


# --- one game --------------------------------------------------------------------
def play_game(match: Match, game: int) -> Played:
    """Plays one game to its end. Illegal moves are counted and replaced by the first legal one."""
    table = match.table(game)
    seats, specs = match.seats(game), match.specs
    agents = [make_agent(specs[agent].name, table.game, specs[agent].settings(derived(match.seed, game, seat)))
              for seat, agent in enumerate(seats)]
    limits = [specs[agent].limits(match) for agent in seats]
    asked, illegal, late = ([0] * match.players for _ in range(3))
    seconds = [0.0] * match.players
    while not table.is_over:
        seat = table.to_move
        legal = table.position.legal()
        move = legal[0]
        if len(legal) > 1:
            answer, spent = ask(agents[seat], table, limits[seat])
            asked[seat] += 1
            seconds[seat] += spent
            late[seat] += is_late(spent, limits[seat].movetime)
            if is_legal(table, answer):
                move = answer
            else:
                illegal[seat] += 1
        table.push(move)
        table.roll_out()
    winners = table.position.winners()
    wins = [1 / len(winners) if seat in winners else 0.0 for seat in range(match.players)]
    return Played(game, seats, table.position.scores(), wins, asked, [round(s, 4) for s in seconds], illegal, late, " ".join(table.moves))


def ask(agent: Agent, table: Table, limits: Limits) -> tuple[Any, float]:
    """The agent's move and the seconds it took."""
    shown = seen(table)
    began = perf_counter()
    try:
        choice = agent.choose(shown, limits, Event(), lambda lines: None)
    except Exception as fault:
        raise ArenaFault(f"agent {agent.name} failed at move {table.ply + 1} with {type(fault).__name__}: {fault}; "
                         f"state {table.state()}") from fault
    return choice.move, perf_counter() - began


def seen(table: Table) -> Table:
    """The table as the player to move may see it: no secrets of others, and no seed that tells the dice."""
    if table.position.has_secrets:
        return table.view(table.to_move)
    copy = table.fork()
    copy.seed = 0
    return copy


def is_legal(table: Table, move: Any) -> bool:
    return isinstance(move, int) and 0 <= move < 1 << 32 and table.position.accepts(move)


def is_late(seconds: float, movetime: float | None) -> bool:
    return movetime is not None and seconds > movetime * (1 + LATE_PART) + LATE_SECONDS


# --- the record file -------------------------------------------------------------
class Log:
    """The games of a match in a file: first the match, then a line a game. Whoever is cut off goes on from there."""

    def __init__(self, path: Path, match: Match):
        self.path = path
        self.header = json.dumps({"match": asdict(match)}) + "\n"
        self.games: dict[int, Played] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes() if path.exists() else b""
        whole = content[:content.rfind(b"\n") + 1]      # the last line may have been cut off
        if not whole and self.header.encode().startswith(content):
            self.append(self.header, at=0)
            return
        self.read(whole)
        if len(whole) < len(content):
            self.append("", at=len(whole))

    def read(self, content: bytes) -> None:
        lines = content.decode("utf-8", "replace").splitlines()
        if not lines or not lines[0].startswith('{"match": '):
            raise ValueError(f"record {self.path}: is no record of an arena; expected one, or a new file")
        if lines[0] != self.header.rstrip("\n"):
            raise ValueError(f"record {self.path}: holds another match ({difference(lines[0], self.header)}); "
                             "expected the same command, or another file")
        for at, line in enumerate(lines[1:], 2):
            try:
                played = Played(**json.loads(line))
            except (ValueError, TypeError):
                raise ValueError(f"record {self.path} line {at}: is damaged; expected a game") from None
            self.games[played.game] = played

    def add(self, played: Played) -> None:
        self.games[played.game] = played
        self.append(json.dumps(asdict(played)) + "\n")

    def append(self, text: str, at: int | None = None) -> None:
        """Writes behind the end, or behind the first `at` bytes, through to the disk."""
        with open(self.path, "ab") as file:
            if at is not None:
                file.truncate(at)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())


def difference(old: str, new: str) -> str:
    """The first field in which two matches differ: `seed 1, not 2`."""
    try:
        there, here = json.loads(old)["match"], json.loads(new)["match"]
        return next(f"{f.name} {there.get(f.name)}, not {here[f.name]}" for f in fields(Match) if there.get(f.name) != here[f.name])
    except (ValueError, KeyError, AttributeError, StopIteration):
        return "of another version"


def default_path(match: Match) -> Path:
    """Where the games of a match go when no file was named: the same match finds them again."""
    digest = blake2b(json.dumps(asdict(match)).encode(), digest_size=5).hexdigest()
    return Path("arena") / f"{match.game}-{digest}.jsonl"


# --- worker processes ------------------------------------------------------------
class Workers:
    """Processes that play games, one at a time each; a single one is this process itself. To be used in a `with`."""

    def __init__(self, n: int = 1):
        self.n = n
        self.pool = ProcessPoolExecutor(n, get_context("spawn"), initializer=begin_worker) if n > 1 else None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *fault: object) -> None:
        if self.pool:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def play(self, match: Match, games: Iterable[int]) -> Iterator[Played]:
        """The games as they end."""
        if self.pool is None:
            yield from (play_game(match, game) for game in games)
            return
        running: set[Future[Played]] = set()
        waiting = list(games)
        try:
            while waiting or running:
                while waiting and len(running) <= self.n:       # one more than can run: nobody waits for work
                    running.add(self.pool.submit(play_game, match, waiting.pop(0)))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenProcessPool:
            raise ArenaFault("a worker process died in the middle of a game; the games before it are kept") from None


def begin_worker() -> None:
    """Ctrl-C ends a worker without a word, and so does the end of the program that started it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


# --- many games ------------------------------------------------------------------
@dataclass
class Result:
    """The games of a match in their order, and what the sequential test says of them."""
    match: Match
    games: list[Played]
    verdict: Verdict | None = None


def run(match: Match, n_games: int, workers: Workers, log: Log | None = None, delta: float | None = None,
        progress: Callable[[Result], None] = lambda result: None) -> Result:
    """Plays what is missing of the first `n_games` games, rounded up to whole sets. With `delta`: until the test decides."""
    n_games = whole_sets(n_games, match.players)
    games = {number: played for number, played in (log.games if log else {}).items() if number < n_games}
    result = gather(match, games, delta)
    progress(result)
    if is_decided(result):
        return result
    for played in workers.play(match, [number for number in range(n_games) if number not in games]):
        games[played.game] = played
        if log:
            log.add(played)
        result = gather(match, games, delta)
        progress(result)
        if is_decided(result):
            break
    return result


def whole_sets(n_games: int, players: int) -> int:
    return -(-n_games // players) * players


def gather(match: Match, games: dict[int, Played], delta: float | None) -> Result:
    ordered = [games[number] for number in sorted(games)]
    return Result(match, ordered, sprt(set_shares(ordered, match.players), match.players, delta) if delta else None)


def is_decided(result: Result) -> bool:
    return result.verdict is not None and result.verdict.word != "undecided"
