"""Waves that travel along a chain of joints, and the control law that commands their servos.

    q_i = c + A f(2 pi (t / T - n s_i) + p)              i: from the head; s_i = (i + 1/2) / number of joints

n waves lie on the body and travel towards the tail. With f the sine, a body in the plane has the form of Hirose's
serpenoid curve, whose curvature is a sine of the arc length. [Hirose 1993] At the start the body is straight, and the
waves grow from 0.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gambol.control.controller import Senses
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp, sin

FORMS = ("sine", "raised", "envelope", "arch")

Form = Literal["sine", "raised", "envelope", "arch"]
"""The form f of a wave, a function of the angle a.

"sine": sin a. "raised": (1 - cos a) / 2, from 0 to 1. "envelope": the raised wave times a standing sine along the body;
its sign changes in every period, so that the turns of two periods cancel. "arch": the raised wave times -cos(2 pi s);
the middle of the body rises, and both ends stay level.
"""


@dataclass(frozen=True, slots=True)
class Wave:
    """A wave along the joints of one kind.

    joints: kind of the joints, see Body.joints. amplitude A, mean c [rad or m]. waves: number n of waves on the body,
    positive if they travel towards the tail. phase p [rad]. form: f, one of FORMS. standing: number of waves of the
    standing sine of an envelope.
    """

    joints: str
    amplitude: float
    waves: float
    phase: float = 0.0
    mean: float = 0.0
    form: Form = "sine"
    standing: float = 0.0

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise WorldError(f'a wave has no form "{self.form}"; {did_you_mean(self.form, FORMS)}')
        for name in ("amplitude", "waves", "phase", "mean", "standing"):
            if not math.isfinite(getattr(self, name)):
                raise WorldError(f"the {name} of a wave is {getattr(self, name)}; it must be finite")

    @property
    def reach(self) -> float:
        """The largest distance of a joint value from 0 [rad or m]."""
        return abs(self.mean) + abs(self.amplitude)

    def value(self, numbers: Mapping[str, Scalar], turns: Scalar, s: float) -> Scalar:
        """Return the target of a joint. numbers: numbers of the law. turns: t / T. s: s_i."""
        angle = (turns - numbers["waves"] * s) * (2.0 * math.pi) + numbers["phase"]
        f = sin(angle) if self.form == "sine" else 0.5 - 0.5 * sin(angle + 0.5 * math.pi)
        if self.form == "envelope":  # sin(a / 2)^2 is the raised one
            half = sin(0.5 * angle)
            f = half * abs(half) * math.sin(2.0 * math.pi * self.standing * s)
        if self.form == "arch":
            f = f * -math.cos(2.0 * math.pi * s)
        return numbers["mean"] + numbers["amplitude"] * f


@dataclass(frozen=True)
class WaveLaw:
    """A control law: waves of one period along the joints of a body; see gambol.control.feedback.Law.

    waves: one for each kind of joint. joints: number of joints. period T [s]. ramp: periods in which amplitudes grow
    from 0.
    """

    waves: tuple[Wave, ...]
    joints: int
    period: float
    ramp: float = 1.0
    required_senses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 < self.period < math.inf:
            raise WorldError(f"the period of a wave is {self.period} s; it must be more than 0, and finite")

    def numbers(self) -> dict[str, Any]:
        """Return the period, and amplitude, number of waves, phase and mean of each wave."""
        names = ("amplitude", "waves", "phase", "mean")
        return {"period": self.period, "waves": [{name: getattr(w, name) for name in names} for w in self.waves]}

    def memory(self) -> Any:
        """Return no memory."""
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the targets at the end of the control step, by wave and by joint from the head [rad or m]."""
        return self.targets(numbers["waves"], (senses.time + dt) / numbers["period"]), memory

    def targets(self, waves: Sequence[Mapping[str, Any]], turns: Scalar) -> list[Scalar]:
        """Return the targets by wave and by joint from the head [rad or m].

        waves: numbers of the waves, in the structure of numbers(). turns: time in periods.
        """
        scale = clamp(turns * (1.0 / self.ramp), 0.0, 1.0)
        positions = [(k + 0.5) / self.joints for k in range(self.joints)]
        rows = zip(self.waves, waves, strict=True)
        return [scale * wave.value(row, turns, s) for wave, row in rows for s in positions]

    def structure(self) -> tuple[Any, ...]:
        """Return all that is compiled in."""
        return tuple((w.joints, w.form, w.standing) for w in self.waves), self.joints, self.ramp
