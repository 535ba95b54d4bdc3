"""Before the first move: what is played, who sits where, and where the game is saved."""
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from railwright.ai.agents import agents_for
from railwright.cli.terminal.asking import Leave, ask_one_of, asked, whole_number
from railwright.cli.terminal.screen import Screen, is_interactive
from railwright.cli.terminal.session import HUMAN, Session, new_path
from railwright.cli.terminal.thinking import seat_agent, strongest
from railwright.engine.game import Game
from railwright.engine.games import GAMES, game_called
from railwright.engine.record import SUFFIX, Record
from railwright.engine.table import Table, parse_rules
from railwright.engine.words import seat

LEVELS = (1, 10)
THINKING_TIME = 1.0             # seconds a move
MOST_SECONDS = 86_400.0
USUAL_PLAYERS = 4
WITH_LEVELS = "ismcts"          # the agent that plays as weakly as it is told


@dataclass
class Wishes:
    """What the command line said; None: nothing."""
    game: str | None = None
    players: int | None = None
    seat: str | None = None
    agent: str | None = None
    level: int | None = None
    time: float | None = None
    seed: int | None = None
    rules: str | None = None
    board: str | None = None
    save: Path | None = None

    def check(self) -> None:
        """What is wrong whatever the answers will be is told before the first question."""
        if self.game is not None:
            low, high = game_called(self.game).players
            if self.players is not None and not low <= self.players <= high:
                raise ValueError(f"players {self.players}; expected {low} to {high} for {self.game}")
        if self.level is not None and not LEVELS[0] <= self.level <= LEVELS[1]:
            raise ValueError(f"level {self.level}; expected {LEVELS[0]} to {LEVELS[1]}")
        if self.time is not None and not 0 < self.time <= MOST_SECONDS:
            raise ValueError(f"time {self.time:g}; expected seconds, more than 0, at most {MOST_SECONDS:.0f}")
        if self.seed is not None and not 0 <= self.seed < 1 << 64:
            raise ValueError(f"seed {self.seed}; expected 0 to 2^64-1")
        if self.save is not None:
            new_path(self.save)


# --- a new game ------------------------------------------------------------------
def begin(wishes: Wishes) -> Session | None:
    """A new game; what was not wished for is asked, or taken as usual where nobody can answer. None: the person left."""
    wishes.check()
    screen = Screen()
    try:
        return Host(wishes, screen, is_interactive()).session()
    except (Leave, KeyboardInterrupt):
        screen.say()
        screen.say("No game was begun.")
        return None


@dataclass
class Host:
    """Settles one thing after the other: by the wish, else by asking, else as usual."""
    wishes: Wishes
    screen: Screen
    asks: bool

    def session(self) -> Session:
        game = self.game()
        board = self.board(game)
        players = self.players(game)
        seed = secrets.randbelow(1 << 32) if self.wishes.seed is None else self.wishes.seed
        table = Table.new(game.name, players, board, parse_rules(self.wishes.rules or "-"), seed)
        humans = self.humans(players)
        agent = self.agent(game, bool(humans)) if len(humans) < players else strongest(game)
        level = self.level(agent)
        seconds = THINKING_TIME if self.wishes.time is None else self.wishes.time
        record = Record(table, [HUMAN if player in humans else agent for player in range(players)])
        session = seated(record, humans, level, seconds, self.screen)
        session.keep(first_path(self.wishes.save, game, self.asks))
        if self.asks:
            self.screen.say()
        return session

    def game(self) -> Game:
        usual = next(iter(GAMES))
        if self.wishes.game is not None or not self.asks:
            return game_called(self.wishes.game or usual)
        return GAMES[ask_one_of(self.screen, "Which game", list(GAMES), usual, [game.title for game in GAMES.values()])]

    def board(self, game: Game) -> str | None:
        if self.wishes.board is not None or not self.asks or len(game.boards) == 1:
            return self.wishes.board
        return ask_one_of(self.screen, "Which board", list(game.boards), game.boards[0])

    def players(self, game: Game) -> int:
        if self.wishes.players is not None:
            return self.wishes.players
        low, high = game.players
        usual = min(max(USUAL_PLAYERS, low), high)
        return self.number("players", f"How many players, {low} to {high}", low, high, usual)

    def humans(self, players: int) -> set[int]:
        text = self.wishes.seat or "1"
        if self.wishes.seat is None and self.asks:
            text = asked(self.screen, f"Your seat, 1 to {players}, or watch", text, lambda answer: seats_of(answer, players))
        humans = seats_of(text, players)
        return humans if self.asks else set()

    def agent(self, game: Game, is_against: bool) -> str:
        if self.wishes.agent is not None or not self.asks:
            return self.wishes.agent or strongest(game)
        question = "Who plays the other seats" if is_against else "Who plays"
        return ask_one_of(self.screen, question, list(agents_for(game)), strongest(game))

    def level(self, agent: str) -> int:
        low, high = LEVELS
        if self.wishes.level is not None:
            return self.wishes.level
        return self.number("level", f"How well, level {low} to {high}", low, high, high) if agent == WITH_LEVELS else high

    def number(self, what: str, question: str, low: int, high: int, usual: int) -> int:
        if not self.asks:
            return usual
        return int(asked(self.screen, question, str(usual), lambda answer: whole_number(what, answer, low, high)))


def seats_of(text: str, players: int) -> set[int]:
    """The seats of the people: `2`, `1,3`, or `watch` for none."""
    if text.lower() == "watch":
        return set()
    try:
        return {whole_number("seat", part.strip(), 1, players) - 1 for part in text.split(",")}
    except ValueError:
        raise ValueError(f"seat {text!r}; expected 1 to {players}, several as 1,2, or watch") from None


def seated(record: Record, humans: set[int], level: int, seconds: float, screen: Screen) -> Session:
    """The session of a record, with an agent on every seat that no human has."""
    table = record.table
    record.tags |= {"Level": str(level), "MoveTime": f"{seconds:g}"}
    agents = {player: seat_agent(name, table.game, table.seed, player, level)
              for player, name in enumerate(record.agents) if player not in humans}
    adviser = seat_agent(strongest(table.game), table.game, table.seed, table.players, LEVELS[1])
    return Session(record, None, humans, agents, adviser, seconds, screen)


def first_path(wished: Path | None, game: Game, is_default: bool) -> Path | None:
    """The file to save to: the one wished for; else, at a terminal, one named by game and time."""
    if wished is not None or not is_default:
        return wished
    stem = f"{game.name}-{datetime.now():%Y-%m-%d-%H%M%S}"
    paths = (Path(stem + (f"-{i}" if i else "") + SUFFIX) for i in range(1000))
    return next(path for path in paths if not path.exists())


# --- a saved game ----------------------------------------------------------------
def resumed(path: Path, wishes: Wishes) -> Session:
    """A saved game, gone on with in the same file or, with --save, in another."""
    wishes.check()
    screen = Screen()
    record = Record.read(path, mend=True)
    table = record.table
    if table.observer is not None:
        raise ValueError(f"record {path.name}: what {seat(table.observer)} saw of a game; expected a whole game")
    if record.cut:
        screen.say(f"The record was cut off: left out {record.cut}.", "yellow")
    people = {player for player, name in enumerate(record.agents) if name == HUMAN}
    humans = people if wishes.seat is None else seats_of(wishes.seat, table.players)
    if not is_interactive():
        humans = set()
    record.agents = [HUMAN if player in humans else wishes.agent or (strongest(table.game) if name == HUMAN else name)
                     for player, name in enumerate(record.agents)]
    level = wishes.level or int(tag_number(record, "Level", *LEVELS, LEVELS[1]))
    seconds = wishes.time or tag_number(record, "MoveTime", 0.01, MOST_SECONDS, THINKING_TIME)
    session = seated(record, humans, level, seconds, screen)
    session.keep(wishes.save or path)
    return session


def tag_number(record: Record, name: str, low: float, high: float, usual: float) -> float:
    """A figure of the record's tags; the usual one when it is missing or makes no sense."""
    try:
        value = float(record.tags[name])
    except (KeyError, ValueError):
        return usual
    return value if low <= value <= high else usual
