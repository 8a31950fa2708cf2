"""The settings of a run as plain data: all that its result follows from, except the versions of software."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, cast

from gambol.errors import EvolveError, did_you_mean

FORMAT = 2
"""Version of settings as mappings. It is raised when an old mapping would change its meaning."""

OLDER: Mapping[int, Mapping[str, Any]] = {1: {"trials": 1}}
"""Settings that older formats did not have, by format."""

MOST = 2**63 - 1
"""The largest whole number that an archive holds."""

LARGEST = 1_000_000
"""The largest population: a generation is in memory as a whole."""

BOUNDS = {
    "population": (1, LARGEST),
    "generations": (1, MOST),
    "seed": (0, MOST),
    "trials": (1, MOST),
    "share": (1, MOST),
}
"""The bounds of the settings that are whole numbers."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Raises EvolveError for values that cannot be.

    task, body, control, search: by name. population: individuals in a generation; generations: how many. seed: of all
    random numbers, from 0 to 2**63 - 1. seconds: of a rollout [s]; trials: of each individual, of which the worst
    counts. share: individuals in a chunk, which one worker is given at once; it is a setting so that the result does
    not depend on the number of workers. options: further settings of the task, the body, the control and the search,
    nested plain data.
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
        """Return these settings as a mapping of plain data, from which of_plain() makes them again."""
        return {"format": FORMAT, **{item.name: getattr(self, item.name) for item in fields(self)}}

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any], where: str = "settings") -> Self:
        """Return the settings of a mapping; missing fields have their defaults, or what they were in its format.

        plain: the mapping. where: its name in errors. Raises EvolveError for a newer format, unknown fields, and
        invalid values.
        """
        format = plain.get("format", FORMAT)
        if format not in (FORMAT, *OLDER):
            raise EvolveError(f"{where}: format {format}, and this gambol reads formats 1 to {FORMAT}; use a newer one")
        allowed = [item.name for item in fields(cls)]
        values = dict(OLDER.get(format, {})) | {name: value for name, value in plain.items() if name != "format"}
        for name in values:
            if name not in allowed:
                raise EvolveError(f'{where}: there is no setting "{name}"; {did_you_mean(name, allowed)}')
        try:
            return cls(**values)
        except EvolveError as error:
            raise EvolveError(f"{where}: {error}") from error


def differences(stored: Any, requested: Any, at: str = "") -> list[str]:
    """Return the differences of two nested mappings as lines such as "search: es stored, ga asked for"."""
    if isinstance(stored, Mapping) and isinstance(requested, Mapping):
        item, other = cast("Mapping[str, Any]", stored), cast("Mapping[str, Any]", requested)
        names = [*item, *(name for name in other if name not in item)]
        return [
            line for name in names for line in differences(item.get(name), other.get(name), f"{at}.{name}".lstrip("."))
        ]
    if _with_lists(stored) == _with_lists(requested):
        return []
    return [f"{at}: {_text(stored)} stored, {_text(requested)} asked for"]


def _with_lists(value: Any) -> Any:
    """Return tuples as the lists that they become when they are stored."""
    return list(map(_with_lists, cast("Any", value))) if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> str:
    return "nothing" if value is None else str(value)
