"""A variational method: kicks by forces, and between them free motion that makes a discrete action stationary.

    p = M v + h / 2 f(t, q, v)        p = -D1 L_d(q, q'),  p' = D2 L_d(q, q')        M' v' = p' + h / 2 f(t + h, q', v*)
    L_d(q, q') = h T(q_m, v_m)        q_m = q moved by x / 2,  v_m = U^T x / h,  q' = q moved by x

Order 2. With forces that have a potential it is symplectic, so that the energy of any figure, whose mass varies with
its posture, swings about its true value and does not drift; momentum and angular momentum about whatever turning leaves
the forces alone stay to rounding. Forces may also depend on velocity: v* is v' predicted, wrong by h^2. Forces are
explicit, so a spring needs w h below 2. Cost: 2 evaluations of forces, two eliminations of nv unknowns, and some 5 to
10 gradients of the kinetic energy (by dual numbers), which need h times the turning speed below about 1.
[Marsden and West 2001; Lee, Leok and McClamroch 2007]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gambol.errors import GambolError
from gambol.integrate.columns import matrix, slopes
from gambol.integrate.elimination import Solver, factored
from gambol.integrate.solve import Root, missed, size_of
from gambol.integrate.system import Moving, Numbers, Stepped, System, units
from gambol.lanes import Scalar, Subprogram, loop, where
from gambol.spatial.dense import largest

MOST_TRIES = 40
"""Bound on the iterations for the free motion; each gains the digits of h times the turning speed."""

Momentum = Callable[[Numbers, Numbers], Numbers]
Discrete = Callable[[Numbers, Numbers, Scalar], Numbers]


@dataclass(frozen=True, slots=True)
class Flight:
    """Free motion being looked for: its mean chart velocity, the change to try, the least miss and change, tries."""

    u: Numbers
    change: Numbers
    miss: Scalar
    left: Scalar
    tries: Scalar
    going: Scalar


def variational(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One step of length h [s] from time t [s]. Raises GambolError for a system without momentum and force."""
    if system.momentum is None or system.force is None:
        raise GambolError("the variational method needs the momentum and the force of its system; give both")
    half, discrete = 0.5 * h, Subprogram(partial(_discrete_momentum, system))
    f, before = system.force(t, now.q, now.v)
    mass, p = _mass(system.momentum, now.q, now.v)
    p = [x + half * y for x, y in zip(p, f, strict=True)]
    flight = flown(system, discrete, now.q, (mass, p), h)
    u = flight.x
    x = [h * y for y in u]
    q = system.displaced(now.q, x)
    p = discrete(now.q, x, h)
    mass, _ = _mass(system.momentum, q, now.v)
    v = mass.solve([x + half * y for x, y in zip(p, f, strict=True)])
    f, after = system.force(t + h, q, v)
    v = mass.solve([x + half * y for x, y in zip(p, f, strict=True)])
    w = [x + half * (y + z) for x, y, z in zip(now.w, before, after, strict=True)]
    return Stepped(Moving(q, v, w), x, [], flight.missed)


def flown(system: System, discrete: Discrete, q: Numbers, start: tuple[Solver, Numbers], h: Scalar) -> Root:
    """The mean chart velocity of the free motion from q; start: the mass matrix there and the momentum."""
    M, p = start

    def tried(now: Flight) -> Flight:
        u = [a + b for a, b in zip(now.u, now.change, strict=True)]
        x = [h * y for y in u]
        back = discrete(system.displaced(q, x), [-y for y in x], -h)
        miss = [a - b for a, b in zip(p, back, strict=True)]
        size = size_of(miss)
        better = (size < now.miss) & (now.tries < MOST_TRIES)
        change = system.chart_velocity(q, M.solve(miss))
        kept = [where(better, a, b) for a, b in zip(u, now.u, strict=True)]
        least, left = where(better, size, now.miss), where(better, largest(change), now.left)
        return Flight(kept, change, least, left, now.tries + 1.0, where(better, 1.0, 0.0))

    guess = system.chart_velocity(q, M.solve(p))
    begun = Flight(guess, [0.0] * len(p), float("inf"), float("inf"), 0.0, 1.0)
    end = loop(lambda now: now.going > 0.5, tried, begun)
    return Root(end.u, missed(end.left, end.u))


def _discrete_momentum(system: System, q: Numbers, x: Sequence[Scalar], h: Scalar) -> Numbers:
    """D2 L_d for a step from q by x, along the velocities where it ends; -D1 is that of the step back, of length -h."""

    def action(y: Numbers) -> list[Scalar]:
        middle = system.displaced(q, [0.5 * z for z in y])
        v = system.velocity(middle, [z / h for z in y])
        assert system.momentum is not None
        return [0.5 * h * sum((a * b for a, b in zip(v, system.momentum(middle, v), strict=True)), 0.0)]

    _, (slope,) = slopes(action, x)
    columns = (system.unwound(q, x, unit) for unit in units(len(x)))
    return [sum((a * b for a, b in zip(slope, column, strict=True)), 0.0) for column in columns]


def _mass(momentum: Momentum, q: Numbers, v: Numbers) -> tuple[Solver, Numbers]:
    """The mass matrix, factored, and M v: momentum is linear in velocity."""
    M = matrix(lambda at: momentum(q, at), len(v))
    return factored(M), momentum(q, v)
