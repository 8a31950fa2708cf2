"""Muscles of a film: lines of points that move, with an activation by which they are coloured."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError


@dataclass(frozen=True)
class FilmMuscle:
    """A muscle, tendon or cord of a film: one line of points, drawn as a tube.

    name: name of the actuator. points (F, P, 3) [m]: points of the line in each frame, P at least 2. activation (F,):
    activation from 0 (dark) to 1 (bright). force (F,): tension divided by the largest tension, from 0 to 1; a larger
    tension makes the tube thicker. width: diameter of the belly [m]. world: index of its world in the film. Raises
    GambolError for arrays that do not fit together.
    """

    name: str
    points: NDArray[np.float32]
    activation: NDArray[np.float32]
    force: NDArray[np.float32]
    width: float
    world: int = 0

    def __post_init__(self) -> None:
        F, P = self.points.shape[:2] if np.ndim(self.points) == 3 else (0, 0)
        if self.points.shape != (F, P, 3) or P < 2 or not np.isfinite(self.points).all():
            raise GambolError(f'muscle "{self.name}": its points must be finite numbers (frames, 2 or more, 3)')
        for array_name, array in (("activation", self.activation), ("force", self.force)):
            if array.shape != (F,) or not (array.size == 0 or (array.min() >= 0.0 and array.max() <= 1.0)):
                raise GambolError(
                    f'muscle "{self.name}": its {array_name} must be {F} numbers from 0 to 1, one a frame'
                )
        if not 0.0 < self.width < np.inf:
            raise GambolError(f'muscle "{self.name}" has a width of {self.width} m; give more than 0')

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.points)

    def at(self, before: NDArray[np.intp], after: NDArray[np.intp], s: NDArray[np.float64], _: Any) -> "FilmMuscle":
        """Return the muscle between frames: at the fraction s of the time from frames `before` to frames `after`."""

        def between(values: NDArray[np.float32]) -> NDArray[np.float32]:
            weight = s.astype(np.float32).reshape(-1, *(1,) * (values.ndim - 1))
            return ((1.0 - weight) * values[before] + weight * values[after]).astype(np.float32)

        limited = (np.clip(between(values), 0.0, 1.0) for values in (self.activation, self.force))
        return replace(self, points=between(self.points), **dict(zip(("activation", "force"), limited, strict=True)))

    def of_frames(self, frames: NDArray[np.intp]) -> "FilmMuscle":
        """Return the muscle in some frames."""
        return replace(self, points=self.points[frames], activation=self.activation[frames], force=self.force[frames])
