"""Derivatives of any function of a state, by automatic differentiation, and of inverse and forward dynamics.

    d f / d q_k = d/ds f(q + s N(q) e_k, v)        N(q) v = dq/dt
    d a / d x = -M^-1 d tau / d x,  x = q, v        d a / d tau = M^-1        [Carpentier & Mansard 2018]

A column with respect to q is the derivative along one unit joint velocity. So there are nv columns, even if q has
quaternions, and the time derivative of f is the sum of the columns times v. Inverse dynamics: rnea_derivatives.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.forward import Factors, aba, factorised, mass_matrix, mass_rows
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.quantities.mass import inverse_mass_matrix
from gambol.dynamics.quantities.rnea_derivatives import rnea_derivatives
from gambol.dynamics.tangent import figure_q_dot, perturbed
from gambol.lanes import Scalar, Subprogram, jacobian, jvp, leaves, split_point, unflatten
from gambol.spatial.motion import Force

MAX_UNROLLED_DOFS = 24
"""Maximum number of degrees of freedom for which the solution of each column is unrolled, which omits its zeros. With
50 the unrolled code would be half of all operations and of the compile time; a subprogram is as fast.
"""

Rows: TypeAlias = list[list[Scalar]]
Quantity: TypeAlias = Callable[[Kinematics], Any]


@dataclass(frozen=True, slots=True)
class Derivatives:
    """A result of dynamics (nv) with its derivatives by rows, each nv x nv.

    value: joint forces of inverse dynamics, joint accelerations of forward dynamics. by_q: derivatives along unit joint
    velocities. by_v: derivatives with respect to v. by_input: for inverse dynamics, derivatives with respect to the
    accelerations (the mass matrix); for forward dynamics, derivatives with respect to the joint forces (the inverse of
    the mass matrix).
    """

    value: list[Scalar]
    by_q: Rows
    by_v: Rows
    by_input: Rows


def inverse_dynamics_derivatives(
    state: Kinematics,
    a: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Return the joint forces for joint accelerations a (nv), and their derivatives with respect to q, v and a.

    state, f_ext, gravity: as for aba(); external forces keep their components in link coordinates as the links move.
    """
    canonical = canonical_figure(state.figure)
    reduced = canonical.state(state)
    tau, by_q, by_v = rnea_derivatives(reduced, a, canonical.forces(f_ext), gravity)
    return Derivatives(tau, by_q, by_v, mass_matrix(reduced))


def forward_dynamics_derivatives(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Return the joint accelerations under joint forces tau (nv), and their derivatives with respect to q, v and tau.

    state, f_ext, gravity: as for inverse_dynamics_derivatives().
    """
    a, _ = aba(state, tau, f_ext=f_ext, gravity=gravity)
    inverse = inverse_dynamics_derivatives(state, a, f_ext=f_ext, gravity=gravity)
    reduced = canonical_figure(state.figure).state(state)
    M = factorised(mass_rows(reduced))
    return Derivatives(
        a, _negative_solution(M, inverse.by_q), _negative_solution(M, inverse.by_v), inverse_mass_matrix(reduced)
    )


def position_jacobian(quantity: Quantity, state: Kinematics) -> tuple[list[Scalar], Rows]:
    """Return a function of a state, as a list, and its derivatives along unit joint velocities (nv columns).

    quantity: takes a Kinematics and returns a pytree of scalars. state: the state at which to differentiate; v is
    constant.
    """
    figure = state.figure

    def quantity_at(x: list[Scalar]) -> Any:
        return quantity(kinematics(figure, perturbed(figure, state.q, x), state.v))

    return jacobian(quantity_at, [0.0] * figure.nv)


def time_derivative(quantity: Quantity, state: Kinematics, a: Sequence[Scalar] | None = None) -> Any:
    """Return the time derivative of a function of a state.

    quantity: takes a Kinematics and returns a pytree of scalars. state: the state at which to differentiate. a: joint
    accelerations (nv), or None for 0. Returns a pytree of the same structure, per second.
    """
    figure, values = state.figure, list[Any]()

    def flat_quantity(x: list[Scalar]) -> list[Scalar]:
        values.append(quantity(kinematics(figure, x[: figure.nq], x[figure.nq :])))
        return leaves(values[0])

    q_dot = figure_q_dot(figure, state.q, state.v)
    v_dot = [0.0] * figure.nv if a is None else a
    _, derivative = jvp(flat_quantity, [*state.q, *state.v], [*q_dot, *v_dot])
    return unflatten(values[0], iter(derivative))


def _negative_solution(M: Factors, rows: Rows) -> Rows:
    """Return -M^-1 times a matrix of rows."""
    split_point()
    solve = Subprogram(M.solve) if len(rows) > MAX_UNROLLED_DOFS else M.solve
    columns = [solve([-x for x in column]) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]
