"""Questions to a person at the terminal."""
import contextlib
from collections.abc import Callable

from railwright.cli.terminal.screen import Screen
from railwright.engine.game import nearest


class Leave(Exception):
    """The person wants to leave."""


def ask(prompt: str, words: list[str] | None = None) -> str:
    """A line from the person, with editing and Tab; Leave when there are no more."""
    complete_with(words or [])
    try:
        return input(prompt)
    except EOFError:
        raise Leave from None
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}"


def complete_with(words: list[str]) -> None:
    """Tab completes these words where the machine has readline."""
    with contextlib.suppress(ImportError):
        import readline
        readline.set_completer_delims(" ")
        readline.set_completer(lambda text, i: next(iter([word for word in words if word.startswith(text)][i:i + 1]), None))
        readline.parse_and_bind("tab: complete")


def whole_number(what: str, text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 20 or not low <= int(text) <= high:
        raise ValueError(f"{what} {text!r}; expected a whole number from {low} to {high}")
    return int(text)


def asked(screen: Screen, question: str, default: str, check: Callable[[str], object]) -> str:
    """An answer that passes the check; Enter takes the default, nonsense is asked again."""
    while True:
        answer = ask(f"{question} [{default}]: ").strip() or default
        try:
            check(answer)
        except ValueError as fault:
            screen.complain(fault)
            continue
        return answer


def chosen(name: str, words: list[str]) -> str:
    """One of the words by its number, its name or its beginning."""
    if name.isascii() and name.isdigit() and 1 <= int(name[:9]) <= len(words):
        return words[int(name[:9]) - 1]
    found = [word for word in words if word == name.lower()] or [word for word in words if name and word.startswith(name.lower())]
    if len(found) != 1:
        raise ValueError(f"{name!r}; expected one of {', '.join(words)}{nearest(name, words)}")
    return found[0]


def ask_one_of(screen: Screen, question: str, words: list[str], default: str, texts: list[str] | None = None) -> str:
    for number, word in enumerate(words, 1):
        screen.say(f"{number:>4}  {word}" + (f"  {texts[number - 1]}" if texts else ""))
    return chosen(asked(screen, question, default, lambda answer: chosen(answer, words)), words)
