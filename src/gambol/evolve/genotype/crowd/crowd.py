"""A crowd: creatures of any structures, grown at once as numbers of one template that stands for them all.

A creature told as data one after the other takes milliseconds (see figure.anybody.as_data); a crowd of hundreds takes
tens. It moves just as they do, in axes of its own choice. A creature's numbers have the same bits in every crowd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.evolve.genotype.anatomy import trunk_link
from gambol.evolve.genotype.crowd.limbs import (
    Joined,
    carried_inertias,
    carrier_axes,
    chosen,
    joined,
    poses_of,
)
from gambol.evolve.genotype.crowd.places import places_of, trunk_of
from gambol.evolve.genotype.crowd.signals import dealt
from gambol.evolve.genotype.genotype import Genotype
from gambol.evolve.genotype.growth import standing
from gambol.evolve.genotype.servos import servo_numbers, spring_of
from gambol.figure import Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.figure.anybody import UNTOUCHED
from gambol.figure.measures import remeasured
from gambol.lanes import Scalar, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME
from gambol.spatial.vector import ZERO

if TYPE_CHECKING:
    from gambol.world import World

RESTING = {"lower": 0.0, "upper": 0.0, "stiffness": 1.0, "damping": 1.0, "strength": np.inf, "power": np.inf}
"""The servo of a link that is not there; its rotor of 1 kg m2 never moves."""

LOOSE = JointSpring(damping=1.0, lower=-1.0, upper=1.0)
"""The spring of a link that is not there, of the form that those of others have."""


@dataclass(frozen=True)
class Crowd:
    """Creatures of any structures. All numbers are arrays (W,).

    figure: the template with their numbers. springs, servos: by the template's links, servos as Actuator.numbers().
    control: the numbers of a pattern with a signal for each link. q: coordinates of the template where each begins
    (W, nq). feet: of each creature, the places of its last links among the template's but the root, from 0. height: of
    the trunk's middle at the start [m]; length: from the foremost to the hindmost point of its balls there [m]. trunk,
    links: the template's root and all other places, as links.
    """

    figure: Figure
    springs: Mapping[str, JointSpring]
    servos: Mapping[str, Mapping[str, Scalar]]
    control: Any
    q: NDArray[np.float64]
    feet: tuple[tuple[int, ...], ...]
    height: NDArray[np.float64]
    length: NDArray[np.float64]
    mass: NDArray[np.float64]
    trunk: Link
    links: tuple[Joined, ...]

    @property
    def units(self) -> NDArray[np.float64]:
        """Of every place (W, links), what one unit of the genes middle and reach is [rad or m], 0 without a link."""
        return np.stack([where(link.place.there > 0.0, link.unit, 0.0) for link in self.links], axis=-1)

    def height_with(self, angles: Sequence[Scalar]) -> Scalar:
        """The height of the trunk's middle above the ground with the links' coordinates elsewhere [m]."""
        return _stance(self.trunk, self.links, angles)[0]

    def numbers(self, world: World) -> dict[str, Any]:
        """What Engine.numbers() is told to change, of a world of the template driven by such a pattern."""
        return {
            "measures": world.measures_of(self.figure),
            "springs": {name: [{"damping": spring.damping}] for name, spring in self.springs.items()},
            "limits": {name: [[spring.lower, spring.upper]] for name, spring in self.springs.items()},
            "actuators": self.servos,
            "control": {"pattern": self.control},
        }


def crowd_of(genotypes: Sequence[Genotype], template: Figure) -> Crowd:
    """The creatures of genotypes, whose genes are within their bounds, as numbers of a template of any_tree().

    Raises EvolveError for a body that has more links than the template, for controls of several shapes, and for those
    whose signals are not one muscle's own.
    """
    bodies = [genotype.body for genotype in genotypes]
    trunk, names = trunk_of(bodies), [link.name for link in template.links[1:]]
    links, mass = joined(places_of(bodies, len(names)), trunk)
    servos = [_servo(link, I) for link, I in zip(links, carried_inertias(links), strict=True)]
    springs = [_spring(link, servo) for link, servo in zip(links, servos, strict=True)]
    angles = [where(link.place.there > 0.0, link.unit * link.place.freedom.middle, 0.0) for link in links]
    root = _root(template, trunk_link(trunk))
    told = [_told(*of) for of in zip(template.given[1:], links, carrier_axes(links), strict=True)]
    height, length = _stance(root, links, angles)
    return Crowd(
        remeasured(template, (root, *told)),
        dict(zip(names, springs, strict=True)),
        dict(zip(names, servos, strict=True)),
        dealt(genotypes, len(names)),
        np.stack(np.broadcast_arrays(1.0, *[0.0] * 5, height, *angles), axis=-1),
        tuple(_feet(genotype) for genotype in genotypes),
        height,
        length,
        mass,
        root,
        tuple(links),
    )


def _servo(link: Joined, inertia: Scalar) -> dict[str, Scalar]:
    own = servo_numbers(link.place.freedom, link.strength, link.unit, link.place.onward, inertia)
    return {name: where(link.place.there > 0.0, value, RESTING[name]) for name, value in own.items()}


def _spring(link: Joined, servo: Mapping[str, Scalar]) -> JointSpring:
    own = spring_of(servo, link.unit)
    numbers = {name: getattr(own, name) for name in ("damping", "lower", "upper")}
    there = link.place.there > 0.0
    return JointSpring(**{name: where(there, value, getattr(LOOSE, name)) for name, value in numbers.items()})


def _root(template: Figure, trunk: Link) -> Link:
    """The trunk in the place of the template's root."""
    box, *balls = trunk.parts
    points = [(part.shape.sizes[0], Vector(*part.position)) for part in balls]
    return replace(template.given[0], parts=_parts(template.given[0], points), given_mass=box.mass_properties())


def _told(slot: Link, link: Joined, outer: Rotation) -> Link:
    """A place's link in the template's place for it; outer: the axes that what it hangs on is told in."""
    axes, back = link.axes, outer.transpose
    home = Transform(back @ link.home.rotation @ axes, back @ link.home.position)
    home = chosen(link.place.there, home, SAME)
    x, y, z = home.position
    joint = Joint(
        slot.joint.kind,
        position=(x, y, z),
        rotation=home.rotation.rows,
        rotor=link.rotor,
        slides=link.place.slides,
        reach=link.place.reach,
    )
    body = link.body.placed(axes.transpose.rows, (0.0, 0.0, 0.0))
    radius = where(link.touches > 0.0, link.ball, UNTOUCHED)
    ball = (radius, chosen(link.touches, axes.transpose @ link.tip, ZERO))
    return replace(slot, joint=joint, parts=_parts(slot, [ball]), given_mass=body)


def _parts(slot: Link, points: Sequence[tuple[Scalar, Vector]]) -> tuple[Part, ...]:
    """The balls of a template's link at some points, each given by radius and place; the others touch nothing."""
    absent = (UNTOUCHED + 0.0 * points[0][0], ZERO)
    given = [*points, *[absent] * (len(slot.parts) - len(points))]
    return tuple(
        replace(part, shape=Sphere(radius), position=(place.x, place.y, place.z))
        for part, (radius, place) in zip(slot.parts, given, strict=True)
    )


def _stance(root: Link, links: Sequence[Joined], angles: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
    """The height of the trunk's middle where the lowest ball is just above the ground, and the length there [m]."""
    balls = [(part.shape.sizes[0], Vector(*part.position)) for part in root.parts if part.shape.sizes]
    for link, pose in zip(links, poses_of(links, angles), strict=True):
        radius = where(link.touches > 0.0, link.ball, UNTOUCHED)
        balls.append((radius, chosen(link.touches, pose @ link.tip, ZERO)))
    return standing(balls)


def _feet(genotype: Genotype) -> tuple[int, ...]:
    """The places of the last links of all limbs and twins."""
    counts = [len(limb.freedoms) for _, limb, _ in genotype.body.chains()]
    return tuple(int(end) - 1 for end in np.cumsum(counts))
