"""Chains of lines: polylines that contain each line of a mesh once; lines that tear are chains of their own."""

import numpy as np
from numpy.typing import NDArray

from gambol.world.film import FilmMesh


def chains_of(lines: NDArray[np.int32]) -> list[NDArray[np.intp]]:
    """Return polylines that contain each line (E, 2) once: chains from point to point, as long as possible."""
    lines_at: dict[int, list[int]] = {}
    for k, (a, b) in enumerate(lines.tolist()):
        lines_at.setdefault(a, []).append(k)
        lines_at.setdefault(b, []).append(k)
    unused = set(range(len(lines)))
    odd_first = sorted(lines_at, key=lambda point: (len(lines_at[point]) % 2 == 0, point))
    chains: list[NDArray[np.intp]] = []
    for start in odd_first:
        while any(k in unused for k in lines_at[start]):
            chain = [start]
            while (k := next((k for k in lines_at[chain[-1]] if k in unused), None)) is not None:
                unused.remove(k)
                a, b = lines[k].tolist()
                chain.append(b if a == chain[-1] else a)
            chains.append(np.array(chain, np.intp))
    return chains


def whole_lines(mesh: FilmMesh) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return points (F, n, 3) [m] and lines (E, 2) of a mesh, none of which vanishes.

    A line that tears gets ends of its own, which coincide in its middle once it is torn.
    """
    if not mesh.lines_tear or mesh.visible is None or mesh.visible.all():
        return mesh.points, mesh.lines
    torn = np.flatnonzero(~mesh.visible.all(axis=0))
    ends = mesh.points[:, mesh.lines[torn]]
    own = np.where(mesh.visible[:, torn, None, None], ends, ends.mean(axis=2, keepdims=True))
    lines = mesh.lines.copy()
    lines[torn] = mesh.points.shape[1] + np.arange(2 * len(torn)).reshape(-1, 2)
    return np.concatenate([mesh.points, own.reshape(len(own), -1, 3)], axis=1).astype(np.float32), lines
