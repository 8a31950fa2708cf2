"""One call that evolves creatures, from settings to the archive of a finished run."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.references import allow_references
from gambol.evolve.runs.executors import make_worker_pool
from gambol.evolve.runs.resume import resume_run, settings_of
from gambol.evolve.runs.run import ProgressCallback, RunResult, begin_run
from gambol.evolve.runs.settings import Settings
from gambol.evolve.runs.table import individuals_table
from gambol.world.device_state import device_index, device_named


def run(
    settings: Settings | None = None,
    archive: str | Path = "evolution.db",
    *,
    resume: int | None = None,
    executor: str = "threads",
    workers: int | None = None,
    device: str = "cpu",
    on_progress: ProgressCallback | None = None,
) -> RunResult:
    """Evolve creatures, and return the result of the run; the archive contains all its creatures.

    settings: settings of a new run, None for the defaults of Settings. archive: path of a database file, or the address
    of a database. resume: number of a stored run to continue instead, with the same settings or None, or more
    generations. executor: a name in EXECUTORS; workers: number of workers, None for one for each core. device: "cpu",
    or "cuda" for the graphics processor of each worker, with the same result. on_progress: called after every
    generation. Ctrl-C ends the run; all complete generations are stored. Modules of references in the settings are
    allowed, see allow_modules(). Raises EvolveError for invalid settings, WorldError for an unknown device, and
    GambolError without a graphics processor or its driver.
    """
    check_device(device, executor)
    if settings is not None:
        allow_references(settings.plain())
    with make_worker_pool(executor, workers) as pool, Archive(str(archive)) as stored:
        if resume is None:
            evolving = begin_run(stored, settings or Settings(), partial(search_setup, device=device))
        else:
            evolving = resume_run(stored, resume, partial(search_setup, device=device), settings)
        result = evolving.execute(pool, on_progress)
        return replace(result, archive=str(archive), genes=evolving.setup.genes)


def check_device(name: str, executor: str) -> None:
    """Raise GambolError for an unknown device, and for one that this machine lacks if its workers are to use it.

    name: "cpu", or see device_named(). executor: name of the executor; workers of a cluster are on other machines.
    """
    if name == "cpu":
        return
    (device_index if executor.startswith("dask") else device_named)(name)


def to_pandas(archive: str | Path, run: int) -> Any:
    """Return a pandas.DataFrame with a row for each creature of a stored run, see table.individuals_table().

    archive: path of a database file, or the address of a database. run: number of the run. Raises EvolveError for an
    unknown run, a damaged archive, and without pandas.
    """
    with Archive(str(archive), create=False) as stored:
        return individuals_table(stored, run, search_setup(settings_of(stored, run)).genes)
