"""Vectors, rotations, and spatial motion, force, inertia and transforms over generic scalars."""

from gambol.spatial.inertia import Inertia
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import Force, Motion, Transform
from gambol.spatial.rotation import Quaternion, Rotation
from gambol.spatial.vector import Vector

__all__ = ["Force", "Inertia", "Matrix", "Motion", "Quaternion", "Rotation", "Symmetric", "Transform", "Vector"]
