"""Derivatives of whatever a state determines, by dual numbers, and of inverse and forward dynamics.

    d f / d q_k = d/ds f(q + s N(q) e_k, v)        N(q) v = dq/dt
    d a / d x = -M^-1 d tau / d x,  x = q, v        d a / d tau = M^-1        [Carpentier & Mansard 2018]

A column with respect to q is along one unit joint velocity, so there are nv of them, also where quaternions make q
longer: the derivative of f in time is that column times v. Those of inverse dynamics are slopes.py's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factors, aba, factorised, mass_matrix, mass_rows
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.quantities.mass import inverse_mass_matrix
from gambol.dynamics.quantities.slopes import joint_force_slopes
from gambol.dynamics.reframe import reframed
from gambol.dynamics.tangent import coordinate_rates, nudged
from gambol.lanes import Scalar, Subprogram, directional, jacobian, leaves, rebuilt, seam
from gambol.spatial.motion import Force

MOST_UNROLLED = 24
"""Degrees of freedom up to which every column is solved for by code of its own, which leaves out what is 0. For 50 that
is half of all operations, and compiles for as long as everything else; by calls it runs as fast."""

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
    lean = reframed(state.figure)
    inside = lean.state(state)
    tau, by_q, by_v = joint_force_slopes(inside, rates, lean.forces(f_ext), gravity)
    return Derivatives(tau, by_q, by_v, mass_matrix(inside))


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
    lean = reframed(state.figure).state(state)
    M = factorised(mass_rows(lean))
    return Derivatives(rates, _solved(M, inverse.by_q), _solved(M, inverse.by_v), inverse_mass_matrix(lean))


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
    seam()
    solve = Subprogram(M.solve) if len(rows) > MOST_UNROLLED else M.solve
    columns = [solve([-x for x in column]) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]
