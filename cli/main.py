"""The command `railwright`: its subcommands, and how their errors are told."""
import sys

import click
import typer
from railwright.cli.hint import hint
from railwright.cli.play import play
from railwright.cli.show import replay, show

app = typer.Typer(help="Plays train board games.", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(play)
app.command()(replay)
app.command()(show)
app.command()(hint)


def run() -> None:
    """Exit code 0: done; 1: could not be done; 2: wrong usage. One line on stderr says why."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as fault:
        print(f"error {fault.format_message()}", file=sys.stderr)
        sys.exit(fault.exit_code)
    except ValueError as fault:
        print(f"error {fault}", file=sys.stderr)
        sys.exit(1)
