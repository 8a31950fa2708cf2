"""Shapes of a USD stage as parts: colliders, or drawn shapes where a body has no collider."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.figure import IDENTITY, Box, Capsule, Cylinder, Ellipsoid, Frustum, Part, Shape, Sphere
from gambol.figure.color import color_text, srgb
from gambol.figure.rotation import matrix, triple
from gambol.formats.meshes import hull_or_box
from gambol.formats.usd.stage import Z_TO, Array, Place, Prim, Stage, inverse

MAX_POINTS = 10_000_000  # number of vertices of all meshes; their hulls take some 30 s
SHEAR_TOLERANCE = 1e-6  # as a fraction of the scale: a smaller shear is rounding of float32
NO_SELF_CONTACT = 2  # group of parts that touch the ground, whose mask is 1, but not each other


@dataclass
class PartMaker:
    """Makes parts of shapes. notes: receives sentences on approximations. points: number of vertices used so far."""

    stage: Stage
    notes: set[str]
    points: int = field(default=0)

    def part(self, shape: Prim, pose: Array) -> Part | None:
        """Return a shape as a part without mass, in a frame with this pose in the world; None for an omitted shape."""
        place = self.stage.place(shape["matrix"], shape["path"])
        solid = self._mesh(shape, place) if shape["kind"] == "Mesh" else self._solid(shape, place)
        if solid is None:
            return None
        X = inverse(pose) @ place.pose
        R, middle = X[:3, :3] @ solid.rotation, X @ np.array([*solid.middle, 1.0])
        part = Part(solid.shape, triple(middle[:3]), matrix(R), inertial=False, color=color_of(shape["color"]))
        if not shape["collides"]:
            return replace(part, colliding=False)
        friction, restitution = (shape.get(f"material:{name}") for name in ("dynamicFriction", "restitution"))
        articulation = self.stage.content["articulations"].get(shape["articulation"], {})
        group = NO_SELF_CONTACT if articulation.get("self_collision") is False else 1
        return replace(part, friction=friction, restitution=restitution or None, group=group)

    def _solid(self, shape: Prim, place: Place) -> "Solid | None":
        """Return a shape other than a mesh in its own axes; None, with a note, for a type that gambol does not have."""
        if np.abs(place.scale - np.diag(np.diag(place.scale))).max() > SHEAR_TOLERANCE * np.abs(place.scale).max():
            self.notes.add("Shapes that are sheared are drawn, and collide, without their shear.")
        scale = np.diag(place.scale)
        rotation = Z_TO.get(str(shape.get("axis", "Z")), np.eye(3))
        make = SOLIDS.get(shape["kind"])
        if make is None:
            self.notes.add(f"Left out: shapes of type {shape['kind']} that move with a body.")
            return None
        try:
            return Solid(make(shape, rotation.T @ scale), rotation=rotation)
        except (GambolError, TypeError) as error:
            raise GambolError(f'{self.stage.file}: "{shape["path"]}": {error}') from error

    def _mesh(self, shape: Prim, place: Place) -> "Solid | None":
        """Return the hull of a mesh, or the shape that approximates it; None, with a note, for a flat one."""
        points = self.stage.scaled_points(shape, place)
        self.points += len(points)
        if self.points > MAX_POINTS:
            raise GambolError(f"{self.stage.file}: its meshes have more than {MAX_POINTS} corners; simplify them")
        if not len(points) or not np.isfinite(points).all():
            self.notes.add("Meshes without points, or with points that are not finite, are left out.")
            return None
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        if shape["approximation"] == "boundingCube" and (high > low).all():
            return Solid(Box(triple(high - low)), triple((low + high) / 2.0))
        if shape["approximation"] == "boundingSphere" and (high > low).any():
            middle = (low + high) / 2.0
            return Solid(Sphere(float(np.linalg.norm(points - middle, axis=1).max())), triple(middle))
        found = hull_or_box(points, f'the mesh "{shape["path"]}"', self.notes)
        return None if found is None else Solid(*found)


@dataclass(frozen=True)
class Solid:
    """A shape, the position of its origin [m] and its rotation in the axes of a prim."""

    shape: Shape
    middle: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: Any = field(default_factory=lambda: np.array(IDENTITY))


def _sphere(shape: Prim, scale: Array) -> Shape:
    x, y, z = (float(shape["radius"]) * np.abs(scale)).tolist()
    return Sphere(x) if max(x, y, z) - min(x, y, z) <= SHEAR_TOLERANCE * x else Ellipsoid((x, y, z))


def _cone(shape: Prim, scale: Array) -> Shape:
    return _frustum((_radius(shape, "radius", scale), 0.0), shape, scale)


def _frustum(ends: tuple[float, float], shape: Prim, scale: Array) -> Shape:
    """Return a frustum with these radii at its lower and upper end; a negative scale swaps them."""
    lower, upper = ends if scale[2] > 0.0 else (ends[1], ends[0])
    return Frustum(lower, upper, _length(shape, scale))


def _cylinder_of_two_radii(shape: Prim, scale: Array) -> Shape:
    ends = (_radius(shape, "radiusBottom", scale), _radius(shape, "radiusTop", scale))
    if ends[0] == ends[1]:
        return Cylinder(ends[0], _length(shape, scale))
    return _frustum(ends, shape, scale)


def _capsule_of_two_radii(shape: Prim, scale: Array) -> Shape:
    ends = (_radius(shape, "radiusBottom", scale), _radius(shape, "radiusTop", scale))
    if ends[0] != ends[1]:
        raise GambolError("a capsule with two radii cannot be read; give both ends one radius")
    return _capsule(ends[0], _length(shape, scale))


def _capsule(radius: float, length: float) -> Shape:
    return Capsule(radius, length) if length else Sphere(radius)


def _radius(shape: Prim, name: str, scale: Array) -> float:
    """Return a radius [m]; of the two scales across the axis, the larger one is used, as in PhysX."""
    return float(shape[name]) * float(np.abs(scale[:2]).max())


def _length(shape: Prim, scale: Array) -> float:
    return float(shape["height"]) * abs(float(scale[2]))


SOLIDS: dict[str, Callable[[Prim, Array], Shape]] = {
    "Cube": lambda shape, scale: Box(triple(float(shape["size"]) * np.abs(scale))),
    "Sphere": _sphere,
    "Capsule": lambda shape, scale: _capsule(_radius(shape, "radius", scale), _length(shape, scale)),
    "Capsule_1": _capsule_of_two_radii,
    "Cylinder": lambda shape, scale: Cylinder(_radius(shape, "radius", scale), _length(shape, scale)),
    "Cylinder_1": _cylinder_of_two_radii,
    "Cone": _cone,
}
"""The shape of each type of USD, as a function of its prim and of three scales; the last scale is along the axis of the
shape."""


def color_of(linear: Sequence[float] | None) -> str | None:
    """Return a colour (linear RGB) as text (sRGB); None if there is none, or its numbers are not finite."""
    if linear is None or len(linear) < 3 or not all(map(math.isfinite, linear[:3])):
        return None
    return color_text(*srgb(np.clip(linear[:3], 0.0, 1.0)).tolist())


def chosen_shapes(shapes: Iterable[Prim]) -> list[Prim]:
    """Return the shapes of a body that become parts: its colliders, or visible shapes if it has no collider.

    A collider without a colour has the colour of the first shape of the body with one.
    """
    listed = [shape for shape in shapes if shape["collider"] or shape["visible"]]
    drawn = [shape for shape in listed if not shape["collider"]]
    color = next((shape["color"] for shape in (*drawn, *listed) if shape["color"] is not None), None)
    colliders = [shape for shape in listed if shape["collider"]]
    return [{**shape, "color": shape["color"] or color} for shape in colliders] or drawn
