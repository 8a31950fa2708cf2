"""Cloth, ropes, muscles and particles of a clip in USD: geometry whose points have time samples. [OpenUSD, UsdGeom]

Cloth becomes a Mesh, which loses torn triangles; lines become BasisCurves, which are as long as possible; particles
become Points with widths, colours, velocities, and an id for each particle.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.export.chains import chains_of, whole_lines
from gambol.export.clip import Clip
from gambol.export.usd_library import usd_modules
from gambol.figure.color import linear_rgb, rgb_values
from gambol.view.scene.tube import ACTIVE, IDLE
from gambol.world.film import FilmMesh, FilmMuscle, FilmParticles

Float32 = NDArray[np.float32]


def add_matter(stage: Any, clip: Clip, paths: Sequence[str]) -> None:
    """Add meshes, particles and muscles of a clip to a stage.

    paths: path of each; the path of a mesh's lines has the suffix "_lines".
    """
    for each, path in zip(clip.matter, paths, strict=True):
        if isinstance(each, FilmParticles):
            _add_particles(stage, path, each, clip.scale)
        elif isinstance(each, FilmMuscle):
            chain = np.arange(each.points.shape[1], dtype=np.intp)
            curves = _add_curves(stage, path, each.points * clip.scale, [chain], each.width * clip.scale)
            idle, active = (linear_rgb(rgb_values(color))[None] for color in (IDLE, ACTIVE))
            _sample(curves.CreateDisplayColorAttr(), [idle + float(a) * (active - idle) for a in each.activation])
        else:
            _add_mesh(stage, path, each, clip.scale)


def _add_mesh(stage: Any, path: str, mesh: FilmMesh, scale: float) -> None:
    """Add the triangles of a mesh, and its lines."""
    (UsdGeom,) = usd_modules("UsdGeom")
    points = mesh.points * scale
    color = linear_rgb(rgb_values(mesh.color))[None]
    if len(mesh.triangles):
        prim = UsdGeom.Mesh.Define(stage, path)
        _sample_points(prim, points)
        visible = np.ones((1, len(mesh.triangles)), bool) if mesh.visible is None else mesh.visible
        _sample(prim.CreateFaceVertexCountsAttr(), [np.full(int(shown.sum()), 3, np.int32) for shown in visible])
        _sample(prim.CreateFaceVertexIndicesAttr(), [mesh.triangles[shown].reshape(-1) for shown in visible])
        prim.CreateSubdivisionSchemeAttr("none")
        prim.CreateDoubleSidedAttr(True)
        _sample(prim.CreateDisplayColorAttr(), [color])
    if len(mesh.lines):
        points, lines = whole_lines(mesh)
        curves = _add_curves(stage, f"{path}_lines", points * scale, chains_of(lines), mesh.thickness * scale)
        _sample(curves.CreateDisplayColorAttr(), [color])


def _add_curves(stage: Any, path: str, points: Float32, chains: Sequence[NDArray[np.intp]], width: float) -> Any:
    """Add polylines. points (F, n, 3); chains: indices of the points of each line. width: width of all lines."""
    (UsdGeom,) = usd_modules("UsdGeom")
    curves = UsdGeom.BasisCurves.Define(stage, path)
    curves.CreateTypeAttr("linear")
    curves.CreateCurveVertexCountsAttr([len(chain) for chain in chains])
    _sample_points(curves, points[:, np.concatenate(list(chains))], width)
    curves.CreateWidthsAttr([width])
    curves.SetWidthsInterpolation("constant")
    return curves


def _add_particles(stage: Any, path: str, particles: FilmParticles, scale: float) -> None:
    """Add particles; their number changes from frame to frame."""
    (UsdGeom,) = usd_modules("UsdGeom")
    prim = UsdGeom.Points.Define(stage, path)
    rows = [particles.frame(f) for f in range(particles.frames)]
    radii = particles.radii * scale
    _sample(prim.CreatePointsAttr(), [particles.points[row] * scale for row in rows])
    _sample(prim.CreateWidthsAttr(), [2.0 * radii[row] for row in rows])
    prim.SetWidthsInterpolation("vertex")
    _sample(prim.CreateIdsAttr(), [particles.numbers[row] for row in rows])
    _sample(prim.CreateVelocitiesAttr(), [particles.velocities[row] * scale for row in rows])
    color = linear_rgb(particles.colors[:, :3] / 255.0)
    primvar = prim.CreateDisplayColorPrimvar("vertex")
    _sample(primvar.GetAttr(), [color[row] for row in rows])
    opacity = prim.CreateDisplayOpacityPrimvar("vertex")
    _sample(opacity.GetAttr(), [particles.colors[row, 3] / 255.0 for row in rows])
    extents = [_extent(particles.points[row] * scale, float(radii[row].max(initial=0.0))) for row in rows]
    _sample(prim.CreateExtentAttr(), extents)


def _sample_points(prim: Any, points: Float32, width: float = 0.0) -> None:
    """Set the points (F, n, 3) of a prim and their box. width: width of the lines."""
    _sample(prim.CreatePointsAttr(), points)
    _sample(prim.CreateExtentAttr(), [_extent(frame, 0.5 * width) for frame in points])


def _extent(points: Float32, radius: float) -> Float32:
    """Return the lowest and highest corner of the box around balls (2, 3); 0 without balls."""
    if not len(points):
        return np.zeros((2, 3), np.float32)
    return np.stack([points.min(axis=0) - radius, points.max(axis=0) + radius]).astype(np.float32)


def _sample(attribute: Any, frames: Iterable[Any]) -> None:
    """Set the arrays of all frames: the first as the default, and time samples where they change.

    The last frame before a change is also set, so that earlier frames are not interpolated.
    """
    Sdf, Vt = usd_modules("Sdf", "Vt")
    kind = str(attribute.GetTypeName()).removesuffix("[]")
    arrays = [np.ascontiguousarray(frame, _dtype(kind)) for frame in frames]
    values = [getattr(Vt, VT_ARRAYS[kind]).FromNumpy(array) for array in arrays]
    changes = [not np.array_equal(a, b) for a, b in pairwise(arrays)]
    attribute.Set(values[0])
    with Sdf.ChangeBlock():
        for f, value in enumerate(values if any(changes) else ()):
            if f == 0 or changes[f - 1] or (f < len(changes) and changes[f]):
                attribute.Set(value, f)


def _dtype(kind: str) -> type[np.generic]:
    return {"int": np.int32, "int64": np.int64}.get(kind, np.float32)


VT_ARRAYS = {
    "point3f": "Vec3fArray",
    "vector3f": "Vec3fArray",
    "color3f": "Vec3fArray",
    "float3": "Vec3fArray",
    "float": "FloatArray",
    "int": "IntArray",
    "int64": "Int64Array",
}
"""The class of arrays of USD by the type of the elements."""
