"""What each rigid body of a figure brings to an algorithm: its inertia, and the force its own motion takes."""

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
    """Inertia of each link about its origin, in link coordinates; none in the world's slot."""
    properties = [link.mass_properties for link in figure.outward()]
    return [NO_INERTIA, *(Inertia.rigid(m.mass, Vector(*m.com), m.inertia) for m in properties)]


def rigid_biases(state: Kinematics, inertias: list[Inertia]) -> list[Force]:
    """Force that each link takes to turn as it does while its origin is not accelerated; none in the world's slot."""
    turning = zip(inertias[1:], state.velocities[1:], strict=True)
    return [NO_FORCE, *(gyroscopic(inertia, velocity.w) for inertia, velocity in turning)]


def in_joint_axes(inertia: Inertia, joint: Placement) -> Inertia:
    """A link's inertia in the axes of its joint frame."""
    for turn in reversed(joint.inner):
        inertia = inertia.rotated(turn)
    return inertia


def in_parent_axes(inertia: Inertia, joint: Placement) -> Inertia:
    """An inertia in a joint's frame, as the parent feels it: about the parent's origin, in the parent's axes."""
    for turn in reversed(joint.outer):
        inertia = inertia.rotated(turn)
    return inertia.shifted(joint.X_PJ.position)


def gravity_of(given: float | Triple) -> Gravity:
    """Gravity as the formulas take it: where it pulls straight down its strength alone, which leaves less to compute.

    given: its strength along -z, or free fall in world axes [m/s2].
    """
    if not isinstance(given, tuple):
        return given
    x, y, z = given
    return Vector(x, y, z) if x or y else -z


def resting_frame(gravity: Gravity) -> Motion:
    """The world's acceleration that has the effect of gravity: upwards. [Featherstone 2008, section 5.3]

    gravity: its strength along -z, or the vector of free fall in world axes [m/s2].
    """
    return Motion(ZERO, -gravity if isinstance(gravity, Vector) else Vector(0.0, 0.0, gravity))
