"""The programs over the contacts of a step, before and after their impulses are found.

gap + (u + a r/2) r >= 0 :  u' >= min(-gap/r, u + a r),   else  u' >= -gap/r       r: the step's length (prepared)
J d >= -gap,  or 0.2 |gap| where bodies overlap                                    d: displacement (checked)
"""

from typing import Any

from gambol.contact.complementarity.cones.one_contact import DelassusBlock
from gambol.lanes import ProgramSpec, Scalar, gather, maximum, minimum, where
from gambol.rigid.body_table import ZERO, Column
from gambol.rigid.contact_point import ContactPoint, Side
from gambol.rigid.gap_programs import NEAR
from gambol.rigid.update import POINT
from gambol.spatial import Rotation, Vector
from gambol.spatial.matrix import Symmetric

TOUCHING_TOLERANCE = 1e-4
"""Fraction of a body's radius; a contact with a smaller gap has one common point instead of a point on each body. With
two points, several contacts between bodies that turn together could not all be without slip."""

CORRECTED_FRACTION = 0.2
"""Fraction of a penetration depth that a step corrects."""


def _prepared(
    sides: tuple[Scalar, Scalar],
    index: Scalar,
    strides: tuple[Scalar, Scalar],
    h: Scalar,
    bodies: Any,
    gaps: Any,
) -> tuple[Any, ...]:
    """Return contact point, Delassus block, gap and normal, and the least normal speed at the end of the step.

    sides: numbers of the bodies; index: index of the gap; strides: numbers of columns of both tables; h: step [s].
    """
    first, second = (Column(bodies, side, strides[0]) for side in sides)
    x = [gather(gaps, index + k * strides[1]) for k in range(NEAR)]
    points, normal, gap = (Vector.of(x[:3]), Vector.of(x[3:6])), Vector.of(x[6:9]), x[9]
    touching = abs(gap) < TOUCHING_TOLERANCE * first.number("radius")
    middle = (points[0] + points[1]) * 0.5
    arms = [
        Vector.of([where(touching, m, a) for m, a in zip(middle, point, strict=True)]) - body.vector("position")
        for point, body in zip(points, (first, second), strict=True)
    ]
    point = ContactPoint(Rotation.with_z_axis(normal), _side(first, arms[0]), _side(second, arms[1]))
    u, a = (point.velocity(first.motion(x), second.motion(x)).z for x in ("velocity", "acceleration"))
    return point, DelassusBlock.of(point.delassus()), (gap, normal), target_speed(gap, u, a, h)


def _side(body: Column, arm: Vector) -> Side:
    return Side(arm, body.number("inverse_mass"), Symmetric(*body.numbers("inverse_inertia")))


def target_speed(gap: Scalar, u: Scalar, a: Scalar, remaining: Scalar) -> Scalar:
    """Return the normal speed at the step's end that just closes a gap [m/s].

    If free flight does not close the gap, the result is at most the speed of free flight. gap [m]; u, a: speed and
    acceleration of free flight along the normal; remaining: time until the end of the step [s].
    """
    gap = maximum(gap, 0.0)
    stays_open = gap + (u + 0.5 * a * remaining) * remaining >= 0.0
    closing_speed = -gap / remaining
    return where(stays_open, minimum(closing_speed, u + a * remaining), closing_speed)


def _checked(
    point: ContactPoint, gap: Scalar, p: Vector, sides: tuple[Scalar, Scalar], stride: Scalar, bodies: Any
) -> tuple[Any, ...]:
    """Return the displacement along the normal that is missing, and the work of friction and of the normal impulse."""
    first, second = (Column(bodies, side, stride) for side in sides)
    moved = point.velocity(first.motion("displacement"), second.motion("displacement")).z
    u = point.velocity(first.motion("mean_velocity"), second.motion("mean_velocity"))
    return (least_displacement(gap) - moved, (p.x * u.x + p.y * u.y, p.z * u.z))


def least_displacement(gap: Scalar) -> Scalar:
    """Return the least displacement along the normal that causes no penetration, and reduces a present one [m]."""
    return where(gap < 0.0, -CORRECTED_FRACTION * gap, -gap)


PREPARED = ProgramSpec("pile prepared", _prepared, ((0.0, 0.0), 0.0, (0.0, 0.0), 0.0), 2, "prepared")
CHECKED = ProgramSpec("pile checked", _checked, (POINT, 0.0, ZERO, (0.0, 0.0), 0.0), 1, "checked")
