"""The search: it repeats itself exactly, stays within its memory, keeps what it knows, and answers what can be played."""
import re
from itertools import pairwise, product
from math import tanh
from pathlib import Path
from random import Random
from threading import Event, Timer
from time import monotonic

import pytest
from protocol.transcripts import Driven
from railwright.ai.agent import Choice, Clock, Limits
from railwright.ai.ismcts import Ismcts
from railwright.ai.solver import solve
from railwright.ai.weights import weights_of
from railwright.cext.game import CHANCE, OVER, Position
from railwright.cext.search import SWITCHES, W_SCALE, Opponents, Search
from railwright.engine.games import GAMES
from railwright.engine.table import Table

MIB = 1 << 20
GENEROUS = 10.0                 # seconds for what should take milliseconds
JUDGED = [game for game in GAMES if Table.new(game).position.can_evaluate]
OPEN = [game for game in JUDGED if not Table.new(game).position.has_secrets]
OTHER_WAY = {                   # each switch at a value that is not its default
    "exploration": 0.3, "urgency": 0.5, "widening": 0, "history": 0.7, "win": 0, "rank": 0, "margin": 0, "playout": -1, "random": 1,
    "priors": 0, "candidates": 0, "opponents": int(Opponents.SAMPLED), "proof": 0, "paired": 1, "abstraction": 20,
}


def random_table(game: str, seed: int, plies: int | None = None) -> Table:
    """A decision some random moves into a game, with any number of players."""
    rng = Random(f"{game} {seed}")
    low, high = GAMES[game].players
    table = Table.new(game, low + seed % (high - low + 1), seed=seed)
    left = rng.randrange(120) if plies is None else plies
    while not table.is_over and (left > 0 or table.to_move < 0):
        if table.to_move < 0:
            table.roll()
        else:
            table.push(rng.choice(table.position.legal()))
        left -= 1
    return table


def decisions(game: str, n: int) -> list[Table]:
    """So many random tables where somebody has to decide."""
    found = []
    seed = 0
    while len(found) < n:
        table = random_table(game, seed)
        seed += 1
        if not table.is_over:
            found.append(table)
    return found


def new_search(table: Table, n_bytes: int = 16 * MIB, seed: int = 1, **switches: float) -> Search:
    return Search(table.position, weights_of(table.game), switches, n_bytes, seed)


def chosen(table: Table, limits: Limits, agent: Ismcts | None = None, stop: Event | None = None) -> Choice:
    return (agent or Ismcts(seed=1, hash_mib=16)).choose(table, limits, stop or Event(), lambda lines: None)


def subtree(search: Search, after: tuple[int, ...] = ()) -> list[tuple]:
    """Everything that the tree knows below a node, but for utilities, which depend on who asks."""
    return [(move, visits, win, score, subtree(search, (*after, move))) for move, visits, _, win, score in search.moves(after)]


def visits_of(search: Search) -> int:
    return sum(row[1] for row in search.moves())


# --- the same again --------------------------------------------------------------
def protocol_lines(game: str, threads: int) -> list[str]:
    """What `go nodes` says, but for the time; in a new engine."""
    driven = Driven()
    driven.send(f"setoption name Threads value {threads}".encode())
    driven.send(b"setoption name MultiPV value 3")
    driven.send(f"position state {random_table(game, 3, 20).state()}".encode())
    return re.sub(r" (nps|time) \d+", "", driven.send(b"go nodes 1500")).splitlines()


@pytest.mark.parametrize("game", JUDGED)
def test_one_thread_repeats_every_byte_but_the_time(game):
    first = protocol_lines(game, 1)
    assert first[-1].startswith("bestmove ") and len(first) > 1
    assert protocol_lines(game, 1) == first


@pytest.mark.parametrize("game", JUDGED)
def test_two_threads_repeat_their_bestmove(game):
    first = protocol_lines(game, 2)
    assert [protocol_lines(game, 2)[-1] for _ in range(3)] == [first[-1]] * 3


@pytest.mark.parametrize("game", JUDGED)
def test_the_seed_decides_the_whole_tree(game):
    table = random_table(game, 4, 12)
    trees = [new_search(table, seed=seed) for seed in (5, 5, 6)]
    for tree in trees:
        tree.run(800, GENEROUS)
    assert subtree(trees[0]) == subtree(trees[1]) != subtree(trees[2])


@pytest.mark.parametrize("game", JUDGED)
def test_a_search_in_slices_is_the_same_search(game):
    table = random_table(game, 4, 12)
    whole, sliced = new_search(table), new_search(table)
    whole.run(600, GENEROUS)
    for _ in range(6):
        sliced.run(100, GENEROUS)
    assert subtree(whole) == subtree(sliced)


# --- memory ----------------------------------------------------------------------
@pytest.mark.parametrize("game", JUDGED)
@pytest.mark.parametrize("playout", [0, 12])
def test_a_full_memory_is_never_outgrown_and_the_search_goes_on_in_it(game, playout):
    search = new_search(random_table(game, 2, 0), 64 << 10, playout=playout)
    search.run(3000, GENEROUS)
    full, before = search.counts(), visits_of(search)
    assert 900 <= search.hashfull <= 1000
    search.run(3000, GENEROUS)
    assert search.hashfull <= 1000 and search.counts()[0] <= full[0] + full[0] // 10
    assert visits_of(search) - before == 3000           # every iteration still learns about a move of the root
    assert search.counts() == search.recount()


@pytest.mark.parametrize("seed", range(6))
def test_iterations_in_a_full_memory_reach_the_moves_of_every_known_decision(seed):
    """Where some moves of a decision have a node and others never got one, the visits go on to those that have."""
    search = new_search(random_table("chicago-express", seed, 10), 32 << 10)
    search.run(20_000, GENEROUS)
    best = max(search.moves(), key=lambda row: row[1])
    below = sum(row[1] for row in search.moves((best[0],)))
    assert below > best[1] // 2


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of the process is read from /proc")
def test_the_process_grows_by_no_more_than_hash():
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    table = random_table("chicago-express", 2, 0)
    chosen(table, Limits(nodes=100))
    before = resident()
    agent = Ismcts(hash_mib=4)
    agent.choose(table, Limits(nodes=60_000), Event(), lambda lines: None)
    assert resident() - before < (4 + 50) * MIB
    assert agent.trees[0].hashfull > 900


def test_the_least_memory_has_room_for_the_widest_decision():
    """Every whole-dollar bid of a rich player, with nothing thinned out."""
    table = Table.new("chicago-express", 2)
    table.positions = [table.position.load({"cash": [2000, 2000, 0, 0, 0, 0]})]
    search = new_search(table, 1, candidates=0)
    search.run(100, GENEROUS)
    assert visits_of(search) == 100


# --- from move to move -----------------------------------------------------------
@pytest.mark.parametrize("game", OPEN)
@pytest.mark.parametrize("seed", range(4))
def test_follow_keeps_the_subtree_and_drops_the_rest(game, seed):
    table = random_table(game, seed, 10 * seed)
    search = new_search(table)
    search.run(2000, GENEROUS)
    position, played = table.position.copy(), []
    for _ in range(3):
        rows = search.moves(tuple(played))
        if not rows or max(row[1] for row in rows) < 20:
            break
        move = max(rows, key=lambda row: row[1])[0]
        position.apply(move)
        played.append(move)
    if position.to_move() < 0:
        pytest.skip("nobody decides there")
    known = subtree(search, tuple(played))
    assert search.follow(position, played)
    assert subtree(search) == known
    assert search.counts() == search.recount()
    assert search.iterations == 0
    search.run(500, GENEROUS)
    assert search.counts() == search.recount()
    assert visits_of(search) == sum(row[1] for row in known) + 500 or search.is_proven


def test_follow_many_times_over_a_whole_game():
    table = Table.new("chicago-express", 3)
    agent = Ismcts(seed=2, hash_mib=1)
    carried = 0
    while not table.is_over:
        known = visits_of(agent.trees[0]) if agent.trees else 0
        move = chosen(table, Limits(nodes=150), agent).move
        tree = agent.trees[0]
        assert tree.counts() == tree.recount() and tree.hashfull <= 1000
        carried += known > 0 and visits_of(tree) > 150
        table.push(move)
    assert carried > table.ply // 2


def test_follow_refuses_what_it_does_not_know():
    table = Table.new("chicago-express", 3)
    search = new_search(table)
    search.run(300, GENEROUS)
    known = subtree(search)
    tried = {row[0] for row in search.moves()}
    unknown = next(move for move in table.position.legal() if move not in tried)
    after = table.position.copy()
    after.apply(unknown)
    assert not search.follow(after, [unknown])
    assert not search.follow(Table.new("chicago-express", 4).position, [])
    assert subtree(search) == known


def test_another_table_starts_a_new_tree():
    agent = Ismcts(seed=1, hash_mib=1)
    first = Table.new("chicago-express", 3)
    chosen(first, Limits(nodes=200), agent)
    first.play("bid:9")
    chosen(first, Limits(nodes=200), agent)
    first.undo()
    for table in (first, Table.new("chicago-express", 4), Table.new("chicago-express", 4, rules={"opener": "2"})):
        chosen(table, Limits(nodes=200), agent)
        assert visits_of(agent.trees[0]) == 200


@pytest.mark.parametrize("games", [(one, other) for one in JUDGED for other in JUDGED if one != other])
def test_an_agent_goes_from_one_game_to_another(games):
    agent = Ismcts(seed=1, hash_mib=1)
    for game in games:
        table = random_table(game, 1, 5)
        fresh = chosen(table, Limits(nodes=200), Ismcts(seed=1, hash_mib=1))
        assert chosen(table, Limits(nodes=200), agent).lines[0].visits == fresh.lines[0].visits


def test_searching_on_at_the_same_position_adds_up():
    agent = Ismcts(seed=1, hash_mib=1)
    table = Table.new("chicago-express", 3)
    for round_ in range(1, 4):
        chosen(table, Limits(nodes=100), agent)
        assert visits_of(agent.trees[0]) == 100 * round_


# --- searchmoves and MultiPV -----------------------------------------------------
@pytest.mark.parametrize("game", JUDGED)
def test_only_searchmoves_are_searched(game):
    for table in decisions(game, 12):
        legal = table.position.legal()
        only = tuple(Random(table.ply).sample(legal, min(len(legal), 3)))
        search = new_search(table)
        search.begin(table.position, only)
        search.run(300, GENEROUS)
        assert {row[0] for row in search.moves()} <= set(only)
        assert chosen(table, Limits(nodes=50, searchmoves=only)).move in only


def test_after_searchmoves_all_moves_count_again():
    table = Table.new("chicago-express", 3)
    agent = Ismcts(seed=1, hash_mib=1)
    only = table.position.legal()[20]
    assert chosen(table, Limits(nodes=200, searchmoves=(only,)), agent).move == only
    chosen(table, Limits(nodes=200), agent)
    assert len(agent.trees[0].moves()) > 1


@pytest.mark.parametrize("game", JUDGED)
def test_lines_of_multipv_are_distinct_and_ordered(game):
    for table in decisions(game, 12):
        lines = chosen(table, Limits(nodes=400, multipv=4)).lines
        assert [line.multipv for line in lines] == list(range(1, len(lines) + 1)) and len(lines) <= 4
        assert len({line.pv[0] for line in lines}) == len(lines)
        if not is_soon_proved(table):
            assert all(one.visits >= other.visits for one, other in pairwise(lines))


def is_soon_proved(table: Table) -> bool:
    search = new_search(table)
    search.run(400, GENEROUS)
    return search.is_proven


# --- what it answers -------------------------------------------------------------
@pytest.mark.parametrize("game", JUDGED)
def test_every_move_of_a_line_is_legal_when_its_turn_comes(game):
    for table in decisions(game, 25):
        for line in chosen(table, Limits(nodes=500, multipv=3)).lines:
            position = table.position.copy()
            for move in line.pv:
                assert position.to_move() >= 0 and move in position.legal()
                position.apply(move)


@pytest.mark.parametrize("game", JUDGED)
@pytest.mark.parametrize("switch", OTHER_WAY)
def test_each_switch_works_on_its_own(game, switch):
    assert set(OTHER_WAY) == set(SWITCHES) and OTHER_WAY[switch] != SWITCHES[switch]
    for table in decisions(game, 8):
        search = new_search(table, **{switch: OTHER_WAY[switch]})
        search.run(200, GENEROUS)
        legal = table.position.legal()
        assert search.moves() and all(row[0] in legal for row in search.moves())
        assert search.counts() == search.recount()


@pytest.mark.parametrize("game", JUDGED)
def test_winning_chances_add_up(game):
    for table in decisions(game, 10):
        search = new_search(table)
        search.run(300, GENEROUS)
        for _, _, _, win, score in search.moves():
            assert len(win) == len(score) == table.players
            assert sum(win) == pytest.approx(1, abs=1e-3) and min(win) >= 0
        assert sum(chosen(table, Limits(nodes=100)).lines[0].win) == pytest.approx(1)


def test_an_unknown_switch_is_refused():
    with pytest.raises(ValueError, match="search switch 'speed'; expected one of exploration"):
        new_search(Table.new("chicago-express", 2), speed=1)


# --- in time ---------------------------------------------------------------------
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_sets_in(threads):
    stop = Event()
    timer = Timer(0.05, stop.set)
    timer.start()
    began = monotonic()
    choice = chosen(Table.new("chicago-express", 4), Limits(), Ismcts(threads=threads, hash_mib=16), stop)
    assert monotonic() - began < GENEROUS and choice.lines
    timer.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_movetime_sets_in(threads):
    began = monotonic()
    choice = chosen(Table.new("chicago-express", 4), Limits(movetime=0.05), Ismcts(threads=threads, hash_mib=16))
    assert 0.05 <= monotonic() - began < GENEROUS and choice.lines


class Ticking(Clock):
    """A clock on which two hundredths of a second pass from one look to the next."""
    looks = 0

    @property
    def seconds(self):
        self.looks += 1
        return 0.02 * self.looks


@pytest.mark.parametrize("is_brief", [False, True])
def test_a_brief_search_ends_when_the_choice_stands(is_brief):
    agent, table = Ismcts(hash_mib=16), Table.new("chicago-express", 4)
    limits = Limits(movetime=2.0, is_brief=is_brief)
    clock = Ticking(limits, Event())
    agent.stand(table, limits)
    agent.think(agent.trees[0], None, clock)
    best, second = agent.found(agent.trees)[:2]
    assert agent.trees[0].lead == best.visits - second.visits
    assert (clock.looks < 100) == is_brief


def test_reports_while_two_threads_are_at_work():
    reports = []
    stop = Event()

    def report(lines):
        reports.append(lines)
        if len(reports) == 3:
            stop.set()

    Ismcts(threads=2, hash_mib=16).choose(Table.new("chicago-express", 4), Limits(), stop, report)
    assert len(reports) >= 3 and all(lines and lines[0].visits > 0 for lines in reports)


# --- proofs ----------------------------------------------------------------------
def last_decisions(game: str, players: int, seed: int, back: int) -> Table:
    """A table some decisions before the end of a random game."""
    table = Table.new(game, players, seed=seed)
    rng = Random(seed)
    while not table.is_over:
        if table.to_move < 0:
            table.roll()
        else:
            table.push(rng.choice(table.position.legal()))
    table.undo(back)
    while table.to_move == CHANCE:
        table.roll()
    return table


def proved(table: Table) -> Search | None:
    """The tree that proved the outcome, with every legal move in it."""
    search = new_search(table, candidates=0)
    search.run(20_000, GENEROUS)
    return search if search.is_proven else None


def exact(position: Position, scale: float) -> tuple[list[float], list[int]]:
    """max^n over the utilities of the search, written out plainly: the utilities, and the scores."""
    player = position.to_move()
    if player == OVER:
        scores, winners = position.scores(), position.winners()
        return [utility(scores, winners, seat, scale) for seat in range(position.n_players)], scores
    best: tuple[list[float], list[int]] | None = None
    for move in position.legal():
        after = position.copy()
        after.apply(move)
        found = exact(after, scale)
        if best is None or found[0][player] > best[0][player]:
            best = found
    assert best is not None
    return best


def utility(scores: list[int], winners: list[int], seat: int, scale: float) -> float:
    rivals = [score for other, score in enumerate(scores) if other != seat]
    rank = sum((scores[seat] > score) + (scores[seat] == score) / 2 for score in rivals) / len(rivals)
    lead = (scores[seat] - sum(rivals) / len(rivals)) / scale
    win = 1 / len(winners) if seat in winners else 0
    return SWITCHES["win"] * win + SWITCHES["rank"] * rank + SWITCHES["margin"] * (0.5 + 0.5 * tanh(lead))


def test_with_two_players_a_proof_agrees_with_the_solver():
    """Two players want the same by both measures: the win, then the lead."""
    found = 0
    for seed, back in product(range(12), (1, 2, 3)):
        table = last_decisions("chicago-express", 2, seed, back)
        search = proved(table)
        if search is not None:
            solution = solve(table, GENEROUS, Event())
            best = max(search.moves(), key=lambda row: row[2])
            assert solution.exact and best[3] == pytest.approx(solution.win) and best[4] == pytest.approx(solution.value)
            found += 1
    assert found >= 12


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_with_more_players_a_proof_is_the_plain_max_n(players):
    found = 0
    for seed in range(20):
        table = last_decisions("chicago-express", players, seed, 1 + seed % 3)
        search = proved(table)
        if search is not None and search.iterations < 500:
            utilities, _ = exact(table.position, weights_of(table.game)[W_SCALE])
            assert max(row[2] for row in search.moves()) == pytest.approx(utilities[table.to_move], abs=1e-4)
            found += 1
    assert found >= 6


@pytest.mark.parametrize("game", [game for game in OPEN if Table.new(game).position.has_chance])
def test_what_is_left_to_chance_is_not_proved(game):
    """The last event of a game may be a roll: one end that came of it proves nothing about the move before."""
    for seed, back in product(range(12), (1, 2, 3)):
        table = last_decisions(game, GAMES[game].players[0], seed, back)
        if table.is_over:
            continue
        search = new_search(table, playout=-1, random=1)
        search.run(300, GENEROUS)
        for row in search.moves():
            after = table.position.copy()
            after.apply(row[0])
            if after.to_move() == CHANCE and len(ends := {tuple(end) for end in sampled_ends(after)}) > 1:
                assert not search.is_proven, ends


def sampled_ends(position: Position) -> list[list[int]]:
    """The scores at the ends of a few random games."""
    found = []
    for stream in range(8):
        end = position.copy()
        end.playout(1, stream)
        found.append(end.scores())
    return found


def test_a_proof_of_one_thread_is_enough():
    table = last_decisions("chicago-express", 2, 1, 3)
    one, two = (Ismcts(seed=1, threads=threads, hash_mib=16, switches={"candidates": 0, "exploration": 1.2})
                for threads in (1, 2))
    expected = chosen(table, Limits(nodes=12_000), one).lines[0]
    assert one.trees[0].is_proven
    chosen(table, Limits(nodes=11_500), two)
    chosen(table, Limits(nodes=1), two)         # one tree alone goes on
    assert any(tree.is_proven for tree in two.trees)
    found = chosen(table, Limits(nodes=1), two).lines[0]
    assert (found.win, found.margin) == (expected.win, expected.margin)


def test_a_proved_line_is_the_best_play_of_all():
    table = last_decisions("chicago-express", 2, 1, 3)
    choice = chosen(table, Limits(nodes=12_000), Ismcts(seed=1, hash_mib=16, switches={"candidates": 0}))
    end = table.position.copy()
    for move in choice.lines[0].pv:
        end.apply(move)
    assert end.to_move() == OVER and end.scores() == solve(table, GENEROUS, Event()).value == choice.lines[0].margin
