"""Derivatives of whatever a state determines, and of inverse and forward dynamics, by dual numbers.

    d f / d q_k = d/ds f(q + s N(q) e_k, v)        N(q) v = dq/dt
    d a / d x = -M^-1 d tau / d x,  x = q, v        d a / d tau = M^-1        [Carpentier & Mansard 2018]

A column with respect to q is along one unit joint velocity, so there are nv of them, also where quaternions make q
longer: the derivative of f in time is that column times v. Dual numbers through the recursion of rnea.py do the work of
an analytic recursion: a derivative that is exactly zero, such as of a link along a joint that does not carry it, is
absent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factors, aba, factorised, mass_matrix, mass_rows
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.quantities.mass import inverse_mass_matrix
from gambol.dynamics.rnea import rnea
from gambol.dynamics.tangent import coordinate_rates, nudged
from gambol.lanes import Scalar, directional, jacobian, leaves, rebuilt, seam
from gambol.spatial.motion import Force

Rows: TypeAlias = list[list[Scalar]]
Quantity: TypeAlias = Callable[[Kinematics], Any]


@dataclass(frozen=True, slots=True)
class Derivatives:
    """A result of dynamics (nv) with its derivatives by rows, each nv x nv.

    value: joint forces of inverse dynamics, joint accelerations of forward dynamics. by_q: along unit joint velocities.
    by_v: with respect to v. by_input: of inverse dynamics with respect to the accelerations, which is the mass matrix;
    of forward dynamics with respect to the joint forces, which is its inverse.
    """

    value: list[Scalar]
    by_q: Rows
    by_v: Rows
    by_input: Rows


def inverse_dynamics_derivatives(
    state: Kinematics,
    rates: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Joint forces that give the joint accelerations `rates` (nv), and how they change with q, v and these.

    f_ext, gravity: as for aba(); external forces keep their components in link coordinates as the links move.
    """
    n, figure = state.figure.nv, state.figure

    def forces(x: list[Scalar]) -> list[Scalar]:
        moved = kinematics(figure, nudged(figure, state.q, x[:n]), x[n:])
        return rnea(moved, rates, f_ext=f_ext, gravity=gravity)[0]

    tau, rows = jacobian(forces, [*[0.0] * n, *state.v])
    return Derivatives(tau, [row[:n] for row in rows], [row[n:] for row in rows], mass_matrix(state))


def forward_dynamics_derivatives(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Joint accelerations under given joint forces tau (nv), and how they change with q, v and these.

    f_ext, gravity: as for inverse_dynamics_derivatives().
    """
    rates, _ = aba(state, tau, f_ext=f_ext, gravity=gravity)
    inverse = inverse_dynamics_derivatives(state, rates, f_ext=f_ext, gravity=gravity)
    M = factorised(mass_rows(state))
    return Derivatives(rates, _solved(M, inverse.by_q), _solved(M, inverse.by_v), inverse_mass_matrix(state))


def position_jacobian(quantity: Quantity, state: Kinematics) -> tuple[list[Scalar], Rows]:
    """What a function of a state gives, as a list, and its derivatives along unit joint velocities (nv columns).

    quantity: takes a Kinematics and returns a nest of scalars; v is held.
    """
    figure = state.figure

    def moved(x: list[Scalar]) -> Any:
        return quantity(kinematics(figure, nudged(figure, state.q, x), state.v))

    return jacobian(moved, [0.0] * figure.nv)


def time_derivative(quantity: Quantity, state: Kinematics, rates: Sequence[Scalar] | None = None) -> Any:
    """How fast what a function of a state gives changes in time as the state moves.

    quantity: takes a Kinematics and returns a nest of scalars. rates: joint accelerations (nv), or None for zeros.
    Returns a nest of the same form, per second.
    """
    figure, forms = state.figure, list[Any]()

    def flat(x: list[Scalar]) -> list[Scalar]:
        forms.append(quantity(kinematics(figure, x[: figure.nq], x[figure.nq :])))
        return leaves(forms[0])

    speeds = coordinate_rates(figure, state.q, state.v)
    changes = [0.0] * figure.nv if rates is None else rates
    _, found = directional(flat, [*state.q, *state.v], [*speeds, *changes])
    return rebuilt(forms[0], iter(found))


def _solved(M: Factors, rows: Rows) -> Rows:
    """-M^-1 times a matrix."""
    columns: Rows = []
    for column in zip(*rows, strict=True):
        seam()
        columns.append(M.solve([-x for x in column]))
    return [list(row) for row in zip(*columns, strict=True)]
