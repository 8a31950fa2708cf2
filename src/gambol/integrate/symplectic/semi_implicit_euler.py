"""The semi-implicit Euler method: the new velocity moves the position.

    u' = u + h a(t, q, u)        q' = q moved by h u'

Order 1, symplectic where forces depend on position only. Cost: 1 evaluation. Stable for oscillation up to w h = 2, with
an energy that is wrong by about w h / 2 but stays so; damping b is explicit: b h / m up to 2. u is the velocity in the
chart around q, where free bodies move straight on, so the momentum of a body without forces stays to rounding.
[Hairer, Lubich and Wanner 2006, section I.1.2]
"""

from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar


def semi_implicit_euler(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One semi-implicit Euler step of length h [s] from time t [s]."""
    a, rates = system.slope(t, now.q, now.v)
    A, u = system.chart_acceleration(now.q, now.v, a), system.chart_velocity(now.q, now.v)
    faster = [x + h * y for x, y in zip(u, A, strict=True)]
    x = [h * y for y in faster]
    q = system.displaced(now.q, x)
    w = [x + h * y for x, y in zip(now.w, rates, strict=True)]
    return Stepped(Moving(q, system.velocity(q, faster), w), x, [])
