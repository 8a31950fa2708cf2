"""The velocity form of Verlet's method: half a kick, a drift, half a kick.

    u_1/2 = u + h / 2 a(t, q, u)        q' = q (+) h u_1/2
    u' = u_1/2 + h / 2 a(t + h, q', u*)        u* = u_1/2 + h / 2 a(t, q, u)

Order 2, also with forces that depend on velocity, since the error of the predicted u* is h^2 only. Without such forces
it is symplectic and reversible: the energy of an oscillation varies by (w h)^2 / 4 and does not drift. Stable for
oscillation up to w h = 2. Cost: 2 evaluations; the last of them is not stored for the next step, since events between
steps may change forces. u is the velocity in the chart around q. [Swope et al. 1982]
"""

from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar


def velocity_verlet(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a step of velocity Verlet of length h [s] from time t [s]."""
    half = 0.5 * h
    a, before = system.derivatives(t, state.q, state.v)
    here = system.chart_acceleration(state.q, state.v, a)
    middle = [u + half * y for u, y in zip(system.chart_velocity(state.q, state.v), here, strict=True)]
    x = [h * u for u in middle]
    q = system.integrate(state.q, x)
    v = system.velocity(q, [u + half * y for u, y in zip(middle, here, strict=True)])
    a, after = system.derivatives(t + h, q, v)
    there = system.chart_acceleration(q, v, a)
    v = system.velocity(q, [u + half * y for u, y in zip(middle, there, strict=True)])
    w = [x + half * (y + z) for x, y, z in zip(state.w, before, after, strict=True)]
    return StepResult(MotionState(q, v, w), x, [])
