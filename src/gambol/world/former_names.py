"""Former names of options: an error that says the new name."""

from functools import wraps
from typing import Any, TypeVar

from gambol.errors import WorldError

FORMER_NAMES = {
    "room": "max_contacts", "rounds": "iterations", "varied": "parameters", "shove": "push",
    "frame": "control_step", "smallest": "min_step",
}  # fmt: skip
"""Former names of options of World and Timing, with the new names."""

T = TypeVar("T")


def refusing_former_names(kind: type[T]) -> type[T]:
    """Decorate a class so that a former name of an option raises a WorldError with the new name."""
    create = kind.__init__

    @wraps(create)
    def checked(self: T, *args: Any, **options: Any) -> None:
        for name in FORMER_NAMES.keys() & options.keys():
            raise WorldError(f'the option "{name}" of {kind.__name__} is now called "{FORMER_NAMES[name]}"')
        create(self, *args, **options)

    kind.__init__ = checked
    return kind
