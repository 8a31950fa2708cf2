"""What a run is asked for, as plain data: all that its result follows from, but for the versions of what runs it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, cast

from gambol.errors import EvolveError, did_you_mean

FORMAT = 2
"""Version of settings as mappings. It goes up when an old mapping would come to mean something else."""

OLDER: Mapping[int, Mapping[str, Any]] = {1: {"trials": 1}}
"""What settings of older formats did not say, by format."""

MOST = 2**63 - 1
"""The largest whole number that an archive holds."""

LARGEST = 1_000_000
"""A population: that of a generation is in memory as a whole."""

BOUNDS = {
    "population": (1, LARGEST),
    "generations": (1, MOST),
    "seed": (0, MOST),
    "trials": (1, MOST),
    "share": (1, MOST),
}
"""The least and the most of every whole number among the settings."""


@dataclass(frozen=True)
class Settings:
    """A run's settings. Raises EvolveError for what cannot be.

    task, body, control, search: by name. population: individuals in a generation; generations: how many. seed: of all
    chance, from 0 to 2**63 - 1. seconds: of a life [s]; trials: of each life, of which the worst counts. share:
    individuals that one worker is given at once; it belongs to what the result follows from, so that the number of
    workers does not.
    options: whatever else the task, the body, the control and the search are told, nested plain data.
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
            raise EvolveError(f"seconds is {seconds!r}; give how long a life lasts, more than 0 s")
        if not isinstance(cast("object", self.options), Mapping):
            raise EvolveError(f"options is {self.options!r}; give a mapping of names to plain data")

    def plain(self) -> dict[str, Any]:
        """These settings as a mapping of plain data, from which of_plain() makes them again."""
        return {"format": FORMAT, **{one.name: getattr(self, one.name) for one in fields(self)}}

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any], where: str = "settings") -> Self:
        """The settings that a mapping tells; fields that it leaves out are as usual, or as they were in its format.

        where: told in errors. Raises EvolveError for a newer format, unknown fields, and what cannot be.
        """
        format = plain.get("format", FORMAT)
        if format not in (FORMAT, *OLDER):
            raise EvolveError(f"{where}: format {format}, and this gambol reads formats 1 to {FORMAT}; use a newer one")
        known = [one.name for one in fields(cls)]
        given = dict(OLDER.get(format, {})) | {name: value for name, value in plain.items() if name != "format"}
        for name in given:
            if name not in known:
                raise EvolveError(f'{where}: there is no setting "{name}"; {did_you_mean(name, known)}')
        try:
            return cls(**given)
        except EvolveError as error:
            raise EvolveError(f"{where}: {error}") from error


def differences(stored: Any, asked: Any, at: str = "") -> list[str]:
    """Where two nested mappings differ, as lines such as "search: es stored, ga asked for"."""
    if isinstance(stored, Mapping) and isinstance(asked, Mapping):
        one, other = cast("Mapping[str, Any]", stored), cast("Mapping[str, Any]", asked)
        names = [*one, *(name for name in other if name not in one)]
        return [
            line for name in names for line in differences(one.get(name), other.get(name), f"{at}.{name}".lstrip("."))
        ]
    if _listed(stored) == _listed(asked):
        return []
    return [f"{at}: {_said(stored)} stored, {_said(asked)} asked for"]


def _listed(value: Any) -> Any:
    """Tuples as the lists that they become when they are stored."""
    return list(map(_listed, cast("Any", value))) if isinstance(value, (list, tuple)) else value


def _said(value: Any) -> str:
    return "nothing" if value is None else str(value)
