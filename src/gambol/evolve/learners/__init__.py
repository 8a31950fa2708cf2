"""Environments for learners of others, by the interface of gymnasium: one creature, or many side by side in lanes.

Importing this registers them, so gymnasium makes them by the names of `register`.
"""

from gambol.evolve.learners.commanded import Commanded
from gambol.evolve.learners.goal import GOALS, Goal, goal_of
from gambol.evolve.learners.many import Many
from gambol.evolve.learners.one import One
from gambol.evolve.learners.register import register
from gambol.evolve.learners.troop import Troop

register()

__all__ = ["GOALS", "Commanded", "Goal", "Many", "One", "Troop", "goal_of", "register"]
