"""A pattern with external commands as signals: inputs of the program that are set before every control step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gambol.control.patterns.pattern import clipped
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control import Senses


@dataclass(frozen=True)
class Commanded:
    """Commanded signals, clipped to [-1, 1], one for each actuator.

    actuators: number of actuators. required_senses: names of the senses that observations need; signals do not depend
    on them.
    """

    kind: ClassVar[str] = "commanded"
    actuators: int
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """Return the initial commands: 0, the middle of every range."""
        return {"command": [0.0] * self.actuators}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the current commands and the memory."""
        return [clipped(x) for x in numbers["command"]], memory

    def structure(self) -> tuple[Any, ...]:
        """Return kind, size and senses."""
        return self.kind, self.actuators, self.required_senses
