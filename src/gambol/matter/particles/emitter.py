"""Emitters: positions, times and properties of new particles."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.particles.look import Look
from gambol.spatial import Curve

Array = NDArray[np.float64]
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Spread:
    """A uniformly distributed random quantity.

    mean: its mean; half_width: half width of its interval, 0 for a fixed value.
    """

    mean: float
    half_width: float = 0.0

    def sample(self, rng: np.random.Generator, count: int) -> Array:
        """Return random values (count,)."""
        return self.mean + self.half_width * rng.uniform(-1.0, 1.0, count)

    @property
    def least(self) -> float:
        """The least value."""
        return self.mean - abs(self.half_width)


class Source(Protocol):
    """A set of points in which particles are born."""

    def sample(self, rng: np.random.Generator, count: int) -> Array:
        """Return random points (count, 3) [m], in the frame of the emitter's link or of the world."""
        ...


@dataclass(frozen=True)
class PointSource:
    """A point. position [m]."""

    position: Triple = (0.0, 0.0, 0.0)

    def sample(self, rng: np.random.Generator, count: int) -> Array:
        """Return the point, count times."""
        return np.tile(np.array(self.position, float), (count, 1))


@dataclass(frozen=True)
class CurveSource:
    """Points of a curve, uniformly distributed over its length."""

    curve: Curve

    def sample(self, rng: np.random.Generator, count: int) -> Array:
        """Return random points of the curve."""
        return self.curve.at(self.curve.length * rng.uniform(size=count))


@dataclass(frozen=True)
class MeshSource:
    """Points of a surface of triangles, uniformly distributed over its area.

    vertices (n, 3) [m]. triangles (m, 3): indices of vertices. Raises WorldError for a surface without area.
    """

    vertices: Array
    triangles: NDArray[np.intp]
    _probabilities: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        a, b, c = (np.asarray(self.vertices, float)[np.asarray(self.triangles)[:, k]] for k in range(3))
        areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        if not 0.0 < areas.sum() < np.inf:
            raise WorldError(
                f"a mesh of {len(areas)} triangles has an area of {areas.sum()} m2; no particles can be born on it"
            )
        object.__setattr__(self, "_probabilities", areas / areas.sum())

    def sample(self, rng: np.random.Generator, count: int) -> Array:
        """Return random points of the surface."""
        chosen = rng.choice(len(self._probabilities), count, p=self._probabilities)
        a, b, c = (np.asarray(self.vertices, float)[np.asarray(self.triangles)[chosen, k]] for k in range(3))
        r, t = np.sqrt(rng.uniform(size=(count, 1))), rng.uniform(size=(count, 1))
        return a * (1.0 - r) + b * (r * (1.0 - t)) + c * (r * t)


BOUNCE, DIE = "bounce", "die"


@dataclass(frozen=True)
class Emitter:
    """A stream of particles of one kind.

    source: points of birth; None: particles are born at events only, see ParticleStepper.emit and `children_at_touch`.
    rate: particles per second, between start and end [s]. bursts: (time [s], number) pairs. direction: mean direction
    of the velocity; cone: half angle of the cone about it [rad]; speed [m/s]. lifetime [s]. radius [m]. density:
    density of the balls [kg/m3]. drag: linear [1/s] and quadratic [1/m] coefficient. restitution, friction:
    coefficients at a touch; rest_speed: speed below which there is no restitution [m/s]. on_touch: "bounce" or "die".
    children_at_touch, children_at_death: name of an emitter, and number of its particles that are born at this event.
    link: link that defines the frame of source and direction; particles inherit its velocity; None: the world. look:
    colour and size over life. Raises WorldError for impossible numbers, and for an emitter without particles.
    """

    source: Source | None = None
    rate: float = 0.0
    bursts: tuple[tuple[float, int], ...] = ()
    start: float = 0.0
    end: float = math.inf
    direction: Triple = (0.0, 0.0, 1.0)
    cone: float = 0.0
    speed: Spread = Spread(1.0)
    lifetime: Spread = Spread(1.0)
    radius: Spread = Spread(0.001)
    density: float = 1000.0
    drag: tuple[float, float] = (0.0, 0.0)
    restitution: float = 0.5
    friction: float = 0.3
    rest_speed: float = 0.01
    on_touch: str = BOUNCE
    children_at_touch: tuple[str, int] | None = None
    children_at_death: tuple[str, int] | None = None
    link: str | None = None
    look: Look = field(default_factory=Look)

    def __post_init__(self) -> None:
        direction = math.hypot(*self.direction)
        checks = (
            (direction > 0.0 and math.isfinite(direction), f"direction {self.direction}", "a direction"),
            (0.0 <= self.rate < math.inf, f"rate {self.rate}", "0 or more per second"),
            (0.0 <= self.cone <= math.pi, f"cone {self.cone}", "an angle from 0 to pi"),
            (self.lifetime.least > 0.0, f"lifetime {self.lifetime}", "times above 0"),
            (self.radius.least > 0.0, f"radius {self.radius}", "radii above 0"),
            (0.0 < self.density < math.inf, f"density {self.density}", "more than 0"),
            (all(0.0 <= c < math.inf for c in self.drag), f"drag {self.drag}", "two numbers of 0 or more"),
            (0.0 <= self.restitution <= 1.0, f"restitution {self.restitution}", "0 to 1"),
            (self.friction >= 0.0, f"friction {self.friction}", "0 or more"),
            (self.on_touch in (BOUNCE, DIE), f'on_touch "{self.on_touch}"', f'"{BOUNCE}" or "{DIE}"'),
            (self.start <= self.end, f"start {self.start} and end {self.end}", "a start before the end"),
            (all(n >= 0 for _, n in self.bursts), f"bursts {self.bursts}", "numbers of 0 or more"),
        )
        for good, given, expected in checks:
            if not good:
                raise WorldError(f"an emitter has {given}; give {expected}")
        emits = self.rate > 0.0 or any(n for _, n in self.bursts)
        if self.source is not None and not emits:
            raise WorldError("an emitter with a source emits nothing; give a rate or bursts, or no source for events")
        if self.source is None and emits:
            raise WorldError("an emitter with a rate or bursts has no source; give one, or neither of them for events")

    def count(self, begin: float, end: float) -> int:
        """Return the number of particles that are born from `begin` on, before `end` [s]."""
        first, last = (min(max(t, self.start), self.end) - self.start for t in (begin, end))
        flow = math.floor(self.rate * last + 1e-9) - math.floor(self.rate * first + 1e-9)
        return flow + sum(n for t, n in self.bursts if begin <= t < end)

    def velocities(self, rng: np.random.Generator, axes: Array) -> Array:
        """Return random velocities (n, 3) [m/s], uniformly distributed over the cone about each axis.

        axes: unit directions (n, 3).
        """
        n = len(axes)
        cosine = 1.0 - rng.uniform(size=n) * (1.0 - math.cos(self.cone))
        angle = rng.uniform(0.0, 2.0 * math.pi, n)
        sine = np.sqrt(np.maximum(0.0, 1.0 - cosine * cosine))
        other = np.where(np.abs(axes[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
        u = np.cross(axes, other)
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        w = np.cross(axes, u)
        across = u * np.cos(angle)[:, None] + w * np.sin(angle)[:, None]
        return (axes * cosine[:, None] + across * sine[:, None]) * self.speed.sample(rng, n)[:, None]

    @property
    def unit_direction(self) -> Array:
        """The direction as a unit vector (3,)."""
        return np.array(self.direction, float) / math.hypot(*self.direction)

    def mass(self, radius: Array) -> Array:
        """Return the masses of balls of these radii [kg]."""
        return self.density * (4.0 / 3.0) * math.pi * radius**3


def check_emitters(emitters: Sequence[tuple[str, Emitter]], links: Sequence[str]) -> None:
    """Raise WorldError for children of an unknown emitter, and for unknown links."""
    names = [name for name, _ in emitters]
    for name, emitter in emitters:
        for children in (emitter.children_at_touch, emitter.children_at_death):
            if children is not None and children[0] not in names:
                raise WorldError(
                    f'emitter "{name}" has children of "{children[0]}"; the emitters are {", ".join(names)}'
                )
        if emitter.link is not None and emitter.link not in links:
            known = ", ".join(links) or "none, as there is no figure"
            raise WorldError(f'emitter "{name}" is on link "{emitter.link}"; the links are {known}')


def kind_rows(emitter: Emitter) -> list[float]:
    """Return the numbers of a kind in the table of kinds: drag, restitution, friction, speed of rest."""
    return [*emitter.drag, emitter.restitution, emitter.friction, emitter.rest_speed]


KIND_SIZE = 5
"""Number of values of a kind in the table of kinds."""
