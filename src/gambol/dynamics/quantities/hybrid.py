"""Hybrid dynamics: some joints have prescribed accelerations, the others prescribed forces.

    M v' + C v + g = tau + J^T f        for each joint either v' or tau is an input, and the other is computed

The method is the articulated-body algorithm with prescribed joints. [Featherstone 2008, section 9.2]
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import aba
from gambol.dynamics.kinematics import Kinematics
from gambol.lanes import Scalar
from gambol.spatial.motion import Force


def hybrid_dynamics(
    state: Kinematics,
    tau: Sequence[Scalar],
    prescribed: Mapping[int, Sequence[Scalar]],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> tuple[list[Scalar], list[Scalar]]:
    """Return all joint accelerations and all joint forces (nv each) of a figure with prescribed joints.

    state: positions and velocities. tau: joint forces (nv) [N m or N]; joint forces of prescribed joints have no
    effect. prescribed: joint accelerations, by link index. f_ext, gravity: as for aba().
    """
    accelerations, beyond_tau = aba(state, tau, f_ext=f_ext, gravity=gravity, prescribed=prescribed)
    forces = list(tau)
    for link in state.figure.outward():
        if link.index in prescribed:
            forces[link.v] = [a + b for a, b in zip(forces[link.v], beyond_tau[link.index], strict=True)]
    return accelerations, forces
