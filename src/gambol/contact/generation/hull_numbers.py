"""Hulls as numbers of a program: hulls of different vertices and faces become one family of contact sources.

Vertices and faces are repeated until their numbers are powers of two, or those of the largest hull, so that few
families have all hulls. Each face has four corners of its own, see collide.convex.facet. The faces whose normals begin
a search come first, so that a search finds the same as for the hull by itself.
"""

from typing import Any, TypeAlias

from gambol.collide.broad import ball
from gambol.collide.broad.oriented import oriented_box
from gambol.collide.convex import Geom, GeomTemplate, HullTemplate, geom_of
from gambol.collide.convex.contact import chosen_faces
from gambol.collide.convex.facet import face_indices
from gambol.collide.convex.support import centre
from gambol.lanes import Scalar
from gambol.spatial.motion import IDENTITY_TRANSFORM

Template: TypeAlias = GeomTemplate | HullTemplate

MIN_HULL_POINTS = 8
"""Least number of vertices, and of faces, of a hull as numbers: with fewer, a search takes about as long."""


def number_template(geom: Geom, least: HullTemplate | None = None) -> Template:
    """Return the template of a geom for which a hull is numbers, with as many vertices and faces as it is padded to.

    least: least number of vertices, and of faces, unless the hull has none.
    """
    if geom.kind != "hull":
        return geom.template
    vertices, faces = _padded(len(geom.vertices)), _padded(len(geom.faces))
    if least is None:
        return HullTemplate(vertices, faces)
    return HullTemplate(max(vertices, least.vertices), max(faces, least.faces) if faces else 0)


def hull_numbers(template: HullTemplate, geom: Geom, shape: Any) -> tuple[Scalar, ...]:
    """Return Geom.numbers of a hull for a template, see number_template(); shape: the shape, for its bounds."""
    bounding, box = ball(shape, IDENTITY_TRANSFORM), oriented_box(geom_of(shape), IDENTITY_TRANSFORM)
    chosen = chosen_faces(geom)
    ordered = (*chosen, *(face for face in geom.faces if face not in chosen))
    faces = [[geom.vertices[k] for k in face_indices(face)] for face in ordered]
    vertices = _repeated(geom.vertices, template.vertices)
    corners = [corner for face in _repeated(faces, template.faces) for corner in face]
    points = [x for point in (*vertices, *corners) for x in point]
    return (*bounding.centre, bounding.radius, *box.pose.position, *box.half, *centre(geom), *points)


def _padded(count: int) -> int:
    """Return the number of points or faces of a family for a hull with `count` of them: 0 for 0, else a power of 2."""
    return max(MIN_HULL_POINTS, 1 << (count - 1).bit_length()) if count else 0


def _repeated(items: Any, count: int) -> list[Any]:
    """Return `count` items, the last of which are repeated; none for 0."""
    return [*items, *[items[-1]] * (count - len(items))] if count else []
