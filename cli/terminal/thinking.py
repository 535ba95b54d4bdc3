"""An agent at work: in a thread of its own, so that Ctrl-C is heard, and with a sign of life on a terminal."""
from threading import Event, Thread

from railwright.ai.agent import Agent, Choice, Limits
from railwright.ai.agents import Settings, agents_for, make_agent
from railwright.cli.terminal.screen import Screen
from railwright.engine.game import Game
from railwright.engine.table import Table

STRONGEST_FIRST = ("ismcts", "heuristic", "greedy", "random")
LAST_WORDS = 1.0                # seconds an agent that was stopped may take to end
TURN = 0.1                      # seconds between two looks at the thread
SEATS = 8                       # more than any game has: agents' seeds differ by table and seat


def strongest(game: Game) -> str:
    """The best agent that there is for this game."""
    known = agents_for(game)
    return next((name for name in STRONGEST_FIRST if name in known), next(iter(known)))


def seat_agent(name: str, game: Game, seed: int, player: int, level: int) -> Agent:
    """An agent for a seat, with a seed that tells it nothing about the table's own chance."""
    return make_agent(name, game, Settings(seed=((seed + 1) * SEATS + player) % (1 << 64), level=level))


def known_to(table: Table, player: int) -> Table:
    """The table as a player may see it."""
    return table.view(player) if table.position.has_secrets else table


class Thinker(Thread):
    def __init__(self, agent: Agent, table: Table, limits: Limits):
        super().__init__(daemon=True)
        self.agent, self.table, self.limits = agent, table, limits
        self.stop = Event()
        self.choice: Choice | None = None
        self.fault: Exception | None = None

    def run(self) -> None:
        try:
            self.choice = self.agent.choose(self.table, self.limits, self.stop, lambda lines: None)
        except Exception as fault:              # told in the main thread
            self.fault = fault

    def result(self) -> Choice:
        if self.fault is not None:
            raise self.fault
        assert self.choice is not None
        return self.choice


def think(agent: Agent, table: Table, limits: Limits, screen: Screen, text: str, is_patient: bool = False) -> Choice:
    """The agent's choice for the player to move. Ctrl-C ends it; `is_patient`: and takes what was found so far."""
    thinker = Thinker(agent, known_to(table, table.to_move), limits)
    thinker.start()
    try:
        with screen.spinner(text) as spinner:
            while thinker.is_alive():
                thinker.join(TURN)
                spinner.turn()
    except KeyboardInterrupt:
        thinker.stop.set()
        if not is_patient:
            thinker.join(LAST_WORDS)
            raise
        thinker.join()
    return thinker.result()
