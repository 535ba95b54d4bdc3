"""What a person means by a line: numbers, abbreviations, and what is unclear."""
import random

import pytest
from railwright.cli.terminal.menu import Menu, abbreviated
from railwright.cli.terminal.telling import told
from railwright.engine.game import IllegalMove
from railwright.engine.table import Table

OPENING = "bid:9 pass bid:8 pass bid:7 pass bid:10 pass"       # player 1 buys the first share of all


def table_after(moves: str) -> Table:
    table = Table.new("chicago-express", 2)
    table.play_all(moves.split())
    return table


def test_amounts_are_their_own_numbers_and_the_rest_counts_from_0():
    menu = Menu.of(table_after(""))
    assert [(entry.label, entry.name) for entry in menu.entries] == [("7-60", "bid:7..bid:60"), ("0", "pass")]
    assert (menu.meaning("7"), menu.meaning("60"), menu.meaning("0")) == ("bid:7", "bid:60", "pass")
    with pytest.raises(IllegalMove, match="the least bid is \\$7"):
        menu.meaning("6")


def test_other_moves_are_numbered_from_1():
    menu = Menu.of(table_after(OPENING))
    assert [(entry.label, entry.name) for entry in menu.entries] == [("1", "dial:auction"), ("2", "dial:build"), ("3", "dial:develop")]
    assert menu.meaning("2") == "dial:build"
    with pytest.raises(ValueError, match="number 4; expected 1 to 3, as in the list"):
        menu.meaning("4")


@pytest.mark.parametrize("line, move", [
    ("dial:auction", "dial:auction"),
    ("DIAL:Build", "dial:build"), ("dial b", "dial:build"), ("d:d", "dial:develop"), ("auc", "dial:auction"),
    (" build ", "dial:build"),
])
def test_abbreviations(line, move):
    assert Menu.of(table_after(OPENING)).meaning(line) == move


def test_an_unclear_abbreviation_names_what_it_could_be():
    with pytest.raises(ValueError, match="'d' could be dial:auction, dial:build, dial:develop; expected a little more"):
        Menu.of(table_after(OPENING)).meaning("d")


def test_commands_take_part_in_abbreviations():
    menu = Menu.of(table_after(OPENING))
    assert menu.meaning("q", ["quit", "board"]) == "quit"
    with pytest.raises(ValueError, match="'b' could be dial:build, board"):
        menu.meaning("b", ["quit", "board"])


@pytest.mark.parametrize("line", ["q3", "nyc q3", "binghamton", "Bing", "build:nyc:binghamton", "build nyc q3"])
def test_hexes_and_cities_alone_are_enough(line):
    table = table_after(OPENING + " dial:build build:nyc build:nyc:r2")
    assert Menu.of(table).meaning(line) == "build:nyc:q3"


def test_whole_parts_count_before_beginnings_and_amounts_are_never_abbreviated():
    assert abbreviated(["k1"], ["build:prr:k1", "build:prr:k10"]) == ["build:prr:k1"]
    assert abbreviated(["bid", "1"], ["bid:10", "bid:11"]) == []
    assert abbreviated(["p"], ["build:prr:p3", "build:prr:k1", "pass"]) == ["build:prr:p3", "build:prr:k1", "pass"]
    assert abbreviated([":"], ["pass"]) == []
    assert abbreviated(["3006", "3007"], ["build:3006-3007", "build:3006-3107"]) == ["build:3006-3007"]


def test_a_move_is_told_with_what_it_brought_about():
    table = table_after("bid:9 pass")
    assert told(table, 1) == ["player 1 bids $9 for a share of PRR"]
    assert told(table, 2)[1:] == ["player 1 buys the share of PRR for $9, which goes into its treasury"]


def test_nonsense_is_always_told_in_one_line():
    """Whatever is typed, at every kind of decision: a move, or a ValueError of one line."""
    rng = random.Random(7)
    table, letters = table_after(OPENING), "abdil:pqrsx 0179?&,.-+\té'\"[]{}"
    for _ in range(150):
        menu = Menu.of(table)
        for _ in range(20):
            line = list(rng.choice([*menu.tokens, "undo", "hint", ""]))
            for _ in range(rng.randrange(4)):
                line.insert(rng.randrange(len(line) + 1), rng.choice(letters))
            if not "".join(line).strip():
                continue
            try:
                assert menu.meaning("".join(line), ["undo", "hint"]) in [*menu.tokens, "undo", "hint"]
            except ValueError as fault:
                assert "\n" not in str(fault)
        table.push(rng.choice(table.position.legal()))
        if table.is_over:
            break
