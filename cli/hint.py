"""`railwright hint`: what the computer would do in a position."""
import json
from typing import TYPE_CHECKING, Annotated

import typer
from railwright.cli import completion

if TYPE_CHECKING:
    from railwright.ai.agent import Choice
    from railwright.engine.table import Table

MOST_SECONDS = 86_400.0
LINE = 6                        # moves shown of what it expects


def hint(
    file: Annotated[str, typer.Argument(help="A record, a file with a state token, the token itself, or - for stdin.")],
    time: Annotated[float, typer.Option(help="Seconds to think.")] = 2.0,
    agent: Annotated[str | None, typer.Option(help="Who is asked: the strongest there is.", show_default=False,
                                              autocompletion=completion.agents)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same for a program.")] = False,
) -> None:
    """Suggests a move for the player to move, with its reasons and everybody's chances to win."""
    from railwright.ai.agent import Limits
    from railwright.cext.game import CHANCE
    from railwright.cli.terminal.screen import Screen
    from railwright.cli.terminal.sources import read_game
    from railwright.cli.terminal.thinking import known_to, seat_agent, strongest, think
    if not 0 < time <= MOST_SECONDS:
        raise ValueError(f"time {time:g}; expected seconds, more than 0, at most {MOST_SECONDS:.0f}")
    table = read_game(file).table
    if table.is_over or table.to_move == CHANCE:
        state = "the game is over" if table.is_over else "chance decides here"
        raise ValueError(f"hint: {state}; expected a position where a player decides")
    table.tokens()              # refuses when the one who decides is not the one whose view this is
    name = agent or strongest(table.game)
    adviser = seat_agent(name, table.game, table.seed, table.to_move, 10)
    screen = Screen()
    choice = think(adviser, table, Limits(movetime=time), screen, f"{name} thinks ...", is_patient=True)
    answer = answer_of(known_to(table, table.to_move), choice, name)
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        for key, text in in_words(answer, table):
            screen.say(f"{key:<10}{text}", hanging=10)


def answer_of(table: "Table", choice: "Choice", agent: str) -> dict[str, object]:
    """The fields of the answer; `table` as the player to move sees it."""
    from railwright.ai.weights import weights_of
    game, chart, position = table.game, table.chart, table.position
    best = choice.lines[0] if choice.lines else None
    return {
        "player": table.to_move + 1, "move": game.token(chart, position, choice.move),
        "explain": game.explain(chart, position, choice.move),
        "advice": game.advice(chart, position, choice.move, weights_of(game)),
        "win": [round(1000 * share) for share in best.win] if best else [],
        "margin": [round(score, 1) for score in best.margin] if best else [],
        "pv": line_of(table, best.pv[:LINE]) if best else [],
        "agent": agent, "nodes": best.nodes if best else 0, "seconds": round(best.seconds, 2) if best else 0.0,
    }


def line_of(table: "Table", moves: list[int]) -> list[str]:
    """The words of moves that follow one another."""
    position, words = table.position.copy(), []
    for move in moves:
        if not position.accepts(move):          # beyond what the player can know
            break
        words.append(table.game.token(table.chart, position, move))
        position.apply(move)
    return words


def in_words(answer: dict, table: "Table") -> list[tuple[str, str]]:
    from railwright.cli.terminal.telling import amount
    from railwright.engine.words import plural, seat
    lines = [("move", answer["move"]), ("means", answer["explain"])]
    if answer["advice"]:
        lines.append(("advice", answer["advice"]))
    if answer["win"]:
        lines += [
            ("win", ", ".join(f"{seat(player)} {share / 10:.1f} %" for player, share in enumerate(answer["win"]))),
            ("expected", ", ".join(f"{seat(player)} {amount(table.game, score, 1)}" for player, score in enumerate(answer["margin"]))),
            ("line", " ".join(answer["pv"])),
        ]
    return [*lines, ("agent", f"{answer['agent']}, {plural(answer['nodes'], 'node')}, {answer['seconds']} s")]
