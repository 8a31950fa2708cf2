"""Registration of the environments with gymnasium."""

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium.vector import AutoresetMode

from gambol.env.batch_source import BatchSource
from gambol.env.batched_env import BatchedEnv
from gambol.env.environment import Environment
from gambol.env.locomotion import LOCOMOTION, LocomotionEnv, locomotion_task
from gambol.env.reward_terms import Reward
from gambol.env.vector_environment import VectorEnvironment
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype import PLANS


def one_creature(
    plan: str, reward_terms: Reward | None = None, render_mode: str | None = None, **parameters: Any
) -> Environment:
    """Return the environment that gymnasium.make makes. parameters: of a locomotion task, such as ctrl_cost_weight."""
    return Environment(_source(plan, parameters), reward_terms, render_mode)


def many_creatures(
    num_envs: int = 1,
    plan: str = "quadruped",
    reward_terms: Reward | None = None,
    *,
    max_episode_steps: int | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    threads: int = 1,
    render_mode: str | None = None,
    **parameters: Any,
) -> VectorEnvironment:
    """Return the environment that gymnasium.make_vec makes; parameters: see one_creature() and VectorEnvironment."""
    return VectorEnvironment(
        num_envs,
        _source(plan, parameters),
        reward_terms,
        max_episode_steps=max_episode_steps,
        autoreset_mode=autoreset_mode,
        threads=threads,
        render_mode=render_mode,
    )


def _source(plan: str, parameters: Mapping[str, Any]) -> BatchSource:
    """Return a locomotion task with changed parameters, or a plan. Raises EvolveError for parameters of a plan."""
    if plan in LOCOMOTION:
        return locomotion_task(plan, **parameters)
    if parameters:
        known = ("reward_terms", "render_mode")
        name = next(iter(parameters))
        raise EvolveError(f'the environment of "{plan}" has no parameter "{name}"; {did_you_mean(name, known)}')
    return plan


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
                entry_point="gambol.env.register:one_creature",
                vector_entry_point="gambol.env.register:many_creatures",
                max_episode_steps=(LocomotionEnv if plan in LOCOMOTION else BatchedEnv).max_episode_steps,
                kwargs={"plan": plan},
            )
    return tuple(names)
