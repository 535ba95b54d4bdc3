"""The arena: who sits where, what is kept on file, what the figures say."""
import json
from dataclasses import asdict, replace
from math import log
from threading import Event

import pytest
from railwright.ai import arena
from railwright.ai.agent import Agent, Choice, Limits, Report
from railwright.ai.agents import AGENTS, Settings
from railwright.ai.arena import ArenaFault, Log, Match, Spec, Workers, derived, is_late, match_of, play_game, run
from railwright.ai.standings import Played, rate, set_shares, sprt, standings, wilson
from railwright.ai.weights import weights_of
from railwright.cli import main
from railwright.engine.games import GAMES
from railwright.engine.table import Table

GAME = "chicago-express"


class Drifter(Agent):
    """Plays something or other, always the same for the same seed."""
    name = "drifter"

    def __init__(self, settings: Settings):
        self.settings = settings

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        legal = table.position.legal()
        return Choice(legal[derived(self.settings.seed, table.ply) % len(legal)])


class Cheat(Drifter):
    """Answers every question with a move that does not exist."""
    name = "cheat"

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        return Choice(0xFFFFFFFF)


class Sleeper(Drifter):
    """Thinks longer than it may, by a clock of its own."""
    name = "sleeper"
    clock = 0.0

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        Sleeper.clock += 0.18
        return super().choose(table, limits, stop, report)


class Faulty(Drifter):
    name = "faulty"

    def choose(self, table: Table, limits: Limits, stop: Event, report: Report) -> Choice:
        raise KeyError("lost")


@pytest.fixture(autouse=True)
def more_agents(monkeypatch):
    for agent in (Drifter, Cheat, Sleeper, Faulty):
        monkeypatch.setitem(AGENTS, agent.name, agent)


def match(agents="drifter,drifter", players=3, **fields) -> Match:
    return match_of(GAME, agents, players, **{"nodes": 1} | fields)


def played(game: int, seats: list[int], scores: list[int], wins: list[float]) -> Played:
    n = len(seats)
    return Played(game, seats, scores, wins, [10] * n, [0.5] * n, [0] * n, [0] * n, f"game {game}")


# --- who sits where --------------------------------------------------------------
@pytest.mark.parametrize("agents, lineup", [("a,b", [0, 1, 1, 1]), ("a,b,c", [0, 1, 2, 1]), ("a,b,c,d", [0, 1, 2, 3])])
def test_the_others_fill_the_seats_in_turn(agents, lineup):
    assert Match(GAME, tuple(agents.split(",")), 4).lineup() == lineup


def test_a_set_of_games_gives_every_chair_to_everyone():
    m = Match(GAME, ("a", "b", "c"), 4)
    assert [m.seats(game) for game in range(5)] == [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0], [0, 1, 2, 1]]


def test_games_of_a_set_have_the_same_start_and_sets_different_ones():
    seeds = [match().table(game).seed for game in range(6)]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3] == seeds[4] == seeds[5]
    assert seeds[0] != match(seed=1).table(0).seed


def test_openings_by_lot_are_the_same_within_a_set():
    m = match(opening=8)
    openings = [tuple(m.table(game).moves) for game in range(12)]
    assert len(openings[0]) == 8
    assert openings[0] == openings[1] == openings[2] and len(set(openings)) > 1
    assert play_game(m, 1).moves.split()[:8] == list(openings[0])


def test_a_game_can_be_played_again():
    first, second = play_game(match(), 4), play_game(match(), 4)
    assert replace(first, seconds=[]) == replace(second, seconds=[])
    assert first.moves != play_game(match(), 5).moves
    assert sum(first.wins) == pytest.approx(1)


def test_seats_have_seeds_of_their_own():
    assert len({derived(seed, game, seat) for seed in range(3) for game in range(3) for seat in range(3)}) == 27


# --- agents with settings --------------------------------------------------------
def test_settings_of_an_agent():
    spec = Spec.parse("ismcts@nodes=2000@level=3@playout=0@weight.income=1.5")
    assert (spec.name, spec.nodes, spec.time, spec.level) == ("ismcts", 2000, None, 3)
    settings = spec.settings(7)
    assert (settings.seed, settings.level, settings.search, settings.weights) == (7, 3, {"playout": "0"}, {"income": 1.5})


def test_limits_of_an_agent_replace_those_of_the_match():
    m = Match(GAME, ("a", "b"), 2, time=0.1)
    assert Spec.parse("a@nodes=5").limits(m) == Limits(nodes=5, is_brief=True)
    assert Spec.parse("a@level=5").limits(m) == Limits(movetime=0.1, is_brief=True)


def test_without_any_limit_a_move_has_a_tenth_of_a_second():
    assert match_of(GAME, "drifter,drifter").time == 0.1


@pytest.mark.parametrize("agents, message", [
    ("drifter", "agents 'drifter'; expected two or more, the hero first"),
    ("drifter,drifer", "agent 'drifer'; expected one of .*, nearest 'drifter'"),
    ("drifter,drifter@level", "agent 'drifter@level'; expected name@key=value@key=value"),
    ("drifter@level=11,drifter", "level is '11'; expected a whole number from 1 to 10"),
    ("drifter@time=soon,drifter", "time is 'soon'; expected a number from"),
    ("drifter@a=1@a=2,drifter", "each key once"),
    ("drifter,drifter,drifter,drifter", "agents: 4 at a table of 3; expected at most 3"),
    ("drifter@weight.luck=1,drifter", "weight 'luck'; expected"),
])
def test_bad_agents_are_told_in_one_line(agents, message):
    with pytest.raises(ValueError, match=message):
        match(agents)


def test_an_unknown_weight_is_refused():
    with pytest.raises(ValueError, match="weight 'luck'; expected "):
        weights_of(GAMES[GAME], {"luck": 1.0})


# --- what agents must not do -----------------------------------------------------
def test_illegal_moves_are_counted_and_the_game_goes_on():
    game = play_game(match("cheat,drifter"), 1)
    assert game.seats == [1, 0, 1]
    assert game.illegal == [0, game.asked[1], 0] and game.asked[1] > 0


def test_late_moves_are_counted(monkeypatch):
    monkeypatch.setattr(arena, "perf_counter", lambda: Sleeper.clock)
    game = play_game(match("sleeper,drifter", players=2, time=0.1, nodes=None), 0)
    assert game.late == [game.asked[0], 0] and game.asked[0] > 0


@pytest.mark.parametrize("seconds, late", [(0.1, False), (0.169, False), (0.171, True)])
def test_late_is_more_than_50_ms_and_20_percent_over_the_limit(seconds, late):
    assert is_late(seconds, 0.1) is late
    assert not is_late(seconds, None)


def test_an_agent_that_fails_is_named():
    with pytest.raises(ArenaFault, match=r"^agent faulty failed at move 1 with KeyError: 'lost'; state chicago-express;"):
        play_game(match("faulty,drifter"), 0)


def test_an_agent_sees_no_seed():
    table = match().table(0)
    assert table.seed != 0 and arena.seen(table).seed == 0


# --- the record file -------------------------------------------------------------
def test_a_match_goes_on_where_it_was_cut_off(tmp_path):
    path = tmp_path / "games.jsonl"
    with Workers() as workers:
        whole = run(match(), 6, workers, Log(path, match()))
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:4]) + lines[4][:50])
        log_ = Log(path, match())
        assert sorted(log_.games) == [0, 1, 2]
        again = run(match(), 6, workers, log_)
    assert [game.moves for game in again.games] == [game.moves for game in whole.games]
    assert len(path.read_bytes().splitlines()) == 7
    assert sorted(Log(path, match()).games) == [0, 1, 2, 3, 4, 5]


def test_a_header_that_was_cut_off_is_written_again(tmp_path):
    path = tmp_path / "games.jsonl"
    Log(path, match())
    header = path.read_bytes()
    path.write_bytes(header[:20])
    Log(path, match())
    assert path.read_bytes() == header


def test_another_match_is_refused_and_the_file_left_alone(tmp_path):
    path = tmp_path / "games.jsonl"
    Log(path, match())
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"holds another match .seed 0, not 1.; expected the same command, or another file"):
        Log(path, match(seed=1))
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"important notes\n", b"important notes", b"\xff\xfe\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is no record of an arena"):
        Log(path, match())
    assert path.read_bytes() == content


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    Log(path, match())
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(ValueError, match="line 2: is damaged; expected a game"):
        Log(path, match())


def test_games_come_in_whole_sets():
    with Workers() as workers:
        assert len(run(match(), 4, workers).games) == 6


def test_worker_processes_play_the_same_games():
    m = match_of(GAME, "heuristic,heuristic", 3, nodes=1, opening=8)
    with Workers() as here, Workers(2) as apart:
        alone, together = run(m, 6, here), run(m, 6, apart)
    assert [game.moves for game in together.games] == [game.moves for game in alone.games]


# --- figures ---------------------------------------------------------------------
@pytest.mark.parametrize("wins, games, low, high", [
    (0, 10, 0.0, 0.27753),          # z^2 / (n + z^2) = 3.84146 / 13.84146
    (10, 10, 0.72247, 1.0),
    (5, 10, 0.23659, 0.76341),      # 0.5 -+ 1.95996 * sqrt(0.025 + 0.0096036) / 1.384146
    (50, 100, 0.40383, 0.59617),    # 0.5 -+ 1.95996 * sqrt(0.0025 + 0.000096036) / 1.0384146
])
def test_wilson_interval(wins, games, low, high):
    assert wilson(wins, games) == (pytest.approx(low, abs=1e-5), pytest.approx(high, abs=1e-5))


def test_ranks_are_shared_by_equals():
    assert played(0, [0, 1, 1, 1], [30, 50, 30, 10], [0, 1, 0, 0]).ranks() == [2.5, 1, 2.5, 4]


def test_a_tie_break_ranks_the_winner_first():
    assert played(0, [0, 1], [30, 30], [0, 1.0]).ranks() == [2, 1]


def test_standings_share_ties_and_count_by_seat():
    games = [played(0, [0, 1, 1], [9, 5, 4], [1, 0, 0]), played(1, [1, 0, 1], [9, 9, 3], [0.5, 0.5, 0])]
    hero, other = standings(["a", "b"], games)
    assert (hero.share, hero.par, hero.score, hero.rank, hero.seats) == (0.75, pytest.approx(1 / 3), 9, 1.25, 1)
    assert (other.share, other.score, other.rank, other.seats) == (0.125, 5.25, (2 + 3 + 1.5 + 3) / 4, 2)
    low, high = wilson(0.5, 2)
    assert (other.low, other.high) == (low / 2, high / 2)


def test_ratings_rise_for_who_wins():
    games = [played(i, [0, 1, 1, 1], [9, 5, 4, 3], [1, 0, 0, 0]) for i in range(20)]
    (hero, sigma), (other, _) = rate(2, games)
    assert hero > 25 > other and sigma < 25 / 3


def test_sets_count_up_to_the_first_that_is_not_complete():
    games = [played(i, [0, 1], [1, 0], [1.0, 0]) for i in (0, 1, 3, 4, 5)] + [played(7, [0, 1], [0, 1], [0, 1.0])]
    assert set_shares(games, 2) == [1.0]
    assert set_shares([*games, played(2, [0, 1], [0, 1], [0, 1.0])], 2) == [1.0, 0.5, 1.0]


# --- the sequential test ---------------------------------------------------------
def test_sprt_llr_by_hand():
    """Shares 0.75 and 0.25 at two players: mean 0.5, variance (2 * 0.0625 + 0.125) / 2, llr 2 * 0.1 * -0.05 / 0.125."""
    verdict = sprt([0.75, 0.25], 2, 0.1)
    assert (verdict.word, verdict.llr, verdict.bound) == ("undecided", pytest.approx(-0.08), pytest.approx(log(19)))


def test_sprt_accepts_who_is_better():
    verdict = sprt([1.0, 0.5] * 50, 2, 0.05)
    assert verdict.word == "accepted" and verdict.sets < 100


def test_sprt_rejects_who_is_at_par():
    verdict = sprt([0.5, 0.5, 0.0, 1.0] * 100, 2, 0.05)
    assert verdict.word == "rejected" and verdict.sets < 400


def test_sprt_is_not_hasty():
    assert sprt([1.0] * 7, 2, 0.05).word == "undecided"


def test_sprt_keeps_its_first_decision():
    assert sprt([1.0] * 20 + [0.0] * 200, 2, 0.05).word == "accepted"


def test_a_decided_match_stops(monkeypatch):
    monkeypatch.setattr(arena, "play_game", lambda m, game: played(game, m.seats(game), [1, 0], [float(a == 0) for a in m.seats(game)]))
    with Workers() as workers:
        result = run(match(players=2), 1000, workers, delta=0.05)
    assert result.verdict is not None and result.verdict.word == "accepted"
    assert len(result.games) == 2 * result.verdict.sets < 100


# --- the command -----------------------------------------------------------------
@pytest.fixture
def command(monkeypatch, capsys):
    """Runs `railwright arena` on Chicago Express: its exit code, what it answered, what it said beside."""
    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["railwright", "arena", GAME, "--nodes", "1", *words])
        with pytest.raises(SystemExit) as end:
            main.run()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err
    return run


def test_the_command_prints_a_table(command, tmp_path):
    code, out, _ = command("--agents", "drifter,drifter", "--players", "3", "--games", "3", "--record", str(tmp_path / "a"))
    lines = out.splitlines()
    assert code == 0 and lines[0] == "chicago-express, 3 players, 1 nodes a move, seed 0, 3 games"
    assert lines[1].split()[:3] == ["agent", "games", "seats"]
    assert lines[2].split()[:3] == ["drifter", "3", "1"] and lines[3].split()[:3] == ["drifter", "3", "2"]


def test_the_command_in_json(command, tmp_path):
    _, out, _ = command("--agents", "drifter,cheat", "--games", "2", "--record", str(tmp_path / "a"), "--json", "--sprt")
    answer = json.loads(out)
    assert answer["match"] == json.loads(json.dumps(asdict(match("drifter,cheat", players=2))))
    assert [agent["agent"] for agent in answer["agents"]] == ["drifter", "cheat"]
    assert answer["agents"][1]["illegal"] > 0 and "mu" in answer["agents"][0]
    assert answer["sprt"]["word"] == "undecided"


def test_without_a_file_the_games_are_found_again(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--agents", "drifter,drifter", "--games", "2")
    assert command(*words)[0] == 0
    assert len(list((tmp_path / "arena").iterdir())) == 1
    assert ": 2 games there" in command(*words)[2]
    assert ": 0 games there" in command(*words, "--fresh")[2]


def test_an_interrupted_match_says_how_it_goes_on(command, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play_game", interrupted)
    code, out, err = command("--agents", "drifter,drifter", "--record", str(tmp_path / "a"))
    assert (code, out) == (130, "") and err.splitlines()[-1] == "stopped; the same command goes on from here"


@pytest.mark.parametrize("words, message", [
    (["--agents", "drifter"], "error agents 'drifter'; expected two or more, the hero first"),
    (["--agents", "drifter,drifter", "--players", "9"], "error players 9; expected 2 to 6 for chicago-express"),
    (["--agents", "drifter,drifter", "--rules", "x"], "error rules 'x'; expected k=v, each once"),
    (["--agents", "drifter,drifter", "--record", "/"], "error file /: Is a directory; expected one that can be used"),
    (["--agents", "faulty,drifter", "--record", "x"], "error internal fault ArenaFault: agent faulty failed at move 1 with KeyError"),
])
def test_errors_are_one_line(command, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = command(*words)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(message) and "Traceback" not in err
