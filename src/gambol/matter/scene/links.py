"""The motions of all links of a figure in a state of its world, as a program."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.matter.particles.obstacles import LINK_NUMBERS
from gambol.world import Engine, State
from gambol.world.observe import quaternion_of

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

    programs: dict[str, Any] = engine.__dict__.setdefault("mesh_programs", {})
    if "motions" not in programs:
        programs["motions"] = engine.observer("link motions", motions)
    (rows,) = programs["motions"](state.rows, engine.numbers(), tables=engine.tables)
    return np.asarray(rows[:, 0], float).reshape(-1, LINK_NUMBERS).copy()
