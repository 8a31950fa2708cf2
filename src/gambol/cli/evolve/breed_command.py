"""The command `gambol breed`: interactive evolution, in which a person chooses the parents. [Ventrella 1998]"""

import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from gambol.cli.evolve.archive_lookup import archive_option, find_run, genotype_of, open_archive
from gambol.cli.evolve.artifacts import live_start
from gambol.cli.evolve.evolve_command import generations_text
from gambol.cli.evolve.progress import fitness_text
from gambol.cli.evolve.request import CHOICE, Request
from gambol.cli.interrupts import exit_code, terminated
from gambol.cli.log import collected_warnings
from gambol.cli.session import DONE, Session
from gambol.errors import GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout, search_setup
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, of_json, to_json
from gambol.evolve.genotype.breeding import FreeSpace, GenotypeSpace, topology
from gambol.evolve.genotype.breeding.decomposition import decompose
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import Run, SearchSetup, Settings, begin_run, make_worker_pool, resume_run, settings_of
from gambol.evolve.runs.evolve import check_device
from gambol.evolve.search import search_named
from gambol.evolve.zoo import ANIMALS, zoo_creature
from gambol.view.choice import Candidate, ChoiceServer
from gambol.view.live.encoded import SharedPrograms
from gambol.view.live.template_film import film_of_world
from gambol.view.page import encode_film

NEW_RUN = "new"
POPULATION_RANGE = (2, 9)
"""Smallest and largest number of creatures on the page."""

MAX_GENERATIONS = 100_000
"""Number of generations in the settings: more than a person will ever breed."""

WALK_STEP = 0.5
"""Step of mutation of a run that begins with a walk of the zoo: with 1, a third of the first dogs fall."""

EXECUTOR = "here"
FILM_RATE = 30.0  # frames per second of the films on the page
DEFAULTS = Settings(search=CHOICE, population=9, generations=MAX_GENERATIONS, seconds=6.0, trials=1)
"""Default settings. There is one trial only, because the film shows one trial."""


@dataclass(frozen=True)
class BreedCommand:
    """The options of the command. run: "new", or the number (or "last") of a run to continue or to start from.

    device: see check_device().
    """

    run: str
    request: Request
    db: str | None
    out: Path
    port: int
    open_page: bool
    device: str

    def execute(self, session: Session) -> int:
        """Breed until Ctrl-C (exit code 0) or SIGTERM; return the exit code. Raises GambolError before any work."""
        check_device(self.device, EXECUTOR)
        settings = self._new_settings() if self.run == NEW_RUN else None
        with (
            ChoiceServer("Choose the parents", self.port) as server,
            open_archive(self.db, self.out, create=settings is not None) as archive,
            make_worker_pool(EXECUTOR, 1) as pool,
        ):
            evaluator = HumanChoice(server, session.error_console, self.device)
            with collected_warnings() as notes:
                run = begin_run(archive, settings, evaluator.setup) if settings else self._resume(archive, evaluator)
            session.warn(notes)
            evaluator.generation = run.generations_done
            session.console.print(Text(f"run {run.id}: open {server.address}", style="bold"), soft_wrap=True)
            session.console.print(
                Text("The page opens on this machine only. Ctrl-C ends the breeding; all choices are stored.")
            )
            if self.open_page:
                webbrowser.open(server.address)
            result = run.execute(pool)
        db_option = archive_option(self.db, self.out)
        session.console.print(
            Text(f"stored: {generations_text(result)}; continue with `gambol breed {run.id}{db_option}`")
        )
        return exit_code() if terminated() else DONE

    def _new_settings(self) -> Settings:
        """Return the settings of a new run; of an animal's body, those with walks of the zoo to begin with."""
        walk = walk_of(self.request)
        if walk is None:
            return self._settings()
        return replace(self, request=replace(self.request, body=None))._settings(walk)

    def _settings(self, defaults: Settings = DEFAULTS) -> Settings:
        """Return the settings of a new run. Raises GambolError for too few or too many creatures."""
        settings = replace(self.request.applied_to(defaults), search=CHOICE)
        minimum, maximum = POPULATION_RANGE
        if not minimum <= settings.population <= maximum:
            raise GambolError(
                f"--population: {settings.population} creatures do not fit the page; give {minimum} to {maximum}"
            )
        search_setup(settings)
        return settings

    def _resume(self, archive: Archive, evaluator: "HumanChoice") -> Run:
        """Return the run to continue; for a run of `gambol evolve`, a new run that starts with its best creatures."""
        run_number = find_run(archive, self.run)
        stored = settings_of(archive, run_number)
        if stored.search == CHOICE:
            return resume_run(archive, run_number, evaluator.setup, self.request.applied_to(stored))
        breeding_settings = {
            name: getattr(DEFAULTS, name) for name in ("search", "population", "generations", "trials", "share")
        }
        defaults = replace(stored, **breeding_settings)
        best = [
            to_json(genotype_of(archive, run_number, individual))
            for individual in archive.best(run_number, POPULATION_RANGE[0])
        ]
        settings = self._settings(replace(defaults, options={**stored.options, "search": {}}))
        if best:
            check_start_genotypes(run_number, stored, settings, [of_json(data) for data in best])
        return begin_run(
            archive, replace(settings, options={**settings.options, "search": {"start": best}}), evaluator.setup
        )


def walk_of(request: Request) -> Settings | None:
    """Return the settings of a run that begins with a walk of the zoo and its mutants, for the body of an animal.

    None for other bodies, and for a request of a control: they begin with random creatures.
    """
    found = [name for name, (_, settings) in ANIMALS.items() if settings.body == request.body]
    if not found or request.control is not None:
        return None
    creature = zoo_creature(found[0])
    plain = to_json(creature.genotype)
    names = ("slowest", "fastest")
    options = {
        "plan": plain,
        "control": {name: getattr(creature.genotype.control, name) for name in names},
        "search": {"start": [plain], "step": WALK_STEP},
    }
    return replace(DEFAULTS, body=creature.settings.body, control=creature.genotype.control.kind, options=options)


def check_start_genotypes(run: int, stored: Settings, settings: Settings, best: Sequence[Genotype]) -> None:
    """Raise GambolError, with the name of the option, if creatures of a stored run cannot start a run.

    run, stored: number and settings of the stored run. settings: settings of the new run. best: the creatures.
    """
    mismatch = ("--control", "control", stored.control, settings.control)
    if stored.control == settings.control:
        space = search_space(settings)
        if all(can_start_from(space, genotype) for genotype in best):
            return
        mismatch = ("--body", "body", stored.body, settings.body)
    option, setting, stored_value, requested = mismatch
    raise GambolError(
        f'{option}: the best creatures of run {run} have the {setting} "{stored_value}", '
        f'the new run has "{requested}"; '
        f"leave {option} out, or leave the run out to begin with random creatures"
    )


def can_start_from(space: GenotypeSpace | FreeSpace, genotype: Genotype) -> bool:
    """True if a search in a genotype space can start with this genotype."""
    if isinstance(space, FreeSpace):
        return decompose(genotype).links <= space.links
    return topology(genotype) == topology(space.plan)


class HumanChoice:
    """Evaluates creatures by a person's choice: fitness 1 for chosen creatures, 0 for others.

    device: the device that simulates, see evaluate_genotypes().
    """

    def __init__(self, server: ChoiceServer, console: Console, device: str = "cpu") -> None:
        self.generation = 0
        self._device = device
        self._server = server
        self._console = console

    def setup(self, settings: Settings) -> SearchSetup[Any]:
        """Return the search of a run in which a person chooses the parents, and its evaluation."""
        options = dict(settings.options.get("search", {}))
        start = tuple(of_json(data) for data in options.pop("start", ()))
        setup = search_setup(replace(settings, options={**settings.options, "search": options}))
        space = search_space(settings)
        search = search_named(CHOICE, space, settings.seed, settings.population, **options, start=start)
        return replace(setup, search=search, evaluate=self.evaluate)

    def evaluate(self, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
        """Return the outcomes of a generation: outcomes of its rollouts with the fitness that the user chose."""
        with self._console.status(f"generation {self.generation} is simulated"), collected_warnings():
            outcomes = evaluate_genotypes(settings, genotypes, seeds, self._device)
            first, programs = self.generation * settings.population, SharedPrograms()
            candidates = [
                candidate(settings, genotype, first + k, outcome, programs)
                for k, (genotype, outcome) in enumerate(zip(genotypes, outcomes, strict=True))
            ]
        with self._console.status(f"generation {self.generation}: waiting for a choice on the page"):
            chosen = self._server.chosen(self.generation, candidates, programs.text())
        self._console.print(
            Text(f"generation {self.generation}: chosen {', '.join(str(first + k) for k in chosen) or 'none'}")
        )
        self.generation += 1
        return [replace(outcome, fitness=1.0 if k in chosen else 0.0) for k, outcome in enumerate(outcomes)]


def candidate(settings: Settings, genotype: Any, number: int, outcome: Outcome, programs: SharedPrograms) -> Candidate:
    """Return a creature of the page, which is simulated there if possible.

    number: number of the creature; outcome: outcome of its rollouts; programs: the programs of the page, to which those
    of the creature are added.
    """
    film = film_rollout(settings, genotype)
    start, motion_note = live_start(settings, genotype, film)
    film = film if start is None else film_of_world(film, *start)
    world = "" if start is None else programs.encoded_world(*start, film, 1.0)
    encoded = encode_film(film, rate=FILM_RATE, speed=1.0)
    return Candidate(number, caption(number, outcome), encoded, outcome.marked, world, motion_note)


def caption(number: int, outcome: Outcome) -> str:
    """Return the caption of a creature on the page."""
    terms = [f"{name} {fitness_text(value)}" for name, value in list(outcome.terms.items())[:1]]
    return ", ".join([f"creature {number}", *terms])
