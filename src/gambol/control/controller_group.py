"""The controllers of several creatures in one world: each reads the senses of its own creature only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.actuation import Actuator
from gambol.control.controller import SENSE_NAMES, Controller, Senses
from gambol.lanes import Scalar


@dataclass(frozen=True)
class GroupMember:
    """A controller as it is for a creature alone, with its own names of links, actuators and sensors.

    name: name of the creature in the world. links: names of links in the world by the controller's own names.
    """

    name: str
    controller: Controller
    links: Mapping[str, str]

    def actuator_name(self, own: str) -> str:
        """Return the name of an actuator in the world; own: the controller's name of it."""
        return self.links.get(own, f"{self.name}/{own}")

    def sensor_name(self, own: str) -> str:
        """Return the name of a sensor in the world; own: the controller's name of it."""
        return f"{self.name}/{own}"

    def actuators(self) -> dict[str, Actuator]:
        """Return its actuators with the names of the world."""
        given = self.controller.actuators.items()
        return {self.actuator_name(own): _at_joints(x, [self.links[joint] for joint in x.joints]) for own, x in given}

    def numbers_of(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Return the numbers of the controller, from those of the group."""
        actuators = {own: numbers["actuators"][self.actuator_name(own)] for own in self.controller.actuators}
        return {**numbers["members"][self.name], **({"actuators": actuators} if actuators else {})}


def _at_joints(actuator: Actuator, joints: Sequence[str]) -> Actuator:
    changed: Any = actuator
    return replace(changed, joints=tuple(joints)) if joints else actuator


@dataclass(frozen=True)
class ControllerGroup:
    """The controllers of several creatures in one world.

    members: creatures with their controllers; names of links and actuators differ. The memory of the group contains the
    memory of each controller, by the name of the creature.
    """

    members: tuple[GroupMember, ...]
    actuators: Mapping[str, Actuator] = field(init=False)

    def __post_init__(self) -> None:
        every = {name: actuator for member in self.members for name, actuator in member.actuators().items()}
        object.__setattr__(self, "actuators", every)

    def _named(self, own_names: str) -> Iterator[str]:
        """Yield the links that the controllers name in one of their attributes, with the names of the world."""
        for member in self.members:
            yield from (member.links[own] for own in getattr(member.controller, own_names))

    @property
    def joints(self) -> tuple[str, ...]:
        """The links with joints that the controllers drive."""
        return tuple(self._named("joints"))

    @property
    def feet(self) -> tuple[str, ...]:
        """The links with contacts that the controllers may read."""
        return tuple(self._named("feet"))

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses and sensors that the controllers read, each once."""
        names = [name for member in self.members for name in senses_of(member).values()]
        return tuple(dict.fromkeys(names))

    @property
    def gait(self) -> None:
        """None: films record no steps of legs."""
        return None

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of each controller by the name of its creature, and of all actuators by name."""
        given = {member.name: member.controller.numbers() for member in self.members}
        members = {name: {key: x for key, x in own.items() if key != "actuators"} for name, own in given.items()}
        return {"members": members, "actuators": {name: x.numbers() for name, x in self.actuators.items()}}

    def memory(self) -> dict[str, Any]:
        """Return the memory of each controller before the first control step."""
        return {member.name: member.controller.memory() for member in self.members}

    def decide(
        self, numbers: Mapping[str, Any], memory: Mapping[str, Any], senses: Senses, dt: Scalar
    ) -> dict[str, Any]:
        """Return the memory during a control step. Arguments: see Controller.decide()."""
        return {
            member.name: member.controller.decide(
                member.numbers_of(numbers), memory[member.name], senses.members[member.name], dt
            )
            for member in self.members
        }

    def rest_angle(self, memory: Mapping[str, Any], joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return the rest angle of a joint's spring [rad or m] and its rate."""
        for member in self.members:
            for own in member.controller.joints:
                if member.links[own] == joint:
                    return member.controller.rest_angle(memory[member.name], own, elapsed)
        raise KeyError(joint)

    def commands(self, memory: Mapping[str, Any], actuator: str, elapsed: Scalar) -> Sequence[Scalar]:
        """Return the commands of an actuator at a time `elapsed` into a control step [s]."""
        for member in self.members:
            for own in member.controller.actuators:
                if member.actuator_name(own) == actuator:
                    return member.controller.commands(memory[member.name], own, elapsed)
        raise KeyError(actuator)

    def advanced(self, memory: Mapping[str, Any], dt: Scalar) -> dict[str, Any]:
        """Return the memory at the end of a control step of dt [s]."""
        return {member.name: member.controller.advanced(memory[member.name], dt) for member in self.members}

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of each controller, by the name of its creature."""
        return ("group", *((member.name, member.controller.structure()) for member in self.members))


def senses_of(member: GroupMember) -> dict[str, str]:
    """Return the senses and sensors that a controller reads: names in the world by its own names."""
    names = member.controller.required_senses
    return {own: own if own in SENSE_NAMES else member.sensor_name(own) for own in names}
