"""The command `railwright`: its subcommands, and how their errors are told."""
import sys
from typing import Any

import typer
from railwright.cli.hint import hint
from railwright.cli.play import play
from railwright.cli.show import replay, show

app = typer.Typer(help="Plays train board games.", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(play)
app.command()(replay)
app.command()(show)
app.command()(hint)

WrongUsage: Any = typer.BadParameter.__mro__[2]      # ClickException: typer has it from click, or from a copy of its own


def run() -> None:
    """Exit code 0: done; 1: could not be done; 2: wrong usage. One line on stderr says why."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(130)
    except WrongUsage as fault:
        print(f"error {fault.format_message()}", file=sys.stderr)
        sys.exit(fault.exit_code)
    except ValueError as fault:
        print(f"error {fault}", file=sys.stderr)
        sys.exit(1)
