"""What the settings of a run ask for: a task, a space to search, a search, and how bodies enter programs.

options.task       changes of the task: settling, friction, unevenness, terms (a list of mappings: term, weight, ...)
options.search     settings of the search
options.control    size, senses, slowest, fastest: see Control
options.plan       a genotype as plain data, whose body is the plan: settings.body only names it then
options.evolve     "control" or "both"; free bodies always evolve
options.bodies     how bodies enter programs, see sorting; chosen when a run begins
options.links      most that a free body has on its trunk
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype import Control, of_json
from gambol.evolve.genotype.breeding import FREE, FreeSpace, GenotypeSpace, space_of
from gambol.evolve.genotype.breeding.named import LINKS
from gambol.evolve.genotype.crowd import RHYTHMS
from gambol.evolve.life.sorting import Sorting
from gambol.evolve.run import Settings
from gambol.evolve.tasks import Task, task_named

OPTIONS = ("task", "search", "control", "plan", "evolve", "bodies", "links")
NESTED = ("task", "search", "control", "plan")
EVOLVE = ("control", "both")
NUMBER = (int, float)
WANTED = {"size": "a whole number", "senses": "a list of names", "slowest": "a number", "fastest": "a number"}
"""What the settings of a control should be."""

FOR_FREE: tuple[str, Mapping[str, Any]] = (
    "islands",
    {"of": "es-plus", "islands": 4, "every": 1000, "each": {"mates": 1}},
)
"""The search that suits free bodies, and its settings: bodies of other structure have no middle, parents must outlive
children that break, and islands that never meet end with body plans of their own.
"""


def checked(settings: Settings) -> Settings:
    """Settings whose options are known. Raises EvolveError for others."""
    for name, value in settings.options.items():
        if name not in OPTIONS:
            raise EvolveError(f'there is no option "{name}"; {did_you_mean(name, OPTIONS)}')
        if name in NESTED and not isinstance(value, Mapping):
            raise EvolveError(f"the option {name} is {value!r}; give a mapping of names to plain data")
    if type(links := settings.options.get("links", LINKS)) is not int:
        raise EvolveError(f"the option links is {links!r}; give a whole number")
    if (evolve := settings.options.get("evolve", "control")) not in EVOLVE:
        raise EvolveError(f'"{evolve}" cannot evolve; {did_you_mean(str(evolve), EVOLVE)}')
    return settings


def task_of(settings: Settings) -> Task:
    """The task asked for."""
    changes = {"seconds": settings.seconds, "trials": settings.trials} | dict(checked(settings).options.get("task", {}))
    return task_named(settings.task, **changes)


def control_of(settings: Settings) -> Control:
    """The kind of control asked for, without values."""
    given: Mapping[str, Any] = checked(settings).options.get("control", {})
    known = ("size", "senses", "slowest", "fastest")
    for name in given:
        if name not in known:
            raise EvolveError(f'a control has no setting "{name}"; {did_you_mean(name, known)}')
    for name, kinds in (("size", (int,)), ("senses", (list, tuple)), ("slowest", NUMBER), ("fastest", NUMBER)):
        if name in given and type(given[name]) not in kinds:
            raise EvolveError(f"the {name} of the control is {given[name]!r}; give {WANTED[name]}")
    usual = Control(settings.control)
    return replace(
        usual, **{name: tuple(cast("list[str]", x)) if isinstance(x, list) else x for name, x in given.items()}
    )


def space_asked(settings: Settings) -> GenotypeSpace | FreeSpace:
    """The space that is searched."""
    options = checked(settings).options
    plan = options.get("plan")
    body = settings.body if plan is None else of_json(plan, f'the plan "{settings.body}"').body
    fixed = body != FREE and options.get("evolve", "control") == "control"
    return space_of(body, control_of(settings), fixed=fixed, links=int(options.get("links", LINKS)))


def sorting_of(settings: Settings) -> Sorting:
    """How the bodies of a run enter programs: as the settings say, or as is usual.

    A body that stays is compiled in; measures that evolve are numbers; free bodies are told as data where their control
    can be dealt out.
    """
    checked(settings)
    free = settings.body == FREE
    usual = "measured" if settings.options.get("evolve", "control") == "both" else "fixed"
    if free:
        usual = "told" if settings.control in RHYTHMS else "measured"
    return Sorting(settings.options.get("bodies", usual), int(settings.options.get("links", LINKS)), free)
