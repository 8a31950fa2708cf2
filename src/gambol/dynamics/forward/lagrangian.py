"""Forward dynamics derived from the energies alone: the equations of Boltzmann and Hamel, by automatic differentiation.

    L(x, v) = T - V at q moved by x        x' = B(x) v        p = dL/dv        M = dp/dv
    M v' + (dp/dx) B v = tau + B^T dL/dx + (B^-1 [B v, B])^T p        [b, c] = (dc/dx) b - (db/dx) c

[Greenwood 2003, chapter 4]. The quasi-velocities v are not rates of coordinates, so the Lie brackets of the columns of
B appear, which would vanish for rates of coordinates. Rotors have energy, but do not contribute to the brackets: each
rotor turns at the speed v of its joint about one axis. No recursion is used, so this method verifies the recursive
ones. It computes all second derivatives of the energies, so it is for small figures only.
"""

from collections.abc import Callable, Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, kinetic_energy, potential_energy
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.tangent import integrate_configuration
from gambol.figure import JOINTS
from gambol.figure.joint import JointKind
from gambol.lanes import Scalar, jacobian, jvp
from gambol.spatial.dense import dot
from gambol.spatial.motion import Force

Numbers = Sequence[Scalar]
Columns = list[list[Scalar]]


def lagrangian(
    state: Kinematics,
    tau: Numbers,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) from kinetic and potential energy and the power of the external forces.

    state, tau, f_ext, gravity: as for aba().
    """
    figure, q, v = state.figure, state.q, list(state.v)
    zero = [0.0] * figure.nv

    def state_at(x: Numbers, u: Numbers) -> Kinematics:
        return kinematics(figure, integrate_configuration(figure, q, x), u)

    def lagrangian_of(x: Numbers) -> Scalar:
        return kinetic_energy(state_at(x, v)) - potential_energy(state_at(x, v), gravity)

    def momenta(x: Numbers, u: Numbers) -> list[Scalar]:
        return _gradient(lambda w: kinetic_energy(state_at(x, w)), u)

    def power(u: Numbers) -> Scalar:
        return sum((state_at(zero, u).velocities[i].dot(force) for i, force in f_ext.items()), 0.0)

    p, M = jacobian(lambda u: momenta(zero, u), v)
    directions, brackets = _all_columns(state)
    x_dot = [dot(v, [b[i] for b in directions]) for i in range(figure.nv)]
    _, dp = jvp(lambda x: momenta(x, v), zero, x_dot)
    gradient, external = _gradient(lagrangian_of, zero), _gradient(power, v)
    p = [x - rotor for x, rotor in zip(p, _rotor_momenta(state), strict=True)]
    rows = zip(tau, directions, brackets, external, dp, strict=True)
    return factorised(lower(M)).solve([t + dot(b, gradient) + dot(y, p) + e - c for t, b, y, e, c in rows])


def _rotor_momenta(state: Kinematics) -> list[Scalar]:
    """Return the momenta of the rotors."""
    return [link.joint.armature * speed for link in state.figure.links for speed in state.v[link.v]]


def _gradient(function: Callable[[Numbers], Scalar], x_0: Numbers) -> list[Scalar]:
    """Return the gradient of a function at x_0."""
    return jacobian(lambda x: [function(x)], x_0)[1][0]


def _all_columns(state: Kinematics) -> tuple[Columns, Columns]:
    """Return the columns (nv) of B and of B^-1 [B v, B] of a figure."""
    figure = state.figure
    directions: Columns = []
    brackets: Columns = []
    for link in figure.links:
        zeros_before, zeros_after = [0.0] * link.v.start, [0.0] * (figure.nv - link.v.stop)
        for b, y in zip(*_joint_columns(JOINTS[link.joint.kind], state.q[link.q], state.v[link.v]), strict=True):
            directions.append([*zeros_before, *b, *zeros_after])
            brackets.append([*zeros_before, *y, *zeros_after])
    return directions, brackets


def _joint_columns(kind: JointKind, q: Numbers, v: Numbers) -> tuple[Columns, Columns]:
    """Return the columns of B and of B^-1 [B v, B] of one joint; q, v: its coordinates and velocities."""
    n = range(kind.nv)
    units = [[float(i == k) for i in n] for k in n]
    stacked_columns, derivatives = jacobian(
        lambda x: [kind.tangent_rate(q, x, unit) for unit in units], [0.0] * kind.nv
    )
    b = [stacked_columns[k * kind.nv : (k + 1) * kind.nv] for k in n]
    x_dot = [dot(v, [b[k][i] for k in n]) for i in n]

    def column_derivative(k: int, direction: Numbers) -> list[Scalar]:
        """Return the derivative of column k of B along a direction of x."""
        return [dot(derivatives[k * kind.nv + i], direction) for i in n]

    brackets: Columns = []
    for k in n:
        along_b = [column_derivative(m, b[k]) for m in n]
        brackets.append([y - dot(v, [z[i] for z in along_b]) for i, y in enumerate(column_derivative(k, x_dot))])
    gram = factorised(lower([[dot(c, d) for d in b] for c in b]))
    return b, [gram.solve([dot(c, bracket) for c in b]) for bracket in brackets]
