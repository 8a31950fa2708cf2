"""Runs that evolve numbers instead of creatures, to test the loop without physics."""

import json
import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Engine, event, select

from gambol.control.gene import Gene
from gambol.evolve.archive import Archive
from gambol.evolve.archive.schema import GENERATION, INDIVIDUAL, RUN, TIME_COLUMNS
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import SearchSetup, Settings, begin_run, make_worker_pool, resume_run
from gambol.evolve.search import BoxSpace, search_named

SPACE = BoxSpace(tuple(Gene(f"x{k}", -1.0, 1.0) for k in range(4)))


def sphere(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Fitness falls with the square of the distance from 0.3, with a small random term from the seed."""
    time.sleep(settings.options.get("pause", 0.0))
    return [toy_outcome(genotype, seed) for genotype, seed in zip(genotypes, seeds, strict=True)]


def toy_outcome(genotype: Any, seed: int) -> Outcome:
    luck = 1e-3 * np.random.default_rng(seed).random()
    loss = math.fsum((x - 0.3) ** 2 for x in genotype)
    marked = "lazy" if genotype[0] < -0.9 else ""
    return Outcome(luck - loss, {"loss": loss, "luck": luck}, (genotype[0], genotype[1]), marked)


def unsound(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Return outcomes of which every third has a non-finite number, in various ways."""
    given = (math.nan, math.inf, None)
    return [
        Outcome(given[k % 9 // 3], {"loss": math.nan, "gain": -math.inf}) if k % 3 == 0 else toy_outcome(genotype, seed)
        for k, (genotype, seed) in enumerate(zip(genotypes, seeds, strict=True))
    ]


def fewer(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    return sphere(settings, genotypes, seeds)[1:]


def lethal(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Kill the process for some individuals, each chunk of them only as often as the options say."""
    folder = Path(settings.options["folder"])
    mark = folder / f"{seeds[0]}"
    deaths = len(mark.read_text()) if mark.exists() else 0
    if seeds[0] % 2 and deaths < settings.options["deaths"]:
        mark.write_text("x" * (deaths + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    with (folder / "lived").open("a") as evaluated:
        evaluated.write(f"{seeds[0]}\n")
    return sphere(settings, genotypes, seeds)


def toy_setup(settings: Settings) -> SearchSetup[Any]:
    """Return the setup of a search for numbers, on the sphere."""
    search = search_named(settings.search, SPACE, settings.seed, settings.population)
    return SearchSetup(search, list, sphere, steps=100.0)


def settings(**changes: Any) -> Settings:
    return Settings(**{"population": 24, "generations": 8, "share": 5, "seconds": 1.0, **changes})


def rows_of(where: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of an archive's tables, without the columns of times, durations and versions."""
    left_out = (*TIME_COLUMNS, "versions")
    with closing(Archive(where)) as archive, archive._engine.connect() as connection:
        return {
            table.name: sorted(
                connection.execute(select(*(column for column in table.c if column.name not in left_out))).all()
            )
            for table in (RUN, GENERATION, INDIVIDUAL)
        }


def stored_generations(where: str | Path, population: int = 24) -> int:
    """Return the number of generations in the first run of an archive; each must have all its individuals."""
    with closing(Archive(where)) as archive:
        if not archive.runs():
            return 0
        generations = archive.generations(1)
        for one in generations:
            assert len(archive.individuals(1, one.generation)) == population
        assert len(rows_of(where)["gambol_individual"]) == population * len(generations)
        return len(generations)


def run_to_end(where: str | Path, executor: str = "here", workers: int = 2, **changes: Any) -> None:
    """Begin or resume the only run of an archive, to its end."""
    with closing(Archive(where)) as archive, make_worker_pool(executor, workers) as pool:
        requested = settings(**changes)
        run = (
            resume_run(archive, 1, toy_setup, requested) if archive.runs() else begin_run(archive, requested, toy_setup)
        )
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        run.execute(pool)


def kill_at_every_statement(folder: Path) -> None:
    """Execute a run in file after file, the k-th killed before its k-th database statement, until one is not."""
    for statement in count():
        if (child := os.fork()) == 0:
            run_until(folder / f"{statement}.db", statement)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def run_until(where: Path, statement: int) -> None:
    """Execute a run of two generations that is killed before a database statement, counted from 0."""
    counted = count()

    def before(*_: Any) -> None:
        if next(counted) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", before)
    event.listen(Engine, "commit", before)
    run_to_end(where, generations=2)


if __name__ == "__main__":
    if sys.argv[2] == "die":
        kill_at_every_statement(Path(sys.argv[1]))
    else:
        run_to_end(sys.argv[1], sys.argv[2], **json.loads(sys.argv[3]))
