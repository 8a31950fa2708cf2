"""A pattern with signals from a function of the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control.controller import Senses

SignalFunction = Callable[["Senses", Scalar], Sequence[Scalar]]
"""Arguments: senses at the start of a control step, and the time at its end [s]. Returns a signal for each actuator."""


@dataclass(frozen=True)
class FunctionPattern:
    """Signals from a function of senses and time, written over generic scalars: sin, where, ... of gambol.lanes.

    function: see SignalFunction. It has no memory; a class with the methods of Pattern can have one. required_senses:
    names of the senses that it reads; all others are empty or 0.
    """

    kind: ClassVar[str] = "function"
    function: SignalFunction
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """Return no numbers: the function is compiled into the program."""
        return {}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the function's signals at the end of a control step, and the memory."""
        return list(self.function(senses, time)), memory

    def structure(self) -> tuple[Any, ...]:
        """Return kind and senses; the function itself is identified by its trace only."""
        return self.kind, self.required_senses
