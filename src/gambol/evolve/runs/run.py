"""A run: the search proposes a generation; it is evaluated, stored, and passed to the search.

    proposals = search.ask();  outcomes = evaluate(proposals);  archive.add(...);  search.tell(outcomes)

A generation counts once it is stored. A failure before that loses only this generation, and the run can be resumed from
the stored generations.
"""

import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

from numpy.random import SeedSequence

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.records import summary_of
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs.search_setup import SearchSetup, SetupFactory
from gambol.evolve.runs.settings import Settings
from gambol.evolve.runs.table import Genes, individuals_table, no_genes
from gambol.evolve.runs.worker_pool import WorkerPool
from gambol.evolve.search import Proposal
from gambol.lanes.cache import source_digest


@dataclass(frozen=True)
class Progress:
    """An evaluated and stored generation.

    run: number of the run in the archive. generation: index from 0; generations: number of generations of the run.
    best, median, lower, upper: maximum, median and quartiles of the fitness of valid individuals; NaN without any.
    run_best: the best fitness of the run so far; run_best_number: number of the individual with this fitness, -1
    without one. marked: numbers of invalid individuals by reason. creatures_per_second, steps_per_second: rates of this
    generation, including all overhead. archive_part: fraction of the generation's time for storing it. seconds_left:
    estimate for the rest of the run, from the mean time of a generation in this process.
    """

    run: int
    generation: int
    generations: int
    best: float
    median: float
    lower: float
    upper: float
    run_best: float
    run_best_number: int
    marked: Mapping[str, int]
    creatures_per_second: float
    steps_per_second: float
    archive_part: float
    seconds_left: float


ProgressCallback = Callable[[Progress], None]
"""A function that is called with the progress after every generation."""


PACKAGES = ("gambol", "numpy", "llvmlite")


def versions(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the current versions of gambol, with a digest of its source, of python, numpy and llvmlite, and extra.

    extra: versions of formats, such as the genotype's, and of packages that a search depends on.
    """
    return {
        **{name: installed_version(name) for name in PACKAGES},
        "source": source_digest()[:16],
        "python": platform.python_version(),
        **(extra or {}),
    }


def installed_version(package: str) -> str:
    """Return the version of a package, "absent" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def version_changes(stored: Mapping[str, str], current: Mapping[str, str]) -> str:
    """Return a text about the current versions that differ from stored ones, or ""."""
    pairs = [(name, stored.get(name, "none"), new) for name, new in current.items()]
    return ", ".join(f"{name} {old} then and {new} now" for name, old, new in pairs if old != new)


ROLLOUT_KEY = 0x11FE5
"""The spawn key that separates random numbers of rollouts from those of searches, which have the same seed."""

NOT_EVALUATED = Outcome(float("nan"))
"""The outcome of an individual that is not evaluated yet."""


@dataclass(frozen=True)
class RunResult:
    """The result of a run.

    run: its number. generations: number of stored generations. interrupted: True if Ctrl-C ended it. archive: path or
    address of the archive, "" if it is not known. genes: function that returns the genes of a genotype.
    """

    run: int
    generations: int
    interrupted: bool
    archive: str = field(default="", repr=False, compare=False)
    genes: Genes = field(default=no_genes, repr=False, compare=False)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame with a row for each creature, see table.individuals_table()."""
        if not self.archive:
            raise EvolveError(f"the archive of run {self.run} is not known; use gambol.evolve.to_pandas(archive, run)")
        with Archive(self.archive, create=False) as archive:
            return individuals_table(archive, self.run, self.genes)


class Run:
    """A run that continues after the last stored generation. Use begin_run() or resume_run() to make one.

    id: its number in the archive. generations_done: number of generations that are stored and passed to the search;
    individuals_done: number of their individuals. best_fitness, best_number: the best fitness so far, and the number of
    the individual with this fitness.
    """

    def __init__(self, archive: Archive, id: int, settings: Settings, setup: SearchSetup[Any]) -> None:
        self.archive = archive
        self.id = id
        self.settings = settings
        self.setup = setup
        self.generations_done = 0
        self.individuals_done = 0
        self.best_fitness = -float("inf")
        self.best_number = -1
        self._interrupted = False

    def execute(self, pool: WorkerPool, on_progress: ProgressCallback | None = None) -> RunResult:
        """Evaluate all remaining generations, and return the result of the run.

        pool: the workers. on_progress: called after every generation. Ctrl-C drops the current generation and ends the
        run. Raises EvolveError if workers or the archive fail. In both cases all earlier generations are stored, and
        resume_run() continues the run.
        """
        if self._interrupted:
            raise EvolveError(
                f"run {self.id} was interrupted in the middle of a generation; resume it from the archive"
            )
        self._interrupted = True  # until the loop ends without an error
        started, first = perf_counter(), self.generations_done
        try:
            while self.generations_done < self.settings.generations:
                progress = self._generation(pool)
                duration = (perf_counter() - started) / (self.generations_done - first)  # mean, of a generation [s]
                if on_progress is not None:
                    on_progress(
                        Progress(
                            **progress, seconds_left=duration * (self.settings.generations - self.generations_done)
                        )
                    )
        except KeyboardInterrupt:
            pool.shutdown()
            return RunResult(self.id, self.generations_done, interrupted=True)
        self._interrupted = False
        return RunResult(self.id, self.generations_done, interrupted=False)

    def next_generation(self) -> list[IndividualRecord]:
        """Return the generation that the search proposes next, as records without outcomes."""
        proposals: list[Proposal[Any]] = self.setup.search.ask()
        seeds = seeds_of(self.settings.seed, self.generations_done, len(proposals))
        return [
            IndividualRecord(
                number=self.individuals_done + index,
                generation=self.generations_done,
                place=index,
                parents=proposal.parents,
                origin=proposal.origin,
                strategy=proposal.strategy,
                genotype=self.setup.to_plain(proposal.genotype),
                seed=seed,
                outcome=NOT_EVALUATED,
            )
            for index, (proposal, seed) in enumerate(zip(proposals, seeds, strict=True))
        ]

    def tell(self, individuals: Sequence[IndividualRecord]) -> None:
        """Tell the search the outcomes of a stored generation."""
        self.setup.search.tell([record.outcome for record in individuals])
        for record in individuals:
            if record.outcome.valid and record.outcome.fitness > self.best_fitness:
                self.best_fitness, self.best_number = record.outcome.fitness, record.number
        self.generations_done += 1
        self.individuals_done += len(individuals)

    def _generation(self, pool: WorkerPool) -> dict[str, Any]:
        """Evaluate and store a generation, pass its outcomes to the search, and return the fields of its progress."""
        started = perf_counter()
        proposed = self.next_generation()
        outcomes = pool.outcomes(
            self.setup.evaluate,
            self.settings,
            [record.genotype for record in proposed],
            [record.seed for record in proposed],
        )
        individuals = [replace(record, outcome=outcome) for record, outcome in zip(proposed, outcomes, strict=True)]
        summary = summary_of([outcome.fitness for outcome in outcomes if outcome.valid])
        evaluated = perf_counter()
        self.archive.add(self.id, individuals, summary, evaluated - started)
        stored = perf_counter()
        self.tell(individuals)
        rate = len(individuals) / (perf_counter() - started)
        return {
            "run": self.id,
            "generation": self.generations_done - 1,
            "generations": self.settings.generations,
            **summary,
            "run_best": self.best_fitness,
            "run_best_number": self.best_number,
            "marked": dict(Counter(outcome.marked for outcome in outcomes if outcome.marked)),
            "creatures_per_second": rate,
            "steps_per_second": rate * self.setup.steps,
            "archive_part": (stored - evaluated) / (stored - started),
        }


def begin_run(archive: Archive, settings: Settings, make_setup: SetupFactory) -> Run:
    """Return a new run in an archive.

    archive: archive in which the run is stored. settings: settings of the run. make_setup: returns its search setup.
    Raises EvolveError if make_setup rejects the settings.
    """
    setup = make_setup(settings)
    id = archive.begin(settings.plain(), settings.seed, versions(setup.versions))
    return Run(archive, id, settings, setup)


def seeds_of(seed: int, generation: int, count: int) -> list[int]:
    """Return the seeds of the rollouts of a generation, each below 2**32.

    seed: seed of the run. generation: index from 0. count: number of individuals of the generation.
    """
    return SeedSequence(seed, spawn_key=(ROLLOUT_KEY, generation)).generate_state(count).tolist()
