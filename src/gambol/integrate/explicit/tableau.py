"""Explicit Runge-Kutta methods as Butcher tableaus, and their step function.

    k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y' = y + h sum_i b_i k_i        error = h sum_i d_i k_i
[Hairer, Norsett and Wanner 1993, section II.1]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.integrate.system import Chart, MotionState, Numbers, StepResult, System
from gambol.lanes import Scalar

Derivatives = Callable[[Scalar, Numbers], Numbers]


@dataclass(frozen=True)
class Tableau:
    """A Butcher tableau: order, rows a below the diagonal, weights b, times c, and error weights d or ()."""

    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    d: tuple[float, ...] = ()

    def step(self, system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
        """Take a step of length h [s] from time t [s], in the chart around its start."""
        chart = Chart(system, state)
        y, error = tableau_step(self, chart.derivatives, t, chart.start, h)
        return chart.step_result(y, error)


def tableau_step(method: Tableau, f: Derivatives, t: Scalar, y: Sequence[Scalar], h: Scalar) -> tuple[Numbers, Numbers]:
    """Take one step of an explicit method, and return y at its end and the estimated error.

    method: its tableau; f: takes t [s] and y, returns y'; t: start of the step [s]; y: the value at t; h: length of the
    step [s]. The error is empty for a method without error estimate.
    """
    stages = tableau_stages(method, f, t, y, h)
    error = plus_weighted_sum([0.0] * len(y), method.d, stages, h) if method.d else []
    return plus_weighted_sum(y, method.b, stages, h), error


def tableau_stages(method: Tableau, f: Derivatives, t: Scalar, y: Sequence[Scalar], h: Scalar) -> list[Numbers]:
    """Return the stages k_i of a step; arguments: see tableau_step()."""
    stages: list[Numbers] = []
    for row, c in zip(method.a, method.c, strict=True):
        y_stage = plus_weighted_sum(y, row, stages, h)
        stages.append(f(t + c * h, y_stage))
    return stages


def plus_weighted_sum(y: Sequence[Scalar], weights: Sequence[float], stages: Sequence[Numbers], h: Scalar) -> Numbers:
    """Return y + h sum_i weights_i stages_i."""
    scaled = [(h * w, k) for w, k in zip(weights, stages, strict=False) if w != 0.0]
    result: Numbers = []
    for i, value in enumerate(y):
        for hw, k in scaled:
            value = value + hw * k[i]
        result.append(value)
    return result
