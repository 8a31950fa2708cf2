"""Gravity, Coriolis and centrifugal terms of the equations of motion.

    tau = M v' + C(q, v) v + g(q)

    C(q, v) w:    w_i = X w_P + S w        e_i = X e_P - v_J x X w_P + S' w
                  f_i = I e_i + (v x* I w + I (v x w) + w x* I v) / 2 + sum over children X f        (C w) = S.f

e_i is the rate of w_i in link coordinates at velocities v and constant w; S' is the rate of S. The operator on w in f_i
is antisymmetric, so M' - 2 C is antisymmetric; and C v equals the result of rnea.py. C is the matrix of the Christoffel
symbols. [Echeandia & Wensing 2021, here with rates in link coordinates]
"""

from collections.abc import Sequence

from gambol.dynamics.bodies import STANDARD_GRAVITY, Gravity, rigid_inertias
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.rnea import rnea
from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion


def gravity_forces(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> list[Scalar]:
    """Return joint forces that hold a figure at rest against gravity (nv) [N m or N]; gravity: as for aba()."""
    return rnea(state.at_rest(), [0.0] * state.figure.nv, gravity=gravity)[0]


def bias_forces(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> list[Scalar]:
    """Return the bias forces C v + g, at zero joint accelerations (nv) [N m or N]; gravity: as for aba()."""
    return rnea(state, [0.0] * state.figure.nv, gravity=gravity)[0]


def coriolis_forces(state: Kinematics, w: Sequence[Scalar] | None = None) -> list[Scalar]:
    """Return C(q, v) w at the state's q and v [N m or N]; w: joint velocities (nv), or None for w = v.

    C v are the Coriolis and centrifugal forces.
    """
    if w is None:
        return rnea(state, [0.0] * state.figure.nv, gravity=0.0)[0]
    I = rigid_inertias(state.figure)
    motions, e_links, f = [ZERO_MOTION] * len(I), [ZERO_MOTION] * len(I), [NO_FORCE] * len(I)
    for link in state.figure.outward():
        i, joint = link.index, state.joints[link.index]
        v_J = joint.motion(state.v[link.v])
        w_P = joint.X_PJ.apply_inverse(motions[link.parent_index])
        e = joint.X_PJ.apply_inverse(e_links[link.parent_index]) - v_J.cross(w_P)
        e = sum((dS.value * (w[link.v][dS.column] * state.v[link.v][dS.coordinate]) for dS in joint.derivatives), e)
        motions[i], e_links[i] = joint.to_link(w_P + joint.motion(w[link.v])), joint.to_link(e)
        f[i] = _body_force(I[i], state.velocities[i], motions[i], e_links[i])
    tau: list[Scalar] = [0.0] * state.figure.nv
    for link in state.figure.inward():
        joint = state.joints[link.index]
        force = joint.to_joint(f[link.index])
        tau[link.v] = [S.dot(force) for S in joint.columns]
        f[link.parent_index] += joint.X_PJ @ force
    return tau


def _body_force(inertia: Inertia, v: Motion, w: Motion, e: Motion) -> Force:
    """Return f_i without the children; e: e_i."""
    gyroscopic = v.cross_force(inertia @ w) + inertia @ v.cross(w) + w.cross_force(inertia @ v)
    return inertia @ e + gyroscopic * 0.5


def coriolis_matrix(state: Kinematics) -> list[list[Scalar]]:
    """Return C(q, v) by rows (nv x nv). M' - 2 C is antisymmetric; M' is the time derivative of the mass matrix."""
    n = state.figure.nv
    columns = [coriolis_forces(state, [float(j == k) for j in range(n)]) for k in range(n)]
    return [list(row) for row in zip(*columns, strict=True)]
