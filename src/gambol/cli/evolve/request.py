"""The options of `gambol evolve`, and how they change the settings of a run."""

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gambol.cli.choices import hint
from gambol.cli.evolve.archive_lookup import LAST
from gambol.cli.evolve.creature_address import CreatureAddress
from gambol.cli.evolve.own_modules import allow_own_modules
from gambol.cli.evolve.surroundings import Surroundings
from gambol.cli.evolve.terms import term_changes
from gambol.errors import EvolveError, GambolError, did_you_mean
from gambol.evolve.evaluate.defaults import DEFAULTS, with_biped_trials, with_defaults_of_task
from gambol.evolve.evaluate.options import FREE_BODY_SEARCH
from gambol.evolve.genotype import PLANS, read_genotype, to_json
from gambol.evolve.genotype.breeding import FREE
from gambol.evolve.genotype.genotype import CONTROL, CONTROLS
from gambol.evolve.genotype.plans import BODY
from gambol.evolve.references import is_reference
from gambol.evolve.runs import Settings
from gambol.evolve.search import SEARCH, SEARCHES
from gambol.evolve.tasks import MAX_SECONDS, MIN_SECONDS, TASKS, task_named
from gambol.evolve.tasks.task import TASK

NONE_GIVEN = Surroundings()

CHOICE = "choice"
"""The search of `gambol breed`, in which a person chooses."""

PACKAGES = {"cma": "cma", "elites": "ribs"}
"""Optional packages that searches need."""


def task_and_run(task: str | None, run: str | None, resume: bool) -> tuple[str | None, str | None]:
    """Return the task and the run to resume, given in either order; None for an argument that was not given.

    resume: True to resume a run, by default the last one. Raises GambolError for too many arguments.
    """
    arguments = [word for word in (task, run) if word is not None]
    if not resume:
        if run is not None:
            raise GambolError(f'"{run}" is one argument too many; give a TASK alone, or --resume to continue a run')
        return task, None
    runs = [word for word in arguments if word.isdecimal() or word == LAST]
    tasks = [word for word in arguments if word not in runs]
    for argument, values in (("run", runs), ("TASK", tasks)):
        if len(values) > 1:
            raise GambolError(f'--resume: "{values[0]}" and "{values[1]}" are given as {argument}; give only one')
    return (tasks or [None])[0], (runs or [LAST])[0]


@dataclass(frozen=True)
class Request:
    """The options as given by the user; None for an option that was not given."""

    task: str | None = None
    body: str | None = None
    evolve: str | None = None
    control: str | None = None
    search: str | None = None
    population: int | None = None
    generations: int | None = None
    seconds: float | None = None
    seed: int | None = None
    trials: int | None = None
    muscles: bool = False
    surroundings: Surroundings = NONE_GIVEN
    motors: str | None = None
    metabolism: str | None = None
    senses: str | None = None
    terms: tuple[str, ...] = ()

    def settings(self) -> Settings:
        """Return the settings of a new run. Raises GambolError, with the name of the option, for invalid values."""
        task = self.task or ("path" if self.surroundings.path is not None else DEFAULTS.task)
        _check_known("the task", task, TASKS, TASK.is_known(task))
        _check_seconds(task_named(task).seconds if self.seconds is None else self.seconds, task)
        settings = self.applied_to(with_defaults_of_task(task, FREE if self.body == FREE else None))
        return settings if self.trials is not None else with_biped_trials(settings)

    def applied_to(self, settings: Settings) -> Settings:
        """Return settings changed by the given options. Raises GambolError, with the name of the option.

        A free body without --search replaces the default search by FREE_BODY_SEARCH.
        """
        for name, known, is_known in (
            ("task", TASKS, TASK.is_known),
            ("control", CONTROLS, CONTROL.is_known),
            ("search", SEARCHES, SEARCH.is_known),
        ):
            if (word := getattr(self, name)) is not None:
                _check_known(f"--{name}" if name != "task" else "the task", word, known, is_known(word))
        if self.seconds is not None:
            _check_seconds(self.seconds, self.task or settings.task)
        names = ("task", "control", "search", "population", "generations", "seconds", "seed", "trials")
        changes: dict[str, Any] = {name: value for name in names if (value := getattr(self, name)) is not None}
        if self.search in PACKAGES and find_spec(PACKAGES[self.search]) is None:
            package = PACKAGES[self.search]
            raise GambolError(f'--search: "{self.search}" needs the package {package}; pip install {package}')
        body, options = self._body(settings)
        if self.body == FREE and self.search is None and settings.search == DEFAULTS.search:
            changes["search"], options["search"] = FREE_BODY_SEARCH
        try:
            changed = replace(settings, **changes, body=body, options=options)
            if task_changes := self.surroundings.changes(changed):
                options["task"] = {**options.get("task", {}), **task_changes}
            if added := term_changes(self.terms, replace(changed, options=options)):
                options["task"] = {**options.get("task", {}), **added}
            return replace(changed, options=options)
        except EvolveError as error:
            option = "--" if str(error).partition(" ")[0] in names else ""  # many messages begin with the setting
            raise GambolError(f"{option}{error}") from error

    def _body(self, settings: Settings) -> tuple[str, dict[str, Any]]:
        """Return the name of the body, and the options of the settings, changed by the options about bodies."""
        options = dict(settings.options)
        body = settings.body if self.body is None else self.body
        address = None if self.body is None else CreatureAddress.of(self.body)
        if address is not None:
            options["plan"], body = dict(address.read().individual.genotype), address.name
        elif self.body is not None and (Path(body).suffix == ".toml" or Path(body).is_file()):
            options["plan"] = to_json(read_genotype(body))
            body = Path(body).stem
        elif self.body is not None:
            known = [*PLANS, FREE]
            if body not in known and not BODY.is_known(body):
                raise GambolError(f'--body: "{body}" is unknown; {hint(body, known, "give a genotype file (.toml)")}')
            _allow_reference(body)
            options.pop("plan", None)
        if self.evolve is not None and body == FREE and self.evolve == "control":
            raise GambolError('--evolve: "free" bodies always evolve; leave it out, or give another --body')
        if self.evolve is not None:
            options["evolve"] = self.evolve
        if self.muscles:
            options["muscles"] = True
        if self.metabolism is not None:
            options["metabolism"] = self.metabolism.replace("-", " ")
        if self.motors is not None and (self.muscles or options.get("muscles")):
            raise GambolError("--motors: joints with muscles have no motors; leave out --motors or --muscles")
        if self.motors is not None:
            options["motor"] = self.motors
        if self.senses is not None:
            senses = [name.strip() for name in self.senses.split(",")]
            options["control"] = {**options.get("control", {}), "senses": senses}
        return body, options


def _check_known(label: str, word: str, known: Any, is_known: bool) -> None:
    """Raise GambolError for an unknown name; the module of a reference is allowed."""
    if not is_known:
        raise GambolError(f'{label}: "{word}" is unknown; {did_you_mean(word, known)}')
    _allow_reference(word)


def _allow_reference(word: str) -> None:
    """Allow the module of a reference, since the command line names it."""
    if is_reference(word):
        allow_own_modules([word.partition(":")[0]])


def _check_seconds(seconds: float, task: str) -> None:
    settling = task_named(task).settling
    minimum = settling + MIN_SECONDS
    if not minimum <= seconds <= MAX_SECONDS:
        raise GambolError(
            f"--seconds: {seconds:g} s is not possible: the first {settling:g} s are not measured; "
            f"give at least {minimum:g}, and at most {MAX_SECONDS:g}"
        )
