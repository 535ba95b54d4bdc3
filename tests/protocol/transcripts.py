"""Golden transcripts: `> ` a line in, `< ` a line out, `~` any number of lines out, `#` why the transcript is there.

In what comes out `*` stands for one word (or a part of it), `...` for any text. `\\xHH` in a line in is a byte.
"""
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from railwright.cli.protocol.answers import Answers
from railwright.cli.protocol.engine import Engine

HOME = Path(__file__).parent / "transcripts"


@dataclass
class Exchange:
    """Lines that go in before anything is expected, and what has to come out."""
    sent: str
    expected: list[str] = field(default_factory=list)


def read(path: Path) -> list[Exchange]:
    exchanges: list[Exchange] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(">"):
            exchanges.append(Exchange(line[2:]))
        elif line.startswith("<"):
            exchanges[-1].expected.append(line[2:])
        elif line == "~":
            exchanges[-1].expected.append(line)
        else:
            assert line.startswith("#"), f"{path.name}: {line!r} is none of `> `, `< `, `~`, `#`"
    return exchanges


def sent_bytes(line: str) -> bytes:
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), line.encode())


def pattern(expected: list[str]) -> str:
    """One regular expression for all the lines."""
    return "".join(r"(?:[^\n]*\n)*?" if line == "~" else line_pattern(line) + r"\n" for line in expected)


def line_pattern(line: str) -> str:
    wild = {"*": r"[^ \n]+", "...": r"[^\n]*"}
    return "".join(wild.get(part) or re.escape(part) for part in re.split(r"(\*|\.\.\.)", line))


class Driven:
    """An engine in this process, one line at a time."""

    def __init__(self) -> None:
        self.out = io.BytesIO()
        self.engine = Engine(Answers(self.out))

    def send(self, data: bytes | None, wait: bool = True) -> str:
        """What came out since the last line."""
        self.engine.receive(data)
        if wait:
            assert self.engine.wait(60), f"still busy after {data!r}"
        return self.taken()

    def taken(self) -> str:
        with self.engine.answers.lock:
            text = self.out.getvalue().decode()
            self.out.seek(0)
            self.out.truncate()
        return text

    def snapshot(self) -> tuple:
        """Everything that an error must leave as it was."""
        table = self.engine.table
        return (table and (table.state(), tuple(table.moves)), tuple(self.engine.options.values.items()), self.engine.answers.is_json)
