"""The protocol of reflexes, and the signals that they read."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from gambol.control.controller import Senses
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar

JOINT_SENSES, FOOT_SENSES, OUTPUTS, SENSORS = ("angles", "speeds"), ("contacts", "loads"), "actuator_outputs", "sensors"
"""The kinds of signals: those of driven joints, of feet, of actuators, and of the world's sensors."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A number that a controller senses.

    sense: "angles" or "speeds" of a driven joint, "contacts" or "loads" of a foot, "actuator_outputs", or "sensors".
    name: name of the joint's link, the foot, the actuator or the sensor. entry: entry of the output, such as "force";
    index: index of the sensor's reading. unit: unit in which a reflex measures the signal, such as a muscle's maximal
    force, in the unit of the signal. Raises WorldError for another sense, and for a unit that is not positive.
    """

    sense: str
    name: str
    entry: str = ""
    index: int = 0
    unit: float = 1.0

    def __post_init__(self) -> None:
        known = (*JOINT_SENSES, *FOOT_SENSES, OUTPUTS, SENSORS)
        if self.sense not in known:
            raise WorldError(f'a reflex cannot read "{self.sense}"; {did_you_mean(self.sense, known)}')
        if not 0.0 < self.unit < math.inf:
            raise WorldError(f'a reflex cannot measure "{self.name}" in units of {self.unit}; give more than 0')

    @property
    def required_sense(self) -> str:
        """The sense, or sensor, that a controller must request."""
        return self.name if self.sense == SENSORS else self.sense

    def check(self, joints: Sequence[str], feet: Sequence[str], actuators: Sequence[str]) -> None:
        """Raise WorldError if a controller of these joints, feet and actuators has no such signal."""
        named = {**dict.fromkeys(JOINT_SENSES, joints), **dict.fromkeys(FOOT_SENSES, feet), OUTPUTS: actuators}
        if self.sense in named and self.name not in named[self.sense]:
            hint = did_you_mean(self.name, named[self.sense])
            raise WorldError(f'a reflex reads {self.sense} of "{self.name}", which the controller lacks; {hint}')
        if self.sense == OUTPUTS and not self.entry:
            raise WorldError(f'a reflex reads an output of "{self.name}"; give its entry, such as "force"')

    def value(self, senses: Senses, joints: Sequence[str], feet: Sequence[str]) -> Scalar:
        """Return its value now, in its unit. joints, feet: joints and feet of the controller, in its order."""
        value = self._sensed(senses, joints, feet)
        return value if self.unit == 1.0 else value * (1.0 / self.unit)

    def _sensed(self, senses: Senses, joints: Sequence[str], feet: Sequence[str]) -> Scalar:
        """Return its sensed value."""
        if self.sense == SENSORS:
            return senses.sensors[self.name][self.index]
        if self.sense == OUTPUTS:
            outputs = senses.actuator_outputs.get(self.name, {})
            if self.entry not in outputs:
                raise WorldError(f'no actuator "{self.name}" has an output "{self.entry}" for a reflex')
            return outputs[self.entry]
        return getattr(senses, self.sense)[(joints if self.sense in JOINT_SENSES else feet).index(self.name)]


@dataclass(frozen=True, slots=True)
class Afferent:
    """A signal, and the time that it needs to arrive [s]."""

    signal: Signal
    delay: float


class Reflex(ABC):
    """A reflex: a frozen dataclass, whose kind is a key of the table REFLEXES.

    kind: its name in the table. signal: the signal that it reads. actuator: the actuator to whose command the response
    is added; command: name of the command, or "" for the only one. delay: time between the signal and its effect [s].
    """

    kind: ClassVar[str]
    signal: Signal
    actuator: str
    command: str
    delay: float

    @abstractmethod
    def response(self, numbers: Mapping[str, Scalar], memory: Any, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
        """Return its addition to the command, and its new memory.

        numbers: in the structure of numbers(). memory: memory of the previous control step. x: the delayed signal. dt:
        control step [s].
        """

    @property
    def afferent(self) -> Afferent:
        """Its signal with its delay."""
        return Afferent(self.signal, self.delay)

    def memory(self) -> Any:
        """Return its memory before the first control step: by default, () for no memory."""
        return ()

    def numbers(self) -> dict[str, Scalar]:
        """Return its numbers by name: all fields that are floats.

        They are inputs of a program, and may differ between worlds.
        """
        named = {f.name: getattr(self, f.name) for f in fields(self)}  # pyright: ignore[reportArgumentType]
        return {name: value for name, value in named.items() if name not in ("signal", "actuator", "command", "delay")}

    def check(self) -> None:
        """Raise WorldError for a delay that is negative, and numbers that are not finite."""
        if not 0.0 <= self.delay < math.inf:
            raise WorldError(f"a reflex cannot act {self.delay} s after its signal; give a delay of 0 or more")
        for name, value in self.numbers().items():
            if not -math.inf < value < math.inf:
                raise WorldError(f"the {name} of a {self.kind} reflex is {value}; it must be finite")
