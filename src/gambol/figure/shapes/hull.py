"""The convex hull of points."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np

from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.rotation import matrix, triple
from gambol.figure.shapes.contact_points import DIRECTIONS, ContactPoint
from gambol.figure.shapes.polyhedron import convex_hull, integrals

Face = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hull:
    """The convex hull of given points.

    vertices: any points [m]; only the corners of the hull are stored, in ascending order, so hulls with the same
    corners are equal. faces: vertex numbers of each face, anticlockwise seen from outside, the lowest first; coplanar
    faces are merged. Raises FigureError for fewer than four points, for points that are not finite, and for points in a
    plane (thinner than a millionth of their extent). A thicker sliver is valid, but collisions with its thin faces lose
    as many digits as the ratio of length to thickness has.
    """

    kind: ClassVar[str] = "hull"
    vertices: tuple[Triple, ...]
    faces: tuple[Face, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        vertices, faces = convex_hull(self.vertices)
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)

    @property
    def sizes(self) -> tuple[float, ...]:
        """The coordinates of the vertices, one vertex after the other [m]."""
        return tuple(x for vertex in self.vertices for x in vertex)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Vertex numbers of each edge, the lower first, in ascending order."""
        sides = (side for face in self.faces for side in zip(face, (*face[1:], face[0]), strict=True))
        return tuple(sorted((a, b) for a, b in sides if a < b))

    @property
    def triangles(self) -> tuple[tuple[int, int, int], ...]:
        """The faces cut into triangles, anticlockwise seen from outside."""
        return tuple((face[0], b, c) for face in self.faces for b, c in pairwise(face[1:]))

    @property
    def volume(self) -> float:
        """Volume of the hull [m3]."""
        return integrals(self.vertices, self.triangles)[0]

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the solid hull of this density [kg/m3], in the frame of its vertices."""
        volume, com, moments = integrals(self.vertices, self.triangles)
        inertia = density * (np.trace(moments) * np.eye(3) - moments)
        return MassProperties(density * volume, triple(com), matrix((inertia + inertia.T) / 2.0))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the vertices; of more than 26, only the support points in DIRECTIONS."""
        if len(self.vertices) <= len(DIRECTIONS):
            return tuple(ContactPoint(vertex, 0.0) for vertex in self.vertices)
        positions = np.array(self.vertices)
        numbers = sorted({int(np.argmax(positions @ np.array(direction))) for direction in DIRECTIONS})
        return tuple(ContactPoint(self.vertices[k], 0.0) for k in numbers)


def hull_from_sizes(sizes: Iterable[float]) -> Hull:
    """Return a hull from its `sizes`: the coordinates of its vertices, one vertex after the other [m]."""
    x = iter(sizes)
    return Hull(tuple(zip(x, x, x, strict=True)))
