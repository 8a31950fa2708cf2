"""A control law of constant commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.control.controller import Senses
from gambol.lanes import Scalar


@dataclass(frozen=True)
class ConstantLaw:
    """A law with constant commands. values: one for each command of the actuators, in their order and units."""

    values: tuple[float, ...]

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that it reads: none."""
        return ()

    def numbers(self) -> dict[str, Any]:
        """Return the values, which may differ between worlds."""
        return {"values": list(self.values)}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the values, and the memory."""
        return numbers["values"], memory

    def structure(self) -> tuple[Any, ...]:
        """Return the number of values."""
        return (len(self.values),)
