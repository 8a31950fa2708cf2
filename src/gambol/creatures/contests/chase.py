"""A chase: one creature is to come near, the other to stay away; each acts by a policy with numbers that evolve.

    near(t)  1 - d(t) / d(0), at least -1; 1 from the moment of the catch      score of the chaser: mean of near(t)
                                                                               score of the other:  - mean of near(t)

d is the distance of the trunks. A catch is a distance of half the sum of both lengths, at which noses touch tails. A
creature that falls gets LOSS instead. Each contest is decided by its worst trial for the creature that is evaluated.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.creatures.animals import ANIMALS, animal_world
from gambol.creatures.directed import FALL_HEIGHT_FRACTION
from gambol.creatures.placing import Place
from gambol.creatures.together import together
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import Settings
from gambol.gait import Behaviour
from gambol.gait.behaviour import BEHAVIOURS
from gambol.world import Engine, Film, World, run, start
from gambol.world.device_state import Sampling, sampling
from gambol.world.step import StepState

TASK = "chase"
"""The task of these runs."""

ROLES = ("chaser", "runner")
"""The names of the creatures in their world; each is a population."""

POLICY = "policy"
NUMBERS = tuple(BEHAVIOURS[POLICY][1])
"""The names of the numbers of a policy."""

DISTANCE = 2.5
"""The distance of the trunks at the start, in lengths of the chaser."""

HEADINGS = (70.0, -70.0, 150.0, -150.0)
"""The heading of the runner at the start of each trial, which the chaser faces [degrees]."""

SAMPLE = 0.1
"""Time between two measurements [s]: at 1 m/s an animal moves by a quarter of its length."""

LOSS = -1.0
"""The score of a creature that falls: that of one that is caught at once."""


@dataclass(frozen=True)
class Arena:
    """The world of a contest, and its compiled program.

    sample: advances states and returns the positions of both trunks. starts: state rows at the start of each trial
    (rows, trials). catch: distance of a catch [m]. heights: heights of the trunks below which creatures have fallen
    [m].
    """

    engine: Engine
    sample: Sampling
    starts: NDArray[Any]
    catch: float
    heights: tuple[float, float]


def is_contest(settings: Settings) -> bool:
    """Return True for the settings of a run of contests."""
    return settings.task == TASK


def names_of(settings: Settings) -> tuple[str, str]:
    """Return the names of the animals of both roles, from settings.body, such as "hound, cat".

    Raises EvolveError for anything but two animals.
    """
    names = tuple(word.strip() for word in settings.body.split(","))
    if len(names) != len(ROLES):
        raise EvolveError(f'a chase needs two animals, such as "hound, cat", not "{settings.body}"')
    for name in names:
        if name not in ANIMALS:
            raise EvolveError(f'there is no animal "{name}"; {did_you_mean(name, ANIMALS)}')
    if not 1 <= settings.trials <= len(HEADINGS):
        raise EvolveError(f"a chase has {settings.trials} trials; give 1 to {len(HEADINGS)}")
    return names[0], names[1]


def contest_world(settings: Settings, trial: int = 0, policies: Sequence[Sequence[float]] = ()) -> World:
    """Return the world of a contest. policies: the numbers of both policies; those of BEHAVIOURS if not given."""
    worlds: dict[str, World] = dict(zip(ROLES, map(animal_world, names_of(settings)), strict=True))
    apart = DISTANCE * _length(worlds[ROLES[0]])
    places = (Place(0.0, 0.0), Place(apart, 0.0, math.radians(HEADINGS[trial])))
    numbers = [dict(zip(NUMBERS, policy, strict=True)) for policy in policies] or [{}, {}]
    acting = {role: Behaviour(POLICY, 100.0, row) for role, row in zip(ROLES, numbers, strict=True)}
    return together(worlds, places, behaviours=acting)


def _length(world: World) -> float:
    """Return the length of a creature at rest [m]."""
    return float(world.size)


@lru_cache(maxsize=2)
def _arena(body: str, trials: int, device: str) -> Arena:
    settings = Settings(TASK, body, trials=trials)
    worlds = [contest_world(settings, trial) for trial in range(trials)]
    starts = np.concatenate([start(world).rows for world in worlds], axis=1)
    alone = [animal_world(name) for name in names_of(settings)]
    heights = tuple(FALL_HEIGHT_FRACTION * ANIMALS[name].height for name in names_of(settings))
    catch = 0.5 * sum(_length(world) for world in alone)
    engine = Engine(worlds[0])
    sample = sampling(engine, engine.observer_spec("trunks", _trunks, ()), device)
    return Arena(engine, sample, starts, catch, (heights[0], heights[1]))


def _trunks(world: World, step_state: StepState, numbers: Any, table: Any) -> list[Any]:
    """Return the positions of both trunks: x, y, z of the chaser, then of the runner [m]."""
    return [x for root in world.figure.roots for x in step_state.q[root.q.start + 4 : root.q.start + 7]]


def evaluate_contests(
    settings: Settings, genotypes: Sequence[Mapping[str, Any]], seeds: Sequence[int], device: str = "cpu"
) -> list[Outcome]:
    """Return the outcome of each contest for the creature whose side it names; the worst of its trials counts.

    genotypes: plain data {"side": 0 or 1, "own": numbers, "opponent": numbers}. seeds: not used, since nothing in a
    contest is random. device: "cpu", or the name of a graphics processor of the worker, such as "cuda"; outcomes do not
    depend on it. Contests are lanes of one program.
    """
    arena, contests = _arena(settings.body, settings.trials, device), [checked_contest(data) for data in genotypes]
    policies = np.array([pair_of(data) for data in contests] * settings.trials)
    near, falls = _played(arena, settings, policies)
    results: list[Outcome] = []
    for k, data in enumerate(contests):
        side = int(data["side"])
        trials = [k + trial * len(contests) for trial in range(settings.trials)]
        outcomes = [_outcome(1.0 - 2.0 * side, near[lane], bool(falls[lane, side])) for lane in trials]
        results.append(min(outcomes, key=lambda outcome: outcome.score))
    return results


def _outcome(sign: float, near: NDArray[np.float64], fell: bool) -> Outcome:
    """Return the outcome of a trial. sign: 1 for the chaser, -1 for the runner. near (T,): see the module."""
    caught, mean = near >= 1.0, float(near.mean())
    terms = {"near": mean, "caught": float(caught.mean()), "fell": float(fell)}
    return Outcome(LOSS if fell else sign * mean, terms, (mean, float(near.max())))


def _played(
    arena: Arena, settings: Settings, policies: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how near the chaser is in each lane (W, T), and who fell before the catch (W, 2).

    policies: numbers of both policies in each lane (W, 2, numbers), trial by trial.
    """
    world, count = arena.engine.world, len(policies) // settings.trials
    rows = np.repeat(arena.starts, count, axis=1)
    state = replace(start(world), rows=rows)
    numbers = arena.engine.numbers(control=_with_policies(arena.engine.numbers_template["control"], policies))
    steps = round(SAMPLE / world.timing.control_step)
    frames = range(0, round(settings.seconds / SAMPLE) * steps + 1, steps)
    samples = arena.sample(state, frames, inputs=(numbers,))
    track = samples.transpose(2, 1, 0).reshape(samples.shape[2], -1, len(ROLES), 3)  # (T, W, 2, 3)
    distance = np.linalg.norm(track[:, :, 0, :2] - track[:, :, 1, :2], axis=-1).T
    caught = np.logical_or.accumulate(distance <= arena.catch, axis=1)
    fell = (track[..., 2] < np.array(arena.heights)).transpose(1, 0, 2) & ~caught[..., None]
    near = np.maximum(1.0 - distance / distance[:, :1], LOSS)
    return np.where(caught, 1.0, near), np.logical_or.reduce(fell, axis=1)


def _with_policies(control: Mapping[str, Any], policies: NDArray[np.float64]) -> dict[str, Any]:
    """Return the numbers of a group of controllers with the policies of each lane."""
    members = dict(control["members"])
    for side, role in enumerate(ROLES):
        pattern = members[role]["pattern"]
        changed = {name: policies[:, side, k] for k, name in enumerate(NUMBERS)}
        members[role] = members[role] | {"pattern": pattern | {"behaviour": pattern["behaviour"] | changed}}
    return {**control, "members": members}


def checked_contest(data: Mapping[str, Any], name: str = "contest") -> Mapping[str, Any]:
    """Return the plain data of a contest. Raises EvolveError for other data."""
    whole = (
        isinstance(cast("object", data), Mapping)
        and set(data) == {"side", "own", "opponent"}
        and data["side"] in (0, 1)
    )
    if not whole or any(len(data[key]) != len(NUMBERS) for key in ("own", "opponent")):
        raise EvolveError(f"{name} is no contest: it needs a side, 0 or 1, and {len(NUMBERS)} numbers of each creature")
    return data


def pair_of(data: Mapping[str, Any]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the numbers of the policies of both roles."""
    return (data["own"], data["opponent"]) if data["side"] == 0 else (data["opponent"], data["own"])


def film_contest(settings: Settings, genotype: Mapping[str, Any], trial: int = 0, rate: float = 30.0) -> Film:
    """Return the film of one trial of a contest. rate: pictures per second."""
    world = contest_world(settings, trial, pair_of(checked_contest(genotype)))
    return run(world, start(world), settings.seconds, rate=rate)
