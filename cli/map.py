"""`railwright map`: a board file of one's own checked, and drawn."""
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from railwright.engine.game import Game

FILE = Annotated[str, typer.Argument(help="A board file, or the name of a board that comes with a game.")]
GAME = Annotated[str | None, typer.Option(help="The game; by default the one whose format the file names.", show_default=False)]


def make_app() -> typer.Typer:
    app = typer.Typer(help="Checks and draws boards of one's own.")
    app.command()(check)
    app.command()(show)
    return app


def check(file: FILE, game: GAME = None) -> None:
    """Names every fault of a board file with its place; exit code 1 when there is one."""
    from railwright.engine.words import plural
    found, name, data = read_board(file, game)
    faults = found.board_faults(name, data)
    for fault in faults:
        print(fault)
    if faults:
        raise ValueError(f"board {name}: {plural(len(faults), 'fault')}; expected none")
    print(f"board {name} can be used for {found.name}")


def show(
    file: FILE,
    svg: Annotated[Path | None, typer.Option(help="Draws to this SVG file.", show_default=False)] = None,
    png: Annotated[Path | None, typer.Option(help="Draws to this PNG file.", show_default=False)] = None,
    game: GAME = None,
) -> None:
    """Draws a board before the first move: as text, or to an SVG or PNG file."""
    from railwright.cli.show import PNG_SCALE, write_bytes
    found, name, data = read_board(file, game)
    chart = found.chart(name, data)
    position = found.start(chart, found.players[0], {})
    if svg is None and png is None:
        print(found.text(chart, position), end="")
        return
    from railwright.engine.drawing.scene import to_png, to_svg
    scene = found.scene(chart, position)
    if svg is not None:
        write_bytes(svg, to_svg(scene).encode())
    if png is not None:
        write_bytes(png, to_png(scene, PNG_SCALE))


def read_board(file: str, name: str | None) -> tuple["Game", str, dict[str, Any]]:
    """The game that the file is for, the file's name and its content; ValueError says what does not fit."""
    from railwright.engine.boards import find, read
    from railwright.engine.games import GAMES, game_called
    if name is None and not Path(file).is_file():
        name = next((game.name for game in GAMES.values() if file in game.boards), None)
    if name is not None:
        game = game_called(name)
        folder = game.name if len(game.boards) > 1 and file in game.boards else ""
        path = find(folder, game.boards, file)
        return game, path.name, read(path)
    path = find("", tuple(board for game in GAMES.values() for board in game.boards), file)
    data = read(path)
    formats = {game.board_format: game for game in GAMES.values() if game.board_format}
    if data.get("format") not in formats:
        raise ValueError(f"board {path.name}: the format is {data.get('format')!r}; expected {' '.join(formats)}, or --game")
    return formats[data["format"]], path.name, data
