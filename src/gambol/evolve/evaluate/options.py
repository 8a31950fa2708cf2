"""The options in the settings of a run: task, search space, search, and how bodies are grouped for simulation.

options.task       changes of the task: settling, friction, unevenness, terms (a list of mappings: term, weight, ...)
options.search     settings of the search
options.control    size, senses, slowest, fastest: see Control; without senses, networks read the default senses and
                   all sensors of the plan
options.plan       a genotype as plain data; its body is the body plan, and settings.body is then only a name for it
options.evolve     "control" or "both"; free bodies always evolve
options.bodies     "fixed", "topology" or "template": a program simulates one body, all bodies of one topology, or any
                   body, see batching.py; it cannot change during a run
options.muscles    True for bodies with antagonist muscles at every joint, instead of servos; evolution keeps them
options.metabolism  name of a metabolism of these muscles, which gives them mass and heat, such as "umberger 2003"
options.motor      "servo"; "hill" for motors whose strength falls with speed as that of muscles; or "elastic" for such
                   motors with a delay and tendons; by default the motors of the plan
options.frequencies  "mass" or "walk" for frequencies of the control that follow from the mass of the plan; see
                   frequencies.py
options.links      the largest number of links of a free body besides its trunk
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from gambol.actuation.muscle.energetics import METABOLISMS
from gambol.control.patterns.sensing import SensorPattern
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.evaluate.batching import Batching, Bodies
from gambol.evolve.genotype import Body, Control, of_json, plan_named
from gambol.evolve.genotype.breeding import FREE, FreeSpace, GenotypeSpace, space_of
from gambol.evolve.genotype.breeding.plan_space import DEFAULT_MAX_LINKS
from gambol.evolve.genotype.frequencies import FREQUENCY_LIMITS, with_frequencies_of
from gambol.evolve.genotype.genotype import BODY_CONTROLS, control_kind
from gambol.evolve.genotype.template_arrays import FEEDFORWARD
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import Task, task_named
from gambol.evolve.tasks.natural import omitted_terms, terms_for

NESTED_OPTIONS = ("task", "search", "control", "plan")
OPTIONS = (*NESTED_OPTIONS, "evolve", "bodies", "links", "muscles", "metabolism", "motor", "frequencies")
EVOLVE_VALUES = ("control", "both")
FORMER_BODIES: Mapping[str, Bodies] = {"measured": "topology", "told": "template"}
"""Values of options.bodies in runs that older versions stored."""
NUMBER_TYPES = (int, float)
EXPECTED_TYPES = {"size": "a whole number", "senses": "a list of names", "slowest": "a number", "fastest": "a number"}
"""What each setting of a control must be, for errors."""

FREE_BODY_SEARCH: tuple[str, Mapping[str, Any]] = (
    "islands",
    {"of": "es-plus", "islands": 4, "every": 1000, "each": {"mates": 1}},
)
"""The default search for free bodies, and its settings.

Four islands run es-plus, with one parent for each child (mates), and exchange migrants every 1000 generations.
Genotypes of different structure have no mean, so the search must not blend them; parents must survive, since many
changes of structure fail; and islands that exchange few migrants evolve different body plans.
"""


def checked_options(settings: Settings) -> Settings:
    """Return the settings. Raises EvolveError for unknown options and for values of a wrong type."""
    for name, value in settings.options.items():
        if name not in OPTIONS:
            raise EvolveError(f'there is no option "{name}"; {did_you_mean(name, OPTIONS)}')
        if name in NESTED_OPTIONS and not isinstance(value, Mapping):
            raise EvolveError(f"the option {name} is {value!r}; give a mapping of names to plain data")
    if type(links := settings.options.get("links", DEFAULT_MAX_LINKS)) is not int:
        raise EvolveError(f"the option links is {links!r}; give a whole number")
    if type(muscles := settings.options.get("muscles", False)) is not bool:
        raise EvolveError(f"the option muscles is {muscles!r}; give true or false")
    if (metabolism := settings.options.get("metabolism")) is not None and metabolism not in METABOLISMS:
        raise EvolveError(f'there is no metabolism "{metabolism}"; {did_you_mean(str(metabolism), METABOLISMS)}')
    if metabolism is not None and not muscles:
        raise EvolveError("the option metabolism needs the option muscles")
    if (frequencies := settings.options.get("frequencies", "mass")) not in FREQUENCY_LIMITS:
        names = " or ".join(f'"{name}"' for name in FREQUENCY_LIMITS)
        raise EvolveError(f"the option frequencies is {frequencies!r}; give {names}, or leave it out")
    if (evolve := settings.options.get("evolve", "control")) not in EVOLVE_VALUES:
        raise EvolveError(f'"{evolve}" cannot evolve; {did_you_mean(str(evolve), EVOLVE_VALUES)}')
    return settings


def task_of(settings: Settings) -> Task:
    """Return the task of the settings, with changes by their options, and without terms that do not apply to the plan.

    Raises EvolveError for invalid options, and for a plan without legs if its gait is to be compared with animals.
    """
    task, plan = _whole_task(settings), plan_of(settings)
    if plan is None or not task.signals:
        return task
    return replace(task, terms=terms_for(task.terms, plan, settings.body))


def left_out_terms(settings: Settings) -> dict[str, str]:
    """Return what each term of the task needs that does not apply to the plan, by the names of the terms."""
    plan = plan_of(settings)
    return {} if plan is None else omitted_terms(_whole_task(settings).terms, plan)


def plan_of(settings: Settings) -> Body | None:
    """Return the body plan of the settings, None for free bodies."""
    plan = settings.options.get("plan")
    if plan is not None:
        return of_json(plan, f'the plan "{settings.body}"').body
    return None if settings.body == FREE else plan_named(settings.body)


def _whole_task(settings: Settings) -> Task:
    """Return the task of the settings with all its terms."""
    changes = {"seconds": settings.seconds, "trials": settings.trials} | dict(
        checked_options(settings).options.get("task", {})
    )
    return task_named(settings.task, **changes)


def control_of(settings: Settings) -> Control:
    """Return the control of the settings: its kind and settings, without values of genes."""
    values: Mapping[str, Any] = checked_options(settings).options.get("control", {})
    allowed = ("size", "senses", "slowest", "fastest")
    for name in values:
        if name not in allowed:
            raise EvolveError(f'a control has no setting "{name}"; {did_you_mean(name, allowed)}')
    for name, types in (
        ("size", (int,)),
        ("senses", (list, tuple)),
        ("slowest", NUMBER_TYPES),
        ("fastest", NUMBER_TYPES),
    ):
        if name in values and type(values[name]) not in types:
            raise EvolveError(f"the {name} of the control is {values[name]!r}; give {EXPECTED_TYPES[name]}")
    default = Control(settings.control, senses=_default_senses(settings))
    return replace(
        default, **{name: tuple(cast("list[str]", x)) if isinstance(x, list) else x for name, x in values.items()}
    )


def _default_senses(settings: Settings) -> tuple[str, ...]:
    """Return the senses of a control without given senses: for a pattern with sensors, also the sensors of the plan."""
    senses, plan, kind = Control().senses, plan_of(settings), settings.control
    if plan is None or not plan.sensors or kind in BODY_CONTROLS or not issubclass(control_kind(kind), SensorPattern):
        return senses
    return (*senses, *dict(plan.sensors))


def search_space(settings: Settings) -> GenotypeSpace | FreeSpace:
    """Return the search space of the settings."""
    options = checked_options(settings).options
    body = settings.body if options.get("plan") is None else plan_of(settings) or FREE
    fixed = body != FREE and options.get("evolve", "control") == "control"
    links, muscles = int(options.get("links", DEFAULT_MAX_LINKS)), bool(options.get("muscles", False))
    control = control_of(settings) if "frequencies" not in options else _control_by_mass(settings, body)
    motor = options.get("motor")
    metabolism = options.get("metabolism")
    return space_of(body, control, fixed=fixed, links=links, muscles=muscles, motor=motor, metabolism=metabolism)


def _control_by_mass(settings: Settings, body: str | Body) -> Control:
    """Return the control of the settings with frequencies by the mass of a plan. Raises EvolveError without a plan."""
    if body == FREE:
        raise EvolveError("free bodies have no mass before they grow; leave out the option frequencies")
    if given := {"slowest", "fastest"} & set(settings.options.get("control", {})):
        raise EvolveError(f"give {min(given)} of the control, or the option frequencies, but not both")
    plan = plan_named(body) if isinstance(body, str) else body
    return with_frequencies_of(control_of(settings), plan, str(settings.options["frequencies"]))


def batching_of(settings: Settings) -> Batching:
    """Return the rule by which genotypes of a run are grouped into batches.

    The default of options.bodies is "fixed" for a body that does not evolve, and "topology" for one that evolves near a
    plan. For free bodies it is "template" if their control is in FEEDFORWARD, else "topology".
    """
    checked_options(settings)
    free = settings.body == FREE
    default = "topology" if settings.options.get("evolve", "control") == "both" else "fixed"
    if free:
        default = "template" if settings.control in FEEDFORWARD else "topology"
    bodies = settings.options.get("bodies", default)
    return Batching(FORMER_BODIES.get(str(bodies), bodies), int(settings.options.get("links", DEFAULT_MAX_LINKS)), free)
