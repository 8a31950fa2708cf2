"""One control step at a time, with actions from outside: the loop of a learner or of a program of the user."""

from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.lanes import Precision
from gambol.world.capacity import GrowingCapacity
from gambol.world.state import Engine, State
from gambol.world.world import ENGINES, World

Array: TypeAlias = NDArray[Any]


def step(
    world: World,
    state: State,
    action: ArrayLike | None = None,
    *,
    numbers: ArrayLike | None = None,
    threads: int = 1,
) -> State:
    """Return the state one control step later; the given state is not changed.

    world: world of the state. action: signals (n,) or (W, n) from -1, the lower bound of a command of an actuator, to
    1, the upper bound. For actions the controller of the world must be a Drive with the pattern Commanded. Held
    commands, such as torques, are constant in the control step; targets of servos reach them at its end. None: the
    controller determines the signals. numbers: inputs (rows, 1) or (rows, W), which may differ between worlds, as
    varied_numbers() returns them; None: inputs of the world. threads: number of threads. Worlds that have stopped do
    not change; a step with more contacts than the capacity is repeated with more, as in run(). Raises WorldError for an
    action or numbers of another shape, and for a world whose actuators do not follow actions.
    """
    engine = engine_of(world, state.precision, state.rows.shape[1])
    inputs = _inputs(engine, state, action, numbers)
    counter = state.rows[cast("int", engine.state_rows.clock.control_steps)]
    after = state.copied()
    GrowingCapacity(engine, inputs, threads).advance(after, int(counter.max()) + 1)
    return after


def engine_of(world: World, precision: Precision, worlds: int) -> Engine:
    """Return the engine of a world for a number of worlds, made at the first call and stored with the world."""
    engines: dict[tuple[Precision, bool], Engine] = world.__dict__.setdefault(ENGINES, {})
    key = precision, worlds == 1
    if key not in engines:
        engines[key] = Engine(world, precision, lanes=1 if worlds == 1 else None)
    return engines[key]


def _inputs(engine: Engine, state: State, action: ArrayLike | None, numbers: ArrayLike | None) -> Array:
    """Return the inputs (rows, 1 or W) with an action, (n,) or (W, n), as the command of the controller.

    numbers: inputs (rows, 1 or W) without the action; None: inputs of the world.
    """
    inputs = engine.default_numbers if numbers is None else np.asarray(numbers, float)
    if inputs.shape not in ((count := len(engine.default_numbers), 1), (count, state.rows.shape[1])):
        raise WorldError(
            f"numbers have shape ({count}, 1) or ({count}, {state.rows.shape[1]}), not {inputs.shape}; "
            "varied_numbers() makes them"
        )
    if action is None:
        return inputs
    pattern: Any = engine.number_rows["control"].get("pattern")
    if not isinstance(pattern, dict) or "command" not in pattern:
        raise WorldError(
            "no actuator of this world takes actions; give it Drive(Commanded(n), actuators) as controller"
        )
    rows, worlds, signals = cast("list[int]", pattern["command"]), state.rows.shape[1], np.asarray(action, float)
    if signals.shape not in ((len(rows),), (worlds, len(rows))):
        raise WorldError(
            f"an action has shape ({len(rows)},), or ({worlds}, {len(rows)}) for {worlds} worlds, not {signals.shape}"
        )
    inputs = np.repeat(inputs, worlds // inputs.shape[1] if signals.ndim == 2 else 1, axis=1)
    inputs[rows] = signals.T.reshape(len(rows), -1)
    return inputs
