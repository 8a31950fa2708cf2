"""Registration of the environments with gymnasium."""

from typing import Any

import gymnasium

from gambol.evolve.genotype import PLANS
from gambol.evolve.learners.vector_environment import LONGEST


def register() -> tuple[str, ...]:
    """Register an environment for each body plan, such as "gambol/Quadruped-v0", and return their names.

    gymnasium.make makes one creature, gymnasium.make_vec many. Names that are registered already are left as they are.
    """
    names = {f"gambol/{plan.capitalize()}-v0": plan for plan in PLANS}
    known: Any = gymnasium  # whose types leave holes
    for name, plan in names.items():
        if name not in known.registry:
            known.register(
                name,
                entry_point="gambol.evolve.learners.environment:Environment",
                vector_entry_point="gambol.evolve.learners.vector_environment:VectorEnvironment",
                max_episode_steps=LONGEST,
                kwargs={"plan": plan},
            )
    return tuple(names)
