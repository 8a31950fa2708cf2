"""A spring mesh: points with mass and their connections, checked before it is used."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Bends, Gas, Hinges, Springs, Twist, index_rows

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MIN_AREA_RATIO = 1e-12
"""Minimum area of a triangle divided by the square of its longest edge: rounding of coordinates is far below it."""


@dataclass(frozen=True, eq=False)
class SpringMesh:
    """A flexible body of points and springs.

    points: positions at rest (n, 3) [m]. masses: masses of the points (n,), above 0 [kg]. springs, hinges, bends:
    connections of the points. triangles: triangles of the surface, point indices (t, 3), anticlockwise seen from
    outside; wind and gas act on them. pins: indices of points that do not move. gas: gas inside a closed surface, or
    None. name: name of the mesh, for messages. enclosing: indices of the triangles that enclose the gas; None: all.
    twists: rods with a stiffness against twist.
    Raises WorldError for points that are not finite or that coincide, masses that are not above 0, indices out of
    range, triangles without area, springs from a point to itself, and gas in a surface with holes.
    """

    points: Array
    masses: Array
    springs: Springs = field(default_factory=Springs)
    hinges: Hinges = field(default_factory=Hinges)
    bends: Bends = field(default_factory=Bends)
    triangles: Indices = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    pins: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    gas: Gas | None = None
    name: str = "mesh"
    enclosing: Indices | None = None
    twists: tuple[Twist, ...] = ()

    def __post_init__(self) -> None:
        points = np.array(self.points, float)
        if points.ndim != 2 or points.shape[1:] != (3,) or not len(points):
            raise WorldError(f'"{self.name}": points have the shape (n, 3), not {points.shape}')
        masses = np.array(np.broadcast_to(np.array(self.masses, float), (len(points),)))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "masses", masses)
        object.__setattr__(self, "triangles", index_rows(self.triangles, 3, f'"{self.name}": triangles'))
        pins = np.unique(np.array(self.pins, np.int64)) if np.size(self.pins) else np.zeros(0, np.int64)
        object.__setattr__(self, "pins", pins)
        self._check_points()
        self._check_indices()
        self._check_triangles()

    def __repr__(self) -> str:
        parts = f"{len(self.points)} points, {len(self.springs)} springs, {len(self.triangles)} triangles"
        return f'<SpringMesh "{self.name}": {parts}, {self.masses.sum():.3g} kg>'

    def _check_points(self) -> None:
        bad = np.flatnonzero(~np.isfinite(self.points).all(axis=1))
        if len(bad):
            raise WorldError(f'"{self.name}": point {bad[0]} is at {self.points[bad[0]]}; all must be finite')
        light = np.flatnonzero(~((self.masses > 0.0) & np.isfinite(self.masses)))
        if len(light):
            k = int(light[0])
            raise WorldError(
                f'"{self.name}": point {k} has a mass of {self.masses[k]:g} kg; give more than 0, and pin points that '
                "must not move"
            )
        order = np.lexsort(self.points.T)
        same = np.flatnonzero((np.diff(self.points[order], axis=0) == 0.0).all(axis=1))
        if len(same):
            a, b = sorted(int(i) for i in order[same[0] : same[0] + 2])
            raise WorldError(
                f'"{self.name}": points {a} and {b} are both at {tuple(self.points[a].tolist())}; merge them, or move '
                "one"
            )

    def _check_indices(self) -> None:
        n = len(self.points)
        tables = {
            "springs": self.springs.ends,
            "hinges": self.hinges.corners,
            "bends": self.bends.corners,
            "triangles": self.triangles,
            "pins": self.pins[:, None],
            **{f"twists[{k}].points": twist.points[:, None] for k, twist in enumerate(self.twists)},
        }
        for name, table in tables.items():
            wrong = np.flatnonzero(((table < 0) | (table >= n)).any(axis=1))
            if len(wrong):
                k = int(wrong[0])
                raise WorldError(f'"{self.name}": {name}[{k}] is {table[k].tolist()}, but points are 0 to {n - 1}')
            ordered = np.sort(table, axis=1)
            twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
            if len(twice):
                k = int(twice[0])
                raise WorldError(f'"{self.name}": {name}[{k}] is {table[k].tolist()}; its points must be distinct')

        for twist in self.twists:
            held = twist.points[[0, 1, -2, -1]]
            if not np.isin(held, self.pins).all():
                raise WorldError(
                    f'"{self.name}": the ends of a rod with twist are held; pin the points {held.tolist()}, its first '
                    "two and last two"
                )

    def _check_triangles(self) -> None:
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        longest = np.max([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0, initial=0.0)
        flat = np.flatnonzero(areas <= MIN_AREA_RATIO * longest)
        if len(flat):
            k = int(flat[0])
            raise WorldError(f'"{self.name}": triangle {k} {self.triangles[k].tolist()} has no area; remove it')
        if self.gas is not None:
            self.check_closed()

    @property
    def shell(self) -> Indices:
        """The triangles that enclose the gas (s, 3): all, or some."""
        return self.triangles if self.enclosing is None else self.triangles[self.enclosing]

    def check_closed(self) -> None:
        """Raise WorldError if the shell has holes, or does not enclose a positive volume."""
        triangles = self.shell
        if not len(triangles):
            raise WorldError(f'"{self.name}": gas needs a closed surface, and there are no triangles')
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        n = len(self.points)
        forward, backward = edges @ [n, 1], edges @ [1, n]
        open_edges = edges[~np.isin(forward, backward)]
        if len(open_edges):
            a, b = open_edges[0]
            raise WorldError(
                f'"{self.name}": the surface has a hole: {len(open_edges)} edges belong to one triangle only, such as '
                f"the edge from point {a} to {b}; close it, or leave out gas and core"
            )
        if self.volume(self.points) <= 0.0:
            raise WorldError(f'"{self.name}": its triangles face inwards; reverse the order of their corners')

    def volume(self, points: Array) -> float:
        """Return the volume that the shell encloses at some points (n, 3) [m3], by signed tetrahedra."""
        shell = self.shell
        if not len(shell):
            return 0.0
        a, b, c = ((points - points[shell[0, 0]])[shell[:, k]] for k in range(3))
        return float((a * np.cross(b, c)).sum() / 6.0)
