"""The list of games."""
from functools import cache

from railwright.engine.boards import find, read
from railwright.engine.game import Chart, Game, nearest
from railwright.engine.games.american_rails import AmericanRails
from railwright.engine.games.chicago_express import ChicagoExpress
from railwright.engine.games.great_lakes import GreatLakes
from railwright.engine.games.rail import Rail

GAMES: dict[str, Game] = {game.name: game for game in (ChicagoExpress(), AmericanRails(), Rail(), GreatLakes())}


def game_called(name: str) -> Game:
    if name not in GAMES:
        raise ValueError(f"game {name!r}; expected one of {' '.join(GAMES)}{nearest(name, list(GAMES))}")
    return GAMES[name]


def load_chart(game: Game, name: str | None = None) -> Chart:
    """A board that comes with the game, by its name, or one of the user's own, by its file."""
    name = name or game.boards[0]
    if name in game.boards:
        return own_chart(game.name, name)
    return game.chart(name, read(find("", game.boards, name)))


@cache
def own_chart(game_name: str, name: str) -> Chart:
    """Boards that come with the program are read once: tables on the same board share it."""
    game = GAMES[game_name]
    folder = game.name if len(game.boards) > 1 else ""
    return game.chart(name, read(find(folder, game.boards, name)))
