"""Steering of creatures: their gait with commands or a path, and where they stand at the beginning of a path."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from numpy.typing import ArrayLike

from gambol.control import FeedbackController, Law
from gambol.creatures.creature import Creature
from gambol.errors import WorldError
from gambol.gait import GaitController, GroundPath, HeadingHold, PathFollowing, Steering, TimedValue, command_changes
from gambol.gait.course import Course
from gambol.world import World


@runtime_checkable
class OnCourse(Protocol):
    """A control law that follows a course."""

    @property
    def course(self) -> Course:
        """Its course."""
        ...

    def with_course(self, course: Course) -> Law:
        """Return the same law on another course."""
        ...


STRAIGHT: Mapping[str, TimedValue] = {"stroke": 1.0, "turn": 0.0, "sideways": 0.0, "lean": 0.0}
"""Commands without any effect."""

REACTION = 2.0
"""Time constant of the heading's correction, in cycles of the fastest gait: with a shorter one the legs, which lag, do
not follow."""


def steered(
    gait: GaitController,
    creature: Creature,
    commands: Mapping[str, TimedValue],
    path: GroundPath | ArrayLike | None,
    *,
    hold: bool = False,
) -> GaitController:
    """Return the gait of a creature with steering, or the same gait without commands.

    commands: stroke, turn, sideways and lean, see Steering. path: a path to follow, or its points, or None. hold: True
    if the heading should follow the rate of turn. Raises WorldError for invalid values.
    """
    if path is None and not hold and dict(commands) == STRAIGHT:
        return gait
    values, following, lag = creature.steering, None, REACTION * gait.cycle * gait.metabolism
    if path is not None:
        if hold:
            raise WorldError("a creature that follows a path cannot hold its heading, too; leave out one of them")
        curve = path if isinstance(path, GroundPath) else GroundPath.through(path)
        following = PathFollowing(curve, speed=values.speed, reach=values.length, lag=lag)
    holding = HeadingHold(lag=lag) if hold else None
    return _with_steering(gait, creature, commands, holding=holding, following=following)


def _with_steering(
    gait: GaitController, creature: Creature, commands: Mapping[str, TimedValue], **modes: Any
) -> GaitController:
    """Return a gait with steering. modes: holding and following, see Steering."""
    changes, values = command_changes(creature.figure, creature.legs, gait.rest), creature.steering
    steering = Steering(
        changes,
        **commands,
        turn_yield=values.turn_yield,
        spot_turn_yield=values.spot_turn_yield,
        backward_turn_yield=values.backward_turn_yield,
        sideways_yield=values.sideways_yield,
        turn_limit=values.turn_limit,
        sideways_limit=values.sideways_limit,
        **modes,
    )
    return replace(gait, modifiers=(*gait.modifiers, steering))


def steerable(world: World, creature: Creature) -> World:
    """Return the world of a creature with commands of steering among its inputs, at first those of walking straight.

    Until they change, the motion is the same to the last bit. A world that is steered already, or has no gait
    controller, is returned unchanged.
    """
    gait = world.controller
    if not isinstance(gait, GaitController) or any(isinstance(modifier, Steering) for modifier in gait.modifiers):
        return world
    return replace(world, controller=_with_steering(gait, creature, STRAIGHT))


def steerable_course(world: World) -> World:
    """Return the world of a creature whose law follows a course, with its commands among its inputs.

    Until they change, the motion is the same except for rounding. Other worlds are returned unchanged.
    """
    controller = world.controller
    if not isinstance(controller, FeedbackController):
        return world
    law = controller.law
    if not isinstance(law, OnCourse) or law.course.steerable or law.course.following:
        return world
    return replace(world, controller=replace(controller, law=law.with_course(law.course.steered())))


def path_start(world: World) -> tuple[float, float, float]:
    """Return x, y [m] and heading [rad] at which a creature starts: those of the start of its path, or 0.

    The heading is reversed if the creature walks backward along its path.
    """
    modifiers = world.controller.modifiers if isinstance(world.controller, GaitController) else ()
    for modifier in modifiers:
        if isinstance(modifier, Steering) and modifier.following is not None:
            path = modifier.following.path
            backward = float(modifier.memory()["stroke"]) < 0.0
            return path.x[0], path.y[0], path.heading[0] + (math.pi if backward else 0.0)
    return 0.0, 0.0, 0.0
