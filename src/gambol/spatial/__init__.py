"""Vectors, rotations, curves, and spatial motion, force, inertia and transforms over generic scalars."""

from gambol.spatial.curve import Curve, b_spline, bezier_point, catmull_rom, interpolating, polyline, straight
from gambol.spatial.inertia import Inertia
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import Force, Motion, Transform
from gambol.spatial.rotation import Quaternion, Rotation
from gambol.spatial.vector import Vector

__all__ = [
    "Curve",
    "Force",
    "Inertia",
    "Matrix",
    "Motion",
    "Quaternion",
    "Rotation",
    "Symmetric",
    "Transform",
    "Vector",
    "b_spline",
    "bezier_point",
    "catmull_rom",
    "interpolating",
    "polyline",
    "straight",
]
