"""Inverse kinematics that is prepared once and then runs in place, for loops that compute one pose after another."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.formats import Model
from gambol.plan.pose.checks import checked_coordinates, pose_count
from gambol.plan.pose.goals import Goal
from gambol.plan.pose.limits import LimitsLike
from gambol.plan.pose.numbers import Array
from gambol.plan.pose.solution import BestPoses, PoseSolution
from gambol.plan.pose.solver_cache import pose_task
from gambol.world import World


class PreparedPoses:
    """Inverse kinematics of one structure of goals, compiled and bound to arrays that are changed in place.

    The arguments are as for inverse_kinematics(); q and the goals determine the number n of poses. A call of solve() is
    one native call: it checks nothing, and tries no further starts if goals are not reached.

    q (nq), or (n, nq): start of the next search, and afterwards the pose found. posture: an array of the same shape;
    freedoms without a goal stay near it. numbers: an array for each goal, (k) or (n, k), the result of its numbers(),
    with the target first; unit vectors and quaternions must have length 1. Write into these arrays, do not replace
    them. Raises GambolError as inverse_kinematics() does.
    """

    def __init__(
        self,
        figure: Figure | World | Model,
        q: ArrayLike,
        goals: Iterable[Goal],
        *,
        limits: LimitsLike | None = None,
        locked: Iterable[str] = (),
        posture: ArrayLike | None = None,
        max_iterations: int = 200,
    ) -> None:
        if max_iterations < 1:
            raise GambolError(f"{max_iterations} iterations are not possible; give 1 or more")
        self._task = pose_task(figure, goals, limits, locked)
        solver = self._task.solver
        starts = checked_coordinates(solver.figure, q, "the start q")
        postures = starts if posture is None else checked_coordinates(solver.figure, posture, "the posture")
        self._poses = pose_count([starts, postures, *(a for a in self._task.numbers if a.ndim == 2)])
        program = solver.program(1 if self._poses == 1 else None)
        columns = -(-self._poses // program.lanes) * program.lanes
        self._single = self._poses == 1 and all(np.ndim(a) == 1 for a in (q, *self._task.numbers))
        self._inputs = [_padded(a, columns) for a in (starts.T, postures.T, self._task.columns(self._poses))]
        fixed = (self._task.weights(), self._task.bounds.reshape(-1, 1), np.array([[float(max_iterations)]]))
        self._outputs = [self._inputs[0], *(np.empty((rows, columns)) for rows in program.outputs[1:])]
        self._run = program.bind(*self._inputs, *fixed, out=self._outputs)
        self.q, self.posture = (self._view(a) for a in self._inputs[:2])
        ends = np.cumsum(solver.sizes)
        self.numbers = tuple(
            self._view(self._inputs[2][end - size : end]) for end, size in zip(ends, solver.sizes, strict=True)
        )

    def _view(self, array: Array) -> Array:
        """Return a view of an array (rows, columns), without the columns that only fill lanes."""
        return array[:, 0] if self._single else array[:, : self._poses].T

    def solve(self) -> Array:
        """Return q, the pose found from q: the same array at every call."""
        for array in self._inputs:
            array[:, self._poses :] = array[:, self._poses - 1 : self._poses]
        self._run()
        return self.q

    def solution(self) -> PoseSolution:
        """Return a copy of the poses that solve() found last, with the residual of each goal."""
        q, gaps, loop_gaps, iterations = (a[:, : self._poses].copy() for a in self._outputs)
        parts = np.split(gaps, np.cumsum(self._task.solver.row_counts)[:-1]) if self._task.goals else []
        poses = BestPoses.of(self._task.solver, self._task.goals, (q.T, parts, loop_gaps, iterations[0]))
        return poses.solution(self._task.goals, single=self._single)


def _padded(array: Array, columns: int) -> Array:
    """Return a new array (rows, columns): a given array with fewer columns, whose last column is repeated."""
    last = np.repeat(array[:, -1:], columns - array.shape[1], axis=1)
    return np.ascontiguousarray(np.concatenate([array, last], axis=1), dtype=float)
