"""Kinematic walkers: figures that walk along a path by exact foot placement and lean into turns, without forces."""

from gambol.plan.walk.footfalls import Footfalls
from gambol.plan.walk.kinematic_walk import Foot, KinematicWalk, kinematic_walk, lowest_points

__all__ = ["Foot", "Footfalls", "KinematicWalk", "kinematic_walk", "lowest_points"]
