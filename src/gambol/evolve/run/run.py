"""A run: generation after generation is asked for, lived, stored, and told to the search.

    proposals = search.ask();  outcomes = evaluate(proposals);  archive.add(...);  search.tell(outcomes)

A generation counts from the moment at which it is stored. Whatever happens before that loses this generation alone, and
the run is resumed from the ones before.
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
from gambol.evolve.run.breeding import Breed, Breeding
from gambol.evolve.run.crew import Crew
from gambol.evolve.run.progress import Progress, Watcher
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.vintage import versions
from gambol.evolve.search import Proposal

LIVES = 0x11FE5
"""Tells the random numbers of lives from those of searches, which come from the same seed."""

NOTHING = Outcome(float("nan"))
"""The outcome of a life that was not lived yet."""


@dataclass(frozen=True)
class Ending:
    """How a run ended. generations: stored, all in all; interrupted: by Ctrl-C, before the last of them."""

    run: int
    generations: int
    interrupted: bool


class Run:
    """A run that goes on where its archive ends.

    id: its number in the archive. done: generations that are stored and that the search was told; lived: individuals.
    record, record_number: the best fitness so far and who has it. Made by begun() and resumed().
    """

    def __init__(self, archive: Archive, id: int, settings: Settings, breeding: Breeding[Any]) -> None:
        self.archive = archive
        self.id = id
        self.settings = settings
        self.breeding = breeding
        self.done = 0
        self.lived = 0
        self.record = -float("inf")
        self.record_number = -1
        self._ended = False

    def go(self, crew: Crew, watch: Watcher | None = None) -> Ending:
        """Live all generations that are left; how it ended.

        watch: told of every generation. Ctrl-C drops the generation in flight and ends the run, to be resumed. Raises
        EvolveError when workers or the archive fail; then, too, all generations before are stored, and the run is to be
        resumed from the archive.
        """
        if self._ended:
            raise EvolveError(f"run {self.id} was broken off in the middle of a generation; resume it from its archive")
        self._ended = True
        started, before = perf_counter(), self.done
        try:
            while self.done < self.settings.generations:
                told = self._generation(crew)
                rate = (perf_counter() - started) / (self.done - before)
                if watch is not None:
                    watch(Progress(**told, seconds_left=rate * (self.settings.generations - self.done)))
        except KeyboardInterrupt:
            crew.dismiss()
            return Ending(self.id, self.done, interrupted=True)
        self._ended = False
        return Ending(self.id, self.done, interrupted=False)

    def asked(self) -> list[IndividualRecord]:
        """The generation that the search wants next, as it would be stored had every life come to nothing."""
        proposals: list[Proposal[Any]] = self.breeding.search.ask()
        seeds = seeds_of(self.settings.seed, self.done, len(proposals))
        return [
            IndividualRecord(
                number=self.lived + place,
                generation=self.done,
                place=place,
                parents=proposal.parents,
                origin=proposal.origin,
                strategy=proposal.strategy,
                genotype=self.breeding.plain(proposal.genotype),
                seed=seed,
                outcome=NOTHING,
            )
            for place, (proposal, seed) in enumerate(zip(proposals, seeds, strict=True))
        ]

    def tell(self, individuals: Sequence[IndividualRecord]) -> None:
        """Go on from a stored generation: the search is told its outcomes."""
        self.breeding.search.tell([one.outcome for one in individuals])
        for one in individuals:
            if one.outcome.sound and one.outcome.fitness > self.record:
                self.record, self.record_number = one.outcome.fitness, one.number
        self.done += 1
        self.lived += len(individuals)

    def _generation(self, crew: Crew) -> dict[str, Any]:
        """Live, store and tell one generation; what there is to tell of it."""
        started = perf_counter()
        asked = self.asked()
        outcomes = crew.outcomes(
            self.breeding.evaluate, self.settings, [one.genotype for one in asked], [one.seed for one in asked]
        )
        individuals = [replace(one, outcome=outcome) for one, outcome in zip(asked, outcomes, strict=True)]
        summary = summary_of([outcome.fitness for outcome in outcomes if outcome.sound])
        lived = perf_counter()
        self.archive.add(self.id, individuals, summary, lived - started)
        stored = perf_counter()
        self.tell(individuals)
        rate = len(individuals) / (perf_counter() - started)
        return {
            "run": self.id,
            "generation": self.done - 1,
            "generations": self.settings.generations,
            **summary,
            "record": self.record,
            "record_number": self.record_number,
            "marked": dict(Counter(outcome.marked for outcome in outcomes if outcome.marked)),
            "creatures_per_second": rate,
            "steps_per_second": rate * self.breeding.steps,
            "archive_part": (stored - lived) / (stored - started),
        }


def begun(archive: Archive, settings: Settings, breed: Breed) -> Run:
    """A new run in an archive. breed: makes its search. Raises EvolveError for settings that breed refuses."""
    breeding = breed(settings)
    id = archive.begin(settings.plain(), settings.seed, versions(breeding.versions))
    return Run(archive, id, settings, breeding)


def seeds_of(seed: int, generation: int, count: int) -> list[int]:
    """Seeds of the lives of a generation, each below 2**32."""
    return SeedSequence(seed, spawn_key=(LIVES, generation)).generate_state(count).tolist()
