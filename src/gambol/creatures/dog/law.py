"""The control law of the dog: phases of a gait, forces of standing legs, trajectories of swinging legs.

A leg stands while its phase is below the gait's duty factor, see gait.phases. A standing foot with ground contact
pushes, see stance; without contact it moves down. A swinging foot moves to its next position, see swing. All joints
have servos. Servos of a pushing leg have targets that produce desired torques. Servos of other legs follow the
trajectory, by inverse kinematics in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gambol.creatures.dog.body import Body
from gambol.creatures.dog.by_speed import SpeedChange
from gambol.creatures.dog.control_input import ControlInput, DogMemory
from gambol.creatures.dog.dog_gait import Change, DogGait, blended
from gambol.creatures.dog.figure import LEGS, OTHER_JOINTS, joint_names
from gambol.creatures.dog.reference import desired_motion, pulse
from gambol.creatures.dog.stance import STANCE_GAINS, foot_forces, stance_targets
from gambol.creatures.dog.swing import SWING_GAINS, paw_target, swing_targets
from gambol.gait.course import Course
from gambol.gait.phases import advanced_phases
from gambol.lanes import Scalar, clamp, cos, sin, where
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.control import Senses

GAINS = {**STANCE_GAINS, **SWING_GAINS}
"""All gains by name."""

MAX_HEADING = 0.3
"""Maximum heading with which a dog without a course returns to the line y = 0 [rad]."""

MAX_LAG = 0.5
"""Maximum integral of the speed error [m]."""


@dataclass(frozen=True)
class DogLaw:
    """The law. gaits: gaits in their order; changes: changes from each to the next.

    start: memory at the start. others: targets of the joints of neck, head and tail [rad]. slope: slope of the ground
    ahead, estimated by the dog [rad]. gains: see GAINS.
    course: rate of turn or path; without them, the line y = 0.
    """

    gaits: tuple[DogGait, ...]
    changes: tuple[Change | SpeedChange, ...]
    start: DogMemory
    others: tuple[float, ...]
    slope: float
    gains: Mapping[str, float]
    course: Course
    required_senses: tuple[str, ...] = ("q", "v", "contacts", "height")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the gaits and their changes, the gains, and the targets of other joints."""
        gaits = [self.gaits[0].numbers()]
        for gait in self.gaits[1:]:
            gaits.append(gait.numbers(tuple(gaits[-1]["offsets"])))
        changes = zip(pairwise(self.gaits), self.changes, strict=True)
        return {
            "gaits": gaits,
            "changes": [change.numbers(before, after) for (before, after), change in changes],
            "slope": math.tan(self.slope),
            "gains": dict(self.gains),
            "others": list(self.others),
            "course": self.course.numbers(),
        }

    def memory(self) -> DogMemory:
        """Return its memory before the first control step."""
        return self.start

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of the course and the number of gaits: dogs with the same share a program."""
        return *self.course.structure(), len(self.gaits)

    def with_course(self, course: Course) -> DogLaw:
        """Return the same law on a course."""
        start = replace(self.start, course=course.memory(), side_lag=[0.0] if course.goes_sideways else [])
        return replace(self, course=course, start=start)

    def commands(
        self, numbers: Mapping[str, Any], memory: DogMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], DogMemory]:
        """Return the targets of all servos [rad], and the new memory."""
        x, y = senses.q[4:6]
        course = self.course.advanced(numbers["course"], memory.course, (x, y), senses.time, dt)
        now = _control_input(self.course, numbers, replace(memory, course=course), senses, dt)
        body, forces = now.body, foot_forces(now)
        commands: list[Scalar] = []
        lifted: list[Vector] = []
        positions: list[Vector] = []
        angles: list[list[Scalar]] = []
        for i, leg in enumerate(LEGS):
            on, position = now.pushing[i], paw_target(now, i)
            goal = body.angles_for(i, position)
            held, moved = stance_targets(now, i, forces[i]), swing_targets(now, i, goal)
            commands += [where(on, a, b) for a, b in zip(held, moved, strict=True)]
            positions.append(_chosen(on, body.paws[i], position))
            lifted.append(_chosen(now.scheduled[i], positions[i], memory.lifted[i]))
            angles.append([where(on, a, b) for a, b in zip(body.joints(leg)[0], goal, strict=True)])
        phases = advanced_phases(memory.phases, now.gait["offsets"], now.gait["frequency"], now.gains["coupling"], dt)
        error = now.desired.velocity - body.velocity
        lag = clamp(memory.lag + dt * error.x, -MAX_LAG, MAX_LAG)
        moves = abs(now.sideways) > 0.0
        side = [where(moves, clamp(old + dt * error.y, -MAX_LAG, MAX_LAG), 0.0) for old in memory.side_lag]
        slow = Vector(now.desired.speed, now.sideways, 0.0) - error
        velocity = memory.velocity + (slow - memory.velocity) * (dt * now.gains["filter"])
        return [*commands, *numbers["others"]], DogMemory(
            phases, lifted, positions, angles, lag, velocity, course, side
        )


def _control_input(
    course: Course, numbers: Mapping[str, Any], memory: DogMemory, senses: Senses, dt: Scalar
) -> ControlInput:
    """Return the inputs of the law at the start of a control step."""
    gait = {**blended(numbers, senses.time), "slope": numbers["slope"]}
    gait["speed"] = gait["speed"] * memory.course.pace
    legs = list(zip(memory.phases, gait["duty"], strict=True))
    pulses = [pulse(phase, duty, gait["frequency"]) for phase, duty in legs]
    scheduled = [phase < duty for phase, duty in legs]
    pushing = [down & (touch > 0.5) for down, touch in zip(scheduled, senses.contacts, strict=True)]
    sideways = course.sideways_at(numbers["course"], senses.time)
    desired = desired_motion(gait, pulses, senses.time, sideways)
    body, gains = Body.of(senses), numbers["gains"]
    heading, turn = memory.course.heading, 0.0 if course.is_straight else memory.course.turn
    astray = _astray_on_line(body, gains["line"]) if course.is_straight else _astray(heading, body)
    if course.steerable:  # on the line until the first command
        commanded = (abs(heading) > 0.0) | (abs(turn) > 0.0) | (abs(sideways) > 0.0)
        astray = where(commanded, astray, _astray_on_line(body, gains["line"]))
    return ControlInput(body, gait, gains, memory, pulses, desired, scheduled, pushing, dt, astray, turn, sideways)


def _astray_on_line(body: Body, line: Scalar) -> Scalar:
    """Return the sine of the angle from the heading to the one that leads back to y = 0. line: gain [rad/m]."""
    return -clamp(line * body.place.y, -MAX_HEADING, MAX_HEADING) - body.sine


def _astray(desired: Scalar, body: Body) -> Scalar:
    """Return the sine of the angle from the heading to the desired one of a course."""
    return sin(desired) * body.cosine - cos(desired) * body.sine


def _chosen(condition: Any, yes: Vector, no: Vector) -> Vector:
    """Return yes where the condition holds, else no."""
    return Vector(*(where(condition, a, b) for a, b in zip(yes, no, strict=True)))


def actuated_joints() -> tuple[str, ...]:
    """Return the names of the links at whose joints the servos act, in the order of the commands."""
    return *(name for leg in LEGS for name in joint_names(leg)), *OTHER_JOINTS
