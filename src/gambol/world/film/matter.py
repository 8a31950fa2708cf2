"""Content of a film besides figures: meshes with moving points, particles, and muscles."""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world.film.muscle import FilmMuscle

COLOR = re.compile("#[0-9a-f]{6}")


@dataclass(frozen=True)
class FilmMesh:
    """A mesh of points that move, such as a cloth or a rope.

    name: for messages. points (F, n, 3) [m]: positions in each frame. triangles (T, 3), lines (E, 2): indices of
    points. color: "#rrggbb". visible (F, T): False for triangles that are torn; (F, E) for lines in a mesh without
    triangles; None: all are visible. thickness: thickness of lines [m]. world: index of the mesh's world in the film.
    Raises GambolError for arrays that do not fit together.
    """

    name: str
    points: NDArray[np.float32]
    triangles: NDArray[np.int32]
    lines: NDArray[np.int32]
    color: str = "#b23a48"
    visible: NDArray[np.bool_] | None = None
    thickness: float = 0.002
    world: int = 0

    def __post_init__(self) -> None:
        F, n = self.points.shape[:2] if np.ndim(self.points) == 3 else (0, 0)
        if self.points.shape != (F, n, 3) or not np.isfinite(self.points).all():
            raise GambolError(f'mesh "{self.name}": its points must be finite numbers (frames, points, 3)')
        for array_name, array, width in (("triangles", self.triangles, 3), ("lines", self.lines, 2)):
            if np.ndim(array) != 2 or array.shape[1] != width or (array.size and not _in_range(array, n)):
                raise GambolError(
                    f'mesh "{self.name}": its {array_name} must be indices from 0 to {n - 1}, {width} in each row'
                )
        if self.visible is not None and self.visible.shape != (F, len(self.triangles) or len(self.lines)):
            raise GambolError(
                f'mesh "{self.name}": visible has shape {self.visible.shape}; give (frames, triangles), or (frames, '
                "lines) without triangles"
            )
        if not COLOR.fullmatch(self.color):
            raise GambolError(f'mesh "{self.name}" has the colour "{self.color}"; write it as "#b23a48"')

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.points)

    @property
    def lines_tear(self) -> bool:
        """True if lines are torn in some frames."""
        return self.visible is not None and not len(self.triangles)

    def at(self, before: NDArray[np.intp], after: NDArray[np.intp], s: NDArray[np.float64], _: Any) -> "FilmMesh":
        """Return the mesh between frames: at the fraction s of the time from frames `before` to frames `after`."""
        weight = s.astype(np.float32)[:, None, None]
        points = (1.0 - weight) * self.points[before] + weight * self.points[after]
        visible = None if self.visible is None else self.visible[np.where(s >= 1.0, after, before)]
        return replace(self, points=points.astype(np.float32), visible=visible)

    def of_frames(self, frames: NDArray[np.intp]) -> "FilmMesh":
        """Return the mesh in some frames."""
        return replace(self, points=self.points[frames], visible=None if self.visible is None else self.visible[frames])


@dataclass(frozen=True)
class FilmParticles:
    """The particles of a film. Frame f has the rows starts[f] to starts[f + 1] of the arrays.

    name: for messages. starts (F + 1,). points, velocities (N, 3) [m, m/s]; colors (N, 4): red, green, blue, opacity, 0
    to 255; radii (N,) [m]; numbers (N,): a number that identifies a particle in all frames. streak: duration of the
    motion that is drawn as a line along the velocity of each particle [s]; 0: particles are drawn as balls. glow: True
    if particles shine. world: index of their world in the film. Raises GambolError for arrays that do not fit together.
    """

    name: str
    starts: NDArray[np.int64]
    points: NDArray[np.float32]
    velocities: NDArray[np.float32]
    colors: NDArray[np.uint8]
    radii: NDArray[np.float32]
    numbers: NDArray[np.int64]
    streak: float = 0.0
    glow: bool = False
    world: int = 0

    def __post_init__(self) -> None:
        N = len(self.points)
        shapes = {"points": (N, 3), "velocities": (N, 3), "colors": (N, 4), "radii": (N,), "numbers": (N,)}
        for name, shape in shapes.items():
            array = getattr(self, name)
            if array.shape != shape or not np.isfinite(array).all():
                raise GambolError(f'particles "{self.name}": {name} must be finite, of shape {shape}')
        starts = np.asarray(self.starts)
        if not len(starts) or starts[0] != 0 or starts[-1] != N or np.any(np.diff(starts) < 0):
            raise GambolError(f'particles "{self.name}": starts must rise from 0 to {N}')

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.starts) - 1

    def frame(self, f: int) -> slice:
        """Return the rows of a frame."""
        return slice(int(self.starts[f]), int(self.starts[f + 1]))

    def at(
        self, before: NDArray[np.intp], after: NDArray[np.intp], s: NDArray[np.float64], gap: Any
    ) -> "FilmParticles":
        """Return the particles between frames: particles of the earlier frame, moved at their velocities.

        s: fraction of the way to the next frame. gap: time between the frames [s].
        """
        particles = self.of_frames(np.where(s >= 1.0, after, before))
        elapsed = np.repeat(np.where(s >= 1.0, 0.0, s * gap), np.diff(particles.starts)).astype(np.float32)
        return replace(particles, points=particles.points + particles.velocities * elapsed[:, None])

    def of_frames(self, frames: NDArray[np.intp]) -> "FilmParticles":
        """Return the particles in some frames."""
        counts: NDArray[np.int64] = np.diff(self.starts)[frames]
        starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        shifts: NDArray[np.int64] = self.starts[:-1][frames] - starts[:-1]
        rows = np.repeat(shifts, counts) + np.arange(int(starts[-1]), dtype=np.int64)
        arrays = {name: getattr(self, name)[rows] for name in ("points", "velocities", "colors", "radii", "numbers")}
        return replace(self, starts=starts, **arrays)


FilmMatter = FilmMesh | FilmParticles | FilmMuscle
"""Content of a film besides figures."""


def _in_range(indices: NDArray[np.int32], n: int) -> bool:
    return bool(indices.min() >= 0 and indices.max() < n)
