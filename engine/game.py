"""What a game is to the rest of the program: names for the numbers of its core, and the way back."""
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from railwright.cext.game import CHANCE, OVER, Board, Position

if TYPE_CHECKING:               # drawing loads pictures' libraries; who only plays does not need them
    from railwright.engine.drawing.scene import Scene

Rules = dict[str, str]          # the options of a game as the protocol writes them: `rules k=v,...`


class IllegalMove(ValueError):
    """A token that names no legal move; the text says why and what was expected."""


@dataclass(frozen=True)
class Option:
    """An option of the rules: `rules name=value`."""
    name: str
    values: tuple[str, ...]     # what may stand behind the `=`
    default: str
    text: str                   # one line for people, with the rule's number


@dataclass(frozen=True)
class Chart:
    """A board that was loaded: its name, its file's content, and the core's figures."""
    name: str
    data: dict[str, Any] = field(repr=False)
    core: Board


@dataclass(frozen=True)
class Bid:
    """What the share under the hammer is worth to a player, and why."""
    player: int
    value: float
    reason: str                 # the figures behind the value, in words


class Game(ABC):
    """One game: the words for its moves and positions. A game's module in engine/games/ fills this in."""
    name: str                   # as in the protocol, `chicago-express`
    title: str
    players: tuple[int, int]    # least and most
    boards: tuple[str, ...]     # that come with it, in engine/boards/; the first is the default
    unit: str                   # what is scored, "$" or "points"
    board_format: str = ""      # what its board files say under "format", where people draw their own
    options: tuple[Option, ...] = ()
    weights: tuple[str, ...] = ()       # the names of its evaluation's weights, in the core's order

    # --- what each game says for itself ---
    @abstractmethod
    def chart(self, name: str, data: dict[str, Any]) -> Chart:
        """The board of a file's content; BoardError says what is wrong with it."""

    def board_faults(self, name: str, data: dict[str, Any]) -> list[str]:
        """What is wrong with a board file's content, a line each with its place; none when it can be used."""
        try:
            self.chart(name, data)
        except ValueError as fault:
            return [str(fault)]
        return []

    @abstractmethod
    def option_values(self, chart: Chart, players: int, rules: Rules) -> Sequence[int]:
        """The rules' options as the core wants them; ValueError for what does not fit this board or table."""

    @abstractmethod
    def token(self, chart: Chart, position: Position, move: int) -> str:
        """A move's word."""

    @abstractmethod
    def explain(self, chart: Chart, position: Position, move: int) -> str:
        """One line in words of what the move does."""

    @abstractmethod
    def events(self, chart: Chart, before: Position, move: int, after: Position) -> list[str]:
        """What happened by itself because of the move: money that moved, phases that were held."""

    @abstractmethod
    def facts(self, chart: Chart, position: Position) -> dict[str, Any]:
        """The position in plain names and numbers, for pictures, JSON and tests."""

    @abstractmethod
    def text(self, chart: Chart, position: Position) -> str:
        """A picture of the position in text."""

    @abstractmethod
    def scene(self, chart: Chart, position: Position) -> "Scene":
        """A picture of the position in shapes, for SVG and PNG."""

    def bids(self, chart: Chart, position: Position, weights: Sequence[float]) -> list[Bid]:
        """In an auction: what the share is worth to each player, in the heuristic's view; else nothing."""
        return []

    def advice(self, chart: Chart, position: Position, move: int, weights: Sequence[float]) -> str:
        """What the move is worth, in words and figures; the empty string when there is nothing special to say."""
        return ""

    def alias(self, chart: Chart, position: Position, token: str) -> str:
        """The word that a person may have meant by `token`: city names for hexes, and the like."""
        return token

    def unlisted(self, chart: Chart, position: Position, token: str) -> int | None:
        """The number of a move that the rules allow though `legal` leaves it out (an unusual payment, an explicit route); None
        when `token` is none. The core has the last word on it. What a number cannot hold is noted in the position, where
        `token` and `apply` find it."""
        return None

    def reason(self, chart: Chart, position: Position, token: str) -> str:
        """Why `token` is not legal here, in words; the empty string when there is nothing special to say."""
        return ""

    # --- what all games do alike ---
    def start(self, chart: Chart, players: int, rules: Rules) -> Position:
        self.check_options(rules)
        low, high = self.players
        if not low <= players <= high:
            raise ValueError(f"players {players}; expected {low} to {high} for {self.name}")
        return Position(chart.core, players, self.option_values(chart, players, rules))

    def check_options(self, rules: Rules) -> None:
        known = {option.name: option for option in self.options}
        for name, value in rules.items():
            if name not in known:
                expected = f"one of {' '.join(known)}" if known else f"none, {self.name} has no options"
                raise ValueError(f"rules option {name!r}; expected {expected}")
            if known[name].values and value not in known[name].values:
                raise ValueError(f"rules {name}={value}; expected {name}= one of {' '.join(known[name].values)}")

    def option(self, rules: Rules, name: str) -> str:
        return rules.get(name, next(option.default for option in self.options if option.name == name))

    def tokens(self, chart: Chart, position: Position) -> dict[str, int]:
        """The legal moves by their words, in the core's order."""
        return {self.token(chart, position, move): move for move in position.legal()}

    def parse(self, chart: Chart, position: Position, token: str) -> int:
        """The number of the legal move called `token`."""
        legal = self.tokens(chart, position)
        if token in legal:
            return legal[token]
        meant = self.alias(chart, position, token.lower())
        if meant in legal:
            return legal[meant]
        move = self.unlisted(chart, position, meant) if position.to_move() != OVER else None
        if move is not None and position.accepts(move):
            return move
        raise IllegalMove(f"'{token}' is illegal: {self.complaint(chart, position, meant)}; "
                          f"expected {expected_moves(list(legal))}")

    def complaint(self, chart: Chart, position: Position, token: str) -> str:
        if position.to_move() == OVER:
            return "the game is over"
        if position.to_move() == CHANCE:
            return "chance decides here"
        return self.reason(chart, position, token) or "no such move in this position"


def expected_moves(tokens: list[str], most: int = 12) -> str:
    """`one of bid:7..bid:40, pass`: runs of amounts are shortened, long lists cut."""
    if not tokens:
        return "no move, the game is over"
    short: list[str] = []
    run: list[str] = []
    for token in [*tokens, ""]:
        if run and is_next_amount(run[-1], token):
            run.append(token)
            continue
        short += run if len(run) < 3 else [f"{run[0]}..{run[-1]}"]
        run = [token] if token else []
    left_off = len(short) - most
    return "one of " + ", ".join(short[:most]) + (f", and {left_off} more" if left_off > 0 else "")


def is_next_amount(token: str, following: str) -> bool:
    kind, _, amount = token.rpartition(":")
    return bool(kind) and amount.isdigit() and following == f"{kind}:{int(amount) + 1}"


def nearest(word: str, words: Sequence[str]) -> str:
    """`, nearest 'Duluth'` when some word is close, for error messages."""
    close = get_close_matches(word, words, n=1)
    return f", nearest {close[0]!r}" if close else ""
