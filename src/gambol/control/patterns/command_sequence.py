"""A pattern with a sequence of external commands as signals, one for each of several control steps: open-loop control.

All commands are inputs of one call of a program, as the controls of MuJoCo's rollout are. The worlds of a block of a
program wait for each other at the end of a call, and not at the end of each control step.

Commands are selected one after the other, once in a control step: 20 commands of 17 actuators take 0.3 percent of the
time of a humanoid's control step of 50 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gambol.control.patterns.pattern import clipped
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses


@dataclass(frozen=True)
class CommandSequence:
    """Commanded signals of successive control steps, clipped to [-1, 1], one for each actuator.

    actuators: number of actuators. length: number of control steps with commands of their own; the last commands are
    kept in all later control steps. required_senses: names of the senses that observations need; signals do not depend
    on them. Raises WorldError without an actuator or a command.
    """

    kind: ClassVar[str] = "command sequence"
    actuators: int
    length: int
    required_senses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.actuators < 1 or self.length < 1:
            raise WorldError(
                f"a sequence of {self.length} commands for {self.actuators} actuators is empty; give at least 1 of both"
            )

    def numbers(self) -> dict[str, Any]:
        """Return the initial commands, and the number of the control step in which the first ones act.

        commands (length, actuators): 0, the middle of every range. first: 0; earlier control steps have the first
        commands, too.
        """
        return {"commands": [[0.0] * self.actuators for _ in range(self.length)], "first": 0.0}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the commands of the control step that begins, and the memory."""
        passed = senses.time / dt - numbers["first"]  # control steps; a whole number up to rounding
        chosen = list(numbers["commands"][0])
        for k, commands in enumerate(numbers["commands"][1:], 1):
            is_reached = passed > k - 0.5
            chosen = [where(is_reached, new, old) for new, old in zip(commands, chosen, strict=True)]
        return [clipped(x) for x in chosen], memory

    def structure(self) -> tuple[Any, ...]:
        """Return kind, sizes and senses."""
        return self.kind, self.actuators, self.length, self.required_senses
