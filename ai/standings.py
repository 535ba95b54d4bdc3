"""What the games of a match say: win shares with intervals, ranks, ratings, and when a test may stop."""
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

Z95 = 1.959964                  # 95 % of a normal distribution lie within so many deviations
ALPHA = BETA = 0.05             # the chances that a test accepts what is no better, or rejects what is
LEAST_SETS = 8                  # a test sees before it decides: with fewer the spread is not known


@dataclass(frozen=True)
class Played:
    """One game of a match, as its record keeps it. Lists are by seat."""
    game: int                   # its number in the match
    seats: list[int]            # which agent of the match sat there
    scores: list[int]
    wins: list[float]           # 1 shared by the winners
    asked: list[int]            # decisions that were no forced moves
    seconds: list[float]        # of thought
    illegal: list[int]
    late: list[int]
    moves: str

    def ranks(self) -> list[float]:
        """1 for the best; equals share the mean of their ranks, winners stand above equal scores."""
        keys = [(win > 0, score) for win, score in zip(self.wins, self.scores, strict=True)]
        return [1 + sum(other > key for other in keys) + (keys.count(key) - 1) / 2 for key in keys]


@dataclass(frozen=True)
class Standing:
    """How one agent of a match did; all but the totals are per seat and game."""
    agent: str
    games: int
    seats: int                  # it has in every game
    share: float                # of the wins, ties shared
    low: float                  # the 95 % interval of the share (Wilson, a game is a trial)
    high: float
    par: float
    score: float
    rank: float
    mu: float                   # rating (Plackett-Luce)
    sigma: float
    moves: float
    seconds: float
    illegal: int                # in all
    late: int

    @property
    def is_above_par(self) -> bool:
        return self.low > self.par


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of `wins` in `games`; ties may make `wins` a fraction."""
    if games == 0:
        return 0.0, 1.0
    share, z2 = wins / games, Z95 * Z95
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 * sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def standings(agents: Sequence[str], games: Sequence[Played]) -> list[Standing]:
    """One line for each agent of a match, in their order."""
    ratings = rate(len(agents), games)
    return [standing(i, name, games, ratings[i]) for i, name in enumerate(agents)]


def standing(agent: int, name: str, games: Sequence[Played], rating: tuple[float, float]) -> Standing:
    rows = [(played, seat) for played in games for seat, other in enumerate(played.seats) if other == agent]
    n, seats = len(rows), max(1, len(rows) // max(1, len(games)))
    won = sum(played.wins[seat] for played, seat in rows)
    low, high = wilson(won, len(games))         # only one of its seats can win a game: the game is the trial
    mean = 1 / n if n else 0.0
    return Standing(
        name, len(games), seats, won * mean, low / seats, high / seats, 1 / len(games[0].seats) if games else 0.0,
        score=sum(played.scores[seat] for played, seat in rows) * mean, rank=sum(played.ranks()[seat] for played, seat in rows) * mean,
        mu=rating[0], sigma=rating[1],
        moves=sum(played.asked[seat] for played, seat in rows) * mean, seconds=sum(played.seconds[seat] for played, seat in rows) * mean,
        illegal=sum(played.illegal[seat] for played, seat in rows), late=sum(played.late[seat] for played, seat in rows))


def rate(n_agents: int, games: Sequence[Played]) -> list[tuple[float, float]]:
    """Plackett-Luce ratings (mu, sigma), game after game; seats of one agent count with the mean of their updates."""
    from openskill.models import PlackettLuce
    model = PlackettLuce()
    ratings = [(model.mu, model.sigma)] * n_agents
    for played in games:
        teams = [[model.rating(mu=ratings[agent][0], sigma=ratings[agent][1])] for agent in played.seats]
        after = model.rate(teams, ranks=played.ranks())
        for agent in set(played.seats):
            mine = [team[0] for team, other in zip(after, played.seats, strict=True) if other == agent]
            ratings[agent] = sum(r.mu for r in mine) / len(mine), sum(r.sigma for r in mine) / len(mine)
    return ratings


# --- the sequential test -----------------------------------------------------------
@dataclass(frozen=True)
class Verdict:
    """Where a test of par against par + delta stands."""
    word: str                   # accepted (better by delta), rejected (no better), undecided
    sets: int                   # it looked at
    llr: float                  # log-likelihood ratio
    bound: float                # at which it is decided, on either side
    delta: float


def sprt(sets: Sequence[float], players: int, delta: float) -> Verdict:
    """H0: the hero's win share is par; H1: par + delta. Looks at the sets in their order and stops at the first that decides.

    A set is the hero's mean win share in its rotated games: their likeness is in the spread between sets, as with
    matched pairs. The likelihood is normal with the spread seen so far; one set more at par's spread keeps it from zero.
    """
    bound = log((1 - BETA) / ALPHA)
    par = 1 / players
    total = squares = llr = 0.0
    for n, value in enumerate(sets, 1):
        total, squares = total + value, squares + value * value
        mean = total / n
        variance = (squares - n * mean * mean + par * (1 - par) / players) / n
        llr = n * delta * (mean - par - delta / 2) / variance
        if abs(llr) >= bound and n >= LEAST_SETS:
            return Verdict("accepted" if llr > 0 else "rejected", n, llr, bound, delta)
    return Verdict("undecided", len(sets), llr, bound, delta)


def set_shares(games: Sequence[Played], players: int) -> list[float]:
    """The hero's mean win share in each set of rotated games, up to the first set that is not complete."""
    won = {played.game: sum(win for win, agent in zip(played.wins, played.seats, strict=True) if agent == 0) for played in games}
    complete = 0
    while all(game in won for game in set_games(complete, players)):
        complete += 1
    return [sum(won[game] for game in set_games(number, players)) / players for number in range(complete)]


def set_games(number: int, players: int) -> range:
    """The numbers of a set's games."""
    return range(number * players, (number + 1) * players)
