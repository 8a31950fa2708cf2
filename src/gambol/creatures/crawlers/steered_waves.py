"""Waves of a chain of segments that turns: on a course all its yaw joints are bent a little to one side. [Hirose 1993]

    mean angle of the joints = b (w + (heading of the course - heading of the body) / tau)

w: rate of turn of the course. In a body whose segments do not slip sideways, every segment follows the one in front of
it, so that a body bent into an arc moves along a circle. The heading of the body is the mean of those of its segments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.control.controller import Senses
from gambol.creatures.crawlers.waves import WaveLaw
from gambol.gait.course import Course, CourseMemory
from gambol.gait.ground_path import wrapped
from gambol.gait.steering import heading_of
from gambol.lanes import Scalar, clamp, total, where

STRAIGHT = Course()

Memory = tuple[()] | tuple[Scalar, CourseMemory]
"""The memory of the law: time in periods, and the course; nothing for a course straight on."""


@dataclass(frozen=True)
class SteeredWaves:
    """The law of waves, the first of which is of yaw joints, with a course; see gambol.control.feedback.Law.

    waves: the law without a course. middle: number of joints in front of the root. bend: mean angle of the joints for
    each rad/s of turn, in a period of a second; top_bend: largest mean angle [rad]. cycles: time in which an error of
    heading should vanish [periods]. root: index of the root's first coordinate. course: rate of turn or path.
    """

    waves: WaveLaw
    middle: int
    bend: float
    top_bend: float
    cycles: float = 2.0
    root: int = 0
    course: Course = STRAIGHT

    @property
    def _on_course(self) -> bool:
        return not self.course.is_straight or self.course.steerable

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The coordinates and the angles of the joints, for a course."""
        return ("q", "angles") if self._on_course else ()

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the waves, and those of the course."""
        names = ("bend", "top_bend", "cycles")
        steered = {name: getattr(self, name) for name in names} | {"course": self.course.numbers()}
        return self.waves.numbers() | (steered if self._on_course else {})

    def memory(self) -> Memory:
        """Return the memory at the start."""
        return (0.0, self.course.memory()) if self._on_course else ()

    def with_course(self, course: Course) -> "SteeredWaves":
        """Return the same law on a course."""
        return replace(self, course=course)

    def commands(
        self, numbers: Mapping[str, Any], memory: Memory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Memory]:
        """Return the targets at the end of the control step, and the memory, see WaveLaw.commands()."""
        if not memory:
            return self.waves.commands(numbers, memory, senses, dt)
        turns, course = memory
        place = senses.q[self.root + 4], senses.q[self.root + 5]
        course = self.course.advanced(numbers["course"], course, place, senses.time, dt)
        turns = turns + course.pace * dt / numbers["period"]
        first, *others = numbers["waves"]
        bent = {**first, "mean": first["mean"] + self._bend(numbers, course, senses)}
        return self.waves.targets([bent, *others], turns), (turns, course)

    def _bend(self, numbers: Mapping[str, Any], course: CourseMemory, senses: Senses) -> Scalar:
        """Return the mean angle of the joints that follows a course [rad]."""
        lag = numbers["cycles"] * numbers["period"]
        rate = course.turn + wrapped(course.heading - self._heading(senses)) / lag
        if self.course.steerable:  # it does not turn until the first command
            commanded = (abs(course.heading) > 0.0) | (abs(course.turn) > 0.0)
            rate = where(commanded, rate, 0.0)
        return clamp(numbers["bend"] * numbers["period"] * rate, -numbers["top_bend"], numbers["top_bend"])

    def _heading(self, senses: Senses) -> Scalar:
        """Return the mean heading of all segments [rad]. At a positive angle the front segment is turned left."""
        segments = self.waves.joints + 1
        shares = [k + 1 if k < self.middle else k + 1 - segments for k in range(self.waves.joints)]
        yaw = senses.angles[: self.waves.joints]
        mean = total(share * angle for share, angle in zip(shares, yaw, strict=True)) / float(segments)
        return heading_of(senses.q[self.root : self.root + 4], 1.0) + mean

    def structure(self) -> tuple[Any, ...]:
        """Return all that is compiled in."""
        course = (self.middle, self.root, self.course.structure()) if self._on_course else ()
        return (*self.waves.structure(), *course)
