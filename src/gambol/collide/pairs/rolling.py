"""Where shapes that roll touch a ground, at slots that keep their meaning as they do: for forces that remember them.

    rim of radius r about the axis w, ground normal n:  lowest point  r u,  u = (w (n . w) - n) / |w (n . w) - n|

and two more points of the rim, 120 degrees on either way. A rim on edge touches with the lowest point alone, which is
exact. A disc that lies flat touches with all three. How they are turned about the axis then is not felt: for springs in
proportion to depth, three points 120 degrees apart give the same force and moment wherever the first one is. That the
points move along the rim costs no energy and gives none: the depth of the lowest one is at its extreme, and what the
other two gain and lose cancels.
"""

from typing import Any

from gambol.collide.convex import Form, form_of
from gambol.collide.gap import Gap, chosen
from gambol.collide.ground import Ground
from gambol.collide.pairs.ground import ground_gaps, measured, plane_at
from gambol.collide.pairs.plane import SIDE, above
from gambol.collide.plane import Plane
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Transform, Vector

FLAT = 1e-5
"""Sine of the tilt below which the points of a rim stay where they are in the disc: all of them touch, or none does."""

ROLLING_SLOTS = {"cylinder": 6, "frustum": 6, "ellipsoid": 1}
"""Shapes that touch at points which move over them, with the number of these: three of each rim."""


def rolling_gaps(shape: Any, pose: Transform, ground: Ground, numbers: dict[str, Scalar], table: Any) -> list[Gap]:
    """The gaps between a cylinder, a frustum or an ellipsoid and the ground, as many as ROLLING_SLOTS says.

    On a plane they are exact. On other grounds the points are those that are lowest over the plane below the shape's
    middle, and each is measured against the ground below itself. Arguments as of ground_gaps().
    """
    form = form_of(shape)
    if form.kind == "ellipsoid":
        return ground_gaps(form, pose, ground, numbers, table)
    middle = plane_at(ground.surface(numbers, table, pose.position.x, pose.position.y), pose)
    found = [above(middle.rotation.columns[2], middle.position, point) for point in _of_rims(form, pose, middle)]
    if isinstance(ground, Plane):
        return found
    return [measured(gap, ground.surface(numbers, table, gap.here.x, gap.here.y)) for gap in found]


def _of_rims(form: Form, pose: Transform, plane: Transform) -> list[Vector]:
    """The lowest point of each rim over a plane, and the two points of the same rim 120 degrees on."""
    n, (x, _, w) = plane.rotation.columns[2], pose.rotation.columns
    base, top, length = form.sizes if form.kind == "frustum" else (form.sizes[0], form.sizes[0], form.sizes[1])
    down = w * n.dot(w) - n
    tilt = sqrt(down.dot(down))
    tilted = tilt > FLAT
    u = chosen(tilted, down * (1.0 / where(tilted, tilt, 1.0)), x)
    across, found = w.cross(u) * SIDE, list[Vector]()
    for radius, end in ((base, -0.5), (top, 0.5)):
        centre = pose.position + w * (end * length)
        found += [centre + way * radius for way in (u, across - u * 0.5, -across - u * 0.5)]
    return found
