"""One smooth mesh over all links of a figure, and the weights with which links move its points.

The surface is where the smooth minimum of the distances d_k to the links is 0, so that neighbouring links blend:

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
"""Length over which neighbouring links blend, as a fraction of the median thickness of links."""

CELLS_THROUGH = 3.0
"""Number of cells of the grid across the thinnest link."""

MAX_CELLS = 6_000_000
"""Maximum number of grid cells; a larger grid is made coarser, and thinner links are thickened to one cell."""

BLOCKS = (8, 4, 2)
"""Numbers of cells along the edges of blocks in the search for the surface, from coarse to fine."""

REACH = 6.0
"""Distance, in lengths b, beyond which a link adds less than exp(-6) to the sum, and is ignored."""

MIN_WEIGHT = 1e-3
"""Minimum weight, as a fraction of the weight of the nearest link, with which a link moves a point."""

MAX_INFLUENCES = 4
"""Maximum number of links that may move a point, as in glTF's JOINTS_0."""


@dataclass(frozen=True)
class Skin:
    """A mesh over links.

    mesh: in the axes of the world in the first frame, in the file's unit. links (N, 4): indices; weights (N, 4):
    weights of these links, with sum 1. colors (N, 3): sRGB in 0 to 1. inverse_binds (L, 4, 4): from the world to each
    link in the first frame.
    """

    mesh: IndexedMesh
    links: NDArray[np.uint8] | NDArray[np.uint16]
    weights: NDArray[np.float32]
    colors: Array
    inverse_binds: Array


@dataclass(frozen=True)
class _Solid:
    """The shapes of a link in the first frame.

    link: index of the link. distance: VTK's distance function of all shapes together [m]. parts: the distance functions
    of the single shapes; empty if there is only one shape. low, high: corners of the bounding box. thickness: the
    largest of the shapes' smallest extents [m].
    """

    link: int
    distance: Any
    parts: tuple[Any, ...]
    low: Array
    high: Array
    thickness: float

    def at(self, points: Array) -> Array:
        """Return the distances of points (N, 3), negative inside; inside several shapes the sign may be wrong."""
        return _distances(self.distance, points)

    def bounds(self, points: Array, radius: float) -> tuple[Array, Array]:
        """Return bounds (N,) of the distances of all points within a radius of points (N, 3); infinite if not known."""
        distance = np.min([_distances(part, points) for part in self.parts or (self.distance,)], axis=0)
        known = (distance > radius) | (not self.parts)
        return np.where(known, distance - radius, -np.inf), np.where(known, distance + radius, np.inf)


def _distances(function: Any, points: Array) -> Array:
    """Return the values of a distance function of VTK at points (N, 3)."""
    arrays: Any = import_module("vtkmodules.util.numpy_support")
    result: Any = import_module("vtkmodules.vtkCommonCore").vtkDoubleArray()
    function.FunctionValue(arrays.numpy_to_vtk(np.ascontiguousarray(points)), result)
    return np.array(arrays.vtk_to_numpy(result), np.float64)


def skin_of(clip: Clip) -> Skin:
    """Return a skin over the links of a clip, in the pose of its first frame. Raises GambolError without shapes."""
    if not clip.shapes:
        raise GambolError(f'"{clip.name}" has no shapes to make a skin of; leave out the skin')
    positions, rotations = clip.position[0] / clip.scale, clip.quaternion[0]
    solids = _solids(clip, positions, rotations)
    blend = BLEND * float(np.median([solid.thickness for solid in solids]))
    points, normals, indices = _surface(solids, blend)
    links, weights = _influences(points, solids, clip.parents, blend)
    binds = np.tile(np.eye(4), (len(clip.links), 1, 1))
    back = conjugate(rotations)
    for column in range(3):
        binds[:, :3, column] = rotated(back, np.eye(3)[column])
    binds[:, :3, 3] = rotated(back, -positions) * clip.scale
    mesh = IndexedMesh((points * clip.scale).astype(np.float32), normals.astype(np.float32), indices)
    colors = np.einsum("nk,nkc->nc", weights, np.array(clip.colors)[links])
    small = links.astype(np.uint8) if len(clip.links) <= 256 else links.astype(np.uint16)
    return Skin(mesh, small, weights.astype(np.float32), colors, binds)


def _solids(clip: Clip, positions: Array, rotations: Array) -> list[_Solid]:
    """Return the solids of all links with shapes. positions (L, 3), rotations (L, 4): poses of the links [m]."""
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
                corners = rotated(rotations[link], mesh.corners) + positions[link]
                faces = np.arange(len(corners)).reshape(-1, 3)
                parts.append(pv.PolyData.from_regular_faces(corners, faces).clean(tolerance=1e-7))
        merged: Any = parts[0] if len(parts) == 1 else pv.merge(parts, merge_points=False)
        several = len(parts) > 1
        distance, *separate = (filters.vtkImplicitPolyDataDistance() for _ in range(1 + several * len(parts)))
        distance.SetInput(merged.extract_surface(algorithm=None) if several else merged)
        for function, part in zip(separate, parts, strict=False):
            function.SetInput(part)
        bounds: Array = np.array(merged.bounds, float).reshape(3, 2)
        low, high = bounds[:, 0], bounds[:, 1]
        solids.append(_Solid(link, distance, tuple(separate), low, high, thickness))
    return solids


def _surface(solids: Sequence[_Solid], blend: float) -> tuple[Array, Array, NDArray[np.uint32]]:
    """Return points, outward normals and indices of the surface where the smooth minimum of the distances is 0."""
    pv: Any = import_module("pyvista")
    margin = REACH * blend
    low: Array = np.min([solid.low for solid in solids], axis=0) - margin
    extent: Array = np.max([solid.high for solid in solids], axis=0) + margin - low
    cell = max(min(s.thickness for s in solids) / CELLS_THROUGH, float(np.cbrt(float(np.prod(extent)) / MAX_CELLS)))
    counts = np.ceil(extent / cell).astype(int) + 1
    windows = [_window(solid, (low, cell, counts), margin) for solid in solids]
    axes: list[Array] = [low[i] + cell * np.arange(int(counts[i])) for i in range(3)]
    total, undecided = _coarse_search(solids, windows, axes, blend)
    for solid, window in zip(solids, windows, strict=True):
        inside = np.nonzero(undecided[window])
        points = np.stack([axes[i][window[i]][inside[i]] for i in range(3)], axis=-1)
        thickened = solid.at(points) - max(0.0, cell - 0.5 * solid.thickness)
        total[window][inside] += np.exp(np.clip(-thickened / blend, -50.0, 50.0))
    image = pv.ImageData(dimensions=counts, spacing=(cell,) * 3, origin=low)
    image["log"] = np.log(np.maximum(total, 1e-30)).ravel(order="F")
    surface: Any = image.contour([0.0], scalars="log", method="flying_edges")
    surface = surface.compute_normals(auto_orient_normals=True, consistent_normals=True, split_vertices=False)
    faces = np.asarray(surface.regular_faces)
    normals = np.asarray(surface.point_normals, float)
    return np.asarray(surface.points, float), normals, faces.astype(np.uint32).reshape(-1)


def _window(solid: _Solid, grid: tuple[Array, float, NDArray[np.int64]], margin: float) -> tuple[slice, ...]:
    """Return the part of a grid around a solid. grid: its lowest corner, cell and numbers of points."""
    low, cell, counts = grid
    start = np.maximum(((solid.low - margin - low) / cell).astype(int), 0)
    stop = np.minimum(np.ceil((solid.high + margin - low) / cell).astype(int) + 1, counts)
    return tuple(slice(int(a), int(b)) for a, b in zip(start, stop, strict=True))


def _coarse_search(
    solids: Sequence[_Solid], windows: Sequence[tuple[slice, ...]], axes: Sequence[Array], blend: float
) -> tuple[Array, NDArray[np.bool_]]:
    """Return initial sums of exp(-d / b) at grid points, and True for the points where the sum must be computed.

    The surface is where the sum is 1. A distance changes by at most the displacement, so the distances at the middle of
    a block of cells give bounds of the sum in the block. A block is outside if the upper bound is below 1; its sums are
    stored as 0. It is inside if the lower bound is above 1; its sums are stored as 2. Other blocks are divided into
    smaller ones, down to the smallest size. The surface passes only through blocks that remain undecided, so it is the
    same as on the full grid. At their points the initial sum is 0.
    """
    counts = [len(axis) for axis in axes]
    open_cells = np.ones([n - 1 for n in counts], bool)
    inside_cells = np.zeros_like(open_cells)
    for size in BLOCKS:
        blocks = _any_in_blocks(open_cells, size)
        upper, lower = _bounds_of_sum(solids, windows, axes, (blend, size, blocks))
        inside_cells |= open_cells & _cells_of(blocks & (lower > 1.0), size, open_cells.shape)
        open_cells &= _cells_of(blocks & (upper >= 1.0) & (lower <= 1.0), size, open_cells.shape)
    undecided = _points_of(open_cells)
    return np.where(_points_of(inside_cells) & ~undecided, 2.0, 0.0), undecided


def _bounds_of_sum(
    solids: Sequence[_Solid],
    windows: Sequence[tuple[slice, ...]],
    axes: Sequence[Array],
    search: tuple[float, int, NDArray[np.bool_]],
) -> tuple[Array, Array]:
    """Return upper and lower bounds of the sum of exp(-d / b) in blocks.

    search: b, number of cells along a block, and the blocks.
    """
    blend, size, blocks = search
    cell = float(axes[0][1] - axes[0][0])
    radius = 0.5 * np.sqrt(3.0) * size * cell
    upper, lower = np.zeros(blocks.shape), np.zeros(blocks.shape)
    for solid, window in zip(solids, windows, strict=True):
        part = tuple(slice(w.start // size, -(-w.stop // size)) for w in window)
        index = np.nonzero(blocks[part])
        middles = [axes[i][0] + cell * size * (index[i] + part[i].start + 0.5) for i in range(3)]
        near, far = solid.bounds(np.stack(middles, axis=-1), radius)
        thicker = max(0.0, cell - 0.5 * solid.thickness)
        upper[part][index] += np.exp(np.clip((thicker - near) / blend, -50.0, 50.0))
        smallest = np.exp(np.clip((thicker - far) / blend, -50.0, 50.0))
        lower[part][index] += np.where(far <= REACH * blend, smallest, 0.0)  # farther points may lie outside its window
    return upper, lower


def _any_in_blocks(cells: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Return True for the blocks that have a cell which is True. size: cells along the edge of a block."""
    shape: tuple[int, ...] = cells.shape
    for axis, n in enumerate(shape):
        cells = np.logical_or.reduceat(cells, np.arange(0, n, size), axis=axis)
    return cells


def _cells_of(blocks: NDArray[np.bool_], size: int, shape: Sequence[int]) -> NDArray[np.bool_]:
    """Return True for the cells (shape) of blocks that are True."""
    for axis, n in enumerate(shape):
        blocks = np.repeat(blocks, size, axis=axis).take(np.arange(n), axis=axis)
    return blocks


def _points_of(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return True for the corners of cells that are True."""
    for axis in range(3):
        edge = np.zeros_like(cells.take([0], axis=axis))
        cells = np.concatenate([cells, edge], axis=axis) | np.concatenate([edge, cells], axis=axis)
    return cells


def _influences(
    points: Array, solids: Sequence[_Solid], parents: Sequence[int], blend: float
) -> tuple[NDArray[np.int64], Array]:
    """Return the links (N, 4) that move each point, and their weights (N, 4)."""
    distance = np.full((len(points), len(parents)), 1e6 * blend)
    gaps = np.maximum(0.0, np.maximum([s.low - points for s in solids], [points - s.high for s in solids]))
    box_distance = np.linalg.norm(gaps, axis=-1)  # lower bounds of the distances to the links
    nearest_box, max_distance = box_distance.argmin(axis=0), np.empty(len(points))
    for k, solid in enumerate(solids):
        max_distance[nearest_box == k] = solid.at(points[nearest_box == k])
    for k, solid in enumerate(solids):  # only at points where its weight can exceed MIN_WEIGHT of the largest weight
        near = box_distance[k] <= max_distance - np.log(MIN_WEIGHT) * blend
        distance[near, solid.link] = solid.at(points[near])
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
    chosen = np.where(chosen > MIN_WEIGHT, chosen, 0.0)
    return np.where(chosen > 0.0, links, 0), chosen / chosen.sum(axis=1, keepdims=True)
