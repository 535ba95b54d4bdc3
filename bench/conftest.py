"""Speeds of one run side by side: what the benchmarks measured, with the ratios, as a table for people and RESULTS.md."""
from dataclasses import dataclass, field

import pytest

HEADER = ("what", "best", "ratio", "goal")


@dataclass
class Speeds:
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, what: str, best: str, ratio: str = "", goal: str = "") -> None:
        self.rows.append((what, best, ratio, goal))


KEY = pytest.StashKey[Speeds]()


@pytest.fixture(scope="session")
def speeds(request: pytest.FixtureRequest) -> Speeds:
    return request.config.stash.setdefault(KEY, Speeds())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    measured = config.stash.get(KEY, Speeds()).rows
    if not measured:
        return
    rows = [HEADER, ("---",) * len(HEADER), *measured]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    terminalreporter.write_line("")
    for row in rows:
        terminalreporter.write_line("| " + " | ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)) + " |")
