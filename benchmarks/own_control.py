"""A tick of one's own control law in plain NumPy: a robot that stands by torques, in control steps of a millisecond.

The law is a spring and a damper at each joint: three operations of NumPy. A tick is a call of the law and a step.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gambol
from benchmarks.robots import robot, robot_model
from benchmarks.rows import Result, Row
from gambol.creatures.holding import held_model
from gambol.world.capacity import GrowingCapacity
from gambol.world.own_control import ControlLoop

TICKS, REPEATS, STEP = 200, 5, 1e-3
STIFFNESS, DAMPING = 100.0, 2.0  # N m/rad and N m s/rad: the weight turns a knee by less than 0.1 rad
Array = NDArray[Any]


def own_control(row: Row) -> Result:
    """Measure the processor time of a tick, and of gambol.step, for all worlds of a row together."""
    held = held_model(robot_model(robot(row.model)))
    timing = gambol.Timing(STEP, STEP, "semi-implicit euler")
    world = gambol.make_world(held.model, actuators=True, unlimited=1e3, contact="stepping", timing=timing)
    pose = np.array(held.model.q)[7:]

    def law(time: Any, q: Array, v: Array) -> Array:
        return STIFFNESS * (pose - q[..., 7:]) - DAMPING * v[..., 6:]

    state = gambol.start(world, row.worlds)
    engine = gambol.Engine(world, row.precision, lanes=1 if row.worlds == 1 else None)
    numbers = np.repeat(engine.numbers(), row.worlds, axis=1)
    loop = ControlLoop(engine, numbers, law, GrowingCapacity(engine, numbers))
    loop.advance(state, TICKS)
    in_loop = min(_time(lambda n=n: loop.advance(state, (n + 2) * TICKS)) for n in range(REPEATS))
    fallen = float(np.abs(state.q[:, 7:] - pose).max())
    assert fallen < 0.2, f"the robot does not stand: a joint is {fallen:.2f} rad off"
    gambol.step(world, state)  # loads the program
    in_steps = _time(lambda: _step(world, state)) if row.worlds == 1 else 0.0
    ticks = {"us_per_tick": 1e6 * in_loop / TICKS, "us_per_gambol_step": 1e6 * in_steps / TICKS}
    return Result(
        world.figure.nv,
        f"stands, no joint more than {fallen:.3f} rad from its pose",
        STEP,
        f"up to {world.contact_capacity}",
        ns_per_step=1e9 * in_loop / TICKS / row.worlds,
        compile_s=engine.advance_program.compile_seconds,
        more={name: value for name, value in ticks.items() if value},
    )


def _time(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _step(world: gambol.World, state: gambol.State) -> None:
    for _ in range(TICKS):
        state = gambol.step(world, state)


OWN_CONTROL: dict[str, Callable[[Row], Result]] = {"own control": own_control}
