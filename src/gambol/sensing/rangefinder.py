"""Rangefinders: distances along rays from a link to the ground and to other links."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.gap import FAR
from gambol.collide.rays import Ray
from gambol.errors import WorldError
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.sensing.visible import check_visible, first_distance, visible_links
from gambol.spatial import Vector

MAX_RAYS = 64
"""Maximum number of rays of a sensor: each ray is traced into the program with every shape that it may hit."""


@dataclass(frozen=True)
class Rangefinder(Sensor):
    """Distances along rays from a point of a link, at most the reach [m] (MuJoCo: rangefinder).

    position: position of the origin of all rays, in the link's frame [m]. directions: directions of the rays, in the
    link's frame, each of any length. reach: reading of a ray without a hit [m]. sees: names of the links that rays may
    hit besides the ground; None: all links of other trees of a forest, such as obstacles. A ray that starts inside a
    shape or below the ground reads 0. Raises WorldError for no rays or too many, a direction of length 0, and a reach
    that is not between 0 and 1000 m.
    """

    kind: ClassVar[str] = "rangefinder"
    link: str
    position: Triple = (0.0, 0.0, 0.0)
    directions: tuple[Triple, ...] = ((1.0, 0.0, 0.0),)
    reach: float = 1.0
    sees: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.directions) <= MAX_RAYS:
            raise WorldError(f"a rangefinder has 1 to {MAX_RAYS} rays, not {len(self.directions)}")
        for direction in self.directions:
            if not 0.0 < math.hypot(*direction) < math.inf:
                raise WorldError(f"a rangefinder cannot look along {direction}; give a direction")
        if not 0.0 < self.reach < FAR:
            raise WorldError(f"a rangefinder reaches more than 0 m and less than {FAR:g} m, not {self.reach} m")

    @property
    def readings(self) -> tuple[str, ...]:
        """A distance for each ray."""
        return tuple(f"distance {k}" for k in range(len(self.directions)))

    @property
    def scales(self) -> tuple[float, ...]:
        """The reach, for each ray."""
        return (self.reach,) * len(self.directions)

    def numbers(self) -> dict[str, Any]:
        """Return the reach, an input of a program."""
        return {"reach": self.reach}

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError or FigureError for unknown links, and for shapes that rays cannot intersect."""
        Sensor.check(self, name, figure, ground)
        check_visible(figure, ground, visible_links(figure, self.link, self.sees))

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the distance along each ray [m]."""
        pose, links = at.pose(self.link), visible_links(at.figure, self.link, self.sees)
        origin = pose @ Vector(*self.position)
        distances: list[Scalar] = []
        for direction in self.directions:
            length = math.hypot(*direction)
            ray = Ray(origin, pose.rotation @ Vector(*(x / length for x in direction)))
            distances.append(first_distance(ray, at, links, numbers["reach"]))
        return distances
