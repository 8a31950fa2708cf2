"""Vectors, rotations, and spatial motion, force, inertia and transforms over generic scalars."""

from gambol.spatial.inertia import Inertia
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import Force, Motion
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.rotation import Rotation
from gambol.spatial.transform import Transform
from gambol.spatial.vector import Vector

__all__ = ["Force", "Inertia", "Matrix", "Motion", "Quaternion", "Rotation", "Symmetric", "Transform", "Vector"]
