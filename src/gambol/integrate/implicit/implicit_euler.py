"""The implicit (backward) Euler method: the slope where the step ends.

    v' = v + h a(t + h, q', v')        q' = q moved by x,  x = h U(x) v'

Order 1, L-stable: whatever is faster than the step dies out, and an oscillation too, by 1 / sqrt(1 + (w h)^2) in every
step. Cost: two to four Newton iterations, each with the Jacobian (by dual numbers, up to nv directions of one
evaluation) and an elimination of nv unknowns. [Hairer and Wanner 1996, section IV.3]
"""

from gambol.integrate.solve import root
from gambol.integrate.system import Moving, Numbers, Stepped, System
from gambol.lanes import Scalar


def reached(system: System, now: Moving, v: Numbers, h: Scalar) -> Numbers:
    """x of x = h U(x) v, for charts in which U turns on along v itself: then two rounds are exact."""
    first = [h * y for y in system.chart_velocity(now.q, v)]
    return [h * y for y in system.unwound(now.q, first, v)]


def implicit_euler(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One backward Euler step of length h [s] from time t [s]."""

    def miss(v: Numbers) -> Numbers:
        a, _ = system.slope(t + h, system.displaced(now.q, reached(system, now, v, h)), v)
        return [y - x - h * z for x, y, z in zip(now.v, v, a, strict=True)]

    found = root(miss, now.v)
    v = found.x
    x = reached(system, now, v, h)
    q = system.displaced(now.q, x)
    w = [y + h * rate for y, rate in zip(now.w, system.slope(t + h, q, v)[1], strict=True)]
    return Stepped(Moving(q, v, w), x, [], found.missed)
