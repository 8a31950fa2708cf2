"""The semi-implicit Euler method: the position is advanced with the new velocity.

    u' = u + h A(t, q, u)        q' = q (+) h u'

Order 1, symplectic where forces depend on position only. Cost: 1 evaluation. Stable for oscillation of angular
frequency omega up to omega h = 2, with a bounded relative energy error of about omega h / 2; damping b is explicit: b h
/ m up to 2. u and A are velocity and acceleration in the chart around q, where free bodies move uniformly, so the
momentum of a body without forces is conserved to rounding. [Hairer, Lubich and Wanner 2006, section I.1.2]
"""

from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar


def semi_implicit_euler(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a semi-implicit Euler step of length h [s] from time t [s], without an estimate of its error.

    The accumulated quantities w of the state, such as work, take an explicit Euler step.
    """
    a, w_dot = system.derivatives(t, state.q, state.v)
    A, u = system.chart_acceleration(state.q, state.v, a), system.chart_velocity(state.q, state.v)
    u = [x + h * y for x, y in zip(u, A, strict=True)]
    x = [h * y for y in u]
    q = system.integrate(state.q, x)
    w = [x + h * y for x, y in zip(state.w, w_dot, strict=True)]
    return StepResult(MotionState(q, system.velocity(q, u), w), x, [])
