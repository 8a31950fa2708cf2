"""The choice of a method of forward dynamics, for figures with or without loops."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.methods import METHODS
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import TREES, LoopOptions, closed_dynamics, closed_dynamics_derivatives, projected, rows
from gambol.dynamics.quantities import Derivatives, forward_dynamics_derivatives
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, Force

Numbers: TypeAlias = list[Scalar]

LOOP_METHODS = ("aba", "propagation", *TREES)
"""Methods for closed loops. "aba" is "propagation" here; other names in TREES use Lagrange multipliers."""

PRESCRIBED_BASE_METHODS = ("aba", "propagation")
"""Methods that support a prescribed base."""

ACTION_INTEGRATORS = ("variational",)
"""Integrators that use energies and forces instead of accelerations; they ignore loop constraints."""


def check_method(figure: Figure, method: str, integrator: str | None = None) -> None:
    """Raise WorldError unless a method supports a figure and an integrator.

    method: name of the method. integrator: name of the integrator, or None to check the method only.
    """
    known = dict.fromkeys((*METHODS, *LOOP_METHODS)) if figure.constraints else METHODS
    if method not in known:
        raise WorldError(f'there is no method of dynamics "{method}"; {did_you_mean(method, known)}')
    if figure.prescribed and method not in PRESCRIBED_BASE_METHODS:
        raise WorldError(f'the method "{method}" does not support a prescribed base; use "aba"')
    if figure.constraints and method not in LOOP_METHODS:
        alternatives = " or ".join(f'"{name}"' for name in LOOP_METHODS)
        raise WorldError(f'the method "{method}" does not support the loops of "{figure.name}"; use {alternatives}')
    if integrator not in ACTION_INTEGRATORS:
        return
    if figure.constraints:
        raise WorldError(f'the integrator "{integrator}" does not support loops; use "rkf45" or "implicit midpoint"')
    # A rotor whose angle depends on the path of the joint has no action integral.
    rotors = [link for link in figure.links if link.joint.armature]
    if unsupported := [link for link in rotors if not JOINTS[link.joint.kind].rotor_has_action]:
        subject = f'"{unsupported[0].name}" has a {unsupported[0].joint.kind} joint with a rotor'
        raise WorldError(
            f'{subject}, which the integrator "{integrator}" does not support; use "implicit midpoint", or no rotor'
        )


def projected_state(method: str, figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Numbers, Numbers]:
    """Return coordinates and velocities near q (nq) and v (nv) at which all loops are closed.

    method: name of the method. A prescribed base is not moved. This projection after every step removes the
    integrator's drift, so no stabilisation is needed.
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
    """Return joint accelerations (nv), and for prescribed links the joint forces beyond tau, by link index.

    method: name of the method. state, tau, f_ext, gravity, prescribed: as for aba().
    """
    if state.figure.constraints:
        closed = closed_dynamics(state, tau, _loop_options(method), f_ext=f_ext, gravity=gravity, prescribed=prescribed)
        return closed.a, closed.prescribed_forces
    if method == "aba":
        return aba(state, tau, f_ext=f_ext, gravity=gravity, prescribed=prescribed)
    return METHODS[method](state, tau, f_ext=f_ext, gravity=gravity), {}


def closing_forces(
    method: str,
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> dict[int, Force]:
    """Return the forces of loop closures on links, by index of the link, in link coordinates.

    Arguments: as for accelerations(). Rows that other rows imply have no force, so in an overconstrained loop the
    forces are one of several possible sets.
    """
    if not state.figure.constraints:
        return {}
    closed = closed_dynamics(state, tau, _loop_options(method), f_ext=f_ext, gravity=gravity, prescribed=prescribed)
    forces: dict[int, Force] = {}
    for row, multiplier in zip(rows(state), closed.multipliers, strict=True):
        for link, force in row.forces.items():
            forces[link] = forces.get(link, NO_FORCE) + force * multiplier
    return forces


def acceleration_derivatives(
    method: str, state: Kinematics, tau: Sequence[Scalar], *, gravity: Gravity = STANDARD_GRAVITY
) -> Derivatives:
    """Return joint accelerations, with loops closed, and their derivatives with respect to q, v and tau.

    method: name of the method. state, tau, gravity: as for aba().
    """
    if state.figure.constraints:
        return closed_dynamics_derivatives(state, tau, _loop_options(method), gravity=gravity)
    return forward_dynamics_derivatives(state, tau, gravity=gravity)


def _loop_options(method: str) -> LoopOptions:
    return LoopOptions("propagation" if method == "aba" else method)
