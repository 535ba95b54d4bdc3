"""The moves as a numbered list, and what a person means by a line."""
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from railwright.engine.game import IllegalMove, is_next_amount
from railwright.engine.table import Table

PARTS = re.compile("[:-]")      # what stands between the parts of a token
SHORTENED = 3                   # a run of so many amounts stands in the list as one entry
LEAST_LETTERS = 3               # of a word that is looked for in explanations
MOST_NAMED = 6                  # moves named when a line could mean several


class Unclear(ValueError):
    """A line that could mean several things, or nothing; the text says what was expected."""


@dataclass
class Entry:
    """A line of the list: one move, or a run of amounts."""
    numbers: range
    tokens: list[str]

    @property
    def label(self) -> str:
        return str(self.numbers[0]) if len(self.numbers) == 1 else f"{self.numbers[0]}-{self.numbers[-1]}"

    @property
    def name(self) -> str:
        return self.tokens[0] if len(self.tokens) == 1 else f"{self.tokens[0]}..{self.tokens[-1]}"


@dataclass
class Menu:
    """The moves of a decision. In a run of amounts the number is the amount itself, and the other moves count from 0."""
    table: Table
    entries: list[Entry] = field(default_factory=list)
    kind_of_amounts: str = ""           # `bid` where the numbers are amounts

    @classmethod
    def of(cls, table: Table) -> "Menu":
        runs = amount_runs(list(table.tokens()))
        long_runs = [run for run in runs if len(run) >= SHORTENED]
        if len(long_runs) == 1:
            return cls(table, by_amount(runs, long_runs[0]), long_runs[0][0].rpartition(":")[0])
        entries, number = [], 1
        for run in runs:
            pieces = [run] if len(run) >= SHORTENED else [[token] for token in run]
            for piece in pieces:
                entries.append(Entry(range(number, number + len(piece)), piece))
                number += len(piece)
        return cls(table, entries)

    def numbered(self, digits: str) -> str:
        """The move of a number; where numbers are amounts, one outside of them is left to the game to refuse."""
        number = int(digits)
        for entry in self.entries:
            if number in entry.numbers:
                return entry.tokens[entry.numbers.index(number)]
        if self.kind_of_amounts:
            table = self.table
            table.game.parse(table.chart, table.position, f"{self.kind_of_amounts}:{number}")
        places = abbreviated([digits], self.tokens)        # where places are numbers too
        if len(places) == 1:
            return places[0]
        raise Unclear(f"number {number}; expected 1 to {self.entries[-1].numbers[-1]}, as in the list")

    def meaning(self, line: str, commands: Sequence[str] = ()) -> str:
        """The move, or the command, that a line stands for; Unclear or IllegalMove says why there is none."""
        words = line.lower().split()
        if len(words) == 1 and words[0].isascii() and words[0].isdigit():
            return self.numbered(words[0][:9])
        table, tokens = self.table, self.tokens
        if words[0] in commands and ":".join(words) not in tokens:
            return words[0]
        try:
            return table.game.token(table.chart, table.position, table.game.parse(table.chart, table.position, ":".join(words)))
        except IllegalMove as fault:
            refusal = fault
        found = abbreviated(words, tokens) or self.aliases(words) or self.described(words)
        found += [command for command in commands if len(words) == 1 and command.startswith(words[0])]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(f"'{line.strip()}' could be {shortened(found)}; expected a little more")
        raise refusal

    @property
    def tokens(self) -> list[str]:
        return [token for entry in self.entries for token in entry.tokens]

    def aliases(self, words: list[str]) -> list[str]:
        """Moves whose last part alone was given under another name, such as a city's."""
        game, table = self.table.game, self.table
        heads = {token.rpartition(":")[0]: None for token in self.tokens if ":" in token}
        meant = [game.alias(table.chart, table.position, f"{head}:{' '.join(words)}") for head in heads]
        return [token for token in meant if token in self.tokens]

    def described(self, words: list[str]) -> list[str]:
        """Moves in whose explanation all the words begin a word: `bing` for Binghamton."""
        if len("".join(words)) < LEAST_LETTERS:
            return []
        game, table = self.table.game, self.table
        texts = {token: re.findall(r"\w+", game.explain(table.chart, table.position, move).lower())
                 for token, move in table.tokens().items()}
        return [token for token, text in texts.items() if all(any(part.startswith(word) for part in text) for word in words)]


def amount_runs(tokens: list[str]) -> list[list[str]]:
    """The tokens in their order, `bid:7 bid:8 bid:9` together."""
    runs: list[list[str]] = []
    for token in tokens:
        if runs and is_next_amount(runs[-1][-1], token):
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def by_amount(runs: list[list[str]], amounts: list[str]) -> list[Entry]:
    first = int(amounts[0].rpartition(":")[2])
    taken = range(first, first + len(amounts))
    others = [token for run in runs if run is not amounts for token in run]
    free = (number for number in range(len(others) + len(amounts) + 1) if number not in taken)
    return [Entry(taken, amounts), *(Entry(range(number, number + 1), [token]) for number, token in zip(free, others, strict=False))]


# --- abbreviations ---------------------------------------------------------------
def abbreviated(words: list[str], tokens: list[str]) -> list[str]:
    """The moves that some words, or parts of a token, can stand for; whole parts count before beginnings of parts."""
    given = [part for word in words for part in PARTS.split(word) if part]
    if not given:
        return []
    whole = [token for token in tokens if stands_for(given, PARTS.split(token), is_whole=True)]
    return whole or [token for token in tokens if stands_for(given, PARTS.split(token), is_whole=False)]


def stands_for(given: list[str], parts: list[str], is_whole: bool) -> bool:
    """Do the given parts occur in the token's parts in this order? Amounts are never abbreviated."""
    at = iter(parts)
    return all(any(part == word or (not is_whole and not part.isdigit() and part.startswith(word)) for part in at) for word in given)


def shortened(found: list[str]) -> str:
    runs = [run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in amount_runs(found)]
    more = len(runs) - MOST_NAMED
    return ", ".join(runs[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
