"""Random solids for tests of collisions, many at once; with support extents and containment in NumPy alone."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation as Turn

from gambol.collide.convex import SIZES, Geom, geom_of
from gambol.collide.gap import Gap
from gambol.collide.pairs import gaps
from gambol.figure import Hull
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

Array = np.ndarray
HULL = Hull(
    ((-0.3, -0.4, -0.2), (0.5, -0.3, -0.2), (0.1, 0.6, -0.3), (0.0, 0.0, 0.5), (0.4, 0.3, 0.2), (-0.4, 0.2, 0.1))
)
SOLIDS = ("sphere", "capsule", "box", "cylinder", "frustum", "ellipsoid", "hull")


@dataclass(frozen=True)
class Bodies:
    """Many bodies of one kind: sizes (k, n), rotations (n, 3, 3) and positions (n, 3)."""

    kind: str
    sizes: Array
    R: Array
    p: Array

    @property
    def geom(self) -> Geom:
        """Return their geoms, with an array for each size."""
        return geom(self.kind, self.sizes)

    @property
    def pose(self) -> Transform:
        """Return their poses, with an array for each entry."""
        rows = tuple(tuple(self.R[:, i, j] for j in range(3)) for i in range(3))
        return Transform(Rotation(rows), Vector(*self.p.T))

    @property
    def rows(self) -> Array:
        """Return their poses, as rows of a program's input."""
        return np.concatenate([self.R.reshape(-1, 9).T, self.p.T])

    def one(self, k: int) -> "Bodies":
        """Return the k-th of them, as bodies of count one."""
        return Bodies(self.kind, self.sizes[:, k : k + 1], self.R[k : k + 1], self.p[k : k + 1])

    def moved(self, shift: Array) -> "Bodies":
        """Return them, shifted (n, 3)."""
        return Bodies(self.kind, self.sizes, self.R, self.p + shift)

    def highest(self, direction: Array) -> Array:
        """Return the support extent of each along a world direction (n, 3), by formulas independent of gambol's."""
        d = np.einsum("nij,ni->nj", self.R, direction)
        return np.einsum("ni,ni->n", self.p, direction) + local_extent(self.kind, self.sizes, d)


def local_extent(kind: str, s: Array, d: Array) -> Array:
    """The support function of a solid in its own frame, along directions (n, 3)."""
    across, along, length = np.hypot(d[:, 0], d[:, 1]), np.abs(d[:, 2]), np.linalg.norm(d, axis=1)
    match kind:
        case "plane":
            return np.where(across < 1e-7, 0.0, np.inf)
        case "sphere":
            return s[0] * length
        case "capsule":
            return s[0] * length + s[1] / 2 * along
        case "box":
            return (np.abs(d) * s.T / 2).sum(axis=1)
        case "cylinder":
            return s[0] * across + s[1] / 2 * along
        case "frustum":
            return np.maximum(s[0] * across - s[2] / 2 * d[:, 2], s[1] * across + s[2] / 2 * d[:, 2])
        case "ellipsoid":
            return np.linalg.norm(d * s.T, axis=1)
    return (d @ np.array(HULL.vertices).T).max(axis=1)


def bodies(kind: str, count: int, rng: np.random.Generator, spread: float = 0.8) -> Bodies:
    """Bodies of sizes about 0.4 m, turned any way, about the origin."""
    sizes = 0.4 * np.exp(0.4 * rng.normal(size=(SIZES[kind], count)))
    turns = Turn.random(count, random_state=rng).as_matrix()
    return Bodies(kind, sizes, turns, spread * rng.normal(size=(count, 3)))


@cache
def program(a: str, b: str, precision: str = "float64", **how: Any) -> Program:
    """The compiled gaps of a pair of kinds, of sizes and poses of both."""

    def all_gaps(sizes: Any, pose: Transform, other_sizes: Any, other_pose: Transform) -> tuple[Any]:
        return (gaps(geom(a, sizes), pose, geom(b, other_sizes), other_pose),)

    zero_sizes = [(0.0,) * SIZES[kind] for kind in (a, b)]
    return Program(
        ProgramSpec(f"{a} and {b}", all_gaps, (zero_sizes[0], IDENTITY_TRANSFORM, zero_sizes[1], IDENTITY_TRANSFORM)),
        precision,
        **how,
    )


def geom(kind: str, sizes: Any) -> Geom:
    """Return the geom of a kind with these sizes; every hull is the same one."""
    return geom_of(HULL) if kind == "hull" else Geom(kind, tuple(sizes))


@dataclass(frozen=True)
class GapArrays:
    """Gaps as arrays: points and normals (slots, n, 3), sizes and residuals (slots, n)."""

    point_a: Array
    point_b: Array
    normal: Array
    size: Array
    residual: Array

    @staticmethod
    def of(gaps: list[Gap], count: int) -> "GapArrays":
        """Return the gaps between many bodies as arrays."""

        def stacked(values: list[Any]) -> Array:
            return np.array([np.broadcast_to(np.asarray(v, float), (count,)) for v in values])

        def points(vectors: list[Vector]) -> Array:
            return np.array([stacked(list(v)).T for v in vectors])

        return GapArrays(
            points([g.point_a for g in gaps]),
            points([g.point_b for g in gaps]),
            points([g.normal for g in gaps]),
            stacked([g.size for g in gaps]),
            stacked([g.residual for g in gaps]),
        )

    @staticmethod
    def between(first: "Bodies", second: "Bodies", precision: str = "float64", **how: Any) -> "GapArrays":
        """The gaps between many bodies, by a compiled program."""
        worlds = [x for body in (first, second) for x in (body.sizes, body.rows)]
        out = program(first.kind, second.kind, precision, **how)(*worlds)[0]
        parts = out.reshape(-1, 11, out.shape[1])
        point_a, point_b, normal = (parts[:, k : k + 3].transpose(0, 2, 1) for k in (0, 3, 6))
        return GapArrays(point_a, point_b, normal, parts[:, 9], parts[:, 10])

    @property
    def least(self) -> Array:
        """The size of the smallest gap of each pair."""
        return self.size.min(axis=0)

    def deepest(self, values: Array) -> Array:
        """Return, of points, normals or residuals (slots, n, ...), those of the smallest gaps."""
        return values[self.size.argmin(axis=0), np.arange(values.shape[1])]
