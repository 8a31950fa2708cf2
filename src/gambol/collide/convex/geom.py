"""A geom: the kind and the sizes of a shape, which may differ from lane to lane."""

from dataclasses import dataclass
from typing import Any

from gambol.errors import FigureError, did_you_mean
from gambol.lanes import Scalar
from gambol.spatial import Transform, Vector

SIZES: dict[str, int] = {
    "plane": 0,
    "sphere": 1,
    "capsule": 2,
    "box": 3,
    "cylinder": 2,
    "frustum": 3,
    "ellipsoid": 3,
    "hull": 0,
    "pipe": 3,
    "height_field": 2,
}
"""The number of sizes of each kind of geom. The sizes have the order of the shape of that kind."""


@dataclass(frozen=True, slots=True)
class GeomTemplate:
    """A geom without its sizes: what is compiled in, see Geom."""

    kind: str
    vertices: tuple[tuple[Scalar, Scalar, Scalar], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    heights: tuple[tuple[float, ...], ...] = ()

    def geom(self, sizes: tuple[Scalar, ...]) -> "Geom":
        """Return the geom of these sizes."""
        return Geom(self.kind, sizes, self.vertices, self.faces, self.heights)


BOUNDS = 13
"""The number of Geom.bounds."""


@dataclass(frozen=True, slots=True)
class HullTemplate:
    """A hull of which only the numbers of vertices and faces are compiled in; the rest is Geom.numbers."""

    vertices: int
    faces: int

    def geom(self, numbers: tuple[Scalar, ...]) -> "Geom":
        """Return the hull of these numbers."""
        points = tuple((x, y, z) for x, y, z in zip(*(numbers[BOUNDS + k :: 3] for k in range(3)), strict=True))
        return Geom(
            "hull",
            vertices=points[: self.vertices],
            faces=tuple((k, k + 1, k + 2, k + 3) for k in range(self.vertices, len(points), 4)),
            corners=points[self.vertices :],
            bounds=tuple(numbers[:BOUNDS]),
        )


@dataclass(frozen=True, slots=True)
class Geom:
    """A collision geometry: a kind of shape with sizes that are generic scalars.

    kind: a key of SIZES. sizes: sizes of the shape [m]: radius of a sphere; radius and length of a capsule (between the
    balls' centres) and of a cylinder; the edges of a box; base radius, top radius and length of a frustum; the three
    half axes of an ellipsoid; inner and outer radius and length of a pipe; spacing and thickness of a height field.
    vertices: vertices of a hull (x, y, z), in its frame [m]; empty for other kinds. faces: faces of a hull, the vertex
    indices of each face, anticlockwise seen from outside; without faces a hull has only one contact point with another
    solid. heights: heights of a height field, rows along x [m], plain numbers. corners: further points of a hull, which
    its faces may use, after its vertices. bounds: centre and radius of a ball about a hull, centre and half edges of a
    box about it, and the mean of its vertices [m]; empty if they follow from its vertices. A plane is the half space
    below z = 0 of its frame. Raises FigureError for an unknown kind, a wrong number of sizes, and a hull without
    vertices.
    """

    kind: str
    sizes: tuple[Scalar, ...] = ()
    vertices: tuple[tuple[Scalar, Scalar, Scalar], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    heights: tuple[tuple[float, ...], ...] = ()
    corners: tuple[tuple[Scalar, Scalar, Scalar], ...] = ()
    bounds: tuple[Scalar, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in SIZES:
            raise FigureError(
                f'there is no geom of kind "{self.kind}"; {did_you_mean(self.kind, SIZES)} (a shape of your own needs '
                "collide.add_shape)"
            )
        if len(self.sizes) != SIZES[self.kind]:
            raise FigureError(f"a {self.kind} has {SIZES[self.kind]} sizes, not {len(self.sizes)}")
        if (self.kind == "hull") != bool(self.vertices):
            raise FigureError(f"a {self.kind} cannot have {len(self.vertices)} vertices; a hull has some, others none")

    @property
    def points(self) -> tuple[tuple[Scalar, Scalar, Scalar], ...]:
        """The points of a hull that its faces use, by index."""
        return (*self.vertices, *self.corners)

    @property
    def numbers(self) -> tuple[Scalar, ...]:
        """The sizes, or the bounds and all points of a hull with bounds."""
        return (*self.bounds, *(x for point in self.points for x in point)) if self.bounds else self.sizes

    @property
    def template(self) -> GeomTemplate:
        """The geom without its sizes."""
        return GeomTemplate(self.kind, self.vertices, self.faces, self.heights)


PLANE = Geom("plane")
"""The geom of a plane, the half-space below z = 0 of its frame."""


def geom_of(shape: Any) -> Geom:
    """Return the geom of a shape of a figure; a geom is returned unchanged.

    shape: anything with a kind and sizes, also with vertices and faces for a hull, with heights for a height field.
    """
    if isinstance(shape, Geom):
        return shape
    if shape.kind == "hull":
        return Geom("hull", (), shape.vertices, shape.faces)
    if shape.kind == "height_field":
        return Geom("height_field", tuple(shape.sizes[:2]), heights=shape.heights)
    return Geom(shape.kind, tuple(shape.sizes))


def field_box(geom: Geom) -> tuple[Vector, Vector]:
    """Return the centre and the half edges of the bounding box of a height field, in its frame [m]."""
    spacing, thickness = geom.sizes
    low, high = (extreme(z for row in geom.heights for z in row) for extreme in (min, max))
    x, y = (0.5 * spacing * (n - 1) for n in (len(geom.heights), len(geom.heights[0])))
    bottom = low - thickness
    return Vector(0.0, 0.0, 0.5 * (high + bottom)), Vector(x, y, 0.5 * (high - bottom))


def outer_geom(geom: Geom, pose: Transform) -> tuple[Geom, Transform]:
    """Return the convex geom of the outer surface of a hollow one, and its pose; others are returned unchanged."""
    if geom.kind == "pipe":
        return Geom("cylinder", geom.sizes[1:]), pose
    if geom.kind == "height_field":
        middle, half = field_box(geom)
        return Geom("box", tuple(2.0 * size for size in half)), Transform(pose.rotation, pose @ middle)
    return geom, pose
