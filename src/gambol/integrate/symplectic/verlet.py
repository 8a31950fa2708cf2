"""Stoermer's and Verlet's method in position form: the next position from the current and the previous one.

    x' = x h / h_- + h (h_- + h) / 2 a(t, q, u)        q' = q (+) x'        u' = x' / h + h / 2 a

With equal steps x' - x = h^2 a. Order 2, in u too. Cost: 1 evaluation. Where forces depend on position only it is
symplectic at a fixed step; an oscillation of frequency w appears at (2 / h) asin(w h / 2), stable up to w h = 2. The
integrator state is x - h_- u, with the last increment x, and h_-; both are initially 0: the first step takes h u for x
and h for h_-. Increments are in the chart around q; in a uniform rotation they are the same in every chart.
[Verlet 1967; Hairer, Lubich and Wanner 2003]
"""

from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar, where


def verlet(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a step of the position form, of length h [s] from time t [s].

    Integrator state: x - h_- u (nv), the lag of w as in leapfrog() (nw), and the last step h_-.
    """
    n, previous_h = len(state.v), state.integrator_state[-1]
    excess, w_lag = state.integrator_state[:n], state.integrator_state[n:-1]
    a, w_dot = system.derivatives(t, state.q, state.v)
    A, u = system.chart_acceleration(state.q, state.v, a), system.chart_velocity(state.q, state.v)
    has_history, mean = previous_h > 0.0, 0.5 * (previous_h + h)
    ratio, previous_h_or_h = (
        where(has_history, h / where(has_history, previous_h, 1.0), 1.0),
        where(has_history, previous_h, h),
    )
    x = [(previous_h_or_h * y + z) * ratio + h * mean * b for y, z, b in zip(u, excess, A, strict=True)]
    q, u_end = system.integrate(state.q, x), [y / h + 0.5 * h * b for y, b in zip(x, A, strict=True)]
    excess = [y - h * s for y, s in zip(x, u_end, strict=True)]
    half_increment = [0.5 * h * r for r in w_dot]
    w = [y - z + mean * r + half for y, z, r, half in zip(state.w, w_lag, w_dot, half_increment, strict=True)]
    return StepResult(MotionState(q, system.velocity(q, u_end), w, [*excess, *half_increment, h]), x, [])
