"""The velocity form of Verlet's method: half a kick, a drift, half a kick.

    u_1/2 = u + h / 2 a(t, q, u)        q' = q moved by h u_1/2
    u' = u_1/2 + h / 2 a(t + h, q', u*)        u* = u_1/2 + h / 2 a(t, q, u)

Order 2, also with forces that depend on velocity, since the predicted u* is wrong by h^2 only. Without such forces it
is symplectic and reversible: the energy of an oscillation swings by (w h)^2 / 4 and does not drift. Stable for
oscillation up to w h = 2. Cost: 2 evaluations; the last of them is not kept for the next step, since what happens
between steps may change forces. u is the velocity in the chart around q. [Swope et al. 1982]
"""

from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar


def velocity_verlet(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One step of velocity Verlet of length h [s] from time t [s]."""
    half = 0.5 * h
    a, before = system.slope(t, now.q, now.v)
    here = system.chart_acceleration(now.q, now.v, a)
    middle = [u + half * y for u, y in zip(system.chart_velocity(now.q, now.v), here, strict=True)]
    x = [h * u for u in middle]
    q = system.displaced(now.q, x)
    v = system.velocity(q, [u + half * y for u, y in zip(middle, here, strict=True)])
    a, after = system.slope(t + h, q, v)
    there = system.chart_acceleration(q, v, a)
    v = system.velocity(q, [u + half * y for u, y in zip(middle, there, strict=True)])
    w = [x + half * (y + z) for x, y, z in zip(now.w, before, after, strict=True)]
    return Stepped(Moving(q, v, w), x, [])
