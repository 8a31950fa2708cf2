"""Centroidal momentum, its matrix, and their rates.

    h_G = A_G v        column of a direction S of joint j:  X_GW X_Wj I_C S,  I_C = I + sum over children X I_C X^T
    h_G' = A_G v' + A_G' v        A_G' v: external force at v' = 0, about the centre of mass

[Orin, Goswami & Lee 2013]. G has its origin at the centre of mass and the world's axes. Rotors of joints
are not included.
"""

from gambol.dynamics.bodies import centre_of_mass, inertia_in_joint, inertia_in_parent, momentum, rigid_inertias
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.derivatives import time_derivative
from gambol.dynamics.rnea import rnea
from gambol.spatial.motion import NO_FORCE, Force
from gambol.spatial.vector import Vector


def centroidal_momentum(state: Kinematics) -> Force:
    """Return angular momentum about the centre of mass [kg m2/s] and momentum [kg m/s], in world axes."""
    return _shift_to(centre_of_mass(state), momentum(state))


def centroidal_matrix(state: Kinematics) -> list[Force]:
    """Return the centroidal momentum matrix: nv columns, the momentum at each unit joint velocity."""
    figure, I = state.figure, rigid_inertias(state.figure)
    columns, centre = [NO_FORCE] * figure.nv, centre_of_mass(state)
    for link in figure.inward():
        joint, composite = state.joints[link.index], inertia_in_joint(I[link.index], state.joints[link.index])
        X_WJ = state.poses[link.parent_index] @ joint.X_PJ
        columns[link.v] = [_shift_to(centre, X_WJ @ (composite @ S)) for S in joint.columns]
        I[link.parent_index] += inertia_in_parent(composite, joint)
    return columns


def centroidal_matrix_rate(state: Kinematics) -> list[Force]:
    """Return the time derivative of each column of centroidal_matrix() at velocities v."""
    return time_derivative(centroidal_matrix, state)


def centroidal_bias(state: Kinematics) -> Force:
    """Return the rate of centroidal_momentum() at zero joint accelerations [N m, N]."""
    _, force = rnea(state, [0.0] * state.figure.nv, gravity=0.0)
    return _shift_to(centre_of_mass(state), force)


def _shift_to(centre: Vector, force: Force) -> Force:
    """Return a force or momentum about another point, in world axes.

    centre: the point [m]. force: the same force or momentum about the world's origin.
    """
    return Force(force.n - centre.cross(force.f), force.f)
