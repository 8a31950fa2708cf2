"""Control by a function in plain NumPy, which is called once in each control step, between steps of the program.

The commands of a ConstantLaw are inputs of the program, so a function that changes them compiles nothing: the same
program runs as for constant commands, with the same bits. For several worlds the function is called once with arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import WorldError
from gambol.own_code import line_of
from gambol.world.state import Engine, State
from gambol.world.step import RUNNING
from gambol.world.world import World

RATE_TOLERANCE = 1e-6
"""Largest relative difference of rates that count as equal: above rounding."""

Array: TypeAlias = NDArray[Any]

ControlFunction: TypeAlias = Callable[[Any, Array, Array], ArrayLike]
"""A function of time [s], q and v, which returns the commands of all actuators in their order and units.

For one world time is a float, q (nq,), v (nv,), and the commands (n,). For W worlds time is (W,), q (W, nq), v (W, nv),
and the commands (W, n), or (n,) for all worlds. The arrays are copies."""


class Advancer(Protocol):
    """An object that advances states in place, with inputs that it stores."""

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`."""
        ...


@dataclass
class ControlLoop:
    """Advances states while a function gives the commands in every control step.

    engine: engine of the world. numbers: inputs (rows, W) of the worlds; commands are written into these arrays. inner:
    advances states with these numbers. hold: number of control steps for which commands are constant (a zero-order
    hold). Raises WorldError for a world without a ConstantLaw.
    """

    engine: Engine
    numbers: Array
    function: ControlFunction
    inner: Advancer
    hold: int = 1
    _has_commands: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        controller = self.engine.world.controller
        if not (isinstance(controller, FeedbackController) and isinstance(controller.law, ConstantLaw)):
            raise WorldError(
                "a control function commands the actuators of a FeedbackController with a ConstantLaw, as "
                "make_world(model, actuators=True) or make_world(model, hold=True) gives it"
            )

    @cached_property
    def rows(self) -> list[int]:
        """Rows of the numbers that are the commands."""
        return self.engine.number_rows["control"]["law"]["values"]

    @cached_property
    def names(self) -> list[str]:
        """Names of the actuators, one for each command."""
        actuators = self.engine.world.actuators
        return [name for name, actuator in actuators.items() for _ in actuator.commands]

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`.

        The function is called before every control step, or before one of every `hold` control steps. Raises
        WorldError, with step, time, world and line, if the function raises an error, or returns commands of another
        shape or commands that are not finite.
        """
        counter, h = state.step_state.clock.control_steps, self.engine.world.timing.control_step
        for step in range(int(np.max(counter)), until):
            if step % self.hold == 0 or not self._has_commands:
                self.numbers[self.rows] = self._commands(state, step, step * h)
                self._has_commands = True
            self.inner.advance(state, step + 1)

    def _commands(self, state: State, step: int, time: float) -> Array:
        """Return the commands (n, W) of a control step."""
        q, v, worlds, count = state.q.copy(), state.v.copy(), state.rows.shape[1], len(self.rows)
        try:
            result = self.function(time, q[0], v[0]) if worlds == 1 else self.function(np.full(worlds, time), q, v)
            commands = np.asarray(result, float)
        except Exception as error:
            raise WorldError(
                f"{self._label(step, time)} raised {type(error).__name__}{line_of(error)}: {error}"
            ) from error
        if commands.shape not in ((count,), (worlds, count)):
            shapes = f"({count},)" if worlds == 1 else f"({worlds}, {count}) or ({count},)"
            raise WorldError(
                f"{self._label(step, time)} returned commands of shape {commands.shape}; give {shapes}: one each for "
                f"{', '.join(self.names)}"
            )
        columns = commands.reshape(-1, count).T
        return columns if np.isfinite(columns).all() else self._finite(columns, state, step, time)

    def _finite(self, columns: Array, state: State, step: int, time: float) -> Array:
        """Return commands (n, W or 1) with 0 for worlds that have stopped; WorldError if others are not finite."""
        running = state.step_state.clock.status == RUNNING
        bad = np.argwhere(~np.isfinite(columns) & running)
        if len(bad):
            (row, world), value = bad[0], columns[bad[0][0], min(bad[0][1], columns.shape[1] - 1)]
            named = f'command {row} ("{self.names[row]}")'
            raise WorldError(f"{self._label(step, time)} returned {value} for {named} in world {world}")
        return np.where(running, columns, 0.0)

    def _label(self, step: int, time: float) -> str:
        """Return the function's name and line of code, and the moment, for messages."""
        code = getattr(self.function, "__code__", None)
        place = f" ({code.co_filename}, line {code.co_firstlineno})" if code else ""
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return f'at control step {step} ({time:g} s), the control function "{name}"{place}'


def control_steps_per_call(world: World, rate: float | None) -> int:
    """Return the number of control steps between two calls of a function which is called `rate` times a second [1/s].

    rate: None: it is called in every control step. Raises WorldError unless a period of the rate is a whole number of
    control steps.
    """
    steps_per_second = 1.0 / world.timing.control_step
    hold = 1 if rate is None else round(steps_per_second / rate) if 0.0 < rate < math.inf else 0
    if rate is None or (hold >= 1 and abs(steps_per_second / hold - rate) <= RATE_TOLERANCE * rate):
        return hold
    nearest = steps_per_second / max(hold, 1)
    raise WorldError(
        f"a control function cannot be called {rate:g} times per second: there are {steps_per_second:g} control steps "
        f"per second, and commands are constant for a whole number of them; {nearest:g} is possible"
    )
