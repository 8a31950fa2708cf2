"""Check of a finished step: when contacts closed within it, and how deep they are at its end.

    g(s) = g_0 + s h w_0 + c_2 s^2 + c_3 s^3       the cubic with the gaps and speeds of both ends of a step; g(s) = 0

A step that went through a surface is cut back to that time and repeated. [Baraff 1989; Patil 2007, SimulationStep]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.contact_system import ContactSystem, Tolerances
from gambol.lanes import Scalar, clamp, maximum, minimum, sqrt, where

NEVER = 1e6
"""Closing time of a contact that does not close [s]."""

ITERATIONS = 3
"""Newton steps for the closing time: each doubles the digits of the parabola's root, from which they start."""

MIN_SLOPE = 0.1
"""Least slope of the cubic in a Newton step, as a share of the mean slope: a flatter one would lead far away."""


@dataclass(frozen=True, slots=True)
class StepCheck:
    """Check of a step at its end: time at which an open contact closes, from the step's begin [s], NEVER if none does;
    depth of the deepest contact [m]; fastest approach of a closed one [m/s].
    """

    time: Scalar
    deepest: Scalar
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

    system: contacts at its end; before, v: joint velocities at its ends (nv), along axes there. start_gaps: gaps at its
    begin [m or rad]. tolerances: for closed contacts. was_held: for each gap 1 where the step held it, else 0. A
    contact that was not held and was open, or came fast, closes within the step; one that still approaches fast, soon
    after it.
    """
    begin, end = system.speeds(before), system.speeds(v)
    time: Scalar = NEVER
    deepest: Scalar = 0.0
    approach: Scalar = 0.0
    for gap, row, first, at_rest in zip(system.gaps, system.normal_rows, start_gaps, was_held, strict=True):
        max_gap = tolerances.max_gap(at_rest)
        penetrates = (gap < -max_gap) & (
            (begin[row] < -tolerances.speed) | ((first > tolerances.slack) & (at_rest < 0.5))
        )
        ends = where(penetrates, maximum(first, 0.0), 1.0), where(penetrates, gap, -1.0)
        time = minimum(where(penetrates, closing_time(ends, (begin[row], end[row]), h), time), time)
        approaching = (gap > max_gap) & (end[row] < -tolerances.speed)
        time = minimum(where(approaching, h - gap / where(approaching, end[row], 1.0), time), time)
        deepest = maximum(-gap, deepest)
        approach = maximum(where(gap <= max_gap, -end[row], 0.0), approach)
    return StepCheck(time, deepest, approach)


def closing_time(gaps: tuple[Scalar, Scalar], speeds: tuple[Scalar, Scalar], h: Scalar) -> Scalar:
    """Return the time in a step of h [s] when a gap closes that is 0 or more at its begin, and negative at its end [s].

    gaps: at both ends [m or rad]; speeds: their rates there. Fourth order in h. The Newton search of the cubic's root
    starts at the root of the parabola without the last rate.
    """
    (first, last), begin = gaps, h * speeds[0]
    fall = last - first
    bend = fall - begin
    root = sqrt(maximum(begin * begin - 4.0 * bend * first, 0.0))
    leaves = begin > 0.0
    late, soon = (begin + root) / where(leaves, -2.0 * bend, 1.0), 2.0 * first / where(leaves, 1.0, root - begin)
    s = where(leaves, late, soon)
    c3 = begin + h * speeds[1] - 2.0 * fall
    c2 = bend - c3
    for _ in range(ITERATIONS):
        value = first + s * (begin + s * (c2 + s * c3))
        slope = begin + s * (2.0 * c2 + 3.0 * s * c3)
        s = clamp(s - value / minimum(slope, MIN_SLOPE * fall), 0.0, 1.0)
    return h * s
