"""Shapes of every kind, points of them, and poses, for tests of collision."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, Hull, Sphere
from gambol.spatial import Quaternion, Transform, Vector

Array = NDArray[np.float64]

CORNERS = ((0.4, 0.0, -0.2), (-0.3, 0.3, -0.25), (-0.2, -0.5, -0.1), (0.1, 0.05, 0.6))
SHAPES: dict[str, Any] = {
    "box": Box((0.3, 0.8, 0.5)),
    "sphere": Sphere(0.4),
    "capsule": Capsule(0.2, 0.7),
    "cylinder": Cylinder(0.3, 0.5),
    "frustum": Frustum(0.4, 0.15, 0.6),
    "flat frustum": Frustum(0.1, 0.9, 0.2),
    "cone": Frustum(0.0, 0.3, 0.7),
    "ellipsoid": Ellipsoid((0.2, 0.5, 0.3)),
    "hull": Hull(CORNERS),
}


def surface_points(shape: Any, random: np.random.Generator, count: int = 4000) -> Array:
    """Points (count, 3) on the surface of a shape or inside it, with its corners and rims well covered."""
    u = random.normal(size=(count, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    around = np.stack([np.cos(a := random.uniform(0, 2 * np.pi, count)), np.sin(a), 0 * a], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    if shape.kind == "box":
        return random.choice([-0.5, 0.5], size=(count, 3)) * shape.size
    if shape.kind == "sphere":
        return shape.radius * u
    if shape.kind == "capsule":
        return shape.radius * u + np.outer(random.choice([-0.5, 0.5], count) * shape.length, up)
    if shape.kind == "cylinder":
        return shape.radius * around + np.outer(random.choice([-0.5, 0.5], count) * shape.length, up)
    if shape.kind == "frustum":
        end = random.choice([-0.5, 0.5], count)
        radius = np.where(end < 0, shape.base_radius, shape.top_radius)
        return radius[:, None] * around + np.outer(end * shape.length, up)
    if shape.kind == "ellipsoid":
        return u * shape.radii
    return np.array(shape.vertices)


def pose_at(random: np.random.Generator, spread: float = 1.0) -> Transform:
    """A random pose."""
    q = random.normal(size=4)
    turn = Quaternion(*(q / np.linalg.norm(q)).tolist()).rotation()
    return Transform(turn, Vector(*random.normal(scale=spread, size=3).tolist()))


def poses(random: np.random.Generator, count: int, spread: float = 1.0) -> Transform:
    """Many random poses as one, of arrays (count,)."""
    q = random.normal(size=(4, count))
    return Transform(
        Quaternion(*(q / np.linalg.norm(q, axis=0))).rotation(), Vector(*random.normal(scale=spread, size=(3, count)))
    )


def rows(rotation: Any) -> Array:
    """A rotation as an array, (3, 3) or (3, 3, count)."""
    return np.array(rotation.rows)


def placed(pose: Transform, points: Array) -> Array:
    """Points (n, 3) of a body in one pose, in world axes."""
    return points @ rows(pose.rotation).T + np.array(list(pose.position))
