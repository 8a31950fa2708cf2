"""Registration of the environments with gymnasium."""

from typing import Any

import gymnasium

from gambol.env.vector_environment import MAX_EPISODE_STEPS
from gambol.evolve.genotype import PLANS


def register() -> tuple[str, ...]:
    """Register an environment for each body plan, such as "gambol/Quadruped-v0", and return their names.

    gymnasium.make makes one creature, gymnasium.make_vec many. Names that are registered already are skipped.
    """
    names = {f"gambol/{plan.capitalize()}-v0": plan for plan in PLANS}
    untyped: Any = gymnasium  # its type hints are incomplete
    for name, plan in names.items():
        if name not in untyped.registry:
            untyped.register(
                name,
                entry_point="gambol.env.environment:Environment",
                vector_entry_point="gambol.env.vector_environment:VectorEnvironment",
                max_episode_steps=MAX_EPISODE_STEPS,
                kwargs={"plan": plan},
            )
    return tuple(names)
