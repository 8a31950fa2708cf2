"""Programs that move points to satisfy constraints, one after the other; and the limit of stretch.

The limit of stretch: a spring longer than 1.1 times its rest length is shortened to that length by moving its ends.
Ends share the change by inverse masses: equally between equal masses, and all of it at one end if the other is pinned.
[Provot 1995, section 4]
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.constraint import Compliance, corrections
from gambol.matter.elements.hinge import Bend, Hinge, curvature, hinge_angle, hinge_gradient
from gambol.matter.elements.spring import Spring, direction, end_fractions, excess_stretch, spring_constraint
from gambol.matter.forces.layout import ordered_sum, vector_at
from gambol.matter.forces.programs import SPRING, ZERO
from gambol.matter.motion.sweep import Sweep
from gambol.spatial import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

Corners = tuple[Scalar, ...]


def _moved(
    numbers: Any, law: Callable[[Any, list[Vector]], tuple[Scalar, list[Vector], Scalar, Scalar]]
) -> Callable[..., Any]:
    """Return the function of a program that corrects one constraint.

    numbers: example of the numbers. law: takes numbers and positions; returns C, its gradient, stiffness and damping.
    """

    def corrected(
        n: Any, sources: Corners, start: list[Vector], weights: Corners, h: Scalar, stride: Scalar, store: Any
    ) -> tuple[list[Vector], Scalar]:
        x = [vector_at(store, k, stride) for k in sources]
        C, gradient, stiffness, damping = law(n, x)
        moved = [a - b for a, b in zip(x, start, strict=True)]
        changes, lost = corrections(Compliance(stiffness, damping, h), C, gradient, moved, list(weights))
        return [a + b for a, b in zip(x, changes, strict=True)], lost

    return corrected


def _spring_law(s: Spring, x: list[Vector]) -> tuple[Scalar, list[Vector], Scalar, Scalar]:
    C, d = spring_constraint(s, x[0] - x[1])
    return C, [d, -d], s.stiffness, s.damping


def _hinge_law(s: Hinge, x: list[Vector]) -> tuple[Scalar, list[Vector], Scalar, Scalar]:
    return hinge_angle(*x) - s.rest, hinge_gradient(*x), s.stiffness, s.damping


def _bend_law(s: Bend, x: list[Vector]) -> tuple[Scalar, list[Vector], Scalar, Scalar]:
    w, a, b, divisor = curvature(s, x)
    d, size = direction(w)
    first = (d.cross(b) * 2.0 + b * size) * (1.0 / divisor)
    last = (d.cross(a) * 2.0 - a * size) * (1.0 / divisor)
    return size, [first, -(first + last), last], 2.0 * s.stiffness / (s.rest_a + s.rest_b), 0.0


LAWS: dict[str, tuple[Any, Any, int]] = {
    "springs": (SPRING, _spring_law, 2),
    "hinges": (Hinge(0.0, 0.0, 0.0), _hinge_law, 4),
    "bends": (Bend(0.0, 0.0, 0.0), _bend_law, 3),
}
"""For each kind of constraint: an example of its numbers, its law, and its number of corners."""


@lru_cache
def projection_program(kind: str, lanes: int | None) -> Program:
    """Return the program that corrects constraints of a kind, a key of LAWS. lanes: see Program."""
    numbers, law, width = LAWS[kind]
    unit = (0.0,) * width
    shapes = (numbers, unit, [ZERO] * width, unit, 0.0, 0.0)
    return Program(ProgramSpec(f"mesh project {kind}", _moved(numbers, law), shapes, 1, kind), lanes=lanes)


def _limited(
    rest: Scalar, limit: Scalar, sources: Corners, weights: Corners, stride: Scalar, store: Any
) -> tuple[Any, Scalar]:
    """Return the ends of a spring within its limit of stretch, and the excess length [m]."""
    a, b = (vector_at(store, k, stride) for k in sources)
    excess = excess_stretch(a - b, rest, limit)
    fraction_a, fraction_b = end_fractions(*weights)
    return (a - excess * fraction_a, b + excess * fraction_b), excess.length()


@lru_cache
def limit_program(lanes: int | None) -> Program:
    """Return the program that limits the stretch of springs."""
    shapes = (0.0, 0.0, (0.0, 0.0), (0.0, 0.0), 0.0)
    return Program(ProgramSpec("mesh limit", _limited, shapes, 1, "limit"), lanes=lanes)


class Projection:
    """Corrects constraints of one kind in sweeps.

    kind: a key of LAWS. corners: point indices (m, k); numbers: numbers of the constraints (rows, m). inverse_mass:
    inverse masses of points (1, N). lanes: see Program.
    """

    def __init__(self, kind: str, corners: Indices, numbers: Array, inverse_mass: Array, lanes: int | None) -> None:
        self.sweep, self.program = Sweep.of(corners), projection_program(kind, lanes)
        self.numbers, self.weights = self.sweep.rows(numbers), self.sweep.point_rows(inverse_mass)
        if kind == "bends":  # empty ones have rest lengths, so that nothing is divided by 0
            empty = self.sweep.owners[0] < 0
            self.numbers[:2, empty] = 1.0

    def project(self, x: Array, start: Array, h: float) -> float:
        """Correct positions x (3, N) in place; return the energy that dampers take [J].

        start: positions at the start of the substep of h [s] (3, N).
        """
        sweep = self.sweep
        store, begin, lost = sweep.point_rows(x), sweep.point_rows(start), np.empty((1, sweep.columns))
        stride, step = np.full((1, 1), float(sweep.columns)), np.full((1, 1), h)
        self.program.bind(
            self.numbers,
            sweep.sources,
            begin,
            self.weights,
            step,
            stride,
            out=[store, lost],
            tables=[store.reshape(-1)],
        )()
        sweep.write_back(store, x)
        return ordered_sum(lost[0])


class StretchLimit:
    """Limits the stretch of springs.

    ends: ends of the springs (m, 2). rest: rest lengths (m,) [m]. limit: largest ratio of length and rest length, such
    as 1.1. inverse_mass: inverse masses of points (1, N) [1/kg]. sweeps: maximum number of sweeps. lanes: see Program.
    """

    def __init__(
        self,
        ends: Indices,
        rest: Array,
        limit: float,
        inverse_mass: Array,
        sweeps: int,
        lanes: int | None,
    ) -> None:
        self.sweep, self.program = Sweep.of(ends), limit_program(lanes)
        self.rest, self.sweeps = self.sweep.rows(rest[None]), sweeps
        self.limit, self.tolerance = np.full((1, 1), limit), LIMIT_TOLERANCE * float(rest.min(initial=np.inf))
        self.weights = self.sweep.point_rows(inverse_mass)

    def limited(self, x: Array, intact: Array) -> tuple[Array, float]:
        """Return positions within the limit, and the largest excess before the last sweep [m].

        x: positions (3, N); intact: 1 for intact springs (m,).
        """
        sweep, x = self.sweep, x.copy()
        store, excess = sweep.point_rows(x), np.zeros((1, sweep.columns))
        rest = np.where(sweep.rows(intact[None]) > 0.5, self.rest, 1e30)
        stride = np.full((1, 1), float(sweep.columns))
        run = self.program.bind(
            rest,
            self.limit,
            sweep.sources,
            self.weights,
            stride,
            out=[store, excess],
            tables=[store.reshape(-1)],
        )
        for _ in range(self.sweeps):
            run()
            if float(excess.max()) <= self.tolerance:
                break
        sweep.write_back(store, x)
        return x, float(excess.max())


LIMIT_TOLERANCE = 1e-3
"""Excess over the limit, as a fraction of the shortest rest length, at which sweeps end."""
