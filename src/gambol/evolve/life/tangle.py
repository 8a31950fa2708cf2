"""Limbs that pass through each other: worlds let them, so lives are looked at for it.

A segment is a capsule from its joint to the ball at its lower end, as thick as the ball. Segments of one chain, and the
trunk, do not count. The nearest points of two segments p + s d and q + t e, s and t in [0, 1]: [Ericson 2005, 5.1.9]
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Figure
from gambol.world.observe import Seen

Array = NDArray[np.float64]

NONE = 0
"""The chain of what is no segment of a limb."""

TINY = 1e-12


def tangled(figure: Figure, chains: NDArray[np.int64], samples: Sequence[Seen]) -> Array:
    """How deep limbs lie in each other, of the radius of the thinner segment, at each of S samples (S, W).

    figure: whose numbers may be arrays (W,). chains: of each creature's links (W, links), NONE or the chain's number.
    """
    count = len(chains)
    tops, ends, radii = _segments(figure, samples, count)
    deepest = np.zeros(tops.shape[:2])
    for i, j in combinations(range(len(figure.links)), 2):
        apart = (chains[:, i] != chains[:, j]) & (chains[:, i] != NONE) & (chains[:, j] != NONE)
        if not apart.any():
            continue
        gap = distance(tops[:, :, i], ends[:, :, i], tops[:, :, j], ends[:, :, j]) - radii[:, i] - radii[:, j]
        depth = -gap / np.maximum(np.minimum(radii[:, i], radii[:, j]), TINY)
        deepest = np.maximum(deepest, np.where(apart, depth, 0.0))
    return deepest


def _segments(figure: Figure, samples: Sequence[Seen], count: int) -> tuple[Array, Array, Array]:
    """Both ends (S, W, links, 3) of all segments, and their radii (W, links) [m]."""
    links = len(figure.links)
    positions = np.array([np.stack(seen.positions) for seen in samples], float).reshape(len(samples), links, 3, count)
    turns = np.array([np.stack(seen.quaternions) for seen in samples], float).reshape(len(samples), links, 4, count)
    local, radii = np.zeros((links, 3, count)), np.zeros((links, count))
    for k, link in enumerate(figure.links[1:], start=1):
        for point in link.contact_points()[:1]:
            local[k], radii[k] = [np.broadcast_to(x, count) for x in point.position], point.radius
    ends = positions + _turned(turns, local)
    return np.moveaxis(positions, 3, 1), np.moveaxis(ends, 3, 1), radii.T


def _turned(q: Array, v: Array) -> Array:
    """Vectors (links, 3, W) turned by unit quaternions (S, links, 4, W): v + 2 u x (u x v + w v)."""
    w, u = q[:, :, 0:1], q[:, :, 1:]
    v = np.broadcast_to(v, u.shape)
    return v + 2.0 * np.cross(u, np.cross(u, v, axis=2) + w * v, axis=2)


def distance(p: Array, p_end: Array, q: Array, q_end: Array) -> Array:
    """Distance of two line segments (..., 3) by their ends (...)."""
    d, e, r = p_end - p, q_end - q, p - q
    a, b, c = (d * d).sum(-1), (d * e).sum(-1), (e * e).sum(-1)
    f, g = (d * r).sum(-1), (e * r).sum(-1)
    cross = a * c - b * b
    s = np.clip(np.where(cross > TINY, (b * g - c * f) / np.maximum(cross, TINY), 0.0), 0.0, 1.0)
    t = np.clip((b * s + g) / np.maximum(c, TINY), 0.0, 1.0)
    s = np.clip((b * t - f) / np.maximum(a, TINY), 0.0, 1.0)
    return np.linalg.norm(r + s[..., None] * d - t[..., None] * e, axis=-1)
