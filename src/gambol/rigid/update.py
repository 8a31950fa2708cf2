"""The update of one contact in a sweep: the impulse by which it obeys its law, and the motion of its bodies then."""

from dataclasses import dataclass
from typing import Any

from gambol.contact.complementarity.cones.one_contact import DelassusBlock
from gambol.lanes import ProgramSpec, Scalar, maximum, sqrt
from gambol.rigid.body_table import MOTION, ZERO, stored_motion
from gambol.rigid.contact_point import ContactPoint, Side
from gambol.spatial import Motion, Rotation, Vector
from gambol.spatial.matrix import Matrix, Symmetric

SIDE = Side(ZERO, 0.0, Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
ZERO_ROW = (0.0, 0.0, 0.0)
POINT = ContactPoint(Rotation((ZERO_ROW, ZERO_ROW, ZERO_ROW)), SIDE, SIDE)
DELASSUS = DelassusBlock.of(Matrix((ZERO_ROW, ZERO_ROW, ZERO_ROW)))
"""Examples of the pytrees of the programs' inputs."""

Updated = tuple[tuple[Motion, Motion], Vector, Scalar]


def updated(
    point: ContactPoint,
    delassus: DelassusBlock,
    law: tuple[Scalar, Scalar, Scalar],
    sources: tuple[Scalar, Scalar],
    stride: Scalar,
    p: Vector,
    store: Any,
) -> Updated:
    """Return the motions of a contact's bodies after its update, its impulse, and the largest velocity change [m/s].

    point, delassus: point and Delassus block of the contact; law: friction, least normal speed [m/s], and
    over-relaxation; sources: indices of the first rows of its bodies' motions in the store; stride: distance between
    these rows; p: present impulse.
    """
    first, second = (stored_motion(store, start, stride) for start in sources)
    u = point.velocity(first, second)
    full_change = delassus.solve(Vector(u.x, u.y, u.z - law[1]), law[0], p) - p
    change = (full_change * law[2]).with_component(2, maximum(full_change.z * law[2], -p.z))
    size = _trace(delassus) * sqrt(change.dot(change))
    return point.after_impulse(first, second, change), p + change, size


@dataclass(frozen=True, slots=True)
class NormalRow:
    """What the update of a contact without friction needs.

    normal: n, in world axes. arms: r x n of the two bodies; turns: I^-1 (r x n), the change of their angular velocities
    by a unit impulse. inverse_masses: 1/m of both [1/kg]. inverse: 1 / D_zz, see DelassusBlock; size: trace of D.
    """

    normal: Vector
    arms: tuple[Vector, Vector]
    turns: tuple[Vector, Vector]
    inverse_masses: tuple[Scalar, Scalar]
    inverse: Scalar
    size: Scalar


NORMAL_ROW = NormalRow(ZERO, (ZERO, ZERO), (ZERO, ZERO), (0.0, 0.0), 0.0, 0.0)


def reduced(point: ContactPoint, delassus: DelassusBlock) -> tuple[NormalRow]:
    """Return the normal row of a contact, as a tuple of one: the output of a program."""
    normal, sides = point.frame @ Vector(0.0, 0.0, 1.0), (point.first, point.second)
    arms = sides[0].arm.cross(normal), sides[1].arm.cross(normal)
    turns = sides[0].inverse_inertia.times(arms[0]), sides[1].inverse_inertia.times(arms[1])
    masses = sides[0].inverse_mass, sides[1].inverse_mass
    return (NormalRow(normal, arms, turns, masses, delassus.inverse, _trace(delassus)),)


def frictionless(
    row: NormalRow,
    law: tuple[Scalar, Scalar, Scalar],
    sources: tuple[Scalar, Scalar],
    stride: Scalar,
    p: Vector,
    store: Any,
) -> Updated:
    """Return the same as updated() for a contact without friction; p has only a normal component."""
    first, second = (stored_motion(store, start, stride) for start in sources)
    speed_of_turns = row.arms[0].dot(first.w) - row.arms[1].dot(second.w)
    normal_speed = row.normal.dot(first.v - second.v, speed_of_turns)
    change = maximum((law[1] - normal_speed) * row.inverse * law[2], -p.z)
    moved = (
        Motion(first.w + row.turns[0] * change, first.v + row.normal * (change * row.inverse_masses[0])),
        Motion(second.w - row.turns[1] * change, second.v - row.normal * (change * row.inverse_masses[1])),
    )
    return moved, Vector(0.0, 0.0, p.z + change), row.size * abs(change)


def _trace(delassus: DelassusBlock) -> Scalar:
    return delassus.D.rows[0][0] + delassus.D.rows[1][1] + delassus.D.rows[2][2]


def started(
    point: ContactPoint, starts: tuple[Scalar, Scalar], stride: Scalar, p: Vector, store: Any
) -> tuple[tuple[Motion, Motion]]:
    """Return the motions of a contact's bodies after its initial impulse p; arguments: see updated()."""
    first, second = (stored_motion(store, start, stride) for start in starts)
    return (point.after_impulse(first, second, p),)


def speed(point: ContactPoint, first: Motion, second: Motion) -> tuple[Vector]:
    """Return u of a contact, as a tuple of one: the output of a program."""
    return (point.velocity(first, second),)


INPUTS = ((0.0, 0.0, 0.0), (0.0, 0.0), 0.0, ZERO)
UPDATE_PROGRAMS = {
    "update": ProgramSpec("pile update", updated, (POINT, DELASSUS, *INPUTS), 1, "updated"),
    "reduced": ProgramSpec("pile normal rows", reduced, (POINT, DELASSUS), 0, "reduced"),
    "frictionless": ProgramSpec("pile update without friction", frictionless, (NORMAL_ROW, *INPUTS), 1, "frictionless"),
    "start": ProgramSpec("pile start", started, (POINT, (0.0, 0.0), 0.0, ZERO), 1, "started"),
    "speed": ProgramSpec("pile speed", speed, (POINT, MOTION, MOTION), 0, "speed"),
}
"""The programs over contacts in a sweep, by name."""
