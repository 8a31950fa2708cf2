"""Control steps with actions from outside: one at a time in a loop of a learner or of the user, or many at once."""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.lanes import Precision
from gambol.world.action_sequence import TAKES_NO_ACTIONS, sequence_numbers, set_actions, with_command_sequence
from gambol.world.capacity import GrowingCapacity
from gambol.world.device_state import DeviceEngine, DeviceState, last_step
from gambol.world.state import Engine, State
from gambol.world.world import ENGINES, World

Array: TypeAlias = NDArray[Any]
AnyState = TypeVar("AnyState", State, DeviceState)

SEQUENCE_LENGTH = 20
"""Number of actions of a call in steps(): waiting once in so many control steps costs little, and more actions would
make the program longer."""


def step(
    world: World,
    state: AnyState,
    action: ArrayLike | None = None,
    *,
    numbers: ArrayLike | None = None,
    threads: int = 1,
) -> AnyState:
    """Return the state one control step later; the given state is not changed.

    world: world of the state. state: a State, or a DeviceState, which stays on its graphics processor. action: signals
    (n,) or (W, n) from -1, the lower bound of a command of an actuator, to 1, the upper bound. For actions the
    controller of the world must be a Drive with the pattern Commanded. Held commands, such as torques, are constant in
    the control step; targets of servos reach them at its end. On a graphics processor also an array (W, n) of another
    library there, in the precision of the state. None: the controller determines the signals. numbers:
    inputs (rows, 1) or (rows, W), which may differ between worlds, as varied_numbers() returns them; None: inputs of
    the world. threads: number of threads. Worlds that have stopped do not change; a step with more contacts than the
    capacity is repeated with more, as in run(). Raises WorldError for an action or numbers of another shape, and for a
    world whose actuators do not follow actions.
    """
    engine, after = engine_of(world, state.precision, state.rows.shape[1]), state.copied()
    if isinstance(after, DeviceState):
        on_device = _device_engine_of(engine, after)
        on_device.advance(after, last_step(after, engine) + 1, _device_inputs(on_device, after, action, numbers))
        return after
    inputs = _inputs(engine, after, action, numbers)
    counter = after.rows[cast("int", engine.state_rows.clock.control_steps)]
    GrowingCapacity(engine, inputs, threads).advance(after, int(counter.max()) + 1)
    return after


def steps(
    world: World, state: AnyState, actions: ArrayLike, *, numbers: ArrayLike | None = None, threads: int = 1
) -> AnyState:
    """Return the state after several control steps with given actions; the given state is not changed.

    The result equals that of step() with one action after the other, to the bit. Up to 20 actions are inputs of one
    call, so that worlds wait for each other less often: this is faster where worlds take different numbers of steps,
    as with divided steps near landings. On a graphics processor each action is one call.

    world, state, numbers, threads: as for step(); a world that takes no actions is refused. actions: signals (k, n) or
    (W, k, n) of n actuators in k control steps, from -1 to 1; actions without W are those of all worlds. Raises
    WorldError for actions or numbers of another shape, and for a world whose actuators do not follow actions.
    """
    worlds = state.rows.shape[1]
    engine, after = engine_of(world, state.precision, worlds), state.copied()
    signals = _signals_of_steps(_command_rows(engine), actions, worlds)
    if isinstance(after, DeviceState):
        for each in signals:
            after = step(world, after, each.T if each.shape[1] > 1 else each[:, 0], numbers=numbers)
        return after
    sequenced = engine_of(world, state.precision, worlds, SEQUENCE_LENGTH)
    inputs = sequence_numbers(engine, sequenced, _inputs(engine, state, None, numbers), worlds)
    advancer, first = GrowingCapacity(sequenced, inputs, threads), int(after.step_state.clock.control_steps.max())
    result = State(sequenced.world, after.rows)  # which are advanced in place
    for k in range(0, len(signals), SEQUENCE_LENGTH):
        part = signals[k : k + SEQUENCE_LENGTH]
        set_actions(sequenced, inputs, part, first + k)
        advancer.advance(result, first + k + len(part))
    return after


def engine_of(world: World, precision: Precision, worlds: int, length: int = 1) -> Engine:
    """Return the engine of a world for a number of worlds, made at the first call and stored with the world.

    length: above 1, the number of control steps whose actions are inputs of one call, see with_command_sequence().
    """
    engines: dict[tuple[Precision, bool, int], Engine] = world.__dict__.setdefault(ENGINES, {})
    key = precision, worlds == 1, length
    if key not in engines:
        driven = world if length == 1 else with_command_sequence(world, length)
        engines[key] = Engine(driven, precision, lanes=1 if worlds == 1 else None)
    return engines[key]


def _device_engine_of(engine: Engine, state: DeviceState) -> DeviceEngine:
    """Return the programs on the graphics processor of a state, made at the first call and stored with the engine."""
    device = state.rows.device
    if device not in engine.on_devices:
        engine.on_devices[device] = DeviceEngine(engine, device)
    return engine.on_devices[device]


def _device_inputs(
    on_device: DeviceEngine, state: DeviceState, action: ArrayLike | None, numbers: ArrayLike | None
) -> Any:
    """Return the inputs of a step on a graphics processor; actions are written into the rows of commands there."""
    from gambol.lanes.gpu import is_on_device

    worlds = state.rows.shape[1]
    if numbers is not None and is_on_device(action):
        action = on_device.device.view_of_worlds(action).to_numpy().T
    if action is None or numbers is not None:
        return _inputs(on_device.engine, state, action, numbers)
    rows = _command_rows(on_device.engine)
    if is_on_device(action):
        commands, _ = on_device.commands(action, len(rows))
        if commands.shape[1] != worlds:
            raise WorldError(f"an action of {commands.shape[1]} worlds was given for {worlds} worlds")
        return on_device.with_commands(rows, commands)
    return on_device.with_commands(rows, np.broadcast_to(_signals(rows, action, worlds), (len(rows), worlds)))


def _inputs(engine: Engine, state: AnyState, action: ArrayLike | None, numbers: ArrayLike | None) -> Array:
    """Return the inputs (rows, 1 or W) with an action, (n,) or (W, n), as the command of the controller.

    numbers: inputs (rows, 1 or W) without the action; None: inputs of the world.
    """
    inputs, worlds = engine.default_numbers if numbers is None else np.asarray(numbers, float), state.rows.shape[1]
    if inputs.shape not in ((count := len(engine.default_numbers), 1), (count, worlds)):
        raise WorldError(
            f"numbers have shape ({count}, 1) or ({count}, {worlds}), not {inputs.shape}; varied_numbers() makes them"
        )
    if action is None:
        return inputs
    rows = _command_rows(engine)
    signals = _signals(rows, action, worlds)
    inputs = np.repeat(inputs, worlds // inputs.shape[1] if signals.shape[1] > 1 else 1, axis=1)
    inputs[rows] = signals
    return inputs


def _command_rows(engine: Engine) -> list[int]:
    """Return the rows of the numbers that are commands. Raises WorldError if no actuator of the world takes actions."""
    pattern: Any = engine.number_rows["control"].get("pattern")
    if not isinstance(pattern, dict) or "command" not in pattern:
        raise WorldError(TAKES_NO_ACTIONS)
    return cast("list[int]", pattern["command"])


def _signals(rows: Sequence[int], action: ArrayLike, worlds: int) -> Array:
    """Return an action as signals (n, 1 or W). Raises WorldError for a wrong shape."""
    signals = np.asarray(action, float)
    if signals.shape not in ((len(rows),), (worlds, len(rows))):
        raise WorldError(
            f"an action has shape ({len(rows)},), or ({worlds}, {len(rows)}) for {worlds} worlds, not {signals.shape}"
        )
    return signals.reshape(-1, len(rows)).T


def _signals_of_steps(rows: Sequence[int], actions: ArrayLike, worlds: int) -> Array:
    """Return actions of several control steps as signals (k, n, 1 or W). Raises WorldError for a wrong shape."""
    signals, count = np.asarray(actions, float), len(rows)
    if signals.ndim == 2:
        signals = signals[None]
    if signals.ndim != 3 or signals.shape[2] != count or len(signals) not in (1, worlds):
        raise WorldError(
            f"actions of k control steps have shape (k, {count}), or ({worlds}, k, {count}) for {worlds} worlds, not "
            f"{np.shape(actions)}"
        )
    return signals.transpose(1, 2, 0)
