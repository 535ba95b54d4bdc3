"""What the shell offers behind a command: games and agents that begin with what was typed."""


def games(incomplete: str) -> list[str]:
    from railwright.engine.games import GAMES
    return [name for name in GAMES if name.startswith(incomplete)]


def agents(incomplete: str) -> list[str]:
    from railwright.ai.agents import AGENTS
    return [name for name in AGENTS if name.startswith(incomplete)]
