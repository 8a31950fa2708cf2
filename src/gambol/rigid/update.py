"""The update of one contact in a sweep: the impulse by which it obeys its law, and the motion of its bodies then."""

from typing import Any

from gambol.contact.complementarity.cones.one_contact import DelassusBlock
from gambol.lanes import Scalar, maximum, sqrt
from gambol.rigid.body_table import ZERO, stored_motion
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
    size = delassus.D.rows[0][0] + delassus.D.rows[1][1] + delassus.D.rows[2][2]
    return point.after_impulse(first, second, change), p + change, size * sqrt(change.dot(change))


def frictionless(
    point: ContactPoint,
    delassus: DelassusBlock,
    law: tuple[Scalar, Scalar, Scalar],
    sources: tuple[Scalar, Scalar],
    stride: Scalar,
    p: Vector,
    store: Any,
) -> Updated:
    """Return the same as updated() for a contact without friction; p has only a normal component."""
    first, second = (stored_motion(store, start, stride) for start in sources)
    normal_speed = point.velocity(first, second).z
    change = maximum((law[1] - normal_speed) * delassus.inverse * law[2], -p.z)
    size = delassus.D.rows[0][0] + delassus.D.rows[1][1] + delassus.D.rows[2][2]
    moved = point.after_impulse(first, second, Vector(0.0, 0.0, change))
    return moved, Vector(0.0, 0.0, p.z + change), size * abs(change)


def started(
    point: ContactPoint, starts: tuple[Scalar, Scalar], stride: Scalar, p: Vector, store: Any
) -> tuple[tuple[Motion, Motion]]:
    """Return the motions of a contact's bodies after its initial impulse p; arguments: see updated()."""
    first, second = (stored_motion(store, start, stride) for start in starts)
    return (point.after_impulse(first, second, p),)


def speed(point: ContactPoint, first: Motion, second: Motion) -> tuple[Vector]:
    """Return u of a contact, as a tuple of one: the output of a program."""
    return (point.velocity(first, second),)
