"""A delay line: past values of a signal, kept in the memory of a controller.

    y(t) = x(t - d) = sum_k max(0, 1 - |d / h - k|) x(t - k h)        k = 0, 1, ..., N

h is the control step, at which the signal is sampled. Between samples x is linear. A delay of a whole number of control
steps is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.errors import WorldError
from gambol.lanes import Scalar, maximum, total, where

MAX_SAMPLES = 4096
"""Maximum number of samples of a delay line; each sample is a number in the state of a world."""

DELAY_TOLERANCE = 1e-6
"""A delay counts as a whole number of control steps if it differs by less than this fraction, far above rounding."""


@dataclass(frozen=True, slots=True)
class DelayLine:
    """A delay line: it keeps the samples from which a signal can be read with delays of up to a longest delay.

    longest: the longest delay [s]. control_step: control step of the world, at which the signal is sampled [s]. The
    memory of a delay line is a list of samples, the newest first. A delayed command is held during a control step,
    which adds half a control step to its mean delay. Raises WorldError for a delay that is negative or not finite, a
    control step that is not positive, and more than MAX_SAMPLES samples.
    """

    longest: float
    control_step: float

    def __post_init__(self) -> None:
        if not 0.0 < self.control_step < math.inf:
            raise WorldError(f"a delay line cannot have a control step of {self.control_step} s; give more than 0")
        if not 0.0 <= self.longest < math.inf:
            raise WorldError(f"a signal cannot be delayed by {self.longest} s; give 0 or more")
        if self.longest > (MAX_SAMPLES - 1) * self.control_step:
            raise WorldError(
                f"a delay of {self.longest} s in control steps of {self.control_step} s takes more than {MAX_SAMPLES} "
                "samples; give a longer control step"
            )

    @property
    def samples(self) -> int:
        """The number of samples: the current one, and one for each control step that the longest delay reaches back."""
        return 1 + math.ceil(self.longest / self.control_step - DELAY_TOLERANCE)

    def memory(self, initial: Scalar = 0.0) -> list[Scalar]:
        """Return the samples of a signal that has been constant so far."""
        return [initial] * self.samples

    def pushed(self, samples: Sequence[Scalar], x: Scalar, dt: Scalar, first: Scalar = False) -> list[Scalar]:
        """Return the samples with the current value as the newest sample; the oldest is dropped.

        samples: samples of the previous control step, or memory(). x: current value. dt: the control step [s]. first:
        condition; where it holds, as at time 0, all samples become the current value. Raises WorldError for a control
        step other than that of the delay line, unless it is traced.
        """
        if isinstance(dt, float) and abs(dt - self.control_step) > DELAY_TOLERANCE * self.control_step:
            raise WorldError(f"a delay line for control steps of {self.control_step} s got a control step of {dt} s")
        return [x, *(where(first, x, old) for old in samples[:-1])]

    def read(self, samples: Sequence[Scalar], delay: Scalar) -> Scalar:
        """Return the signal a delay before the newest sample.

        samples: result of pushed(). delay: 0 to the longest [s]; it may be traced, and differ between worlds. Raises
        WorldError for a number outside this range; a traced delay is clamped to it.
        """
        if isinstance(delay, (int, float)):
            if not 0.0 <= delay <= self.longest + DELAY_TOLERANCE * self.control_step:
                raise WorldError(
                    f"a delay line of {self.longest} s has no value from {delay} s ago; give 0 to {self.longest} s"
                )
            return _read_at(samples, delay / self.control_step)
        steps = maximum(0.0, where(delay < self.longest, delay, self.longest) / self.control_step)
        return total(maximum(0.0, 1.0 - abs(steps - float(k))) * x for k, x in enumerate(samples))


def _read_at(samples: Sequence[Scalar], steps: float) -> Scalar:
    """Return the value a known number of control steps before the newest sample."""
    k = round(steps)
    if abs(steps - k) <= DELAY_TOLERANCE:
        return samples[k]
    newer, part = math.floor(steps), steps - math.floor(steps)
    return (1.0 - part) * samples[newer] + part * samples[newer + 1]
