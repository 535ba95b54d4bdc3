"""The core as a subject: what a conformance case or a slow model is compared with. A game's module adds its own words."""
from typing import Any

from railwright.cext.game import CHANCE, OVER
from railwright.engine.table import Table


class CoreSubject:
    """A table in the words of the slow models: seats from 0, tokens for moves."""

    def __init__(self, table: Table):
        self.table = table

    def to_move(self) -> int | str:
        seat = self.table.to_move
        return {CHANCE: "chance", OVER: "over"}.get(seat, seat)

    def legal(self) -> list[str]:
        """The tokens of all legal moves; at a chance node those of the outcomes."""
        return list(self.table.tokens())

    def chance(self) -> dict[str, int]:
        """The outcomes of a chance node with their weights; nothing elsewhere."""
        table = self.table
        return {table.game.token(table.chart, table.position, move): weight for move, weight in table.position.chance()}

    def play(self, token: str) -> None:
        """IllegalMove, a ValueError, says why not; the position then stays."""
        self.table.play(token)

    def scores(self) -> list[int]:
        return self.table.position.scores()

    def winners(self) -> list[int]:
        """Nobody before the end."""
        return self.table.position.winners() if self.table.is_over else []

    def facts(self) -> dict[str, Any]:
        """The position in the words of the game's examples."""
        return {}
