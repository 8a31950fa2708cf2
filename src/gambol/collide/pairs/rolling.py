"""Gaps between rolling shapes and a ground, with a fixed meaning of each slot: for contact forces with memory.

    rim of radius r about the axis w, ground normal n:  lowest point  r u,  u = (w (n . w) - n) / |w (n . w) - n|

and two more points of the rim, 120 degrees on either side. A tilted rim touches with the lowest point only, which is
exact. A disc that lies flat touches with all three. Their angle about the axis then has no effect: with springs linear
in depth, three points 120 degrees apart give the same force and moment at any angle. The motion of the points along the
rim does no work: the depth of the lowest one is extremal, and the work of the other two cancels.
"""

from typing import Any

from gambol.collide.convex import Geom, geom_of
from gambol.collide.gap import Gap, select
from gambol.collide.ground import Ground, Plane
from gambol.collide.pairs.ground import SIN_120, gap_to_surface, ground_gaps, plane_at, point_plane_gap
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Transform, Vector

MIN_TILT_SINE = 1e-5
"""Sine of the tilt below which the points of a rim are fixed in the disc: all of them touch, or no point touches."""

ROLLING_SLOTS = {"cylinder": 6, "frustum": 6, "ellipsoid": 1}
"""Shapes whose contact points move over the surface, and numbers of points: three for a rim, one for an ellipsoid."""


def rolling_gaps(shape: Any, pose: Transform, ground: Ground, numbers: dict[str, Scalar], table: Any) -> list[Gap]:
    """Return the gaps of a cylinder, a frustum or an ellipsoid and the ground; their number is in ROLLING_SLOTS.

    On a plane the gaps are exact. On other grounds the points are the lowest points over the plane below the shape's
    origin, and the gap of each point is its distance from the ground below it. Arguments: see ground_gaps().
    """
    geom = geom_of(shape)
    if geom.kind == "ellipsoid":
        return ground_gaps(geom, pose, ground, numbers, table)
    plane = plane_at(ground.surface(numbers, table, pose.position.x, pose.position.y), pose)
    gaps = [
        point_plane_gap(plane.rotation.columns[2], plane.position, point) for point in _rim_points(geom, pose, plane)
    ]
    if isinstance(ground, Plane):
        return gaps
    return [gap_to_surface(gap, ground.surface(numbers, table, gap.point_a.x, gap.point_a.y)) for gap in gaps]


def _rim_points(geom: Geom, pose: Transform, plane: Transform) -> list[Vector]:
    """Return the lowest point of each rim over a plane, and the two points of the rim 120 degrees from it."""
    n, (x, _, w) = plane.rotation.columns[2], pose.rotation.columns
    base, top, length = geom.sizes if geom.kind == "frustum" else (geom.sizes[0], geom.sizes[0], geom.sizes[1])
    down = w * n.dot(w) - n
    tilt = sqrt(down.dot(down))
    tilted = tilt > MIN_TILT_SINE
    u = select(tilted, down * (1.0 / where(tilted, tilt, 1.0)), x)
    across, points = w.cross(u) * SIN_120, list[Vector]()
    for radius, end in ((base, -0.5), (top, 0.5)):
        centre = pose.position + w * (end * length)
        points += [centre + direction * radius for direction in (u, across - u * 0.5, -across - u * 0.5)]
    return points
