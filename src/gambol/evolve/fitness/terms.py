"""The terms that a fitness is composed of, each a number per rollout of a trajectory; lengths in body lengths.

A term is a property of the motion and never of the genes. Motion before the first sample does not count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, cast

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness.trajectory import Array, Trajectory

Term = Callable[..., Array]

WINDOWS = 4
"""The number of parts of a rollout whose mean speeds are compared."""

RESTS = 0.3
"""Load on the belly of a crawling creature, as a fraction of its weight: from here on all of its pace counts."""

DEEP = 0.25
"""Overlap from which limbs count as intersecting, as a fraction of the thinner limb's radius: as deep as flesh gives
way.
"""

AIR = 1e-3
"""Load below which a creature counts as airborne, as a fraction of its weight."""

MISSED = 2.0
"""The largest factor by which sampled loads are corrected, on average over a rollout: a larger error is not one of
sampling.
"""

AFTER = 0.5
"""The last part of a rollout, in which the landing of a leap is judged [s]."""


def distance(trajectory: Trajectory) -> Array:
    """Return the distance covered along the direction first faced [body lengths]."""
    return trajectory.path[-1, :, 0]


def speed(trajectory: Trajectory) -> Array:
    """Return the least mean speed over quarters of the rollout, along the direction first faced [body lengths/s]."""
    edges = np.linspace(0, len(trajectory.time) - 1, WINDOWS + 1).round().astype(int)
    steps = np.diff(trajectory.path[edges, :, 0], axis=0) / np.diff(trajectory.time[edges])[:, None]
    return steps.min(axis=0)


def pace(trajectory: Trajectory) -> Array:
    """Return the mean speed along the direction first faced [body lengths/s]."""
    return distance(trajectory) / trajectory.duration


def straightness(trajectory: Trajectory) -> Array:
    """Return the distance between start and end over the length of the path: 1 on a straight line, 0 on the spot.

    The path connects samples a second apart, so a body that sways as it walks is straight.
    """
    every = max(1, round(1.0 / float(trajectory.time[1] - trajectory.time[0])))
    way = trajectory.path[::every]
    covered = np.linalg.norm(np.diff(way, axis=0), axis=2).sum(axis=0)
    ahead = np.linalg.norm(way[-1] - way[0], axis=1)
    return ahead / np.maximum(covered, 1e-9)


def ahead(trajectory: Trajectory) -> Array:
    """Return the mean cosine between the trunk's x axis and the direction first faced."""
    return trajectory.forward[..., 0].mean(axis=0)


def upright(trajectory: Trajectory) -> Array:
    """Return the mean cosine between the trunk's z axis and the vertical."""
    return trajectory.up[..., 2].mean(axis=0)


def height(trajectory: Trajectory) -> Array:
    """Return the mean height of the trunk, relative to its standing height."""
    return (trajectory.root[..., 2] / trajectory.standing_height).mean(axis=0)


def leap(trajectory: Trajectory) -> Array:
    """Return the greatest height of the centre of mass above that at the start [body lengths]."""
    return (trajectory.centre[..., 2].max(axis=0) - trajectory.centre[0, :, 2]) / trajectory.length


def landed(trajectory: Trajectory) -> Array:
    """Return how well it stands in the last half second: the mean of relative trunk height times the cosine of upright.

    1 on its feet, whatever it leapt before; 0 on its back or its side. In a crouch it is the relative height.
    """
    last = trajectory.time > trajectory.time[-1] - AFTER
    height = np.clip(trajectory.root[last][..., 2] / trajectory.standing_height, 0.0, 1.0)
    return (height * np.maximum(trajectory.up[last][..., 2], 0.0)).mean(axis=0)


def low(trajectory: Trajectory) -> Array:
    """Return the mean lowering of the trunk below its standing height, relative to it: 0 standing, near 1 lying."""
    return np.maximum(1.0 - trajectory.root[..., 2] / trajectory.standing_height, 0.0).mean(axis=0)


def flight(trajectory: Trajectory) -> Array:
    """Return the fraction of time in which no part of the creature presses on the ground.

    Counted at the samples, 30 a second: in hops within 0.01 (rms; 0.035 at most) of a count at every control step.
    """
    load = trajectory.pushes.sum(axis=2) + trajectory.elsewhere
    return (load < AIR * trajectory.mass * STANDARD_GRAVITY).mean(axis=0)


def dragging(trajectory: Trajectory) -> Array:
    """Return the mean fraction of the weight that rests on anything but the feet."""
    return _borne(trajectory).mean(axis=0)


def crawl(trajectory: Trajectory) -> Array:
    """Return the mean pace while part of the weight rests on anything but the feet [body lengths/s].

    From RESTS on all of the pace counts. Lying still is no crawling, nor is walking and then falling.
    """
    fraction = np.clip(_borne(trajectory) / RESTS, 0.0, 1.0)
    steps = np.diff(trajectory.path[..., 0], axis=0)
    return (steps * 0.5 * (fraction[1:] + fraction[:-1])).sum(axis=0) / trajectory.duration


def _borne(trajectory: Trajectory) -> Array:
    """Return the load on anything but the feet, in weights (T, W).

    Samples catch loads at instants, on average over a rollout 0.6 to 1.3 times the true ones; so all are scaled until
    their mean is what held the centre of mass up: m (g + (v1 - v0) / T), v between the first and the last two samples.
    The remaining error is that of the feet's fraction of the load: half to a seventh of what it was.
    """
    weight = trajectory.mass * STANDARD_GRAVITY
    sampled = (trajectory.pushes.sum(axis=2) + trajectory.elsewhere)[1:-1].mean(axis=0) / weight
    rise = np.diff(trajectory.centre[..., 2], axis=0) / np.diff(trajectory.time)[:, None]
    gained = (rise[-1] - rise[0]) / (
        0.5 * (trajectory.time[-1] + trajectory.time[-2] - trajectory.time[1] - trajectory.time[0])
    )
    mean = 1.0 + gained / STANDARD_GRAVITY
    return trajectory.elsewhere / weight * np.clip(mean / np.maximum(sampled, AIR), 1.0 / MISSED, MISSED)


def slip(trajectory: Trajectory) -> Array:
    """Return the sliding of feet under load, relative to the distance covered.

    It is the work of friction over friction coefficient times weight times distance. A body dragged along on its belly
    has 1, wheels have 0.
    """
    slid = trajectory.ledger_change("sliding") / np.maximum(
        trajectory.friction * trajectory.mass * STANDARD_GRAVITY, 1e-12
    )
    return slid / np.maximum(np.abs(distance(trajectory)) * trajectory.length, 0.1 * trajectory.length)


def transport(trajectory: Trajectory) -> Array:
    """Return the cost of transport: work of the motors over weight times distance.

    Distances below a tenth of a body length count as that.
    """
    way = np.maximum(distance(trajectory), 0.1) * trajectory.length
    return trajectory.ledger_change("motors") / (trajectory.mass * STANDARD_GRAVITY * way)


def tangle(trajectory: Trajectory) -> Array:
    """Return the fraction of time in which limbs overlap by a quarter of the thinner limb's radius or more."""
    return (trajectory.limb_overlap > DEEP).mean(axis=0)


def along(trajectory: Trajectory, *, points: tuple[tuple[float, float], ...]) -> Array:
    """Return the distance covered along a path in the plane, minus the mean distance from it [body lengths].

    points: of the path, from the start on, in body lengths. At every sample the creature is at the nearest point of the
    path.
    """
    corners = np.array([(0.0, 0.0), *points])
    parts = np.diff(corners, axis=0)
    sizes = np.linalg.norm(parts, axis=1)
    begins = np.concatenate([[0.0], np.cumsum(sizes)])[:-1]
    from_corner = trajectory.path[:, :, None, :] - corners[:-1]
    fraction = np.clip((from_corner * parts).sum(axis=-1) / sizes**2, 0.0, 1.0)
    astray = np.linalg.norm(from_corner - fraction[..., None] * parts, axis=-1)
    nearest = astray.argmin(axis=-1)[..., None]
    done = np.take_along_axis(begins + fraction * sizes, nearest, axis=-1)[..., 0]
    off = np.take_along_axis(astray, nearest, axis=-1)[..., 0]
    return done[-1] - np.ascontiguousarray(off.T).mean(axis=1)  # in the order of times, whatever lies beside them


TERMS: dict[str, Term] = {
    "distance": distance,
    "speed": speed,
    "pace": pace,
    "straightness": straightness,
    "ahead": ahead,
    "upright": upright,
    "height": height,
    "leap": leap,
    "landed": landed,
    "low": low,
    "flight": flight,
    "dragging": dragging,
    "crawl": crawl,
    "slip": slip,
    "transport": transport,
    "tangle": tangle,
    "along": along,
}
"""The terms by name."""


@dataclass(frozen=True)
class WeightedTerm:
    """A weighted term of a fitness: weight times the term's value, clipped to [least, most].

    least, most: None for no bound. options: further arguments of the term. Raises EvolveError for an unknown term, for
    numbers that are none, and for options that the term does not take.
    """

    term: str
    weight: float
    least: float = -np.inf
    most: float = np.inf
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        if self.term not in list(TERMS):
            raise EvolveError(f'fitness has no term "{self.term}"; {did_you_mean(str(self.term), TERMS)}')
        for name, default in (("least", -np.inf), ("most", np.inf)):
            if cast("object", getattr(self, name)) is None:  # as plain data tells what is not finite
                object.__setattr__(self, name, default)
        for name in ("weight", "least", "most"):
            value = getattr(self, name)
            if type(value) not in (int, float) or np.isnan(value) or (name == "weight" and np.isinf(value)):
                raise EvolveError(f'the {name} of "{self.term}" is {value!r}; it must be finite')
        try:
            signature(TERMS[self.term]).bind(None, **self.options)
        except TypeError as error:
            raise EvolveError(f'the term "{self.term}" does not take the options {self.options!r}: {error}') from error
        object.__setattr__(self, "options", {name: _frozen(value) for name, value in self.options.items()})

    def as_data(self) -> dict[str, Any]:
        """Return the term as plain data; bounds that are not set are left out."""
        bounds = {name: bound for name in ("least", "most") if np.isfinite(bound := getattr(self, name))}
        return {"term": self.term, "weight": self.weight, **bounds, "options": dict(self.options)}

    def values(self, trajectory: Trajectory) -> Array:
        """Return the term's own value for every rollout (W,)."""
        return TERMS[self.term](trajectory, **self.options)

    def score(self, value: Array) -> Array:
        """Return the contribution of such values to the fitness."""
        return self.weight * np.clip(value, self.least, self.most)


def _frozen(value: Any) -> Any:
    """Return plain data with tuples for lists."""
    return tuple(_frozen(x) for x in cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else value
