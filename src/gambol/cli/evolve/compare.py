"""The options of the command `gambol compare`."""

from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.evolve.options import (
    Allow,
    Body,
    Control,
    Db,
    Device,
    Evolve,
    Executor,
    Generations,
    Muscles,
    Out,
    Population,
    Seconds,
    Seed,
    Trials,
    Workers,
)
from gambol.cli.guard import run_command

COMPARE_EXAMPLES = """
Examples:

- `gambol compare es random`: five runs of each, of 100 generations of 256 quadrupeds that walk

- `gambol compare es cma elites --seeds 10 --task hop --generations 50`

- `gambol compare es mine:Anneal --executor dask:tcp://HOST:8786`: a search of your own, on a cluster
"""


def compare(
    searches: Annotated[
        list[str],
        typer.Argument(
            help="Two or more of es, es-plus, ga, cma, elites, islands, random, or your own MODULE:NAME.",
            metavar="SEARCH...",
        ),
    ],
    seeds: Annotated[int, typer.Option(help="Number of runs of each search, with seeds SEED, SEED + 1, ...")] = 5,
    task: Annotated[
        str | None,
        typer.Option(
            help="walk, hop, jump, crawl, path, swim, natural, trot, or your own MODULE:NAME.",
            metavar="TASK",
            show_default="walk",
        ),
    ] = None,
    body: Body = None,
    evolve: Evolve = None,
    muscles: Muscles = False,
    control: Control = None,
    population: Population = None,
    generations: Generations = None,
    seconds: Seconds = None,
    trials: Trials = None,
    seed: Seed = None,
    executor: Executor = "threads",
    workers: Workers = None,
    device: Device = "cpu",
    db: Db = None,
    allow: Allow = None,
    out: Out = OUT,
) -> None:
    """Compare searches: equal numbers of creatures, equal seeds, and a rank test of the fitness reached.

    Prints medians, quartiles, times, and Mann-Whitney tests of all pairs with Holm's correction. Writes a plot
    (compare-TASK.svg, .pdf, .png) and tables (.csv, .tex, .json). All runs are in the archive, where `gambol lineage`
    and `gambol replay` find them. Ctrl-C keeps finished runs; the same command continues, and a larger --seeds adds
    runs.
    """
    from gambol.cli.evolve.compare_command import CompareCommand
    from gambol.cli.evolve.own_modules import allow_own_modules
    from gambol.cli.evolve.request import Request
    from gambol.cli.session import Session

    def work() -> int:
        allow_own_modules(allow or ())
        counts = population, generations, seconds, seed, trials
        request = Request(task, body, evolve, control, None, *counts, muscles)
        return CompareCommand(searches, request, seeds, executor, workers, device, db, out).execute(Session())

    raise typer.Exit(run_command(work))
