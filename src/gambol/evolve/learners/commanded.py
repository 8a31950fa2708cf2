"""A pattern whose signals are commands from outside: numbers of the program, set anew in every control step."""

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
    """Commanded signals, clipped to [-1, 1], one for each of some actuators.

    actuators: how many. wants: names of the senses that are computed for observations; signals do not depend on them.
    """

    kind: ClassVar[str] = "commanded"
    actuators: int
    wants: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """Return the commands, which are 0 at first: the middle of every range."""
        return {"command": [0.0] * self.actuators}

    def memory(self) -> Any:
        """Return the memory: there is none."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the current commands and the memory."""
        return [clipped(x) for x in numbers["command"]], memory

    def structure(self) -> tuple[Any, ...]:
        """Return kind, size and senses."""
        return self.kind, self.actuators, self.wants
