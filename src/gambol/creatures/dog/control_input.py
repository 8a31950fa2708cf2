"""The inputs of the dog's control law at the start of a control step, and its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.creatures.dog.body import Body
from gambol.creatures.dog.reference import DesiredMotion, Pulse
from gambol.gait.course import CourseMemory
from gambol.lanes import Scalar
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class DogMemory:
    """The law's memory.

    phases: phases of the legs [cycles]. lifted: position of each paw when it left the ground; place: target of each
    paw; both like Body.paws [m]. angles: targets of the leg joints in the previous control step [rad]. lag: integral of
    the speed error [m]. velocity: velocity of the centre of mass without the ripple of the gait, smoothed [m/s].
    course: see gait.course. side_lag: integral of the error of the speed to the side [m]; none if there is no such
    command.
    """

    phases: list[Scalar]
    lifted: list[Vector]
    place: list[Vector]
    angles: list[list[Scalar]]
    lag: Scalar
    velocity: Vector
    course: CourseMemory
    side_lag: list[Scalar]


@dataclass(frozen=True, slots=True)
class ControlInput:
    """The start of a control step of dt [s].

    gait: numbers of the current gait, and "slope"; gains: gains by name. pulses: pulses of the legs; desired: desired
    motion of the body. scheduled: for each leg 1 if it should stand; pushing: 1 if it should stand and has ground
    contact. astray: sine of the angle from the heading to the desired heading; turn: desired rate of turn [rad/s].
    sideways: desired speed to the left [m/s].
    """

    body: Body
    gait: Mapping[str, Any]
    gains: Mapping[str, Any]
    memory: DogMemory
    pulses: Sequence[Pulse]
    desired: DesiredMotion
    scheduled: Sequence[Any]
    pushing: Sequence[Any]
    dt: Scalar
    astray: Scalar = 0.0
    turn: Scalar = 0.0
    sideways: Scalar = 0.0
