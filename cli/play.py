"""`railwright play`: the options; the game itself is in session.py."""
from pathlib import Path
from typing import Annotated

import typer
from railwright.cli import completion


def play(
    game: Annotated[str | None, typer.Argument(help="Which game; asked for when left out.", autocompletion=completion.games)] = None,
    players: Annotated[int | None, typer.Option(help="How many play.", show_default=False)] = None,
    seat: Annotated[str | None, typer.Option(help="Your seat, from 1, several as 1,3; or watch.", show_default=False)] = None,
    agent: Annotated[str | None, typer.Option(help="Who plays the other seats: the strongest there is.", show_default=False,
                                              autocompletion=completion.agents)] = None,
    level: Annotated[int | None, typer.Option(help="How well they play, 1 to 10.", show_default=False)] = None,
    time: Annotated[float | None, typer.Option(help="Seconds they think about a move: 1.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(help="For what chance decides: any.", show_default=False)] = None,
    rules: Annotated[str | None, typer.Option(help="Options of the rules: k=v,k=v.", show_default=False)] = None,
    board: Annotated[str | None, typer.Option(help="A board by its name, or a board file of your own.", show_default=False)] = None,
    save: Annotated[Path | None, typer.Option(help="The file the game is saved to: GAME-DATE-TIME.rwr.", show_default=False)] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a saved game.", show_default=False)] = None,
) -> None:
    """Plays a game in the terminal, saved after every move. Without a terminal on stdin the computer plays all seats."""
    from railwright.cli.terminal.seating import Wishes, begin, resumed
    if resume is not None:
        given = [name for name, value in (("GAME", game), ("--players", players), ("--seed", seed), ("--rules", rules), ("--board", board))
                 if value is not None]
        if given:
            raise typer.BadParameter(f"{given[0]} does not go with --resume, the record says it")
    wishes = Wishes(game, players, seat, agent, level, time, seed, rules, board, save)
    session = begin(wishes) if resume is None else resumed(resume, wishes)
    if session is not None:
        session.run()
