"""The table of methods of forward dynamics; all give the same accelerations."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.crba import crba
from gambol.dynamics.forward.divide_and_conquer import divide_and_conquer
from gambol.dynamics.forward.lagrangian import lagrangian
from gambol.dynamics.forward.maximal import maximal
from gambol.dynamics.kinematics import Kinematics
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar
from gambol.spatial.motion import Force

Method: TypeAlias = Callable[..., list[Scalar]]
"""Takes state, tau, and by name f_ext and gravity; returns the joint accelerations (nv)."""


def _articulated(
    state: Kinematics, tau: Sequence[Scalar], *, f_ext: Mapping[int, Force], gravity: Gravity
) -> list[Scalar]:
    return aba(state, tau, f_ext=f_ext, gravity=gravity)[0]


METHODS: dict[str, Method] = {
    "aba": _articulated,
    "crba": crba,
    "maximal": maximal,
    "lagrangian": lagrangian,
    "divide_and_conquer": divide_and_conquer,
}
"""The methods of forward dynamics by name. Each has the arguments and the result of forward_dynamics()."""


def forward_dynamics(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    method: str = "aba",
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) [rad/s2, m/s2] by a method of the given name.

    state, tau, f_ext, gravity: as for aba(). method: a name in METHODS. Raises WorldError for an unknown name.
    """
    if method not in METHODS:
        raise WorldError(f'there is no method of forward dynamics "{method}"; {did_you_mean(method, METHODS)}')
    return METHODS[method](state, tau, f_ext=f_ext, gravity=gravity)
