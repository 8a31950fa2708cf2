"""The table of a pile's bodies: one column for each body, rows by name; and the programs over its columns.

a = I^-1 t, g + f/m                              acceleration without contacts (free)
v_free = v + r a                                 r: time that is left of the step (freed)
x' = x + d,  d = d_flown + r (v + v')/2          motion of the step (moved, advanced)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Precision, Program, ProgramSpec, Scalar, gather, leaves, maximum, sqrt, where
from gambol.lanes.program import MAX_LANES
from gambol.rigid.flight import inverse_inertia, rotated
from gambol.spatial import Motion, Quaternion, Transform, Vector
from gambol.spatial.matrix import Symmetric

Array = NDArray[Any]

ROWS = {
    "orientation": 4,
    "position": 3,
    "velocity": 6,
    "moments": 3,
    "inverse_mass": 1,
    "radius": 1,
    "wrench": 6,
    "reference": 3,
    "limit": 1,
    "inverse_inertia": 6,
    "acceleration": 6,
    "margin": 1,
    "excess": 1,
    "flown": 6,
    "remaining": 1,
    "displacement": 6,
    "mean_velocity": 6,
    "new_velocity": 6,
}
"""Rows of each quantity in the table, in world axes. moments: principal moments of inertia. wrench: external moment and
force. reference, limit: position when the candidates were found, and how far the body may be from there before they are
found again, its margin included; excess: how much further it is. margin: largest gap at which the body may touch within
the step. flown: displacement by flights between bounces; remaining: time after them; displacement: of the whole step;
mean_velocity: after the bounces; new_velocity: at the end of the step."""

STARTS = dict(zip(ROWS, np.cumsum([0, *ROWS.values()]).tolist(), strict=False))

SKIN = 0.02
"""Gaps up to this fraction of the bodies' radii are contacts even at rest, so that impulses and order persist."""

ZERO = Vector(0.0, 0.0, 0.0)
MOTION = Motion(ZERO, ZERO)
IDENTITY = Quaternion(1.0, 0.0, 0.0, 0.0)


BLOCK = MAX_LANES
"""Columns are a multiple of this number, so that programs of any number of lanes compute whole blocks."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table that a program reads: the table, the index of the column, and the number of columns."""

    table: Any
    index: Scalar
    stride: Scalar

    def numbers(self, name: str) -> list[Scalar]:
        """Return the rows of a quantity."""
        return [gather(self.table, self.index + (STARTS[name] + k) * self.stride) for k in range(ROWS[name])]

    def number(self, name: str) -> Scalar:
        """Return a quantity of one row."""
        return self.numbers(name)[0]

    def vector(self, name: str) -> Vector:
        """Return a quantity of three rows."""
        return Vector.of(self.numbers(name))

    def motion(self, name: str) -> Motion:
        """Return a quantity of six rows, angular first."""
        x = self.numbers(name)
        return Motion(Vector.of(x[:3]), Vector.of(x[3:]))

    def pose(self) -> Transform:
        """Return the pose of the body."""
        return Transform(Quaternion(*self.numbers("orientation")).rotation(), self.vector("position"))


class BodyTable:
    """The table of bodies, and its programs.

    Column 0 is the world. Columns after the last body have no mass and no effect. bodies: number of bodies, the world
    included; h: step [s]; gravity (3) [m/s2]; precision, lanes: see Program, lanes are then those of its programs.
    """

    def __init__(self, bodies: int, h: float, gravity: Array, precision: Precision, lanes: int | None) -> None:
        self.bodies, self.columns = bodies, -(-bodies // BLOCK) * BLOCK
        self.rows = np.zeros((sum(ROWS.values()), self.columns), np.dtype(precision))
        self["orientation"][0] = self["moments"][:] = 1.0
        self["remaining"][:, 1:] = h
        self.stride, step = np.full((1, 1), float(self.columns)), np.full((1, 1), h)
        self.precision: Precision = precision
        programs = {name: Program(PROGRAMS[name], precision, lanes) for name in ("free", "moved", "advanced")}
        self._moved, self.lanes = programs["moved"], programs["moved"].lanes
        free_inputs = self.span("orientation", "limit")
        self.free = programs["free"].bind(
            free_inputs, gravity.reshape(3, 1), step, out=[self.span("inverse_inertia", "excess")]
        )
        self.advanced = programs["advanced"].bind(
            *(self[name] for name in ("orientation", "position", "new_velocity", "displacement", "moments")),
            step,
            out=[self.span("orientation", "velocity")],
        )

    def __getitem__(self, name: str) -> Array:
        return self.rows[STARTS[name] : STARTS[name] + ROWS[name]]

    def span(self, first: str, last: str) -> Array:
        """Return the rows from those of one quantity to those of another."""
        return self.rows[STARTS[first] : STARTS[last] + ROWS[last]]

    @property
    def flat(self) -> Array:
        """The table in one dimension, as programs read it, see Column."""
        return self.rows.reshape(-1)

    def bind_freed(self, out: Array) -> BoundProgram:
        """Return the program for velocities at the end of the step without further contacts.

        out: a blocked array (blocks, 6, lanes).
        """
        program = Program(PROGRAMS["freed"], self.precision, out.shape[2])
        return program.bind(self["velocity"], self["acceleration"], self["remaining"], out=[out])

    def bind_moved(self, store: Array, last: Array, stride: int) -> BoundProgram:
        """Return the program for displacement, mean and new velocity of the bodies.

        store: a store of velocities; last: index of each body's final velocity in it (1, columns); stride: distance
        between its components.
        """
        return self._moved.bind(
            *(self[name] for name in ("velocity", "flown", "remaining")),
            last,
            np.full((1, 1), float(stride)),
            out=[self.span("displacement", "new_velocity")],
            tables=[store],
        )


def _free(body: dict[str, Any], gravity: Vector, h: Scalar) -> tuple[Any]:
    """Return inverse inertia, acceleration, margin and excess of a body, see ROWS; body: rows by name."""
    mass_inverse, velocity, wrench = body["inverse_mass"], body["velocity"], body["wrench"]
    movable = where(mass_inverse > 0.0, 1.0, 0.0)
    inertia = inverse_inertia(body["orientation"], body["moments"])
    inertia = Symmetric(*(x * movable for x in leaves(inertia)))
    acceleration = Motion(inertia.times(wrench.w), gravity * movable + wrench.v * mass_inverse)
    spin, speed, pull = (sqrt(x.dot(x)) for x in (velocity.w, velocity.v, acceleration.v))
    travel = h * (speed + spin * body["radius"] + h * pull)
    margin = maximum(travel, 0.5 * SKIN * body["radius"]) * movable
    away = body["position"] - body["reference"]
    return ((inertia, acceleration, margin, sqrt(away.dot(away)) + margin - body["limit"]),)


def _freed(velocity: Motion, acceleration: Motion, remaining: Scalar) -> tuple[Motion]:
    """Return the velocity after the remaining time."""
    return (velocity + acceleration * remaining,)


def stored_motion(table: Any, start: Scalar, stride: Scalar) -> Motion:
    """Return the motion with rows that begin at an index of a flat table of rows of this length."""
    x = [gather(table, start + row * stride) for row in range(6)]
    return Motion(Vector.of(x[:3]), Vector.of(x[3:]))


def _moved(
    velocity: Motion, flown: Motion, remaining: Scalar, last: Scalar, stride: Scalar, store: Any
) -> tuple[tuple[Motion, Motion, Motion]]:
    """Return displacement, mean velocity and new velocity of a body."""
    new = stored_motion(store, last, stride)
    mean = (velocity + new) * 0.5
    return ((flown + mean * remaining, mean, new),)


def _advanced(
    q: Quaternion, x: Vector, velocity: Motion, displacement: Motion, moments: Vector, h: Scalar
) -> tuple[tuple[Quaternion, Vector, Motion]]:
    """Return orientation, position and velocity after a displacement; velocity: after the contact impulses."""
    q_end, w = rotated(q, velocity.w, moments, displacement.w - velocity.w * h, h)
    return ((q_end, x + displacement.v, Motion(w, velocity.v)),)


FORMS: dict[int, Any] = {1: 0.0, 3: ZERO, 4: IDENTITY, 6: MOTION}
"""Structures of quantities by their number of rows."""

FREE_ROWS = list(ROWS)[: list(ROWS).index("limit") + 1]
"""Quantities that `free` reads: all rows before those that it writes."""

PROGRAMS = {
    "free": ProgramSpec("pile free", _free, ({name: FORMS[ROWS[name]] for name in FREE_ROWS}, ZERO, 0.0), 0, "free"),
    "freed": ProgramSpec("pile freed", _freed, (MOTION, MOTION, 0.0), 0, "freed"),
    "moved": ProgramSpec("pile moved", _moved, (MOTION, MOTION, 0.0, 0.0, 0.0), 1, "moved"),
    "advanced": ProgramSpec("pile advanced", _advanced, (IDENTITY, ZERO, MOTION, MOTION, ZERO, 0.0), 0, "advanced"),
}
"""The programs over the columns of the table."""
