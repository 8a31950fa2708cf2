"""The solution of inverse kinematics: coordinates, and the residual of each goal."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.plan.pose.goals import Goal
from gambol.plan.pose.numbers import Array
from gambol.plan.pose.solver import PoseSolver

POINT_TOLERANCE = 1e-5
"""Default tolerance of positions, divided by the figure's extent: a hundredth of a millimetre at a metre."""

ANGLE_TOLERANCE = 1e-5
"""Default tolerance of angles [rad]."""

LOOP_TOLERANCE = 1e-6
"""Largest gap of a closed loop, divided by the figure's extent, in a pose that is reached."""


@dataclass(frozen=True)
class PoseSolution:
    """Coordinates found by inverse kinematics, for one pose or for n.

    q (nq), or (n, nq): coordinates within the limits. residuals (goals,), or (n, goals): residual of each goal in
    order, a distance [m] or an angle [rad]. reached: True where every residual is within its tolerance and loops are
    closed; a bool, or (n,). iterations: number of steps; an int, or (n,). loop_gap: largest gap of closed loops; a
    float, or (n,). goals: the goals. str() of a solution lists all goals with their largest residuals.
    """

    q: Array
    residuals: Array
    reached: Any
    iterations: Any
    loop_gap: Any
    goals: tuple[Goal, ...]

    def __str__(self) -> str:
        worst = np.atleast_2d(self.residuals).max(axis=0, initial=0.0)
        lines = [f"{goal.title}: off by {size:.3g}" for goal, size in zip(self.goals, worst, strict=True)]
        return "; ".join(["reached" if np.all(self.reached) else "not reached, the nearest pose", *lines])


@dataclass
class BestPoses:
    """The best coordinates so far for n poses. cost: weighted squared residuals, infinite if loops are open."""

    q: Array
    residuals: Array
    reached: NDArray[np.bool_]
    iterations: Array
    loop_gap: Array
    cost: Array

    @staticmethod
    def of(
        solver: PoseSolver, goals: tuple[Goal, ...], outputs: tuple[Array, list[Array], Array, Array]
    ) -> "BestPoses":
        """Return the coordinates that a solver found, with the size of each goal's residual.

        outputs: outputs of its program, see PoseSolver.solve().
        """
        q, gaps, loop_gaps, iterations = outputs
        sizes, scales, tolerances = list[Array](), list[float](), list[float]()
        for goal, rows in zip(goals, gaps, strict=True):
            is_length = goal.unit(solver.figure) == "m"
            default = POINT_TOLERANCE * solver.extent if is_length else ANGLE_TOLERANCE
            sizes.append(goal.residual(rows))
            scales.append(solver.extent if is_length else 1.0)
            tolerances.append(default if goal.tolerance is None else goal.tolerance)
        residuals = np.array(sizes).reshape(len(goals), len(q))
        loop_gap = abs(loop_gaps).max(axis=0, initial=0.0)
        closed = (loop_gap <= LOOP_TOLERANCE * solver.extent) & np.isfinite(q).all(axis=1)
        reached = (residuals <= np.array(tolerances)[:, None]).all(axis=0) & closed
        weights = np.array([goal.weight for goal in goals]) / np.array(scales) ** 2
        return BestPoses(q, residuals, reached, iterations, loop_gap, np.where(closed, weights @ residuals**2, np.inf))

    def improve(self, poses: NDArray[np.intp], other: "BestPoses") -> None:
        """Replace poses by better poses of another attempt; poses: indices of the poses in this object."""
        better = other.reached | (other.cost < 0.999 * self.cost[poses])
        replaced, source = poses[better], np.flatnonzero(better)
        self.q[replaced], self.residuals[:, replaced] = other.q[source], other.residuals[:, source]
        self.reached[replaced], self.loop_gap[replaced] = other.reached[source], other.loop_gap[source]
        self.cost[replaced] = other.cost[source]
        self.iterations[poses] += other.iterations

    def solution(self, goals: tuple[Goal, ...], *, single: bool) -> PoseSolution:
        """Return the solution for the caller; single: without the axis of poses."""
        if single:
            iterations, gap = int(self.iterations[0]), float(self.loop_gap[0])
            return PoseSolution(self.q[0], self.residuals[:, 0], bool(self.reached[0]), iterations, gap, goals)
        return PoseSolution(self.q, self.residuals.T, self.reached, self.iterations.astype(int), self.loop_gap, goals)
