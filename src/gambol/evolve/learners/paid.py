"""What an action of a troop came to."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.learners.goal import Floats, Goal, Truths
from gambol.evolve.learners.troop import Array, Troop


@dataclass(frozen=True)
class Paid:
    """Of each creature (W,): what the action paid, whether it has fallen or froze, its speed and effort [m/s]."""

    rewards: Floats
    fallen: Truths
    speed: Floats
    effort: Floats


def paid(troop: Troop, goal: Goal, actions: NDArray[np.floating[Any]], moving: Truths | None = None) -> Paid:
    """Let a troop act (W, actuators), those of it that move, and pay them.

    Raises EvolveError for actions of another shape, and for those that are not finite.
    """
    wanted = (troop.worlds, len(troop.plan.creature.actuators))
    if np.shape(actions) != wanted:
        raise EvolveError(f"actions have the shape {np.shape(actions)}; they must have {wanted}")
    if not np.isfinite(actions).all():
        raise EvolveError("an action is not finite; give numbers from -1 to 1")
    speed, effort = troop.act(actions, moving)
    fallen = goal.fallen(troop.up, troop.height) | troop.stopped
    return Paid(goal.rewards(speed, effort, fallen), fallen, speed, effort)


def felt_space(troop: Troop) -> Space[Array]:
    """What one creature may feel: see Troop.felt()."""
    return cast("Space[Array]", Box(-troop.plan.bounds, troop.plan.bounds))


def action_space(troop: Troop) -> Space[Array]:
    """What one creature may be told: where each joint goes in its range, from -1 to 1."""
    return cast("Space[Array]", Box(-1.0, 1.0, (len(troop.plan.creature.actuators),)))


def check_render_mode(mode: str | None) -> None:
    """Raise EvolveError for a render_mode other than None: these environments draw nothing."""
    if mode is not None:
        raise EvolveError(
            f'render_mode "{mode}" is not there: these environments draw nothing; leave it out, or None, and see '
            "creatures that were bred in the pages of `gambol replay`"
        )
