"""The course of a creature whose control law follows a heading: a rate of turn, or a path on the ground.

heading := heading + turn dt        turn = commanded rate + the rate that follows the path
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import WorldError
from gambol.gait.ground_path import GroundPath
from gambol.gait.steering import PathFollowing, TimedValue, check_timed, knots, value_at
from gambol.lanes import Scalar, clamp, sqrt


@dataclass(frozen=True, slots=True)
class CourseMemory:
    """The course now. heading: direction in which to face [rad], and to move without a speed to the side; along: arc
    length on the path [m]; turn: rate of turn to the left [rad/s]; pace: commanded speed, as a fraction of that without
    a path.
    """

    heading: Scalar
    along: Scalar = 0.0
    turn: Scalar = 0.0
    pace: Scalar = 1.0


@dataclass(frozen=True, slots=True)
class CourseLimits:
    """What a creature can do. turn: largest rate of turn [rad/s]; sideways, backward: largest speed to a side and
    backward [m/s]; ease: see Course. reach, lag: of paths, see PathFollowing. stops: False if it cannot stop at the end
    of a path, and walks straight on.
    """

    turn: float
    sideways: float
    reach: float
    lag: float
    ease: float = 0.0
    backward: float = 0.0
    stops: bool = True


@dataclass(frozen=True)
class Course:
    """A course. turn: rate of turn to the left [rad/s]. following: a path to follow, or None. ease: time in which the
    largest rate of turn and the speed to the side rise from 0 [s]. sideways: speed to the left [m/s]. backward: True if
    the creature walks backward, so that it faces against the direction of its path. steerable: True if its commands may
    change later, also from 0, as in a page. limits: what the creature can do, if known.

    Raises WorldError for a rate of turn beside a path, or above a limit.
    """

    turn: TimedValue = 0.0
    following: PathFollowing | None = None
    ease: float = 0.0
    sideways: TimedValue = 0.0
    backward: bool = False
    steerable: bool = False
    limits: CourseLimits | None = None

    def __post_init__(self) -> None:
        check_timed("the turn", self.turn)
        check_timed("the speed to the side", self.sideways)
        if self.following and self.turn != 0.0:
            raise WorldError("a creature that follows a path turns with it; leave out the turn")

    @property
    def is_straight(self) -> bool:
        """True without any command, forward."""
        return self.turn == 0.0 and self.following is None and not (self.goes_sideways or self.backward)

    def steered(self) -> "Course":
        """Return the course with commands that may change later; one that follows a path is returned unchanged."""
        return self if self.following else replace(self, steerable=True)

    @property
    def goes_sideways(self) -> bool:
        """True if there may be a speed to the side."""
        return self.sideways != 0.0 or self.steerable

    @property
    def start(self) -> tuple[float, float, float]:
        """The position x, y [m] and the heading [rad] at the start, which is that of the body."""
        if self.following is None:
            return 0.0, 0.0, 0.0
        path = self.following.path
        return path.x[0], path.y[0], path.heading[0] + self._reversal

    @property
    def _reversal(self) -> float:
        """The angle from the direction of motion along a path to the heading of the body [rad]."""
        return math.pi if self.backward else 0.0

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds."""
        sideways = {"sideways": knots(self.sideways)} if self.goes_sideways else {}
        following = {"path": self.following.numbers()} if self.following else {}
        return {"turn": knots(self.turn), "ease": max(self.ease, 1e-6)} | sideways | following

    def memory(self) -> CourseMemory:
        """Return the course at the start."""
        return CourseMemory(self.start[2])

    def structure(self) -> tuple[Any, ...]:
        """Return which commands there are, the counts of timed values, and the number of samples of the path."""
        path = self.following.path if self.following else None
        samples = (len(path.x), path.stops) if path else 0
        sideways = len(knots(self.sideways)["values"]) if self.goes_sideways else 0
        return (self.is_straight, len(knots(self.turn)["values"]), samples, sideways, self.backward, self.steerable)

    def sideways_at(self, numbers: Mapping[str, Any], time: Scalar) -> Scalar:
        """Return the commanded speed to the left at a time [s]; numbers: in the structure of numbers() [m/s]."""
        if not self.goes_sideways:
            return 0.0
        return clamp(time / numbers["ease"], 0.0, 1.0) * value_at(numbers["sideways"], time)

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
        moving = memory.heading - self._reversal if self.backward else memory.heading
        found = self.following.at(numbers["path"], memory.along, place, moving)
        turn = risen * found["turn"]
        pace = 1.0 / found["slowness"]
        if self.following.path.stops:
            pace = pace * self._braking(numbers["path"], found["along"])
        return CourseMemory(memory.heading + turn * dt, found["along"], turn, pace)

    def _braking(self, path: Mapping[str, Any], along: Scalar) -> Scalar:
        """Return the speed before the end of a path, as a fraction of that before: it falls steadily to 0.

        path: numbers of the path that is followed. along: arc length [m]. The creature brakes in the distance that it
        would walk in the lag of the path, which takes twice the lag.
        """
        remaining = (path["path"]["length"] - along) / (path["lag"] * path["speed"])
        return sqrt(clamp(remaining, 0.0, 1.0))


def course_of(
    limits: CourseLimits, speed: float, turn: TimedValue = 0.0, path: Any = None, sideways: TimedValue = 0.0
) -> Course:
    """Return the course of a creature.

    speed: its speed, below 0 backward [m/s]. turn: rate of turn to the left [rad/s]. path: a GroundPath, its points, or
    None. sideways: speed to the left [m/s]. Raises WorldError for a larger rate of turn or speed to the side than it
    has, and for invalid paths.
    """
    for x in knots(turn)["values"]:
        if not abs(x) <= limits.turn + 1e-9:
            raise WorldError(
                f"a turn of {x:.3g} rad/s is not possible; give -{limits.turn:.3g} to {limits.turn:.3g}, "
                f"at most {math.degrees(limits.turn):.3g} degrees a second"
            )
    for x in knots(sideways)["values"]:
        if not abs(x) <= limits.sideways + 1e-9:
            raise WorldError(
                f"a speed of {x:.3g} m/s to the side is not possible; give -{limits.sideways:.3g} to "
                f"{limits.sideways:.3g}"
            )
    course = Course(turn, None, limits.ease, sideways, speed < 0.0, limits=limits)
    if path is None:
        return course
    curve = path if isinstance(path, GroundPath) else GroundPath.through(path)
    curve = curve if limits.stops else replace(curve, stops=False)
    following = PathFollowing(curve, speed=abs(speed), reach=limits.reach, lag=limits.lag, turn=limits.turn)
    return replace(course, following=following)
