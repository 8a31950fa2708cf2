"""A compiled solver of poses: its inputs are numbers only, one pose in each lane."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.loops import Row, constraint_rows
from gambol.dynamics.loops.relations.constraints import alignment_rows
from gambol.figure import JOINTS, Figure
from gambol.figure.figure import extent
from gambol.lanes import Program, ProgramSpec, Scalar, sqrt
from gambol.plan.pose.descent import PoseProblem, least_residuals, with_closed_loops
from gambol.plan.pose.goals import Goal
from gambol.plan.pose.limits import Limit
from gambol.plan.pose.numbers import Array
from gambol.spatial.dense import Numbers

LOOP_WEIGHT = 1e4
"""Weight of the rows of closed loops. If goals cannot be reached, they open the loops by a ten-thousandth of the goals'
residuals; the projection at the end closes the loops."""


@dataclass(frozen=True)
class Inputs:
    """Numbers of n poses. q, posture (nq, n). numbers (all numbers of all goals, n). weights (goals, 1).

    bounds (2 limits, 1): all lower bounds, then all upper bounds. max_iterations: iterations of each search.
    """

    q: Array
    posture: Array
    numbers: Array
    weights: Array
    bounds: Array
    max_iterations: int


@dataclass(frozen=True)
class PoseSolver:
    """A figure with the structure of goals, limits and locked joints: one program, for one pose or for many.

    goals: only their structures matter, and their units. sizes: number of numbers of each goal. locked: names of links
    with joints that do not move.
    """

    figure: Figure
    goals: tuple[Goal, ...]
    sizes: tuple[int, ...]
    limits: tuple[Limit, ...]
    locked: frozenset[str]

    @cached_property
    def extent(self) -> float:
        """The figure's extent [m], by which lengths are divided."""
        return float(extent(self.figure))

    @cached_property
    def dof_units(self) -> list[float]:
        """Unit of each degree of freedom: 1 rad, or the extent; 0 for a locked degree of freedom."""
        units = [
            (link.name in self.locked, unit) for link in self.figure.links for unit in JOINTS[link.joint.kind].v_units
        ]
        return [0.0 if locked else self.extent if unit == "m/s" else 1.0 for locked, unit in units]

    @cached_property
    def row_counts(self) -> list[int]:
        """Number of rows of each goal."""
        rest = [x for link in self.figure.links for x in JOINTS[link.joint.kind].rest]
        state = kinematics(self.figure, rest, [0.0] * self.figure.nv)
        return [len(goal.rows(state, [1.0] * size)) for goal, size in zip(self.goals, self.sizes, strict=True)]

    def program(self, lanes: int | None) -> Program:
        """Return the compiled program; lanes: 1 for one pose, None for many."""
        programs: dict[int | None, Program] = self.__dict__.setdefault("programs", {})
        if lanes not in programs:
            structures = self._structures()
            spec = ProgramSpec("inverse kinematics", self._formula, structures, key=self._key(structures))
            programs[lanes] = Program(spec, "float64", lanes)
        return programs[lanes]

    def _structures(self) -> tuple[Any, ...]:
        numbers = [[0.0] * size for size in self.sizes]
        bounds = [[0.0] * len(self.limits)] * 2
        q = [0.0] * self.figure.nq
        return q, q, numbers, [0.0] * len(self.goals), bounds, [0.0]

    def _formula(
        self,
        q: Numbers,
        posture: Numbers,
        numbers: Sequence[Numbers],
        weights: Numbers,
        bounds: Sequence[Numbers],
        max_iterations: Numbers,
    ) -> tuple[Any, ...]:
        """Return coordinates, gaps of all goals, gaps of loops, and the number of iterations."""
        roots = [sqrt(w) for w in weights]
        units = [1.0 / self.extent if goal.unit(self.figure) == "m" else 1.0 for goal in self.goals]

        def rows_of(state: Kinematics) -> list[list[Row]]:
            return [goal.rows(state, n) for goal, n in zip(self.goals, numbers, strict=True)]

        def scaled_rows(state: Kinematics) -> list[tuple[Row, Scalar]]:
            scaled = [
                (row, root * unit)
                for rows, root, unit in zip(rows_of(state), roots, units, strict=True)
                for row in rows
            ]
            return [*scaled, *loop_rows(state)]

        def loop_rows(state: Kinematics) -> list[tuple[Row, Scalar]]:
            return [(row, LOOP_WEIGHT**0.5 / self.extent) for row in self._loop_rows(state)]

        problem = PoseProblem(self.figure, self.limits, scaled_rows, self.dof_units, bounds, posture)
        end = least_residuals(problem, q, max_iterations[0])
        q = with_closed_loops(problem, loop_rows, end.q) if self.figure.constraints else end.q
        state = problem.state(q)
        gaps = [row.gap for rows in rows_of(state) for row in rows]
        return q, gaps, [row.gap for row in self._loop_rows(state)], [end.iterations]

    def _loop_rows(self, state: Kinematics) -> list[Row]:
        """Return the rows of closed loops, with rows that distinguish aligned axes from opposite ones."""
        constraints = self.figure.constraints
        return [row for c in constraints for row in (*constraint_rows(state, c), *alignment_rows(state, c))]

    def _key(self, structures: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return all data on which the program depends, as its key."""
        links = [(link.parent_index, link.joint, link.mass_properties) for link in self.figure.links]
        goals = [[x.__qualname__ if isinstance(x, type) else x for x in goal.structure()] for goal in self.goals]
        names = [link.name for link in self.figure.links]
        limits = [(limit.q, limit.is_orientation) for limit in self.limits]
        shapes = [len(numbers) for numbers in structures[2]]
        return links, names, self.figure.constraints, goals, shapes, limits, sorted(self.locked), self.extent

    def solve(self, inputs: Inputs) -> tuple[Array, list[Array], Array, Array]:
        """Return q (n, nq), gaps (rows, n) of each goal, gaps of loops (rows, n), and iterations (n)."""
        program = self.program(1 if inputs.q.shape[1] == 1 else None)
        q, gaps, loop_gaps, iterations = program(
            inputs.q,
            inputs.posture,
            inputs.numbers,
            inputs.weights,
            inputs.bounds,
            np.array([[float(inputs.max_iterations)]]),
        )
        return q.T, np.split(gaps, np.cumsum(self.row_counts)[:-1]) if self.goals else [], loop_gaps, iterations[0]
