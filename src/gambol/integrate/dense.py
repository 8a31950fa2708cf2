"""The way between the ends of a step: a polynomial in the chart where the step began.

    y(s) = y0 + s (d + (1 - s) (e + s (f + (1 - s) g)))        s from 0 to 1
    d = y1 - y0,  e = h y0' - d,  f = d - h y1' - e;  with g = 0 this is Hermite's cubic

[Hairer, Norsett and Wanner 1993, section II.6]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.integrate.system import Chart, Moving, Numbers, Stepped, System
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Curve:
    """The way through one step: its chart, and the five vectors y0, d, e, f, g."""

    chart: Chart
    terms: tuple[Numbers, Numbers, Numbers, Numbers, Numbers]

    @staticmethod
    def of_ends(
        chart: Chart, ends: tuple[Numbers, Numbers], moves: tuple[Numbers, Numbers], bend: Numbers | None = None
    ) -> "Curve":
        """The curve through two values of y with h y' there; bend: g, or none."""
        (y0, y1), (m0, m1) = ends, moves
        d = _less(y1, y0)
        e = _less(m0, d)
        f = _less(_less(d, m1), e)
        return Curve(chart, (y0, d, e, f, bend or [0.0] * len(y0)))

    def at(self, s: Scalar) -> Moving:
        """The state where a part s of the step has gone by."""
        r = 1.0 - s
        y = [a + s * (d + r * (e + s * (f + r * g))) for a, d, e, f, g in zip(*self.terms, strict=True)]
        return self.chart.moving(y)


def hermite(system: System, t: Scalar, now: Moving, h: Scalar, stepped: Stepped) -> Curve:
    """The cubic between the ends of any method's step of length h [s] from t [s]: of order 3, or the method's if less.

    It costs 2 evaluations.
    """
    chart = Chart(system, now)
    end: Numbers = [*stepped.x, *stepped.new.v, *stepped.new.w]
    moves = [[h * rate for rate in chart.rates(at, y)] for at, y in ((t, chart.start), (t + h, end))]
    return Curve.of_ends(chart, (chart.start, end), (moves[0], moves[1]))


def _less(a: Sequence[Scalar], b: Sequence[Scalar]) -> Numbers:
    return [x - y for x, y in zip(a, b, strict=True)]
