"""Saturated actuators in a large step: a force that would exceed its limit within the step stays at the limit.

    F = tau - B (v+ - v)                 between its limits
    F = lower or upper limit             where this is beyond it

tau is within the limits, but v+ also follows from contacts, other joints and gravity. So the step is taken with the
first formula, and where a force is beyond its limit, again with this force at its limit and B = 0. Other forces may be
beyond their limits then, and saturated ones within them, so this is repeated, as in active-set methods. After
MAX_RELEASES attempts a saturated force stays so. Then it ends, since each attempt saturates a further force, or lowers
a saturated one by the fraction EXCESS at least.

A limit may depend on the velocities of the step, see Actuator.force_limit(). It follows from the attempt before, and
never rises while the force stays saturated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from gambol.actuation import ImplicitForce
from gambol.contact.method import TIME_STEPPING, TimeSteppingMethod
from gambol.lanes import Scalar, loop, maximum, minimum, where
from gambol.world.actuator_forces import DrivenActuator
from gambol.world.step.actuator_step import ActuatorStep
from gambol.world.world import World

EXCESS = 1e-5
"""Excess over a limit, as a fraction of it, with which a force counts as saturated; rounding in float32 is below."""

RELEASE = 1e-3
"""A saturated force is released below the limit by this fraction of it, so that rounding does not decide."""

MAX_RELEASES = 6
"""Number of attempts of a step after which no force is released: two or three attempts are enough for most steps."""


@dataclass(frozen=True, slots=True)
class Saturation:
    """The saturation of an actuator in a step.

    direction: 1 or -1 where it is saturated, else 0. force: its force then [N m or N].
    """

    direction: Scalar = 0.0
    force: Scalar = 0.0

    def applied(self, force: ImplicitForce) -> ImplicitForce:
        """Return the force of the actuator, from its force without saturation."""
        free = self.direction == 0.0
        tau = [where(free, x, self.force) for x in force.tau]
        damping, mean_damping = ([where(free, B, 0.0) for B in given] for given in (force.damping, force.mean_damping))
        return replace(force, tau=tau, damping=damping, mean_damping=mean_damping)

    def after_attempt(self, force: Scalar, driven: DrivenActuator, v_end: Scalar, stays: bool | Scalar) -> "Saturation":
        """Return the saturation in the next attempt of a step.

        force: the force without saturation in this attempt [N m or N]. v_end: velocity of the joint at its end. stays:
        True if a saturated force is not released any more.
        """
        kept = stays & (self.direction != 0.0)
        direction = where(kept, self.direction, where(force < 0.0, -1.0, 1.0))
        limit = driven.fraction * driven.actuator.force_limit(driven.numbers, driven.input, direction, v_end)
        again = self.direction == direction
        saturated = kept | (abs(force) > where(again, 1.0 - RELEASE, 1.0 + EXCESS) * limit)
        limit = where(again, minimum(abs(self.force), limit), limit)
        return Saturation(
            where(saturated, direction, 0.0), where(saturated, where(direction < 0.0, -limit, limit), 0.0)
        )


@dataclass(frozen=True, slots=True)
class ActiveSet:
    """The saturation of all actuators with limits in a step.

    attempts: number of attempts of the step. changed: 1 if the last one has changed the set, so that the step is taken
    again, else 0.
    """

    saturations: list[Saturation]
    attempts: Scalar = 0.0
    changed: Scalar = 0.0

    @staticmethod
    def empty(world: World) -> "ActiveSet | None":
        """Return the set before a step of a world; None if it has no limits, see Stepping.limited_servos."""
        method = world.method
        if method.scheme is not TIME_STEPPING or not cast("TimeSteppingMethod", method).limited_servos:
            return None
        limited = [actuator for actuator in world.actuators.values() if actuator.has_limit]
        return ActiveSet([Saturation() for _ in limited]) if limited else None

    def after_attempt(
        self,
        actuators: Sequence[ActuatorStep],
        v_start: Sequence[Scalar],
        v_end: Sequence[Scalar],
        damper_slowing: Sequence[Scalar],
    ) -> "ActiveSet":
        """Return the set for the next attempt of a step.

        actuators: all actuators in this attempt. v_start, v_end: velocities at its ends (nv). damper_slowing: see
        StepResult.
        """
        changed: Scalar = 0.0
        stays, result = self.attempts > MAX_RELEASES - 0.5, list[Saturation]()
        limited = [step for step in actuators if step.driven.actuator.has_limit]
        for old, step in zip(self.saturations, limited, strict=True):
            (k,) = step.driven.dofs
            (force,) = step.unsaturated.at_end([v_start[k]], [v_end[k]])
            if damper_slowing and step.unsaturated.mean_damping:
                force = force + damper_slowing[k] * step.unsaturated.mean_damping[0]
            new = old.after_attempt(force, step.driven, v_end[k], stays)
            lower = abs(old.force) > (1.0 + EXCESS) * abs(new.force)
            changed = maximum(where((new.direction != old.direction) | lower, 1.0, 0.0), changed)
            result.append(new)
        return ActiveSet(result, self.attempts + 1.0, changed)


def with_saturation(actuators: Sequence[ActuatorStep], active: ActiveSet) -> list[ActuatorStep]:
    """Return all actuators in a step, with saturated forces at their limits."""
    saturations, result = iter(active.saturations), list[ActuatorStep]()
    for step in actuators:
        limited = step.driven.actuator.has_limit
        result.append(replace(step, force=next(saturations).applied(step.force)) if limited else step)
    return result


def until_unchanged(step: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of the last attempt of a step, which leaves its active set unchanged.

    step: takes all but the last argument and an active set; returns the result of an attempt, with the next set as
    `active`. The last argument is the result of the first attempt.
    """
    *given, first = arguments
    return loop(lambda last: last.active.changed > 0.5, lambda last: step(*given, last.active), first)
