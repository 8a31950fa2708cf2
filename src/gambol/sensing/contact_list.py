"""A sensor that lists contacts: those that match links and a zone, the foremost ones, and the fields asked for.

    frame of a contact: n from the first link to the second, t = y - (y . n) n, normalised, n x t
    net contact: p = sum |f| p_i / sum |f|        f = sum f_i        m = sum (p_i - p) x f_i

[MuJoCo documentation, XML reference, sensor "contact"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.gap import FAR, UP
from gambol.collide.rays import Ray, check_shape_rays, shape_distance
from gambol.errors import WorldError, did_you_mean
from gambol.figure import IDENTITY, Figure, Matrix3, Shape, Triple
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.sensing.dynamics import SensedContact
from gambol.sensing.limits import check_parts
from gambol.sensing.loads import GROUND, MAX_POINTS
from gambol.sensing.mounted import XYZ, SensorFrame
from gambol.sensing.sensor import DYNAMICS, Sensor, SensorInput
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

CONTACT_FIELDS = {"found": 1, "force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3}
"""The fields of a contact, with the number of readings of each; names and order are MuJoCo's."""

REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
"""The choices of contacts where more match than there are readings."""

TINY_FORCE = 1e-15
"""Force below which a point of attack is not defined [N]: MuJoCo's mjMINVAL."""

BEFORE_ANY = -FAR
"""The rank of a contact that does not match; others rank higher."""


@dataclass(frozen=True)
class ContactSensor(Sensor):
    """A list of contacts between links (MuJoCo: contact). Two surfaces that overlap or push each other are in contact.

    first, second: names of links, or "ground"; a contact matches if one of its sides is among the first and the other
    among the second; None: any. count: number of contacts in the list; the readings of missing ones are 0. fields: what
    is read of each, in this order: "found" (number of contacts that match), "force" on the second link in the axes
    normal, tangent, normal x tangent [N], "torque" (0: contacts are points) [N m], "dist" (negative where the surfaces
    overlap) [m], "pos" in the world [m], "normal" from the first to the second link, "tangent". reduce: the contacts
    that are listed: "none" (any), "mindist" (the deepest), "maxforce" (the strongest), "netforce" (one contact that
    stands for all: their force and torque in world axes, at the middle of the points weighted by the forces; its "dist"
    is 0, normal and tangent are x and y). zone: a shape; a contact matches if its point is inside. zone_link, position,
    rotation: pose of the zone on a link, or in the world if zone_link is None [m].

    The sign of a tangent is a convention: MuJoCo's differ where the shapes are capsules, or where links touch links.
    """

    kind: ClassVar[str] = "contact"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    first: tuple[str, ...] | None = None
    second: tuple[str, ...] | None = None
    count: int = 1
    fields: tuple[str, ...] = ("found",)
    reduce: str = "none"
    zone: Shape | None = None
    zone_link: str | None = None
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Matrix3 = IDENTITY

    @property
    def readings(self) -> tuple[str, ...]:
        """The fields of each contact."""
        names = [name if CONTACT_FIELDS[name] == 1 else f"{name} {x}" for name in self.fields for x in XYZ]
        each = list(dict.fromkeys(names))
        return tuple(f"{name} {k}" for k in range(self.count) for name in each)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links; WorldError for unknown fields, and an impossible count or zone."""
        for link in (*(self.first or ()), *(self.second or ()), *((self.zone_link,) if self.zone_link else ())):
            if link != GROUND or link == self.zone_link:
                figure.link(link)
        check_parts(name, self.fields, tuple(CONTACT_FIELDS))
        if self.reduce not in REDUCTIONS:
            raise WorldError(f'the sensor "{name}" reduces by "{self.reduce}"; {did_you_mean(self.reduce, REDUCTIONS)}')
        most = 1 if self.reduce == "netforce" else MAX_POINTS
        if not 1 <= self.count <= most:
            raise WorldError(f'the sensor "{name}" lists {self.count} contacts; give 1 to {most}')
        if self.zone is not None:
            check_shape_rays(self.zone.kind)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the fields of each contact."""
        matching = self._matching(at)
        found: Scalar = sum((where(is_found, 1.0, 0.0) for _, is_found in matching), 0.0)
        if self.reduce == "netforce":
            return _fields(self.fields, found, _net(matching))
        width = sum(CONTACT_FIELDS[name] for name in self.fields)
        rows: list[list[Scalar]] = [[BEFORE_ANY, *([0.0] * width)] for _ in range(self.count)]
        for contact, is_found in matching:
            rank = where(is_found, _rank(self.reduce, contact), BEFORE_ANY)
            inserted = [rank, *_fields(self.fields, found, _of_contact(contact))]
            for k, row in enumerate(rows):
                is_before = inserted[0] > row[0]
                rows[k] = [where(is_before, x, y) for x, y in zip(inserted, row, strict=True)]
                inserted = [where(is_before, y, x) for x, y in zip(inserted, row, strict=True)]
        return [x for row in rows for x in row[1:]]

    def _matching(self, at: SensorInput) -> list[tuple[SensedContact, Scalar]]:
        """Return possible contacts of the links, each with a truth value: that they touch, within the zone.

        Forces are on the second link, and normals point from the first to the second.
        """
        first, second = (self._indices(at.figure, names) for names in (self.first, self.second))
        pairs: list[tuple[SensedContact, Scalar]] = []
        for c in at.dynamics.contacts:  # its force is on `link`, its normal towards it
            regular = (first is None or c.other in first) and (second is None or c.link in second)
            reverse = (first is None or c.link in first) and (second is None or c.other in second)
            if not regular and not reverse:
                continue
            turned = c if regular else SensedContact(c.other, c.link, c.point, -c.normal, c.gap, -c.force)
            touches = (c.gap < 0.0) | (c.force.dot(c.force) > 0.0)
            pairs.append((turned, touches & self._is_inside(at, c.point) if self.zone is not None else touches))
        return pairs

    def _is_inside(self, at: SensorInput, point: Vector) -> Scalar:
        assert self.zone is not None
        pose = SensorFrame.of(self.zone_link, self.position, self.rotation).in_world(at)
        return shape_distance(Ray(point, UP), self.zone, pose) <= 0.0

    @staticmethod
    def _indices(figure: Figure, names: Sequence[str] | None) -> set[int] | None:
        return None if names is None else {0 if name == GROUND else figure.link(name).index for name in names}


def _fields(names: Sequence[str], found: Scalar, values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
    """Return the readings of one contact. found: number of matching contacts; values: the other fields by name."""
    return [x for name in names for x in ((found,) if name == "found" else values[name])]


def _rank(reduce: str, contact: SensedContact) -> Scalar:
    """Return the number by which contacts are listed, the largest first."""
    if reduce == "mindist":
        return -contact.gap
    return contact.force.dot(contact.force) if reduce == "maxforce" else 0.0


def _of_contact(c: SensedContact) -> dict[str, Sequence[Scalar]]:
    """Return the fields of a contact, but "found"."""
    tangent = _tangent(c.normal)
    axes = (c.normal, tangent, c.normal.cross(tangent))
    return {
        "force": [axis.dot(c.force) for axis in axes],
        "torque": [0.0, 0.0, 0.0],
        "dist": [c.gap],
        "pos": [*c.point],
        "normal": [*c.normal],
        "tangent": [*tangent],
    }


def _tangent(n: Vector) -> Vector:
    """Return the first tangent of a normal: y, or z for a normal near y, made orthogonal to the normal."""
    is_near_y = abs(n.y) >= 0.5
    y = Vector(0.0, where(is_near_y, 0.0, 1.0), where(is_near_y, 1.0, 0.0))
    t = y - n * n.dot(y)
    squared = t.dot(t)
    return t * (1.0 / sqrt(where(squared > 0.0, squared, 1.0)))  # the normal of a distant pair is 0


def _net(matching: Sequence[tuple[SensedContact, Scalar]]) -> dict[str, Sequence[Scalar]]:
    """Return the fields of the contact that stands for all, but "found"."""
    forces = [_vector_where(is_found, c.force) for c, is_found in matching]
    weights = [sqrt(f.dot(f)) for f in forces]
    whole = maximum(sum(weights, 0.0), TINY_FORCE)
    point = sum((c.point * (w / whole) for (c, _), w in zip(matching, weights, strict=True)), ZERO)
    moments = ((c.point - point).cross(f) for (c, _), f in zip(matching, forces, strict=True))
    any_found = sum((where(is_found, 1.0, 0.0) for _, is_found in matching), 0.0) > 0.0
    one = where(any_found, 1.0, 0.0)
    return {
        "force": [*sum(forces, ZERO)],
        "torque": [*sum(moments, ZERO)],
        "dist": [0.0],
        "pos": [*point],
        "normal": [one, 0.0, 0.0],
        "tangent": [0.0, one, 0.0],
    }


def _vector_where(condition: Scalar, vector: Vector) -> Vector:
    """Return a vector if a condition holds, else 0."""
    return Vector(*(where(condition, x, 0.0) for x in vector))
