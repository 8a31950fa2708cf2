"""The implicit midpoint method: the slope at the middle of the step, wherever that is.

    v_m = v + h / 2 a(t + h / 2, q_m, v_m)        q_m = q moved by x / 2        q' = q moved by x,  v' = 2 v_m - v

Order 2, A-stable and reversible; where the mass does not depend on position it is symplectic, and keeps the energy of
linear springs exactly. What is much faster than the step rings on, with alternating sign. Cost: as implicit Euler.
[Hairer, Lubich and Wanner 2006, sections II.1 and IV.2]
"""

from gambol.integrate.implicit.implicit_euler import reached
from gambol.integrate.solve import root
from gambol.integrate.system import Moving, Numbers, Stepped, System
from gambol.lanes import Scalar


def implicit_midpoint(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One implicit midpoint step of length h [s] from time t [s]."""
    half = 0.5 * h

    def slope(v: Numbers) -> tuple[Numbers, Numbers]:
        return system.slope(t + half, system.displaced(now.q, reached(system, now, v, half)), v)

    def miss(v: Numbers) -> Numbers:
        return [y - x - half * z for x, y, z in zip(now.v, v, slope(v)[0], strict=True)]

    found = root(miss, now.v)
    middle = found.x
    x = [2.0 * y for y in reached(system, now, middle, half)]
    v = [2.0 * y - z for y, z in zip(middle, now.v, strict=True)]
    w = [y + h * rate for y, rate in zip(now.w, slope(middle)[1], strict=True)]
    return Stepped(Moving(system.displaced(now.q, x), v, w), x, [], found.missed)
