"""The parts of a spring mesh as arrays: springs, hinges, bends, and the gas that a closed surface contains."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def per_element(values: ArrayLike, count: int, name: str, *, least: float = 0.0, optional: bool = False) -> Array:
    """Return one finite number for each element as an array (count,), from one number or an array.

    name: name of the number, for the message. least: lower bound. optional: True if an empty array means 0. Raises
    WorldError for another shape, and for a number that is below the bound or not a number.
    """
    array = np.array(values, float)
    array = np.zeros(()) if optional and array.size == 0 else array
    if array.shape not in ((), (count,)):
        raise WorldError(f"{name}: give one number, or {count} numbers, not an array of shape {array.shape}")
    array = np.broadcast_to(array, (count,)).copy()
    bad = np.flatnonzero(~(array >= least))
    if len(bad):
        raise WorldError(f"{name} of element {bad[0]} is {array[bad[0]]:g}; it must be {least:g} or more")
    return array


MAX_POINTS = 10_000_000
"""Maximum number of points of a mesh: some 10 GB of memory with its springs."""


def check_count(subject: str, points: int) -> None:
    """Raise WorldError for more points than MAX_POINTS. subject: the mesh, for the message, such as "a cloth"."""
    if points > MAX_POINTS:
        raise WorldError(f"{subject} of {points:,} points is too large; at most {MAX_POINTS:,} are possible")


def index_rows(rows: ArrayLike, width: int, name: str) -> Indices:
    """Return rows of point indices (m, width) as integers. Raises WorldError for another shape or type."""
    array = np.array(rows)
    if array.size == 0:
        return np.zeros((0, width), np.int64)
    if array.ndim != 2 or array.shape[1] != width or array.dtype.kind not in "iu":
        raise WorldError(f"{name} are rows of {width} point indices, not {array.dtype} of shape {array.shape}")
    return array.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Springs:
    """Edge springs with dampers between two points; cloth threads, virtual and internal springs are such springs.

    ends: point indices (m, 2). rest: lengths at rest [m]. stiffness [N/m]. damping [N s/m], 0 by default. tears_at:
    ratio of length and rest length at which the spring breaks; infinite: never. kind: a name for each spring (m,), such
    as "warp". Each is one number or (m,). Raises WorldError for wrong shapes, rest lengths that are not above 0, and a
    negative stiffness or damping.
    """

    ends: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    rest: Array = field(default_factory=lambda: np.zeros(0))
    stiffness: Array = field(default_factory=lambda: np.zeros(0))
    damping: Array = field(default_factory=lambda: np.zeros(0))
    tears_at: Array = field(default_factory=lambda: np.full(1, np.inf)[:0])
    kind: NDArray[np.str_] = field(default_factory=lambda: np.zeros(0, "<U16"))

    def __post_init__(self) -> None:
        ends = index_rows(self.ends, 2, "springs")
        count = len(ends)
        rest = per_element(self.rest, count, "the rest length of springs")
        if count and rest.min() <= 0.0:
            k = int(rest.argmin())
            raise WorldError(
                f"spring {k} between points {ends[k, 0]} and {ends[k, 1]} has no length; springs need distinct points"
            )
        tears = np.full(count, np.inf) if np.size(self.tears_at) == 0 else self.tears_at
        kind = np.array(self.kind, "<U16")
        object.__setattr__(self, "ends", ends)
        object.__setattr__(self, "rest", rest)
        object.__setattr__(self, "stiffness", per_element(self.stiffness, count, "the stiffness of springs"))
        object.__setattr__(self, "damping", per_element(self.damping, count, "the damping of springs", optional=True))
        object.__setattr__(self, "tears_at", per_element(tears, count, "tears_at of springs", least=1.0))
        object.__setattr__(self, "kind", np.broadcast_to(kind if kind.size else np.array("edge"), (count,)).copy())

    def __len__(self) -> int:
        return len(self.ends)

    @staticmethod
    def joined(*groups: "Springs") -> "Springs":
        """Return all springs of several groups, in order."""
        return Springs(*(np.concatenate([getattr(g, f.name) for g in groups]) for f in fields(Springs)))


@dataclass(frozen=True, eq=False)
class Hinges:
    """Angular springs with dampers between two triangles that share an edge. [Parent, spring meshes]

    corners: point indices (m, 4): the two ends of the edge, then the far corner of the triangle on its left and on its
    right. rest: dihedral angle at rest, 0 where flat [rad]. stiffness [N m/rad]. damping [N m s/rad]. Each is one
    number or (m,). Raises WorldError for wrong shapes and negative numbers.
    """

    corners: Indices = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    rest: Array = field(default_factory=lambda: np.zeros(0))
    stiffness: Array = field(default_factory=lambda: np.zeros(0))
    damping: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        corners = index_rows(self.corners, 4, "hinges")
        count = len(corners)
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "rest", per_element(self.rest, count, "the rest angle of hinges", least=-np.pi))
        object.__setattr__(self, "stiffness", per_element(self.stiffness, count, "the stiffness of hinges"))
        object.__setattr__(self, "damping", per_element(self.damping, count, "the damping of hinges", optional=True))

    def __len__(self) -> int:
        return len(self.corners)

    @staticmethod
    def joined(*groups: "Hinges") -> "Hinges":
        """Return all hinges of several groups, in order."""
        return Hinges(*(np.concatenate([getattr(g, f.name) for g in groups]) for f in fields(Hinges)))


@dataclass(frozen=True, eq=False)
class Bends:
    """Bending stiffness of a rope at its inner points; a rope at rest is straight. [Bergou et al. 2008]

    corners: point indices (m, 3): previous, middle and next point. rest: lengths of the two segments at rest (m, 2)
    [m]. stiffness: E I [N m2], one number or (m,). Raises WorldError for wrong shapes and numbers.
    """

    corners: Indices = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    rest: Array = field(default_factory=lambda: np.zeros((0, 2)))
    stiffness: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        corners = index_rows(self.corners, 3, "bends")
        rest = np.array(self.rest, float)
        if rest.shape != (len(corners), 2) or (rest.size and not rest.min() > 0.0):
            raise WorldError(f"bends need two rest lengths above 0 for each of {len(corners)} middle points")
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "rest", rest)
        object.__setattr__(self, "stiffness", per_element(self.stiffness, len(corners), "the stiffness of bends"))

    def __len__(self) -> int:
        return len(self.corners)

    @staticmethod
    def joined(*groups: "Bends") -> "Bends":
        """Return all bends of several groups, in order."""
        return Bends(*(np.concatenate([getattr(g, f.name) for g in groups]) for f in fields(Bends)))


@dataclass(frozen=True, eq=False)
class Twist:
    """The twist of a straight round rod, whose first two and last two points are pinned. [Bergou et al. 2008]

    points: indices of its points in order (n,), four or more. stiffness: G J [N m2]. turn: angle by which its last end
    is turned about the rod against its first end, anticlockwise seen from the last end [rad]. Raises WorldError for
    wrong shapes and numbers.
    """

    points: Indices
    stiffness: float
    turn: float = 0.0

    def __post_init__(self) -> None:
        points = np.array(self.points, np.int64)
        if points.ndim != 1 or len(points) < MIN_TWIST_POINTS:
            raise WorldError(f"twist needs {MIN_TWIST_POINTS} points or more, not an array of shape {points.shape}")
        if not (0.0 < self.stiffness < np.inf and np.isfinite(self.turn)):
            raise WorldError(f"a twist of {self.stiffness} N m2 and a turn of {self.turn} rad is impossible")
        object.__setattr__(self, "points", points)


MIN_TWIST_POINTS = 4
"""Points of the two ends of a rod, whose directions hold the material."""


@dataclass(frozen=True, slots=True)
class Gas:
    """The gas in a closed surface: p = pressure - bulk (V / V0 - 1), above the pressure outside.

    pressure: pressure at the volume at rest [Pa]. bulk: bulk modulus, which resists changes of the volume [Pa].
    rest_volume: V0 [m3]; None: the volume of the mesh. Raises WorldError for a bulk modulus below 0 and numbers that
    are not finite.
    """

    pressure: float = 0.0
    bulk: float = 0.0
    rest_volume: float | None = None

    def __post_init__(self) -> None:
        if not (np.isfinite(self.pressure) and 0.0 <= self.bulk < np.inf):
            raise WorldError(f"a pressure of {self.pressure} Pa with a bulk modulus of {self.bulk} Pa is impossible")
        if self.rest_volume is not None and not 0.0 < self.rest_volume < np.inf:
            raise WorldError(f"a volume at rest of {self.rest_volume} m3 is impossible; it must be above 0")
