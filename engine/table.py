"""A game being played: where it began, the moves since, and the way back."""
from collections.abc import Iterable
from dataclasses import dataclass, field

from railwright.cext.game import CHANCE, OVER, Position
from railwright.engine.game import Chart, Game, IllegalMove, Rules
from railwright.engine.games import game_called, load_chart


@dataclass
class Table:
    game: Game
    chart: Chart
    players: int
    rules: Rules
    seed: int
    positions: list[Position]                   # the first one, and the one after each move
    moves: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)    # the same moves as the core knows them
    first_ply: int = 0                          # moves played before the first position
    observer: int | None = None                 # the seat that this is a view of, in a game with secrets
    is_standard_start: bool = True              # False: from a state that was given

    # --- beginning -----------------------------------------------------------------
    @classmethod
    def new(cls, name: str, players: int | None = None, board: str | None = None, rules: Rules | None = None,
            seed: int = 0, observer: int | None = None) -> "Table":
        """A new game; ValueError says what does not fit."""
        game = game_called(name)
        chart = load_chart(game, board)
        players = game.players[0] if players is None else players
        position = game.start(chart, players, rules or {})
        if observer is not None:
            if not 0 <= observer < players:
                raise ValueError(f"observer {observer + 1}; expected a seat from 1 to {players}")
            position = position.view(observer)
        return cls(game, chart, players, dict(rules or {}), seed, [position], observer=observer)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        return self.first_ply + len(self.moves)

    @property
    def to_move(self) -> int:
        return self.position.to_move()

    # --- playing -------------------------------------------------------------------
    def tokens(self) -> dict[str, int]:
        """The legal moves by their words."""
        if self.is_hidden():
            raise ValueError(f"this is a view of player {self.seen_by()}; expected one whose decision it is")
        return self.game.tokens(self.chart, self.position)

    def seen_by(self) -> int:
        return -1 if self.observer is None else self.observer + 1

    def is_hidden(self) -> bool:
        """Does the decision depend on what the observer cannot see?"""
        hidden = self.observer is not None and self.position.has_secrets
        return hidden and self.to_move >= 0 and self.to_move != self.observer

    def play(self, token: str) -> int:
        """Plays the move called `token` and returns its number; IllegalMove says why not."""
        move = self.game.parse(self.chart, self.position, token)
        self.push(move)
        return move

    def push(self, move: int) -> None:
        token = self.game.token(self.chart, self.position, move)
        after = self.position.copy()
        after.apply(move)
        self.positions.append(after)
        self.moves.append(token)
        self.numbers.append(move)

    def play_all(self, tokens: Iterable[str]) -> None:
        """Plays all of them, or, when one is illegal, none."""
        before = len(self.moves)
        for number, token in enumerate(tokens, 1):
            try:
                self.play(token)
            except IllegalMove as fault:
                self.undo(len(self.moves) - before)
                raise IllegalMove(f"move {number} {fault}") from None

    def undo(self, k: int = 1) -> None:
        if not 0 <= k <= len(self.moves):
            raise ValueError(f"undo {k}; expected at most {len(self.moves)} moves")
        if k:
            del self.moves[-k:], self.numbers[-k:], self.positions[-k:]

    def roll(self) -> str:
        """At a chance node: draws an outcome with the table's own seed, plays it and returns its word."""
        if self.to_move != CHANCE:
            raise ValueError("nothing to roll here; expected a chance node")
        self.push(self.position.random_chance(self.seed, self.ply))
        return self.moves[-1]

    def roll_out(self) -> list[str]:
        """Rolls until somebody has to decide or the game is over."""
        rolled = []
        while self.to_move == CHANCE:
            rolled.append(self.roll())
        return rolled

    @property
    def is_over(self) -> bool:
        return self.to_move == OVER

    def fork(self) -> "Table":
        """The same game, to go on with separately."""
        return Table(self.game, self.chart, self.players, self.rules, self.seed, list(self.positions), list(self.moves),
                     list(self.numbers), self.first_ply, self.observer, self.is_standard_start)

    # --- in one token --------------------------------------------------------------
    def state(self) -> str:
        """Everything in one token: `game;players=..;..;field=number,number;..`, sets of bits in hexadecimal."""
        parts = [self.game.name, f"players={self.players}", f"map={self.chart.name}", f"rules={rules_text(self.rules)}",
                 f"seed={self.seed}", f"ply={self.ply}"]
        if self.observer is not None:
            parts.append(f"observer={self.observer + 1}")
        for name, values in self.position.fields().items():
            parts.append(f"{name}=" + ",".join(hex(value) if value > 0xFFFF else str(value) for value in values))
        return ";".join(parts)

    def view(self, observer: int) -> "Table":
        """The game as one seat knows it."""
        if not 0 <= observer < self.players:
            raise ValueError(f"view {observer + 1}; expected a seat from 1 to {self.players}")
        position = self.position.view(observer)
        seed = 0 if self.position.has_secrets else self.seed        # the seed would tell what will be drawn
        return Table(self.game, self.chart, self.players, self.rules, seed, [position], first_ply=self.ply,
                     observer=observer if self.position.has_secrets else None, is_standard_start=False)

    @classmethod
    def from_state(cls, token: str) -> "Table":
        """The table that `state` wrote; ValueError says what does not fit."""
        name, *parts = token.split(";")
        game_called(name)
        given: dict[str, str] = {}
        for part in parts:
            key, equals, value = part.partition("=")
            if not equals or key in given:
                raise ValueError(f"state part {part!r}; expected key=value, each key once")
            given[key] = value
        players, seed, ply = (whole_number(key, given.pop(key, default)) for key, default in
                              (("players", ""), ("seed", "0"), ("ply", "0")))
        if not 0 <= seed < 1 << 64 or not 0 <= ply < 1 << 32:
            raise ValueError(f"state seed {seed}, ply {ply}; expected 0 to 2^64-1 and 0 to 2^32-1")
        observer = whole_number("observer", given.pop("observer")) - 1 if "observer" in given else None
        table = cls.new(name, players, given.pop("map", None), parse_rules(given.pop("rules", "")), seed, observer)
        fields = {key: [whole_number(key, number) for number in value.split(",")] for key, value in given.items()}
        missing = [key for key in table.position.fields() if key not in fields]
        if missing:
            raise ValueError(f"state has no {missing[0]!r}; expected all of {' '.join(table.position.fields())}")
        table.positions = [table.position.load(fields)]
        table.first_ply = ply
        table.is_standard_start = False
        return table


def whole_number(key: str, text: str) -> int:
    try:
        if len(text) > 20:
            raise ValueError
        return int(text, 16) if text.startswith("0x") else int(text)
    except ValueError:
        raise ValueError(f"{key} {text[:30]!r}; expected a whole number") from None


def rules_text(rules: Rules) -> str:
    return ",".join(f"{key}={value}" for key, value in rules.items()) or "-"


def parse_rules(text: str) -> Rules:
    """`k=v,k=v`, or `-` for none."""
    rules: Rules = {}
    if text in ("", "-"):
        return rules
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key or not value or key in rules:
            raise ValueError(f"rules {part!r}; expected k=v, each once")
        rules[key] = value
    return rules
