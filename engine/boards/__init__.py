"""The boards: JSON files that are checked on loading, so that the core can trust them."""
import json
import os
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent


class BoardError(ValueError):
    """A board file that cannot be used; the text names the file, what is wrong and what was expected."""

    def __init__(self, name: str, fault: str):
        super().__init__(f"board {name}: {fault}")


def find(folder: str, names: tuple[str, ...], name: str) -> Path:
    """The file of a board that comes with a game, or of a person's own."""
    if name in names:
        return HOME / folder / f"{name}.json"
    if not os.path.isfile(name):        # also for what no file can be called
        raise BoardError(name, f"no such file; expected one of {' '.join(names)} or the path of a board file")
    return Path(name)


def read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise BoardError(path.name, f"cannot be read ({type(fault).__name__}); expected a JSON file") from None
    except (json.JSONDecodeError, RecursionError) as fault:
        where = f"line {fault.lineno} column {fault.colno}: {fault.msg}" if isinstance(fault, json.JSONDecodeError) else "too deep"
        raise BoardError(path.name, f"{where}; expected JSON") from None
    if not isinstance(data, dict):
        raise BoardError(path.name, "the file holds no object; expected {...}")
    return data


class Reader:
    """Takes values out of a board's JSON and names the place where one does not fit."""

    def __init__(self, name: str, value: Any, place: str = ""):
        self.name, self.value, self.place = name, value, place

    def fail(self, fault: str, expected: str) -> BoardError:
        return BoardError(self.name, f"{self.place or 'the board'} {fault}; expected {expected}")

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str | int) -> "Reader":
        """The entry `key` of an object or of a list."""
        if isinstance(key, str):
            if not isinstance(self.value, dict):
                raise self.fail("is no object", "{...}")
            if key not in self.value:
                raise self.fail(f"has no {key!r}", f"a value for {key!r}")
        place = f"{self.place}.{key}" if self.place and isinstance(key, str) else f"{self.place}[{key}]" if self.place else str(key)
        return Reader(self.name, self.value[key], place)

    def each(self) -> list["Reader"]:
        if not isinstance(self.value, list):
            raise self.fail("is no list", "[...]")
        return [self.at(i) for i in range(len(self.value))]

    def number(self, low: int, high: int) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not low <= self.value <= high:
            raise self.fail(f"is {shown(self.value)}", f"a whole number from {low} to {high}")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value:
            raise self.fail(f"is {shown(self.value)}", "a text")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail(f"is {shown(self.value)}", "true or false")
        return self.value

    def one_of(self, words: Any) -> str:
        from railwright.engine.game import nearest
        words = list(words)
        if not isinstance(self.value, str) or self.value not in words:
            near = nearest(str(self.value), words)
            raise self.fail(f"is {shown(self.value)}", f"one of {', '.join(words[:12])}{' ...' if len(words) > 12 else ''}{near}")
        return self.value


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
