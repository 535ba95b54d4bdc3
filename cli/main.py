"""The command `railwright`: its subcommands, and how their errors are told."""
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer


def make_app() -> "Typer":
    """All subcommands, each from a module of its own. Loaded only when needed: `railwright engine` has to start at once."""
    from railwright.cli import arena, hint, map, play, show, tools
    from typer import Typer
    app = Typer(help="Plays train board games.", rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(tools.about)
    app.command()(play.play)
    app.command()(show.replay)
    app.command()(show.show)
    app.command()(hint.hint)
    app.command()(tools.engine)
    app.command()(tools.games)
    app.command()(tools.perft)
    app.command()(tools.bench)
    app.command()(arena.arena)
    app.add_typer(map.make_app(), name="map")
    return app


def run() -> None:
    """Exit code 0: done; 1: could not be done; 2: wrong usage. One line on stderr says why."""
    if sys.argv[1:] == ["engine"]:
        from railwright.cli.protocol.engine import main
        main()
    try:
        sys.exit(make_app()(sys.argv[1:] or ["--help"], standalone_mode=False) or 0)
    except (KeyboardInterrupt, EOFError):
        sys.exit(130)
    except Exception as fault:
        sys.exit(tell(fault))


def tell(fault: Exception) -> int:
    """Says on stderr what went wrong; the exit code."""
    if hasattr(fault, "format_message"):            # wrong usage, as typer tells it
        text, code = f"{fault.format_message().rstrip('.')}; expected what `railwright --help` lists", 2
    elif type(fault).__name__ == "Abort":           # typer's word for Ctrl-C
        return 130
    elif isinstance(fault, ValueError):
        text, code = str(fault), 1
    elif isinstance(fault, OSError):
        text, code = f"file {fault.filename}: {fault.strerror}; expected one that can be used", 1
    else:
        text, code = f"internal fault {type(fault).__name__}: {fault}; expected none, please report it", 1
    print("error", " ".join(text.split()), file=sys.stderr)
    return code
