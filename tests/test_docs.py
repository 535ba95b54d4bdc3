"""The pages say what is so: the README's protocol works when pasted, links lead somewhere, notation has every word."""
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
from railwright.cext.game import MAX_PLAYERS
from railwright.engine.games import GAMES
from railwright.engine.table import Table

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


ENGINE = [sys.executable, "-c", "from railwright.cli.protocol.engine import main; main()"]


def gist(line):
    """A line of the engine; of a search only its first word, for its figures change with the weights."""
    return line.split()[0] if line.startswith(("info", "bestmove")) else line


def test_the_protocol_of_the_readme_answers_as_it_says():
    """`...` on the page stands for anything."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    sent = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    expected = [re.escape(gist(line[2:])).replace(r"\.\.\.", ".*") for line in lines if line.startswith("< ")]
    done = subprocess.run(ENGINE, input=sent + "quit\n", capture_output=True, text=True, check=True, timeout=60)
    came = [line for line, _ in groupby(map(gist, done.stdout.splitlines()))]
    assert len(came) == len(expected)
    assert all(re.fullmatch(pattern, line) for pattern, line in zip(expected, came, strict=True)), came


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_names_the_game_and_its_rules(game):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    low, high = GAMES[game].players
    assert f"docs/rules/{game}.md" in text and f"| {low}-{high} |" in text and high <= MAX_PLAYERS


@pytest.mark.parametrize("game", GAMES)
def test_notation_has_every_kind_of_move_and_every_option(game):
    """Each first word of a token that random games show stands on the page."""
    text = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    for option in GAMES[game].options:
        assert option.name in text
    for seed in range(3):
        table = Table.new(game, seed=seed)
        while not table.is_over and table.ply < 400:
            words = {token.partition(":")[0] for token in table.tokens()}
            assert all(re.search(rf"`{word}\b", text) for word in words), words
            table.push(table.position.legal()[table.ply * 7919 % len(table.position.legal())])


def test_the_protocol_page_has_every_option_and_command():
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    done = subprocess.run(ENGINE, input="uci\nhelp\nquit\n", capture_output=True, text=True, check=True, timeout=60)
    options = re.findall(r"^option name (\S+) type (\S+) default (\S+)", done.stdout, re.MULTILINE)
    commands = re.findall(r"^help (\w+)", done.stdout, re.MULTILINE)
    assert options and commands
    for name, kind, default in options:
        assert re.search(rf"^\| `{name}` \| {kind} \| `?{default}`? \|", text, re.MULTILINE), name
    for command in commands:
        assert re.search(rf"^\| `{command}\b", text, re.MULTILINE), command
