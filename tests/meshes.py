"""Small spring meshes with known answers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.matter.forces import Surroundings
from gambol.matter.mesh import ClothMaterial, SpringMesh, Springs, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule

Array = NDArray[Any]

WEIGHTLESS = Surroundings(gravity=(0.0, 0.0, 0.0))


def stepper(mesh: SpringMesh, method: str, h: float, options: Any = None, **more: Any) -> MeshStepper:
    """The stepping of a mesh by a method in steps of h; more: surroundings, stretch, lanes, threads."""
    surroundings, stretch = more.pop("surroundings", None), more.pop("stretch", None)
    return MeshStepper(mesh, surroundings, StepRule(method, h, options, stretch), **more)


def flag(rows: int = 9, columns: int = 9, **material: float) -> SpringMesh:
    """A square metre of cloth, level, pinned at two corners."""
    spacing = 1.0 / (columns - 1)
    return cloth(rows, columns, spacing, ClothMaterial(**material), pins=[(0, 0), (0, -1)])


def pair(rest: float = 1.0, stiffness: float = 100.0, damping: float = 0.0, masses: Any = (1.0, 1.0)) -> SpringMesh:
    """Two points on the x axis, joined by a spring."""
    springs = Springs(np.array([[0, 1]]), np.array(rest), np.array(stiffness), np.array(damping))
    return SpringMesh(np.array([[0.0, 0.0, 0.0], [rest, 0.0, 0.0]]), np.array(masses), springs)


def level_rope(points: int, length: float, *, stretch: float, **more: Any) -> SpringMesh:
    """A rope along x, pinned at both ends unless pins are given."""
    x = np.linspace(0.0, length, points)
    line = np.stack([x, np.zeros_like(x), np.zeros_like(x)], axis=1)
    return rope(line, density=more.pop("density", 0.1), stretch=stretch, pins=more.pop("pins", [0, -1]), **more)


def octahedron(radius: float = 1.0, divisions: int = 2) -> tuple[Array, Array]:
    """Points and triangles of a sphere: an octahedron whose faces are divided into four, this many times."""
    p = [np.array(v, float) for v in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(divisions):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, middles: dict[tuple[int, int], int] = middles) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(p)
                p.append((p[a] + p[b]) / np.linalg.norm(p[a] + p[b]))
            return middles[key]

        new = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            new += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = new
    return radius * np.array(p), np.array(faces)
