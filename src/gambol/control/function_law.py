"""A control law from a function of time, q and v over generic scalars: it is compiled into the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from gambol.control.controller import Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.own_code import line_of

ScalarFunction: TypeAlias = Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""Takes the time at the start of a control step [s], q (nq) and v (nv); returns the commands of all actuators."""


@dataclass(frozen=True)
class FunctionLaw:
    """A law whose commands are a function of time, q and v, without memory.

    function: see ScalarFunction. It is written with + - * / and the functions of gambol.lanes, such as sin and where,
    and without `if` on values; then every world in a lane computes its own commands within the compiled step.
    """

    kind: ClassVar[str] = "function"
    function: ScalarFunction

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that it reads: all coordinates and velocities."""
        return ("q", "v")

    def numbers(self) -> dict[str, Any]:
        """Return no numbers: the function is compiled into the program."""
        return {}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the function's commands and the memory. Raises WorldError, with the line, for errors in it."""
        name = getattr(self.function, "__name__", type(self.function).__name__)
        try:
            return list(self.function(senses.time, list(senses.q), list(senses.v))), memory
        except Exception as error:  # the function of the user may raise anything
            raise WorldError(
                f'the control law "{name}" cannot be compiled: {type(error).__name__}{line_of(error)}: {error}; '
                "write it with + - * / and the functions of gambol.lanes, such as sin and where"
            ) from error

    def structure(self) -> tuple[Any, ...]:
        """Return the kind; the function itself is identified by its trace only."""
        return (self.kind,)
