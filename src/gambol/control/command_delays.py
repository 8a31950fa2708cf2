"""Delays of the commands of actuators, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gambol.control.delay import DelayLine
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control.controller import Controller


@dataclass(frozen=True)
class CommandDelays:
    """Longest delays of commands [s], by name of the actuator, in a world with a control step [s].

    A command reaches its actuator after the delay; before that, the first command acts. Delays are inputs of a program,
    up to the longest delays. Raises WorldError for impossible delays.
    """

    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    control_step: float = 1.0

    def __post_init__(self) -> None:
        for name in self.seconds:
            try:
                self.line(name)
            except WorldError as error:
                raise WorldError(f'the commands of "{name}": {error}') from error

    def line(self, actuator: str) -> DelayLine:
        """Return the delay line of the commands of an actuator."""
        return DelayLine(self.seconds[actuator], self.control_step)

    def numbers(self) -> dict[str, dict[str, float]]:
        """Return the delays as inputs of a program; nothing if there are none."""
        return {"delays": dict(self.seconds)} if self.seconds else {}

    def memory(self, commanded: Iterable[tuple[str, str]]) -> list[list[Scalar]]:
        """Return the samples of delayed commands before the first control step.

        commanded: actuator and name of each command.
        """
        return [self.line(name).memory() for name, _ in commanded if name in self.seconds]

    def delayed(
        self,
        numbers: Mapping[str, Any],
        commanded: Iterable[tuple[str, str]],
        samples: Sequence[Sequence[Scalar]],
        goals: Sequence[Scalar],
        first: Scalar,
    ) -> tuple[list[Scalar], list[list[Scalar]]]:
        """Return the commands that reach the actuators, and the new samples.

        numbers: numbers that include those of numbers(). commanded: actuator and name of each command. samples: result
        of memory(), or samples of the previous control step. goals: new commands. first: True in the first control
        step.
        """
        reached, kept, rows = list[Scalar](), list[list[Scalar]](), iter(samples)
        for (name, _), goal in zip(commanded, goals, strict=True):
            if name not in self.seconds:
                reached.append(goal)
                continue
            line = self.line(name)
            kept.append(line.pushed(next(rows), goal, self.control_step, first))
            reached.append(line.read(kept[-1], numbers["delays"][name]))
        return reached, kept

    def structure(self) -> tuple[Any, ...]:
        """Return the delays, which are compiled into a program; empty if there are none."""
        return (tuple(self.seconds.items()), self.control_step) if self.seconds else ()


def with_delays(controller: Controller | None, seconds: Mapping[str, float], control_step: float) -> Any:
    """Return a controller whose commands reach their actuators later.

    controller: a Drive or a FeedbackController. seconds: longest delays by name of the actuator [s]. control_step:
    control step of the world [s]. Raises WorldError for another controller and for unknown names.
    """
    if not hasattr(controller, "delays"):
        raise WorldError("only the commands of a Drive or a FeedbackController can be delayed; give the world one")
    known: Any = controller
    for name in seconds:
        if name not in known.actuators:
            raise WorldError(f'there is no actuator "{name}" to delay; {did_you_mean(name, known.actuators)}')
    return replace(known, delays=CommandDelays(dict(seconds), control_step))
