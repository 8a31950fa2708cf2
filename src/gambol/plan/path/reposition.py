"""Constrained repositioning of linked points, from near to far: dragged points move, and the others follow.

    p_j <- p_i + l_ij (p_j - p_i) / |p_j - p_i|        for each edge i-j, i nearer to the dragged point than j

[Parent, chapter 4, constrained dynamics: one component is moved, the others are repositioned, from near to far, to
satisfy distance constraints]. In a tree one pass satisfies all distances. If there are loops or anchored points, passes
outward from the dragged points and from the anchored points alternate until the distances are satisfied. [Aristidou and
Lasenby 2011]
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError

Array = NDArray[np.float64]

MAX_PASSES = 1000


@dataclass(frozen=True)
class Repositioned:
    """Points after repositioning.

    points (n, 3) [m]. error: largest deviation of a length, divided by that length. reached: True if it is within the
    tolerance. passes: number of passes.
    """

    points: Array
    error: float
    reached: bool
    passes: int


def reposition(
    points: ArrayLike,
    edges: Sequence[tuple[int, int]],
    moved: Mapping[int, Sequence[float]],
    *,
    anchored: Iterable[int] = (),
    lengths: Sequence[float] | None = None,
    tolerance: float = 1e-9,
) -> Repositioned:
    """Return linked points after some of them were moved: the others follow, from near to far, at their distances.

    points (n, 3) [m]. edges: pairs of points at fixed distances. moved: new positions by point [m]. anchored: points
    that do not move. lengths: lengths of the edges [m]; None: the initial distances. tolerance: relative tolerance of
    lengths. Points that no edges connect to a moved point do not move. If the distances cannot be satisfied, the result
    is the best one found, and reached is False. Raises GambolError for edges, points and lengths that do not exist or
    contradict each other.
    """
    p, fixed = _checked(points, edges, moved, set(anchored))
    rest = np.array([np.linalg.norm(p[i] - p[j]) for i, j in edges] if lengths is None else lengths, float)
    if rest.shape != (len(edges),) or not (rest > 0.0).all():
        raise GambolError("the lengths of edges must be positive, and there must be one for each edge")
    for k, position in moved.items():
        p[k] = position
    outward = _near_to_far(edges, list(moved))
    inward = _near_to_far(edges, list(fixed - set(moved)))
    immovable, error, passes = fixed | set(moved), np.inf, 0
    while passes < MAX_PASSES and not error <= tolerance:
        for order in (outward, inward):
            _pass(p, order, rest, immovable)
        error, passes = _error(p, edges, rest), passes + 1
    return Repositioned(p, error, bool(error <= tolerance), passes)


Order = list[tuple[int, int, int]]


def _near_to_far(edges: Sequence[tuple[int, int]], sources: Sequence[int]) -> Order:
    """Return (near point, far point, edge) of every edge that connects a point to the sources, breadth first."""
    neighbours: dict[int, list[tuple[int, int]]] = {}
    for e, (i, j) in enumerate(edges):
        neighbours.setdefault(i, []).append((j, e))
        neighbours.setdefault(j, []).append((i, e))
    order, queue, seen = Order(), deque(sources), set[int]()
    while queue:
        near = queue.popleft()
        for far, e in neighbours.get(near, ()):
            if e not in seen:
                seen.add(e)
                order.append((near, far, e))
                queue.append(far)
    return order


def _pass(p: NDArray[np.float64], order: Order, rest: Array, immovable: set[int]) -> None:
    """Move each far point along its edge to its distance from the near point; immovable points do not move."""
    for near, far, e in order:
        line = p[far] - p[near]
        distance = np.linalg.norm(line)
        direction = line / distance if distance > 0.0 else np.array([1.0, 0.0, 0.0])
        if far not in immovable:
            p[far] = p[near] + rest[e] * direction


def _error(p: Array, edges: Sequence[tuple[int, int]], rest: Array) -> float:
    i, j = np.array(edges, int).reshape(-1, 2).T
    return float((abs(np.linalg.norm(p[i] - p[j], axis=1) - rest) / rest).max(initial=0.0))


def _checked(
    points: ArrayLike, edges: Sequence[tuple[int, int]], moved: Mapping[int, Sequence[float]], anchored: set[int]
) -> tuple[Array, set[int]]:
    """Return a copy of the points, and the anchored points; raise GambolError for invalid indices."""
    p = np.array(points, float)
    if p.ndim != 2 or p.shape[1] != 3 or not np.isfinite(p).all():
        raise GambolError(f"points have shape {p.shape}; give finite ones, (n, 3)")
    numbers = {*(k for edge in edges for k in edge), *moved, *anchored}
    if unknown := sorted(k for k in numbers if not 0 <= k < len(p)):
        raise GambolError(f"there is no point {unknown[0]}; the points are 0 to {len(p) - 1}")
    if any(i == j for i, j in edges):
        raise GambolError("an edge connects a point to itself")
    if both := sorted(anchored & set(moved)):
        raise GambolError(f"point {both[0]} is moved and anchored; choose one")
    return p, anchored
