"""Sensors of the space between parts of links: distance, direction, and the nearest points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.convex import geom_of
from gambol.collide.gap import FAR, UP, Gap, select
from gambol.collide.pairs import gaps, ground_gaps, slots
from gambol.collide.rays import Ray, check_shape_rays, shape_distance
from gambol.errors import WorldError
from gambol.figure import Figure, Shape
from gambol.lanes import Scalar, where
from gambol.sensing.limits import check_parts
from gambol.sensing.mounted import XYZ, RelativeSensor
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.spatial import Vector

GAP_PARTS = {
    "distance": ("distance",),
    "normal": tuple(f"normal {x}" for x in XYZ),
    "points": tuple(f"{point} {x}" for point in ("from", "to") for x in XYZ),
}
"""Names of the readings of each part of a Distance."""


@dataclass(frozen=True)
class Distance(Sensor):
    """The distance of a link from another link or the ground, with direction and nearest points, in world axes.

    It is negative where they overlap (MuJoCo: distance, normal, fromto). link, other: names of the links; other None:
    the ground. part, other_part: index of the part that counts; None: all parts of the link. reach: distance beyond
    which nothing is found: the reading then is the reach, and normal and points are 0 [m]. parts: "distance" [m],
    "normal" from the link to the other one, "points", the nearest ones [m], in any order.
    """

    kind: ClassVar[str] = "distance"
    link: str
    other: str | None = None
    part: int | None = None
    other_part: int | None = None
    reach: float = 10.0
    parts: tuple[str, ...] = ("distance",)

    @property
    def readings(self) -> tuple[str, ...]:
        """The components of each part."""
        return tuple(name for part in self.parts for name in GAP_PARTS[part])

    @property
    def scales(self) -> tuple[float, ...]:
        """The reach, or 1 for a component of the normal."""
        return tuple(1.0 if part == "normal" else self.reach for part in self.parts for _ in GAP_PARTS[part])

    def numbers(self) -> dict[str, Any]:
        """Return the reach, an input of a program."""
        return {"reach": self.reach}

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links, WorldError for unknown parts and a reach that is impossible."""
        Sensor.check(self, name, figure, ground)
        check_parts(name, self.parts, tuple(GAP_PARTS))
        if not 0.0 < self.reach < FAR:
            raise WorldError(f'the sensor "{name}" reaches {self.reach} m; give more than 0 m and less than {FAR:g} m')
        for link, part in ((self.link, self.part), (self.other, self.other_part)):
            count = len(figure.link(link).parts) if link is not None else 1
            if not count or not 0 <= (part or 0) < count:
                raise WorldError(f'the sensor "{name}" reads part {part or 0} of "{link}", which has {count}')
        for a, b in self._kinds(figure):
            slots(a, b)

    def _kinds(self, figure: Figure) -> list[tuple[str, str]]:
        """Return the kinds of shapes between which it measures."""
        kinds = [
            ["plane"]
            if link is None
            else [geom_of(p.shape).kind for k, p in enumerate(figure.link(link).parts) if part in (None, k)]
            for link, part in ((self.link, self.part), (self.other, self.other_part))
        ]
        return [(a, b) for a in kinds[0] for b in kinds[1]]

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the components of each part."""
        zero = Vector(0.0, 0.0, 0.0)
        nearest = Gap(zero, zero, UP, FAR)
        for gap in self._gaps(at):
            nearest = select(gap.size < nearest.size, gap, nearest)
        found, reach = nearest.size <= numbers["reach"], numbers["reach"]
        values = {
            "distance": [where(found, nearest.size, reach)],
            "normal": [where(found, -x, 0.0) for x in nearest.normal],
            "points": [where(found, x, 0.0) for x in (*nearest.point_a, *nearest.point_b)],
        }
        return [x for part in self.parts for x in values[part]]

    def _gaps(self, at: SensorInput) -> list[Gap]:
        """Return all gaps; normals point from the other side to the link."""
        own = [x for k, x in enumerate(at.part_poses(self.link)) if self.part in (None, k)]
        if self.other is None:
            ground = at.ground, at.ground_numbers, at.table
            return [gap for shape, pose in own for gap in ground_gaps(shape, pose, *ground)]
        others = [x for k, x in enumerate(at.part_poses(self.other)) if self.other_part in (None, k)]
        return [gap for a in own for b in others for gap in gaps(*a, *b)]


@dataclass(frozen=True)
class InsideZone(RelativeSensor):
    """1 while the origin of its frame is inside a zone, else 0 (MuJoCo: insidesite).

    zone: a shape at the reference frame.
    """

    kind: ClassVar[str] = "inside_zone"
    zone: Shape | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """1 or 0."""
        return ("inside",)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links, WorldError for a zone that is missing or that rays cannot hit."""
        RelativeSensor.check(self, name, figure, ground)
        if self.zone is None:
            raise WorldError(f'the sensor "{name}" has no zone; give it a shape')
        check_shape_rays(self.zone.kind)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return 1 or 0."""
        ray = Ray(self.frame.in_world(at).position, UP)
        return [where(shape_distance(ray, self.zone, self.other.in_world(at)) <= 0.0, 1.0, 0.0)]
