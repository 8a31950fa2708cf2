"""The command `gambol breed`: a person chooses who has children. [Ventrella 1998]"""

import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from gambol.cli.evolve.evolving import counted
from gambol.cli.evolve.place import genotype_named, opened, run_named, told
from gambol.cli.evolve.request import EYE, Request
from gambol.cli.evolve.watching import figures
from gambol.cli.interrupts import exit_code, terminated
from gambol.cli.session import DONE, Session
from gambol.cli.walk import noted
from gambol.errors import GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.genotype import Genotype, of_json, to_json
from gambol.evolve.genotype.breeding import FreeSpace, GenotypeSpace, topology
from gambol.evolve.genotype.breeding.grafts import taken_apart
from gambol.evolve.life import breed, filmed, lives
from gambol.evolve.life.asked import space_asked
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Breeding, Run, Settings, begun, crew_named, resumed, settings_of
from gambol.evolve.search import search_named
from gambol.view.choice import Booth, Candidate
from gambol.view.page import packed

NEW = "new"
CROWDS = (2, 9)
"""Creatures to choose from: at least, and at most."""

ENDLESS = 100_000
"""Generations, of which the person makes as many as they like."""

RATE = 30.0  # frames kept per second of a film
USUAL = Settings(search=EYE, population=9, generations=ENDLESS, seconds=6.0, trials=1)
"""A film shows one trial: what counts is what is seen."""


@dataclass(frozen=True)
class Choosing:
    """What one command does. run: "new", or a word for a run to go on with or to begin from."""

    run: str
    request: Request
    db: str | None
    out: Path
    port: int
    open_page: bool

    def go(self, session: Session) -> int:
        """Breed until Ctrl-C, after which the exit code is 0, or SIGTERM. Raises GambolError before any work."""
        settings = self._settings() if self.run == NEW else None
        with (
            Booth("Who shall have children?", self.port) as booth,
            opened(self.db, self.out, make=settings is not None) as archive,
            crew_named("here", 1) as crew,
        ):
            eye = Eye(booth, session.errors)
            with noted() as notes:
                run = begun(archive, settings, eye.breeding) if settings else self._resumed(archive, eye)
            session.warn(notes)
            eye.generation = run.done
            session.console.print(Text(f"run {run.id}: open {booth.address}", style="bold"), soft_wrap=True)
            session.console.print(Text("Only this machine can. Ctrl-C ends the breeding; all that was chosen is kept."))
            if self.open_page:
                webbrowser.open(booth.address)
            ending = run.go(crew)
        where = told(self.db, self.out)
        session.console.print(Text(f"stored: {counted(ending)}; go on with `gambol breed {run.id}{where}`"))
        return exit_code() if terminated() else DONE

    def _settings(self, usual: Settings = USUAL) -> Settings:
        """The settings of a new run. Raises GambolError for too few creatures, and too many."""
        settings = replace(self.request.changed(usual), search=EYE)
        least, most = CROWDS
        if not least <= settings.population <= most:
            raise GambolError(
                f"--population: {settings.population} creatures do not fit the page; give {least} to {most}"
            )
        breed(settings)
        return settings

    def _resumed(self, archive: Archive, eye: "Eye") -> Run:
        """A run to go on with; where another search bred it, a new one that begins with its best."""
        number = run_named(archive, self.run)
        stored = settings_of(archive, number)
        if stored.search == EYE:
            return resumed(archive, number, eye.breeding, self.request.changed(stored))
        same = {name: getattr(USUAL, name) for name in ("search", "population", "generations", "trials", "share")}
        usual = replace(stored, **same)
        best = [to_json(genotype_named(archive, number, one)) for one in archive.best(number, CROWDS[0])]
        settings = self._settings(replace(usual, options={**stored.options, "search": {}}))
        if best:
            check_start(number, stored, settings, [of_json(one) for one in best])
        return begun(archive, replace(settings, options={**settings.options, "search": {"start": best}}), eye.breeding)


def check_start(run: int, stored: Settings, settings: Settings, best: Sequence[Genotype]) -> None:
    """Raise GambolError, naming the option, for settings whose space does not hold the best of a stored run."""
    wrong = ("--control", "control", stored.control, settings.control)
    if stored.control == settings.control:
        space = space_asked(settings)
        if all(holds(space, one) for one in best):
            return
        wrong = ("--body", "body", stored.body, settings.body)
    option, what, theirs, asked = wrong
    raise GambolError(
        f'{option}: the best of run {run}, whose {what} is "{theirs}", cannot be bred as "{asked}"; '
        f"leave {option} out, or leave the run out to begin with random creatures"
    )


def holds(space: GenotypeSpace | FreeSpace, genotype: Genotype) -> bool:
    """Whether a search of a space can begin with a genotype."""
    if isinstance(space, FreeSpace):
        return taken_apart(genotype).links <= space.links
    return topology(genotype) == topology(space.plan)


class Eye:
    """A person as what evaluates creatures: fitness 1 for those chosen, 0 for others."""

    def __init__(self, booth: Booth, console: Console) -> None:
        self.generation = 0
        self._booth = booth
        self._console = console

    def breeding(self, settings: Settings) -> Breeding[Any]:
        """The breeding of a run whose creatures a person chooses."""
        options = dict(settings.options.get("search", {}))
        start = tuple(of_json(one) for one in options.pop("start", ()))
        made = breed(replace(settings, options={**settings.options, "search": options}))
        space = space_asked(settings)
        search = search_named(EYE, space, settings.seed, settings.population, **options, start=start)
        return replace(made, search=search, evaluate=self.judged)

    def judged(self, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        """The outcomes of a generation: what their lives came to, and what the person says."""
        with self._console.status(f"generation {self.generation} lives"), noted():
            outcomes = lives(settings, genotypes, seeds)
            films = [packed(filmed(settings, one), rate=RATE, playback=1.0) for one in genotypes]
        first = self.generation * settings.population
        candidates = [
            Candidate(first + k, words_of(first + k, outcome), film, outcome.marked)
            for k, (outcome, film) in enumerate(zip(outcomes, films, strict=True))
        ]
        with self._console.status(f"generation {self.generation} waits to be chosen from"):
            chosen = self._booth.chosen(self.generation, candidates)
        self._console.print(
            Text(f"generation {self.generation}: chosen {', '.join(str(first + k) for k in chosen) or 'none'}")
        )
        self.generation += 1
        return [replace(outcome, fitness=1.0 if k in chosen else 0.0) for k, outcome in enumerate(outcomes)]


def words_of(number: int, outcome: Outcome) -> str:
    """What stands under a creature."""
    terms = [f"{name} {figures(value)}" for name, value in list(outcome.terms.items())[:1]]
    return ", ".join([f"creature {number}", *terms])
