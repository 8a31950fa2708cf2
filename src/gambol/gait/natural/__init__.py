"""Natural motion: the steady part of a walk, and its measures with their ranges among animals."""

from gambol.gait.natural.measures import MEASURES, Measure, class_of
from gambol.gait.natural.steady_gait import SteadyGait
from gambol.gait.natural.walk_motion import WalkMotion, whole_strides

__all__ = ["MEASURES", "Measure", "SteadyGait", "WalkMotion", "class_of", "whole_strides"]
