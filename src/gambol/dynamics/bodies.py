"""Inputs of dynamics algorithms for each rigid body: inertia, gyroscopic bias force, gravity."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure, Triple
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.inertia import NO_INERTIA, Inertia, gyroscopic
from gambol.spatial.motion import NO_FORCE, Force, Motion
from gambol.spatial.vector import ZERO, Vector

Gravity: TypeAlias = Scalar | Vector

STANDARD_GRAVITY = 9.81  # m/s2

NOTHING: Mapping[int, Any] = MappingProxyType({})


def rigid_inertias(figure: Figure) -> list[Inertia]:
    """Return the inertia of each link about its origin, in link coordinates; slot 0 is the world, with inertia 0."""
    properties = [link.mass_properties for link in figure.outward()]
    return [NO_INERTIA, *(Inertia.rigid(m.mass, Vector(*m.com), m.inertia) for m in properties)]


def rigid_biases(state: Kinematics, inertias: list[Inertia]) -> list[Force]:
    """Return the bias force of each link, at zero acceleration of its origin; slot 0 is the world, with force 0.

    state: positions and velocities. inertias: of the links, see rigid_inertias().
    """
    links = zip(inertias[1:], state.velocities[1:], strict=True)
    return [NO_FORCE, *(gyroscopic(inertia, velocity.w) for inertia, velocity in links)]


def inertia_in_joint(inertia: Inertia, joint: Placement) -> Inertia:
    """Return a link's inertia in the axes of its joint frame."""
    for rotation in reversed(joint.inner):
        inertia = inertia.rotated(rotation)
    return inertia


def inertia_in_parent(inertia: Inertia, joint: Placement) -> Inertia:
    """Return an inertia about the parent's origin in the parent's axes; inertia: in the joint frame."""
    for rotation in reversed(joint.outer):
        inertia = inertia.rotated(rotation)
    return inertia.shifted(joint.X_PJ.position)


def gravity_scalar_or_vector(gravity: float | Triple) -> Gravity:
    """Return gravity as a scalar if it points along -z or z, else as a vector; a scalar needs fewer operations.

    gravity: its strength along -z, or a vector in world axes [m/s2].
    """
    if not isinstance(gravity, tuple):
        return gravity
    x, y, z = gravity
    return Vector(x, y, z) if x or y else -z


def world_acceleration(gravity: Gravity) -> Motion:
    """Return the fictitious upward acceleration of the world that replaces gravity. [Featherstone 2008, section 5.3]

    gravity: its strength along -z, or a vector in world axes [m/s2].
    """
    return Motion(ZERO, -gravity if isinstance(gravity, Vector) else Vector(0.0, 0.0, gravity))
