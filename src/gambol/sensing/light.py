"""Point lights and light sensors: the inverse square law and Lambert's cosine law. [Lambert 1760; Braitenberg 1984]

    E = sum_k I_k max(0, n . u_k) / max(d_k, r_k)^2        u_k = (p_k - p) / d_k,  d_k = |p_k - p|

p: position of the sensor, n: its normal, p_k: position of light k, r_k: radius of the light, within which E is
constant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.convex.direction import unit_or
from gambol.collide.rays import Ray
from gambol.errors import WorldError
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar, maximum, where
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.sensing.visible import check_visible, first_distance, visible_links
from gambol.spatial import Vector

UP = Vector(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Light:
    """A point light of the world, which shines equally in all directions.

    position: position in the world [m]. intensity: radiant or luminous intensity [W/sr or cd]. radius: radius of the
    lamp [m]; for a sensor nearer than this radius, the illuminance is as at this distance. Position and intensity are
    inputs of a program, so they may differ between worlds. Raises WorldError for numbers that are not finite, a
    negative intensity, and a radius that is not positive.
    """

    position: Triple
    intensity: float = 1.0
    radius: float = 0.01

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.position)):
            raise WorldError(f"a light cannot be at {self.position} m; its position must be finite")
        if not 0.0 <= self.intensity < math.inf:
            raise WorldError(f"a light has an intensity of 0 or more, not {self.intensity}")
        if not 0.0 < self.radius < math.inf:
            raise WorldError(f"a light has a radius of more than 0 m, not {self.radius} m")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the light by name, as inputs of a program."""
        return {"position": list(self.position), "intensity": self.intensity, "radius": self.radius}


def illuminance(point: Vector, normal: Vector, light: Mapping[str, Any]) -> Scalar:
    """Return the illuminance by one light of a small surface: 0 if the light is behind it [W/m2 or lx].

    point: point of the surface, in the world [m]. normal: normal of the surface, unit. light: numbers of the light.
    """
    to_light = Vector(*light["position"]) - point
    u, distance = unit_or(to_light, UP)
    effective = maximum(distance, light["radius"])
    return light["intensity"] * maximum(normal.dot(u), 0.0) / (effective * effective)


@dataclass(frozen=True)
class LightSensor(Sensor):
    """A small flat light sensor on a link, which measures its illuminance [W/m2 or lx].

    position: position in the link's frame [m]. normal: the direction in which the sensor looks, in the link's frame, of
    any length. scale: divisor of the reading as the input of a network. shadows: True if links and ground hide lights
    from the sensor. sees: names of the links that hide lights; None: all links of other trees. Raises WorldError for a
    normal of length 0 and a scale that is not positive.
    """

    kind: ClassVar[str] = "light"
    link: str
    position: Triple = (0.0, 0.0, 0.0)
    normal: Triple = (1.0, 0.0, 0.0)
    scale: float = 1.0
    shadows: bool = False
    sees: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not 0.0 < math.hypot(*self.normal) < math.inf:
            raise WorldError(f"a light sensor cannot look along {self.normal}; give a direction")
        if not 0.0 < self.scale < math.inf:
            raise WorldError(f"the scale of a light sensor is {self.scale}; give more than 0")

    @property
    def readings(self) -> tuple[str, ...]:
        """One number: the illuminance."""
        return ("illuminance",)

    @property
    def scales(self) -> tuple[float, ...]:
        """The scale of the illuminance."""
        return (self.scale,)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError or FigureError for unknown links, and for shapes that rays cannot intersect."""
        Sensor.check(self, name, figure, ground)
        if self.shadows:
            check_visible(figure, ground, visible_links(figure, self.link, self.sees))

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the illuminance by all lights of the world that the sensor can see [W/m2 or lx]."""
        pose, length = at.pose(self.link), math.hypot(*self.normal)
        point, normal = pose @ Vector(*self.position), pose.rotation @ Vector(*(x / length for x in self.normal))
        return [sum((self._from(light, point, normal, at) for light in at.lights), 0.0)]

    def _from(self, light: Mapping[str, Any], point: Vector, normal: Vector, at: SensorInput) -> Scalar:
        bright = illuminance(point, normal, light)
        if not self.shadows:
            return bright
        u, distance = unit_or(Vector(*light["position"]) - point, UP)
        links = visible_links(at.figure, self.link, self.sees)
        return where(first_distance(Ray(point, u), at, links, distance) < distance, 0.0, bright)


def light_numbers(lights: Sequence[Light]) -> list[dict[str, Any]]:
    """Return the numbers of lights, as inputs of a program."""
    return [light.numbers() for light in lights]
