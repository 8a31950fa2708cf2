"""Checks of assemblies before any work."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.figure.figure import extent
from gambol.plan.assembly.closures import ClosureConstraint
from gambol.plan.pose import BalanceGoal, Goal
from gambol.plan.pose.checks import check_links, checked_coordinates, checked_numbers, pose_count
from gambol.plan.pose.numbers import Array, real

TOLERANCE = 1e-3
"""Default tolerance of deviations at the end [rad, figure extents]: they decrease exponentially, and never reach 0."""


def checked_constraints(
    figure: Figure, constraints: Iterable[Goal], *, equations: bool, resized: Collection[int] = ()
) -> tuple[Goal, ...]:
    """Return the constraints, and the constraints of the figure's loops; raise GambolError for invalid ones.

    equations: True if inequalities are not allowed. resized: indices of links whose sizes are unknown.
    """
    goals = (*constraints, *(ClosureConstraint(closure) for closure in figure.constraints))
    if not goals:
        raise GambolError("there is nothing to assemble: give at least one constraint")
    fixed = {link.index for link in figure.links if link.is_fixed and link.index not in resized}
    for goal, numbers in zip(goals, checked_numbers(goals), strict=True):
        check_links(figure, goal, fixed)
        if numbers.ndim != 1:
            raise GambolError(f"{goal.title} has targets of several poses; a constraint takes one")
        if equations and isinstance(goal, BalanceGoal) and np.ndim(goal.support) > 1:
            raise GambolError(f"{goal.title} is an inequality; give the point (x, y) below the centre of mass")
    return goals


def checked_starts(figure: Figure, q: ArrayLike, v: ArrayLike | None) -> tuple[Array, Array]:
    """Return coordinates (W, nq) and velocities (W, nv); raise GambolError for other shapes."""
    starts = checked_coordinates(figure, q, "the start q")
    velocities = np.zeros((1, figure.nv)) if v is None else np.atleast_2d(real(v, "the velocities v"))
    if velocities.ndim != 2 or velocities.shape[1] != figure.nv:
        raise GambolError(f"the velocities v have shape {velocities.shape}; give ({figure.nv},), or (W, {figure.nv})")
    worlds = pose_count([starts, velocities])
    return np.repeat(starts, worlds // len(starts), axis=0), np.repeat(velocities, worlds // len(velocities), axis=0)


def met_constraints(figure: Figure, goals: Sequence[Goal], deviations: Array) -> NDArray[np.bool_]:
    """Return True where deviations (W, constraints) are within their tolerances."""
    size = float(extent(figure))
    tolerances = [
        TOLERANCE * (size if goal.unit(figure) == "m" else 1.0) if goal.tolerance is None else goal.tolerance
        for goal in goals
    ]
    return deviations <= np.array(tolerances)
