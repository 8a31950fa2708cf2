"""The Euler method of corpus. [McKenna 1990, eq. 9 and 11]

    v' = v + a h
    p' = p + (v' + v) / 2 h + a / 2 h^2  =  p + v' h
Averaging the velocities and then adding the acceleration's share once more counts it twice; what is left is the
semi-implicit method, which is why it behaves so well for springs.

Order 1. Cost: 1 evaluation. Stable for oscillation up to w h = 2. As in the thesis, v is told in the axes of the body.
"""

from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar


def corpus_euler(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One step as corpus took it, of length h [s] from time t [s]."""
    a, rates = system.slope(t, now.q, now.v)
    faster = [x + h * y for x, y in zip(now.v, a, strict=True)]
    mean = [0.5 * (x + y) + 0.5 * h * z for x, y, z in zip(now.v, faster, a, strict=True)]
    x = [h * y for y in system.chart_velocity(now.q, mean)]
    w = [x + h * y for x, y in zip(now.w, rates, strict=True)]
    return Stepped(Moving(system.displaced(now.q, x), faster, w), x, [])
