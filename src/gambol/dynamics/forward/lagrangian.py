"""Forward dynamics derived from the energies alone: the equations of Boltzmann and Hamel, by automatic differentiation.

    L(x, v) = T - V at q moved by x        x' = B(x) v        p = dL/dv        M = dp/dv
    M v' + (dp/dx) B v = tau + B^T dL/dx + (B^-1 [B v, B])^T p        [b, c] = (dc/dx) b - (db/dx) c

[Greenwood 2003, chapter 4]. The velocities v are not rates of coordinates; the brackets of the directions in which they
move these, which are 0 where they are, make up for it. Rotors have energy, but no part in the brackets: each turns as
its v says, about an axis of its own. No recursion is used here, so this judges those that are. Every second derivative
of the energies is worked out: for small figures.
"""

from collections.abc import Callable, Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.energy import kinetic_energy, potential_energy
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.tangent import displaced
from gambol.figure import JOINTS
from gambol.figure.joint import JointKind
from gambol.lanes import Scalar, directional, jacobian
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
    """Joint accelerations (nv) from kinetic and potential energy, and from the power of the external forces.

    tau, f_ext, gravity: as for aba().
    """
    figure, q, v = state.figure, state.q, list(state.v)
    home = [0.0] * figure.nv

    def at(x: Numbers, u: Numbers) -> Kinematics:
        return kinematics(figure, displaced(figure, q, x), u)

    def excess(x: Numbers) -> Scalar:
        return kinetic_energy(at(x, v)) - potential_energy(at(x, v), gravity)

    def momenta(x: Numbers, u: Numbers) -> list[Scalar]:
        return _gradient(lambda w: kinetic_energy(at(x, w)), u)

    def power(u: Numbers) -> Scalar:
        return sum((at(home, u).velocities[i].dot(force) for i, force in f_ext.items()), 0.0)

    p, M = jacobian(lambda u: momenta(home, u), v)
    directions, turning = _frames(state)
    along = [dot(v, [b[i] for b in directions]) for i in range(figure.nv)]
    _, carried = directional(lambda x: momenta(x, v), home, along)
    slopes, pulls = _gradient(excess, home), _gradient(power, v)
    p = [x - spin for x, spin in zip(p, _spins(state), strict=True)]
    rows = zip(tau, directions, turning, pulls, carried, strict=True)
    return factorised(lower(M)).solve([t + dot(b, slopes) + dot(y, p) + pull - c for t, b, y, pull, c in rows])


def _spins(state: Kinematics) -> list[Scalar]:
    """The momenta of the rotors."""
    return [link.joint.armature * speed for link in state.figure.links for speed in state.v[link.v]]


def _gradient(function: Callable[[Numbers], Scalar], at: Numbers) -> list[Scalar]:
    return jacobian(lambda x: [function(x)], at)[1][0]


def _frames(state: Kinematics) -> tuple[Columns, Columns]:
    """The columns of B, and those of B^-1 [B v, B], each (nv) of the whole figure."""
    figure = state.figure
    directions: Columns = []
    turning: Columns = []
    for link in figure.links:
        before, after = [0.0] * link.v.start, [0.0] * (figure.nv - link.v.stop)
        for b, y in zip(*_frame(JOINTS[link.joint.kind], state.q[link.q], state.v[link.v]), strict=True):
            directions.append([*before, *b, *after])
            turning.append([*before, *y, *after])
    return directions, turning


def _frame(kind: JointKind, q: Numbers, v: Numbers) -> tuple[Columns, Columns]:
    """The columns of B and of B^-1 [B v, B] of one joint."""
    n = range(kind.nv)
    units = [[float(i == k) for i in n] for k in n]
    flat, slopes = jacobian(lambda x: [kind.unwound(q, x, unit) for unit in units], [0.0] * kind.nv)
    b = [flat[k * kind.nv : (k + 1) * kind.nv] for k in n]
    along = [dot(v, [b[k][i] for k in n]) for i in n]

    def changed(k: int, direction: Numbers) -> list[Scalar]:
        """How column k of B changes along a direction of x."""
        return [dot(slopes[k * kind.nv + i], direction) for i in n]

    brackets: Columns = []
    for k in n:
        others = [changed(m, b[k]) for m in n]
        brackets.append([here - dot(v, [o[i] for o in others]) for i, here in enumerate(changed(k, along))])
    gram = factorised(lower([[dot(c, d) for d in b] for c in b]))
    return b, [gram.solve([dot(c, bracket) for c in b]) for bracket in brackets]
