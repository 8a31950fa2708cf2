"""The velocity form of Verlet's method (kick-drift-kick): half of the velocity change, the position, the other half.

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
    a, w_dot = system.derivatives(t, state.q, state.v)
    x_ddot = system.chart_acceleration(state.q, state.v, a)
    u_middle = [u + half * y for u, y in zip(system.chart_velocity(state.q, state.v), x_ddot, strict=True)]
    x = [h * u for u in u_middle]
    q = system.integrate(state.q, x)
    v = system.velocity(q, [u + half * y for u, y in zip(u_middle, x_ddot, strict=True)])
    a, w_dot_end = system.derivatives(t + h, q, v)
    x_ddot_end = system.chart_acceleration(q, v, a)
    v = system.velocity(q, [u + half * y for u, y in zip(u_middle, x_ddot_end, strict=True)])
    w = [x + half * (y + z) for x, y, z in zip(state.w, w_dot, w_dot_end, strict=True)]
    return StepResult(MotionState(q, v, w), x, [])
