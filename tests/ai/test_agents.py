"""What every agent keeps to, over every game in the list."""
import gc
from threading import Event

import pytest
from railwright.ai.agent import Choice, Clock, Info, Limits
from railwright.ai.agents import AGENTS, Settings, agents_for, make_agent
from railwright.ai.arena import match_of
from railwright.ai.baseline import Dice, MctsSimple, OpenTree, Root, Tally
from railwright.ai.simple import rank
from railwright.cext.game import CHANCE, random_below
from railwright.engine.games import GAMES
from railwright.engine.table import Table

EVERY = [(agent, name) for name, game in GAMES.items() for agent in agents_for(game)]
FEW = Limits(nodes=4)


def table_after(game: str, plies: int, seed: int = 5) -> Table:
    """A game after some random moves, at somebody's decision."""
    table = Table.new(game, GAMES[game].players[1], seed=seed)
    while not table.is_over and (plies > 0 or table.to_move == CHANCE):
        if table.to_move == CHANCE:
            table.roll()
        else:
            legal = table.position.legal()
            table.push(legal[random_below(seed, table.ply, len(legal))])
        plies -= 1
    return table


def chosen(agent: str, table: Table, limits: Limits = FEW, seed: int = 1) -> tuple[Choice, list[list[Info]]]:
    reports: list[list[Info]] = []
    choice = make_agent(agent, table.game, Settings(seed=seed)).choose(table, limits, Event(), reports.append)
    return choice, reports


def findings(choice: Choice) -> list[tuple]:
    """All of a choice but the time it took."""
    return [(choice.move, info.nodes, info.win, info.margin, info.visits, info.pv) for info in choice.lines]


@pytest.mark.parametrize("agent, game", EVERY)
@pytest.mark.parametrize("plies", [0, 30])
def test_choice_is_legal_and_told_with_a_score(agent, game, plies):
    table = table_after(game, plies)
    if table.is_over:
        pytest.skip("the game was over before")
    before = table.state()
    choice, reports = chosen(agent, table)
    assert choice.move in table.position.legal()
    assert choice.lines[0].pv[0] == choice.move and reports[-1] == choice.lines
    for info in choice.lines:
        assert len(info.win) == len(info.margin) == table.players
        assert sum(info.win) == pytest.approx(1) and min(info.win) >= 0
    assert table.state() == before


@pytest.mark.parametrize("agent, game", EVERY)
def test_every_move_of_a_line_is_legal_when_its_turn_comes(agent, game):
    table = table_after(game, 10)
    if table.is_over:
        pytest.skip("the game was over before")
    for info in chosen(agent, table, Limits(nodes=20, multipv=3))[0].lines:
        position = table.position.copy()
        for move in info.pv:
            assert move in position.legal()
            position.apply(move)


@pytest.mark.parametrize("agent, game", EVERY)
def test_same_seed_and_nodes_give_the_same_choice(agent, game):
    table = table_after(game, 12)
    if table.is_over:
        pytest.skip("the game was over before")
    assert findings(chosen(agent, table)[0]) == findings(chosen(agent, table)[0])


@pytest.mark.parametrize("agent, game", [(agent, game) for agent, game in EVERY if Table.new(game).position.has_secrets])
def test_choice_does_not_depend_on_what_the_player_cannot_see(agent, game):
    table = table_after(game, 20)
    if table.is_over:
        pytest.skip("the game was over before")
    other = table.fork()
    other.positions[-1] = table.position.determinize(table.to_move, 99)
    assert findings(chosen(agent, table)[0]) == findings(chosen(agent, other)[0])


@pytest.mark.parametrize("agent", AGENTS)
def test_searchmoves_are_the_only_ones_chosen(agent):
    table = table_after("chicago-express", 0)
    only = tuple(table.position.legal()[3:5])
    for seed in range(5):
        assert chosen(agent, table, Limits(nodes=8, searchmoves=only), seed)[0].move in only


@pytest.mark.parametrize("agent", AGENTS)
def test_stop_set_before_the_start_still_gives_a_choice(agent):
    table = table_after("chicago-express", 5)
    stop = Event()
    stop.set()
    choice = make_agent(agent, table.game, Settings()).choose(table, Limits(), stop, lambda lines: None)
    assert choice.move in table.position.legal() and choice.lines


def test_random_reaches_every_move():
    table = table_after("chicago-express", 0)
    moves = {chosen("random", table, seed=seed)[0].move for seed in range(600)}
    assert moves == set(table.position.legal())


def test_greedy_ranks_its_own_score_first_and_then_the_others():
    assert rank([5.0, 9.0], 0) > rank([4.0, 0.0], 0)
    assert rank([5.0, 1.0], 0) > rank([5.0, 2.0], 0)


def test_mcts_simple_prints_nothing(capfd):
    chosen("mcts-simple", table_after("chicago-express", 0), Limits(nodes=20))
    assert capfd.readouterr() == ("", "")


def test_mcts_simple_counts_its_steps_as_nodes():
    choice, _ = chosen("mcts-simple", table_after("chicago-express", 0), Limits(nodes=25))
    assert choice.lines[0].nodes == 25


def test_mcts_simple_goes_on_when_its_memory_is_full():
    table = table_after("chicago-express", 0)
    agent = MctsSimple(1, hash_mib=0)
    agent.most_nodes = 300
    choice = agent.choose(table, Limits(nodes=200), Event(), lambda lines: None)
    assert choice.lines[0].hashfull == 1000 and choice.lines[0].nodes == 200
    assert choice.lines[0].visits > 200 / len(table.position.legal())


@pytest.mark.parametrize("game", ["chicago-express", "great-lakes"])
def test_mcts_simple_leaves_no_tree_to_the_garbage_collector(game):
    table = table_after(game, 0)
    gc.collect()
    chosen("mcts-simple", table, Limits(nodes=20))
    assert gc.isenabled() and gc.collect() < 100        # its playouts alone make thousands of nodes


def test_open_loop_search_expands_only_what_is_legal():
    table = table_after("chicago-express", 25)
    root = Root(table.position, Dice(1, 0), Tally(table.players, Clock(Limits(), Event())))
    search = OpenTree(root, 1, 100_000)
    for _ in range(50):
        search.step()
    assert search.root.n == 50
    assert set(search.root.children) == set(table.position.legal())
    assert sum(child.n for child in search.root.children.values()) == 50


def test_mcts_simple_keeps_to_the_legal_moves_where_worlds_differ():
    table = match_of("great-lakes", "random,mcts-simple", 2, seed=1, nodes=1).table(0)
    agent = make_agent("mcts-simple", table.game, Settings(seed=1))
    for _ in range(12):
        table.push(agent.choose(table.view(table.to_move), Limits(nodes=100), Event(), lambda lines: None).move)
        table.roll_out()
    assert table.ply >= 12
