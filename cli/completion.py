"""What the shell offers behind a command: games and agents."""


def games() -> list[str]:
    from railwright.engine.games import GAMES
    return list(GAMES)


def agents() -> list[str]:
    from railwright.ai.agents import AGENTS
    return list(AGENTS)
