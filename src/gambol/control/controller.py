"""The interface of controllers: they decide once in each control step, and give targets in between.

A controller sets rest angles of springs and commands of actuators. Within a control step these are constant or change
at a constant rate: another change within the step would reduce the order of an integrator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from gambol.actuation import Actuator
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Senses:
    """Observations at the beginning of a control step; those not requested are empty or 0.

    time [s]. angles, speeds: angles and speeds of the joints that the controller drives, in its order [rad and rad/s,
    or m and m/s]. contacts: for each foot 1 if the ground pushes it, else 0; loads: normal force of the ground on each
    foot, as a fraction of the figure's weight. up: the world's z in the root's axes; velocity: velocity of the root's
    origin, in the root's axes [m/s]; height: height of the root's origin above the ground [m]. joint_angles [rad or m],
    spring_torques [N m or N]: angles and torques of the joints that a gait's signals name, by link name. q (nq), v
    (nv): all coordinates and velocities of the figure. sensors: readings of the world's sensors that the controller
    requests, by name. actuator_outputs: sensor values of actuators, such as force and length of a muscle, by name of
    the actuator and of the output, see Actuator.outputs(). members: in a world of several creatures, the senses of each
    by its name; then all others are empty.
    """

    time: Scalar
    angles: Sequence[Scalar] = ()
    speeds: Sequence[Scalar] = ()
    contacts: Sequence[Scalar] = ()
    loads: Sequence[Scalar] = ()
    up: Sequence[Scalar] = ()
    velocity: Sequence[Scalar] = ()
    height: Scalar = 0.0
    joint_angles: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    spring_torques: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    q: Sequence[Scalar] = ()
    v: Sequence[Scalar] = ()
    sensors: Mapping[str, Sequence[Scalar]] = field(default_factory=dict[str, Sequence[Scalar]])
    actuator_outputs: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict[str, Mapping[str, Scalar]])
    members: Mapping[str, Senses] = field(default_factory=dict[str, "Senses"])


SENSE_NAMES = tuple(x.name for x in fields(Senses) if x.name not in ("time", "sensors", "members"))
"""Names of all senses that a controller may request, besides the names of sensors."""


class Controller(Protocol):
    """A controller: it sets rest angles of springs and commands of actuators.

    Its memory is a pytree of scalars. At the start of each control step decide() returns a new memory, which
    rest_angle() and commands() read during this step; advanced() returns the memory at the end of the step, which is
    the input of the next decide().
    """

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the links whose joints it drives."""
        ...

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the Senses, and of sensors of the world, that it reads, besides time."""
        ...

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the links whose contacts and loads it may read."""
        ...

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Its actuators by name; at joints without actuators it moves the rest angles of springs."""
        ...

    @property
    def gait(self) -> Gait | None:
        """The controller itself if it is a gait, or None."""
        ...

    def numbers(self) -> dict[str, Any]:
        """Return a pytree of the numbers that may differ between worlds.

        Its key "actuators", if there is any actuator, holds the numbers of each actuator by name.
        """
        ...

    def memory(self) -> Any:
        """Return the memory before the first control step: a pytree of scalars."""
        ...

    def decide(self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar) -> Any:
        """Return the memory during the control step that begins now.

        numbers: in the structure of numbers(). memory: memory at the end of the previous control step; in the first
        one, memory(). senses: observations now. dt: length of the control step [s].
        """
        ...

    def rest_angle(self, memory: Any, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return the rest angle of a joint's spring [rad or m] and its rate at `elapsed` [s] into a control step."""
        ...

    def commands(self, memory: Any, actuator: str, elapsed: Scalar) -> Sequence[Scalar]:
        """Return the commands of an actuator at a time `elapsed` into a control step [s], by the actuator's name."""
        ...

    def advanced(self, memory: Any, dt: Scalar) -> Any:
        """Return the memory at the end of a control step of dt [s]."""
        ...

    def structure(self) -> tuple[Any, ...]:
        """Return plain data; controllers of equal structure share a compiled program."""
        ...


@dataclass(frozen=True, slots=True)
class JointSignal:
    """A quantity of some joints. sense: "joint_angles" or "spring_torques"; joints: names of their links, in order."""

    sense: str
    joints: tuple[str, ...]


class Limb(Protocol):
    """A leg or an arm, as a chain of links."""

    @property
    def name(self) -> str:
        """Its name in films."""
        ...

    @property
    def links(self) -> Sequence[str]:
        """Names of its links, from the body to the foot."""
        ...

    @property
    def foot(self) -> str:
        """The name of the link that touches the ground."""
        ...


class Gait(Controller, Protocol):
    """A controller whose memory says which legs step."""

    @property
    def legs(self) -> Sequence[Limb]:
        """Its legs, in the order of stepping()."""
        ...

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """Quantities of joints that films record, by name of the film's signal; the controller may read them, too."""
        ...

    def stepping(self, memory: Any) -> list[Scalar]:
        """Return a condition for each leg: true while it is lifted and brought forward.

        memory: memory of the controller.
        """
        ...
