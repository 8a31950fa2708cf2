"""Controllers that command actuators: the common base of Drive and FeedbackController.

Held commands, such as torques and excitations, are constant during a control step. Other commands, such as targets of
servos, move at a constant rate and reach their new values at the end of the control step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from gambol.actuation import Actuator
from gambol.control.command_delays import CommandDelays
from gambol.errors import WorldError
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class CommandMemory:
    """The memory of a controller that commands actuators.

    inner: memory of its pattern or law. targets: commands of all actuators at the start of the control step, in the
    order of ActuatedController.commanded; rates: rates of the commands, 0 for held commands. samples: past commands of
    delayed actuators.
    """

    inner: Any
    targets: list[Scalar]
    rates: list[Scalar]
    samples: list[list[Scalar]] = field(default_factory=list[list[Scalar]])


class ActuatedController:
    """A controller of actuators, which does not move rest angles of springs. Subclasses add memory() and decide().

    actuators: actuators by name; an actuator without joints acts at the joint of the link with its name. feet: links
    whose contacts and loads the controller may read. delays: delays of the commands, by name of the actuator. Raises
    WorldError if there is no actuator.
    """

    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...]
    delays: CommandDelays

    def __post_init__(self) -> None:
        if not self.actuators:
            raise WorldError(f"a {type(self).__name__} needs at least one actuator, by the name of the joint it moves")

    @property
    def gait(self) -> None:
        """None, because it is not a gait."""
        return None

    @property
    def joints(self) -> tuple[str, ...]:
        """The links at whose joints actuators act, each once, in the order of the actuators."""
        return tuple(dict.fromkeys(joint for name, a in self.actuators.items() for joint in a.joint_names(name)))

    @property
    def commanded(self) -> tuple[tuple[str, str], ...]:
        """The name of the actuator and of the command for each command, in order."""
        return tuple((name, command) for name, actuator in self.actuators.items() for command in actuator.commands)

    def actuator_numbers(self) -> dict[str, Mapping[str, Scalar]]:
        """Return the numbers of each actuator, by name."""
        return {name: actuator.numbers() for name, actuator in self.actuators.items()}

    def moving(
        self,
        inner: Any,
        start: Sequence[Scalar],
        goals: Sequence[Scalar],
        dt: Scalar,
        samples: list[list[Scalar]],
    ) -> CommandMemory:
        """Return the memory during a control step of dt [s].

        inner: memory of the pattern or law. start, goals: commands at the start of the step, and new commands. samples:
        samples of delayed commands.
        """
        per_second = 1.0 / dt
        held = [actuator.held for actuator in self.actuators.values() for _ in actuator.commands]
        targets = [goal if hold else x for goal, x, hold in zip(goals, start, held, strict=True)]
        rates = [0.0 if hold else (goal - x) * per_second for goal, x, hold in zip(goals, start, held, strict=True)]
        return CommandMemory(inner, targets, rates, samples)

    def check_count(self, commands: Sequence[Scalar]) -> None:
        """Raise WorldError if the number of commands is not that of all actuators together."""
        if len(commands) != len(self.commanded):
            raise WorldError(f"{len(commands)} commands were given; {self.description()}")

    def description(self) -> str:
        """Return the end of an error message: the number of commands of its actuators."""
        count = len(self.commanded)
        return f"{len(self.actuators)} actuators have {count} commands, and each needs one"

    def rest_angle(self, memory: CommandMemory, joint: str, elapsed: Scalar) -> NoReturn:
        """Raise WorldError, because it does not move rest angles of springs."""
        raise WorldError(f'the controller does not move the rest angle of "{joint}"; it commands actuators')

    def commands(self, memory: CommandMemory, actuator: str, elapsed: Scalar) -> list[Scalar]:
        """Return the commands of an actuator at a time `elapsed` into a control step [s]."""
        indices = [k for k, (name, _) in enumerate(self.commanded) if name == actuator]
        if self.actuators[actuator].held:
            return [memory.targets[k] for k in indices]
        return [memory.targets[k] + memory.rates[k] * elapsed for k in indices]

    def advanced(self, memory: CommandMemory, dt: Scalar) -> CommandMemory:
        """Return the memory with the commands at the end of a control step of dt [s]."""
        return replace(memory, targets=[x + r * dt for x, r in zip(memory.targets, memory.rates, strict=True)])

    def actuator_structure(self) -> tuple[Any, ...]:
        """Return the kinds and structures of all actuators in their order, and the feet."""
        actuators = tuple((name, a.kind, a.joints, a.structure()) for name, a in self.actuators.items())
        return actuators, self.feet, *self.delays.structure()
