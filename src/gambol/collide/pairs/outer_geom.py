"""The convex outer surface of hollow shapes: the cylinder of a pipe, and the box about a height field."""

from gambol.collide.convex import Geom, field_box
from gambol.spatial import Transform


def outer_geom(geom: Geom, pose: Transform) -> tuple[Geom, Transform]:
    """Return the convex geom of the outer surface of a hollow one, and its pose; others are returned unchanged."""
    if geom.kind == "pipe":
        return Geom("cylinder", geom.sizes[1:]), pose
    if geom.kind == "height_field":
        middle, half = field_box(geom)
        return Geom("box", tuple(2.0 * size for size in half)), Transform(pose.rotation, pose @ middle)
    return geom, pose
