"""The info lines of a search."""
from time import monotonic

from railwright.ai.agent import Info
from railwright.cli.protocol.answers import Answers, Fields, per_mille, tenth
from railwright.engine.table import Table

INFO_EVERY = 0.06               # seconds a line: with the last one never more than 20 a second


class Infos:
    """The info lines of one search: not too many of them, the last ones always.

    When lines in between come depends on the clock; a search that is limited by nodes alone shows only the last ones,
    so that it can be repeated to the letter.
    """

    def __init__(self, answers: Answers, table: Table, is_timed: bool):
        self.answers, self.table, self.is_timed = answers, table, is_timed
        self.shown: list[Info] = []
        self.next_at = 0.0

    def report(self, lines: list[Info]) -> None:
        if self.is_timed and lines and monotonic() >= self.next_at:
            self.show(lines)

    def end(self, lines: list[Info]) -> None:
        if lines != self.shown:
            self.show(lines)

    def show(self, lines: list[Info]) -> None:
        self.shown = list(lines)
        self.next_at = monotonic() + INFO_EVERY * len(lines)
        for info in lines:
            self.answers.say("info", info_fields(info, self.tokens(info)))

    def tokens(self, info: Info) -> list[str]:
        return tokens_along(self.table, info.pv)


def tokens_along(table: Table, moves: list[int]) -> list[str]:
    """The words of a line of moves, as far as each is legal in its turn and known to be so to the player at the root."""
    position, seat, words = table.position.copy(), table.to_move, []
    for move in moves:
        if (position.has_secrets and position.to_move() != seat) or not position.accepts(move):
            break
        words.append(table.game.token(table.chart, position, move))
        position.apply(move)
    return words


def info_fields(info: Info, pv: list[str]) -> Fields:
    return {
        "depth": info.depth, "seldepth": info.seldepth, "nodes": info.nodes, "nps": info.nps, "time": round(1000 * info.seconds),
        "hashfull": info.hashfull, "multipv": info.multipv,
        "score": {"win": per_mille(info.win), "margin": [tenth(value) for value in info.margin]},
        "visits": info.visits, "pv": pv,
    }
