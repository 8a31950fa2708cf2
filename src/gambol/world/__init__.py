"""Figures, ground, controller and integrator composed to one step; states, runs, films and their measures."""

from gambol.world.events.watch import Happening, Watch
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.measure import Strides, Walk, measure, strides
from gambol.world.observe import depth_of
from gambol.world.run import StoppedWarning, run, was_interrupted
from gambol.world.state import Engine, State, start
from gambol.world.world import Shove, Timing, World

__all__ = [
    "Engine",
    "Film",
    "FilmGround",
    "FilmShape",
    "Happening",
    "Shove",
    "State",
    "StoppedWarning",
    "Strides",
    "Timing",
    "Walk",
    "Watch",
    "World",
    "depth_of",
    "measure",
    "run",
    "start",
    "strides",
    "was_interrupted",
]
