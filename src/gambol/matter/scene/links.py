"""The motions of all links of a figure in a state of its world, and their response to impulses, as programs."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact.stepping.free_motion import step_factors
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.jacobians import link_jacobian
from gambol.matter.particles.obstacles import LINK_NUMBERS
from gambol.world import Engine, State
from gambol.world.context import StepContext
from gambol.world.observe import quaternion_of
from gambol.world.step.step_forces import step_forces

Array = NDArray[np.float64]


def link_motions(engine: Engine, state: State) -> Array:
    """Return the motions of all links of the one world of a state (links, 13), see LinkMotion, in world axes.

    Links move with the velocities of this state.
    """

    def motions(world: Any, step_state: Any, numbers: Mapping[str, Any], table: Any) -> list[Any]:
        moving: Any = kinematics(world.figure, step_state.q, step_state.v)
        rows = list[Any]()
        for link in world.figure.links:
            pose, velocity = moving.poses[link.index], moving.velocities[link.index]
            rows += [*pose.position, *quaternion_of(pose.rotation)]
            rows += [*(pose.rotation @ velocity.w), *(pose.rotation @ velocity.v)]
        return rows

    return _observed(engine, state, "link motions", motions).reshape(-1, LINK_NUMBERS).copy()


def link_factors(engine: Engine, state: State) -> Array | None:
    """Return G of the one world of a state (links, 6, nv), see LinkResponse; 0 for links without wrenches.

    The inertia includes the implicit part of springs and dampers in a large step as long as a control step. None for a
    figure that cannot move, or whose base is prescribed: its links do not respond.
    """
    figure, names = engine.world.figure, engine.world.external.wrenches
    if not figure.nv or figure.prescribed or not names:
        return None
    chosen = [figure.link(name).index for name in names]

    def factors(world: Any, step_state: Any, numbers: Mapping[str, Any], table: Any) -> list[Any]:
        moving: Any = kinematics(world.figure, step_state.q, step_state.v)
        context, h = StepContext.of(world, numbers, table), world.timing.control_step
        moment = step_state.clock.moment(h, h)
        applied = step_forces(context, moving, (step_state.q, step_state.q), step_state.memory, moment, h)
        root = step_factors(moving, applied.forces, h)
        rows = list[Any]()
        for link in chosen:
            columns = link_jacobian(moving, link)
            for component in zip(*([*column.w, *column.v] for column in columns), strict=True):
                rows += root.inward(component)
        return rows

    result = np.zeros((len(figure.links), 6, figure.nv))
    rows = _observed(engine, state, "link factors", factors)
    positions = [link.name for link in figure.links]
    result[[positions.index(name) for name in names]] = rows.reshape(-1, 6, figure.nv)
    return result


def _observed(engine: Engine, state: State, name: str, function: Callable[..., list[Any]]) -> Array:
    """Return the numbers of a function of a state, whose program is compiled once for an engine."""
    programs: dict[str, Any] = engine.__dict__.setdefault("mesh_programs", {})
    if name not in programs:
        programs[name] = engine.observer(name, function)
    (rows,) = programs[name](state.rows, engine.numbers(), tables=engine.tables)
    return np.asarray(rows[:, 0], float)
