"""The table of tasks by name, and tasks from outside."""

from dataclasses import fields, replace
from typing import Any, cast

from gambol.contact import Medium
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.references import Kind
from gambol.evolve.tasks.natural import NATURAL
from gambol.evolve.tasks.task import NOT_DATA, STEP, Task

NATURAL_MOTION = (
    WeightedTerm("slip", -0.25, 0.0, 1.0),
    WeightedTerm("dragging", -0.25, 0.0, 1.0),
    WeightedTerm("upright", 0.1, 0.0, 1.0),
    WeightedTerm("transport", -0.02, 0.0, 4.0),
    WeightedTerm("tangle", -0.5),
)
"""Terms that make a motion look natural: feet that do not slip, a trunk upright and off the ground, little effort."""

WATER = Medium(density=1000.0, viscosity=0.0009)
"""Water at 25 degrees Celsius."""

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
        usual_body="newt",
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
        usual_body="eel",
    ),
    "natural": Task(
        "natural",
        NATURAL,
        ("animal stride frequency", "animal duty factor"),
        sample=6.0 * STEP,
        usual_options={"motor": "hill", "frequencies": "walk"},
    ),
}
"""The tasks of gambol by name; see docs/extend/task.md for a task of your own."""

TASK = Kind("task", TASKS)


def usual_body(task: str) -> str:
    """Return the default body plan of a task. Raises EvolveError for an unknown task."""
    return task_named(task).usual_body


def usual_options(task: str) -> dict[str, Any]:
    """Return the default options of the settings of a new run. Raises EvolveError for an unknown task."""
    return dict(task_named(task).usual_options)


def task_named(name: str, **changes: Any) -> Task:
    """Return a task, with some fields changed.

    name: a key of TASKS, a reference "module:name", or an entry point of "gambol.tasks". A reference or an entry point
    names a Task, or a function of a Trajectory, which becomes the only term. changes: values of fields of Task. Raises
    EvolveError for an unknown task or field.
    """
    task = TASKS[name] if name in TASKS else _own_task(name)
    allowed = [field.name for field in fields(Task) if field.name not in ("name", *NOT_DATA)]
    for change in changes:
        if change not in allowed:
            raise EvolveError(f'task "{name}" has no setting "{change}"; {did_you_mean(change, allowed)}')
    return replace(task, **changes) if changes else task


def _own_task(name: str) -> Task:
    """Return a task that is not in TASKS; see task_named()."""
    found = TASK.found(name)
    if isinstance(found, Task):
        return found
    if callable(found):
        return Task(name, (WeightedTerm(cast("Any", found), 1.0),))
    raise EvolveError(f'the task "{name}" is {found!r}; give a Task, or a function of a Trajectory')
