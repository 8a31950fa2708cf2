"""The choice of a method of forward dynamics, for figures with loops and without."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.methods import METHODS
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import TREES, LoopOptions, closed_dynamics, closed_dynamics_derivatives, projected
from gambol.dynamics.quantities import Derivatives, forward_dynamics_derivatives
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.spatial.motion import Force

Numbers: TypeAlias = list[Scalar]

LOOPS = ("aba", "propagation", *TREES)
"""Methods for closed loops: by propagation, which "aba" means here, or by multipliers over a method for trees."""

BASES = ("aba", "propagation")
"""Methods that take a prescribed base."""

ACTION_INTEGRATORS = ("variational",)
"""Integrators that use energies and forces instead of accelerations; they ignore loop constraints."""

MOVING_AXES = ("free", "planar")
"""Joint kinds with linear velocities along rotating axes. A rotor there has no action integral: its angle would depend
on the path of the joint."""


def check_method(figure: Figure, method: str, integrator: str | None = None) -> None:
    """Raise WorldError unless a method handles a figure, and an integrator of this name, if given."""
    known = dict.fromkeys((*METHODS, *LOOPS)) if figure.constraints else METHODS
    if method not in known:
        raise WorldError(f'there is no method of dynamics "{method}"; {did_you_mean(method, known)}')
    if figure.prescribed and method not in BASES:
        raise WorldError(f'the method "{method}" has no prescribed base; take "aba"')
    if figure.constraints and method not in LOOPS:
        able = " or ".join(f'"{name}"' for name in LOOPS)
        raise WorldError(f'the method "{method}" holds no loops, and "{figure.name}" has some; take {able}')
    if integrator not in ACTION_INTEGRATORS:
        return
    if figure.constraints:
        raise WorldError(f'the integrator "{integrator}" holds no loops; take "rkf45" or "implicit midpoint"')
    if unfit := [link for link in figure.links if link.joint.armature and link.joint.kind in MOVING_AXES]:
        of = f'"{unfit[0].name}" has a {unfit[0].joint.kind} joint with a rotor'
        raise WorldError(
            f'{of}, which the integrator "{integrator}" cannot move; take "implicit midpoint", or no rotor'
        )


def projected_state(method: str, figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Numbers, Numbers]:
    """Return coordinates and velocities next to q (nq) and v (nv) at which all loops are closed.

    A prescribed base is not moved. This removes an integrator's drift after every step, so no stabilisation is needed.
    """
    locked = [figure.root.index] if figure.prescribed else []
    return projected(figure, q, v, _loop_options(method), locked)


def accelerations(
    method: str,
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return joint accelerations (nv), and for prescribed links the joint forces beyond tau, by link number.

    method: its name. state, tau, f_ext, gravity, prescribed: as for aba().
    """
    if state.figure.constraints:
        closed = closed_dynamics(state, tau, _loop_options(method), f_ext=f_ext, gravity=gravity, prescribed=prescribed)
        return closed.a, closed.prescribed_forces
    if method == "aba":
        return aba(state, tau, f_ext=f_ext, gravity=gravity, prescribed=prescribed)
    return METHODS[method](state, tau, f_ext=f_ext, gravity=gravity), {}


def acceleration_derivatives(
    method: str, state: Kinematics, tau: Sequence[Scalar], *, gravity: Gravity = STANDARD_GRAVITY
) -> Derivatives:
    """Return joint accelerations, with loops closed, and their derivatives by q, v and tau.

    method: its name. state, tau, gravity: as for aba().
    """
    if state.figure.constraints:
        return closed_dynamics_derivatives(state, tau, _loop_options(method), gravity=gravity)
    return forward_dynamics_derivatives(state, tau, gravity=gravity)


def _loop_options(method: str) -> LoopOptions:
    return LoopOptions("propagation" if method == "aba" else method)
