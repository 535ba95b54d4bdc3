"""Game records: plain text in the manner of PGN, tags first, then the moves.

    [Game "chicago-express"]
    [Players "3"]
    [Player1 "human"]
    ...
    [Result "*"]

    1. bid:9 {win 402 301 297 time 0.1s} 2. pass 3. bid:10 *

- The moves end with a mark: `*` while the game goes on, `over` when it is over. A record without its mark was cut off.
- Ply numbers may be left out, but one that stands there must be right: so a lost line shows itself.
- Comments stand in braces, or from `;` to the end of the line; they belong to the move before them.
- A board of one's own is named by its file, looked for from the current folder, then from the record's.
- A file is always replaced as a whole (written beside it, then renamed): whoever kills the program finds the game as it
  was after its last move. What something else cut off is refused by `read`, and taken up to its last whole move by
  `read(path, mend=True)`.
"""
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

from railwright.engine.game import IllegalMove
from railwright.engine.games import game_called, load_chart
from railwright.engine.table import Table, parse_rules, rules_text, whole_number

T = TypeVar("T")
SUFFIX = ".rwr"
GOES_ON, IS_OVER = "*", "over"      # the marks at the end of the moves; the first is also the Result of a game that goes on
WIDTH = 100                         # columns of the moves
MOST_BYTES = 8 << 20                # of a record file
MOST_LETTERS = 200                  # of one move
OWN_TAGS = ("Game", "Players", "Seed", "Rules", "Board", "Date", "Result", "State", "Observer")
TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
PLY = re.compile(r"(\d{1,9})\.+")
WORD = re.compile(r"\s+|\{[^}]*\}|\{[^}]*\Z|;[^\n]*|[^\s{;]+")


class RecordError(ValueError):
    """A record that cannot be used; the text names the file, the line, what is wrong and what was expected."""

    def __init__(self, name: str, line: int, fault: str):
        super().__init__(f"record {name} line {line}: {fault}" if line else f"record {name}: {fault}")


@dataclass
class Record:
    """A game with who played it and what was remarked."""
    table: Table
    agents: list[str]                                       # a name for each seat, "human" for a person
    date: str = field(default_factory=lambda: date.today().isoformat())
    notes: dict[int, str] = field(default_factory=dict)     # by how many moves stand before the remark
    tags: dict[str, str] = field(default_factory=dict)      # others than the record's own
    cut: str = ""                                           # what `mend` had to leave out, in words

    # --- playing -------------------------------------------------------------------
    def append(self, token: str, note: str = "") -> None:
        """Plays a move; IllegalMove says why not."""
        self.table.play(token)
        self.remark(note)

    def remark(self, note: str) -> None:
        """A comment on the last move."""
        if note:
            self.notes[len(self.table.moves)] = note

    def undo(self, k: int = 1) -> None:
        self.table.undo(k)
        self.notes = {number: note for number, note in self.notes.items() if number <= len(self.table.moves)}

    def at(self, moves: int) -> Table:
        """The game as it was after so many moves of the record."""
        if not 0 <= moves <= len(self.table.moves):
            raise ValueError(f"move {moves}; expected 0 to {len(self.table.moves)}, the moves of the record")
        table = self.table.fork()
        table.undo(len(table.moves) - moves)
        return table

    # --- writing -------------------------------------------------------------------
    @property
    def result(self) -> str:
        """`*`, or the winners and the scores: `1 3 scores 71 66 71 60`."""
        if not self.table.is_over:
            return GOES_ON
        position = self.table.position
        winners = " ".join(str(player + 1) for player in position.winners())
        return f"{winners} scores {' '.join(map(str, position.scores()))}"

    def all_tags(self) -> dict[str, str]:
        table = self.table
        tags = {"Game": table.game.name, "Players": str(table.players)}
        tags |= {f"Player{player}": name for player, name in enumerate(self.agents, 1)}
        tags |= {"Seed": str(table.seed), "Rules": rules_text(table.rules), "Board": table.chart.name, "Date": self.date,
                 "Result": self.result}
        if table.observer is not None:
            tags["Observer"] = str(table.observer + 1)
        if not table.is_standard_start:
            tags["State"] = self.at(0).state()
        return tags | self.tags

    def text(self) -> str:
        header = "".join(f'[{name} "{quoted(value)}"]\n' for name, value in self.all_tags().items())
        words = note_words(self.notes.get(0, ""))
        for number, token in enumerate(self.table.moves, 1):
            words += [f"{self.table.first_ply + number}. {token}", *note_words(self.notes.get(number, ""))]
        words.append(IS_OVER if self.table.is_over else GOES_ON)
        return f"{header}\n{wrapped(words)}\n"

    def write(self, path: Path) -> None:
        """Replaces the file as a whole: at any moment it holds the old record or the new one."""
        target = path.resolve()         # through a link, to the file itself
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(self.text())
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask())
            os.replace(beside, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise

    # --- reading -------------------------------------------------------------------
    @classmethod
    def read(cls, path: Path, mend: bool = False) -> "Record":
        """The record of a file; RecordError names the place of a fault. `mend`: a cut-off end is left out."""
        try:
            with open(path, "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except (OSError, ValueError) as fault:          # ValueError: a name with a NUL
            reason = fault.strerror if isinstance(fault, OSError) else fault
            raise RecordError(path.name, 0, f"cannot be read ({reason}); expected a record file") from None
        return cls.decode(data, path.name, path.parent, mend)

    @classmethod
    def decode(cls, data: bytes, name: str, folder: Path = Path(), mend: bool = False) -> "Record":
        if len(data) > MOST_BYTES:
            raise RecordError(name, 0, f"is too long; expected at most {MOST_BYTES >> 20} MiB")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            line = data.count(b"\n", 0, fault.start) + 1
            raise RecordError(name, line, "holds bytes that are no text; expected UTF-8") from None
        return cls.parse(text, name, folder, mend)

    @classmethod
    def parse(cls, text: str, name: str = "-", folder: Path = Path(), mend: bool = False) -> "Record":
        return Parser(text, name, folder, mend).record()


def quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def note_words(note: str) -> list[str]:
    """A comment as words that may be wrapped, the braces on the first and the last."""
    return ("{" + " ".join(note.replace("{", "(").replace("}", ")").split()) + "}").split() if note.strip() else []


def wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@dataclass
class Tag:
    value: str
    line: int


class Parser:
    """Reads one record from top to bottom and knows at which line it is."""

    def __init__(self, text: str, name: str, folder: Path, mend: bool):
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.name, self.folder, self.mend = name, folder, mend
        self.tags: dict[str, Tag] = {}

    def fault(self, line: int, text: str) -> RecordError:
        return RecordError(self.name, line, text)

    def record(self) -> Record:
        first = self.read_tags()
        table = self.begin()
        agents = [self.tags[f"Player{n}"].value if f"Player{n}" in self.tags else "human" for n in range(1, table.players + 1)]
        own = {*OWN_TAGS, *(f"Player{n}" for n in range(1, table.players + 1))}
        for name, tag in self.tags.items():
            if re.fullmatch(r"Player\d+", name) and name not in own:
                raise self.fault(tag.line, f"[{name}] in a game of {table.players}; expected Player1 to Player{table.players}")
        others = {name: tag.value for name, tag in self.tags.items() if name not in own}
        record = Record(table, agents, self.value("Date", ""), tags=others)
        self.read_moves(record, first)
        return record

    # --- tags ----------------------------------------------------------------------
    def read_tags(self) -> int:
        """The number of the first line that is none."""
        for number, line in enumerate(self.lines, 1):
            if not line.strip() or line.lstrip().startswith(";"):
                continue
            if not line.lstrip().startswith("["):
                return number
            tag = TAG.fullmatch(line.strip())
            if tag is None:
                raise self.fault(number, f"{shortened(line.strip())!r} is no tag; expected [Name \"value\"]")
            if tag[1] in self.tags:
                raise self.fault(number, f"a second [{tag[1]}]; expected each tag once")
            self.tags[tag[1]] = Tag(re.sub(r"\\(.)", r"\1", tag[2]), number)
        return len(self.lines) + 1

    def value(self, name: str, default: str) -> str:
        return self.tags[name].value if name in self.tags else default

    def begin(self) -> Table:
        if "State" in self.tags:
            return self.begin_with_state()
        if "Game" not in self.tags:
            raise self.fault(1, "no [Game \"...\"]; expected the tags of a record first")
        game = self.asked("Game", lambda: game_called(self.value("Game", "")))
        players = self.number("Players") if "Players" in self.tags else self.count_seats()
        rules = self.asked("Rules", lambda: parse_rules(self.value("Rules", "-")))
        seed = self.number("Seed") if "Seed" in self.tags else 0
        observer = self.number("Observer") - 1 if "Observer" in self.tags else None
        board = self.find_board(self.value("Board", ""), game.boards)
        place = "Board" if "Board" in self.tags else "Game"
        self.asked("Players", lambda: check_players(game.players, players))
        chart = self.asked(place, lambda: load_chart(game, board))
        self.asked("Rules", lambda: game.start(chart, players, rules))
        return self.asked("Observer", lambda: Table.new(game.name, players, board, rules, seed, observer))

    def begin_with_state(self) -> Table:
        table = self.asked("State", lambda: Table.from_state(self.value("State", "")))
        given = {"Game": table.game.name, "Players": str(table.players)}
        for name, value in given.items():
            if name in self.tags and self.tags[name].value != value:
                raise self.fault(self.tags[name].line, f"[{name} \"{self.tags[name].value}\"]; expected {value!r} as in [State]")
        return table

    def count_seats(self) -> int:
        seats = sum(f"Player{n}" in self.tags for n in range(1, 100))
        if not seats:
            raise self.fault(self.tags["Game"].line, "no [Players \"...\"]; expected how many play")
        return seats

    def find_board(self, name: str, known: tuple[str, ...]) -> str | None:
        beside = self.folder / name
        if name and name not in known and not os.path.isfile(name) and os.path.isfile(beside):
            return str(beside)
        return name or None

    def number(self, name: str) -> int:
        value = self.asked(name, lambda: whole_number(name, self.tags[name].value))
        if not 0 <= value < 1 << 64:
            raise self.fault(self.tags[name].line, f"[{name} \"{value}\"]; expected 0 to 2^64-1")
        return value

    def asked(self, name: str, question: Callable[[], T]) -> T:
        """What a tag leads to; a fault there is told with the tag's line."""
        try:
            return question()
        except ValueError as fault:
            line = self.tags[name].line if name in self.tags else 1
            raise self.fault(line, str(fault)) from None

    # --- moves ---------------------------------------------------------------------
    def words(self, first: int) -> Iterator[tuple[str, int, bool]]:
        """Words and comments from a line on: the text, its line, and whether the file ends right behind it."""
        text, at = "\n".join(self.lines[first - 1:]), 0
        line = first
        while at < len(text):
            found = WORD.match(text, at)
            assert found is not None        # its last choice takes any letter that the others leave
            word, at = found[0], found.end()
            if not word.isspace():
                yield word, line, at == len(text)
            line += word.count("\n")

    def read_moves(self, record: Record, first: int) -> None:
        table, mark, line = record.table, "", max(first - 1, 1)
        for word, line, is_last in self.words(first):
            if word[0] in "{;":
                if word[0] == "{" and not word.endswith("}"):
                    if not self.mend:
                        raise self.fault(line, f"a comment behind {last_move(table)} does not end; expected }}")
                    record.cut = f"a comment that does not end, behind {last_move(table)}"
                    break
                note = word[1:-1] if word[0] == "{" else word[1:]
                record.remark(" ".join(f"{record.notes.get(len(table.moves), '')} {note}".split()))
            elif mark:
                raise self.fault(line, f"{shortened(word)!r} behind the end mark {mark!r}; expected nothing more")
            elif word in (GOES_ON, IS_OVER):
                mark = word
            elif is_last and self.mend:
                record.cut = f"{shortened(word)!r}, perhaps half a word, behind {last_move(table)}"
            else:
                self.read_move(table, word, line)
        if mark:
            self.check_end(record, mark, line)
        elif not self.mend:
            raise self.fault(line, f"is cut off behind {last_move(table)}; expected more moves, and at their end {GOES_ON} or {IS_OVER}")
        else:
            record.cut = record.cut or f"the end, behind {last_move(table)}"

    def read_move(self, table: Table, word: str, line: int) -> None:
        """A ply number, a move, or both in one word."""
        number = table.ply + 1
        if ply := PLY.match(word):
            if int(ply[1]) != number:
                raise self.fault(line, f"ply number {ply[0]} behind {last_move(table)}; expected {number}.")
            word = word[ply.end():]
        if len(word) > MOST_LETTERS:
            raise self.fault(line, f"move {number} {shortened(word)!r} is too long; expected a move")
        if not word:
            return
        try:
            table.play(word)
        except IllegalMove as fault:
            raise self.fault(line, f"move {number} {fault}") from None
        except ValueError as fault:         # what a game cannot even read
            raise self.fault(line, f"move {number} {word!r} is illegal: {fault}") from None

    def check_end(self, record: Record, mark: str, line: int) -> None:
        if mark == IS_OVER and not record.table.is_over:
            raise self.fault(line, f"end mark {IS_OVER!r} behind {last_move(record.table)}, but the game goes on; expected {GOES_ON}")
        given = " ".join(self.value("Result", GOES_ON).split())
        if given not in (GOES_ON, record.result):
            raise self.fault(self.tags["Result"].line, f"[Result \"{given}\"], but the moves give {record.result!r}; expected that")


def last_move(table: Table) -> str:
    return f"move {table.ply} {table.moves[-1]!r}" if table.moves else "the tags"


def check_players(allowed: tuple[int, int], players: int) -> None:
    low, high = allowed
    if not low <= players <= high:
        raise ValueError(f"players {players}; expected {low} to {high}")


def shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
