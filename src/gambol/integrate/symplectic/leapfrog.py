"""The staggered leapfrog: velocities live half way between positions.

    u_+1/2 = u_-1/2 + (h_- + h) / 2 a(t, q, u)        q' = q moved by h u_+1/2        u' = u_+1/2 + h / 2 a

Order 2. Cost: 1 evaluation. Where forces depend on position only it is symplectic at a fixed step, and visits the
places of velocity Verlet; stable for oscillation up to w h = 2. Forces that depend on velocity see u', which is wrong
by h^2 and does not accumulate. It remembers by how much u_-1/2 lags behind u, and the last step h_-: at first 0, so
that it starts by itself. u is the velocity in the chart around q. [Hairer, Lubich and Wanner 2003, section 1]
"""

from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar


def leapfrog(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One leap of length h [s] from time t [s]; memory: the lag of u and of w, which leaps along, and the last step."""
    *lag, last = now.memory
    n, (a, rates) = len(now.v), system.slope(t, now.q, now.v)
    slopes = [*system.chart_acceleration(now.q, now.v, a), *rates]
    u = [*system.chart_velocity(now.q, now.v), *now.w]
    middle = [y - z + 0.5 * (last + h) * b for y, z, b in zip(u, lag, slopes, strict=True)]
    x, ahead = [h * y for y in middle[:n]], [0.5 * h * b for b in slopes]
    q, new = system.displaced(now.q, x), [y + z for y, z in zip(middle, ahead, strict=True)]
    return Stepped(Moving(q, system.velocity(q, new[:n]), new[n:], [*ahead, h]), x, [])
