"""Quadrupeds of one topology in many proportions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.figure import (
    JOINTS,
    Box,
    Capsule,
    Figure,
    Frustum,
    Joint,
    Link,
    MassProperties,
    Part,
    Sphere,
    compose,
    rotation_about,
)
from gambol.lanes import cos, sin
from gambol.spatial import Rotation

LEGS = [(side, end) for side in (1.0, -1.0) for end in (1.0, -1.0)]
NOMINAL = (1.0,) * 7
"""The parameters of the nominal quadruped."""

UPSIDE_DOWN = rotation_about("x", np.pi)

LOWER = {
    "sphere": lambda w, l: Part(Sphere(0.02 * w), (0.0, 0.0, -0.12 * l)),
    "capsule": lambda w, l: Part(Capsule(0.012 * w, 0.12 * l), (0.0, 0.0, -0.06 * l)),
    "box": lambda w, l: Part(Box((0.02 * w, 0.02, 0.12 * l)), (0.0, 0.0, -0.06 * l), turn(0, 0.1 * w)),
    "frustum": lambda w, l: Part(Frustum(0.015 * w, 0.01, 0.12 * l), (0.0, 0.0, -0.06 * l)),
}
"""The part of the lower legs by kind, from thickness and length factors."""


def turn(axis: int, angle: Any) -> Any:
    """Return a rotation about a coordinate axis by an angle that may be an array."""
    return Rotation.about_coordinate(axis, sin(angle), cos(angle)).rows


def quadruped_links(numbers: Sequence[Any], lower: str = "sphere") -> tuple[Link, ...]:
    """Return a trunk on four legs of two links, with hips of general axes. numbers: seven near 1, or arrays of such."""
    s = numbers
    length, width = 0.3 * s[0], 0.15 * s[1]
    links = [Link("trunk", None, Joint("free"), (Part(Box((length, width, 0.08 * s[2]))),))]
    for side, end in LEGS:
        leg = f"{'left' if side > 0 else 'right'} {'fore' if end > 0 else 'hind'}"
        place = (end * length / 2.2, side * width / 1.5, -0.02 * s[0])
        hip = Joint("revolute", (0.1 * s[4], 1.0, 0.3 * s[5]), turn(0, 0.2 * s[3] * side), place, rotor=1e-4 * s[1])
        thigh = Part(Frustum(0.02 * s[5], 0.015, 0.12 * s[6]), (0.0, 0.0, -0.06 * s[6]), UPSIDE_DOWN)
        links.append(Link(f"{leg} thigh", "trunk", hip, (thigh,)))
        knee = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.12 * s[6]))
        shank = replace(LOWER[lower](s[4], s[3]), friction=0.7 * s[0])
        links.append(Link(f"{leg} shank", f"{leg} thigh", knee, (shank,)))
    return tuple(links)


def quadruped(numbers: Sequence[float] = NOMINAL, lower: str = "sphere") -> Figure:
    """Return the quadruped as a figure."""
    return Figure("quadruped", quadruped_links(numbers, lower))


def random_proportions(count: int, seed: int = 3) -> list[list[float]]:
    """Return the numbers of some quadrupeds, each within a fifth of the nominal one's."""
    return np.random.default_rng(seed).uniform(0.8, 1.2, (count, 7)).tolist()


def with_random_parameters(figure: Figure, seed: int) -> Figure:
    """Return a figure of the same topology in which nearly every parameter is different."""
    random = np.random.default_rng(seed)

    def near(values: Sequence[float]) -> Any:
        return tuple(float(x) for x in np.array(values) + 0.1 * random.normal(size=3))

    def other(link: Link) -> Link:
        joint, grown = link.joint, float(random.uniform(0.5, 2.0))
        rotation = compose(joint.rotation, rotation_about(near((0.0, 0.0, 1.0)), 0.3))
        axis = near(joint.axis) if JOINTS[joint.kind].axes == 1 else joint.axis
        joint = replace(joint, rotation=rotation, axis=axis, position=near(joint.position), rotor=joint.rotor * grown)
        mass = link.given_mass
        assert mass is not None
        inertia: Any = tuple(tuple(grown * x for x in row) for row in mass.inertia)
        return replace(link, joint=joint, given_mass=MassProperties(mass.mass * grown, near(mass.com), inertia))

    return replace(figure, given_links=tuple(map(other, figure.given_links)))


def without_leg(figure: Figure, leg: str) -> Figure:
    """Return a figure without a link and its subtree; leg: name of the link."""
    lost = {link.name for link in figure.subtree(figure.link(leg).index)}
    return replace(figure, given_links=tuple(link for link in figure.given_links if link.name not in lost))


def with_light_leg(figure: Figure, leg: str, fraction: float) -> Figure:
    """Return a figure with a leg of a fraction of its mass that touches nothing; leg: name of its first link."""
    lost = {link.name: link.mass_properties for link in figure.subtree(figure.link(leg).index)}

    def light(link: Link) -> Link:
        parts = tuple(replace(part, colliding=False) for part in link.parts)
        joint = replace(link.joint, rotor=fraction * link.joint.rotor)
        return replace(link, parts=parts, joint=joint, given_mass=lost[link.name].scaled(fraction))

    return replace(figure, given_links=tuple(light(x) if x.name in lost else x for x in figure.given_links))
