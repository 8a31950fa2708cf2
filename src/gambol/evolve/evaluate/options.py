"""The options in the settings of a run: task, search space, search, and how bodies enter programs.

options.task       changes of the task: settling, friction, unevenness, terms (a list of mappings: term, weight, ...)
options.search     settings of the search
options.control    size, senses, slowest, fastest: see Control
options.plan       a genotype as plain data, whose body is the plan: settings.body only names it then
options.evolve     "control" or "both"; free bodies always evolve
options.bodies     how bodies enter programs, see batching.py; chosen when a run begins
options.links      the most links on the trunk of a free body
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.evaluate.batching import Batching
from gambol.evolve.genotype import Control, of_json
from gambol.evolve.genotype.breeding import FREE, FreeSpace, GenotypeSpace, space_of
from gambol.evolve.genotype.breeding.named import LINKS
from gambol.evolve.genotype.template_arrays import FEEDFORWARD
from gambol.evolve.run import Settings
from gambol.evolve.tasks import Task, task_named

OPTIONS = ("task", "search", "control", "plan", "evolve", "bodies", "links")
NESTED = ("task", "search", "control", "plan")
EVOLVE = ("control", "both")
NUMBER = (int, float)
EXPECTED = {"size": "a whole number", "senses": "a list of names", "slowest": "a number", "fastest": "a number"}
"""The expected types of the settings of a control, for errors."""

FREE_BODY_SEARCH: tuple[str, Mapping[str, Any]] = (
    "islands",
    {"of": "es-plus", "islands": 4, "every": 1000, "each": {"mates": 1}},
)
"""The default search for free bodies, and its settings.

Bodies of different structure cannot be blended, parents must survive children that break, and islands that hardly
exchange end with different body plans.
"""


def checked_options(settings: Settings) -> Settings:
    """Return settings whose options are known. Raises EvolveError for others."""
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
    """Return the task of the settings."""
    changes = {"seconds": settings.seconds, "trials": settings.trials} | dict(
        checked_options(settings).options.get("task", {})
    )
    return task_named(settings.task, **changes)


def control_of(settings: Settings) -> Control:
    """Return the kind of control in the settings, without gene values."""
    values: Mapping[str, Any] = checked_options(settings).options.get("control", {})
    allowed = ("size", "senses", "slowest", "fastest")
    for name in values:
        if name not in allowed:
            raise EvolveError(f'a control has no setting "{name}"; {did_you_mean(name, allowed)}')
    for name, kinds in (("size", (int,)), ("senses", (list, tuple)), ("slowest", NUMBER), ("fastest", NUMBER)):
        if name in values and type(values[name]) not in kinds:
            raise EvolveError(f"the {name} of the control is {values[name]!r}; give {EXPECTED[name]}")
    default = Control(settings.control)
    return replace(
        default, **{name: tuple(cast("list[str]", x)) if isinstance(x, list) else x for name, x in values.items()}
    )


def search_space(settings: Settings) -> GenotypeSpace | FreeSpace:
    """Return the space that is searched."""
    options = checked_options(settings).options
    plan = options.get("plan")
    body = settings.body if plan is None else of_json(plan, f'the plan "{settings.body}"').body
    fixed = body != FREE and options.get("evolve", "control") == "control"
    return space_of(body, control_of(settings), fixed=fixed, links=int(options.get("links", LINKS)))


def batching_of(settings: Settings) -> Batching:
    """Return how the bodies of a run enter programs: as the settings say, or the default.

    By default a fixed body is compiled in; parameters that evolve are numbers; free bodies are packed as data where
    their control can be assigned to a template.
    """
    checked_options(settings)
    free = settings.body == FREE
    default = "measured" if settings.options.get("evolve", "control") == "both" else "fixed"
    if free:
        default = "told" if settings.control in FEEDFORWARD else "measured"
    return Batching(settings.options.get("bodies", default), int(settings.options.get("links", LINKS)), free)
