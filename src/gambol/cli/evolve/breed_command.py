"""The command `gambol breed`: interactive evolution, in which a person chooses the parents. [Ventrella 1998]"""

import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from gambol.cli.evolve.archive_lookup import archive_option, find_run, genotype_of, open_archive
from gambol.cli.evolve.evolve_command import generation_count
from gambol.cli.evolve.progress import fitness_text
from gambol.cli.evolve.request import CHOICE, Request
from gambol.cli.interrupts import exit_code, terminated
from gambol.cli.session import DONE, Session
from gambol.cli.walk import collected_warnings
from gambol.errors import GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout, search_setup
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, of_json, to_json
from gambol.evolve.genotype.breeding import FreeSpace, GenotypeSpace, topology
from gambol.evolve.genotype.breeding.decomposition import decompose
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Run, SearchSetup, Settings, begin_run, make_worker_pool, resume_run, settings_of
from gambol.evolve.search import search_named
from gambol.view.choice import Candidate, ChoiceServer
from gambol.view.page import encode_film

NEW = "new"
POPULATION_RANGE = (2, 9)
"""Smallest and largest number of creatures on the page."""

MAX_GENERATIONS = 100_000
"""Number of generations in the settings: more than a person will ever choose."""

RATE = 30.0  # frames kept per second of a film
DEFAULTS = Settings(search=CHOICE, population=9, generations=MAX_GENERATIONS, seconds=6.0, trials=1)
"""Default settings. One trial only, since the film shows one trial."""


@dataclass(frozen=True)
class BreedCommand:
    """The options of the command. run: "new", or the run to continue or to start from: its number, or "last"."""

    run: str
    request: Request
    db: str | None
    out: Path
    port: int
    open_page: bool

    def execute(self, session: Session) -> int:
        """Breed until Ctrl-C (exit code 0) or SIGTERM; return the exit code. Raises GambolError before any work."""
        settings = self._settings() if self.run == NEW else None
        with (
            ChoiceServer("Choose the parents", self.port) as server,
            open_archive(self.db, self.out, make=settings is not None) as archive,
            make_worker_pool("here", 1) as crew,
        ):
            eye = PersonsChoice(server, session.errors)
            with collected_warnings() as notes:
                run = begin_run(archive, settings, eye.breeding) if settings else self._resumed(archive, eye)
            session.warn(notes)
            eye.generation = run.generations_done
            session.console.print(Text(f"run {run.id}: open {server.address}", style="bold"), soft_wrap=True)
            session.console.print(
                Text("It opens on this machine only. Ctrl-C ends the breeding; all choices are stored.")
            )
            if self.open_page:
                webbrowser.open(server.address)
            ending = run.execute(crew)
        where = archive_option(self.db, self.out)
        session.console.print(Text(f"stored: {generation_count(ending)}; continue with `gambol breed {run.id}{where}`"))
        return exit_code() if terminated() else DONE

    def _settings(self, defaults: Settings = DEFAULTS) -> Settings:
        """Return the settings of a new run. Raises GambolError for too few or too many creatures."""
        settings = replace(self.request.applied_to(defaults), search=CHOICE)
        least, most = POPULATION_RANGE
        if not least <= settings.population <= most:
            raise GambolError(
                f"--population: {settings.population} creatures do not fit the page; give {least} to {most}"
            )
        search_setup(settings)
        return settings

    def _resumed(self, archive: Archive, eye: "PersonsChoice") -> Run:
        """Return the run to continue; of a run of another search, a new run that starts with its best creatures."""
        number = find_run(archive, self.run)
        stored = settings_of(archive, number)
        if stored.search == CHOICE:
            return resume_run(archive, number, eye.breeding, self.request.applied_to(stored))
        same = {name: getattr(DEFAULTS, name) for name in ("search", "population", "generations", "trials", "share")}
        defaults = replace(stored, **same)
        best = [to_json(genotype_of(archive, number, one)) for one in archive.best(number, POPULATION_RANGE[0])]
        settings = self._settings(replace(defaults, options={**stored.options, "search": {}}))
        if best:
            check_start_genotypes(number, stored, settings, [of_json(one) for one in best])
        return begin_run(
            archive, replace(settings, options={**settings.options, "search": {"start": best}}), eye.breeding
        )


def check_start_genotypes(run: int, stored: Settings, settings: Settings, best: Sequence[Genotype]) -> None:
    """Raise GambolError, naming the option, if the best creatures of a stored run cannot start a run of settings."""
    wrong = ("--control", "control", stored.control, settings.control)
    if stored.control == settings.control:
        space = search_space(settings)
        if all(can_start_from(space, one) for one in best):
            return
        wrong = ("--body", "body", stored.body, settings.body)
    option, what, theirs, asked = wrong
    raise GambolError(
        f'{option}: the best of run {run}, whose {what} is "{theirs}", cannot be bred as "{asked}"; '
        f"leave {option} out, or leave the run out to begin with random creatures"
    )


def can_start_from(space: GenotypeSpace | FreeSpace, genotype: Genotype) -> bool:
    """True if a search of a genotype space can start with a genotype."""
    if isinstance(space, FreeSpace):
        return decompose(genotype).links <= space.links
    return topology(genotype) == topology(space.plan)


class PersonsChoice:
    """The evaluator of creatures by a person's choice: fitness 1 for chosen creatures, 0 for others."""

    def __init__(self, server: ChoiceServer, console: Console) -> None:
        self.generation = 0
        self._server = server
        self._console = console

    def breeding(self, settings: Settings) -> SearchSetup[Any]:
        """Return the breeding of a run whose creatures a person chooses."""
        options = dict(settings.options.get("search", {}))
        start = tuple(of_json(one) for one in options.pop("start", ()))
        made = search_setup(replace(settings, options={**settings.options, "search": options}))
        space = search_space(settings)
        search = search_named(CHOICE, space, settings.seed, settings.population, **options, start=start)
        return replace(made, search=search, evaluate=self.evaluate)

    def evaluate(self, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        """Return the outcomes of a generation: those of the rollouts, with the fitness set by the person's choice."""
        with self._console.status(f"generation {self.generation} is simulated"), collected_warnings():
            outcomes = evaluate_genotypes(settings, genotypes, seeds)
            films = [encode_film(film_rollout(settings, one), rate=RATE, playback=1.0) for one in genotypes]
        first = self.generation * settings.population
        candidates = [
            Candidate(first + k, caption(first + k, outcome), film, outcome.marked)
            for k, (outcome, film) in enumerate(zip(outcomes, films, strict=True))
        ]
        with self._console.status(f"generation {self.generation}: waiting for a choice on the page"):
            chosen = self._server.chosen(self.generation, candidates)
        self._console.print(
            Text(f"generation {self.generation}: chosen {', '.join(str(first + k) for k in chosen) or 'none'}")
        )
        self.generation += 1
        return [replace(outcome, fitness=1.0 if k in chosen else 0.0) for k, outcome in enumerate(outcomes)]


def caption(number: int, outcome: Outcome) -> str:
    """Return the caption of a creature on the page."""
    terms = [f"{name} {fitness_text(value)}" for name, value in list(outcome.terms.items())[:1]]
    return ", ".join([f"creature {number}", *terms])
