"""One control step at a time, with actions from outside: the loop of a learner or of a program of the user."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import WorldError
from gambol.lanes import Precision
from gambol.world.capacity import GrowingCapacity
from gambol.world.state import Engine, State
from gambol.world.world import ENGINES, World


def step(world: World, state: State, action: ArrayLike | None = None, *, threads: int = 1) -> State:
    """Return the state one control step later; the given state is not changed.

    world: of the state. action: signals from -1 to 1 (lower to upper bound of each command of the actuators), (n,) or
    (W, n), for a world whose controller is a Drive with the pattern Commanded. Held commands, such as torques, are
    constant in the control step; targets of servos reach them at its end. None: the controller's own decision. threads:
    number of threads. Worlds that have stopped stay as they are; a step with more contacts than the capacity is
    repeated with more, as in run().
    Raises WorldError for an action of another shape, and for one that no actuator follows.
    """
    engine = engine_of(world, "float32" if state.rows.dtype == np.float32 else "float64", state.rows.shape[1])
    changes = {} if action is None else {"control": _commanded(engine, state, np.asarray(action, float))}
    after = state.copied()
    growing = GrowingCapacity(engine, engine.numbers(**changes), threads)
    growing.advance(after, int(state.step_state.clock.control_steps.max()) + 1)
    return after


def engine_of(world: World, precision: Precision, worlds: int) -> Engine:
    """Return the engine of a world for a number of worlds, made at the first call and kept with the world."""
    engines: dict[tuple[Precision, bool], Engine] = world.__dict__.setdefault(ENGINES, {})
    key = precision, worlds == 1
    if key not in engines:
        engines[key] = Engine(world, precision, lanes=1 if worlds == 1 else None)
    return engines[key]


def _commanded(engine: Engine, state: State, action: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return the numbers of the controller with an action, (n,) or (W, n), as its command."""
    control = engine.numbers_template["control"]
    pattern: Any = control.get("pattern")
    if not isinstance(pattern, dict) or "command" not in pattern:
        raise WorldError(
            "no actuator of this world takes actions; give it Drive(Commanded(n), actuators) as controller"
        )
    count, worlds = len(cast("list[float]", pattern["command"])), state.rows.shape[1]
    if action.shape not in ((count,), (worlds, count)):
        raise WorldError(
            f"an action has shape ({count},), or ({worlds}, {count}) for {worlds} worlds, not {action.shape}"
        )
    return control | {"pattern": {"command": list(action.T)}}
