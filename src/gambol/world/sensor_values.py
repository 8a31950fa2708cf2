"""The readings of the sensors of worlds in a state, as arrays by name."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.world.control_step import engine_of
from gambol.world.state import State
from gambol.world.world import World

Array: TypeAlias = NDArray[Any]


def sensors(world: World, state: State, *, numbers: Array | None = None) -> dict[str, NDArray[np.float64]]:
    """Return the readings of all sensors of a world by name, each (W, readings), as the controller reads them.

    world: world of the state. numbers: inputs of the worlds, see Engine.numbers(); None: inputs of the world itself.
    The readings are in the order of Sensor.readings. With noise, a delay or a rate they are the readings in the control
    step that begins with the state.
    """
    if not world.sensors:
        return {}
    engine = engine_of(world, state.precision, state.rows.shape[1])
    inputs = engine.default_numbers if numbers is None else numbers
    (rows,) = engine.sensor_program(state.rows, inputs, tables=engine.tables)
    values, first = dict[str, NDArray[np.float64]](), 0
    for name, sensor in world.sensors.items():
        values[name] = np.asarray(rows[first : first + len(sensor.readings)], float).T
        first += len(sensor.readings)
    return values
