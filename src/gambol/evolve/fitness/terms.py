"""The terms that a fitness is composed of, each a number for every life of a track; lengths in body lengths.

A term is a property of the motion and never of the genes. What a life did before it was measured does not count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, cast

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness.track import Array, Track

Term = Callable[..., Array]

WINDOWS = 4
"""Parts of a life in each of which a speed is held."""

RESTS = 0.3
"""Of its weight: what a crawling creature has on its belly, or more."""

DEEP = 0.25
"""Of a limb's radius: as deep as flesh gives way."""

AIR = 1e-3
"""Of the weight: what a creature in the air presses on the ground, at most."""

MISSED = 2.0
"""By what factor samples of pushes are off at most, on average over a life: beyond, it is not the samples."""

AFTER = 0.5
"""The last part of a life [s], in which it shows how a leap was landed."""


def distance(track: Track) -> Array:
    """How far it got along the way it first faced [body lengths]."""
    return track.way[-1, :, 0]


def speed(track: Track) -> Array:
    """The least of its mean speeds over the quarters of its life, along the way it first faced [body lengths/s]."""
    edges = np.linspace(0, len(track.time) - 1, WINDOWS + 1).round().astype(int)
    steps = np.diff(track.way[edges, :, 0], axis=0) / np.diff(track.time[edges])[:, None]
    return steps.min(axis=0)


def pace(track: Track) -> Array:
    """Its mean speed along the way it first faced [body lengths/s]."""
    return distance(track) / track.duration


def straightness(track: Track) -> Array:
    """How much of the way it went brought it on: 1 on a straight line, 0 on the spot. Swings within a second are none.

    The way is that between samples a second apart, so a body that sways as it walks is straight.
    """
    every = max(1, round(1.0 / float(track.time[1] - track.time[0])))
    way = track.way[::every]
    gone = np.linalg.norm(np.diff(way, axis=0), axis=2).sum(axis=0)
    ahead = np.linalg.norm(way[-1] - way[0], axis=1)
    return ahead / np.maximum(gone, 1e-9)


def ahead(track: Track) -> Array:
    """Whether it looks where it first faced: the mean cosine between that and the trunk's own x."""
    return track.forward[..., 0].mean(axis=0)


def upright(track: Track) -> Array:
    """Mean cosine between the trunk's own z and straight up."""
    return track.up[..., 2].mean(axis=0)


def height(track: Track) -> Array:
    """Mean height of the trunk, of the height at which it stands."""
    return (track.root[..., 2] / track.stand).mean(axis=0)


def leap(track: Track) -> Array:
    """The greatest height of the centre of mass above that at the start [body lengths]."""
    return (track.centre[..., 2].max(axis=0) - track.centre[0, :, 2]) / track.length


def landed(track: Track) -> Array:
    """How well it stands in the last half second: the mean of height, of that at rest, times the cosine of upright.

    1 on its feet, whatever it leapt before; 0 on its back or its side. In a crouch it is the part of the height left.
    """
    last = track.time > track.time[-1] - AFTER
    height = np.clip(track.root[last][..., 2] / track.stand, 0.0, 1.0)
    return (height * np.maximum(track.up[last][..., 2], 0.0)).mean(axis=0)


def low(track: Track) -> Array:
    """How far the trunk is below the height at which it stands, as a mean part of that: 0 standing, near 1 flat."""
    return np.maximum(1.0 - track.root[..., 2] / track.stand, 0.0).mean(axis=0)


def flight(track: Track) -> Array:
    """The part of its life in which nothing of it presses on the ground.

    Counted at the samples, 30 a second: in hops within 0.01 (rms; 0.035 at most) of what counting every frame says.
    """
    load = track.pushes.sum(axis=2) + track.elsewhere
    return (load < AIR * track.mass * STANDARD_GRAVITY).mean(axis=0)


def dragging(track: Track) -> Array:
    """The part of its weight that rests on anything but its feet."""
    return _borne(track).mean(axis=0)


def crawl(track: Track) -> Array:
    """Its mean pace while a share of its weight is on anything but its feet; from RESTS on all counts [body lengths/s].

    Who lies still does not crawl, nor does who walks and then falls.
    """
    share = np.clip(_borne(track) / RESTS, 0.0, 1.0)
    steps = np.diff(track.way[..., 0], axis=0)
    return (steps * 0.5 * (share[1:] + share[:-1])).sum(axis=0) / track.duration


def _borne(track: Track) -> Array:
    """What presses on anything but the feet, in weights (T, W).

    Samples catch pushes at instants, on average over a life 0.6 to 1.3 times what they are; so all are scaled until
    their mean is what held the centre of mass up: m (g + (v1 - v0) / T), v between the first and the last two samples.
    What is left of the error is the share of feet in pushes: half to a seventh of what it was.
    """
    weight = track.mass * STANDARD_GRAVITY
    sampled = (track.pushes.sum(axis=2) + track.elsewhere)[1:-1].mean(axis=0) / weight
    rise = np.diff(track.centre[..., 2], axis=0) / np.diff(track.time)[:, None]
    gained = (rise[-1] - rise[0]) / (0.5 * (track.time[-1] + track.time[-2] - track.time[1] - track.time[0]))
    mean = 1.0 + gained / STANDARD_GRAVITY
    return track.elsewhere / weight * np.clip(mean / np.maximum(sampled, AIR), 1.0 / MISSED, MISSED)


def slip(track: Track) -> Array:
    """How far feet slid under load, of how far it got: work of friction over friction times weight times distance.

    A body dragged along on its belly has 1, wheels have 0.
    """
    slid = track.spent("sliding") / np.maximum(track.friction * track.mass * STANDARD_GRAVITY, 1e-12)
    return slid / np.maximum(np.abs(distance(track)) * track.length, 0.1 * track.length)


def transport(track: Track) -> Array:
    """The cost of transport: work of its motors over weight times distance.

    Less than a tenth of a body length counts as that.
    """
    way = np.maximum(distance(track), 0.1) * track.length
    return track.spent("motors") / (track.mass * STANDARD_GRAVITY * way)


def tangle(track: Track) -> Array:
    """The part of its life in which limbs lie in each other by a quarter of the thinner's radius or more."""
    return (track.tangled > DEEP).mean(axis=0)


def along(track: Track, *, points: tuple[tuple[float, float], ...]) -> Array:
    """How far it got along a path through some points of the plane, less how far it strayed [body lengths].

    points: from the start on, in body lengths. At every sample it is at the nearest place of the path that is no
    farther back than before.
    """
    corners = np.array([(0.0, 0.0), *points])
    parts = np.diff(corners, axis=0)
    sizes = np.linalg.norm(parts, axis=1)
    begins = np.concatenate([[0.0], np.cumsum(sizes)])[:-1]
    from_corner = track.way[:, :, None, :] - corners[:-1]
    share = np.clip((from_corner * parts).sum(axis=-1) / sizes**2, 0.0, 1.0)
    astray = np.linalg.norm(from_corner - share[..., None] * parts, axis=-1)
    nearest = astray.argmin(axis=-1)[..., None]
    done = np.take_along_axis(begins + share * sizes, nearest, axis=-1)[..., 0]
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
"""By name: what a life can be measured by."""


@dataclass(frozen=True)
class Weighed:
    """A term in a fitness: weight times the value, held between least and most.

    least, most: None for no bound. options: what the term is told besides the track. Raises EvolveError for a term that
    is not there, numbers that are none, and options that the term does not take.
    """

    term: str
    weight: float
    least: float = -np.inf
    most: float = np.inf
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        if self.term not in list(TERMS):
            raise EvolveError(f'fitness has no term "{self.term}"; {did_you_mean(str(self.term), TERMS)}')
        for name, none in (("least", -np.inf), ("most", np.inf)):
            if cast("object", getattr(self, name)) is None:  # as plain data tells what is not finite
                object.__setattr__(self, name, none)
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
        """The term as plain data: what it does not say is left out."""
        bounds = {name: bound for name in ("least", "most") if np.isfinite(bound := getattr(self, name))}
        return {"term": self.term, "weight": self.weight, **bounds, "options": dict(self.options)}

    def values(self, track: Track) -> Array:
        """The term's own value for every life."""
        return TERMS[self.term](track, **self.options)

    def worth(self, value: Array) -> Array:
        """What such values add to the fitness."""
        return self.weight * np.clip(value, self.least, self.most)


def _frozen(value: Any) -> Any:
    """Plain data with tuples for lists."""
    return tuple(_frozen(x) for x in cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else value
