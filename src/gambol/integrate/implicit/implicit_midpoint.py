"""The implicit midpoint method: the derivative at the middle of the step.

    v_m = v + h / 2 a(t + h / 2, q_m, v_m)        q_m = q (+) x / 2        q' = q (+) x,  v' = 2 v_m - v

Order 2, A-stable and reversible; where the mass matrix is constant it is symplectic, and keeps the energy of linear
springs exactly. Motion much faster than the step is not damped and alternates in sign. Cost: as for implicit Euler.
[Hairer, Lubich and Wanner 2006, sections II.1 and IV.2]
"""

from gambol.integrate.implicit.implicit_euler import chart_displacement
from gambol.integrate.solve import newton_root
from gambol.integrate.system import MotionState, Numbers, StepResult, System
from gambol.lanes import Scalar


def implicit_midpoint(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take an implicit midpoint step of length h [s] from time t [s]."""
    half = 0.5 * h

    def derivatives(v: Numbers) -> tuple[Numbers, Numbers]:
        return system.derivatives(t + half, system.integrate(state.q, chart_displacement(system, state, v, half)), v)

    def residuals(v: Numbers) -> Numbers:
        return [y - x - half * z for x, y, z in zip(state.v, v, derivatives(v)[0], strict=True)]

    root = newton_root(residuals, state.v)
    v_middle = root.x
    x = [2.0 * y for y in chart_displacement(system, state, v_middle, half)]
    v = [2.0 * y - z for y, z in zip(v_middle, state.v, strict=True)]
    w = [y + h * rate for y, rate in zip(state.w, derivatives(v_middle)[1], strict=True)]
    return StepResult(MotionState(system.integrate(state.q, x), v, w), x, [], root.residual)
