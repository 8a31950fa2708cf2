"""Separating planes kept from step to step: witnesses that two convex bodies are apart, without a search.

    s(n) = min_a n . x - max_b n . x = - h_a(-n) - h_b(n)        s(n) > margin: apart by more than the margin

h: support function, see support_extent.py. A plane that separates two bodies in one step mostly separates them in the
next one, too [Baraff 1990; Arnold 1997, section 2.4.1]. Its normal n is that of the last search, in the axes of the
first body, so that it turns with this body.
"""

from dataclasses import dataclass
from typing import Any

from gambol.collide.broad import local_extent
from gambol.collide.convex import geom_of
from gambol.collide.gap import FAR, UP, Gap
from gambol.collide.pairs import gaps, slots
from gambol.lanes import Precision, Scalar, when, where, working_precision
from gambol.spatial import Transform, Vector

NO_PLANE = Vector(0.0, 0.0, 0.0)
"""The normal of a plane that separates nothing: the initial witness."""

SEPARATION_TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-4}
"""A plane must separate by this fraction of the extents more than the margin. Sizes from a search may be that much too
small; so a plane never excludes a pair that the search finds within the margin."""


@dataclass(frozen=True, slots=True)
class WitnessedGaps:
    """Gaps of two bodies, and the plane to keep.

    gaps: as from gaps() where the plane did not separate the bodies, else gaps of FAR. normal: unit normal of the plane
    for the next step, in the axes of the first body. separated: 1 where the given plane separated the bodies, else 0.
    """

    gaps: list[Gap]
    normal: Vector
    separated: Scalar


def gaps_with_witness(
    shape_a: Any, pose_a: Transform, shape_b: Any, pose_b: Transform, normal: Vector, margin: Scalar = 0.0
) -> WitnessedGaps:
    """Return the gaps between two convex shapes, unless a plane shows that they are apart by more than a margin.

    shape_a, pose_a, shape_b, pose_b: as for gaps(), without planes, pipes and height fields. normal: normal of the
    plane from the last step, in the axes of the first body; NO_PLANE if there is none. margin: distance [m]. Where the
    gaps are within the margin, they are those of gaps(). While a program is traced, the search is skipped if all lanes
    are separated.
    """
    s, slack = separation_along(shape_a, pose_a, shape_b, pose_b, pose_a.rotation @ normal)
    separated = where(s > margin + slack, 1.0, 0.0)

    def search() -> tuple[list[Gap], Vector]:
        found = gaps(shape_a, pose_a, shape_b, pose_b)
        return found, pose_a.rotation.transpose @ _nearest_normal(found)

    origin = Vector(0.0, 0.0, 0.0)
    far = [Gap(origin, origin, UP, FAR, 0.0)] * slots(geom_of(shape_a).kind, geom_of(shape_b).kind)
    found, after = when(separated < 0.5, search, otherwise=(far, normal))
    return WitnessedGaps(found, after, separated)


def separation_along(
    shape_a: Any, pose_a: Transform, shape_b: Any, pose_b: Transform, normal: Vector
) -> tuple[Scalar, Scalar]:
    """Return the gap between the projections of two shapes onto a normal, and a bound on its rounding errors [m].

    normal: in world axes, from the second shape to the first. The gap is a lower bound of their distance, if positive
    and the normal of length 1.
    """
    extent_a = local_extent(shape_a, -(pose_a.rotation.transpose @ normal))
    extent_b = local_extent(shape_b, pose_b.rotation.transpose @ normal)
    distance = (pose_a.position - pose_b.position).dot(normal)
    size = abs(extent_a) + abs(extent_b) + abs(distance)
    return distance - extent_a - extent_b, SEPARATION_TOLERANCE[working_precision()] * size


def _nearest_normal(found: list[Gap]) -> Vector:
    """Return the normal of the smallest gap, from the second body to the first."""
    nearest = found[0]
    normal, size = nearest.normal, nearest.size
    for gap in found[1:]:
        smaller = gap.size < size
        normal = Vector.of([where(smaller, x, y) for x, y in zip(gap.normal, normal, strict=True)])
        size = where(smaller, gap.size, size)
    return normal
