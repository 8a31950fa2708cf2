"""One smooth mesh over all links of a figure, with weights by which links move its points.

The surface is where the smooth minimum of the distances d_k to the links is 0, so that neighbours grow into each other:

    d = -b log(sum_k exp(-d_k / b))                  b = BLEND of the median thickness of links
    w_k ~ exp(-(d_k - d_min) / b)                    of the nearest link and its neighbours in the tree, at most four
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.export.clip import Clip, conjugate, rotated
from gambol.export.indexed import IndexedMesh, placed_mesh

Array = NDArray[np.float64]

BLEND = 0.25
"""Of the median thickness of links: the length over which neighbours grow into each other."""

CELLS_THROUGH = 3.0
"""Cells of the grid through the thinnest link."""

MAX_CELLS = 6_000_000
"""Of the grid; a larger one is made coarser, and links thinner than a cell are thickened to one."""

REACH = 6.0
"""Times b: beyond this distance a link adds less than exp(-6) to the sum, and counts as far."""

MAX_INFLUENCES = 4
"""Links that may move one point, as glTF's JOINTS_0 has them."""


@dataclass(frozen=True)
class Skin:
    """A mesh over links.

    mesh: in the axes of the world in the first frame, in the file's unit. links (N, 4): indices; weights (N, 4): of
    these links, with sum 1. colors (N, 3): sRGB in 0 to 1. inverse_binds (L, 4, 4): from the world to each link in the
    first frame.
    """

    mesh: IndexedMesh
    links: NDArray[np.uint8] | NDArray[np.uint16]
    weights: NDArray[np.float32]
    colors: Array
    inverse_binds: Array


@dataclass(frozen=True)
class _Solid:
    """The shapes of a link in the first frame. distance: of points to them [m]; low, high: corners of their box."""

    link: int
    distance: Any
    low: Array
    high: Array
    thickness: float

    def at(self, points: Array) -> Array:
        """Return the distances of points (N, 3), negative inside."""
        arrays: Any = import_module("vtkmodules.util.numpy_support")
        result: Any = import_module("vtkmodules.vtkCommonCore").vtkDoubleArray()
        self.distance.FunctionValue(arrays.numpy_to_vtk(np.ascontiguousarray(points)), result)
        return np.array(arrays.vtk_to_numpy(result), np.float64)


def skin_of(clip: Clip) -> Skin:
    """Return a skin over the links of a clip, in the pose of its first frame. Raises GambolError without shapes."""
    if not clip.shapes:
        raise GambolError(f'"{clip.name}" has no shapes to make a skin of; leave out the skin')
    places, turns = clip.position[0] / clip.scale, clip.quaternion[0]
    solids = _solids(clip, places, turns)
    blend = BLEND * float(np.median([solid.thickness for solid in solids]))
    points, normals, indices = _surface(solids, blend)
    links, weights = _influences(points, solids, clip.parents, blend)
    binds = np.tile(np.eye(4), (len(clip.links), 1, 1))
    back = conjugate(turns)
    for column in range(3):
        binds[:, :3, column] = rotated(back, np.eye(3)[column])
    binds[:, :3, 3] = rotated(back, -places) * clip.scale
    mesh = IndexedMesh((points * clip.scale).astype(np.float32), normals.astype(np.float32), indices)
    colors = np.einsum("nk,nkc->nc", weights, np.array(clip.colors)[links])
    small = links.astype(np.uint8) if len(clip.links) <= 256 else links.astype(np.uint16)
    return Skin(mesh, small, weights.astype(np.float32), colors, binds)


def _solids(clip: Clip, places: Array, turns: Array) -> list[_Solid]:
    pv: Any = import_module("pyvista")
    filters: Any = import_module("vtkmodules.vtkFiltersCore")
    solids: list[_Solid] = []
    for link in sorted({shape.link for shape in clip.shapes}):
        parts: list[Any] = []
        thickness = 0.0
        for shape in clip.shapes:
            if shape.link == link:
                mesh = placed_mesh(shape)
                thickness = max(thickness, float(np.ptp(mesh.corners, axis=0).min()))
                corners = rotated(turns[link], mesh.corners) + places[link]
                faces = np.arange(len(corners)).reshape(-1, 3)
                parts.append(pv.PolyData.from_regular_faces(corners, faces).clean(tolerance=1e-7))
        merged: Any = parts[0] if len(parts) == 1 else pv.merge(parts, merge_points=False)
        distance = filters.vtkImplicitPolyDataDistance()
        distance.SetInput(merged.extract_surface(algorithm=None) if len(parts) > 1 else merged)
        bounds: Array = np.array(merged.bounds, float).reshape(3, 2)
        low, high = bounds[:, 0], bounds[:, 1]
        solids.append(_Solid(link, distance, low, high, thickness))
    return solids


def _surface(solids: Sequence[_Solid], blend: float) -> tuple[Array, Array, NDArray[np.uint32]]:
    """Return points, outward normals and indices of the surface where the smooth minimum of the distances is 0."""
    pv: Any = import_module("pyvista")
    margin = REACH * blend
    low: Array = np.min([solid.low for solid in solids], axis=0) - margin
    extent: Array = np.max([solid.high for solid in solids], axis=0) + margin - low
    cell = max(min(s.thickness for s in solids) / CELLS_THROUGH, float(np.cbrt(float(np.prod(extent)) / MAX_CELLS)))
    counts = np.ceil(extent / cell).astype(int) + 1
    total = np.zeros(counts)
    axes: list[Array] = [low[i] + cell * np.arange(int(counts[i])) for i in range(3)]
    for solid in solids:
        start = np.maximum(((solid.low - margin - low) / cell).astype(int), 0)
        stop = np.minimum(np.ceil((solid.high + margin - low) / cell).astype(int) + 1, counts)
        window = tuple(slice(a, b) for a, b in zip(start, stop, strict=True))
        grid: Array = np.stack(np.meshgrid(*(axes[i][window[i]] for i in range(3)), indexing="ij"), axis=-1)
        distance = solid.at(grid.reshape(-1, 3)).reshape(grid.shape[:3])
        thickened = distance - max(0.0, cell - 0.5 * solid.thickness)
        total[window] += np.exp(np.clip(-thickened / blend, -50.0, 50.0))
    image = pv.ImageData(dimensions=counts, spacing=(cell,) * 3, origin=low)
    image["log"] = np.log(np.maximum(total, 1e-30)).ravel(order="F")
    surface: Any = image.contour([0.0], scalars="log", method="flying_edges")
    surface = surface.compute_normals(auto_orient_normals=True, consistent_normals=True, split_vertices=False)
    faces = np.asarray(surface.regular_faces)
    normals = np.asarray(surface.point_normals, float)
    return np.asarray(surface.points, float), normals, faces.astype(np.uint32).reshape(-1)


def _influences(
    points: Array, solids: Sequence[_Solid], parents: Sequence[int], blend: float
) -> tuple[NDArray[np.int64], Array]:
    """Return the links (N, 4) that move each point, and their weights (N, 4)."""
    far = 1e6 * blend
    distance = np.full((len(points), len(parents)), far)
    for solid in solids:
        near = np.all((points > solid.low - 2.0 * REACH * blend) & (points < solid.high + 2.0 * REACH * blend), axis=1)
        distance[near, solid.link] = solid.at(points[near]) if near.any() else 0.0
    nearest = distance.argmin(axis=1)
    related = np.eye(len(parents), dtype=bool)
    for k, parent in enumerate(parents):
        if parent >= 0:
            related[k, parent] = related[parent, k] = True
    related = related | (related @ related)  # links without shapes lie between those that have some
    excess = (distance - distance.min(axis=1, keepdims=True)) / blend
    weight = np.where(related[nearest], np.exp(-np.minimum(excess, 50.0)), 0.0)
    links = np.argsort(-weight, axis=1)[:, :MAX_INFLUENCES]
    if links.shape[1] < MAX_INFLUENCES:
        links = np.pad(links, ((0, 0), (0, MAX_INFLUENCES - links.shape[1])))
    chosen = np.take_along_axis(weight, links, axis=1)
    chosen[:, weight.shape[1] :] = 0.0
    chosen = np.where(chosen > 1e-3, chosen, 0.0)
    return np.where(chosen > 0.0, links, 0), chosen / chosen.sum(axis=1, keepdims=True)
