"""Makes environments of body plans, creatures, figures, models or files; of one creature, or of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gambol.env.needs_gymnasium import IS_INSTALLED, missing_gymnasium

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gambol.actuation import Actuator
    from gambol.env.environment import Environment
    from gambol.env.reward_terms import Reward, RewardTerms
    from gambol.env.sources import Source
    from gambol.env.vector_environment import VectorEnvironment
    from gambol.world import Factors


def make_env(
    source: Source = "quadruped",
    num_envs: int | None = None,
    *,
    task: str | Reward = "walk",
    reward_terms: RewardTerms | None = None,
    render_mode: str | None = None,
    actuators: Mapping[str, Actuator] | None = None,
    randomise: Factors | None = None,
    device: str = "cpu",
    **options: Any,
) -> Environment | VectorEnvironment:
    """Return an environment of gymnasium for any body.

    source: the name of a body plan, such as "quadruped", "hexapod" or "biped"; a figure, a creature, a model, or the
    path of a figure file, MJCF or URDF; a world with the controller Drive(Commanded(n), actuators), used without
    changes; or a locomotion task of gymnasium, such as "Ant-v5", whose parameters, such as ctrl_cost_weight, are its
    only options. num_envs: number of creatures of a vector environment; None: one creature, without the dimension of
    creatures. task: "walk" (along x), "stand", RewardTerms, or a function that takes an ActionOutcome and returns
    rewards and terminated. reward_terms: RewardTerms, instead of a task. render_mode: None, or "rgb_array" for pictures
    by render(). actuators: actuators by name of the link with their joint, in the order of an action; None: see
    servos.servos_for(). randomise: domain randomisation: lowest and highest factor by the name of an input, such as
    {"touch.friction": (0.5, 1.2), "mass.trunk": (0.9, 1.1)}, drawn anew at each reset; for the names see
    gambol.world.varied_numbers(). device: "cpu", or "cuda" for a vector environment on a graphics processor. options:
    options of make_world(), such as ground or timing; not for body plans; for a URDF file also base, "free" or "fixed".
    There are thirty actions per second; the default contact method is "stepping". In both kinds of environments,
    step(action) returns obs, reward, terminated, truncated, info. Raises EvolveError for an unknown plan or task and
    invalid numbers, WorldError for unknown inputs, GambolError for an invalid source. Raises ModuleNotFoundError
    without gymnasium.
    """
    if not IS_INSTALLED:
        raise missing_gymnasium()
    from gambol.env.sources import environment_of

    return environment_of(
        source,
        num_envs,
        task=task,
        reward_terms=reward_terms,
        render_mode=render_mode,
        actuators=actuators,
        randomise=randomise,
        device=device,
        **options,
    )
