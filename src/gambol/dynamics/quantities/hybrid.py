"""Hybrid dynamics: some joints move as told, the others as their forces make them.

    M v' + C v + g = tau + J^T f        for each joint either v' or tau is given and the other is found

By the articulated-body algorithm, in which such a joint lets nothing go. [Featherstone 2008, section 9.2]
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
    given: Mapping[int, Sequence[Scalar]],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> tuple[list[Scalar], list[Scalar]]:
    """All joint accelerations and all joint forces (nv each) of a figure some of whose joints move as told.

    tau: joint forces (nv) [N m or N]; those at joints that move as told do not matter. given: accelerations of such
    joints, by the number of the link. f_ext, gravity: as for aba().
    """
    rates, taken = aba(state, tau, f_ext=f_ext, gravity=gravity, prescribed=given)
    forces = list(tau)
    for link in state.figure.outward():
        if link.index in given:
            forces[link.v] = [a + b for a, b in zip(forces[link.v], taken[link.index], strict=True)]
    return rates, forces
