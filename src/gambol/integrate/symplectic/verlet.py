"""Stoermer's and Verlet's method in position form: the next place from this one and the one before.

    x' = x h / h_- + h (h_- + h) / 2 a(t, q, u)        q' = q moved by x'        u' = x' / h + h / 2 a

With equal steps x' - x = h^2 a. Order 2, in u too. Cost: 1 evaluation. Where forces depend on position only it is
symplectic at a fixed step; an oscillation of frequency w appears at (2 / h) asin(w h / 2), stable up to w h = 2. It
remembers how the last move x differs from h_- u, and h_-: at first 0, where x = h u begins it by itself. Moves are told
in the chart around q, which a constant turning carries along. [Verlet 1967; Hairer, Lubich and Wanner 2003]
"""

from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar, where


def verlet(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One step of the position form of length h [s] from time t [s].

    Memory: the last move less h_- u (nv), the lag of w, which leaps along with the speed (nw), and the last step.
    """
    n, last = len(now.v), now.memory[-1]
    over, lag = now.memory[:n], now.memory[n:-1]
    a, rates = system.slope(t, now.q, now.v)
    A, u = system.chart_acceleration(now.q, now.v, a), system.chart_velocity(now.q, now.v)
    begun, mean = last > 0.0, 0.5 * (last + h)
    ratio, span = where(begun, h / where(begun, last, 1.0), 1.0), where(begun, last, h)
    x = [(span * y + z) * ratio + h * mean * b for y, z, b in zip(u, over, A, strict=True)]
    q, speed = system.displaced(now.q, x), [y / h + 0.5 * h * b for y, b in zip(x, A, strict=True)]
    over = [y - h * s for y, s in zip(x, speed, strict=True)]
    ahead = [0.5 * h * r for r in rates]
    w = [y - z + mean * r + r_ahead for y, z, r, r_ahead in zip(now.w, lag, rates, ahead, strict=True)]
    return Stepped(Moving(q, system.velocity(q, speed), w, [*over, *ahead, h]), x, [])
