"""The contact method `impulse`: the large fixed steps of stepping.py, in which contacts are solved as collisions.

Contacts that bounce are solved one after the other; resting contacts are held by collisions without restitution.
Forces, limits, dry friction, ledger and clock are those of stepping.py.
"""

from collections.abc import Callable

from gambol.contact.impulse import by_collisions
from gambol.lanes import Scalar
from gambol.world.context import Memory, StepContext, StepState
from gambol.world.step.stepping import time_stepping


def collision_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function of a world that solves contacts as collisions.

    The world's `hypothesis` of restitution is Newton's, Poisson's or Stronge's.
    """
    return time_stepping(context, by_collisions(context.world.hypothesis))
