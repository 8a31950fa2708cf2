"""The phases of a gait's legs: coupled oscillators that keep, or relax to, the offsets of a gait. [Kuramoto 1984]

    theta_i' = f + K / (2 pi N) sum_j sin(2 pi (d_j - d_i))        d_i = theta_i + o_i

o_i is the phase of the stride at which foot i lands. In the gait all d are equal. When the offsets change, the phases
do not jump: they relax to the new gait with the time constant 1 / K.
"""

from collections.abc import Sequence

from gambol.control.patterns.oscillators import coupling_rates
from gambol.lanes import Scalar, floor


def advanced_phases(
    phases: Sequence[Scalar], offsets: Sequence[Scalar], frequency: Scalar, coupling: Scalar, dt: Scalar
) -> list[Scalar]:
    """Return the phases of the legs after dt [s], in [0, 1); at phase 0 a foot lands.

    phases: phases now [cycles]. offsets: phases of the stride at which the feet land [cycles]. frequency: frequency of
    the stride [Hz]. coupling: K [1/s]; K dt must be below 1.
    """
    leads = [phase + offset for phase, offset in zip(phases, offsets, strict=True)]
    rates = coupling_rates(leads, coupling)
    moved = [phase + dt * (frequency + rate) for phase, rate in zip(phases, rates, strict=True)]
    return [phase - floor(phase) for phase in moved]


def shifted_offsets(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """Return the offsets `after` plus whole cycles, so that each differs from `before` by at most half a cycle.

    A change by exactly half a cycle is negative for all legs; a change from trot to pace then passes through a walk.
    """
    return [a - floor(a - b + 0.5) for b, a in zip(before, after, strict=True)]
