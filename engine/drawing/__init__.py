"""Pictures of positions: a scene of shapes with its painters, what hex boards share, and one module a game."""
