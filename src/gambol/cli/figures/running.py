"""The command `gambol run`: from a file to a world or a script's performance, a film, and what came of it."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gambol.cli import choices
from gambol.cli.figures import tally
from gambol.cli.figures.creatures import check_life, is_genotype, life_of
from gambol.cli.figures.sources import READ_AS_IT_IS, SCRIPT, Reading, kind_of, read_specimen
from gambol.cli.walk import JITTER
from gambol.collide import Ground, Plane
from gambol.collide.broad import allowed_pairs
from gambol.collide.hills import random_hills
from gambol.creatures.specimens import FRAME, LARGE, set_out, world_of_specimen
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Specimen
from gambol.formats.heights import READERS
from gambol.lanes import Precision
from gambol.script import Script, read_script
from gambol.view import above_floor
from gambol.view.scene.bones import bones
from gambol.world import Film, State, Timing, World, run
from gambol.world.run import Progress
from gambol.world.world import CONTACT_METHODS, LARGE_STEPS

SECONDS = 2.0  # of a run whose time is not given
INTEGRATOR = "rkf45"
STEP = 1.0 / 2400.0  # s, of methods with a fixed step: twenty in the shortest bounce on a ground of default numbers
HILLS = 0.2  # height of hills, as a part of the figure's size
SHARP: dict[str, float] = {"float64": 1e-7, "float32": 1e-4}  # tolerances of methods that know their error


@dataclass(frozen=True)
class Trial:
    """What was asked for on the command line, as it was written; None: as the file, or the method, has it."""

    file: Path
    seconds: float | None = None
    method: str = "aba"
    integrator: str | None = None
    step: float | None = None
    tolerance: float | None = None
    ground: str | None = None
    spacing: float = 0.05
    seed: int = 0
    precision: Precision = "float64"
    lanes: int = 1
    contact: str | None = None
    reading: Reading = READ_AS_IT_IS


@dataclass(frozen=True)
class Experiment:
    """A run that is ready: seconds: how long it takes at most [s]; film: makes it; notes: what its reader said."""

    name: str
    seconds: float
    film: Callable[[Progress], Film]
    summary: Callable[[Film], dict[str, Any]]
    notes: tuple[str, ...] = ()


def prepared(trial: Trial, out: Path, tell: Callable[[str], None]) -> Experiment:
    """Everything that can be wrong with a trial is found here, as a GambolError, before any work is done.

    out: the folder for what a script dumps; tell: is given every line that it says.
    """
    if trial.seconds is not None and not 0.0 < trial.seconds < float("inf"):
        raise GambolError(f"--seconds: {trial.seconds:g} is not possible; give more than 0")
    kind = kind_of(trial.file)
    if kind == SCRIPT:
        return _performance(trial, out, tell)
    if kind == ".toml" and is_genotype(trial.file):
        return _life(trial)
    return _simulation(trial, read_specimen(trial.file, trial.reading))


def _performance(trial: Trial, out: Path, tell: Callable[[str], None]) -> Experiment:
    """A script, which says itself what to simulate and how."""
    _check_plain(trial, "is a script and says this itself")
    script: Script = read_script(trial.file)

    rehearsal = script.rehearsed(seconds=trial.seconds)

    def film(progress: Progress) -> Film:
        made = script.run(out, trial.seconds, progress, tell)
        return made if rehearsal.setting.solid or not _drawable(made) else above_floor(made)

    return Experiment(trial.file.stem, rehearsal.limit, film, lambda film: asked(trial) | tally.filmed(film))


def _life(trial: Trial) -> Experiment:
    """A creature of a genotype, which lives by its own control as it did when it was bred for walking."""
    _check_plain(trial, "is a genotype, whose life has its own; convert it to a figure file to choose")
    seconds = trial.seconds or SECONDS
    check_life(trial.file, seconds)

    def film(progress: Progress) -> Film:
        made = life_of(trial.file, seconds)
        progress(1, 1)
        return made

    return Experiment(trial.file.stem, seconds, film, lambda film: asked(trial) | tally.filmed(film))


def _check_plain(trial: Trial, why: str) -> None:
    """Raise GambolError, naming the option, for a trial that asks for more than a time."""
    plain = asdict(Trial(trial.file, trial.seconds))
    for key, value in asdict(trial).items():
        if value != plain[key]:
            raise GambolError(f'--{key.replace("_", "-")}: "{trial.file.name}" {why}')


def _simulation(trial: Trial, specimen: Specimen) -> Experiment:
    """A figure that moves by its springs and weight alone."""
    specimen = replace(specimen, ground=False) if trial.ground == "none" else specimen
    contact, ground = contact_of(trial, specimen), _ground(trial, world_of_specimen(specimen).size)
    made = world_of_specimen(specimen, ground=ground, timing=_timing(trial, contact), contact=contact)
    world = replace(made, dynamics=trial.method)
    jitter = JITTER if trial.lanes > 1 else 0.0
    try:
        state = set_out(specimen, world, trial.lanes, jitter=jitter, seed=trial.seed, precision=trial.precision)
    except GambolError as error:
        raise GambolError(f"{trial.file.name}: {error}") from error
    begun = state.copied()

    def film(progress: Progress) -> Film:
        return _shown(_run(trial, world, state, progress), specimen, world)

    def summary(film: Film) -> dict[str, Any]:
        return asked(trial) | tally.summary(film, specimen, begun, state)

    fixed = kind_of(trial.file) == ".urdf" and trial.reading.base is None
    notes = (*specimen.notes, *tally.said(specimen, world, fixed))
    return Experiment(trial.file.stem, trial.seconds or SECONDS, film, summary, notes)


def _run(trial: Trial, world: World, state: State, progress: Progress) -> Film:
    threads = (os.cpu_count() or 1) if trial.lanes > 1 else 1
    rate = 1.0 / world.timing.frame
    return run(world, state, trial.seconds or SECONDS, rate=rate, threads=threads, progress=progress)


def _shown(film: Film, specimen: Specimen, world: World) -> Film:
    """The film with bones for links without shapes, and a floor below a figure that has no ground."""
    drawn = replace(film, shapes=(*film.shapes, *bones(specimen.figure)))
    return drawn if world.solid or not _drawable(drawn) else above_floor(drawn)


def _drawable(film: Film) -> bool:
    """Whether there is a place for everything in every frame."""
    return bool(np.isfinite(film.position).all() and len(film.time) and film.shapes)


def contact_of(trial: Trial, specimen: Specimen) -> str:
    """The contact method that was asked for, or that goes with what else was: smooth motion wants smooth contact.

    Where nothing may be touched, motion is smooth.
    """
    smooth = trial.integrator is not None or trial.tolerance is not None or trial.method != "aba"
    if trial.contact is None:
        return "penalty" if smooth or specimen.figure.prescribed or not _touches(trial, specimen) else "stepping"
    if trial.contact not in CONTACT_METHODS:
        raise GambolError(f'--contact: "{trial.contact}" is unknown; {did_you_mean(trial.contact, CONTACT_METHODS)}')
    if smooth and trial.contact in LARGE_STEPS:
        raise GambolError(
            f'--contact: "{trial.contact}" takes large steps of its own, so --method, --integrator and --tolerance '
            "mean nothing to it; leave them out, or take --contact penalty"
        )
    return trial.contact


def _touches(trial: Trial, specimen: Specimen) -> bool:
    """Whether anything may be touched: the ground, or parts each other."""
    grounded = specimen.ground or trial.ground not in (None, "none")
    return grounded or bool(allowed_pairs(specimen.figure, springs=specimen.springs, overlap=None))


def _timing(trial: Trial, contact: str) -> Timing:
    """How time passes, checked as the world is made."""
    large = contact in LARGE_STEPS
    timing = Timing(FRAME, STEP, "semi-implicit euler" if large else trial.integrator or INTEGRATOR)
    adaptive = timing.integrator.adaptive
    if trial.tolerance is not None and not adaptive:
        raise GambolError(f'--tolerance: the integrator "{trial.integrator}" takes steps of one length; give --step')
    step = trial.step if trial.step is not None else LARGE if large else 1e-4 if adaptive else STEP
    if not 0.0 < step <= FRAME * (1.0 + 1e-9):
        raise GambolError(f"--step: {step:g} s is not possible; give more than 0, and at most {FRAME:.5f}")
    sharp = timing.tolerance if large else SHARP[trial.precision]
    tolerance = sharp if trial.tolerance is None else trial.tolerance
    if not 0.0 < tolerance < float("inf"):
        raise GambolError(f"--tolerance: {tolerance:g} is not possible; give more than 0, such as 1e-7")
    return replace(timing, step=step, tolerance=tolerance)


def _ground(trial: Trial, size: float) -> Ground | None:
    """The ground that was asked for, for a figure of some size [m]; None for that of the file."""
    if trial.ground in (None, "none"):
        return None
    if trial.ground == "flat":
        return Plane()
    if trial.ground == "hills":
        return random_hills(HILLS * size, wavelength=2.0 * size, reach=20.0 * size, level=size, seed=trial.seed)
    if Path(trial.ground).suffix.lower() not in READERS and not Path(trial.ground).exists():
        cure = choices.cure(trial.ground, ("none", "flat", "hills"), f"give a file that ends in {' or '.join(READERS)}")
        raise GambolError(f'--ground: "{trial.ground}" is unknown; {cure}')
    return choices.height_file(trial.ground, trial.spacing)


def asked(trial: Trial) -> dict[str, Any]:
    """What was asked for, for the file of measures."""
    words = {key: value for key, value in asdict(trial).items() if key != "reading"}
    return {"asked": words | {"file": str(trial.file)} | asdict(trial.reading)}
