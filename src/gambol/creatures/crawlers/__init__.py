"""Crawlers: snakes, worms and inchworms, which move by waves along a chain of segments with scales on its belly."""

from gambol.creatures.crawlers.body import Body, chain_figure
from gambol.creatures.crawlers.inchworm import INCHWORM, inchworm_world
from gambol.creatures.crawlers.snake import SNAKE, snake_world
from gambol.creatures.crawlers.waves import Wave, WaveLaw
from gambol.creatures.crawlers.worm import WORM, worm_world

__all__ = [
    "INCHWORM",
    "SNAKE",
    "WORM",
    "Body",
    "Wave",
    "WaveLaw",
    "chain_figure",
    "inchworm_world",
    "snake_world",
    "worm_world",
]
