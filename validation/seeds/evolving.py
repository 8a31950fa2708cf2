"""A run of evolution of an animal with the default settings, and the measures of its best creature."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gambol.creatures.natural import natural_report
from gambol.errors import GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.evaluate.batch_world import inputs_of_trial
from gambol.evolve.evaluate.defaults import settings_for
from gambol.evolve.evaluate.filming import batch_of, film_of
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.runs import Settings, begin_run, make_worker_pool

LIVES = 16
"""The number of perturbed lives of each best creature."""

FIRST_SEED = 1000
"""The seed of the first perturbed life: lives of evolution have other seeds."""

FALL = 0.5
"""A creature has fallen if its trunk is lower above the ground than this fraction of its height at rest."""

SECONDS = 12.0
"""The duration of the walk that is compared with animals [s]."""

UNEVENNESS = 0.02
"""The largest offset of initial joint positions in these lives [rad], also of bipeds, which evolve with more."""

SETTLED = 2.0
"""The time from which a speed is measured [s]."""


@dataclass(frozen=True)
class Evolved:
    """The best creature of a run.

    settings: of the run, as plain data. seconds: processor time of the run, compiling included; compiling: the part
    before the second generation that exceeds a generation [s]. fitness: of the worse trial. speed: of the undisturbed
    walk [body lengths/s]; worst_speed: of the slowest perturbed life. fallen: number of perturbed lives, of LIVES, in
    which it falls. within, applicable: number of measures in the range of animals of its mass, and of those that apply;
    gait: the class of its gait, "" if it has no strides. control: values of its genes.
    """

    settings: dict[str, Any]
    seconds: float
    compiling: float
    fitness: float
    speed: float
    worst_speed: float
    fallen: int
    within: int
    applicable: int
    gait: str
    outside: list[str]
    control: list[float]


def default_settings(body: str, seed: int) -> Settings:
    """Return the settings of `gambol evolve natural --body BODY --seed SEED`."""
    return settings_for("natural", body, seed=seed)


def processor_seconds() -> float:
    """Return the processor time of this process and of its children, which compile [s]."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def evolved(settings: Settings) -> Evolved:
    """Run evolution, and return its best creature with its measures. Raises GambolError if it has none."""
    began, ends = processor_seconds(), list[float]()
    with tempfile.TemporaryDirectory() as folder, Archive(Path(folder) / "run.db") as archive:
        run = begin_run(archive, settings, search_setup)
        with make_worker_pool("threads") as pool:
            result = run.execute(pool, lambda _: ends.append(processor_seconds()))
        if result.interrupted:
            raise KeyboardInterrupt
        found = archive.best(run.id, 1)
    if not found:
        raise GambolError(f"no creature of {settings.body} with the seed {settings.seed} is valid")
    each = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else 0.0
    genotype = of_json(found[0].genotype)
    return Evolved(
        settings=settings.plain(),
        seconds=round(ends[-1] - began, 1),
        compiling=round(ends[0] - began - each, 1),
        fitness=round(found[0].outcome.fitness, 3),
        control=[float(x) for x in genotype.control.values],
        **lives(settings, genotype),
        **measures(settings, genotype),
    )


def genotype_of(settings: Settings, control: Sequence[float]) -> Genotype:
    """Return the genotype of a run's body. control: values of its genes, as of Evolved."""
    space = search_space(settings)
    assert isinstance(space, GenotypeSpace)
    return replace(space.plan, control=replace(space.plan.control, values=tuple(control)))


def lives(settings: Settings, genotype: Genotype) -> dict[str, Any]:
    """Return speed, worst_speed and fallen of Evolved, from lives side by side."""
    task = {**settings.options.get("task", {}), "unevenness": UNEVENNESS}
    batch = batch_of(replace(settings, trials=2, options={**settings.options, "task": task}), genotype)
    seeds = range(FIRST_SEED, FIRST_SEED + LIVES)
    all_lives = batch.simulate_all_trials([genotype] * LIVES, list(seeds))
    first = int(np.searchsorted(all_lives.time, SETTLED - 1e-9))
    moved = all_lives.path[-1] - all_lives.path[first]
    speeds = np.hypot(*moved.T) / (all_lives.time[-1] - all_lives.time[first])
    fell = ~((all_lives.root_height / all_lives.standing_height).min(axis=0) > FALL)
    disturbed = slice(LIVES, None)
    return {
        "speed": round(float(speeds[0]), 3),
        "worst_speed": round(float(np.where(fell, 0.0, speeds)[disturbed].min()), 3),
        "fallen": int(fell[disturbed].sum()),
    }


def measures(settings: Settings, genotype: Genotype) -> dict[str, Any]:
    """Return within, applicable, gait and outside of Evolved, from a film of an undisturbed walk."""
    batch = batch_of(settings, genotype)
    inputs = inputs_of_trial(batch.batch_world.batch_inputs(batch.engine, [genotype]), batch.task, [0], 0)
    film = film_of(batch, genotype, inputs, SECONDS, every=1)
    try:
        report = natural_report(replace(film, name=settings.body))
    except GambolError:  # it does not make two whole strides
        return {"within": 0, "applicable": 0, "gait": "", "outside": []}
    outside = [row.measure for row in report.rows if row.applies and not row.within]
    return {
        "within": report.within,
        "applicable": report.applicable,
        "gait": report.gait,
        "outside": outside,
    }
