"""The options of the protocol: what they are called, what they may be, what they are."""
from dataclasses import dataclass

from railwright.ai.agents import AGENTS, Settings, agents_for
from railwright.cli.protocol.answers import Fields
from railwright.cli.protocol.words import MOST_SEED, MOST_TIME, number, shortened
from railwright.engine.game import nearest
from railwright.engine.games import GAMES


@dataclass(frozen=True)
class Option:
    """One line of the answer to `uci`."""
    name: str
    kind: str                   # spin, check or combo
    default: str
    unit: str = ""              # of a number, for people
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def fields(self) -> Fields:
        shown: Fields = {"name": self.name, "type": self.kind, "default": self.default}
        if self.kind == "spin":
            shown |= {"min": self.low, "max": self.high}
        return shown | ({"var": list(self.choices)} if self.kind == "combo" else {})

    def line(self) -> str:
        words = [f"option name {self.name} type {self.kind} default {self.default}"]
        if self.kind == "spin":
            words.append(f"min {self.low} max {self.high}")
        return " ".join(words + [f"var {choice}" for choice in self.choices if self.kind == "combo"])

    def checked(self, value: str) -> str:
        """The value as it is kept; ValueError says what was expected."""
        if self.kind == "spin":
            return str(number(f"option {self.name}:", value, self.low, self.high, self.unit))
        choices = ("true", "false") if self.kind == "check" else self.choices
        known = {*choices, *family_agents()} if self.name == "Agent" else choices
        if value not in known:
            near = nearest(value[:60], list(known))
            raise ValueError(f"option {self.name}: got {shortened(value)}; expected one of {' '.join(choices)}{near}")
        return value


def family_agents() -> set[str]:
    """The agents of single games, beside those for all of them."""
    return {name for game in GAMES.values() for name in agents_for(game)}


OPTIONS = {option.name.lower(): option for option in (
    Option("Threads", "spin", "1", low=1, high=256),
    Option("Hash", "spin", "64", "MiB", 1, 65536),
    Option("MultiPV", "spin", "1", low=1, high=256),
    Option("MoveTime", "spin", "1000", "ms", 1, MOST_TIME),
    Option("Level", "spin", "10", low=1, high=10),
    Option("Agent", "combo", next(iter(AGENTS)), choices=tuple(AGENTS)),
    Option("Seed", "spin", "0", low=0, high=MOST_SEED),
    Option("Ponder", "check", "false"),
    Option("Output", "combo", "text", choices=("text", "json")),
)}


class Options:
    """The values that are set."""

    def __init__(self) -> None:
        self.values = {option.name: option.default for option in OPTIONS.values()}

    def set(self, name: str, value: str) -> None:
        """Names are taken in any case, as in UCI."""
        option = OPTIONS.get(name.lower())
        if option is None:
            names = [known.name for known in OPTIONS.values()]
            raise ValueError(f"option {shortened(name)} is unknown; expected one of {' '.join(names)}{nearest(name[:60], names)}")
        self.values[option.name] = option.checked(value)

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def number(self, name: str) -> int:
        return int(self.values[name])

    def settings(self) -> Settings:
        return Settings(self.number("Seed"), self.number("Threads"), self.number("Hash"), self.number("Level"))
