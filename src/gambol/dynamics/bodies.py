"""Rigid bodies of a figure: inertia, gyroscopic bias force and gravity; energy, momentum and centre of mass.

T = 1/2 (sum v.I v + sum a_r v_j^2)        V = -sum m g.c        h = sum X I v        c = sum m c_i / sum m

a_r: the armature, the inertia of a rotor as seen at its joint.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure, Triple
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.inertia import NO_INERTIA, Inertia, gyroscopic
from gambol.spatial.motion import NO_FORCE, Force, Motion
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO, Vector

Gravity: TypeAlias = Scalar | Vector
"""Strength of gravity along -z, or the acceleration of free fall in world axes [m/s2]."""

STANDARD_GRAVITY = 9.81
"""Strength of gravity on the surface of the Earth [m/s2]."""

NOTHING: Mapping[int, Any] = MappingProxyType({})


def rigid_inertias(figure: Figure) -> list[Inertia]:
    """Return the inertia of each link about its origin, in link coordinates; slot 0 is the world, with inertia 0."""
    properties = [link.mass_properties for link in figure.outward()]
    return [NO_INERTIA, *(Inertia.rigid(m.mass, Vector(*m.com), m.inertia) for m in properties)]


def rigid_biases(state: Kinematics, inertias: list[Inertia]) -> list[Force]:
    """Return the bias force of each link, at zero acceleration of its origin; slot 0 is the world, with force 0.

    state: positions and velocities. inertias: inertias of the links, see rigid_inertias().
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

    gravity: strength of gravity along -z, or a vector in world axes [m/s2].
    """
    if not isinstance(gravity, tuple):
        return gravity
    x, y, z = gravity
    return Vector(x, y, z) if x or y else -z


def world_acceleration(gravity: Gravity) -> Motion:
    """Return the fictitious upward acceleration of the world that replaces gravity. [Featherstone 2008, section 5.3]

    gravity: strength of gravity along -z, or a vector in world axes [m/s2].
    """
    return Motion(ZERO, -gravity if isinstance(gravity, Vector) else Vector(0.0, 0.0, gravity))


def kinetic_energy(state: Kinematics) -> Scalar:
    """Return the kinetic energy [J], including the energy of the rotors."""
    inertias = rigid_inertias(state.figure)
    links = sum((v.dot(I @ v) for I, v in zip(inertias, state.velocities, strict=True)), 0.0)
    rotors = [(link.joint.armature, v) for link in state.figure.outward() for v in state.v[link.v]]
    return 0.5 * (links + sum((a * (v * v) for a, v in rotors if not is_constant(a, 0.0)), 0.0))


def potential_energy(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> Scalar:
    """Return the potential energy of gravity [J]: 0 if all mass is at the world's origin; gravity: as for aba()."""
    return _mass_moment(state).dot(world_acceleration(gravity).v)


def momentum(state: Kinematics) -> Force:
    """Return angular momentum about the world's origin [kg m2/s] and momentum [kg m/s], in world axes."""
    inertias = rigid_inertias(state.figure)
    momenta = (X @ (I @ v) for X, I, v in zip(state.poses, inertias, state.velocities, strict=True))
    return sum(momenta, NO_FORCE)


def centre_of_mass(state: Kinematics) -> Vector:
    """Return the centre of mass in the world [m]; the world's origin if there is no mass."""
    mass = sum(link.mass_properties.mass for link in state.figure.outward())
    return ZERO if is_constant(mass, 0.0) else _mass_moment(state) * (1.0 / mass)


def _mass_moment(state: Kinematics) -> Vector:
    """Return the sum of masses times their positions [kg m]."""
    properties = ((state.poses[link.index], link.mass_properties) for link in state.figure.outward())
    return sum(((X @ Vector(*m.com)) * m.mass for X, m in properties), ZERO)
