"""Worlds: a figure, its ground, controller and integrator; states, runs, films and gait metrics."""

from gambol.world.events.zero_crossing import EventRecord, ZeroCrossing
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.measure import Strides, Walk, measure, strides
from gambol.world.observe import depth_of
from gambol.world.run import StoppedWarning, run, was_interrupted
from gambol.world.state import Engine, State, start
from gambol.world.world import Push, Timing, World

__all__ = [
    "Engine",
    "EventRecord",
    "Film",
    "FilmGround",
    "FilmShape",
    "Push",
    "State",
    "StoppedWarning",
    "Strides",
    "Timing",
    "Walk",
    "World",
    "ZeroCrossing",
    "depth_of",
    "measure",
    "run",
    "start",
    "strides",
    "was_interrupted",
]
