"""The game in the terminal: who sits where, what is asked and told, and the record that is kept of it."""
import contextlib
import secrets
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from railwright.ai.agent import Agent, Choice, Limits
from railwright.ai.agents import agents_for
from railwright.ai.weights import weights_of
from railwright.cext.game import CHANCE
from railwright.cli.menu import Entry, Menu
from railwright.cli.screen import Screen, is_interactive
from railwright.cli.telling import amount, lines, outcome
from railwright.cli.thinking import known_to, seat_agent, strongest, think
from railwright.engine.game import Game, nearest
from railwright.engine.games import GAMES, game_called
from railwright.engine.record import SUFFIX, Record
from railwright.engine.table import Table, parse_rules
from railwright.engine.words import plural, seat

HUMAN = "human"
LEVELS = (1, 10)
THINKING_TIME = 1.0             # seconds a move
MOST_SECONDS = 86_400.0
USUAL_PLAYERS = 4
STRONG = "ismcts"               # the agent that plays as weakly as it is told
SHORT_LIST = 12                 # moves that are explained in the list, a line each
HELP = """\
a move        its token, such as the list shows, or the beginnings of its parts: `b prr k4` is build:prr:k4
a number      of the list; in an auction, the amount itself
hint          what the computer would do here
explain       what the shares or moves are worth, as far as the game can say; explain MOVE: what that move does
undo          back to your decision before this one; undo 3: three back
board         the whole board; moves: the whole list of moves
save          where the game is saved; save FILE: saves it there, and from now on
quit          leaves; the game is saved and can be resumed (also Ctrl-D, Ctrl-C)"""


class Leave(Exception):
    """The person wants to leave."""


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


# --- the session -----------------------------------------------------------------
@dataclass
class Session:
    record: Record
    path: Path | None                   # None: nothing is saved
    humans: set[int]
    agents: dict[int, Agent]
    adviser: Agent                      # gives the hints
    seconds: float
    screen: Screen
    n_told: int = 0                     # moves of the table that were told already
    menu: Menu | None = None
    commands: dict[str, Callable[[str], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.commands = {"hint": self.hint, "explain": self.explain, "undo": self.undo, "save": self.save_as, "help": self.help,
                         "board": self.show_board, "moves": self.show_moves, "quit": self.quit}

    @property
    def table(self) -> Table:
        return self.record.table

    def run(self) -> None:
        """Plays until the game is over or the person leaves."""
        try:
            self.introduce()
            while not self.table.is_over:
                self.step()
            self.finish()
        except (Leave, KeyboardInterrupt):
            self.leave()

    def step(self) -> None:
        player = self.table.to_move
        if player == CHANCE:
            self.table.roll()
            self.moved()
        elif player in self.humans:
            self.decide(player)
        else:
            text = f"{seat(player)} thinks ..."
            choice = think(self.agents[player], self.table, Limits(movetime=self.seconds), self.screen, text)
            self.play(self.table.game.token(self.table.chart, self.table.position, choice.move), note(choice))
            if not self.humans and self.screen.is_terminal and is_interactive():
                self.screen.say()
                self.picture()

    def play(self, token: str, remark: str = "") -> None:
        self.record.append(token, remark)
        self.moved()

    def moved(self) -> None:
        """After every move: saved first, then told."""
        self.save()
        self.tell_news()

    # --- telling -------------------------------------------------------------------
    @property
    def observer(self) -> int | None:
        """The seat whose eyes we look with; None: everything may be seen."""
        if not self.humans:
            return None
        return self.table.to_move if self.table.to_move in self.humans else min(self.humans)

    def view(self) -> Table:
        return self.table if self.observer is None else known_to(self.table, self.observer)

    def introduce(self) -> None:
        table, say = self.table, self.screen.say
        say(f"{table.game.title}, {plural(table.players, 'player')}, seed {table.seed}", "bold")
        for player, name in enumerate(self.record.agents):
            say(f"  {seat(player)}  {'you' if name == HUMAN and len(self.humans) == 1 else name}")
        if self.path is not None:
            say(f"  saved after every move to {self.path}", "dim")
        if self.humans:
            say("  type help for what you can do", "dim")
        if table.moves:
            say(f"  {plural(len(table.moves), 'move')} played so far", "dim")
        self.n_told = len(table.moves)
        say()

    def tell_news(self) -> None:
        """The moves since the last time, in words."""
        for number in range(self.n_told + 1, len(self.table.moves) + 1):
            self.screen.say_move(lines(self.table, number, self.observer))
        self.n_told = len(self.table.moves)

    def picture(self, whole: bool = False) -> None:
        view = self.view()
        self.screen.picture(view.game.text(view.chart, view.position), whole)

    def finish(self) -> None:
        self.screen.say()
        self.picture(whole=True)
        for line in outcome(self.table):
            self.screen.say(line, "bold")
        if self.path is not None:
            self.screen.say("Look at it again with:", "dim")
            self.screen.say_command(f"railwright replay {shlex.quote(str(self.path))}")

    def leave(self) -> None:
        self.screen.say()
        if self.path is None:
            self.screen.say("Left the game; it was not saved.")
        else:
            self.screen.say("The game is saved. Go on with:")
            self.screen.say_command(f"railwright play --resume {shlex.quote(str(self.path))}")

    # --- the person's decision -----------------------------------------------------
    def decide(self, player: int) -> None:
        """Asks until a move is played or taken back."""
        self.screen.say()
        self.picture()
        self.menu = Menu.of(self.view())
        self.list_moves()
        before = len(self.table.moves)
        while len(self.table.moves) == before:
            line = ask(f"{seat(player)}> ", [*self.commands, *self.menu.tokens])
            try:
                self.obey(line)
            except ValueError as fault:
                self.screen.complain(fault)

    def obey(self, line: str) -> None:
        assert self.menu is not None
        if not line.strip():
            self.screen.say("A move, its number, or help.", "dim")
            return
        word, _, rest = line.strip().partition(" ")
        if word == "?":
            word = "help"
        if word.lower() in self.commands:
            self.commands[word.lower()](rest.strip())
            return
        meant = self.menu.meaning(line, list(self.commands))
        if meant in self.commands:
            self.commands[meant]("")
        else:
            self.play(meant)

    def list_moves(self, whole: bool = False) -> None:
        assert self.menu is not None
        entries = self.menu.entries
        if len(entries) <= SHORT_LIST:
            self.explain_moves(entries)
        else:
            self.tabulate_moves(entries, whole)

    def explain_moves(self, entries: list[Entry]) -> None:
        labels, names = max(len(entry.label) for entry in entries), max(len(entry.name) for entry in entries)
        for entry in entries:
            words = "any amount: type the number" if len(entry.tokens) > 1 else self.words(entry.tokens[0])
            self.screen.say(f"{entry.label:>{labels + 2}}  {entry.name:<{names}}  {words}", hanging=labels + names + 6)

    def tabulate_moves(self, entries: list[Entry], whole: bool) -> None:
        labels, names = max(len(entry.label) for entry in entries), max(len(entry.name) for entry in entries)
        cells = [f"{entry.label:>{labels + 2}}  {entry.name:<{names}}" for entry in entries]
        across = max(1, (self.screen.width or 100) // len(cells[0]))
        rows = [cells[i:i + across] for i in range(0, len(cells), across)]
        most = len(rows) if whole or self.screen.height is None else max(4, self.screen.height // 4)
        for row in rows[:most]:
            self.screen.say("".join(row).rstrip())
        if len(rows) > most:
            self.screen.say(f"  and {sum(map(len, rows[most:]))} more; moves shows them all", "dim")

    def words(self, token: str) -> str:
        """What a move does, without naming who."""
        view = self.view()
        words = view.game.explain(view.chart, view.position, view.tokens()[token])
        return words.removeprefix(f"{seat(view.to_move)} ")

    # --- commands ------------------------------------------------------------------
    def hint(self, _: str) -> None:
        view, game = self.view(), self.table.game
        choice = think(self.adviser, self.table, Limits(movetime=self.seconds), self.screen, "thinking about a hint ...", is_patient=True)
        token = game.token(view.chart, view.position, choice.move)
        self.screen.say(f"hint: {token}  {game.explain(view.chart, view.position, choice.move)}", "bold", hanging=6)
        if advice := game.advice(view.chart, view.position, choice.move, weights_of(game)):
            self.screen.say(f"      {advice}", hanging=6)
        for line in chances(choice, game):
            self.screen.say(f"      {line}", hanging=6)

    def explain(self, rest: str) -> None:
        view, game = self.view(), self.table.game
        assert self.menu is not None
        if rest:
            token = self.menu.meaning(rest)
            move = game.parse(view.chart, view.position, token)
            self.screen.say(f"{token}: {game.explain(view.chart, view.position, move)}", hanging=4)
            if advice := game.advice(view.chart, view.position, move, weights_of(game)):
                self.screen.say(f"    {advice}", hanging=4)
            return
        for bid in game.bids(view.chart, view.position, weights_of(game)):
            self.screen.say(f"worth {amount(game, bid.value)} to {seat(bid.player)}: {bid.reason}", hanging=4)
        if game.weights:
            expected = enumerate(view.position.evaluate(weights_of(game)))
            self.screen.say("at a glance, expected at the end: "
                            + ", ".join(f"{seat(player)} {amount(game, score)}" for player, score in expected), hanging=4)
        self.explain_moves(self.menu.entries)

    def undo(self, rest: str) -> None:
        back = whole_number("undo", rest or "1", 1, 10_000)
        own = [i for i, position in enumerate(self.table.positions[:-1]) if position.to_move() in self.humans]
        if len(own) < back:
            raise ValueError(f"undo {back}; expected " + (f"at most {len(own)}" if own else "a decision of yours before this one"))
        taken = len(self.table.moves) - own[-back]
        self.record.undo(taken)
        self.n_told = len(self.table.moves)
        self.save()
        self.screen.say(f"{plural(taken, 'move')} taken back.")

    def save_as(self, rest: str) -> None:
        if rest:
            self.keep(new_path(Path(rest).expanduser()))
        if self.path is not None:
            self.save()
            self.screen.say(f"The game is saved to {self.path}, after every move.")

    def help(self, _: str) -> None:
        for line in HELP.split("\n"):
            self.screen.say(line, hanging=14)

    def show_board(self, _: str) -> None:
        self.picture(whole=True)

    def show_moves(self, _: str) -> None:
        self.list_moves(whole=True)

    def quit(self, _: str) -> None:
        raise Leave

    def keep(self, path: Path | None) -> None:
        """From now on the game is saved there; ValueError when it cannot be."""
        if path is not None:
            write(self.record, path)
        self.path = path

    def save(self) -> None:
        """A file that cannot be written is told of; the game goes on."""
        if self.path is None:
            return
        try:
            write(self.record, self.path)
        except ValueError as fault:
            self.screen.complain(f"{fault}; the game goes on, save FILE keeps it elsewhere")


def note(choice: Choice) -> str:
    """The remark of the record: chances to win in tenths of a percent, and the time."""
    if not choice.lines:
        return ""
    best = choice.lines[0]
    return f"win {' '.join(str(round(1000 * share)) for share in best.win)} time {best.seconds:.1f}s"


def chances(choice: Choice, game: Game) -> list[str]:
    """The chances to win and the scores expected, by seat."""
    if not choice.lines:
        return []
    best = choice.lines[0]
    win = ", ".join(f"{seat(player)} {100 * share:.0f} %" for player, share in enumerate(best.win))
    margin = ", ".join(f"{seat(player)} {amount(game, score)}" for player, score in enumerate(best.margin))
    return [f"to win: {win}", f"expected at the end: {margin}"]


def write(record: Record, path: Path) -> None:
    try:
        record.write(path)
    except OSError as fault:
        raise ValueError(f"save {path}: cannot be written ({fault.strerror}); expected a file in a folder one may write to") from None


def new_path(path: Path) -> Path:
    if path.exists():
        raise ValueError(f"save {path}: exists already; expected a new name (or --resume to go on with it)")
    return path


# --- asking ----------------------------------------------------------------------
def ask(prompt: str, words: list[str] | None = None) -> str:
    """A line from the person, with editing and Tab; Leave when there are no more."""
    complete_with(words or [])
    try:
        return input(prompt)
    except EOFError:
        raise Leave from None
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}"


def complete_with(words: list[str]) -> None:
    """Tab completes these words where the machine has readline."""
    with contextlib.suppress(ImportError):
        import readline
        readline.set_completer_delims(" ")
        readline.set_completer(lambda text, i: next(iter([word for word in words if word.startswith(text)][i:i + 1]), None))
        readline.parse_and_bind("tab: complete")


def whole_number(what: str, text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 20 or not low <= int(text) <= high:
        raise ValueError(f"{what} {text!r}; expected a whole number from {low} to {high}")
    return int(text)


def asked(screen: Screen, question: str, default: str, check: Callable[[str], object]) -> str:
    """An answer that passes the check; Enter takes the default, nonsense is asked again."""
    while True:
        answer = ask(f"{question} [{default}]: ").strip() or default
        try:
            check(answer)
        except ValueError as fault:
            screen.complain(fault)
            continue
        return answer


def chosen(name: str, words: list[str]) -> str:
    """One of the words by its number, its name or its beginning."""
    if name.isascii() and name.isdigit() and 1 <= int(name[:9]) <= len(words):
        return words[int(name[:9]) - 1]
    found = [word for word in words if word == name.lower()] or [word for word in words if name and word.startswith(name.lower())]
    if len(found) != 1:
        raise ValueError(f"{name!r}; expected one of {', '.join(words)}{nearest(name, words)}")
    return found[0]


def ask_one_of(screen: Screen, question: str, words: list[str], default: str, texts: list[str] | None = None) -> str:
    for number, word in enumerate(words, 1):
        screen.say(f"{number:>4}  {word}" + (f"  {texts[number - 1]}" if texts else ""))
    return chosen(asked(screen, question, default, lambda answer: chosen(answer, words)), words)


# --- beginning -------------------------------------------------------------------
def begin(wishes: Wishes) -> Session | None:
    """A new game; what was not wished for is asked, or taken as usual where nobody can answer. None: the person left."""
    screen = Screen()
    try:
        return arrange(wishes, screen)
    except (Leave, KeyboardInterrupt):
        screen.say("\nNo game was begun.")
        return None


def arrange(wishes: Wishes, screen: Screen) -> Session:
    asks = is_interactive()
    check_wishes(wishes)
    name = wishes.game or (ask_one_of(screen, "Which game", list(GAMES), next(iter(GAMES)), [game.title for game in GAMES.values()])
                           if asks else next(iter(GAMES)))
    game = game_called(name)
    board = wishes.board
    if board is None and asks and len(game.boards) > 1:
        board = ask_one_of(screen, "Which board", list(game.boards), game.boards[0])
    low, high = game.players
    players = wishes.players
    if players is None:
        usual = min(max(USUAL_PLAYERS, low), high)
        players = int(asked(screen, f"How many players, {low} to {high}", str(usual), lambda text: whole_number("players", text, low, high))
                      ) if asks else usual
    seed = secrets.randbelow(1 << 32) if wishes.seed is None else wishes.seed
    table = Table.new(name, players, board, parse_rules(wishes.rules or "-"), seed)
    humans: set[int] = set()
    if asks:
        question = f"Your seat, 1 to {players}, or watch"
        humans = seats_of(wishes.seat or asked(screen, question, "1", lambda text: seats_of(text, players)), players)
    elif wishes.seat is not None:
        seats_of(wishes.seat, players)
    agent, level = wishes.agent, wishes.level
    if agent is None:
        agent = strongest(game)
        if asks:
            agent = ask_one_of(screen, "Who plays the other seats" if humans else "Who plays", list(agents_for(game)), agent)
    if level is None:
        level = int(asked(screen, "How well, level 1 to 10", str(LEVELS[1]), lambda text: whole_number("level", text, *LEVELS))) \
            if asks and agent == STRONG else LEVELS[1]
    record = Record(table, [HUMAN if player in humans else agent for player in range(players)])
    seconds = THINKING_TIME if wishes.time is None else wishes.time
    record.tags |= {"Level": str(level), "MoveTime": f"{seconds:g}"}
    session = seated(record, humans, level, seconds, screen)
    session.keep(first_path(wishes.save, game, asks))
    if asks:
        screen.say()
    return session


def check_wishes(wishes: Wishes) -> None:
    """What is wrong with any option whatever the game, before the first question."""
    if wishes.game is not None:
        low, high = game_called(wishes.game).players
        if wishes.players is not None and not low <= wishes.players <= high:
            raise ValueError(f"players {wishes.players}; expected {low} to {high} for {wishes.game}")
    if wishes.level is not None and not LEVELS[0] <= wishes.level <= LEVELS[1]:
        raise ValueError(f"level {wishes.level}; expected {LEVELS[0]} to {LEVELS[1]}")
    if wishes.time is not None and not 0 < wishes.time <= MOST_SECONDS:
        raise ValueError(f"time {wishes.time:g}; expected seconds, more than 0, at most {MOST_SECONDS:.0f}")
    if wishes.seed is not None and not 0 <= wishes.seed < 1 << 64:
        raise ValueError(f"seed {wishes.seed}; expected 0 to 2^64-1")
    if wishes.save is not None:
        new_path(wishes.save)


def seats_of(text: str, players: int) -> set[int]:
    """The seats of the people: `2`, `1,3`, or `watch` for none."""
    if text.lower() == "watch":
        return set()
    try:
        return {whole_number("seat", part.strip(), 1, players) - 1 for part in text.split(",")}
    except ValueError:
        raise ValueError(f"seat {text!r}; expected 1 to {players}, several as 1,2, or watch") from None


def seated(record: Record, humans: set[int], level: int, seconds: float, screen: Screen) -> Session:
    table = record.table
    agents = {player: seat_agent(name, table.game, table.seed, player, level)
              for player, name in enumerate(record.agents) if player not in humans}
    adviser = seat_agent(strongest(table.game), table.game, table.seed, table.players, LEVELS[1])
    return Session(record, None, humans, agents, adviser, seconds, screen)


def first_path(wished: Path | None, game: Game, is_default: bool) -> Path | None:
    """The file to save to: the one wished for; else, at a terminal, one named by game and time."""
    if wished is not None or not is_default:
        return wished
    now = datetime.now()
    stem = f"{game.name}-{now:%Y-%m-%d-%H%M%S}"
    paths = (Path(stem + (f"-{i}" if i else "") + SUFFIX) for i in range(1000))
    return next(path for path in paths if not path.exists())


def resumed(path: Path, wishes: Wishes) -> Session:
    """A saved game, gone on with in the same file or, with --save, in another."""
    check_wishes(wishes)
    screen = Screen()
    record = Record.read(path, mend=True)
    table = record.table
    if record.cut:
        screen.say(f"The record was cut off: left out {record.cut}.", "yellow")
    people = {player for player, name in enumerate(record.agents) if name == HUMAN}
    humans = (people if wishes.seat is None else seats_of(wishes.seat, table.players)) if is_interactive() else set()
    record.agents = [HUMAN if player in humans else wishes.agent or (strongest(table.game) if name in (HUMAN, "-") else name)
                     for player, name in enumerate(record.agents)]
    level = wishes.level or tag_number(record, "Level", *LEVELS)
    seconds = wishes.time or tag_number(record, "MoveTime", 0.01, MOST_SECONDS, THINKING_TIME)
    record.tags |= {"Level": f"{level:g}", "MoveTime": f"{seconds:g}"}
    session = seated(record, humans, int(level), seconds, screen)
    session.keep(wishes.save or path)
    return session


def tag_number(record: Record, name: str, low: float, high: float, default: float | None = None) -> float:
    """A figure of the record's tags; the usual one when it is missing or makes no sense."""
    try:
        value = float(record.tags[name])
    except (KeyError, ValueError):
        value = -1.0
    return value if low <= value <= high else (high if default is None else default)


