"""Energy constraints: assembly of parts by descent of the energies of their constraints.

    E = sum w |D|^2 / 2        x' = -G^-1 dE/dx        x: tangent coordinates of parts, and floating parameters

[Witkin, Fleischer and Barr 1987; Parent, chapter 4, energy minimization]. D are the deviations of constraints, lengths
in figure extents. With G, angles and lengths divided by the figure's extent have equal weight. An explicit method of
order 5 with error control solves the equation, in lanes: its stiffest part is some tens of times faster than its
slowest. Masses have no effect. A floating parameter, such as the position of a point on a path, or the size of a part,
changes with the coordinates and is part of the state.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.loops import Row, jacobian_row
from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure
from gambol.figure.figure import extent
from gambol.integrate import MotionState, StepControl, System, integrate_to, integrator
from gambol.lanes import Program, ProgramSpec, Scalar, jacobian
from gambol.plan.assembly.assembly import Assembly
from gambol.plan.assembly.checks import checked_constraints, checked_starts, met_constraints
from gambol.plan.assembly.sizes import Sizes, check_sizes, sized_by_logarithms, sized_links
from gambol.plan.pose import Goal
from gambol.plan.pose.numbers import Array
from gambol.spatial.dense import Numbers

METHOD = "dormand-prince"
FIRST_STEP = 0.01
"""First step of descent; the error control changes it."""


def assemble_by_energy(
    figure: Figure,
    q: ArrayLike,
    constraints: Iterable[Goal],
    *,
    sizes: Sizes | None = None,
    duration: float = 20.0,
    frames: int = 200,
    tolerance: float = 1e-4,
) -> Assembly:
    """Return the descent of parts into the assembly that constraints describe.

    figure: parts (loose_parts() takes a figure apart), or a figure with joints; its loops are constraints, too. q:
    coordinates (nq), or (W, nq) for W starts, which are computed in lanes. constraints: goals of poses,
    ClosureConstraint, CurveConstraint, SurfaceConstraint, Separation; their weights are the weights of the energies.
    sizes: parameters of the figure that the descent may change, by names of factors: {"rod": ("rod.part 0.length",
    "tip.position.z")} lets one factor multiply both. duration: duration of the descent; in a time of 1, a single
    deviation of weight 1 decreases to 1 / e. frames: number of frames after the first, at times that increase
    quadratically. tolerance: error of a step [rad, figure extents]. Raises GambolError for unknown links and
    parameters, and for invalid numbers. unmet() of the result returns constraints that are not satisfied.
    """
    factors = dict(sizes or {})
    check_sizes(figure, factors)
    goals = checked_constraints(figure, constraints, equations=False, resized=sized_links(figure, factors))
    starts, _ = checked_starts(figure, q, None)
    if not 0.0 < duration < np.inf or frames < 1 or not 0.0 < tolerance < np.inf:
        raise GambolError(
            f"a descent takes a positive duration, frames and tolerance, not {duration}, {frames}, {tolerance}"
        )
    descent = _Descent(figure, goals, factors, tolerance)
    times = duration * np.linspace(0.0, 1.0, frames + 1) ** 2
    now = np.concatenate([starts.T, np.repeat(descent.parameters[:, None], len(starts), axis=1)])
    step, columns = np.full((1, len(starts)), FIRST_STEP), list[tuple[Array, Array]]()
    for span in np.diff(times, prepend=0.0):
        now, step, gaps = descent.program(now, step, descent.numbers[:, None], np.array([[span]]))
        columns.append((now.T, gaps.T))
    return descent.assembly(times, [np.array(column) for column in zip(*columns, strict=True)])


@dataclass(frozen=True)
class _Descent:
    """The structure of a descent, and its program."""

    figure: Figure
    goals: tuple[Goal, ...]
    sizes: Sizes
    tolerance: float

    @cached_property
    def extent(self) -> float:
        return float(extent(self.figure))

    @cached_property
    def parameters(self) -> Array:
        """First values of the floating parameters of all constraints, and logarithms of the factors of sizes."""
        return np.concatenate([*(getattr(goal, "floating", ()) for goal in self.goals), np.zeros(len(self.sizes))])

    @cached_property
    def numbers(self) -> Array:
        return np.concatenate([np.empty(0), *(goal.numbers() for goal in self.goals)])

    @cached_property
    def coordinate_units(self) -> list[float]:
        """Unit of each tangent coordinate of the parts: 1 rad, or the extent. G has the diagonal 1 / unit^2."""
        units = [unit for link in self.figure.links for unit in JOINTS[link.joint.kind].v_units]
        return [self.extent if unit == "m/s" else 1.0 for unit in units]

    def state(self, q: Sequence[Scalar], parameters: Sequence[Scalar]) -> Kinematics:
        """Return the state at rest of the parts with their sizes. parameters: as in rows()."""
        figure = sized_by_logarithms(self.figure, self.sizes, parameters[len(parameters) - len(self.sizes) :])
        return kinematics(figure, q, [0.0] * figure.nv)

    def rows(self, state: Kinematics, numbers: Numbers, parameters: Sequence[Scalar]) -> list[list[Row]]:
        """Return the rows of each constraint at a state, not scaled.

        numbers, parameters: numbers and floating parameters of all constraints, one after the other, then sizes.
        """
        result, first, floating = list[list[Row]](), 0, 0
        for goal in self.goals:
            size, count = len(goal.numbers()), len(getattr(goal, "floating", ()))
            inputs = [*numbers[first : first + size], *parameters[floating : floating + count]]
            result.append(goal.rows(state, inputs))
            first, floating = first + size, floating + count
        return result

    def scales(self) -> list[float]:
        """Return the factor of each constraint's energy: its weight divided by the square of its unit."""
        return [goal.weight / self.extent**2 if goal.unit(self.figure) == "m" else goal.weight for goal in self.goals]

    def velocity(self, q: Sequence[Scalar], numbers: Numbers, parameters: Sequence[Scalar]) -> Numbers:
        """Return -G^-1 dE/dx: joint velocities (nv), then rates of the floating parameters."""
        state = self.state(q, parameters)
        descent_rates: Numbers = [0.0] * self.figure.nv
        for rows, scale in zip(self.rows(state, numbers, parameters), self.scales(), strict=True):
            for row in rows:
                force = scale * row.gap
                descent_rates = [x - force * y for x, y in zip(descent_rates, jacobian_row(state, row), strict=True)]
        descent_rates = [x * (s * s) for x, s in zip(descent_rates, self.coordinate_units, strict=True)]
        return [*descent_rates, *self._parameter_rates(q, numbers, parameters)]

    def _parameter_rates(self, q: Sequence[Scalar], numbers: Numbers, parameters: Sequence[Scalar]) -> Numbers:
        if not len(parameters):
            return []

        def energy(p: Sequence[Scalar]) -> list[Scalar]:
            rows = zip(self.rows(self.state(q, p), numbers, p), self.scales(), strict=True)
            return [sum((0.5 * scale * row.gap * row.gap for of_goal, scale in rows for row in of_goal), 0.0)]

        return [-x for x in jacobian(energy, parameters)[1][0]]

    @cached_property
    def program(self) -> Program:
        """The program of one span of time.

        Inputs: q with parameters, step, numbers, span. Outputs: q with parameters, step, gaps.
        """
        sizes = [self.figure.nq + len(self.parameters), 1, len(self.numbers), 1]
        spec = ProgramSpec("energy constraints", self._formula, tuple([0.0] * size for size in sizes))
        return Program(spec, "float64")

    def _formula(self, q: Numbers, step: Numbers, numbers: Numbers, span: Numbers) -> tuple[Any, ...]:
        figure, nq, count = self.figure, self.figure.nq, self.figure.nv + len(self.parameters)

        def integrate(q: Sequence[Scalar], x: Sequence[Scalar]) -> Numbers:
            parts = integrate_configuration(figure, q[:nq], x[: figure.nv])
            return [*parts, *(a + b for a, b in zip(q[nq:], x[figure.nv :], strict=True))]

        def rates(q: Sequence[Scalar], x: Sequence[Scalar], v: Sequence[Scalar]) -> Numbers:
            moved = integrate(q, x)
            velocity = self.velocity(moved[:nq], numbers, moved[nq:])
            return [*tangent_rates(figure, q[:nq], x[: figure.nv], velocity[: figure.nv]), *velocity[figure.nv :]]

        zero_rates: Numbers = [0.0] * count
        system = System(lambda t, q, v: (zero_rates, []), integrate, rates)
        control = StepControl(step[0], [self.tolerance] * (2 * count))
        initial = MotionState(q, [0.0 * step[0]] * count)
        end = integrate_to(integrator(METHOD), system, initial, (0.0 * span[0], span[0]), control)
        q_end = end.state.q
        parameters = q_end[nq:]
        gaps = [row.gap for rows in self.rows(self.state(q_end[:nq], parameters), numbers, parameters) for row in rows]
        return q_end, [end.h], gaps

    def assembly(self, times: Array, columns: list[Array]) -> Assembly:
        """Return the history; columns: q with parameters, and gaps (F, W, k)."""
        q, gaps = columns
        nq, parameters = self.figure.nq, q[0, 0, self.figure.nq :].tolist()
        first = self.state(q[0, 0, :nq].tolist(), parameters)
        counts = [len(rows) for rows in self.rows(first, self.numbers.tolist(), parameters)]
        of_goals = np.split(gaps, np.cumsum(counts)[:-1], axis=2)
        deviations = np.stack(
            [goal.residual(np.moveaxis(g, 2, 0)) for goal, g in zip(self.goals, of_goals, strict=True)], axis=2
        )
        energies = np.stack(
            [0.5 * s * (g * g).sum(axis=2) for g, s in zip(of_goals, self.scales(), strict=True)], axis=2
        )
        satisfied, none = met_constraints(self.figure, self.goals, deviations[-1]), np.empty(0)
        factors = np.exp(q[:, :, q.shape[2] - len(self.sizes) :])
        return Assembly(
            self.figure, self.goals, times, q[:, :, :nq], none, deviations, none, energies, satisfied,
            sizes=self.sizes, factors=dict(zip(self.sizes, np.moveaxis(factors, 2, 0), strict=True)),
        )  # fmt: skip
