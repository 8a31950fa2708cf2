"""Checks of goals before any work: names, shapes, and contradictions."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.dynamics.tangent import check_orientations
from gambol.errors import GambolError
from gambol.figure import JOINTS, WORLD, Figure
from gambol.plan.pose.body_goals import BalanceGoal, JointGoal
from gambol.plan.pose.goals import AxisGoal, GazeGoal, Goal, OrientationGoal, PointGoal
from gambol.plan.pose.limits import Limit, violation
from gambol.plan.pose.numbers import Array, real

KNOWN = {AxisGoal, BalanceGoal, GazeGoal, JointGoal, OrientationGoal, PointGoal}
"""Types that are known to be goals: inspecting the fields of another type takes a tenth of a millisecond."""


def checked_numbers(goals: Sequence[Any]) -> list[Array]:
    """Return the numbers of each goal; raise GambolError for an object that is not a goal, and for invalid numbers."""
    for goal in goals:
        if type(goal) not in KNOWN and not isinstance(goal, Goal):
            raise GambolError(f"{goal!r} is not a goal; give PointGoal, OrientationGoal, AxisGoal, GazeGoal, "
                              "BalanceGoal or JointGoal")  # fmt: skip
        if not 0.0 < goal.weight < np.inf:
            raise GambolError(f"{goal.title} has a weight of {goal.weight:g}; give a positive one, or leave it out")
        if goal.tolerance is not None and not 0.0 <= goal.tolerance < np.inf:
            raise GambolError(f"{goal.title} has a tolerance of {goal.tolerance:g}; give 0 or more")
    return [goal.numbers() for goal in goals]


def checked_coordinates(figure: Figure, q: ArrayLike, title: str) -> Array:
    """Return coordinates (n, nq); raise GambolError for another shape, or a quaternion that is not a rotation."""
    array = np.atleast_2d(real(q, title))
    if array.ndim != 2 or array.shape[1] != figure.nq:
        raise GambolError(
            f'{title} has shape {np.shape(q)}; "{figure.name}" takes ({figure.nq},), or (n, {figure.nq}) for n poses'
        )
    check_orientations(figure, array.T)
    return array


def pose_count(arrays: Sequence[Array]) -> int:
    """Return the number of poses of arrays (n, k) or (1, k); raise GambolError if they differ."""
    counts = {len(a) for a in arrays} - {1}
    if len(counts) > 1:
        raise GambolError(f"there are arrays of {' and '.join(map(str, sorted(counts)))} poses; give as many of each")
    return counts.pop() if counts else 1


def check_structure(figure: Figure, goals: Sequence[Goal], locked: frozenset[str]) -> None:
    """Raise GambolError for goals of unknown links, and for goals that no joint can change."""
    locked_indices = {figure.link(name).index for name in locked}
    fixed = {link.index for link in figure.links if link.is_fixed or link.index in locked_indices}
    for goal in goals:
        check_links(figure, goal, fixed)


def check_numbers(
    figure: Figure, goals: Sequence[Goal], numbers: Sequence[Array], limits: Sequence[Limit], bounds: Array
) -> None:
    """Raise GambolError for goals that contradict each other, or the limits of joints."""
    seen: dict[Any, list[tuple[Goal, Array]]] = {}
    for goal, values in zip(goals, numbers, strict=True):
        if isinstance(goal, JointGoal):
            _check_joint(figure, goal, values, limits, bounds)
        seen.setdefault(goal.structure(), []).append((goal, values))
    for of_one_structure in seen.values():
        for (goal, values), (other, others) in combinations(of_one_structure, 2):
            if _aim(goal) == _aim(other) and not np.array_equal(np.atleast_2d(values), np.atleast_2d(others)):
                raise GambolError(f"{goal.title} has two goals with different targets; leave one out")


def _aim(goal: Goal) -> tuple[str, str]:
    """Return the point and the axis of a link that a goal is about.

    Goals of different points or axes of one link do not contradict each other.
    """
    return str(getattr(goal, "point", None)), str(getattr(goal, "axis", None))


def check_links(figure: Figure, goal: Goal, fixed: set[int]) -> None:
    """Raise GambolError unless the links of a goal exist and can move relative to each other.

    fixed: indices of the links that cannot move relative to their parents.
    """
    name, other = getattr(goal, "link", None), getattr(goal, "other", None)
    if not isinstance(name, str):
        return
    axes = getattr(goal, "axes", "x")
    if not axes or {*axes} - {*"xyz"} or len({*axes}) < len(axes):
        raise GambolError(f'{goal.title} has the axes "{axes}"; give some of "xyz"')
    link, base = figure.link(name).index, WORLD if other is None else figure.link(other).index
    if link == base:
        raise GambolError(f"{goal.title} is relative to itself; name another link, or None for the world")
    if isinstance(goal, JointGoal):
        moves = link not in fixed
    else:
        ends = ({end.index for end in figure.path_to_root(k)} for k in (link, base))
        first, second = ends
        moves = bool((first ^ second) - fixed)
    if not moves:
        raise GambolError(f"no joint that may move changes {goal.title}; leave the goal out, or lock fewer joints")


def _check_joint(figure: Figure, goal: JointGoal, values: Array, limits: Sequence[Limit], bounds: Array) -> None:
    """Raise GambolError for a joint's target of a wrong size, or beyond its limits."""
    link = figure.link(goal.link)
    size = link.q.stop - link.q.start
    if values.shape[-1] != size:
        raise GambolError(f"{goal.title} has a target of {values.shape[-1]} numbers; this joint has {size} coordinates")
    rest = np.tile([x for body in figure.links for x in JOINTS[body.joint.kind].rest], (len(np.atleast_2d(values)), 1))
    rest[:, link.q] = values
    check_orientations(figure, rest.T)
    indices = [k for k, limit in enumerate(limits) if limit.link is link]
    beyond = violation([limits[k] for k in indices], bounds[:, indices], rest)
    if beyond.max(initial=0.0) > 1e-9:
        raise GambolError(f"{goal.title} has a target {beyond.max():.3g} beyond its limits; give one within them")
