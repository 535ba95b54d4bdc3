"""The small commands: engine, games, perft, bench."""
import json
from dataclasses import asdict
from threading import Event
from typing import Annotated

import typer
from railwright.engine.games import GAMES
from railwright.engine.table import Table, parse_rules


def show_version(value: bool) -> None:
    if value:
        from railwright.cli.protocol.engine import version
        print(f"railwright {version()}")
        raise typer.Exit


def about(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """Plays train board games: exact rules, fast search, a UCI-like protocol."""


def engine() -> None:
    """Speaks the protocol on stdin and stdout; `help` lists its commands."""
    from railwright.cli.protocol.engine import main
    main()


def games(as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """Lists the games with their players, boards and options of the rules."""
    if as_json:
        print(json.dumps([{"name": game.name, "title": game.title, "players": list(game.players), "boards": list(game.boards),
                           "rules": [asdict(option) for option in game.options]} for game in GAMES.values()], ensure_ascii=False))
        return
    width = max(map(len, GAMES))
    for game in GAMES.values():
        low, high = game.players
        print(f"{game.name:{width}}  {low}-{high} players  {game.title}; boards {', '.join(game.boards)}")
        for option in game.options:
            print(f"{'':{width}}  rules {option.name}={'|'.join(option.values)} (default {option.default}): {option.text}")


def perft(
    game: Annotated[str, typer.Argument(help="The game, such as chicago-express.")],
    depth: Annotated[int, typer.Argument(min=0, max=64, help="How many moves deep.")],
    players: Annotated[int | None, typer.Option(help="Players at the table; the fewest when left out.")] = None,
    board: Annotated[str | None, typer.Option(help="A board of the game, or a file.")] = None,
    rules: Annotated[str, typer.Option(help="Options of the rules: k=v,k=v.")] = "-",
    is_divided: Annotated[bool, typer.Option("--divide", help="The count below each first move.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Counts the sequences of moves from the start of a game."""
    from railwright.cli.protocol.counting import divide
    table = Table.new(game, players, board, parse_rules(rules))
    found = dict(divide(table, depth, Event()))
    total = sum(found.values()) if found else 1
    if as_json:
        moves = {"moves": found} if is_divided else {}
        print(json.dumps({"game": game, "players": table.players, "depth": depth, **moves, "total": total}))
        return
    for token, leaves in found.items() if is_divided else ():
        print(f"perft {token} {leaves}")
    print(f"perft total {total}")


def bench(as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """Plays the fixed benchmark set; the signature changes only when play changes."""
    from railwright.ai import bench as fixed
    results = list(fixed.bench(Event()))
    nodes, seconds = sum(result.nodes for result in results), sum(result.seconds for result in results)
    nps, signature = round(nodes / max(seconds, 1e-6)), fixed.signature(results)
    if as_json:
        print(json.dumps({"positions": [asdict(result) for result in results], "nodes": nodes, "nps": nps, "signature": signature}))
        return
    for result in results:
        print(f"bench game {result.game} players {result.players} ply {result.ply} nodes {result.nodes} bestmove {result.move}")
    print(f"bench nodes {nodes} nps {nps} signature {signature}")
