"""Checks of the figure and the numbers of adaptive dynamics."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.adaptive.tree import NONE
from gambol.dynamics.bodies import gravity_scalar_or_vector, world_acceleration
from gambol.errors import GambolError, WorldError
from gambol.figure import Figure, Triple

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


def check_figure(figure: Figure) -> None:
    """Raise WorldError for a figure that adaptive dynamics does not support."""
    subject = f'adaptive dynamics of "{figure.name}"'
    if figure.constraints:
        raise WorldError(
            f"{subject}: closed loops and couplings cannot be cut into parts; take them out, or use Dynamics"
        )
    if figure.prescribed:
        raise WorldError(f'{subject}: its base is prescribed; use figure.with_base("free")')
    if figure.nv == figure.root.v.stop:
        raise WorldError(f"{subject}: it has no joint besides that of its root; there is nothing to adapt")
    parents = {link.parent_index for link in figure.links}
    for link in figure.links:
        if not link.mass_properties.mass and link.index not in parents:
            raise WorldError(f'{subject}: link "{link.name}" is the end of a branch and has no mass; give it some')


def has_joint(figure: Figure, links: NDArray[np.int64]) -> Flags:
    """Return True for the nodes whose joint has a degree of freedom."""
    movable = np.array([link.v.stop > link.v.start for link in figure.links])
    return np.where(links == NONE, False, movable[links])


LEAST_JOINT_STEPS = 20_000
"""Joints times steps between two choices, below which an error bound saves no time: a choice and a change of joints
take 4 ms, a joint 0.25 us in a step, and some joints stay active. A pendulum of 300 links with 50 steps took 2.5 times
as long with a bound as without; a snake of 1,000 links was 1.2 times as fast."""


def checked_limits(
    error: float | None, joints: int | None, interval: int, count: int, hold: str
) -> tuple[float, int, int]:
    """Return bound, budget and interval; the bound is 0 if holding joints by it takes longer than the full motion.

    Raises GambolError for impossible numbers.
    """
    if hold not in ("if faster", "always"):
        raise GambolError(f'joints cannot be held "{hold}"; take "if faster" or "always"')
    if error is not None and not 0.0 <= error < np.inf:
        raise GambolError(f"an error bound cannot be {error:g}; give a positive speed, or 0 to keep all joints active")
    if joints is not None and joints % 1 != 0:
        raise GambolError(f"{joints:g} joints cannot be active; give a whole number")
    if joints is not None and not 0 <= joints <= count:
        raise GambolError(f"{joints} joints cannot be active; the figure has {count} besides that of its root")
    if interval < 1:
        raise GambolError(f"active joints cannot be chosen every {interval} steps; give at least 1")
    saves = hold == "always" or joints is not None or count * interval >= LEAST_JOINT_STEPS
    return float(error or 0.0) if saves else 0.0, count if joints is None else joints, interval


def checked_choice(limits: str) -> str:
    """Return the kind of joint limits. Raises GambolError for an unknown one."""
    if limits not in ("soft", "hard"):
        raise GambolError(f'joint limits cannot be "{limits}"; take "soft" or "hard"')
    return limits


def checked_array(name: str, values: ArrayLike, count: int) -> Array:
    """Return a copy of an array (count). Raises GambolError for another shape, or numbers that are not finite."""
    array = np.array(values, float)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise GambolError(f"{name} must be {count} finite numbers, not an array of shape {array.shape}")
    return array


def checked_numbers(
    nv: int, weights: ArrayLike | None, tau: ArrayLike | None, damping: ArrayLike | None
) -> list[Array]:
    """Return weights, joint forces and damping (nv). Raises GambolError for numbers that do not fit."""
    zero = np.zeros(nv)
    given = [np.ones(nv) if weights is None else weights, *(zero if x is None else x for x in (tau, damping))]
    numbers = [checked_array(name, x, nv) for name, x in zip(("weights", "tau", "damping"), given, strict=True)]
    if not (numbers[0] > 0.0).all():
        raise GambolError("the weights of errors must be positive")
    if (numbers[2] < 0.0).any():
        raise GambolError("a damping cannot be negative")
    return numbers


def checked_steps(step: float, count: int) -> None:
    """Raise GambolError for steps that cannot be taken."""
    if not (np.isfinite(step) and step > 0.0) or count < 0:
        raise GambolError(f"{count} steps of {step:g} s cannot be taken; give a positive length and a count")


def check_finite(accelerations: Array, time: float, step: float) -> None:
    """Raise GambolError for accelerations that are not finite at a time, after steps of length `step` [s]."""
    if not np.isfinite(accelerations).all():
        raise GambolError(f"accelerations are not finite by {time:g} s; take shorter steps than {step:g} s")


def gravity_acceleration(gravity: float | Triple) -> Sequence[float]:
    """Return the acceleration of the world that replaces gravity."""
    a = world_acceleration(gravity_scalar_or_vector(gravity)).v
    return [float(x) for x in a]
