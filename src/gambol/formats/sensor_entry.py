"""A sensor of a file, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from gambol.errors import FigureError

LINK_OPTIONS = ("link", "reference", "sees", "others")
"""The options of sensors that are names of links, or lists of them."""


@dataclass(frozen=True, slots=True)
class SensorEntry:
    """A sensor of a file as data: it measures nothing until it belongs to a world, see gambol.sensing.sensors_of().

    kind: its name in the table gambol.sensing.SENSORS. options: the arguments of its class by name.
    """

    name: str
    kind: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def renamed(self, name: str, links: Mapping[str, str]) -> "SensorEntry":
        """Return the sensor under another name, on links of other names. links: the new name of each link."""

        def new(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(links.get(x, x) for x in cast("tuple[str, ...]", value))
            return links.get(value, value)

        changed = {option: new(value) for option, value in self.options.items() if option in LINK_OPTIONS}
        return SensorEntry(name, self.kind, {**self.options, **changed})


def check_entries(entries: Sequence[SensorEntry]) -> None:
    """Raise FigureError for names of sensors that are empty or appear twice."""
    names: set[str] = set()
    for entry in entries:
        if not entry.name or entry.name in names:
            raise FigureError(f'the sensor "{entry.name}" is defined twice, or has no name; give it a unique name')
        names.add(entry.name)
