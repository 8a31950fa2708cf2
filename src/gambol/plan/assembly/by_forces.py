"""Assembly by dynamic constraints: one program computes a frame for all starts, in lanes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.dynamics import STANDARD_GRAVITY, Kinematics, kinematics
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.dynamics.passive import Passive
from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure, Springs, Triple
from gambol.figure.figure import extent
from gambol.integrate import MotionState, StepControl, System, integrate_to, integrator
from gambol.lanes import Program, ProgramSpec, Scalar, subprogram
from gambol.plan.assembly.assembly import Assembly
from gambol.plan.assembly.checks import checked_constraints, checked_starts, met_constraints
from gambol.plan.assembly.dynamic import constrained_motion
from gambol.plan.assembly.moving import MOVING, PathConstraint
from gambol.plan.pose import Goal
from gambol.plan.pose.numbers import Array
from gambol.spatial.dense import Numbers

METHOD = "dormand-prince"
FIRST_STEP = 0.02
"""First step of integration, divided by the time constant. The error control changes it."""


def assemble_by_forces(
    figure: Figure,
    q: ArrayLike,
    constraints: Iterable[Goal],
    *,
    seconds: float,
    time_constant: float,
    v: ArrayLike | None = None,
    options: "AssemblyOptions | None" = None,
) -> Assembly:
    """Return the motion of parts, under their dynamics, into the assembly that constraints describe.

    figure: parts (loose_parts() takes a figure apart), or a figure with joints; its loops are constraints, too. q:
    coordinates (nq), or (W, nq) for W starts, which are simulated in lanes. constraints: PointGoal (point to point, or
    to a fixed point of the world), PathConstraint (point to path), OrientationGoal, AxisGoal, GazeGoal, JointGoal,
    ClosureConstraint. seconds: duration. time_constant: T, in which deviations decrease to 2 / e from rest [s]. v:
    initial velocities, in the same form as q; None: at rest. Raises GambolError for unknown links, invalid numbers, and
    balance in a polygon, which is not an equation. [Barzel and Barr 1988]
    """
    options = options or AssemblyOptions()
    goals = checked_constraints(figure, constraints, equations=True)
    q0, v0 = checked_starts(figure, q, v)
    for name, number in {"seconds": seconds, "time_constant": time_constant, "rate": options.rate}.items():
        if not 0.0 < number < np.inf:
            raise GambolError(f"{name} is {number:g}; give a positive number")
    times = np.arange(int(np.floor(seconds * options.rate * (1.0 + 1e-12))) + 1) / options.rate
    motion = _AssemblyMotion(figure, goals, options)
    q_now, v_now = q0.T, v0.T
    step = np.full((1, len(q0)), FIRST_STEP * time_constant)
    stopped, frames = np.full(len(q0), np.inf), list[tuple[Array, ...]]()
    for start, end in zip([0.0, *times[:-1]], times, strict=True):
        numbers = np.concatenate([np.empty(0), *(_numbers(goal, start, end) for goal in goals)])[:, None]
        inputs = q_now, v_now, step, numbers, np.array([[end - start]]), np.array([[time_constant]])
        q_next, v_next, step, status, gaps, forces = motion.program(*inputs)
        stopped = np.where(np.isinf(stopped) & (status[0] > 1.5), end, stopped)
        moving = np.isinf(stopped)
        q_now, v_now = np.where(moving, q_next, q_now), np.where(moving, v_next, 0.0)
        frames.append((q_now.T, v_now.T, gaps.T, np.where(moving, forces, 0.0).T))
    columns = [np.array(column) for column in zip(*frames, strict=True)]
    return motion.assembly(times, columns, stopped)


@dataclass(frozen=True)
class AssemblyOptions:
    """Options of assemble_by_forces().

    gravity: strength of gravity along -z, or a vector in world axes [m/s2]. springs: springs of joints, by link name.
    rate [frames/s]. tolerance: tolerance of velocities and displacements in a step of the integrator, in rad and figure
    extents.
    """

    gravity: float | Triple = 0.0
    springs: Mapping[str, Springs] | None = None
    rate: float = 60.0
    tolerance: float = 1e-8


EARTH = AssemblyOptions(gravity=STANDARD_GRAVITY)
"""Options with the gravity of the earth."""


def _numbers(goal: Goal, start: float, end: float) -> Array:
    """Return the numbers of a constraint during a frame."""
    numbers = goal.numbers()
    if isinstance(goal, PathConstraint):
        numbers[:MOVING] = goal.polynomial(start, end)
    return numbers


@dataclass(frozen=True)
class _AssemblyMotion:
    """The motion of an assembly: its structure and its program."""

    figure: Figure
    goals: tuple[Goal, ...]
    options: AssemblyOptions

    @cached_property
    def extent(self) -> float:
        return float(extent(self.figure))

    @cached_property
    def row_counts(self) -> list[int]:
        state = kinematics(self.figure, _rest(self.figure), [0.0] * self.figure.nv)
        return [len(goal.rows(state, goal.numbers().tolist())) for goal in self.goals]

    @cached_property
    def program(self) -> Program:
        """The program of one frame.

        Inputs: q, v, step, numbers, duration of the frame, time constant. Outputs: q, v, step, status, gaps, forces.
        """
        sizes = [self.figure.nq, self.figure.nv, 1, sum(len(goal.numbers()) for goal in self.goals), 1, 1]
        return Program(
            ProgramSpec("dynamic constraints", self._formula, tuple([0.0] * size for size in sizes)), "float64"
        )

    def _rows(self, state: Kinematics, numbers: Numbers, t: Scalar) -> list[tuple[Any, float]]:
        """Return all rows at time t of a frame, each with its scale."""
        rows, first = list[tuple[Any, float]](), 0
        for goal in self.goals:
            inputs = numbers[first : first + len(goal.numbers())]
            if isinstance(goal, PathConstraint):
                inputs[MOVING] = t
            scale = 1.0 / self.extent if goal.unit(self.figure) == "m" else 1.0
            rows += [(row, scale) for row in goal.rows(state, inputs)]
            first += len(goal.numbers())
        return rows

    def _formula(
        self, q: Numbers, v: Numbers, step: Numbers, numbers: Numbers, duration: Numbers, time_constant: Numbers
    ) -> tuple[Any, ...]:
        figure, options = self.figure, self.options
        gravity = gravity_scalar_or_vector(options.gravity)
        passive = Passive.of(figure, options.springs) if options.springs else None

        def motion_at(t: Scalar, q: Numbers, v: Numbers) -> tuple[list[tuple[Any, float]], Any]:
            state = kinematics(figure, q, v)
            rows = self._rows(state, numbers, t)
            return rows, constrained_motion(state, rows, time_constant[0], gravity, passive)

        def integrate(q: Sequence[Scalar], x: Sequence[Scalar]) -> Numbers:
            return integrate_configuration(figure, q, x)

        def rates(q: Sequence[Scalar], x: Sequence[Scalar], v: Sequence[Scalar]) -> Numbers:
            return tangent_rates(figure, q, x, v)

        def accelerations(t: Scalar, q: Numbers, v: Numbers) -> tuple[Numbers, Numbers]:
            return motion_at(t, q, v)[1].a, []

        system = System(subprogram(accelerations), integrate, rates)  # recorded once for all stages of a step
        control = StepControl(step[0], [options.tolerance] * (2 * figure.nv))
        span = (0.0 * duration[0], duration[0])
        end = integrate_to(integrator(METHOD), system, MotionState(q, v), span, control)
        rows, motion = motion_at(duration[0], end.state.q, end.state.v)
        return end.state.q, end.state.v, [end.h], [end.status], [row.gap for row, _ in rows], motion.forces

    def assembly(self, times: Array, columns: list[Array], stopped: Array) -> Assembly:
        """Return the history; columns: q, v, gaps and forces (F, W, k). stopped (W)."""
        q, v, gaps, forces = columns
        splits = np.cumsum(self.row_counts)[:-1]
        of_gaps, of_forces = np.split(gaps, splits, axis=2), np.split(forces, splits, axis=2)
        deviations = np.stack(
            [goal.residual(np.moveaxis(g, 2, 0)) for goal, g in zip(self.goals, of_gaps, strict=True)], axis=2
        )
        sizes = np.stack([np.linalg.norm(f, axis=2) for f in of_forces], axis=2)
        satisfied = met_constraints(self.figure, self.goals, deviations[-1])
        return Assembly(
            self.figure, self.goals, times, q, v, deviations, sizes, np.empty(0), satisfied, tuple(of_forces), stopped
        )


def _rest(figure: Figure) -> list[float]:
    """Return coordinates (nq) at which every joint is at rest."""
    return [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
