"""Check of a finished step: the times at which contacts closed within it, and their depths at its end.

    g(s) = g_0 + s h w_0 + c_2 s^2 + c_3 s^3       the cubic with the gaps and speeds of both ends of a step; g(s) = 0

A step in which a contact closed is repeated with this closing time as its length. [Baraff 1989; Patil 2007,
SimulationStep]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.contact_system import ContactSystem, Tolerances
from gambol.lanes import Scalar, clamp, maximum, minimum, sqrt, where

NO_CLOSING_TIME = 1e6
"""Closing time of a contact that does not close [s]."""

ITERATIONS = 3
"""Newton steps for the closing time: each doubles the correct digits; the initial value is the root of a parabola."""

MIN_SLOPE = 0.1
"""Minimum slope of the cubic in a Newton step, as a fraction of its mean slope: a smaller one gives too large a
step."""


@dataclass(frozen=True, slots=True)
class StepCheck:
    """Check of a step at its end.

    time: time from the start of the step at which an open contact closes [s], NO_CLOSING_TIME if none closes;
    max_depth: depth of the deepest contact [m]; approach: fastest approach of a closed contact [m/s].
    """

    time: Scalar
    max_depth: Scalar
    approach: Scalar


def check_step(
    system: ContactSystem,
    before: Sequence[Scalar],
    v: Sequence[Scalar],
    start_gaps: Sequence[Scalar],
    h: Scalar,
    tolerances: Tolerances,
    was_held: Sequence[Scalar],
) -> StepCheck:
    """Return the check of a step of h [s].

    system: contacts at its end; before, v: joint velocities at its start and its end (nv), both along the axes of the
    end. start_gaps: gaps at its start [m or rad]. tolerances: tolerances for closed contacts. was_held: for each gap 1
    where the step held the contact, else 0. A penetrating contact that was open and not held, or approached fast, has
    closed within the step; an open contact that still approaches fast closes soon after it.
    """
    start_speeds, end_speeds = system.speeds(before), system.speeds(v)
    time: Scalar = NO_CLOSING_TIME
    max_depth: Scalar = 0.0
    approach: Scalar = 0.0
    for gap, row, start_gap, held in zip(system.gaps, system.normal_rows, start_gaps, was_held, strict=True):
        max_gap = tolerances.max_gap(held)
        penetrates = (gap < -max_gap) & (
            (start_speeds[row] < -tolerances.speed) | ((start_gap > tolerances.slack) & (held < 0.5))
        )
        ends = where(penetrates, maximum(start_gap, 0.0), 1.0), where(penetrates, gap, -1.0)
        time = minimum(where(penetrates, closing_time(ends, (start_speeds[row], end_speeds[row]), h), time), time)
        approaching = (gap > max_gap) & (end_speeds[row] < -tolerances.speed)
        time = minimum(where(approaching, h - gap / where(approaching, end_speeds[row], 1.0), time), time)
        max_depth = maximum(-gap, max_depth)
        approach = maximum(where(gap <= max_gap, -end_speeds[row], 0.0), approach)
    return StepCheck(time, max_depth, approach)


def closing_time(gaps: tuple[Scalar, Scalar], speeds: tuple[Scalar, Scalar], h: Scalar) -> Scalar:
    """Return the time within a step of h [s] at which a gap closes.

    gaps: gaps at both ends, the first 0 or more, the last negative [m or rad]; speeds: rates of the gap at both ends.
    The error is of fourth order in h. Newton's method for the root of the cubic starts from the root of the parabola
    without the final rate.
    """
    (first, last), c1 = gaps, h * speeds[0]
    change = last - first
    curvature = change - c1
    root = sqrt(maximum(c1 * c1 - 4.0 * curvature * first, 0.0))
    opens = c1 > 0.0
    # the root of the parabola, without cancellation for either sign of c1
    late, early = (c1 + root) / where(opens, -2.0 * curvature, 1.0), 2.0 * first / where(opens, 1.0, root - c1)
    s = where(opens, late, early)
    c3 = c1 + h * speeds[1] - 2.0 * change
    c2 = curvature - c3
    for _ in range(ITERATIONS):
        value = first + s * (c1 + s * (c2 + s * c3))
        slope = c1 + s * (2.0 * c2 + 3.0 * s * c3)
        s = clamp(s - value / minimum(slope, MIN_SLOPE * change), 0.0, 1.0)
    return h * s
