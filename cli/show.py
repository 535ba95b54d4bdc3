"""`railwright show` and `railwright replay`: a recorded game as a picture, and move by move."""
import json
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:               # a command that does not draw should not wait for what draws
    from railwright.cli.terminal.screen import Screen
    from railwright.engine.record import Record
    from railwright.engine.table import Table

PNG_SCALE = 1.5                 # pixels to a unit of the scene
STEPS = "Enter next, b back, a number jumps there, q quits"


def show(
    file: Annotated[str, typer.Argument(help="A record, a file with a state token, the token itself, or - for stdin.")],
    ply: Annotated[int | None, typer.Option(help="After this many moves: the last.", show_default=False)] = None,
    svg: Annotated[Path | None, typer.Option(help="Draws to this SVG file.", show_default=False)] = None,
    png: Annotated[Path | None, typer.Option(help="Draws to this PNG file.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Plain names and numbers for a program.")] = False,
) -> None:
    """Draws the position of a game: as text, or to an SVG or PNG file, or as JSON."""
    from railwright.cli.terminal.screen import Screen
    from railwright.cli.terminal.sources import read_game
    record = read_game(file)
    table = at_ply(record, ply)
    if svg is not None or png is not None:
        from railwright.engine.drawing.scene import to_png, to_svg
        scene = table.game.scene(table.chart, table.position)
        if svg is not None:
            write_bytes(svg, to_svg(scene).encode())
        if png is not None:
            write_bytes(png, to_png(scene, PNG_SCALE))
    if as_json:
        print(json.dumps(facts_of(record, len(table.moves)), ensure_ascii=False))
    elif svg is None and png is None:
        screen = Screen()
        if table.moves:
            from railwright.cli.terminal.telling import lines
            screen.say_move(lines(table, len(table.moves)))
            screen.say()
        screen.picture(table.game.text(table.chart, table.position), whole=True)


def at_ply(record: "Record", ply: int | None) -> "Table":
    """The table after `ply` moves of the whole game."""
    first, last = record.table.first_ply, record.table.ply
    if ply is not None and not first <= ply <= last:
        raise ValueError(f"ply {ply}; expected {first} to {last}, the moves of the record")
    return record.at((last if ply is None else ply) - first)


def write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as fault:
        raise ValueError(f"file {path}: cannot be written ({fault.strerror}); expected a file in a folder one may write to") from None


def facts_of(record: "Record", moves: int) -> dict[str, object]:
    """What the text picture tells, in plain names and numbers."""
    from railwright.cext.game import CHANCE, OVER
    table = record.at(moves)
    turn = {CHANCE: "chance", OVER: "over"}.get(table.to_move, table.to_move + 1)
    position = table.position
    return {
        "game": table.game.name, "players": table.players, "agents": record.agents, "map": table.chart.name, "rules": table.rules,
        "seed": table.seed, "ply": table.ply, "move": table.moves[-1] if table.moves else None, "turn": turn, "scores": position.scores(),
        "winners": [player + 1 for player in position.winners()] if table.is_over else None, "state": table.state(),
        "facts": table.game.facts(table.chart, position),
    }


# --- replay ----------------------------------------------------------------------
def replay(
    file: Annotated[str, typer.Argument(help="A record, or - for stdin.")],
    delay: Annotated[float | None, typer.Option(help="Goes on by itself, after so many seconds a move.", show_default=False)] = None,
) -> None:
    """Steps through a recorded game; without a terminal on stdin it prints all the moves in words."""
    from railwright.cli.terminal.screen import Screen, is_interactive
    from railwright.cli.terminal.sources import read_game
    if delay is not None and not 0 <= delay <= 3600:
        raise ValueError(f"delay {delay:g}; expected seconds from 0 to 3600")
    record, screen = read_game(file), Screen()
    introduce(record, screen)
    try:
        if is_interactive() and delay is None:
            step_through(record, screen)
        else:
            run_through(record, screen, delay or 0)
    except KeyboardInterrupt:
        screen.say()


def introduce(record: "Record", screen: "Screen") -> None:
    from railwright.engine.words import plural, seat
    table = record.table
    screen.say(f"{table.game.title}, {plural(table.players, 'player')}, seed {table.seed}, {plural(len(table.moves), 'move')}", "bold")
    for player, name in enumerate(record.agents):
        screen.say(f"  {seat(player)}  {name}")
    screen.say()


def run_through(record: "Record", screen: "Screen", delay: float) -> None:
    """All the moves in words; with a delay on a terminal, with the board."""
    from railwright.cli.terminal.telling import lines
    table = record.table
    for number in range(1, len(table.moves) + 1):
        screen.say_move(lines(table, number))
        if delay and screen.is_terminal:
            screen.say()
            screen.picture(table.game.text(table.chart, table.positions[number]))
        sleep(delay)
    end(record, screen)


def end(record: "Record", screen: "Screen") -> None:
    from railwright.cli.terminal.telling import outcome
    screen.say()
    for line in outcome(record.table) if record.table.is_over else ["The record ends here; the game goes on."]:
        screen.say(line, "bold")


def step_through(record: "Record", screen: "Screen") -> None:
    from railwright.cli.terminal.asking import Leave, ask
    at = 0
    show_step(record, screen, at, whole=True)
    screen.say(STEPS, "dim")
    last = len(record.table.moves)
    while True:
        try:
            wanted = step_to(ask(f"{at}/{last}> ").strip().lower(), at, last)
        except ValueError as fault:
            screen.complain(fault)
            continue
        except Leave:
            screen.say()
            return
        if wanted is None:
            return
        if wanted == at:
            screen.say("This is the beginning." if at == 0 else "This is the end.", "dim")
            continue
        at = wanted
        show_step(record, screen, at)


def step_to(answer: str, at: int, last: int) -> int | None:
    """Where a line leads: a move's number; None: out."""
    if answer in ("q", "quit"):
        return None
    if answer in ("", "n", "next"):
        return min(at + 1, last)
    if answer in ("b", "back"):
        return max(at - 1, 0)
    if answer.isascii() and answer.isdigit() and len(answer) < 10 and int(answer) <= last:
        return int(answer)
    raise ValueError(f"{answer!r}; expected {STEPS}: 0 to {last}")


def show_step(record: "Record", screen: "Screen", at: int, whole: bool = False) -> None:
    from railwright.cli.terminal.telling import lines
    table = record.table
    if not whole:
        screen.say()
    screen.picture(table.game.text(table.chart, table.positions[at]), whole)
    if at:
        screen.say_move(lines(table, at))
        if note := record.notes.get(at):
            screen.say(f"      {note}", "dim", hanging=6)
    if at == len(table.moves):
        end(record, screen)
