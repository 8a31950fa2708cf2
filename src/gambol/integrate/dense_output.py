"""Dense output: a polynomial between the ends of a step, in the chart around its start.

    y(s) = y0 + s (d + (1 - s) (e + s (f + (1 - s) g)))        s from 0 to 1
    d = y1 - y0,  e = h y0' - d,  f = d - h y1' - e;  with g = 0 this is Hermite's cubic

[Hairer, Norsett and Wanner 1993, section II.6]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.integrate.system import Chart, MotionState, Numbers, StepResult, System
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class DenseOutput:
    """The interpolating polynomial of a step: its chart, and the five vectors y0, d, e, f, g."""

    chart: Chart
    terms: tuple[Numbers, Numbers, Numbers, Numbers, Numbers]

    @staticmethod
    def from_ends(
        chart: Chart, ends: tuple[Numbers, Numbers], slopes: tuple[Numbers, Numbers], g: Numbers | None = None
    ) -> "DenseOutput":
        """Return the polynomial through the ends of a step.

        chart: the chart of the step; ends: y at both ends; slopes: h y' at both ends; g: quartic term, None for 0.
        """
        (y0, y1), (m0, m1) = ends, slopes
        d = _minus(y1, y0)
        e = _minus(m0, d)
        f = _minus(_minus(d, m1), e)
        return DenseOutput(chart, (y0, d, e, f, g or [0.0] * len(y0)))

    def at(self, s: Scalar) -> MotionState:
        """Return the state at fraction s of the step, from 0 to 1."""
        r = 1.0 - s
        y = [a + s * (d + r * (e + s * (f + r * g))) for a, d, e, f, g in zip(*self.terms, strict=True)]
        return self.chart.state(y)


def hermite(system: System, t: Scalar, state: MotionState, h: Scalar, step_result: StepResult) -> DenseOutput:
    """Return Hermite's cubic through a step of any method, by 2 evaluations. Its order is 3, or the method's if lower.

    system: the system; t: start of the step [s]; state: at t; h: length of the step [s]; step_result: its result.
    """
    chart = Chart(system, state)
    end: Numbers = [*step_result.increment, *step_result.state.v, *step_result.state.w]
    slopes = [[h * rate for rate in chart.derivatives(time, y)] for time, y in ((t, chart.start), (t + h, end))]
    return DenseOutput.from_ends(chart, (chart.start, end), (slopes[0], slopes[1]))


def _minus(a: Sequence[Scalar], b: Sequence[Scalar]) -> Numbers:
    return [x - y for x, y in zip(a, b, strict=True)]
