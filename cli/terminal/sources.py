"""Where a game comes from: a record, a state in one token, a file with either, or stdin."""
import sys
from pathlib import Path

from railwright.engine.record import MOST_BYTES, Record
from railwright.engine.table import Table


def read_game(source: str, mend: bool = False) -> Record:
    """The game of a file, of stdin (`-`), or of a state token; ValueError says what is wrong with it."""
    if is_state(source):
        return from_state(source)
    if source == "-":
        data, name, folder = sys.stdin.buffer.read(MOST_BYTES + 1), "-", Path()
    else:
        path = Path(source)
        record = state_of(path)
        return record or Record.read(path, mend)
    text = data.decode("utf-8", errors="replace").strip()
    return from_state(text) if is_state(text) else Record.decode(data, name, folder, mend)


def state_of(path: Path) -> Record | None:
    """The game of a file that holds a state; none when it holds something else, or cannot be read."""
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8").strip()
    except (OSError, ValueError):
        return None
    return from_state(text) if is_state(text) else None


def is_state(text: str) -> bool:
    """Does the text look like `game;players=3;...`, perhaps behind the protocol's word `state`?"""
    words = text[:4096].split(maxsplit=2)
    word = words[1] if len(words) > 1 and words[0] == "state" else words[0] if words else ""
    return ";players=" in word


def from_state(text: str) -> Record:
    token = text.removeprefix("state ").strip()
    table = Table.from_state(token)
    return Record(table, ["-"] * table.players)
