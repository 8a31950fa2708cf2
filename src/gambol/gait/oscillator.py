"""One master oscillator, and the phases of the legs that lag behind it, by Wilson's rules.

[McKenna 1990, sections 2.2 and 4.6]

With cycle time T, step time t and delay d between a leg and the one in front of it (rules 1, 3 and 5),

    phase_i = master - (d rank_i from the rear) / T - (1/2 on the right side, rule 2)

and leg i is triggered when its phase passes 1/4, where the sine of the oscillator has its peak.
"""

from dataclasses import dataclass

from gambol.gait.leg import Leg
from gambol.lanes import Scalar, floor, maximum

PEAK = 0.25
"""A sine's peak, in cycles."""


@dataclass(frozen=True, slots=True)
class GaitTimes:
    """The times of a gait [s]: a cycle, a step, and the delay to the leg in front."""

    cycle: Scalar
    step: Scalar
    delay: Scalar

    @property
    def stance(self) -> Scalar:
        """The duration of the stance in each cycle [s]."""
        return self.cycle - self.step


def gait_times(metabolism: Scalar, speed: Scalar, cycle: Scalar = 2.0, delay: Scalar = 1.0) -> GaitTimes:
    """Return the times of a gait at a speed factor: 1 is the fastest, the tripod gait; 2 has half the step frequency.

    metabolism: time of one step [s]. speed: the speed factor. cycle, delay: the shortest cycle and the delay to the leg
    in front, both divided by metabolism.
    """
    return GaitTimes(cycle * metabolism * speed, metabolism, delay * metabolism)


def phase(master: Scalar, times: GaitTimes, leg: Leg, ranks: int) -> Scalar:
    """Return the phase of a leg's oscillator [cycles].

    master: phase of the master oscillator [cycles]. times: times of the gait. leg: the leg. ranks: number of pairs of
    legs.
    """
    behind = float(ranks - 1 - leg.rank)
    return master - behind * times.delay / times.cycle - (0.5 if leg.side == "right" else 0.0)


def peaks_passed(leg_phase: Scalar) -> Scalar:
    """Return the number of peaks that a phase has passed, counted from phase 0."""
    return floor(leg_phase - PEAK)


def triggered(old_peaks: Scalar, leg_phase: Scalar) -> tuple[Scalar, Scalar]:
    """Return True if a phase has passed a peak that is not counted yet, and the new count.

    old_peaks: the count so far. leg_phase: the phase now [cycles].
    """
    peaks = peaks_passed(leg_phase)
    return peaks > old_peaks, maximum(peaks, old_peaks)
