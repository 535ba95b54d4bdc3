"""Reading the words of a protocol line: numbers, keys with values, moves. Each fault says what was expected."""
import re

from railwright.engine.game import IllegalMove, nearest
from railwright.engine.games import GAMES
from railwright.engine.table import Table, parse_rules

LONGEST_LINE = 4 << 20          # bytes; the protocol promises 1 MiB
LONGEST_MOVE = 200              # letters
MOST_TIME = 86_400_000          # ms: a day
MOST_NODES = 10 ** 15
MOST_SEED = 2 ** 64 - 1

Words = list[str]


def number(what: str, text: str, low: int, high: int, unit: str = "") -> int:
    """A whole number in plain digits; `what` names the place it stands in."""
    if re.fullmatch("[0-9]{1,20}", text) is None or not low <= int(text) <= high:
        raise ValueError(f"{what} got {shortened(text)}; expected {unit or 'a whole number'} from {low} to {high}")
    return int(text)


def shortened(word: str, most: int = 60) -> str:
    return repr(word if len(word) <= most else word[:most - 3] + "...")


def decoded(data: bytes | None) -> str:
    if data is None:
        raise ValueError(f"the line is too long; expected at most {LONGEST_LINE} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise ValueError(f"byte {fault.start + 1} of the line is no text; expected UTF-8") from None


def only(words: Words, usage: str) -> str:
    """The one word that belongs there."""
    if len(words) != 1:
        raise ValueError(f"{usage.split()[0]} got {shortened(words[1]) if words else 'nothing'}; expected {usage}")
    return words[0]


def keyed(words: Words, keys: tuple[str, ...], last: str) -> tuple[dict[str, str], Words]:
    """`key value key value last ...`: the values by their keys, and the rest."""
    values: dict[str, str] = {}
    while words:
        key, *words = words
        if key == last:
            return values, words
        if key not in keys or key in values:
            raise ValueError(f"position got {shortened(key)}{' twice' if key in values else ''}; expected one of {' '.join((*keys, last))}")
        if not words:
            raise ValueError(f"position {key} got nothing; expected a value behind it")
        values[key], *words = words
    return values, []


def new_table(name: str, settings: dict[str, str]) -> Table:
    if name not in GAMES:
        near = nearest(name[:60], list(GAMES))
        raise ValueError(f"position got {shortened(name)}; expected a game, one of {' '.join(GAMES)}, or state{near}")
    low, high = GAMES[name].players
    players = number("players", settings.get("players", str(low)), low, high)
    seed = number("seed", settings.get("seed", "0"), 0, MOST_SEED)
    observer = number("observer", settings["observer"], 1, players) - 1 if "observer" in settings else None
    return Table.new(name, players, settings.get("map"), parse_rules(settings.get("rules", "-")), seed, observer)


def play_all(table: Table, words: Words) -> None:
    for i, word in enumerate(words, 1):
        if len(word) > LONGEST_MOVE:
            raise IllegalMove(f"move {i} {shortened(word)} is too long; expected a move of at most {LONGEST_MOVE} letters")
    table.play_all(words)


def parsed(table: Table, word: str, place: str) -> int:
    """The move that a word names here."""
    table.tokens()                      # raises when the decision is another player's than the observer's
    if len(word) > LONGEST_MOVE:
        raise IllegalMove(f"{place} {shortened(word)} is too long; expected a move of at most {LONGEST_MOVE} letters")
    try:
        return table.game.parse(table.chart, table.position, word)
    except IllegalMove as fault:
        raise IllegalMove(f"{place} {fault}") from None
