"""The command `gambol replay`: simulates a stored creature again, and compares the outcome with the stored one."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.choices import hint
from gambol.cli.evolve.archive_lookup import LAST, find_creature, find_run, genotype_name, open_archive
from gambol.cli.evolve.artifacts import Artifacts, film_title, outcome_table, trials_note, trials_of
from gambol.cli.evolve.contest_runs import check_stored, evaluator_of, write_contest
from gambol.cli.evolve.creature_address import BEST, CreatureAddress
from gambol.cli.evolve.request import CHOICE
from gambol.cli.log import collected_warnings
from gambol.cli.output import Output
from gambol.cli.session import DONE, Session
from gambol.cli.source import Source, stored_source
from gambol.cli.targets import Targets
from gambol.creatures.contests import is_contest
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.evaluate import check_trial, evaluate_genotypes
from gambol.evolve.genotype import VERSION, to_json
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import ArchivedIndividual, Settings, load_individual, replay
from gambol.evolve.zoo import CREATURES, zoo_creature

DIFFERS = 1  # exit code: the outcome differs from the stored one


class DamageWarning(UserWarning):
    """The stored data of a generation is damaged."""


@dataclass(frozen=True)
class ReplayCommand:
    """The options of the command.

    run: a number, "last", or the name of a creature that comes with gambol. output: where its files go. trial: the
    trial to film.
    """

    run: str
    creature: str
    db: str | None
    output: Output
    trial: int = 0

    def execute(self, session: Session) -> int:
        """Simulate, compare and write a creature; return the exit code. Raises GambolError before any work."""
        if self.run in CREATURES:
            return self._replay_zoo_creature(session)
        if not self.run.isdecimal() and self.run != LAST:
            remedy = hint(self.run, [*CREATURES, LAST], "give the number of a run")
            raise GambolError(f'RUN: "{self.run}" is neither a run nor a creature that comes with gambol; {remedy}')
        with collected_warnings() as notes:
            run, creature = self._archived_creature()
        artifacts = self._artifacts(run, creature)
        check_trial(trials_of(creature.settings), self.trial)
        artifacts.check()
        if is_contest(creature.settings):
            return self._replay_contest(session, creature, artifacts.name)
        with collected_warnings() as new_notes, session.error_console.status("simulating it again") as status:
            outcome, same = reevaluate(creature)
            title = film_title(creature.settings, run, creature.individual)
            paths = artifacts.write(
                creature.settings, title, creature.individual, lambda text: status.update(Text(text))
            )
        session.warn([*notes, *new_notes])
        self._print_result(session, creature, outcome, same)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE if same else DIFFERS

    def _replay_contest(self, session: Session, creature: ArchivedIndividual, name: str) -> int:
        """Simulate a contest again, print and write it; return the exit code."""
        with session.error_console.status("simulating it again"):
            outcome, same = reevaluate(creature)
        self._print_result(session, creature, outcome, same)
        targets = Targets.of(self.output, name, 1)
        write_contest(creature.settings, creature.individual.genotype, self.trial, targets, session)
        return DONE if same else DIFFERS

    def _replay_zoo_creature(self, session: Session) -> int:
        """Simulate and write a creature that comes with gambol; return the exit code."""
        creature, artifacts = (
            zoo_creature(self.run),
            self._artifacts_named(self.run, Source("evolved", {"name": self.run})),
        )
        check_trial(trials_of(creature.settings), self.trial)
        artifacts.check()
        genotype = to_json(creature.genotype)
        with collected_warnings() as notes, session.error_console.status("simulating it") as status:
            (outcome,) = evaluate_genotypes(creature.settings, [genotype], [0])
            record = IndividualRecord(0, 0, 0, (), "kept", (), genotype, 0, outcome)
            title = f"The {self.run}, {creature.description}"
            paths = artifacts.write(creature.settings, title, record, lambda text: status.update(Text(text)))
        session.warn(notes)
        session.console.print(Text(f"{self.run}: {creature.description}", style="bold"))
        session.console.print(outcome_table(outcome, trials_note(creature.settings, self.trial)), soft_wrap=True)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """Return the path of the page that was written."""
        if self.run in CREATURES:
            return self._artifacts_named(self.run, Source("evolved", {"name": self.run})).file(".html")
        with collected_warnings():
            return self._artifacts(*self._archived_creature()).file(".html")

    def _archived_creature(self) -> tuple[int, ArchivedIndividual]:
        """Return the number of the run, and the creature with the settings of the run."""
        with open_archive(self.db, self.output.folder) as archive:
            run = find_run(archive, self.run, with_generations=True)
            number = find_creature(archive, run, self.creature).number
            creature = load_individual(archive, run, number, {"genotype": str(VERSION)})
            data = creature.individual.genotype
            check_stored(creature.settings, data, genotype_name(archive, run, creature.individual))
            try:
                archive.individuals(run, creature.individual.generation)
            except EvolveError as error:
                warnings.warn(str(error), DamageWarning, stacklevel=2)
            return run, creature

    def _artifacts(self, run: int, creature: ArchivedIndividual) -> Artifacts:
        number = creature.individual.number
        source = stored_source(run, number) if self.db is None else None
        return self._artifacts_named(f"{creature.settings.task}-{run}-{number}", source)

    def _artifacts_named(self, name: str, source: Source | None) -> Artifacts:
        data = source.data() if source and not self.trial else None
        return Artifacts(self.output, f"{name}-trial-{self.trial}" if self.trial else name, self.trial, data)

    def _print_result(self, session: Session, creature: ArchivedIndividual, outcome: Outcome, same: bool) -> None:
        individual, stored = creature.individual, creature.individual.outcome
        parents = ", ".join(map(str, individual.parents)) or "none"
        title = f"creature {individual.number}, generation {individual.generation}, {individual.origin} from {parents}"
        session.console.print(Text(title, style="bold"), soft_wrap=True)
        session.console.print(outcome_table(outcome, trials_note(creature.settings, self.trial)), soft_wrap=True)
        if outcome.marked:
            session.console.print(Text(f"scores nothing: {outcome.marked}"))
        if same:
            session.console.print(Text("its outcome is the same as the stored one, to the last bit"))
            return
        session.warn([f"its outcome differs from the stored one: {', '.join(outcome_differences(stored, outcome))}"])


def replay_arguments(run: str, creature: str, db: str | None) -> tuple[str, str, str | None]:
    """Return the run, the creature and the archive of a replay. Raises GambolError if two options give one of them.

    run: value of the option: a run or the address of a creature. creature, db: values of the options; db is None if it
    was not given.
    """
    address = None if run in CREATURES else CreatureAddress.of(run)
    if address is None:
        return run, creature, db
    if db is not None or (creature != BEST and address.creature is not None):
        raise GambolError(f'RUN: "{run}" names an archive and a creature; leave out --db and ID, or give numbers only')
    return address.run or LAST, address.creature or creature, address.db


def outcome_differences(stored: Outcome, new: Outcome) -> list[str]:
    """Return the differences between two outcomes, to the last bit, such as "fitness 1.5 stored, 1.25 new"."""
    pairs: dict[str, tuple[Any, Any]] = {"fitness": (stored.fitness, new.fitness)}
    pairs |= {name: (stored.terms.get(name), new.terms.get(name)) for name in (*new.terms, *stored.terms)}
    pairs |= {"behaviour": (stored.behaviour, new.behaviour), "mark": (stored.marked or None, new.marked or None)}
    texts = {name: tuple("none" if value is None else repr(value) for value in pair) for name, pair in pairs.items()}
    return [f"{name} {before} stored, {after} new" for name, (before, after) in texts.items() if before != after]


def reevaluate(creature: ArchivedIndividual) -> tuple[Outcome, bool]:
    """Return the outcome of a new simulation, and True if it equals the stored one.

    In runs of `gambol breed` the fitness is the person's choice; there, the stored fitness is used.
    """
    if creature.settings.search != CHOICE:
        return replay(creature, evaluator_of(creature.settings))
    stored = creature.individual.outcome

    def evaluate(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        return [replace(outcome, fitness=stored.fitness) for outcome in evaluate_genotypes(settings, genotypes, seeds)]

    return replay(creature, evaluate)
