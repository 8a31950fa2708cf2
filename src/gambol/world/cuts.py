"""Cuts: an input of a world cuts off the subtree of a link, such as a leg, while the world runs.

A subtree that is cut off keeps the fraction REMAINS of its masses, and of all forces of its springs, dampers and
actuators, so that it moves relative to the other links as before, and nothing touches it. The other links accelerate as
in a figure without the subtree, except for the effect of the remaining fraction of the subtree's forces and inertia. In
large steps there is one more difference: the part of a spring's stiffness that is implicit depends on the masses of the
whole figure, see contact/stepping/implicit_part.py.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from gambol.actuation import ImplicitForce
from gambol.figure import Figure
from gambol.figure.parameters import with_scaled_masses
from gambol.lanes import Scalar, where
from gambol.world.world import World

REMAINS = 2.0**-20
"""The fraction of masses and joint forces that a cut leaves: a millionth is below what can be seen, and far above the
smallest normal numbers of float32; products with a power of two are not rounded."""

FORCES = ("stiffness", "alpha", "damping", "bias", "friction", "limit_stiffness", "limit_damping")
"""Numbers of springs that are proportional to their forces, see spring_numbers()."""


def remaining_fractions(figure: Figure, cuts: Mapping[str, Scalar]) -> dict[int, Scalar]:
    """Return the fraction that remains of each link that can be cut off, by index: 1 or REMAINS.

    cuts: by name of the first link of a subtree: 1 if it is cut off, 0 if not. A link in several subtrees that are cut
    off keeps the product of their fractions.
    """
    fractions: dict[int, Scalar] = {}
    for name, cut in cuts.items():
        fraction = where(cut > 0.5, REMAINS, 1.0)
        for link in figure.subtree(figure.link(name).index):
            fractions[link.index] = fraction * fractions.get(link.index, 1.0)
    return fractions


def cut_world(world: World, fractions: Mapping[int, Scalar]) -> World:
    """Return the world with the masses that remain, for the formulas of a step; fractions: by index of the link."""
    if not fractions:
        return world
    _ = world.size, world.drag_boxes  # cached here, since the copy keeps the values of the whole figure
    result = copy(world)
    object.__setattr__(result, "figure", with_scaled_masses(world.figure, fractions))
    return result


def cut_springs(figure: Figure, springs: Mapping[str, Any], fractions: Mapping[int, Scalar]) -> Mapping[str, Any]:
    """Return the numbers of springs by link name, with the forces that remain; fractions: by index of the link."""

    def remaining(numbers: Mapping[str, Scalar], fraction: Scalar) -> dict[str, Scalar]:
        return {name: fraction * x if name in FORCES else x for name, x in numbers.items()}

    cut = {link.name: fractions[link.index] for link in figure.links if link.index in fractions}
    return {
        name: [remaining(spring, cut[name]) for spring in joint_springs] if name in cut else joint_springs
        for name, joint_springs in springs.items()
    }


def scaled_implicit_force(force: ImplicitForce, fraction: Scalar) -> ImplicitForce:
    """Return the forces of an actuator in a large step, times a fraction."""
    given = force.tau, force.damping, force.mean_damping
    tau, damping, mean_damping = ([fraction * x for x in values] for values in given)
    path_damping = fraction * force.path_damping
    return replace(force, tau=tau, damping=damping, mean_damping=mean_damping, path_damping=path_damping)
