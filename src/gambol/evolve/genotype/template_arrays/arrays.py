"""Creatures of any topology, grown together as arrays of numbers of one template.

Growing and packing one creature takes milliseconds; growing hundreds in arrays takes tens of milliseconds. The
creatures move as those that are packed one by one (figure.template); only the axes of links differ. To the last bit, a
creature's numbers are independent of the other creatures in the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import ElasticServo, HillServo, Servo
from gambol.evolve.genotype.anatomy import trunk_link
from gambol.evolve.genotype.elastic_servos import motor_numbers
from gambol.evolve.genotype.genotype import Genotype
from gambol.evolve.genotype.growth import height_and_length
from gambol.evolve.genotype.muscle_mass import with_muscle_mass
from gambol.evolve.genotype.muscle_pairs import absent_pair, pair_numbers
from gambol.evolve.genotype.servos import servo_numbers, spring_of
from gambol.evolve.genotype.template_arrays.links import (
    TemplateLink,
    carried_inertias,
    parent_axes,
    poses_of,
    select,
    template_links,
)
from gambol.evolve.genotype.template_arrays.signals import pattern_numbers
from gambol.evolve.genotype.template_arrays.slots import link_slots, trunk_of
from gambol.figure import Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.figure.parameters import with_parameters
from gambol.figure.template import ABSENT_RADIUS
from gambol.lanes import Scalar, total, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.vector import ZERO

if TYPE_CHECKING:
    from gambol.world import World

ABSENT_HILL_SERVO = HillServo(lower=0.0, upper=0.0, stiffness=1.0, damping=1.0, strength=1.0, max_speed=1.0)

ABSENT_MOTORS: Mapping[str, Servo | HillServo | ElasticServo] = {
    "servo": Servo(lower=0.0, upper=0.0, stiffness=1.0, damping=1.0),
    "hill": ABSENT_HILL_SERVO,
    "elastic": ElasticServo(**ABSENT_HILL_SERVO.numbers(), tendon_stiffness=1.0, rise=1.0),
}
"""The motors of absent links, by the names of MOTORS: they hold a rotor of 1 kg m2 at rest."""

ABSENT_SPRING = JointSpring(damping=1.0, lower=-1.0, upper=1.0)
"""The spring of an absent link, with the same fields as all others."""


@dataclass(frozen=True)
class TemplateArrays:
    """Creatures of any topology. All numbers are arrays (W,).

    figure: the template with the creatures' numbers. springs, servos: springs and servos by link of the template;
    servos in the form of Servo.numbers(). control: numbers of a pattern with a signal for each link. q: initial
    coordinates of the template (W, nq). feet: for each creature the indices of the last links of its limbs, among the
    template's links without the root. height: initial height of the trunk's centre [m]. length: distance from the
    foremost to the hindmost point of the balls at rest [m]. mass [kg]. trunk, links: the template's root and all other
    links.
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
    links: tuple[TemplateLink, ...]

    @property
    def units(self) -> NDArray[np.float64]:
        """The size of one unit of the genes middle and reach of each link [rad or m] (W, links), 0 if absent."""
        return np.stack([where(link.slot.present > 0.0, link.unit, 0.0) for link in self.links], axis=-1)

    def balls_at(self, angles: Sequence[Scalar]) -> list[tuple[Scalar, Vector]]:
        """Return radius and position of each ball in the trunk's frame [m]; angles: joint coordinates of links."""
        return _balls(self.trunk, self.links, angles)

    def numbers(self, world: World) -> dict[str, Any]:
        """Return the keyword arguments of Engine.numbers() for a world of the template with a pattern of this kind."""
        return {
            "parameters": world.parameters_of(self.figure),
            "springs": {name: [{"damping": spring.damping}] for name, spring in self.springs.items()},
            "limits": {name: [[spring.lower, spring.upper]] for name, spring in self.springs.items()},
            "actuators": self.servos,
            "control": {"pattern": self.control},
        }


def template_arrays(genotypes: Sequence[Genotype], template: Figure) -> TemplateArrays:
    """Return the creatures of genotypes as numbers of a template.

    genotypes: one genotype or more, with genes within their bounds. template: as for any_tree(). Raises EvolveError for
    a body that has more links than the template, for controls of several shapes, and for patterns that are not
    feedforward.
    """
    bodies = [with_muscle_mass(genotype.body) for genotype in genotypes]
    trunk, names = trunk_of(bodies), [link.name for link in template.links[1:]]
    links, mass = template_links(link_slots(bodies, len(names)), trunk)
    inertias = carried_inertias(links)
    freedoms = total(link.slot.present for link in links)
    servos = [_servo(link, I, mass, freedoms) for link, I in zip(links, inertias, strict=True)]
    springs = [_spring(link, servo, I) for link, servo, I in zip(links, servos, inertias, strict=True)]
    angles = [where(link.slot.present > 0.0, link.unit * link.slot.freedom.middle, 0.0) for link in links]
    root = _root(template, trunk_link(trunk))
    packed = [_packed_link(*args) for args in zip(template.given_links[1:], links, parent_axes(links), strict=True)]
    height, length = height_and_length(_balls(root, links, angles))
    return TemplateArrays(
        with_parameters(template, (root, *packed)),
        dict(zip(names, springs, strict=True)),
        dict(zip(names, servos, strict=True)),
        pattern_numbers(genotypes, len(names)),
        np.stack(np.broadcast_arrays(1.0, *[0.0] * 5, height, *angles), axis=-1),
        tuple(_feet(genotype) for genotype in genotypes),
        height,
        length,
        mass,
        root,
        tuple(links),
    )


def _servo(link: TemplateLink, inertia: Scalar, mass: Scalar, freedoms: Scalar) -> dict[str, Scalar]:
    """Return the numbers of a link's actuator. mass, freedoms: mass [kg] and number of freedoms of creatures (W,)."""
    if link.slot.freedom.muscles is not None:
        arm = where(link.slot.slides > 0.0, 1.0, link.slot.segment.upper_radius)
        values, absent = pair_numbers(link.slot.freedom, link.strength, link.unit, arm), absent_pair(None).numbers()
    else:
        values = servo_numbers(link.slot.freedom, link.strength, link.unit, link.slot.length_to_end, inertia)
        motor = link.slot.freedom.motor
        values, absent = motor_numbers(motor, values, mass, freedoms), ABSENT_MOTORS[motor].numbers()
    return {name: where(link.slot.present > 0.0, value, absent[name]) for name, value in values.items()}


def _spring(link: TemplateLink, servo: Mapping[str, Scalar], inertia: Scalar) -> JointSpring:
    spring = spring_of(servo, link.unit, inertia)
    numbers = {name: getattr(spring, name) for name in ("damping", "lower", "upper")}
    is_present = link.slot.present > 0.0
    return JointSpring(
        **{name: where(is_present, value, getattr(ABSENT_SPRING, name)) for name, value in numbers.items()}
    )


def _root(template: Figure, trunk: Link) -> Link:
    """Return the template's root with the numbers of a trunk."""
    box, *balls = trunk.parts
    points = [(part.shape.sizes[0], Vector(*part.position)) for part in balls]
    return replace(
        template.given_links[0], parts=_parts(template.given_links[0], points), given_mass=box.mass_properties()
    )


def _packed_link(blank: Link, link: TemplateLink, outer_axes: Rotation) -> Link:
    """Return the template's link `blank` with the numbers of a link; outer_axes: axes of the link's parent."""
    axes, to_parent_axes = link.axes, outer_axes.transpose
    rest = Transform(to_parent_axes @ link.rest.rotation @ axes, to_parent_axes @ link.rest.position)
    rest = select(link.slot.present, rest, IDENTITY_TRANSFORM)
    x, y, z = rest.position
    joint = Joint(
        blank.joint.kind,
        position=(x, y, z),
        rotation=rest.rotation.rows,
        rotor=link.rotor,
        slides=link.slot.slides,
        reach=link.slot.last_link,
    )
    body = link.body.placed(axes.transpose.rows, (0.0, 0.0, 0.0))
    radius = where(link.has_ball > 0.0, link.ball, ABSENT_RADIUS)
    ball = (radius, select(link.has_ball, axes.transpose @ link.tip, ZERO))
    return replace(blank, joint=joint, parts=_parts(blank, [ball]), given_mass=body)


def _parts(blank: Link, points: Sequence[tuple[Scalar, Vector]]) -> tuple[Part, ...]:
    """Return the balls of the template's link `blank`.

    points: radius and position of each ball; all other balls are absent.
    """
    absent = (ABSENT_RADIUS + 0.0 * points[0][0], ZERO)  # the sum makes the radius an array
    padded = [*points, *[absent] * (len(blank.parts) - len(points))]
    return tuple(
        replace(part, shape=Sphere(radius), position=(position.x, position.y, position.z))
        for part, (radius, position) in zip(blank.parts, padded, strict=True)
    )


def _balls(root: Link, links: Sequence[TemplateLink], angles: Sequence[Scalar]) -> list[tuple[Scalar, Vector]]:
    """Return radius and position of each ball in the trunk's frame [m]; angles: joint coordinates of links."""
    balls = [(part.shape.sizes[0], Vector(*part.position)) for part in root.parts if part.shape.sizes]
    for link, pose in zip(links, poses_of(links, angles), strict=True):
        radius = where(link.has_ball > 0.0, link.ball, ABSENT_RADIUS)
        balls.append((radius, select(link.has_ball, pose @ link.tip, ZERO)))
    return balls


def _feet(genotype: Genotype) -> tuple[int, ...]:
    """Return the indices of the last links of all limbs and twins, counted without the root."""
    counts = [len(limb.freedoms) for _, limb, _ in genotype.body.chains()]
    return tuple(int(link_count) - 1 for link_count in np.cumsum(counts))
