"""The implicit (backward) Euler method: the derivative at the end of the step.

    v' = v + h a(t + h, q', v')        q' = q (+) x,  x = h U(x) v'

Order 1, L-stable: motion much faster than the step is damped out, and an oscillation by 1 / sqrt(1 + (w h)^2) in every
step. Cost: two to four Newton iterations, each with the Jacobian (by dual numbers, up to nv directions of one
evaluation) and a factorisation for nv unknowns. [Hairer and Wanner 1996, section IV.3]
"""

from gambol.integrate.solve import newton_root
from gambol.integrate.system import MotionState, Numbers, StepResult, System
from gambol.lanes import Scalar


def chart_displacement(system: System, state: MotionState, v: Numbers, h: Scalar) -> Numbers:
    """Return the solution x of x = h U(x) v. Two iterations are exact, since U(s v) v = v for all charts of gambol.

    system: the system; state: origin of the chart; v: velocity; h: length of the step [s].
    """
    first = [h * y for y in system.chart_velocity(state.q, v)]
    return [h * y for y in system.tangent_rate(state.q, first, v)]


def implicit_euler(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a backward Euler step of length h [s] from time t [s]."""

    def residuals(v: Numbers) -> Numbers:
        a, _ = system.derivatives(t + h, system.integrate(state.q, chart_displacement(system, state, v, h)), v)
        return [y - x - h * z for x, y, z in zip(state.v, v, a, strict=True)]

    root = newton_root(residuals, state.v)
    v = root.x
    x = chart_displacement(system, state, v, h)
    q = system.integrate(state.q, x)
    w = [y + h * rate for y, rate in zip(state.w, system.derivatives(t + h, q, v)[1], strict=True)]
    return StepResult(MotionState(q, v, w), x, [], root.residual)
