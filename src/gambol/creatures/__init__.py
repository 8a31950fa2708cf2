"""Ready-made creatures."""

from gambol.creatures.creature import Creature, GaitValues, GroundValues, TimingValues
from gambol.creatures.roach import roach

__all__ = ["Creature", "GaitValues", "GroundValues", "TimingValues", "roach"]
