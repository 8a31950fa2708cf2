"""Options of large steps that an accuracy tries, see accuracy.py: each in a world that does not have it yet."""

from dataclasses import replace

from gambol.contact import Stepping
from gambol.contact.stepping.bounce import trees
from gambol.world import World


def with_explicit_servos(world: World) -> World | None:
    """Return the world with servos that are explicit as far as is stable; None if they are, or it has no such ones."""
    method, servos = world.method, (x.gains(x.numbers()) for x in world.actuators.values())
    if not isinstance(method, Stepping) or method.explicit_servos or all(gains is None for gains in servos):
        return None
    return replace(world, contact=replace(method, explicit_servos=True))


def with_midpoint_springs(world: World) -> World | None:
    """Return the world with springs by the midpoint rule; None if they are, or it has none, and no explicit servos."""
    method = world.method
    if not isinstance(method, Stepping) or method.midpoint_springs or not (world.sprung or method.explicit_servos):
        return None
    return replace(world, contact=replace(method, midpoint_springs=True))


def with_second_order_landings(world: World) -> World | None:
    """Return the world with landings of second order; None if they are, or cannot be."""
    method = world.method
    if not isinstance(method, Stepping) or method.second_order_landings or not may_expect_landings(world, method):
        return None
    return replace(world, contact=replace(method, second_order_landings=True))


def may_expect_landings(world: World, method: Stepping) -> bool:
    """Return True if landings can be of second order: of one tree, with rigid contacts."""
    return method.softness is None and len(trees(world.figure)) == 1
