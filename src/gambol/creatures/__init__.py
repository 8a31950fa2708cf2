"""Ready-made creatures; worlds of creatures, and of models from files."""

from gambol.creatures.creature import Creature, GaitValues, GroundValues, StickyFootValues, TimingValues
from gambol.creatures.creature_world import Feet, contact_parameters_of, standing_state, sticky_foot_of, world_of
from gambol.creatures.leg_muscles import LegMuscles
from gambol.creatures.roach import roach, roach_readings

__all__ = [
    "Creature",
    "Feet",
    "GaitValues",
    "GroundValues",
    "LegMuscles",
    "StickyFootValues",
    "TimingValues",
    "contact_parameters_of",
    "roach",
    "roach_readings",
    "standing_state",
    "sticky_foot_of",
    "world_of",
]
