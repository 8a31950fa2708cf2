"""The staggered leapfrog: velocities are defined half way between positions.

    u_+1/2 = u_-1/2 + (h_- + h) / 2 a(t, q, u)        q' = q (+) h u_+1/2        u' = u_+1/2 + h / 2 a

Order 2. Cost: 1 evaluation. Where forces depend on position only it is symplectic at a fixed step, with the positions
of velocity Verlet; stable for oscillation up to w h = 2. Forces that depend on velocity use u'; its error of h^2 does
not accumulate. The integrator state is u - u_-1/2, the lag, and the last step h_-; both are initially 0, so that the
method starts without earlier positions. u is the velocity in the chart around q. [Hairer, Lubich and Wanner 2003,
section 1]
"""

from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar


def leapfrog(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a step of length h [s] from time t [s]. Integrator state: the lag of u and of w, and the last step."""
    *lag, previous_h = state.integrator_state
    n, (a, w_dot) = len(state.v), system.derivatives(t, state.q, state.v)
    y_dot = [*system.chart_acceleration(state.q, state.v, a), *w_dot]
    u = [*system.chart_velocity(state.q, state.v), *state.w]
    middle = [y - z + 0.5 * (previous_h + h) * b for y, z, b in zip(u, lag, y_dot, strict=True)]
    x, half_change = [h * y for y in middle[:n]], [0.5 * h * b for b in y_dot]
    q, new = system.integrate(state.q, x), [y + z for y, z in zip(middle, half_change, strict=True)]
    return StepResult(MotionState(q, system.velocity(q, new[:n]), new[n:], [*half_change, h]), x, [])
