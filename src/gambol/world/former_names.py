"""Errors for former names of options, which state the new name."""

from functools import wraps
from typing import Any, TypeVar, cast

from gambol.errors import WorldError

FORMER_NAMES = {
    "varied": "parameters", "shove": "external=External(push=...)", "frame": "control_step", "smallest": "min_step",
    "room": "contact=Stepping(max_contacts=...)", "rounds": "contact=Stepping(iterations=...)",
    "max_contacts": "contact=Stepping(max_contacts=...)", "iterations": "contact=Stepping(iterations=...)",
    "hypothesis": "contact=Impulse(hypothesis=...)", "solver": "contact=Constraint(solver=...)",
    "touch": "surface=SurfaceProperties(parameters=...)", "feet": "surface=SurfaceProperties(feet=...)",
    "stick": "surface=SurfaceProperties(sticky=...)", "push": "external=External(push=...)",
    "attachments": "external=External(attachments=...)", "medium": "external=External(medium=...)",
    "base_acceleration": "external=External(base_acceleration=...)",
    "initial_q": "initial=InitialState(q=...)", "initial_v": "initial=InitialState(v=...)",
}  # fmt: skip
"""Former names of options of World and Timing, with the new names or places."""

T = TypeVar("T")


def check_former_name(name: str, kind: str) -> None:
    """Raise WorldError, with the new name, for a former name of an option; kind: the name of the class."""
    if name in FORMER_NAMES:
        new = FORMER_NAMES[name]
        raise WorldError(f'the option "{name}" of {kind} is now ' + (new if "=" in new else f'called "{new}"'))


def refusing_former_names(kind: type[T]) -> type[T]:
    """Decorate a class so that a former name of an option raises a WorldError with the new name."""
    create = kind.__init__

    @wraps(create)
    def checked(self: T, *args: Any, **options: Any) -> None:
        for name in options:
            if name not in cast("Any", kind).__dataclass_fields__:
                check_former_name(name, kind.__name__)
        create(self, *args, **options)

    kind.__init__ = checked
    return kind
