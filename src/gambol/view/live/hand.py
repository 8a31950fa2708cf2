"""The hand of a live page: a spring between a point of a link and the pointer; its force is an external wrench.

The spring is scaled to the mass M of the whole figure, and critically damped:

    k = M w^2      c = 2 M w      w^2 = g / (SAG size)

so a figure that hangs from it in the gravity g of the Earth sinks by SAG of its size. The page holds the force constant
in a control step h. The force is that of an implicit step of the free figure, so that it is stable for light links,
too:

    (1 + (h c + h^2 k) W) f = k (x - p - h v) - c v

with the pointer x, the point p and its velocity v, and the point's acceleration W f by a force f, see
observe_wrench_accelerations. Light links follow the hand; they then transmit forces through their joints.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.figure import PlacedLink
from gambol.world import World
from gambol.world.timing import MIN_PUSH_STEPS

GRAVITY = 9.81
"""Acceleration [m/s2] that scales the spring, even if a world has no gravity."""

SAG = 0.05
"""Extension of the spring under the figure's weight, in figure sizes: small, but bodies follow the pointer softly."""

MAX_FORCE = 10.0
"""Maximum force of the hand, in weights of the figure: a pointer far away must not press it through the ground."""

PUSH_SPEED = 0.5
"""Speed that a push gives to the whole figure, in units of sqrt(g size)."""

PUSH_TIME = 0.3
"""Duration of a push, in units of sqrt(size / g)."""


def with_wrenches(world: World) -> World:
    """Return the world with an external wrench on each link that a hand can grab."""
    names = dict.fromkeys((*world.external.wrenches, *(link.name for link in _movable(world))))
    return replace(world, external=replace(world.external, wrenches=tuple(names)))


def hand_of(world: World, size: float) -> dict[str, Any]:
    """Return the spring for the page: stiffness k [N/m], damping c [N s/m], largest force [N], and links to grab.

    world: as for with_wrenches(); size: size of the figure [m].
    """
    mass = _mass(world)
    rate = np.sqrt(GRAVITY / (SAG * size))
    return {
        "stiffness": mass * rate**2,
        "damping": 2.0 * mass * rate,
        "maxForce": MAX_FORCE * mass * GRAVITY,
        "links": [{"name": link.name, "link": world.figure.links.index(link)} for link in _movable(world)],
    }


def push_of(world: World, size: float) -> dict[str, float]:
    """Return the push of a button: its force [N] and its time [s], and the shortest time of a push [s].

    size: size of the figure [m].
    """
    shortest = MIN_PUSH_STEPS * world.timing.control_step
    duration = max(float(PUSH_TIME * np.sqrt(size / GRAVITY)), shortest)
    force = float(PUSH_SPEED * _mass(world) * np.sqrt(GRAVITY * size) / duration)
    return {"force": force, "seconds": duration, "shortest": shortest}


def weight_of(world: World) -> float:
    """Return the weight of the links that can move, on the Earth [N]."""
    return _mass(world) * GRAVITY


def _mass(world: World) -> float:
    """Return the mass of the links that can move [kg]."""
    return sum(float(link.mass_properties.mass) for link in _movable(world))


def _movable(world: World) -> Iterator[PlacedLink]:
    """Yield the links with mass that can move."""
    figure = world.figure
    return (link for link in figure.links if figure.can_move(link.index) and float(link.mass_properties.mass) > 0.0)
