"""What people see: lines that wrap, pictures that fit the terminal, and a spinner; plain text where there is no terminal."""
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from time import monotonic

from rich.console import Console
from rich.status import Status
from rich.text import Text

SEATS = ("cyan", "green", "magenta", "yellow", "blue", "red")
SEAT = re.compile(r"\bplayer ([1-6])\b")
NEW = "bold yellow"             # what changed since it was shown last
PROSE_LINES = 5                 # a wide block of more lines is a map: it is cut into parts, not wrapped
LEAST_WIDTH = 40
GAP = 2                         # blanks that stay between the columns of a squeezed table

Block = list[str]               # the lines between two blank ones
Marks = list[set[int]]          # for each line the columns that are new


class Screen:
    """Stdout. `width` and `height` are None where there is no terminal: then nothing is wrapped or left out."""

    def __init__(self) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")    # an old terminal shows ? for what it cannot
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.shown: list[Block] = []

    @property
    def is_terminal(self) -> bool:
        return self.console.is_terminal

    @property
    def width(self) -> int | None:
        return max(LEAST_WIDTH, shutil.get_terminal_size().columns) if self.is_terminal else None

    @property
    def height(self) -> int | None:
        return shutil.get_terminal_size().lines if self.is_terminal else None

    # --- words ---------------------------------------------------------------------
    def say(self, text: str = "", style: str = "", hanging: int = 0) -> None:
        """A line in words; where it wraps, the next lines begin `hanging` columns in."""
        for line in wrapped(text, self.width, hanging):
            words = Text(line, style)
            for found in SEAT.finditer(line):
                words.stylize(SEATS[int(found[1]) - 1], *found.span())
            self.console.print(words, soft_wrap=True)

    def say_move(self, lines: list[str]) -> None:
        """A move in words, and below it what it brought about."""
        for line in lines[:1]:
            self.say(line, hanging=6)
        for event in lines[1:]:
            is_long = self.width is not None and len(event) > self.width
            head, *items = event.split("; ") if is_long else [event]        # payments one below another
            self.say(head, "bold", hanging=6)
            for item in items:
                self.say(f"      {item}", "bold", hanging=8)

    def say_command(self, text: str) -> None:
        """A command to copy: never wrapped."""
        self.console.print(Text(f"  {text}"), soft_wrap=True)

    def complain(self, fault: object) -> None:
        """One line about what was wrong."""
        self.say(f"error {fault}", "red", hanging=6)

    # --- pictures ------------------------------------------------------------------
    def picture(self, text: str, whole: bool = False) -> None:
        """A picture in text: all of it where it fits or when asked for, else what changed since the last one."""
        new, old = blocks(text), self.shown
        is_short = self.height is not None and sum(len(block) + 1 for block in new) > self.height - 8
        self.shown = new
        for i, block in enumerate(new):
            if whole or not old or not is_short or block not in old:
                before = old[i] if len(old) == len(new) else []
                self.show_block(block, changes(before, block) if self.is_terminal else [set() for _ in block], whole)
                self.say()

    def show_block(self, block: Block, marks: Marks, whole: bool) -> None:
        width = self.width
        if width is not None and widest(block) > width:
            narrow, moved = squeezed(block, marks, width)
            if widest(narrow) <= width:
                block, marks = narrow, moved
        if width is None or widest(block) <= width:
            self.show_lines(block, marks)
        elif len(block) <= PROSE_LINES:
            for line in block:
                self.say(line, hanging=heading(line))
        else:
            self.show_parts(block, marks, width, whole)

    def show_parts(self, block: Block, marks: Marks, width: int, whole: bool) -> None:
        """A map in parts, each with the row numbers of its left edge."""
        edge = label_width(block)
        across = width - edge
        new = {at - edge for line in marks for at in line if at >= edge and not whole}
        for i, start in enumerate(parts(widest(block) - edge, across, new)):
            if i:
                self.say()
            left = edge + start
            self.show_lines([line[:edge].ljust(edge) + line[left:left + across] for line in block],
                            [{at - start for at in line if left <= at < left + across} for line in marks])

    def show_lines(self, lines: Block, marks: Marks) -> None:
        for line, new in zip(lines, marks, strict=True):
            words = Text(line.rstrip())
            for at in new:
                words.stylize(NEW, at, at + 1)
            self.console.print(words, soft_wrap=True)

    # --- waiting -------------------------------------------------------------------
    @contextmanager
    def spinner(self, text: str) -> Iterator["Spinner"]:
        """A sign of life while something takes time; nothing where there is no terminal."""
        spinner = Spinner(self.console if self.is_terminal else None, text)
        try:
            yield spinner
        finally:
            spinner.end()


class Spinner:
    """Appears only when the work takes longer than a moment."""
    DELAY = 0.25                # seconds

    def __init__(self, console: Console | None, text: str):
        self.console, self.text, self.began = console, text, monotonic()
        self.status: Status | None = None

    def turn(self) -> None:
        seconds = monotonic() - self.began
        if self.console is None or seconds < self.DELAY:
            return
        words = Text(f"{self.text} {seconds:.0f} s", "dim")
        if self.status is None:
            self.status = self.console.status(words)
            self.status.start()
        else:
            self.status.update(words)

    def end(self) -> None:
        if self.status is not None:
            self.status.stop()


def is_interactive() -> bool:
    """Does a person sit at stdin?"""
    return sys.stdin is not None and sys.stdin.isatty()


# --- pictures that fit -----------------------------------------------------------
def blocks(text: str) -> list[Block]:
    """The parts between blank lines; a line of column names under a map belongs to the map."""
    found: list[Block] = []
    for part in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = part.rstrip().split("\n")
        if found and lines == found[-1][:1]:
            found[-1] += ["", *lines]
        else:
            found.append(lines)
    return found


def widest(block: Block) -> int:
    return max(map(len, block))


def changes(old: Block, new: Block) -> Marks:
    """The words of a table or a map that were not at this place before."""
    marks: Marks = [set() for _ in new]
    if len(old) != len(new) or len(new) < 3:
        return marks
    for line, before, after in zip(marks, old, new, strict=True):
        for word in re.finditer(r"\S+", after):
            if before[word.start():word.end()] != word[0]:
                line |= set(range(*word.span()))
    return marks


def squeezed(block: Block, marks: Marks, width: int) -> tuple[Block, Marks]:
    """A table with narrower gaps between its columns, as much as is needed."""
    across = widest(block)
    padded = [line.ljust(across) for line in block]
    is_blank = [all(line[at] == " " for line in padded) for at in range(across)]
    spare = [at for at in range(GAP, across) if all(is_blank[at - GAP:at + 1])]
    out = set(spare[:across - width])
    kept = [at for at in range(across) if at not in out]
    place = {at: i for i, at in enumerate(kept)}
    return (["".join(line[at] for at in kept).rstrip() for line in padded],
            [{place[at] for at in line if at in place} for line in marks])


def parts(across: int, width: int, new: set[int]) -> list[int]:
    """Where the parts of a wide map begin: one around all that is new, else all of them, the last flush with the right edge."""
    if new and max(new) - min(new) < width:
        middle = (min(new) + max(new)) // 2
        return [min(max(0, middle - width // 2), across - width)]
    return [*range(0, across - width, width), across - width]


def label_width(block: Block) -> int:
    """How many columns the row numbers at the left of a map take, with the blank behind them; 0 when there are none."""
    numbers = [found.end() for line in block if (found := re.match(r" *\d+ ", line))]
    edge = max(numbers, default=0)
    is_clear = all(re.fullmatch(r" *\d* *", line[:edge]) for line in block)
    return edge if len(numbers) > PROSE_LINES and is_clear else 0


def heading(line: str) -> int:
    """Where the text begins in a line such as `houses      20 left`."""
    found = re.match(r"\S* {2,}", line)
    return found.end() if found else 4


def wrapped(text: str, width: int | None, hanging: int) -> list[str]:
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=" " * hanging, break_long_words=True, break_on_hyphens=False,
                         drop_whitespace=True, replace_whitespace=False) or [""]
