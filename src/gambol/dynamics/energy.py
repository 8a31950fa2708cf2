"""Energy, momentum and centre of mass of a figure.

T = 1/2 (sum v.I v + sum a_r v_j^2)        V = -sum m g.c        h = sum X I v        c = sum m c_i / sum m
"""

from gambol.dynamics.bodies import STANDARD_GRAVITY, Gravity, rigid_inertias, world_acceleration
from gambol.dynamics.kinematics import Kinematics
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, Force
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO, Vector


def kinetic_energy(state: Kinematics) -> Scalar:
    """Return the kinetic energy [J], including that of the rotors."""
    inertias = rigid_inertias(state.figure)
    links = sum((v.dot(I @ v) for I, v in zip(inertias, state.velocities, strict=True)), 0.0)
    rotors = [(link.joint.armature, v) for link in state.figure.outward() for v in state.v[link.v]]
    return 0.5 * (links + sum((a * (v * v) for a, v in rotors if not is_constant(a, 0.0)), 0.0))


def potential_energy(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> Scalar:
    """Return the potential energy of gravity [J]: 0 if all mass is at the world's origin; gravity as for aba()."""
    return _mass_moment(state).dot(world_acceleration(gravity).v)


def momentum(state: Kinematics) -> Force:
    """Return angular momentum about the world's origin [kg m2/s] and momentum [kg m/s], in world axes."""
    inertias = rigid_inertias(state.figure)
    momenta = (X @ (I @ v) for X, I, v in zip(state.poses, inertias, state.velocities, strict=True))
    return sum(momenta, NO_FORCE)


def centre_of_mass(state: Kinematics) -> Vector:
    """Return the centre of mass in the world [m]; the world's origin where there is no mass."""
    mass = sum(link.mass_properties.mass for link in state.figure.outward())
    return ZERO if is_constant(mass, 0.0) else _mass_moment(state) * (1.0 / mass)


def _mass_moment(state: Kinematics) -> Vector:
    """Return the sum of masses times their positions [kg m]."""
    properties = ((state.poses[link.index], link.mass_properties) for link in state.figure.outward())
    return sum(((X @ Vector(*m.com)) * m.mass for X, m in properties), ZERO)
