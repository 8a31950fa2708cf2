"""The settings of a run as plain data: they and the versions of software determine its result."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, cast

from gambol.errors import EvolveError, did_you_mean

FORMAT = 2
"""Version of settings as mappings; it is increased when the meaning of stored mappings would change."""

OLD_FORMAT_VALUES: Mapping[int, Mapping[str, Any]] = {1: {"trials": 1}}
"""The values, by format, of settings that older formats did not have."""

MAX_INTEGER = 2**63 - 1
"""The largest integer that an archive can store."""

MAX_POPULATION = 1_000_000
"""The largest population: a whole generation is in memory."""

BOUNDS = {
    "population": (1, MAX_POPULATION),
    "generations": (1, MAX_INTEGER),
    "seed": (0, MAX_INTEGER),
    "trials": (1, MAX_INTEGER),
    "share": (1, MAX_INTEGER),
}
"""The bounds of the settings that are integers."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Raises EvolveError for invalid values.

    task, body, control, search: names. population: number of individuals in a generation; generations: number of
    generations. seed: seed of all random numbers, from 0 to 2**63 - 1. seconds: duration of a rollout [s]; trials:
    trials of each individual; the worst one counts. share: number of individuals in a chunk, the part of a generation
    that a worker gets at once; it is a setting, so that the result does not depend on the number of workers. options:
    further settings of the task, the body, the control and the search, as nested plain data.
    """

    task: str = "walk"
    body: str = "quadruped"
    control: str = "spectral"
    search: str = "es"
    population: int = 256
    generations: int = 100
    seed: int = 0
    seconds: float = 8.0
    trials: int = 2
    share: int = 64
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        for name in ("task", "body", "control", "search"):
            if not isinstance(value := getattr(self, name), str) or not value:
                raise EvolveError(f"{name} is {value!r}; give a name")
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise EvolveError(f"{name} is {value!r}; give a whole number from {least} to {most}")
        seconds: object = self.seconds
        if type(seconds) not in (int, float) or not 0.0 < self.seconds < math.inf:
            raise EvolveError(f"seconds is {seconds!r}; give the duration of a rollout, more than 0 s")
        if not isinstance(cast("object", self.options), Mapping):
            raise EvolveError(f"options is {self.options!r}; give a mapping of names to plain data")

    def plain(self) -> dict[str, Any]:
        """Return these settings as a mapping of plain data, the argument of of_plain()."""
        return {"format": FORMAT, **{item.name: getattr(self, item.name) for item in fields(self)}}

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any], where: str = "settings") -> Self:
        """Return the settings of a mapping; missing fields get the values of the mapping's format, or their defaults.

        plain: the mapping. where: name of the mapping in errors. Raises EvolveError for a newer format, unknown fields,
        and invalid values.
        """
        format = plain.get("format", FORMAT)
        if format not in (FORMAT, *OLD_FORMAT_VALUES):
            raise EvolveError(
                f"{where}: format {format}, but this gambol reads formats 1 to {FORMAT}; use a newer gambol"
            )
        allowed = [item.name for item in fields(cls)]
        values = dict(OLD_FORMAT_VALUES.get(format, {})) | {
            name: value for name, value in plain.items() if name != "format"
        }
        for name in values:
            if name not in allowed:
                raise EvolveError(f'{where}: there is no setting "{name}"; {did_you_mean(name, allowed)}')
        try:
            return cls(**values)
        except EvolveError as error:
            raise EvolveError(f"{where}: {error}") from error


def differences(stored: Any, requested: Any, path: str = "") -> list[str]:
    """Return the differences of two nested mappings as lines such as "search: es stored, ga requested".

    stored, requested: the mappings, or values inside them. path: the dotted name of these values.
    """
    if isinstance(stored, Mapping) and isinstance(requested, Mapping):
        old, new = cast("Mapping[str, Any]", stored), cast("Mapping[str, Any]", requested)
        names = [*old, *(name for name in new if name not in old)]
        return [
            line for name in names for line in differences(old.get(name), new.get(name), f"{path}.{name}".lstrip("."))
        ]
    if _with_lists(stored) == _with_lists(requested):
        return []
    return [f"{path}: {_text(stored)} stored, {_text(requested)} requested"]


MAX_TEXT = 80
"""The largest number of characters of a setting in an error; the heights of a ground have many more."""


def _with_lists(value: Any) -> Any:
    """Return a value with lists in place of tuples, as it is stored."""
    return list(map(_with_lists, cast("Any", value))) if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}..."
