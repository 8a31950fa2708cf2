"""The joint forces of a figure in a state, and the resulting accelerations."""

from typing import Any

from gambol.dynamics import aba, kinematics
from gambol.lanes import tree_map
from gambol.world import State
from gambol.world.context import StepContext
from gambol.world.forces import applied_forces


def joint_forces_and_accelerations(state: State, cut: tuple[str, ...] = ()) -> tuple[list[float], list[float]]:
    """Return the joint forces of springs, dampers and limits [N m or N], and the accelerations [rad/s2 or m/s2].

    Both are in the order of the velocities of the world's figure. cut: see numbers_with_cuts().
    """
    world, clock = state.world, tree_map(lambda row: float(row[0]), state.step_state.clock)
    q, v = ([float(x) for x in rows[0]] for rows in (state.q, state.v))
    memory: Any = tree_map(lambda row: float(row[0]), state.step_state.memory)
    numbers = world.numbers() | {"cuts": {name: float(name in cut) for name in world.external.cuts}}
    context = StepContext.of(world, numbers, world.ground.table())
    link_state = kinematics(context.world.figure, q, v)
    forces = applied_forces(context, link_state, q, v, memory, clock.moment(world.timing.control_step))
    acceleration, _ = aba(link_state, forces.tau, f_ext=forces.f_ext, gravity=world.gravity)
    return [float(x) for x in forces.tau], [float(x) for x in acceleration]
