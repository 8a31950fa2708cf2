"""Registration of the environments with gymnasium."""

from typing import Any

import gymnasium

from gambol.env.batched_env import BatchedEnv
from gambol.env.locomotion import LOCOMOTION, LocomotionEnv
from gambol.evolve.genotype import PLANS


def register() -> tuple[str, ...]:
    """Register an environment for each body plan and locomotion task, and return their names.

    Examples of names are "gambol/Quadruped-v0" and "gambol/Ant-v5". gymnasium.make makes one creature,
    gymnasium.make_vec many. Names that are registered already are skipped.
    """
    names = {f"gambol/{plan.capitalize()}-v0": plan for plan in PLANS} | {f"gambol/{name}": name for name in LOCOMOTION}
    untyped: Any = gymnasium  # its type hints are incomplete
    for name, plan in names.items():
        if name not in untyped.registry:
            untyped.register(
                name,
                entry_point="gambol.env.environment:Environment",
                vector_entry_point="gambol.env.vector_environment:VectorEnvironment",
                max_episode_steps=(LocomotionEnv if plan in LOCOMOTION else BatchedEnv).max_episode_steps,
                kwargs={"plan": plan},
            )
    return tuple(names)
