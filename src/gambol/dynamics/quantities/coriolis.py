"""What position and motion alone ask of the joints: gravity, Coriolis and centrifugal terms.

    tau = M v' + C(q, v) v + g(q)

    C(q, v) w:    w_i = X w_P + S w        e_i = X e_P - v_J x X w_P + S' w
                  f_i = I e_i + (v x* I w + I (v x w) + w x* I v) / 2 + sum over children X f        (C w) = S.f

e_i is the rate of w_i in link coordinates while the figure moves at v and w is held; S' is that of S. The operator on w
in f_i is antisymmetric, hence so is M' - 2 C; and C v is what rnea.py gives. It is the C of Christoffel's symbols.
[Echeandia & Wensing 2021, here with rates in link coordinates]
"""

from collections.abc import Sequence

from gambol.dynamics.bodies import STANDARD_GRAVITY, Gravity, rigid_inertias
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.rnea import rnea
from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion


def gravity_forces(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> list[Scalar]:
    """Joint forces that hold a figure still against gravity (nv) [N m or N]; gravity as for aba()."""
    return rnea(state.at_rest(), [0.0] * state.figure.nv, gravity=gravity)[0]


def bias_forces(state: Kinematics, gravity: Gravity = STANDARD_GRAVITY) -> list[Scalar]:
    """Joint forces at which no joint accelerates (nv) [N m or N]: C v + g."""
    return rnea(state, [0.0] * state.figure.nv, gravity=gravity)[0]


def coriolis_forces(state: Kinematics, w: Sequence[Scalar] | None = None) -> list[Scalar]:
    """C(q, v) w, in the state's q and v, for joint velocities w (nv); of v itself where None [N m or N].

    C v are the Coriolis and centrifugal forces.
    """
    if w is None:
        return rnea(state, [0.0] * state.figure.nv, gravity=0.0)[0]
    I = rigid_inertias(state.figure)
    motions, rates, f = [AT_REST] * len(I), [AT_REST] * len(I), [NO_FORCE] * len(I)
    for link in state.figure.outward():
        i, joint = link.index, state.joints[link.index]
        along = joint.motion(state.v[link.v])
        carried = joint.X_PJ.pull(motions[link.parent_index])
        e = joint.X_PJ.pull(rates[link.parent_index]) - along.cross(carried)
        e = sum((bend.along * (w[link.v][bend.column] * state.v[link.v][bend.by]) for bend in joint.bends), e)
        motions[i], rates[i] = joint.to_link(carried + joint.motion(w[link.v])), joint.to_link(e)
        f[i] = _felt(I[i], state.velocities[i], motions[i], rates[i])
    tau: list[Scalar] = [0.0] * state.figure.nv
    for link in state.figure.inward():
        joint = state.joints[link.index]
        force = joint.to_joint(f[link.index])
        tau[link.v] = [S.dot(force) for S in joint.columns]
        f[link.parent_index] += joint.X_PJ @ force
    return tau


def _felt(inertia: Inertia, v: Motion, w: Motion, rate: Motion) -> Force:
    """The force on one body; `rate` is that of w in the body's coordinates."""
    turned = v.cross_force(inertia @ w) + inertia @ v.cross(w) + w.cross_force(inertia @ v)
    return inertia @ rate + turned * 0.5


def coriolis_matrix(state: Kinematics) -> list[list[Scalar]]:
    """C(q, v) by rows (nv x nv): of all C for which C v are the Coriolis forces, one that makes M' - 2 C antisymmetric.

    M' is the rate of the mass matrix as the figure moves at v.
    """
    n = state.figure.nv
    columns = [coriolis_forces(state, [float(j == k) for j in range(n)]) for k in range(n)]
    return [list(row) for row in zip(*columns, strict=True)]
