"""The names by which gymnasium makes environments of gambol."""

from typing import Any

import gymnasium

from gambol.evolve.genotype import PLANS
from gambol.evolve.learners.many import LONGEST


def register() -> tuple[str, ...]:
    """Tell gymnasium of an environment for each body plan, such as "gambol/Quadruped-v0"; returns the names.

    gymnasium.make makes one creature, gymnasium.make_vec many in lanes. What is known already stays.
    """
    names = {f"gambol/{plan.capitalize()}-v0": plan for plan in PLANS}
    known: Any = gymnasium  # whose types leave holes
    for name, plan in names.items():
        if name not in known.registry:
            known.register(
                name,
                entry_point="gambol.evolve.learners.one:One",
                vector_entry_point="gambol.evolve.learners.many:Many",
                max_episode_steps=LONGEST,
                kwargs={"plan": plan},
            )
    return tuple(names)
