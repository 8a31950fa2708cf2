"""The tasks that come with gambol, by name."""

from dataclasses import fields, replace
from typing import Any

from gambol.contact import Medium
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness import Weighed
from gambol.evolve.tasks.task import Task

TIDY = (
    Weighed("slip", -0.25, 0.0, 1.0),
    Weighed("dragging", -0.25, 0.0, 1.0),
    Weighed("upright", 0.1, 0.0, 1.0),
    Weighed("transport", -0.02, 0.0, 4.0),
    Weighed("tangle", -0.5),
)
"""What makes a motion look like an animal's: feet that hold, a trunk upright and off the ground, little effort."""

WATER = Medium(density=1000.0, viscosity=0.0009)
"""At 25 degrees."""

TASKS: dict[str, Task] = {
    "walk": Task(
        "walk",
        (Weighed("speed", 0.5), Weighed("pace", 0.5), Weighed("ahead", 0.1, 0.0, 1.0), *TIDY),
        ("height", "slip"),
    ),
    "hop": Task(
        "hop",
        (Weighed("speed", 0.5, -1.0, 2.0), Weighed("flight", 2.0, 0.0, 0.6), Weighed("ahead", 0.25, 0.0, 1.0), *TIDY),
        ("flight", "speed"),
    ),
    "jump": Task(
        "jump",
        (
            Weighed("leap", 1.0),
            Weighed("landed", 0.5),
            Weighed("upright", 0.25, 0.0, 1.0),
            Weighed("tangle", -1.0),
        ),
        ("leap", "upright"),
    ),
    "crawl": Task(
        "crawl",
        (
            Weighed("crawl", 2.0, -1.0, 3.0),
            Weighed("dragging", 0.5, 0.0, 0.3),
            Weighed("low", 0.5, 0.0, 0.4),
            Weighed("flight", -1.0),
            Weighed("slip", -0.1, 0.0, 1.0),
            Weighed("ahead", 0.1, 0.0, 1.0),
            Weighed("upright", 0.1, 0.0, 1.0),
            Weighed("tangle", -0.5),
        ),
        ("dragging", "slip"),
    ),
    "path": Task(
        "path",
        (
            Weighed("along", 1.0, options={"points": ((3.0, 0.0), (5.0, 2.0), (7.0, 2.0))}),
            *TIDY,
        ),
        ("straightness", "slip"),
        seconds=10.0,
    ),
    "swim": Task(
        "swim",
        (
            Weighed("speed", 0.5),
            Weighed("pace", 0.5),
            Weighed("ahead", 0.1, 0.0, 1.0),
            Weighed("straightness", 0.1),
            Weighed("upright", 0.1, 0.0, 1.0),
            Weighed("transport", -0.02, 0.0, 4.0),
            Weighed("tangle", -0.5),
        ),
        ("straightness", "upright"),
        medium=WATER,
    ),
}
"""By name."""


USUAL_BODIES = {"crawl": "newt", "swim": "eel"}
"""The body plan that shows a task best; all others are shown by the quadruped."""


def usual_body(task: str) -> str:
    """The body plan that is asked for a task where nobody names one."""
    return USUAL_BODIES.get(task, "quadruped")


def task_named(name: str, **changes: Any) -> Task:
    """A task of the table, some of it changed. Raises EvolveError for one that is not there."""
    if name not in TASKS:
        raise EvolveError(f'there is no task "{name}"; {did_you_mean(name, TASKS)}')
    known = [one.name for one in fields(Task) if one.name != "name"]
    for change in changes:
        if change not in known:
            raise EvolveError(f'task "{name}" has no setting "{change}"; {did_you_mean(change, known)}')
    return replace(TASKS[name], **changes) if changes else TASKS[name]
