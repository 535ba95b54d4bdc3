"""What happened, in words, as a seat at the table may know it."""
from railwright.cext.game import CHANCE, Position
from railwright.engine.game import Game
from railwright.engine.table import Table
from railwright.engine.words import listing, seat


def told(table: Table, number: int, observer: int | None = None) -> list[str]:
    """Move `number` of the table, from 1, and what it brought about. `observer`: what this seat can tell of it, perhaps nothing."""
    before, after = table.positions[number - 1], table.positions[number]
    move = table.numbers[number - 1]
    if observer is not None and before.has_secrets and before.to_move() != observer:
        hidden = hidden_token(table, before, move, after, observer)
        if hidden:
            return [] if before.to_move() == CHANCE else [f"{mover(before)}: {hidden}"]
    words = table.game.explain(table.chart, before, move)
    who = mover(before)
    return [words if words.startswith(who) else f"{who}: {words}", *table.game.events(table.chart, before, move, after)]


def mover(position: Position) -> str:
    return "chance" if position.to_move() == CHANCE else seat(position.to_move())


def hidden_token(table: Table, before: Position, move: int, after: Position, observer: int) -> str:
    """`draw:?` when the observer sees the same after other moves too; the empty string when the move is plain to see."""
    seen = after.view(observer)
    alike = [table.game.token(table.chart, before, other) for other in before.legal()
             if other != move and looks_like(before, other, observer, seen)]
    if not alike:
        return ""
    parts = table.game.token(table.chart, before, move).split(":")
    same = [part for part, *others in zip(parts, *(token.split(":") for token in alike), strict=False) if set(others) == {part}]
    return ":".join([*same, "?"])


def looks_like(before: Position, move: int, observer: int, seen: Position) -> bool:
    after = before.copy()
    after.apply(move)
    return after.view(observer) == seen


# --- scores ----------------------------------------------------------------------
def amount(game: Game, score: float, places: int = 0) -> str:
    """`$71`, `71 points`"""
    number = f"{score:.{places}f}"
    return f"${number}" if game.unit == "$" else f"{number} {game.unit}"


def outcome(table: Table) -> list[str]:
    """Who won, and the final scores, the best first."""
    scores, winners = table.position.scores(), table.position.winners()
    names = [seat(player) for player in winners]
    first = f"{listing(names)} {'wins' if len(names) == 1 else 'win together'}"
    order = sorted(range(table.players), key=lambda player: (player not in winners, -scores[player], player))
    return [f"Game over: {first}.", *(f"  {seat(player)}  {amount(table.game, scores[player])}" for player in order)]


def lines(table: Table, number: int, observer: int | None = None) -> list[str]:
    """Move `number` as lines for a list of moves: its ply, its words, and below what it brought about."""
    said = told(table, number, observer)
    return [f"{table.first_ply + number:>4}. {first}" for first in said[:1]] + [f"    → {event}" for event in said[1:]]
