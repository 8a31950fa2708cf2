"""The course of a creature whose control law follows a heading: a rate of turn, or a path on the ground.

heading := heading + turn dt        turn = commanded rate + the rate that follows the path
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gambol.errors import WorldError
from gambol.gait.ground_path import GroundPath
from gambol.gait.steering import PathFollowing, TimedValue, check_timed, knots, value_at
from gambol.lanes import Scalar, clamp


@dataclass(frozen=True, slots=True)
class CourseMemory:
    """The course now. heading: direction in which to move [rad]; along: arc length on the path [m]; turn: rate of turn
    to the left [rad/s]; pace: commanded speed, as a fraction of that without a path.
    """

    heading: Scalar
    along: Scalar = 0.0
    turn: Scalar = 0.0
    pace: Scalar = 1.0


@dataclass(frozen=True)
class Course:
    """A course. turn: rate of turn to the left [rad/s]. following: a path to follow, or None. ease: time in which the
    largest rate of turn rises from 0 [s].

    Raises WorldError for a rate of turn beside a path, or above a limit.
    """

    turn: TimedValue = 0.0
    following: PathFollowing | None = None
    ease: float = 0.0

    def __post_init__(self) -> None:
        check_timed("the turn", self.turn)
        if self.following and self.turn != 0.0:
            raise WorldError("a creature that follows a path turns with it; leave out the turn")

    @property
    def is_straight(self) -> bool:
        """True without any command."""
        return self.turn == 0.0 and self.following is None

    @property
    def start(self) -> tuple[float, float, float]:
        """The position x, y [m] and the heading [rad] at the start."""
        if self.following is None:
            return 0.0, 0.0, 0.0
        path = self.following.path
        return path.x[0], path.y[0], path.heading[0]

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds."""
        return {"turn": knots(self.turn), "ease": max(self.ease, 1e-6)} | (
            {"path": self.following.numbers()} if self.following else {}
        )

    def memory(self) -> CourseMemory:
        """Return the course at the start."""
        return CourseMemory(self.start[2])

    def structure(self) -> tuple[Any, ...]:
        """Return True without commands, the count of timed values, and the number of samples of the path."""
        return (self.is_straight, len(knots(self.turn)["values"]), len(self.following.path.x) if self.following else 0)

    def advanced(
        self, numbers: Mapping[str, Any], memory: CourseMemory, place: tuple[Scalar, Scalar], time: Scalar, dt: Scalar
    ) -> CourseMemory:
        """Return the course after a control step of dt [s].

        numbers: in the structure of numbers(). place: position of the creature [m]. time: time now [s].
        """
        risen = clamp(time / numbers["ease"], 0.0, 1.0)
        if self.following is None:
            turn = risen * value_at(numbers["turn"], time)
            return CourseMemory(memory.heading + turn * dt, memory.along, turn, memory.pace)
        found = self.following.at(numbers["path"], memory.along, place, memory.heading)
        turn = risen * found["turn"]
        return CourseMemory(memory.heading + turn * dt, found["along"], turn, 1.0 / found["slowness"])


def course_of(
    turn: TimedValue, path: Any, *, top_turn: float, speed: float, reach: float, lag: float, ease: float = 0.0
) -> Course:
    """Return the course of a creature.

    turn: rate of turn to the left [rad/s]. path: a GroundPath, its points, or None. top_turn: largest rate of turn
    [rad/s]. speed: its speed [m/s]; reach, lag: see PathFollowing; ease: see Course. Raises WorldError for a larger
    rate of turn, and for invalid paths.
    """
    for x in knots(turn)["values"]:
        if not abs(x) <= top_turn + 1e-9:
            raise WorldError(
                f"a turn of {x:.3g} rad/s is not possible; give -{top_turn:.3g} to {top_turn:.3g}, "
                f"at most {math.degrees(top_turn):.3g} degrees a second"
            )
    if path is None:
        return Course(turn, ease=ease)
    curve = path if isinstance(path, GroundPath) else GroundPath.through(path)
    return Course(turn, PathFollowing(curve, speed=speed, reach=reach, lag=lag, turn=top_turn), ease)
