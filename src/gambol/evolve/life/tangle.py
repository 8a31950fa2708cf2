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
    count, links = len(chains), len(figure.links)
    tops, ends, radii = _segments(figure, samples, count)
    several = (chains != NONE).T
    apart = {(i, j): (chains[:, i] != chains[:, j]) & several[i] & several[j] for i, j in combinations(range(links), 2)}
    pairs = [pair for pair, lanes in apart.items() if lanes.any()]
    if not pairs:
        return np.zeros(tops.shape[2:])
    one, other = (list(side) for side in zip(*pairs, strict=True))  # all at once: numpy takes longer to be called
    thick, thin = radii[one], radii[other]
    sides = (np.moveaxis(x[:, own], 0, -1) for own in (one, other) for x in (tops, ends))
    gap = distance(*sides) - thick[:, None] - thin[:, None]
    depth = -gap / np.maximum(np.minimum(thick, thin), TINY)[:, None]
    lanes = np.array([apart[pair] for pair in pairs])[:, None]
    return np.where(lanes, depth, 0.0).max(axis=0, initial=0.0)


def _segments(figure: Figure, samples: Sequence[Seen], count: int) -> tuple[Array, Array, Array]:
    """Both ends (3, links, S, W) of all segments, and their radii (links, W) [m]."""
    links = len(figure.links)
    positions = np.array([np.stack(seen.positions) for seen in samples], float).reshape(len(samples), links, 3, count)
    turns = np.array([np.stack(seen.quaternions) for seen in samples], float).reshape(len(samples), links, 4, count)
    local, radii = np.zeros((links, 3, count)), np.zeros((links, count))
    for k, link in enumerate(figure.links[1:], start=1):
        for point in link.contact_points()[:1]:
            local[k], radii[k] = [np.broadcast_to(x, count) for x in point.position], point.radius
    ends = positions + _turned(turns, local)
    tops, tips = (np.ascontiguousarray(x.transpose(2, 1, 0, 3)) for x in (positions, ends))
    return tops, tips, radii


def _turned(q: Array, v: Array) -> Array:
    """Vectors (links, 3, W) turned by unit quaternions (S, links, 4, W): v + 2 u x (u x v + w v)."""
    w, u = q[:, :, 0:1], q[:, :, 1:]
    v = np.broadcast_to(v, u.shape)
    return v + 2.0 * np.cross(u, np.cross(u, v, axis=2) + w * v, axis=2)


def distance(p: Array, p_end: Array, q: Array, q_end: Array) -> Array:
    """Distance of two line segments (..., 3) by their ends (...)."""
    d, e, r = (np.moveaxis(x, -1, 0) for x in (p_end - p, q_end - q, p - q))
    a, b, c, f, g = _dot(d, d), _dot(d, e), _dot(e, e), _dot(d, r), _dot(e, r)
    cross = a * c - b * b
    s = np.clip(np.where(cross > TINY, (b * g - c * f) / np.maximum(cross, TINY), 0.0), 0.0, 1.0)
    t = np.clip((b * s + g) / np.maximum(c, TINY), 0.0, 1.0)
    s = np.clip((b * t - f) / np.maximum(a, TINY), 0.0, 1.0)
    apart = r + s * d - t * e
    return np.sqrt(_dot(apart, apart))


def _dot(u: Array, v: Array) -> Array:
    """Products of vectors (3, ...); of whole components, which numpy adds far faster than short rows."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
