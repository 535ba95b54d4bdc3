"""The game in the terminal: what is asked and told, and the record that is kept of it."""
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from railwright.ai.agent import Agent, Choice, Limits
from railwright.ai.weights import weights_of
from railwright.cext.game import CHANCE
from railwright.cli.terminal.asking import Leave, ask, whole_number
from railwright.cli.terminal.menu import Entry, Menu
from railwright.cli.terminal.screen import Screen, is_interactive
from railwright.cli.terminal.telling import amount, lines, outcome
from railwright.cli.terminal.thinking import known_to, think
from railwright.engine.game import Game
from railwright.engine.record import Record
from railwright.engine.table import Table
from railwright.engine.words import plural, seat

HUMAN = "human"
SHORT_LIST = 12                 # moves that are explained in the list, a line each
HELP = """\
a move        its token as in the list, or the beginnings of its parts, or of a place's name
a number      of the list; in an auction, the amount itself
hint          what the computer would do here
explain       what the shares or moves are worth, as far as the game can say; explain MOVE: what that move does
undo          back to your decision before this one; undo 3: three back
board         the whole board; moves: the whole list of moves
save          where the game is saved; save FILE: saves it there, and from now on
quit          leaves; the game is saved and can be resumed (also Ctrl-D, Ctrl-C)"""


@dataclass
class Session:
    """A game from here to its end, or until the person leaves."""
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
            choice = think(self.agents[player], self.table, Limits(movetime=self.seconds, is_brief=True), self.screen, text)
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
        self.save()             # Ctrl-C may have come while a move was being saved
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
