"""The control law of reflexes: it adds their responses to the commands of another law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.control.controller import Senses
from gambol.control.delay import DelayLine
from gambol.control.feedback import FeedbackController, Law
from gambol.control.reflexes.reflex import Reflex
from gambol.control.reflexes.table import check_kind
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp


@dataclass(frozen=True, slots=True)
class ReflexMemory:
    """The memory of a law with reflexes: memory of the wrapped law, past signals, and the memory of each reflex."""

    law: Any
    lines: list[list[Scalar]]
    reflexes: list[Any]


@dataclass(frozen=True)
class ReflexLaw:
    """A control law with reflexes, made by with_reflexes(); the sum is clamped to the bounds of each command.

    law: law to whose commands the reflexes are added, or None for commands of 0 within the bounds. reflexes: reflexes
    by name. control_step: control step of the world [s]. joints, feet: joints and feet of the controller, in order.
    commanded, bounds: for each command in order, the names of the actuator and the command, and the lower and upper
    bound.
    """

    law: Law | None
    reflexes: Mapping[str, Reflex]
    control_step: float
    joints: tuple[str, ...]
    feet: tuple[str, ...]
    commanded: tuple[tuple[str, str], ...]
    bounds: tuple[tuple[float, float], ...]

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Senses of the law and of the reflexes, each once."""
        of_law = self.law.required_senses if self.law else ()
        return tuple(dict.fromkeys((*of_law, *(r.signal.required_sense for r in self.reflexes.values()))))

    @property
    def _lines(self) -> list[DelayLine]:
        return [DelayLine(reflex.delay, self.control_step) for reflex in self.reflexes.values()]

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the law, and of each reflex by name."""
        of_reflexes = {name: reflex.numbers() for name, reflex in self.reflexes.items()}
        return {"law": self.law.numbers() if self.law else {}, "reflexes": of_reflexes}

    def memory(self) -> ReflexMemory:
        """Return the initial memory of the law and of each reflex, and no past signals."""
        lines = [line.memory() for line in self._lines]
        inner = self.law.memory() if self.law else ()
        return ReflexMemory(inner, lines, [reflex.memory() for reflex in self.reflexes.values()])

    def commands(
        self, numbers: Mapping[str, Any], memory: ReflexMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], ReflexMemory]:
        """Return the commands with the responses of all reflexes; before time 0, signals are as at time 0."""
        commands, inner = self._commands_of_law(numbers["law"], memory.law, senses, dt)
        lines: list[list[Scalar]] = []
        after: list[Any] = []
        for k, ((name, reflex), line) in enumerate(zip(self.reflexes.items(), self._lines, strict=True)):
            now = reflex.signal.value(senses, self.joints, self.feet)
            lines.append(line.pushed(memory.lines[k], now, dt, first=senses.time <= 0.0))
            x = line.read(lines[k], reflex.delay)
            response, new = reflex.response(numbers["reflexes"][name], memory.reflexes[k], x, dt)
            after.append(new)
            target = self._target(reflex)
            commands[target] = commands[target] + response
        limited = [clamp(x, low, high) for x, (low, high) in zip(commands, self.bounds, strict=True)]
        return limited, ReflexMemory(inner, lines, after)

    def _commands_of_law(self, numbers: Any, memory: Any, senses: Senses, dt: Scalar) -> tuple[list[Scalar], Any]:
        if self.law is None:
            return [0.0] * len(self.commanded), memory
        commands, inner = self.law.commands(numbers, memory, senses, dt)
        return list(commands), inner

    def _target(self, reflex: Reflex) -> int:
        """Return the index of the command that a reflex adds to."""
        own = [k for k, (actuator, _) in enumerate(self.commanded) if actuator == reflex.actuator]
        return next(k for k in own if reflex.command in ("", self.commanded[k][1]))

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure: the law, and kind, signal, target and delay of each reflex."""
        inner = (type(self.law).__module__, type(self.law).__qualname__, self.law.structure()) if self.law else None
        rows = [
            (name, r.kind, r.signal, self._target(r), r.delay, getattr(r, "one_sided", None))
            for name, r in self.reflexes.items()
        ]
        return (inner, rows, self.control_step, self.joints, self.feet, self.bounds)


def with_reflexes(
    controller: FeedbackController, reflexes: Mapping[str, Reflex], control_step: float, *, alone: bool = False
) -> FeedbackController:
    """Return a controller whose commands have reflexes added.

    reflexes: reflexes by name. control_step: control step of the world [s]. alone: True to drop the controller's law,
    so that only reflexes act. Raises WorldError for actuators, joints and feet that the controller lacks, and for
    impossible reflexes.
    """
    commanded = controller.commanded
    names = tuple(controller.actuators)
    for name, reflex in reflexes.items():
        check_kind(name, reflex)
        reflex.check()
        reflex.signal.check(controller.joints, controller.feet, names)
        if reflex.actuator not in names:
            hint = did_you_mean(reflex.actuator, names)
            raise WorldError(f'the reflex "{name}" acts on "{reflex.actuator}", which is not an actuator; {hint}')
        own = [command for actuator, command in commanded if actuator == reflex.actuator]
        if reflex.command not in own and not (reflex.command == "" and len(own) == 1):
            raise WorldError(f'the reflex "{name}" adds to the command "{reflex.command}"; there are {", ".join(own)}')
    bounds = tuple(pair for a in controller.actuators.values() for pair in a.bounds(a.numbers()))
    limits = tuple((float(low), float(high)) for low, high in bounds)
    law = None if alone else controller.law
    own_law = ReflexLaw(law, dict(reflexes), control_step, controller.joints, controller.feet, commanded, limits)
    return FeedbackController(own_law, controller.actuators, controller.feet)
