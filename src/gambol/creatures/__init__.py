"""Ready-made creatures."""

from gambol.creatures.creature import Creature, GaitValues, GroundValues, StickValues, TimingValues
from gambol.creatures.home import Feet, set_down, stick_of, touch_of, world_of
from gambol.creatures.roach import roach

__all__ = [
    "Creature",
    "Feet",
    "GaitValues",
    "GroundValues",
    "StickValues",
    "TimingValues",
    "roach",
    "set_down",
    "stick_of",
    "touch_of",
    "world_of",
]
