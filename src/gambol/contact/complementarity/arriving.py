"""What contacts did in a step that was taken without knowing when they close: when that was, and how deep they lie now.

    g(s) = g_0 + s h w_0 + c_2 s^2 + c_3 s^3       the cubic with the gaps and speeds of both ends of a step; g(s) = 0

A step that led through something is cut back to there and taken anew. [Baraff 1989; Patil 2007, SimulationStep]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.holding import Near, Scene
from gambol.lanes import Scalar, clamp, maximum, minimum, sqrt, where

NEVER = 1e6
"""When a contact closes that does not [s]."""

ROUNDS = 3
"""Rounds of Newton's method for the time at which a gap closes: each doubles the digits that a parabola begins with."""

FLATTEST = 0.1
"""Slope of the cubic that is taken for it at least, of that from end to end: a flatter one would lead far away."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """Of a step, told at its end: when a contact closes that was open, since the step's begin [s], NEVER if none does;
    how deep the deepest contact lies [m], and the fastest approach of a closed one [m/s].
    """

    time: Scalar
    deepest: Scalar
    approach: Scalar


def arrived(
    scene: Scene,
    before: Sequence[Scalar],
    v: Sequence[Scalar],
    opened: Sequence[Scalar],
    h: Scalar,
    near: Near,
    held: Sequence[Scalar],
) -> Arrived:
    """What a step of h [s] led to. scene: at its end; before, v: joint velocities at its ends (nv), along axes there.

    opened: gaps as the step began [m or rad]. held: for each gap 1 where the step held it, else 0. What was not held
    and was open, or came fast, closes within the step; what comes fast and is open still, soon after it.
    """
    begin, end = scene.speeds(before), scene.speeds(v)
    time: Scalar = NEVER
    deepest: Scalar = 0.0
    approach: Scalar = 0.0
    for gap, row, first, rests in zip(scene.gaps, scene.normals, opened, held, strict=True):
        widest = near.widest(rests)
        pierces = (gap < -widest) & ((begin[row] < -near.speed) | ((first > near.slack) & (rests < 0.5)))
        ends = where(pierces, maximum(first, 0.0), 1.0), where(pierces, gap, -1.0)
        time = minimum(where(pierces, closing_time(ends, (begin[row], end[row]), h), time), time)
        comes = (gap > widest) & (end[row] < -near.speed)
        time = minimum(where(comes, h - gap / where(comes, end[row], 1.0), time), time)
        deepest = maximum(-gap, deepest)
        approach = maximum(where(gap <= widest, -end[row], 0.0), approach)
    return Arrived(time, deepest, approach)


def closing_time(gaps: tuple[Scalar, Scalar], speeds: tuple[Scalar, Scalar], h: Scalar) -> Scalar:
    """When in a step of h [s] a gap closes that is not below 0 as it begins, and is at its end [s].

    gaps: at both ends [m or rad]; speeds: its rates there. Right to fourth order in h. The search of the cubic's root
    begins at that of the parabola without the last rate.
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
    for _ in range(ROUNDS):
        missed = first + s * (begin + s * (c2 + s * c3))
        slope = begin + s * (2.0 * c2 + 3.0 * s * c3)
        s = clamp(s - missed / minimum(slope, FLATTEST * fall), 0.0, 1.0)
    return h * s
