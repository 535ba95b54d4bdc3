"""Perft tables, counted by the slow models: the core against every row that it counts in a few seconds."""
import pytest
from models.perft import after, perft
from pairs import data_file, games_with_model, new_model
from railwright.engine.games import GAMES
from railwright.engine.table import Table, parse_rules

MOST_LEAVES = 20_000_000        # of a row that the core counts again
MOST_SLOW_LEAVES = 3_000        # of a row that the slow model counts again
MOST_SHOWN_LEAVES = 200_000     # of a row whose mismatch the slow model may explain


def named(row):
    return f"{row['players']} players {row.get('map', '')} {row.get('rules', '')} move {len(row['moves'])} depth {row['depth']}"


def rows(most):
    found = {}
    for game in GAMES:
        for number, row in enumerate(data_file("perft", game), 1):
            if row["total"] < most:
                found[f"{game} row {number}: {named(row)}"] = (game, row)
    return found


def table_of(game, row):
    table = Table.new(game, row["players"], row.get("map"), parse_rules(row.get("rules", "")))
    table.play_all(row["moves"])
    return table


def model_of(game, row):
    model = new_model(game, row["players"], parse_rules(row.get("rules", "")), row.get("map"))
    for token in row["moves"]:
        model.play(token)
    return model


def divide(game, row):
    """The count below each root move: of the core and, where that is quick, of the slow model."""
    table, lines = table_of(game, row), []
    slow = model_of(game, row) if row["total"] < MOST_SHOWN_LEAVES and game in games_with_model() else None
    tokens = table.tokens()
    for token in sorted({*tokens, *(slow.legal() if slow else [])}):
        core_count = "illegal"
        if token in tokens:
            position = table.position.copy()
            position.apply(tokens[token])
            core_count = position.perft(row["depth"] - 1)
        slow_count = "" if slow is None else perft(after(slow, token), row["depth"] - 1) if token in slow.legal() else "illegal"
        lines.append(f"perft {token} core {core_count}" + (f" model {slow_count}" if slow else ""))
    return "\n".join(lines)


@pytest.mark.parametrize("game, row", rows(MOST_LEAVES).values(), ids=rows(MOST_LEAVES))
def test_core_counts_as_the_table_says(game, row):
    counted = table_of(game, row).position.perft(row["depth"])
    assert counted == row["total"], f"{counted} lines, the table has {row['total']}\n{divide(game, row)}"


@pytest.mark.parametrize("game, row", rows(MOST_SLOW_LEAVES).values(), ids=rows(MOST_SLOW_LEAVES))
def test_slow_model_counts_as_the_table_says(game, row):
    if game not in games_with_model():
        pytest.fail(f"{game} has a perft table and no slow model; expected tests/models/")
    assert perft(model_of(game, row), row["depth"]) == row["total"]
