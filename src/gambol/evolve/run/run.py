"""A run: generation after generation is proposed, evaluated, stored, and told to the search.

    proposals = search.ask();  outcomes = evaluate(proposals);  archive.add(...);  search.tell(outcomes)

A generation counts from the moment at which it is stored. A failure before that loses this generation alone, and the
run is resumed from the ones before.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from numpy.random import SeedSequence

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.summary import summary_of
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.progress import Progress, ProgressCallback
from gambol.evolve.run.provenance import versions
from gambol.evolve.run.search_setup import SearchSetup, SetupFactory
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.worker_pool import WorkerPool
from gambol.evolve.search import Proposal

ROLLOUTS = 0x11FE5
"""The key that separates the random numbers of rollouts from those of searches, which come from the same seed."""

NOT_EVALUATED = Outcome(float("nan"))
"""The outcome of an individual that is not evaluated yet."""


@dataclass(frozen=True)
class RunResult:
    """The end of a run. generations: stored in total; interrupted: True where Ctrl-C ended it before the last one."""

    run: int
    generations: int
    interrupted: bool


class Run:
    """A run that goes on where its archive ends.

    id: its number in the archive. generations_done: stored and told to the search; individuals_done: in these.
    best_fitness, best_number: the best fitness so far and whose it is. Made by begin_run() and resume_run().
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
        self._ended = False

    def execute(self, pool: WorkerPool, on_progress: ProgressCallback | None = None) -> RunResult:
        """Evaluate all generations that are left, and return how the run ended.

        pool: the workers. on_progress: called after every generation. Ctrl-C drops the current generation and ends the
        run, to be resumed. Raises EvolveError when workers or the archive fail; then, too, all generations before are
        stored, and the run is to be resumed from the archive.
        """
        if self._ended:
            raise EvolveError(
                f"run {self.id} was interrupted in the middle of a generation; resume it from the archive"
            )
        self._ended = True
        started, before = perf_counter(), self.generations_done
        try:
            while self.generations_done < self.settings.generations:
                progress = self._generation(pool)
                rate = (perf_counter() - started) / (self.generations_done - before)
                if on_progress is not None:
                    on_progress(
                        Progress(**progress, seconds_left=rate * (self.settings.generations - self.generations_done))
                    )
        except KeyboardInterrupt:
            pool.shutdown()
            return RunResult(self.id, self.generations_done, interrupted=True)
        self._ended = False
        return RunResult(self.id, self.generations_done, interrupted=False)

    def next_generation(self) -> list[IndividualRecord]:
        """Return the generation that the search proposes next, as records without outcomes."""
        proposals: list[Proposal[Any]] = self.setup.search.ask()
        seeds = seeds_of(self.settings.seed, self.generations_done, len(proposals))
        return [
            IndividualRecord(
                number=self.individuals_done + place,
                generation=self.generations_done,
                place=place,
                parents=proposal.parents,
                origin=proposal.origin,
                strategy=proposal.strategy,
                genotype=self.setup.to_plain(proposal.genotype),
                seed=seed,
                outcome=NOT_EVALUATED,
            )
            for place, (proposal, seed) in enumerate(zip(proposals, seeds, strict=True))
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
        """Evaluate, store and tell one generation, and return the fields of its progress."""
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

    archive: that will hold it. settings: of the run. make_setup: returns its search setup. Raises EvolveError for
    settings that make_setup refuses.
    """
    setup = make_setup(settings)
    id = archive.begin(settings.plain(), settings.seed, versions(setup.versions))
    return Run(archive, id, settings, setup)


def seeds_of(seed: int, generation: int, count: int) -> list[int]:
    """Return the seeds of the rollouts of a generation, each below 2**32."""
    return SeedSequence(seed, spawn_key=(ROLLOUTS, generation)).generate_state(count).tolist()
