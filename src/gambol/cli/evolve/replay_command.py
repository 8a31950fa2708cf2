"""The command `gambol replay`: a stored creature is simulated again and compared with its stored outcome."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.choices import hint
from gambol.cli.evolve.archive_lookup import LAST, find_creature, find_run, genotype_of, open_archive
from gambol.cli.evolve.artifacts import Artifacts, film_title, outcome_table, trials_note
from gambol.cli.evolve.request import CHOICE
from gambol.cli.session import DONE, Session
from gambol.cli.walk import collected_warnings
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.evaluate import check_trial, evaluate_genotypes
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import VERSION, to_json
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import ArchivedIndividual, Settings, load_individual, replay
from gambol.evolve.zoo import CREATURES, zoo_creature

DIFFERS = 1  # exit code: the outcome differs from the stored one


class DamageWarning(UserWarning):
    """The stored data of a generation is damaged."""


@dataclass(frozen=True)
class ReplayCommand:
    """The options of the command.

    run: a number, "last", or the name of a creature that comes with gambol. trial: the trial to film.
    """

    run: str
    creature: str
    db: str | None
    out: Path
    video: Path | None
    trial: int = 0

    def execute(self, session: Session) -> int:
        """Simulate, compare and write a creature; return the exit code. Raises GambolError before any work."""
        if self.run in CREATURES:
            return self._show(session)
        if not self.run.isdecimal() and self.run != LAST:
            known = hint(self.run, [*CREATURES, LAST], "give the number of a run")
            raise GambolError(f'RUN: "{self.run}" is no run, and no creature that comes with gambol; {known}')
        with collected_warnings() as notes:
            run, one = self._ancestor()
        artifacts = self._artifacts(run, one)
        check_trial(task_of(one.settings), self.trial)
        artifacts.check()
        with collected_warnings() as more, session.errors.status("simulating it again") as status:
            outcome, same = reevaluate(one)
            title = film_title(one.settings, run, one.individual)
            paths = artifacts.write(one.settings, title, one.individual, lambda words: status.update(Text(words)))
        session.warn([*notes, *more])
        self._print_result(session, one, outcome, same)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE if same else DIFFERS

    def _show(self, session: Session) -> int:
        """Simulate and write a creature that comes with gambol; return the exit code."""
        one, artifacts = zoo_creature(self.run), self._artifacts_named(self.run)
        check_trial(task_of(one.settings), self.trial)
        artifacts.check()
        plain = to_json(one.genotype)
        with collected_warnings() as notes, session.errors.status("simulating it") as status:
            (outcome,) = evaluate_genotypes(one.settings, [plain], [0])
            record = IndividualRecord(0, 0, 0, (), "kept", (), plain, 0, outcome)
            title = f"The {self.run}, {one.description}"
            paths = artifacts.write(one.settings, title, record, lambda words: status.update(Text(words)))
        session.warn(notes)
        session.console.print(Text(f"{self.run}: {one.description}", style="bold"))
        session.console.print(outcome_table(outcome, trials_note(one.settings, self.trial)), soft_wrap=True)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """Return the path of the page that was written."""
        if self.run in CREATURES:
            return self._artifacts_named(self.run).file(".html")
        with collected_warnings():
            return self._artifacts(*self._ancestor()).file(".html")

    def _ancestor(self) -> tuple[int, ArchivedIndividual]:
        """Return the number of the run, and the creature."""
        with open_archive(self.db, self.out) as archive:
            run = find_run(archive, self.run, with_generations=True)
            number = find_creature(archive, run, self.creature).number
            one = load_individual(archive, run, number, {"genotype": str(VERSION)})
            genotype_of(archive, run, one.individual)
            try:
                archive.individuals(run, one.individual.generation)
            except EvolveError as error:
                warnings.warn(str(error), DamageWarning, stacklevel=2)
            return run, one

    def _artifacts(self, run: int, one: ArchivedIndividual) -> Artifacts:
        return self._artifacts_named(f"{one.settings.task}-{run}-{one.individual.number}")

    def _artifacts_named(self, name: str) -> Artifacts:
        return Artifacts(self.out, f"{name}-trial-{self.trial}" if self.trial else name, self.video, self.trial)

    def _print_result(self, session: Session, one: ArchivedIndividual, outcome: Outcome, same: bool) -> None:
        who, stored = one.individual, one.individual.outcome
        parents = ", ".join(map(str, who.parents)) or "none"
        title = f"creature {who.number}, generation {who.generation}, {who.origin} from {parents}"
        session.console.print(Text(title, style="bold"), soft_wrap=True)
        session.console.print(outcome_table(outcome, trials_note(one.settings, self.trial)), soft_wrap=True)
        if outcome.marked:
            session.console.print(Text(f"scores nothing: {outcome.marked}"))
        if same:
            session.console.print(Text("its outcome is the same as the stored one, to the last bit"))
            return
        session.warn([f"its outcome differs from the stored one: {', '.join(outcome_differences(stored, outcome))}"])


def outcome_differences(then: Outcome, now: Outcome) -> list[str]:
    """Return the differences between two outcomes, to the last bit, such as "fitness 1.5 then and 1.25 now"."""
    pairs: dict[str, tuple[Any, Any]] = {"fitness": (then.fitness, now.fitness)}
    pairs |= {name: (then.terms.get(name), now.terms.get(name)) for name in (*now.terms, *then.terms)}
    pairs |= {"behaviour": (then.behaviour, now.behaviour), "mark": (then.marked or None, now.marked or None)}
    said = {name: tuple("none" if value is None else repr(value) for value in pair) for name, pair in pairs.items()}
    return [f"{name} {one} then and {other} now" for name, (one, other) in said.items() if one != other]


def reevaluate(one: ArchivedIndividual) -> tuple[Outcome, bool]:
    """Return the outcome of a new simulation, and True if it equals the stored one. A person's choice is kept."""
    if one.settings.search != CHOICE:
        return replay(one, evaluate_genotypes)
    stored = one.individual.outcome

    def evaluate(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        return [replace(life, fitness=stored.fitness) for life in evaluate_genotypes(settings, genotypes, seeds)]

    return replay(one, evaluate)
