"""Environments of body plans, creatures, figures, models or files."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from gambol.actuation import Actuator
from gambol.control.patterns import Commanded
from gambol.creatures import Creature
from gambol.creatures.make_world import make_world
from gambol.env.batched_env import plan_body
from gambol.env.body import CONTROL_STEP, FigureBody
from gambol.env.environment import Environment
from gambol.env.locomotion import LOCOMOTION, locomotion_task
from gambol.env.reward_terms import TASK_REWARDS, Reward, RewardTerms, reward_terms_of
from gambol.env.servos import servos_for
from gambol.env.vector_environment import VectorEnvironment
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype import PLANS
from gambol.evolve.genotype.plans import BODY
from gambol.evolve.references import allow_references
from gambol.figure import Figure
from gambol.formats import FORMATS, Model, read_model
from gambol.formats.file_format import file_format, reader_of
from gambol.world import Factors, World

Source: TypeAlias = str | Path | Figure | Creature | Model | World
"""The sources from which an environment can be made."""


def environment_of(
    source: Source,
    num_envs: int | None,
    *,
    task: str | Reward,
    reward_terms: RewardTerms | None,
    render_mode: str | None,
    actuators: Mapping[str, Actuator] | None,
    randomise: Factors | None,
    device: str,
    **options: Any,
) -> Environment | VectorEnvironment:
    """Return an environment of a source; arguments and errors: see make_env()."""
    if isinstance(source, str) and source in LOCOMOTION:
        varied = {"randomise": randomise} if randomise else {}
        body, reward = locomotion_task(source, **varied, **options), reward_terms or (None if task == "walk" else task)
        if reward is not None or actuators:
            raise EvolveError(
                f'"{source}" has its own reward and actuators; leave them out, or give the file of a body'
            )
    else:
        body, reward = body_of(source, actuators, options), reward_terms or _reward(task, source)
        if randomise:
            body = replace(plan_body(body) if isinstance(body, str) else body, randomise=randomise)
    if num_envs is None:
        if device != "cpu":
            raise EvolveError(f'"{device}" is for many creatures at once; give num_envs, or leave it out')
        return Environment(body, reward, render_mode)
    return VectorEnvironment(num_envs, body, reward, render_mode=render_mode, device=device)


def _reward(task: str | Reward, source: Source) -> Reward:
    """Return the reward of a task. Raises EvolveError for an unknown name."""
    if not isinstance(task, str):
        return task
    if task not in TASK_REWARDS:
        raise EvolveError(f'there is no task "{task}" of an environment; {did_you_mean(task, TASK_REWARDS)}')
    return reward_terms_of(source) if task == "walk" else TASK_REWARDS[task]


def body_of(source: Source, actuators: Mapping[str, Actuator] | None, options: dict[str, Any]) -> str | FigureBody:
    """Return the name of a body plan, or the body of another source; arguments: see make_env()."""
    if isinstance(source, str) and (source in PLANS or not Path(source).suffix):
        if actuators or options:
            given = "actuators" if actuators else next(iter(options))
            raise EvolveError(f'the body plan "{source}" has {given} of its own; leave them out, or give a figure')
        allow_references(source)
        if source not in PLANS and not BODY.is_known(source):
            known = (*PLANS, *LOCOMOTION)
            raise EvolveError(f'there is no body plan and no task "{source}"; {did_you_mean(source, known)}')
        return source
    if isinstance(source, World):
        return _body_of_world(source, options)
    if isinstance(source, (str, Path)):
        path, suffix = Path(source), file_format(Path(source))
        has_base = "base" in FORMATS[suffix].options
        source = reader_of(suffix)(path, base=options.pop("base", "free")) if has_base else read_model(path)
    world = make_world(source, **{"contact": "stepping"} | options)
    if not world.initial.q:
        raise EvolveError(f'the world of "{world.figure.name}" has no initial coordinates')
    driven = actuators or servos_for(world, source.motors if isinstance(source, Model) else ())
    if not driven:
        raise EvolveError(
            f'"{world.figure.name}" has no joint with one degree of freedom, which an actuator could drive; add one'
        )
    return FigureBody.of(world, driven, CONTROL_STEP)


def _body_of_world(world: World, options: dict[str, Any]) -> FigureBody:
    """Return the body of an unchanged world. Raises EvolveError unless its actuators follow commands."""
    if options:
        raise EvolveError(f'a world takes no option "{next(iter(options))}"; give it to the World')
    if not isinstance(getattr(world.controller, "pattern", None), Commanded):
        raise EvolveError("no actuator of this world takes actions; give it Drive(Commanded(n), actuators)")
    if world.initial.q:
        return FigureBody(world)
    from_rest = make_world(world.figure, ground=world.ground, contact=world.contact).initial
    return FigureBody(replace(world, initial=from_rest))
