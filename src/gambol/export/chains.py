"""Chains of lines: polylines that contain each line of a mesh once."""

import numpy as np
from numpy.typing import NDArray


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
