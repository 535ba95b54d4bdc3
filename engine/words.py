"""Small words that all games use when they speak to people."""
from collections.abc import Sequence


def seat(player: int) -> str:
    """Seats are 0 to n-1 inside and 1 to n for people."""
    return f"player {player + 1}"


def listing(words: Sequence[str]) -> str:
    """`a, b and c`"""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
