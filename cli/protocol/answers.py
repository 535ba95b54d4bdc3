"""How answers are written: as lines of text, or as one JSON object a line with the same fields."""
import json
from collections.abc import Sequence
from threading import Lock
from typing import Any, BinaryIO

Fields = dict[str, Any]
LONGEST = 1600                  # letters of a remark about what was wrong


class Answers:
    """One answer a line, flushed at once; several threads may answer."""

    def __init__(self, stream: BinaryIO):
        self.stream, self.lock = stream, Lock()
        self.is_json = False
        self.is_broken = False      # nobody listens any more

    def say(self, name: str, fields: Fields | None = None, text: str | None = None) -> None:
        """The answer called `name`. `text` where the line is not just its fields in a row."""
        fields = fields or {}
        if self.is_json:
            line = json.dumps({"answer": name, **fields}, ensure_ascii=False)
        else:
            line = text if text is not None else plain(name, fields)
        with self.lock:
            try:
                self.stream.write(line.encode("utf-8", "replace") + b"\n")
                self.stream.flush()
            except (OSError, ValueError):       # ValueError: the stream was closed
                self.is_broken = True

    def error(self, fault: str) -> None:
        self.say("error", {"error": on_one_line(fault)})


def plain(name: str, fields: Fields) -> str:
    """`name key value key value`; the field that is called like its answer needs no key."""
    words = [name]
    for key, value in fields.items():
        words += [written(value)] if key == name else [key, written(value)]
    return " ".join(filter(None, words))


def written(value: Any) -> str:
    """Lists with spaces, weights as `a=1 b=2`, groups of lists as `a 1 2 b 3 4`."""
    if isinstance(value, dict):
        return " ".join(f"{key} {written(item)}" if isinstance(item, list) else f"{key}={written(item)}" for key, item in value.items())
    if isinstance(value, list):
        return " ".join(map(written, value))
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def on_one_line(text: str) -> str:
    """Letters that cannot be shown are spelled out, and what is far too long loses its middle."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST // 2]} ... {text[-LONGEST // 2:]}"
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode() for letter in text)


def tenth(value: float) -> float:
    """Rounded to one digit, without a minus before zero."""
    return round(value, 1) + 0.0


def per_mille(chances: Sequence[float]) -> list[int]:
    """Whole thousandths that add up to exactly 1000: the largest remainders are rounded up."""
    total = sum(chances)
    exact = [1000 * chance / total for chance in chances]
    parts = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: (parts[i] - exact[i], i))
    for i in by_remainder[:1000 - sum(parts)]:
        parts[i] += 1
    return parts
