"""Signed distances to the surfaces of parts, over generic scalars: negative inside.

Distances to spheres, capsules, boxes and cylinders are exact outside and inside. The distance to an ellipsoid is
first-order: k0 (k0 - 1) / k1 with k0 = |p / r| and k1 = |p / r^2|, exact at the surface. [Quilez 2008, distance
functions]
"""

from collections.abc import Callable, Sequence

from gambol.errors import GambolError
from gambol.figure import Part
from gambol.lanes import Scalar, maximum, minimum, sqrt
from gambol.spatial import Rotation, Transform, Vector

TINY = 1e-24
"""Squared length [m2] added below roots, so that their derivatives are finite."""


def _length(*components: Scalar) -> Scalar:
    return sqrt(sum((x * x for x in components), TINY))


def _rounded(*outside: Scalar) -> Scalar:
    """Return the distance to a solid from the distances outside its faces, which are normal to each other."""
    deepest = outside[0]
    for x in outside[1:]:
        deepest = maximum(deepest, x)
    return _length(*(maximum(x, 0.0) for x in outside)) + minimum(deepest, 0.0)


def _sphere(p: Vector, sizes: Sequence[float]) -> Scalar:
    return _length(*p) - sizes[0]


def _capsule(p: Vector, sizes: Sequence[float]) -> Scalar:
    half = 0.5 * sizes[1]
    return _length(p.x, p.y, p.z - maximum(minimum(p.z, half), -half)) - sizes[0]


def _box(p: Vector, sizes: Sequence[float]) -> Scalar:
    return _rounded(*(abs(x) - 0.5 * size for x, size in zip(p, sizes, strict=True)))


def _cylinder(p: Vector, sizes: Sequence[float]) -> Scalar:
    return _rounded(_length(p.x, p.y) - sizes[0], abs(p.z) - 0.5 * sizes[1])


def _ellipsoid(p: Vector, sizes: Sequence[float]) -> Scalar:
    k0 = _length(*(x / r for x, r in zip(p, sizes, strict=True)))
    k1 = _length(*(x / (r * r) for x, r in zip(p, sizes, strict=True)))
    return k0 * (k0 - 1.0) / k1


SURFACES: dict[str, Callable[[Vector, Sequence[float]], Scalar]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "box": _box,
    "cylinder": _cylinder,
    "ellipsoid": _ellipsoid,
}
"""Signed distances by kind of shape."""


def check_surface(part: Part, title: str) -> None:
    """Raise GambolError for a part with a kind of shape that has no signed distance."""
    if part.shape.kind not in SURFACES:
        raise GambolError(
            f"{title} needs the surface of a {part.shape.kind}; the kinds with a surface are {', '.join(SURFACES)}"
        )


def signed_distance(part: Part, p: Vector) -> Scalar:
    """Return the signed distance of a point p, in link coordinates, to the surface of a part [m]."""
    pose = Transform(Rotation(part.rotation), Vector(*part.position))
    return SURFACES[part.shape.kind](pose.inverse @ p, part.shape.sizes)
