"""Which accelerations forces give: the choice of a method, for figures with loops and without."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.methods import METHODS
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import TREES, Closing, closed_dynamics, closed_dynamics_derivatives, projected
from gambol.dynamics.quantities import Derivatives, forward_dynamics_derivatives
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.spatial.motion import Force

Numbers: TypeAlias = list[Scalar]

LOOPS = ("aba", "propagation", *TREES)
"""Methods that hold loops: by propagation, which "aba" means here, or by multipliers over a method for trees."""

BASES = ("aba", "propagation")
"""Methods that a base may be prescribed to."""

BY_ACTION = ("variational",)
"""Integrators that ask for energies and forces instead of accelerations: of those that hold loops they know nothing."""

DRIFTING = ("free", "planar")
"""Kinds of joints with linear velocities along axes that turn. A rotor there follows no action: it would have to be at
an angle that depends on the way the joint went."""


def check_method(figure: Figure, method: str, integrator: str | None = None) -> None:
    """Raise WorldError unless a method finds the accelerations of a figure, for an integrator of this name if given."""
    known = dict.fromkeys((*METHODS, *LOOPS)) if figure.constraints else METHODS
    if method not in known:
        raise WorldError(f'there is no method of dynamics "{method}"; {did_you_mean(method, known)}')
    if figure.prescribed and method not in BASES:
        raise WorldError(f'the method "{method}" has no prescribed base; take "aba"')
    if figure.constraints and method not in LOOPS:
        able = " or ".join(f'"{name}"' for name in LOOPS)
        raise WorldError(f'the method "{method}" holds no loops, and "{figure.name}" has some; take {able}')
    if integrator not in BY_ACTION:
        return
    if figure.constraints:
        raise WorldError(f'the integrator "{integrator}" holds no loops; take "rkf45" or "implicit midpoint"')
    if odd := [link for link in figure.links if link.joint.armature and link.joint.kind in DRIFTING]:
        of = f'"{odd[0].name}" hangs on a {odd[0].joint.kind} joint with a rotor'
        raise WorldError(
            f'{of}, which the integrator "{integrator}" cannot move; take "implicit midpoint", or no rotor'
        )


def closed_again(method: str, figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Numbers, Numbers]:
    """Coordinates and velocities next to q and v at which the figure's loops are closed; a prescribed base keeps still.

    What an integrator lets drift is undone after every step, so no stabilisation is needed, nor a rate for it.
    """
    held = [figure.root.index] if figure.prescribed else []
    return projected(figure, q, v, _closing(method), held)


def accelerations(
    method: str,
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Joint accelerations (nv), and the joint forces that prescribed links took, by number.

    tau, f_ext, gravity, prescribed: as for aba().
    """
    if state.figure.constraints:
        closed = closed_dynamics(state, tau, _closing(method), f_ext=f_ext, gravity=gravity, prescribed=prescribed)
        return closed.rates, closed.taken
    if method == "aba":
        return aba(state, tau, f_ext=f_ext, gravity=gravity, prescribed=prescribed)
    return METHODS[method](state, tau, f_ext=f_ext, gravity=gravity), {}


def acceleration_derivatives(
    method: str, state: Kinematics, tau: Sequence[Scalar], *, gravity: Gravity = STANDARD_GRAVITY
) -> Derivatives:
    """Joint accelerations, loops closed, and how they change with q, v and tau; gravity as for aba()."""
    if state.figure.constraints:
        return closed_dynamics_derivatives(state, tau, _closing(method), gravity=gravity)
    return forward_dynamics_derivatives(state, tau, gravity=gravity)


def _closing(method: str) -> Closing:
    return Closing("propagation" if method == "aba" else method)
