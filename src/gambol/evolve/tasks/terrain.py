"""The uneven ground of a task, as plain data that a run stores: a slope, random hills, or heights.

{"slope": 0.2}                                        rises along x, by an angle [rad]
{"hills": 0.1, "wavelength": 0.8, "seed": 3}          up to a height [m], level around the origin
{"heights": [[0.0, 0.1], [0.2, 0.1]], "spacing": 0.5} heights [m] of a grid around the origin, rows along x
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.collide.height_grid import inclined_plane
from gambol.collide.hills import random_hills
from gambol.errors import EvolveError, GambolError

MAX_SLOPE = math.radians(45.0)
"""The steepest slope [rad]: on a steeper slope creatures slide down at the friction of a task."""

SLOPE_HALF_LENGTH = 100.0
"""Half the length of a slope [m]. On longer slopes, heights in float32 would be rounded to more than 0.01 mm."""

HILLS_EXTENT = 20.0
"""Distance from the origin to the rim of hills [wavelengths]."""

HILLS_DIGITS = 5
"""Decimal places of the heights of hills [m]: hills are the same on machines that differ in the last bits of sines."""

MAX_HEIGHTS = 300_000
"""The largest number of heights: every worker reads all of them with each chunk of creatures."""


class Terrain(Protocol):
    """The uneven ground of a task."""

    def grid(self) -> HeightGrid:
        """Return the terrain as a ground. Raises WorldError for impossible numbers."""
        ...

    def as_data(self) -> dict[str, Any]:
        """Return the terrain as plain data."""
        ...

    @property
    def description(self) -> str:
        """The ground in words, such as "up a slope of 10 degrees"."""
        ...


@dataclass(frozen=True)
class Slope:
    """A slope that rises along x. slope [rad]; negative downhill. Raises EvolveError for more than 45 degrees."""

    slope: float

    def __post_init__(self) -> None:
        if not abs(self.slope) <= MAX_SLOPE:
            raise EvolveError(f"a slope of {math.degrees(self.slope):g} degrees is too steep; give -45 to 45")

    def grid(self) -> HeightGrid:
        """Return the slope as a ground."""
        return inclined_plane(self.slope, SLOPE_HALF_LENGTH)

    def as_data(self) -> dict[str, Any]:
        """Return the slope as plain data."""
        return asdict(self)

    @property
    def description(self) -> str:
        """The ground in words."""
        return f"{'up' if self.slope >= 0.0 else 'down'} a slope of {abs(math.degrees(self.slope)):.3g} degrees"


@dataclass(frozen=True)
class Hills:
    """Random hills, level around the origin.

    hills: height of the highest hill [m]; wavelength: shortest wavelength [m].
    """

    hills: float
    wavelength: float
    seed: int = 0

    def grid(self) -> HeightGrid:
        """Return the hills as a ground. Raises WorldError for a height or a wavelength that is not positive."""
        half_width = HILLS_EXTENT * self.wavelength
        exact = random_hills(
            self.hills, wavelength=self.wavelength, half_width=half_width, level=self.wavelength, seed=self.seed
        )
        return HeightGrid(exact.heights.round(HILLS_DIGITS), exact.spacing, exact.x0, exact.y0)

    def as_data(self) -> dict[str, Any]:
        """Return the hills as plain data."""
        return asdict(self)

    @property
    def description(self) -> str:
        """The ground in words."""
        return f"over hills up to {self.hills:.3g} m"


@dataclass(frozen=True, eq=False)
class Heights:
    """Heights [m] of a grid around the origin, rows along x, and their spacing [m]. name: name of their file.

    Raises EvolveError for more than MAX_HEIGHTS.
    """

    heights: NDArray[np.float64]
    spacing: float
    name: str = "heights"

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights", np.array(self.heights, np.float64))
        if self.heights.size > MAX_HEIGHTS:
            raise EvolveError(
                f"a ground of {self.heights.size:,} heights is too large for a run; give at most {MAX_HEIGHTS:,}, "
                "farther apart"
            )

    def grid(self) -> HeightGrid:
        """Return the heights as a ground. Raises WorldError for an impossible grid."""
        rows, columns = self.heights.shape
        return HeightGrid(self.heights, self.spacing, -self.spacing * (rows - 1) / 2, -self.spacing * (columns - 1) / 2)

    def as_data(self) -> dict[str, Any]:
        """Return the heights as plain data."""
        return {"heights": self.heights.tolist(), "spacing": self.spacing, "name": self.name}

    @property
    def description(self) -> str:
        """The ground in words."""
        return f"over {self.name}"

    @cached_property
    def _digest(self) -> str:
        shape = repr((self.heights.shape, self.spacing, self.name)).encode()
        return sha256(shape + self.heights.tobytes()).hexdigest()

    def __repr__(self) -> str:
        """Return a short text that identifies the heights: rollouts are cached by it."""
        return f"Heights({self.name!r}, {self._digest})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heights) and other._digest == self._digest

    def __hash__(self) -> int:
        return hash(self._digest)


TERRAINS: dict[str, type[Slope] | type[Hills] | type[Heights]] = {"slope": Slope, "hills": Hills, "heights": Heights}
"""The kinds of uneven ground, by the name in which their data differ."""


def terrain_of(value: Any, task: str) -> Terrain | None:
    """Return the ground of a value, which may be plain data; None for level ground.

    Raises EvolveError, with the name of the task, for values that do not describe a ground.
    """
    if value is None or isinstance(value, (Slope, Hills, Heights)):
        return value
    hint = 'give {"slope": 0.2}, {"hills": 0.1, "wavelength": 0.8} or {"heights": [[...], ...], "spacing": 0.05}'
    if not isinstance(value, Mapping):
        raise EvolveError(f'task "{task}" has the ground {value!r}; {hint}')
    data = dict(cast("Mapping[str, Any]", value))
    kind = next((name for name in TERRAINS if name in data), None)
    if kind is None:
        raise EvolveError(f'task "{task}" has a ground of {", ".join(map(str, data)) or "nothing"}; {hint}')
    try:
        terrain = TERRAINS[kind](**data)
        grid_of(terrain)
    except (TypeError, ValueError, GambolError) as error:
        raise EvolveError(f'the ground of task "{task}": {error}; {hint}') from error
    return terrain


def start_of(value: Any, task: str) -> tuple[float, float, float]:
    """Return the start of a value: x, y [m] and heading [rad]. Raises EvolveError, with the name of the task."""
    numbers = list(cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else []
    if len(numbers) != 3 or not all(type(x) in (int, float) and math.isfinite(x) for x in numbers):
        raise EvolveError(f'task "{task}" starts at {value!r}; give x and y in metres and a heading in radians')
    x, y, heading = map(float, numbers)
    return x, y, heading


@lru_cache(maxsize=8)
def grid_of(terrain: Terrain) -> HeightGrid:
    """Return the ground of a terrain, from a cache of this process."""
    return terrain.grid()
