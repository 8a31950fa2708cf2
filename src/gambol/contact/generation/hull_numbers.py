"""Hulls as numbers of a program: hulls of different vertices and faces become one family of contact sources.

Vertices and faces are repeated until their numbers are powers of two, so that few families have all hulls. Each face
has four corners of its own, see collide.convex.facet.
"""

from typing import Any, TypeAlias

from gambol.collide.broad import ball
from gambol.collide.broad.oriented import oriented_box
from gambol.collide.convex import Geom, GeomTemplate, HullTemplate, geom_of
from gambol.collide.convex.facet import face_indices
from gambol.lanes import Scalar
from gambol.spatial.motion import IDENTITY_TRANSFORM

Template: TypeAlias = GeomTemplate | HullTemplate

MIN_HULL_POINTS = 8
"""Least number of vertices, and of faces, of a hull as numbers: with fewer, a search takes about as long."""


def number_template(geom: Geom) -> Template:
    """Return the template of a geom for which a hull is numbers, with as many vertices and faces as it is padded to."""
    if geom.kind != "hull":
        return geom.template
    return HullTemplate(_padded(len(geom.vertices)), _padded(len(geom.faces)))


def hull_numbers(template: HullTemplate, geom: Geom, shape: Any) -> tuple[Scalar, ...]:
    """Return Geom.numbers of a hull for a template, see number_template(); shape: the shape, for its bounds."""
    bounding, box = ball(shape, IDENTITY_TRANSFORM), oriented_box(geom_of(shape), IDENTITY_TRANSFORM)
    faces = [[geom.vertices[k] for k in face_indices(face)] for face in geom.faces]
    vertices = _repeated(geom.vertices, template.vertices)
    corners = [corner for face in _repeated(faces, template.faces) for corner in face]
    points = [x for point in (*vertices, *corners) for x in point]
    return (*bounding.centre, bounding.radius, *box.pose.position, *box.half, *points)


def _padded(count: int) -> int:
    """Return the number of points or faces of a family for a hull with `count` of them: 0 for 0, else a power of 2."""
    return max(MIN_HULL_POINTS, 1 << (count - 1).bit_length()) if count else 0


def _repeated(items: Any, count: int) -> list[Any]:
    """Return `count` items, the last of which are repeated; none for 0."""
    return [*items, *[items[-1]] * (count - len(items))] if count else []
