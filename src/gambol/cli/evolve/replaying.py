"""The command `gambol replay`: an ancestor lives again."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.choices import cure
from gambol.cli.evolve.keepsake import Keepsake, outcome_table, trials_told, whose_life
from gambol.cli.evolve.place import LAST, creature_named, genotype_named, opened, run_named
from gambol.cli.evolve.request import EYE
from gambol.cli.session import DONE, Session
from gambol.cli.walk import noted
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.gallery import KEPT, kept
from gambol.evolve.genotype import VERSION, to_json
from gambol.evolve.life import check_trial, lives
from gambol.evolve.life.asked import task_of
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Ancestor, Settings, ancestor, replayed

DIFFERS = 1  # exit code: the life is not the stored one


class DamageWarning(UserWarning):
    """What an archive holds of a generation is not what was stored."""


@dataclass(frozen=True)
class Replaying:
    """What one command does.

    run, creature: as words; run may be the name of a kept creature, which then lives. trial: of its life, to be shown.
    """

    run: str
    creature: str
    db: str | None
    out: Path
    video: Path | None
    trial: int = 0

    def go(self, session: Session) -> int:
        """Live, compare and write a creature; the command's exit code. GambolError before any work."""
        if self.run in KEPT:
            return self._show(session)
        if not self.run.isdecimal() and self.run != LAST:
            known = cure(self.run, [*KEPT, LAST], "give the number of a run")
            raise GambolError(f'RUN: "{self.run}" is no run, and no creature that comes with gambol; {known}')
        with noted() as notes:
            run, one = self._ancestor()
        keepsake = self._keepsake(run, one)
        check_trial(task_of(one.settings), self.trial)
        keepsake.check()
        with noted() as more, session.errors.status("living its life again") as status:
            outcome, same = again(one)
            whose = whose_life(one.settings, run, one.individual)
            paths = keepsake.write(one.settings, whose, one.individual, lambda words: status.update(Text(words)))
        session.warn([*notes, *more])
        self._tell(session, one, outcome, same)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE if same else DIFFERS

    def _show(self, session: Session) -> int:
        """Live and write a kept creature."""
        one, keepsake = kept(self.run), self._keepsake_named(self.run)
        check_trial(task_of(one.settings), self.trial)
        keepsake.check()
        plain = to_json(one.genotype)
        with noted() as notes, session.errors.status("living its life") as status:
            (outcome,) = lives(one.settings, [plain], [0])
            record = IndividualRecord(0, 0, 0, (), "kept", (), plain, 0, outcome)
            whose = f"The {self.run}, {one.says}"
            paths = keepsake.write(one.settings, whose, record, lambda words: status.update(Text(words)))
        session.warn(notes)
        session.console.print(Text(f"{self.run}: {one.says}", style="bold"))
        session.console.print(outcome_table(outcome, trials_told(one.settings, self.trial)), soft_wrap=True)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """The page that was written."""
        if self.run in KEPT:
            return self._keepsake_named(self.run).file(".html")
        with noted():
            return self._keepsake(*self._ancestor()).file(".html")

    def _ancestor(self) -> tuple[int, Ancestor]:
        """The number of the run, and the creature."""
        with opened(self.db, self.out) as archive:
            run = run_named(archive, self.run, lived=True)
            number = creature_named(archive, run, self.creature).number
            one = ancestor(archive, run, number, {"genotype": str(VERSION)})
            genotype_named(archive, run, one.individual)
            try:
                archive.individuals(run, one.individual.generation)
            except EvolveError as error:
                warnings.warn(str(error), DamageWarning, stacklevel=2)
            return run, one

    def _keepsake(self, run: int, one: Ancestor) -> Keepsake:
        return self._keepsake_named(f"{one.settings.task}-{run}-{one.individual.number}")

    def _keepsake_named(self, name: str) -> Keepsake:
        return Keepsake(self.out, f"{name}-trial-{self.trial}" if self.trial else name, self.video, self.trial)

    def _tell(self, session: Session, one: Ancestor, outcome: Outcome, same: bool) -> None:
        who, stored = one.individual, one.individual.outcome
        parents = ", ".join(map(str, who.parents)) or "nobody"
        title = f"creature {who.number}, generation {who.generation}, {who.origin} from {parents}"
        session.console.print(Text(title, style="bold"), soft_wrap=True)
        session.console.print(outcome_table(outcome, trials_told(one.settings, self.trial)), soft_wrap=True)
        if outcome.marked:
            session.console.print(Text(f"scores nothing: {outcome.marked}"))
        if same:
            session.console.print(Text("its life is the same as it was, to the last bit"))
            return
        session.warn([f"its life is not what it was: {', '.join(differences(stored, outcome))}"])


def differences(then: Outcome, now: Outcome) -> list[str]:
    """In what two outcomes differ, to the last bit, in words such as "fitness 1.5 then and 1.25 now"."""
    pairs: dict[str, tuple[Any, Any]] = {"fitness": (then.fitness, now.fitness)}
    pairs |= {name: (then.terms.get(name), now.terms.get(name)) for name in (*now.terms, *then.terms)}
    pairs |= {"behaviour": (then.behaviour, now.behaviour), "mark": (then.marked or None, now.marked or None)}
    said = {name: tuple("none" if value is None else repr(value) for value in pair) for name, pair in pairs.items()}
    return [f"{name} {one} then and {other} now" for name, (one, other) in said.items() if one != other]


def again(one: Ancestor) -> tuple[Outcome, bool]:
    """The outcome of living a life again, and whether it is the stored one; a person's choice stays what it was."""
    if one.settings.search != EYE:
        return replayed(one, lives)
    stored = one.individual.outcome

    def judged(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        return [replace(life, fitness=stored.fitness) for life in lives(settings, genotypes, seeds)]

    return replayed(one, judged)
