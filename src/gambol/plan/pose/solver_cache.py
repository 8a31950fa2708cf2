"""Compiled solvers of poses by the structure of their goals; the most recently used are cached."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from gambol.figure import Figure
from gambol.formats import Model
from gambol.plan.pose.checks import check_numbers, check_structure, checked_numbers
from gambol.plan.pose.goals import Goal
from gambol.plan.pose.limits import Limit, LimitsLike, limits_of
from gambol.plan.pose.numbers import Array
from gambol.plan.pose.solver import PoseSolver
from gambol.world import World

MAX_SOLVERS = 32
"""Number of compiled solvers, and of worlds and models with their limits, in the cache."""


@dataclass(frozen=True)
class PoseTask:
    """Checked goals with their compiled solver.

    numbers: numbers of each goal, (k,) or (n, k) for n poses. bounds (2, limits): lower and upper bounds of the limits.
    """

    solver: PoseSolver
    goals: tuple[Goal, ...]
    numbers: tuple[Array, ...]
    bounds: Array

    def columns(self, poses: int) -> Array:
        """Return the numbers of all goals (k, poses), in order."""
        wide = [np.broadcast_to(a, (poses, a.shape[-1])).T if poses > 1 else a.reshape(-1, 1) for a in self.numbers]
        return np.concatenate([np.empty((0, poses)), *wide])

    def weights(self) -> Array:
        """Return the weight of each goal (goals, 1)."""
        return np.array([goal.weight for goal in self.goals]).reshape(-1, 1)


def pose_task(
    figure: Figure | World | Model, goals: Iterable[Goal], limits: LimitsLike | None, locked: Iterable[str]
) -> PoseTask:
    """Return the task of inverse kinematics, see inverse_kinematics().

    Raises GambolError for unknown names, wrong shapes, and goals that contradict each other, the limits, or `locked`.
    """
    plain_figure, goal_tuple = figure if isinstance(figure, Figure) else figure.figure, tuple(goals)
    numbers = checked_numbers(goal_tuple)
    bounds, joint_limits = _own_limits(figure) if limits is None else limits_of(plain_figure, limits)
    limit_key: Any = (
        id(joint_limits) if limits is None else tuple((limit.q, limit.is_orientation) for limit in joint_limits)
    )
    solver = _solver(plain_figure, goal_tuple, numbers, (joint_limits, limit_key), frozenset(locked))
    check_numbers(plain_figure, goal_tuple, numbers, joint_limits, bounds)
    return PoseTask(solver, goal_tuple, tuple(numbers), bounds)


_LIMITS: OrderedDict[int, tuple[Any, tuple[Array, tuple[Limit, ...]]]] = OrderedDict()


def _own_limits(figure: Figure | World | Model) -> tuple[Array, tuple[Limit, ...]]:
    """Return the limits of a world or model; a figure has no limits."""
    if isinstance(figure, Figure):
        return limits_of(figure, {})
    if id(figure) not in _LIMITS:
        _LIMITS[id(figure)] = figure, limits_of(figure.figure, cast("LimitsLike", figure.springs))
        if len(_LIMITS) > MAX_SOLVERS:
            _LIMITS.popitem(last=False)
    return _LIMITS[id(figure)][1]


_SOLVERS: OrderedDict[Any, PoseSolver] = OrderedDict()


def _solver(
    figure: Figure,
    goals: tuple[Goal, ...],
    numbers: Sequence[Array],
    limits: tuple[tuple[Limit, ...], Any],
    locked: frozenset[str],
) -> PoseSolver:
    """Return the solver of a structure, from the cache if it is there.

    limits: limits with their identity in the cache. Raises GambolError for a structure that is invalid.
    """
    sizes = tuple(a.shape[-1] for a in numbers)
    key = (id(figure), tuple(goal.structure() for goal in goals), sizes, limits[1], locked)
    solver = _SOLVERS.get(key)  # it keeps its figure and limits, so that no other objects get their ids
    if solver is None:
        check_structure(figure, goals, locked)
        solver = _SOLVERS[key] = PoseSolver(figure, goals, sizes, limits[0], locked)
        if len(_SOLVERS) > MAX_SOLVERS:
            _SOLVERS.popitem(last=False)
    _SOLVERS.move_to_end(key)
    return solver
