"""The programs of a mesh: one for each formula; each lane computes a spring, a hinge, a bend, a triangle or a point."""

from functools import lru_cache
from typing import Any

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements import hinge, spring, triangle
from gambol.matter.elements.hinge import Bend, Hinge
from gambol.matter.elements.spring import Spring
from gambol.matter.elements.triangle import Wind
from gambol.matter.forces.layout import vector_at
from gambol.spatial import Vector
from gambol.spatial.matrix import Symmetric

ZERO = Vector(0.0, 0.0, 0.0)
SPRING = Spring(0.0, 0.0, 0.0, 0.0, 0.0)
WIND = Wind(ZERO, 0.0, 0.0, 0.0)
"""Examples of the pytrees of inputs."""


def _corners(points: tuple[Scalar, ...], stride: Scalar, table: Any) -> list[Vector]:
    return [vector_at(table, k, stride) for k in points]


def spring_forces(s: Spring, ends: tuple[Scalar, Scalar], stride: Scalar, x: Any, v: Any, lag: Any) -> tuple[Any, Any]:
    """Return the forces on both ends of a spring, and its energy, damping and friction."""
    (xa, xb), (va, vb), (la, lb) = (_corners(ends, stride, table) for table in (x, v, lag))
    f = spring.spring_force(s, xa - xb, va - vb, la - lb)
    return (f.force, -f.force), (f.energy, f.damping, f.friction)


def spring_matrices(
    s: Spring, ends: tuple[Scalar, Scalar], stride: Scalar, h: Scalar, x: Any, lag: Any
) -> tuple[spring.SpringMatrix]:
    """Return the matrix of a spring in an implicit step."""
    (xa, xb), (la, lb) = (_corners(ends, stride, table) for table in (x, lag))
    return (spring.spring_matrix(s, xa - xb, la - lb, h),)


def hinge_forces(h: Hinge, corners: tuple[Scalar, ...], stride: Scalar, x: Any, v: Any) -> tuple[Any, Any]:
    """Return the forces on the corners of a hinge, and its energy and damping."""
    f = hinge.hinge_forces(h, _corners(corners, stride, x), _corners(corners, stride, v))
    return f.forces, (f.energy, f.damping)


def hinge_rows(h: Hinge, corners: tuple[Scalar, ...], stride: Scalar, step: Scalar, x: Any) -> tuple[Any]:
    """Return the row of a hinge in an implicit step."""
    return (hinge.hinge_rows(h, _corners(corners, stride, x), step),)


def bend_forces(b: Bend, corners: tuple[Scalar, ...], stride: Scalar, x: Any) -> tuple[Any, Any]:
    """Return the forces on the points of a bend, and its energy."""
    f = hinge.bend_forces(b, _corners(corners, stride, x))
    return f.forces, (f.energy,)


def bend_rows(b: Bend, corners: tuple[Scalar, ...], stride: Scalar, step: Scalar, x: Any) -> tuple[Any, ...]:
    """Return the three rows of a bend in an implicit step."""
    return tuple(hinge.bend_rows(b, _corners(corners, stride, x), step))


def wind_forces(
    wind: Wind, corners: tuple[Scalar, ...], stride: Scalar, intact: Scalar, x: Any, v: Any
) -> tuple[tuple[Vector, Vector, Vector]]:
    """Return the forces of the wind on the corners of a triangle; 0 for a torn triangle."""
    f = triangle.wind_force(wind, _corners(corners, stride, x), _corners(corners, stride, v)) * intact
    return ((f, f, f),)


def triangle_areas(corners: tuple[Scalar, ...], stride: Scalar, x: Any) -> tuple[Any, Any]:
    """Return the gradient of the volume at the corners of a triangle, and its contribution to the volume."""
    p = _corners(corners, stride, x)
    third = triangle.area_vector(p) * triangle.THIRD
    return (third, third, third), (triangle.volume_contribution(p),)


def row_products(rows: list[Vector], corners: tuple[Scalar, ...], stride: Scalar, p: Any) -> tuple[list[Vector]]:
    """Return J^T (J p) at the corners of an element with one row J."""
    product: Scalar = 0.0
    for g, k in zip(rows, corners, strict=True):
        product = g.dot(vector_at(p, k, stride), product)
    return ([g * product for g in rows],)


def inverted(matrix: Symmetric) -> tuple[Symmetric]:
    """Return the inverse of a symmetric matrix, as a tuple of one."""
    m = matrix
    xx, xy, xz = m.yy * m.zz - m.yz * m.yz, m.xz * m.yz - m.xy * m.zz, m.xy * m.yz - m.xz * m.yy
    scale = 1.0 / (m.xx * xx + m.xy * xy + m.xz * xz)
    yy, yz, zz = m.xx * m.zz - m.xz * m.xz, m.xy * m.xz - m.xx * m.yz, m.xx * m.yy - m.xy * m.xy
    return (Symmetric(xx * scale, xy * scale, xz * scale, yy * scale, yz * scale, zz * scale),)


def preconditioned(inverse: Symmetric, r: Vector, free: Scalar) -> tuple[Vector]:
    """Return the inverse block of a point times its residual, 0 for a pinned point."""
    return (inverse.times(r) * free,)


def _zeros(count: int) -> tuple[float, ...]:
    return (0.0,) * count


FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...], int]] = {
    "springs": (spring_forces, (SPRING, _zeros(2), 0.0), 3),
    "spring matrices": (spring_matrices, (SPRING, _zeros(2), 0.0, 0.0), 2),
    "hinges": (hinge_forces, (Hinge(0.0, 0.0, 0.0), _zeros(4), 0.0), 2),
    "hinge rows": (hinge_rows, (Hinge(0.0, 0.0, 0.0), _zeros(4), 0.0, 0.0), 1),
    "bends": (bend_forces, (Bend(0.0, 0.0, 0.0), _zeros(3), 0.0), 1),
    "bend rows": (bend_rows, (Bend(0.0, 0.0, 0.0), _zeros(3), 0.0, 0.0), 1),
    "wind": (wind_forces, (WIND, _zeros(3), 0.0, 0.0), 2),
    "areas": (triangle_areas, (_zeros(3), 0.0), 1),
    "hinge products": (row_products, ([ZERO] * 4, _zeros(4), 0.0), 1),
    "bend products": (row_products, ([ZERO] * 3, _zeros(3), 0.0), 1),
    "inverse": (inverted, (Symmetric(*_zeros(6)),), 0),
    "precondition": (preconditioned, (Symmetric(*_zeros(6)), ZERO, 0.0), 0),
}
"""The function, the structures of its inputs and the number of its tables, of each program."""


@lru_cache
def mesh_program(name: str, lanes: int | None) -> Program:
    """Return a program of the table FUNCTIONS, compiled at the first call. lanes: see Program."""
    function, structures, tables = FUNCTIONS[name]
    return Program(ProgramSpec(f"mesh {name}", function, structures, tables, name), lanes=lanes)
