"""Options of large steps that an accuracy tries, see cheapest_steps.py, and what they cost."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.contact import Stepping
from gambol.contact.stepping.bounce import trees
from gambol.world import World

MIN_STEPS = 8
"""Least number of steps in a control step for which extrapolated and divided steps are tried: the first one cannot be
extrapolated, and fewer have no room for a landing."""


@dataclass(frozen=True, slots=True)
class StepOption:
    """An option of large steps: a method with some fields.

    fields: the fields. suits: returns True for a world and its contact method that can have it, and that it may serve.
    least_steps: least number of steps in a control step, without it, for which it is tried.
    """

    fields: Mapping[str, Any]
    suits: Callable[[World, Stepping], bool]
    least_steps: float = 1.0

    def added_to(self, world: World) -> World | None:
        """Return the world with this option; None if it has it already, or if it does not suit it."""
        method = world.method
        if not isinstance(method, Stepping) or not self.suits(world, method):
            return None
        contact = replace(method, **self.fields)
        return None if contact == method else replace(world, contact=contact)


def with_options(world: World, **options: Any) -> World:
    """Return a world whose contact method has some other options."""
    method: Any = world.method
    return replace(world, contact=replace(method, **options))


def with_limited_servos(world: World) -> World:
    """Return a world whose servos keep their strength and power within a step, if it has such servos.

    See Stepping.limited_servos: contacts may press them beyond their limits, the more the longer steps are.
    """
    has_limits = any(actuator.has_limit for actuator in world.actuators.values())
    return with_options(world, limited_servos=True) if isinstance(world.method, Stepping) and has_limits else world


def _may_expect_landings(world: World, method: Stepping) -> bool:
    """Return True if landings can be of second order: of one tree, with rigid contacts."""
    return method.softness is None and len(trees(world.figure)) == 1


def _has_servos(world: World, method: Stepping) -> bool:
    """Return True if a world has actuators with gains, which act like springs."""
    return any(x.gains(x.numbers()) is not None for x in world.actuators.values())


def _has_springs(world: World, method: Stepping) -> bool:
    """Return True if joints have springs or dampers, or servos that may be explicit."""
    return bool(world.sprung) or method.explicit_servos


def _divided(parts: int) -> StepOption:
    """Return the option of smooth steps that are extrapolated, and shorter near landings, down to 1 / parts."""
    fields = {"second_order_landings": True, "extrapolated": True, "landing_steps": parts}
    return StepOption(fields, _may_expect_landings, MIN_STEPS)


OPTIONS = (
    StepOption({"explicit_servos": True}, _has_servos),
    StepOption({"midpoint_springs": True}, _has_springs),
    StepOption({"second_order_landings": True}, _may_expect_landings),
    StepOption({"extrapolated": True}, lambda world, method: True, MIN_STEPS),
    _divided(3),
    _divided(6),
)
"""Options in the order in which they are tried."""

COSTS = {
    "explicit_servos": 1.1,
    "midpoint_springs": 0.98,
    "second_order_landings": 1.06,
    "extrapolated": 1.03,
    "landing_steps": 1.06,
}
"""Time of a step with an option, relative to that of a step without it, by the field of Stepping; of divided steps, to
that of one of as many equal steps. Means of humanoid and hopper, measured in docs/decisions/043-cheapest-steps.md;
explicit servos: from the bound of their stability in docs/decisions/040-midpoint-springs.md."""


def cost_of(world: World) -> float:
    """Return the time of a step of a world, relative to that of a step without options."""
    method, default = world.method, Stepping()
    if not isinstance(method, Stepping):
        return 1.0
    return math.prod(cost for field, cost in COSTS.items() if getattr(method, field) != getattr(default, field))
