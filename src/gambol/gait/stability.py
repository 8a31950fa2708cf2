"""Static stability of gaits: the distance of the centre of mass inside the polygon of the standing feet.

The stability margin of a pose is the least distance from the centre of mass to an edge of the support polygon, both
projected on the ground; it is negative outside. The longitudinal stability margin of a gait is the least distance along
the direction of motion over a stride, for feet that move straight and a body that moves at constant speed.

Among regular and symmetric gaits of 2 n legs, wave gaits have the largest longitudinal margin: on each side steps run
from hind to front, and a leg lifts as the next one behind it lands. With leg m of a side counted from the front,

    offset_m = m b on the left, half a stride later on the right

    S = (n / 2 - 1) P + (1 - 3 / (4 b)) R                     R <= R_b = b P / (3 b - 2), or b <= 2/3
    S = (n / 2 - 1 / 2) P + (1 / (4 b) - 1 / 2) R             R >= R_b               [Song and Waldron 1989]

with duty factor b, pitch P between the legs of a side, and stroke R <= 2 P of a foot, which is b times the length of
the stride. Where S is negative the gait is not statically stable. For four legs and short strokes S is b - 3/4 strides,
the margin of the crawl. [McGhee and Frank 1968] The second line is fitted to margins of support polygons.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.gait.enumeration import check_duty

Array = NDArray[np.float64]

SAMPLES = 2000
"""Number of poses in a stride for a numerical margin: from one to the next a foot moves by 1/2000 of a stride."""

EVENT_OFFSET = 1e-9
"""Time before and after an event [cycles]: far above rounding, and far below a sample."""

NO_SUPPORT = -np.inf
"""Margin of a body without support."""


def wave_gait(ranks: int, duty: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return offsets of the left and of the right legs of a wave gait, from front to hind [cycles].

    ranks: number of pairs of legs. duty: duty factor of the legs. Raises WorldError for fewer than two pairs, and for a
    duty factor outside [1/2, 1).
    """
    _check_wave(ranks, duty)
    left = tuple(m * duty % 1.0 for m in range(ranks))
    return left, tuple((x + 0.5) % 1.0 for x in left)


def wave_gait_margin(ranks: int, duty: float, pitch: float, stroke: float) -> float:
    """Return the longitudinal stability margin of a wave gait, by the formula [m].

    ranks, duty: see wave_gait(). pitch: distance between neighbouring legs of a side [m]. stroke: distance by which a
    standing foot moves relative to the body, up to twice the pitch [m]. Raises WorldError for other lengths.
    """
    _check_wave(ranks, duty)
    if not (pitch > 0.0 and 0.0 < stroke <= 2.0 * pitch):
        raise WorldError(
            f"the formula holds for strokes up to twice the pitch, not for {stroke} m at a pitch of {pitch} m"
        )
    short = (0.5 * ranks - 1.0) * pitch + (1.0 - 0.75 / duty) * stroke
    return min(short, 0.5 * (ranks - 1.0) * pitch + (0.25 / duty - 0.5) * stroke)


def longitudinal_margin(
    offsets: Sequence[float], duty: Sequence[float], feet: Sequence[tuple[float, float]], stride: float
) -> float:
    """Return the longitudinal stability margin of a gait, from the support polygons of a stride [m].

    offsets: phases at which legs land [cycles]. duty: duty factors of the legs. feet: x and y of each foot in the
    middle of its stance, from the centre of mass, x ahead [m]. stride: distance travelled by the body in a stride [m].
    It is -inf if the line of motion leaves the polygon at some time. Raises WorldError for numbers that do not fit.
    """
    check_duty(offsets, duty)
    if len(feet) != len(offsets) or not stride > 0.0:
        raise WorldError(f"{len(offsets)} legs need as many feet, not {len(feet)}, and a stride longer than 0")
    margin = np.inf
    for time in _sample_times(offsets, duty):
        phases = (time - np.asarray(offsets)) % 1.0
        displacements = stride * (0.5 * np.asarray(duty) - phases)
        legs = zip(feet, displacements.tolist(), (phases < np.asarray(duty)).tolist(), strict=True)
        points = [(x + displacement, y) for (x, y), displacement, stands in legs if stands]
        margin = min(margin, _margin_along_x(points))
    return float(margin)


def support_margin(feet: Sequence[Sequence[float]], centre: Sequence[float]) -> float:
    """Return the stability margin of a pose: the distance of a centre of mass to the edge of the support [m].

    feet: x and y of each foot that stands [m]. centre: x and y of the centre of mass [m]. It is negative outside the
    polygon, always so with one or two feet, and -inf without feet.
    """
    points = convex_hull([(float(p[0]), float(p[1])) for p in feet])
    c = np.array([float(centre[0]), float(centre[1])])
    if not points:
        return NO_SUPPORT
    edges = [(np.array(a), np.array(b)) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    distance = min(_distance(a, b, c) for a, b in edges)
    inside = len(points) > 2 and all(_cross(b - a, c - a) >= 0.0 for a, b in edges)
    return distance if inside else -distance


def convex_hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of the convex hull of points, counterclockwise, by Andrew's monotone chain."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners below a sequence of points that is sorted by x."""
    chain: list[tuple[float, float]] = []
    for p in points:
        while len(chain) > 1 and _cross(np.subtract(chain[-1], chain[-2]), np.subtract(p, chain[-2])) <= 0.0:
            chain.pop()
        chain.append(p)
    return chain


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _distance(a: Array, b: Array, p: Array) -> float:
    """Return the distance of a point from the segment between a and b."""
    along, length = b - a, float((b - a) @ (b - a))
    s = min(max(float((p - a) @ along) / length, 0.0), 1.0) if length > 0.0 else 0.0
    return float(np.hypot(*(p - a - s * along)))


def _margin_along_x(points: Sequence[tuple[float, float]]) -> float:
    """Return the least distance from the origin to where the x axis leaves the hull of points; -inf outside."""
    crossings = [x for x, y in points if y == 0.0]
    for k, (xa, ya) in enumerate(points):
        crossings += [xa - ya * (xb - xa) / (yb - ya) for xb, yb in points[k + 1 :] if ya * yb < 0.0]
    if not crossings or max(crossings) < 0.0 or min(crossings) > 0.0:
        return NO_SUPPORT
    return min(max(crossings), -min(crossings))


def _sample_times(offsets: Sequence[float], duty: Sequence[float]) -> Array:
    """Return the times of a stride at which the support is computed.

    They are at equal intervals, and just before and after each event; at an event itself, rounding would decide which
    of two feet stands.
    """
    events = np.concatenate([np.asarray(offsets), np.asarray(offsets) + np.asarray(duty)]) % 1.0
    near = np.concatenate([events - EVENT_OFFSET, events + EVENT_OFFSET]) % 1.0
    even = (np.arange(SAMPLES) + 0.5) / SAMPLES
    distance = np.abs((even[:, None] - events + 0.5) % 1.0 - 0.5).min(axis=1)
    return np.concatenate([even[distance > EVENT_OFFSET], near])


def _check_wave(ranks: int, duty: float) -> None:
    if ranks < 2 or not 0.5 <= duty < 1.0:
        raise WorldError(f"a wave gait has two or more pairs of legs and 1/2 <= duty < 1, not {ranks} and {duty}")
