"""Sensors of loads: the wrench in the joint of a link, touch, and forces and points of contacts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.gap import FAR
from gambol.collide.rays import Ray, check_shape_rays, shape_distance
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure, Shape
from gambol.lanes import Scalar, total, where
from gambol.sensing.dynamics import SensedContact
from gambol.sensing.mounted import XYZ, MountedSensor
from gambol.sensing.sensor import DYNAMICS, Sensor, SensorInput
from gambol.spatial.vector import ZERO

WRENCH = ("force", "torque")
"""The parts of a wrench."""

GROUND = "ground"
"""The name that stands for the ground where names of touched links are given."""

MAX_POINTS = 16
"""Maximum number of contact points of a sensor: each is compared with every possible contact of the link."""


@dataclass(frozen=True)
class ForceTorque(MountedSensor):
    """The wrench of the parent on a link through its joint (MuJoCo: force, torque).

    In the sensor's axes, about its origin. parts: "force" [N] or "torque" [N m] or both, in any order. For a link with
    a free joint both are 0. Closures of loops and tendons act on links as external forces. In an overconstrained loop
    the wrenches are one of several possible sets.
    """

    kind: ClassVar[str] = "force_torque"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    parts: tuple[str, ...] = WRENCH

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components of each part."""
        return tuple(f"{part} {axis}" for part in self.parts for axis in XYZ)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for unknown parts, FigureError for an unknown link."""
        Sensor.check(self, name, figure, ground)
        for part in self.parts:
            if part not in WRENCH:
                raise WorldError(f'the sensor "{name}" reads "{part}"; {did_you_mean(part, WRENCH)}')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the parts of the wrench."""
        wrench = at.dynamics.joint_wrenches[at.figure.link(self.link).index]
        pose = self.frame.pose
        moment = wrench.n - pose.position.cross(wrench.f)
        values = {"force": wrench.f, "torque": moment}
        return [x for part in self.parts for x in pose.rotation.transpose @ values[part]]


def contacts_of(at: SensorInput, link: str, others: tuple[str, ...] | None = None) -> Iterator[SensedContact]:
    """Yield the possible contacts of a link, with the forces on it and normals towards it.

    others: names of other links, or "ground", whose contacts with the link count; None: all.
    """
    index = at.figure.link(link).index
    chosen = None if others is None else {0 if name == GROUND else at.figure.link(name).index for name in others}
    for c in at.dynamics.contacts:
        if index not in (c.link, c.other):
            continue
        other, sign = (c.other, 1.0) if c.link == index else (c.link, -1.0)
        if chosen is None or other in chosen:
            yield SensedContact(index, other, c.point, c.normal * sign, c.gap, c.force * sign)


@dataclass(frozen=True)
class ContactForce(Sensor):
    """The force of all contacts of a link, in world axes [N].

    others: names of links that push this link, or "ground"; None: all.
    """

    kind: ClassVar[str] = "contact_force"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    link: str
    others: tuple[str, ...] | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links."""
        Sensor.check(self, name, figure, ground)
        for other in self.others or ():
            if other != GROUND:
                figure.link(other)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the force."""
        return list(sum((c.force for c in contacts_of(at, self.link, self.others)), ZERO))


@dataclass(frozen=True)
class ContactPoints(ContactForce):
    """The contacts of a link with the largest forces: their points [m] and forces on the link [N], in world axes.

    count: number of contacts; the readings of missing contacts are 0.
    """

    kind: ClassVar[str] = "contact_points"
    count: int = 1

    @property
    def readings(self) -> tuple[str, ...]:
        """Point and force of each contact."""
        return tuple(f"{part} {k} {x}" for k in range(self.count) for part in ("point", "force") for x in XYZ)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links, WorldError for an impossible count."""
        ContactForce.check(self, name, figure, ground)
        if not 1 <= self.count <= MAX_POINTS:
            raise WorldError(f'the sensor "{name}" reads {self.count} contacts; give 1 to {MAX_POINTS}')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return points and forces, by decreasing force: an insertion sort by the squared force."""
        rows: list[list[Scalar]] = [[0.0] * 7 for _ in range(self.count)]
        for c in contacts_of(at, self.link, self.others):
            inserted = [c.force.dot(c.force), *c.point, *c.force]
            for k, row in enumerate(rows):
                larger = inserted[0] > row[0]
                rows[k] = [where(larger, x, y) for x, y in zip(inserted, row, strict=True)]
                inserted = [where(larger, y, x) for x, y in zip(inserted, row, strict=True)]
        return [x for row in rows for x in row[1:]]


@dataclass(frozen=True)
class Touch(MountedSensor):
    """The sum of the normal forces of contacts on a link [N] (MuJoCo: touch).

    zone: a shape in the sensor's frame; a contact counts if the line from its point along its normal into the link
    intersects the zone, as in MuJoCo. None: all contacts of the link count.
    """

    kind: ClassVar[str] = "touch"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    zone: Shape | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """The force."""
        return ("force",)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link, WorldError for a shape that rays cannot hit."""
        Sensor.check(self, name, figure, ground)
        if self.zone is not None:
            check_shape_rays(self.zone.kind)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the force."""
        pose = self.frame.in_world(at)
        pushes: list[Scalar] = []
        for c in contacts_of(at, self.link):
            push = c.force.dot(c.normal)
            if self.zone is not None:
                push = where(shape_distance(Ray(c.point, c.normal), self.zone, pose) < FAR, push, 0.0)
            pushes.append(push)
        return [total(pushes)]
