"""Goals of a planned motion: poses at times, points at positions, points along curves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gambol.figure import Triple
from gambol.lanes import Scalar

Values: TypeAlias = float | tuple[float | None, ...]
"""The coordinates or velocities of a joint: a number, or a tuple with None for free ones."""

Relation: TypeAlias = Literal["at", "above", "below", "within"]
"""Relations of a point to a position: at it; at or beyond it along each axis; at or below it; within `radius` of it."""

Curve: TypeAlias = tuple[Triple, ...] | Callable[[Scalar], Sequence[Scalar]]
"""A curve in the world [m]: control points of a Bezier curve, or a function of the parameter from 0 to 1 over generic
scalars that returns x, y, z."""


@dataclass(frozen=True)
class PhaseTime:
    """A time as a fraction of a phase, for plans with free durations.

    phase: name of the phase. fraction: 0 at its start, 1 at its end.
    """

    phase: str
    fraction: float = 0.0


Time: TypeAlias = float | PhaseTime
"""A time in a plan: seconds from its start (earlier durations must then be fixed), or a fraction of a phase."""


@dataclass(frozen=True)
class Pose:
    """Positions and velocities of some joints at a time.

    time: time of a key pose; ignored at the start and the goal of a plan. positions, velocities: values by the name of
    the joint's link; a joint that is absent is free. A quaternion must be complete. tolerance: tolerance of each
    coordinate and velocity [rad, m, rad/s, m/s].
    """

    time: Time = 0.0
    positions: Mapping[str, Values] = field(default_factory=dict[str, Values])
    velocities: Mapping[str, Values] = field(default_factory=dict[str, Values])
    tolerance: float = 0.0


@dataclass(frozen=True)
class PointTarget:
    """A point of the figure at a position, at a time or from `time` until `until`.

    point: name of a Point, a link, or "link.k", the k-th contact point of a link. place: position in the world [m];
    None along a free axis. relation: see Relation. radius: radius of "within" [m]. velocity: velocity of the point
    [m/s]; None if it is free.
    """

    point: str
    place: tuple[float | None, float | None, float | None] = (None, None, None)
    time: Time = 0.0
    until: Time | None = None
    relation: Relation = "at"
    radius: float = 0.0
    velocity: tuple[float | None, float | None, float | None] = (None, None, None)


@dataclass(frozen=True)
class PointPath:
    """A point of the figure on a curve from `time` until `until`.

    point: as for PointTarget. curve: see Curve. pace: "time" if the parameter increases linearly in time, "free" if the
    solver chooses how it increases from 0 to 1.
    """

    point: str
    curve: Curve
    time: Time = 0.0
    until: Time = 1.0
    pace: Literal["time", "free"] = "time"
