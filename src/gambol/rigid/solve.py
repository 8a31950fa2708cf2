"""Block Gauss-Seidel over the contacts of a pile: each contact is solved by Coulomb's law, with all others fixed.

Each lane of a program computes a contact. Contacts of one colour have no common body that can move, so a block of lanes
can be updated at once, with the same result as one after the other. Instead of a table of bodies there is a slot for
each side of each contact: a contact reads the velocities of its bodies from the slots of the contact before it, and
writes them to its own slots. The slots are both an output and a table of the program; blocks run one after the other.
(order.py)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact.complementarity.cones.one_contact import DelassusBlock
from gambol.lanes import Program, ProgramSpec, Scalar, gather, maximum, sqrt
from gambol.rigid.conjugate import ConjugateDirections
from gambol.rigid.contact_point import ContactPoint, Side
from gambol.rigid.order import SweepOrder
from gambol.spatial import Motion, Rotation, Vector
from gambol.spatial.matrix import Matrix, Symmetric

Array = NDArray[np.float64]

ZERO = Vector(0.0, 0.0, 0.0)
ZERO_MOTION = Motion(ZERO, ZERO)
SIDE = Side(ZERO, 0.0, Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
ZERO_ROW = (0.0, 0.0, 0.0)
POINT = ContactPoint(Rotation((ZERO_ROW, ZERO_ROW, ZERO_ROW)), SIDE, SIDE)
DELASSUS = DelassusBlock.of(Matrix((ZERO_ROW, ZERO_ROW, ZERO_ROW)))
"""Examples of the pytrees of the programs' inputs."""

SIDE_ROWS = 6  # components of a motion

OVER_RELAXATION = 1.4
"""Factor of each update: 216 inelastic balls in a heap need 52 sweeps with this factor, 127 without."""

FIRST_OVER_RELAXED, LAST_OVER_RELAXED = 5, 40
"""Range of sweeps in which updates are over-relaxed. Problems solved in fewer sweeps do not need it. In later sweeps
conjugate directions are used (conjugate.py): a tower of ten boxes, which could bend, takes 100 sweeps with them, and
thousands without."""

STALL_WINDOW, STALL_RATIO, STALL_RESIDUAL = 50, 0.8, 1e-6
"""Sweeps end if the best residual of the last STALL_WINDOW sweeps is above STALL_RATIO times the best of as many
previous sweeps, and below STALL_RESIDUAL [m/s]: the remaining residual cannot be reduced, as when several points of a
turning body slip."""


def prepared(normal: Vector, first: Side, second: Side) -> tuple[ContactPoint, DelassusBlock]:
    """Return a contact point, and its Delassus block.

    normal: normal of the contact, in world axes; first, second: its two bodies.
    """
    point = ContactPoint(Rotation.with_z_axis(normal), first, second)
    return point, DelassusBlock.of(point.delassus())


def updated(
    point: ContactPoint,
    delassus: DelassusBlock,
    law: tuple[Scalar, Scalar, Scalar],
    sources: tuple[Scalar, Scalar],
    row_stride: Scalar,
    p: Vector,
    table: Any,
) -> tuple[tuple[Motion, Motion], Vector, Scalar]:
    """Return the motions of a contact's bodies after its update, its impulse, and the largest velocity change [m/s].

    point, delassus: point and Delassus block of the contact; law: friction, least normal speed [m/s], and
    over-relaxation; sources: indices of the first rows of its bodies' motions in the table; row_stride: distance
    between these rows in the table; p: present impulse.
    """
    first, second = (_motion(table, start, row_stride) for start in sources)
    u = point.velocity(first, second)
    full_change = delassus.solve(Vector(u.x, u.y, u.z - law[1]), law[0], p) - p
    change = (full_change * law[2]).with_component(2, maximum(full_change.z * law[2], -p.z))
    size = delassus.D.rows[0][0] + delassus.D.rows[1][1] + delassus.D.rows[2][2]
    return point.after_impulse(first, second, change), p + change, size * sqrt(change.dot(change))


def _motion_changes(point: ContactPoint, p: Vector) -> tuple[tuple[Motion, Motion]]:
    """Return the changes of the two bodies' motions by an impulse."""
    return (point.after_impulse(ZERO_MOTION, ZERO_MOTION, p),)


def _speed(point: ContactPoint, first: Motion, second: Motion) -> tuple[Vector]:
    """Return u of a contact, as a tuple of one: the output of a program."""
    return (point.velocity(first, second),)


def _motion(table: Any, start: Scalar, row_stride: Scalar) -> Motion:
    """Return the motion with rows that begin at an index of a flat table."""
    numbers = [gather(table, start + row * row_stride) for row in range(SIDE_ROWS)]
    return Motion(Vector(*numbers[:3]), Vector(*numbers[3:]))


@dataclass(frozen=True)
class Solution:
    """Solution of a contact problem.

    velocity: velocity of all bodies (6, bodies). impulses: impulses of all contacts in their frames, normal last (3,
    columns) [N s]. residual: largest change of a velocity in the last sweep [m/s]. sweeps: number of sweeps.
    """

    velocity: Array
    impulses: Array
    residual: float
    sweeps: int


class Solver:
    """The programs of the contact solver.

    lanes: see Program. max_sweeps: limit of sweeps, after which the last result is the solution.
    """

    def __init__(self, lanes: int | None, max_sweeps: int) -> None:
        self.max_sweeps = max_sweeps
        forms = (POINT, DELASSUS, (0.0, 0.0, 0.0), (0.0, 0.0), 0.0, ZERO)
        self.sweep = Program(ProgramSpec("pile update", updated, forms, 1, "updated"), lanes=lanes)
        self.prepare = Program(ProgramSpec("pile prepare", prepared, (ZERO, SIDE, SIDE), 0, "prepared"), lanes=lanes)
        self.push = Program(ProgramSpec("pile push", _motion_changes, (POINT, ZERO), 0, "push"), lanes=lanes)
        self.speed = Program(
            ProgramSpec("pile speed", _speed, (POINT, ZERO_MOTION, ZERO_MOTION), 0, "speed"), lanes=lanes
        )
        self.lanes = self.sweep.lanes

    def speeds(self, points: Array, order: SweepOrder, velocity: Array) -> Array:
        """Return u of all contacts (3, columns), normal last [m/s].

        points, order: points and order of the contacts; velocity: velocity of the bodies (6, bodies).
        """
        return self.speed(points, *(velocity.take(bodies, axis=1) for bodies in order.sides))[0]

    def after_impulses(self, points: Array, order: SweepOrder, velocity: Array, p: Array) -> Array:
        """Return velocities of bodies (6, bodies) after impulses p (3, columns).

        points, order: points and order of the contacts; velocity: velocity of the bodies before (6, bodies).
        """
        changes = self.push(points, p)[0]
        return velocity + order.body_sums(changes, velocity.shape[1])

    def solve(
        self, problem: tuple[Array, Array], order: SweepOrder, laws: Array, velocity: Array, p: Array, tolerance: float
    ) -> Solution:
        """Return impulses that satisfy the laws of all contacts, and the velocities under them.

        problem: contact points and Delassus blocks (rows, columns). order: order of the contacts. laws: friction,
        target and over-relaxation (3, columns). velocity: velocities without impulses (6, bodies). p: initial impulses
        (3, columns). tolerance: residual at which sweeps end [m/s].
        """
        store = order.to_store(self.after_impulses(problem[0], order, velocity, p) if p.any() else velocity)
        impulses, change = p.copy(), np.zeros((1, order.columns))
        inputs = (*problem, laws, order.sources, np.full((1, 1), float(order.columns)), impulses)
        sweep = self.sweep.bind(*inputs, out=(store, impulses, change), tables=(store.reshape(-1),))
        # best: least residual of the previous window of sweeps, and of the present one
        residual, sweeps, conjugate, best = np.inf, 0, None, (np.inf, np.inf)
        while residual > tolerance and sweeps < self.max_sweeps:
            laws[2] = OVER_RELAXATION if FIRST_OVER_RELAXED <= sweeps < LAST_OVER_RELAXED else 1.0
            sweep()
            residual, sweeps = float(change.max()), sweeps + 1
            best = best[0], min(best[1], residual)
            if sweeps % STALL_WINDOW == 0:
                if STALL_RATIO * best[0] < best[1] < STALL_RESIDUAL:
                    break
                best = best[1], np.inf
            if sweeps >= LAST_OVER_RELAXED and residual > tolerance:
                if conjugate is None:
                    conjugate = ConjugateDirections(order, store, impulses, velocity)
                else:
                    conjugate.extrapolate(change)
        return Solution(order.from_store(store, velocity), impulses, residual, sweeps)
