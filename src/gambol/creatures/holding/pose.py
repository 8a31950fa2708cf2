"""A standing pose near a given pose: the centre of mass is above the middle of the feet, and all feet touch the ground.

    q' = q - J^+ r(q)        r: see Support.imbalance(); J: its derivatives by the joints of the legs

J^+ is the pseudoinverse, so each step is the shortest step that removes the imbalance to first order, and the pose
stays near the given one. Joints that would leave their limits stay at them, and the other joints move more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.creatures.holding.support import Support
from gambol.figure import Figure

Array: TypeAlias = NDArray[np.float64]

MAX_STEPS = 50  # at most; quadruped and humanoid need 4 to 12
BALANCE_TOLERANCE = 1e-6  # of the figure's size
DIFFERENCE = 1e-6  # rad or m, for derivatives
MAX_STEP = 0.2  # rad or m: longer ones leave the neighbourhood in which the derivatives hold


def balanced_pose(
    support: Support, q: Array, joints: Sequence[str], limits: Sequence[tuple[float, float]]
) -> Array | None:
    """Return coordinates (nq,) near q (nq,) at which a figure stands in balance, or None if there are none.

    joints: names of the links whose joints may move, each with one coordinate. limits: limits of these joints [rad or
    m].
    """
    index = np.array([support.figure.link(name).q.start for name in joints], int)
    lower, upper = np.array(limits, float).reshape(-1, 2).T
    pose = q.copy()
    for _ in range(MAX_STEPS):
        r = support.imbalance(pose)
        if np.abs(r).max() <= BALANCE_TOLERANCE * support.size:
            return pose
        change = _step(_derivatives(support, pose, index), r, pose[index], (lower, upper))
        pose[index] += change * min(1.0, MAX_STEP / max(np.abs(change).max(), 1e-12))
    return None


def legs_of(figure: Figure, feet: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the feet and of all their ancestors, without the root."""
    names: dict[str, None] = {}
    for foot in feet:
        link = figure.link(foot)
        while link.parent_index:
            names[link.name] = None
            link = figure.links[link.parent_index - 1]
    return tuple(names)


def _derivatives(support: Support, q: Array, index: NDArray[np.int64]) -> Array:
    """Return the derivatives (m, n) of the imbalance by some coordinates; index (n,): their indices in q."""
    moved = np.repeat(q[None], 2 * len(index), axis=0)
    row = np.arange(len(index))
    moved[row, index] += DIFFERENCE
    moved[len(index) + row, index] -= DIFFERENCE
    r = support.imbalance(moved)
    return (r[: len(index)] - r[len(index) :]).T / (2.0 * DIFFERENCE)


def _step(J: Array, r: Array, x: Array, limits: tuple[Array, Array]) -> Array:
    """Return the shortest change (n,) that removes r to first order within limits, as far as possible.

    J: (m, n). x: (n,). A joint that would leave its limits is set to the limit, and the step of the other joints is
    computed again.
    """
    change, free = np.zeros_like(x), np.ones(len(x), bool)
    while free.any():
        change[free] = np.linalg.lstsq(J[:, free], -(r + J[:, ~free] @ change[~free]), rcond=1e-9)[0]
        beyond = free & ((x + change < limits[0]) | (x + change > limits[1]))
        if not beyond.any():
            return change
        change[beyond] = np.clip(x + change, *limits)[beyond] - x[beyond]
        free &= ~beyond
    return change
