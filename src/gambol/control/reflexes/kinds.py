"""Reflexes of muscles and joints. [McMahon 1984, chapter 6; McKenna 1990, section 2.3]

Each reflex adds one of these responses to the command, with x the delayed signal and [y]+ = max(0, y):

    delayed feedback   g (x - x0), or g [x - x0]+
    stretch reflex     k [x - x0]+ + b [x']+             the spindle, in parallel: length and speed of lengthening
    tendon organ       -k [x - x0]+                      in series: force inhibits its own muscle
    clasp-knife        -s while latched                  latched when x > on, until x < off: releases a large force
    withdrawal         s (e^(-t/T))                      t: time since x rose above its threshold; the flexor reflex

Signs are for the excitation of a muscle. For the torque of a motor, or the target of a servo, choose the sign of the
gain so that it opposes the motion; for the stretch reflex of a joint angle it is negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.control.reflexes.reflex import Reflex, Signal
from gambol.errors import WorldError
from gambol.lanes import Scalar, exp, maximum, where

LONG_AGO = 1e6
"""Initial time since the last stimulus, for a reflex that was never triggered [s]."""


@dataclass(frozen=True)
class DelayedFeedback(Reflex):
    """Proportional feedback of any signal.

    gain: g, in units of the command per unit of the signal. reference: x0. one_sided: True if it acts only above x0.
    """

    kind: ClassVar[str] = "delayed feedback"
    signal: Signal
    actuator: str
    gain: float
    reference: float = 0.0
    delay: float = 0.0
    command: str = ""
    one_sided: bool = False

    def numbers(self) -> dict[str, Scalar]:
        """Return gain and reference."""
        return {"gain": self.gain, "reference": self.reference}

    def response(self, numbers: Mapping[str, Scalar], memory: Any, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
        """Return the feedback, without memory."""
        return self.feedback(numbers["gain"], numbers["reference"], x), memory

    def feedback(self, gain: Scalar, reference: Scalar, x: Scalar) -> Scalar:
        """Return the feedback of a delayed signal x."""
        error = x - reference
        return gain * (maximum(error, 0.0) if self.one_sided else error)


@dataclass(frozen=True)
class StretchReflex(Reflex):
    """The stretch reflex: it opposes lengthening beyond a reference.

    stiffness: k, in units of the command per unit of the signal. damping: b, in units of the command times seconds per
    unit of the signal; the speed is the difference of the last two samples. reference: x0, the length above which it
    acts; in animals gamma fibres set it.
    """

    kind: ClassVar[str] = "stretch"
    signal: Signal
    actuator: str
    stiffness: float
    reference: float = 0.0
    damping: float = 0.0
    delay: float = 0.0
    command: str = ""

    def memory(self) -> tuple[Scalar, Scalar]:
        """Return the initial memory: the last sample, and a flag that is 0 before the first sample and 1 after it."""
        return (0.0, 0.0)

    def response(
        self, numbers: Mapping[str, Scalar], memory: tuple[Scalar, Scalar], x: Scalar, dt: Scalar
    ) -> tuple[Scalar, Any]:
        """Return the response of the spindle, and the sample."""
        last, known = memory
        speed = where(known > 0.5, (x - last) / dt, 0.0)
        by_length = numbers["stiffness"] * maximum(x - numbers["reference"], 0.0)
        return by_length + numbers["damping"] * maximum(speed, 0.0), (x, 1.0)


@dataclass(frozen=True)
class TendonOrgan(Reflex):
    """The reflex of the Golgi tendon organ: force above a threshold inhibits the muscle that makes it.

    gain: k, in units of the command per unit of the signal. threshold: x0.
    """

    kind: ClassVar[str] = "tendon organ"
    signal: Signal
    actuator: str
    gain: float
    threshold: float = 0.0
    delay: float = 0.0
    command: str = ""

    def response(self, numbers: Mapping[str, Scalar], memory: Any, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
        """Return the inhibition, without memory."""
        return -numbers["gain"] * maximum(x - numbers["threshold"], 0.0), memory


@dataclass(frozen=True)
class ClaspKnife(Reflex):
    """The clasp-knife reflex: a muscle with too large a force is released, until the force is small.

    strength: s, by which the command decreases. on, off: signals at which it begins and ends. Raises WorldError if off
    is not below on.
    """

    kind: ClassVar[str] = "clasp-knife"
    signal: Signal
    actuator: str
    strength: float
    on: float
    off: float
    delay: float = 0.0
    command: str = ""

    def __post_init__(self) -> None:
        if not self.off < self.on:
            raise WorldError(f"a clasp-knife reflex that begins at {self.on} must end below that, not at {self.off}")

    def memory(self) -> Scalar:
        """Return 0: not latched."""
        return 0.0

    def response(self, numbers: Mapping[str, Scalar], memory: Scalar, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
        """Return the inhibition, and 1 while it is latched."""
        latched = where(x > numbers["on"], 1.0, where(x < numbers["off"], 0.0, memory))
        return -numbers["strength"] * latched, latched


@dataclass(frozen=True)
class Withdrawal(Reflex):
    """The flexor reflex: a stimulus above a threshold draws the limb back, for a while.

    strength: s, the response at its beginning. threshold: threshold of the signal, such as a force on a foot. decay: T,
    the time in which the response decreases to 1 / e [s]; while the stimulus lasts, the response is constant. Raises
    WorldError for a decay that is not positive.
    """

    kind: ClassVar[str] = "withdrawal"
    signal: Signal
    actuator: str
    strength: float
    threshold: float
    decay: float = 0.2
    delay: float = 0.0
    command: str = ""

    def __post_init__(self) -> None:
        if not self.decay > 0.0:
            raise WorldError(f"a withdrawal decays in more than 0 s, not in {self.decay} s")

    def memory(self) -> Scalar:
        """Return the time since the last stimulus: LONG_AGO."""
        return LONG_AGO

    def response(self, numbers: Mapping[str, Scalar], memory: Scalar, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
        """Return the response, and the time since the stimulus at the end of the control step [s]."""
        since = where(x > numbers["threshold"], 0.0, memory)
        return numbers["strength"] * exp(-since / numbers["decay"]), since + dt
