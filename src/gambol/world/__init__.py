"""Figures, ground, controller and integrator composed to one step; states, runs and films."""

from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.state import Engine, State, start
from gambol.world.world import Shove, Timing, World

__all__ = ["Engine", "Film", "FilmGround", "FilmShape", "Shove", "State", "Timing", "World", "start"]
