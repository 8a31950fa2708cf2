"""What acts at the joints of a figure at one moment, and the accelerations that come of it."""

from typing import Any

from gambol.dynamics import aba, kinematics
from gambol.lanes import mapped
from gambol.world import State
from gambol.world.forces import acting
from gambol.world.laws import Laws


def at_joints(state: State) -> tuple[list[float], list[float]]:
    """Forces of springs, dampers and limits along all velocities [N m or N], and their rates [rad/s2 or m/s2]."""
    world, clock = state.world, mapped(lambda row: float(row[0]), state.living.clock)
    q, v = ([float(x) for x in rows[0]] for rows in (state.q, state.v))
    memory: Any = mapped(lambda row: float(row[0]), state.living.memory)
    laws = Laws.of(world, world.numbers(), world.ground.table())
    at = kinematics(world.figure, q, v)
    act = acting(laws, at, q, v, memory, clock.moment(world.timing.frame))
    acceleration, _ = aba(at, act.tau, f_ext=act.f_ext, gravity=world.gravity)
    return [float(x) for x in act.tau], [float(x) for x in acceleration]
