"""Height scans: heights of a link above the ground at points around it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground, NoGround
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, sqrt
from gambol.sensing.mounted import MountedSensor
from gambol.sensing.sensor import Sensor, SensorInput

MAX_POINTS = 1024
"""Maximum number of points of a scan: each point is a reading of a world."""

MIN_SQUARED_HEADING = 1e-12
"""Lower bound of the squared horizontal part of a link's forward axis, for links that point straight up or down."""


@dataclass(frozen=True)
class HeightScan(MountedSensor):
    """The height of the sensor above the ground at points of a level grid around it [m].

    points: x forward and y to the left of the sensor's origin, in a frame that turns with the heading of the sensor's x
    axis, but stays level [m]. Only the ground is scanned, not other links. Raises WorldError for no points, for too
    many points, and for points that are not finite.
    """

    kind: ClassVar[str] = "height_scan"
    points: tuple[tuple[float, float], ...] = ((0.0, 0.0),)

    def __post_init__(self) -> None:
        MountedSensor.__post_init__(self)
        if not 1 <= len(self.points) <= MAX_POINTS:
            raise WorldError(f"a height scan has 1 to {MAX_POINTS} points, not {len(self.points)}")
        for point in self.points:
            if not all(map(math.isfinite, point)):
                raise WorldError(f"a height scan cannot have a point at {point} m; it must be finite")

    @property
    def readings(self) -> tuple[str, ...]:
        """A height for each point."""
        return tuple(f"height {k}" for k in range(len(self.points)))

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link, WorldError for a world without ground."""
        Sensor.check(self, name, figure, ground)
        if isinstance(ground, NoGround):
            raise WorldError(f'the sensor "{name}" scans the ground, and the world has none')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the height above the ground at each point [m]."""
        pose = self.frame.in_world(at)
        forward, origin = pose.rotation.columns[0], pose.position
        scale = 1.0 / sqrt(maximum(forward.x * forward.x + forward.y * forward.y, MIN_SQUARED_HEADING))
        c, s = forward.x * scale, forward.y * scale
        positions = [(origin.x + c * x - s * y, origin.y + s * x + c * y) for x, y in self.points]
        return [origin.z - at.ground.surface(at.ground_numbers, at.table, *position).height for position in positions]
