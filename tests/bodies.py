"""Random bodies for packing as data: a trunk with balls at its corners, and segments with a ball at each end."""

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Box, Capsule, Figure, Joint, Link, Matrix3, Part, Sphere, compose, rotation_about

Random = np.random.Generator


def random_body(seed: int, segments: int = 8, kinds: tuple[str, ...] = ("revolute",), along_z: bool = False) -> Figure:
    """Return a trunk with segments, each on the trunk or on any other segment, in depth-first order.

    along_z: all joints act along the z axes of their links.
    """
    random = np.random.default_rng(seed)
    size = random.uniform([0.3, 0.2, 0.08], [0.6, 0.3, 0.15])
    links = [Link("trunk", None, Joint("free"), _trunk(size))]
    path, lengths = [0], [0.0]
    for n in range(1, segments + 1):
        path = path[: 1 + int(random.integers(len(path)))]  # from the trunk to the parent of this one
        on = path[-1]
        x, y, z = map(float, random.uniform(-0.5, 0.5, 3) * size)
        place = (0.0, 0.0, -lengths[on]) if on else (x, y, z)
        kind, axis = str(random.choice(kinds)), _direction(random)
        joint = Joint(kind, (0.0, 0.0, 1.0) if along_z else axis, _turn(random), place)
        lengths.append(float(random.uniform(0.12, 0.3)))
        links.append(Link(f"segment {n}", links[on].name, joint, _segment(random, lengths[-1])))
        path.append(n)
    return Figure(f"body {seed}", tuple(links))


def start_of(figure: Figure, seed: int, height: float = 0.5) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coordinates (nq) and velocities (nv) of a body that falls from some height, hardly bent."""
    random = np.random.default_rng(seed)
    q = np.concatenate([[1.0], 0.1 * random.normal(size=figure.nq - 1)])
    q[:4] /= np.linalg.norm(q[:4])
    q[6] = height
    return q, 0.3 * random.normal(size=figure.nv)


def _trunk(size: NDArray[np.float64]) -> tuple[Part, ...]:
    x, y, z = map(float, size)
    corners = [(a * x, b * y, c * z) for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.5, 0.5)]
    balls = [Part(Sphere(0.02), corner, inertial=False) for corner in corners]
    return (Part(Box((x, y, z)), density=400.0, colliding=False), *balls)


def _segment(random: Random, length: float) -> tuple[Part, ...]:
    near, far = map(float, random.uniform(0.015, 0.04, 2))
    middle, end = (0.0, 0.0, -0.5 * length), (0.0, 0.0, -length)
    core = Part(Capsule(0.5 * (near + far), 0.8 * length), middle, colliding=False)
    return (core, Part(Sphere(near), inertial=False), Part(Sphere(far), end, inertial=False))


def _direction(random: Random) -> tuple[float, float, float]:
    x, y, z = map(float, random.normal(size=3))
    return (x, y, z)


def _turn(random: Random) -> Matrix3:
    return compose(rotation_about("x", 0.5 * float(random.normal())), rotation_about("y", 0.5 * float(random.normal())))
