"""Spring meshes from triangle meshes: springs along edges, hinges, virtual springs, and gas inside."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.formats.triangles import read_triangles
from gambol.matter.mesh.parts import Gas, Hinges, Springs, index_rows
from gambol.matter.mesh.spring_mesh import SpringMesh
from gambol.matter.mesh.topology import dihedral_angles, edges_of, hinge_corners, lengths_of, masses_by_area

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SurfaceMaterial:
    """The material of a surface of triangles.

    density: mass per area [kg/m2]. stretch: stiffness of springs along edges [N/m]. hinge: stiffness of angular springs
    at edges [N m/rad]. virtual: stiffness of springs between the far corners of neighbouring triangles, which keep the
    shape [N/m]; they are not edges of the surface. damping: damping of springs and hinges, as a time: the coefficient
    of a damper is the stiffness times this time [s]. tears_at: ratio of length and rest length at which edges break.
    Raises WorldError for negative numbers and a density of 0.
    """

    density: float = 0.2
    stretch: float = 300.0
    hinge: float = 0.0
    virtual: float = 0.0
    damping: float = 0.003
    tears_at: float = math.inf

    def __post_init__(self) -> None:
        numbers = (self.density, self.stretch, self.hinge, self.virtual, self.damping)
        if not all(0.0 <= x < math.inf for x in numbers) or not self.density > 0.0:
            raise WorldError(f"{self} is impossible; numbers must be finite, and 0 or more, and the density above 0")


def surface_mesh(
    points: ArrayLike,
    triangles: ArrayLike,
    material: SurfaceMaterial | None = None,
    *,
    gas: Gas | None = None,
    pins: Sequence[int] = (),
    name: str = "surface",
) -> SpringMesh:
    """Return the spring mesh of a triangle mesh, at rest in its shape.

    points: (n, 3) [m]; triangles: point indices (t, 3), anticlockwise seen from outside. material: its material. gas:
    gas inside a closed surface. pins: indices of pinned points. name: name of the mesh, for messages. Raises WorldError
    for a point without a triangle, and like SpringMesh.
    """
    x, corners = np.array(points, float), index_rows(triangles, 3, "triangles")
    fabric = material or SurfaceMaterial()
    unused = np.setdiff1d(np.arange(len(x)), corners)
    if len(unused):
        raise WorldError(f'"{name}": point {unused[0]} belongs to no triangle; remove it')
    SpringMesh(x, np.ones(len(x)), triangles=corners, name=name)  # checks them before edges and masses are computed
    hinged = hinge_corners(corners)
    groups = [_springs(x, edges_of(corners), fabric, "edge")] if fabric.stretch > 0.0 else []
    if fabric.virtual > 0.0:
        groups.append(_springs(x, hinged[:, 2:], fabric, "virtual"))
    hinges = Hinges()
    if fabric.hinge > 0.0:
        stiffness, damping = np.array(fabric.hinge), np.array(fabric.hinge * fabric.damping)
        hinges = Hinges(hinged, dihedral_angles(x, hinged), stiffness, damping)
    return SpringMesh(
        x,
        masses_by_area(x, corners, fabric.density),
        Springs.joined(*groups) if groups else Springs(),
        hinges,
        triangles=corners,
        pins=np.array(pins, np.int64),
        gas=gas,
        name=name,
    )


def _springs(x: Array, ends: NDArray[np.int64], fabric: SurfaceMaterial, kind: str) -> Springs:
    stiffness = fabric.stretch if kind == "edge" else fabric.virtual
    tears_at = np.array(fabric.tears_at if kind == "edge" else math.inf)
    return Springs(
        ends, lengths_of(x, ends), np.array(stiffness), np.array(stiffness * fabric.damping), tears_at, np.array(kind)
    )


def read_surface_mesh(
    path: str | Path,
    material: SurfaceMaterial | None = None,
    *,
    scale: float = 1.0,
    gas: Gas | None = None,
    pins: Sequence[int] = (),
) -> SpringMesh:
    """Return the spring mesh of a file of triangles (.obj, .ply, .stl).

    path: path of the file. scale: converts its coordinates to metres. material, gas, pins: as for surface_mesh().
    Raises GambolError, with the name of the file, if it cannot be read, and like surface_mesh().
    """
    points, triangles = read_triangles(Path(path))
    return surface_mesh(points * scale, triangles, material, gas=gas, pins=pins, name=Path(path).name)
