"""A pattern that someone else thinks up: its signals are numbers of the program, given anew for every frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gambol.control.patterns.pattern import limited
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control import Senses


@dataclass(frozen=True)
class Commanded:
    """Signals as they are commanded, held in [-1, 1], one for each of some actuators.

    wants: names of the senses that whoever commands may ask for; signals do not depend on them.
    """

    kind: ClassVar[str] = "commanded"
    actuators: int
    wants: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """The commands; until there are any, the middle."""
        return {"command": [0.0] * self.actuators}

    def memory(self) -> Any:
        """Nothing."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """The commands of now."""
        return [limited(x) for x in numbers["command"]], memory

    def structure(self) -> tuple[Any, ...]:
        """Its kind, size, and senses."""
        return self.kind, self.actuators, self.wants
