"""The tasks that come with gambol, by name."""

from dataclasses import fields, replace
from typing import Any

from gambol.contact import Medium
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.tasks.task import Task

NATURAL_MOTION = (
    WeightedTerm("slip", -0.25, 0.0, 1.0),
    WeightedTerm("dragging", -0.25, 0.0, 1.0),
    WeightedTerm("upright", 0.1, 0.0, 1.0),
    WeightedTerm("transport", -0.02, 0.0, 4.0),
    WeightedTerm("tangle", -0.5),
)
"""Terms that make a motion look natural: feet that do not slip, a trunk upright and off the ground, little effort."""

WATER = Medium(density=1000.0, viscosity=0.0009)
"""Water at 25 degrees Celsius [kg/m3, Pa s]."""

TASKS: dict[str, Task] = {
    "walk": Task(
        "walk",
        (WeightedTerm("speed", 0.5), WeightedTerm("pace", 0.5), WeightedTerm("ahead", 0.1, 0.0, 1.0), *NATURAL_MOTION),
        ("height", "slip"),
    ),
    "hop": Task(
        "hop",
        (
            WeightedTerm("speed", 0.5, -1.0, 2.0),
            WeightedTerm("flight", 2.0, 0.0, 0.6),
            WeightedTerm("ahead", 0.25, 0.0, 1.0),
            *NATURAL_MOTION,
        ),
        ("flight", "speed"),
    ),
    "jump": Task(
        "jump",
        (
            WeightedTerm("leap", 1.0),
            WeightedTerm("landed", 0.5),
            WeightedTerm("upright", 0.25, 0.0, 1.0),
            WeightedTerm("tangle", -1.0),
        ),
        ("leap", "upright"),
    ),
    "crawl": Task(
        "crawl",
        (
            WeightedTerm("crawl", 2.0, -1.0, 3.0),
            WeightedTerm("dragging", 0.5, 0.0, 0.3),
            WeightedTerm("low", 0.5, 0.0, 0.4),
            WeightedTerm("flight", -1.0),
            WeightedTerm("slip", -0.1, 0.0, 1.0),
            WeightedTerm("ahead", 0.1, 0.0, 1.0),
            WeightedTerm("upright", 0.1, 0.0, 1.0),
            WeightedTerm("tangle", -0.5),
        ),
        ("dragging", "slip"),
    ),
    "path": Task(
        "path",
        (
            WeightedTerm("along", 1.0, options={"points": ((3.0, 0.0), (5.0, 2.0), (7.0, 2.0))}),
            *NATURAL_MOTION,
        ),
        ("straightness", "slip"),
        seconds=10.0,
    ),
    "swim": Task(
        "swim",
        (
            WeightedTerm("speed", 0.5),
            WeightedTerm("pace", 0.5),
            WeightedTerm("ahead", 0.1, 0.0, 1.0),
            WeightedTerm("straightness", 0.1),
            WeightedTerm("upright", 0.1, 0.0, 1.0),
            WeightedTerm("transport", -0.02, 0.0, 4.0),
            WeightedTerm("tangle", -0.5),
        ),
        ("straightness", "upright"),
        medium=WATER,
    ),
}
"""The tasks by name."""


USUAL_BODIES = {"crawl": "newt", "swim": "eel"}
"""The default body plans of tasks; for all others it is the quadruped."""


def usual_body(task: str) -> str:
    """Return the default body plan of a task."""
    return USUAL_BODIES.get(task, "quadruped")


def task_named(name: str, **changes: Any) -> Task:
    """Return a task of the table, with some fields changed.

    name: in TASKS. changes: values of fields of Task. Raises EvolveError for an unknown task or field.
    """
    if name not in TASKS:
        raise EvolveError(f'there is no task "{name}"; {did_you_mean(name, TASKS)}')
    allowed = [field.name for field in fields(Task) if field.name != "name"]
    for change in changes:
        if change not in allowed:
            raise EvolveError(f'task "{name}" has no setting "{change}"; {did_you_mean(change, allowed)}')
    return replace(TASKS[name], **changes) if changes else TASKS[name]
