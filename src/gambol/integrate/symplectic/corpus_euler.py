"""The Euler method of corpus, the simulator of McKenna's thesis. [McKenna 1990, eq. 9 and 11]

    v' = v + a h
    p' = p + (v' + v) / 2 h + a / 2 h^2  =  p + v' h

The mean velocity already contains half of the acceleration, which is then added once more. So the result is the
semi-implicit method, which is stable for springs.

Order 1. Cost: 1 evaluation. Stable for oscillation up to angular frequency 2 / h. As in the thesis, v is in body axes.
"""

from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar


def corpus_euler(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a step of the Euler method of corpus, of length h [s] from time t [s]."""
    a, w_dot = system.derivatives(t, state.q, state.v)
    v = [x + h * y for x, y in zip(state.v, a, strict=True)]
    mean = [0.5 * (x + y) + 0.5 * h * z for x, y, z in zip(state.v, v, a, strict=True)]
    x = [h * y for y in system.chart_velocity(state.q, mean)]
    w = [x + h * y for x, y in zip(state.w, w_dot, strict=True)]
    return StepResult(MotionState(system.integrate(state.q, x), v, w), x, [])
