"""The gaits of several creatures in one world: each depends on its own memory only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.actuation import Actuator
from gambol.control.controller import JointSignal, Senses
from gambol.errors import WorldError
from gambol.gait.gait_controller import GaitController
from gambol.gait.gait_memory import GaitMemory
from gambol.gait.leg import Leg, MotorCommand
from gambol.lanes import Scalar


@dataclass(frozen=True)
class GaitGroup:
    """The gait controllers of several creatures in one world.

    gaits: gaits by the name of the creature; their joints and the names of their legs differ. The memory of the group
    contains the memory of each gait, by the same name. Raises WorldError for two gaits that move the same joint, and
    for gaits with modifiers, which a group does not support.
    """

    gaits: Mapping[str, GaitController]

    def __post_init__(self) -> None:
        owners: dict[str, str] = {}
        for name, gait in self.gaits.items():
            if gait.modifiers:
                raise WorldError(f'the gait of "{name}" has modifiers, which a group of gaits does not support')
            for joint in gait.joints:
                if owners.setdefault(joint, name) != name:
                    raise WorldError(f'the gaits of "{owners[joint]}" and "{name}" both move the joint "{joint}"')

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that the gaits move."""
        return tuple(joint for gait in self.gaits.values() for joint in gait.joints)

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses of all gaits."""
        return tuple(dict.fromkeys(sense for gait in self.gaits.values() for sense in gait.required_senses))

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """The signals of the reflexes of all legs, in the order of the legs."""
        signals: dict[str, JointSignal] = {}
        for gait in self.gaits.values():
            for name, signal in gait.signals.items():
                earlier = signals[name].joints if name in signals else ()
                signals[name] = JointSignal(signal.sense, (*earlier, *signal.joints))
        return signals

    @property
    def feet(self) -> tuple[str, ...]:
        """Empty, because the reflexes read joints."""
        return ()

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Empty: motor programs move the rest angles of springs."""
        return {}

    @property
    def gait(self) -> "GaitGroup":
        """The group itself."""
        return self

    @property
    def legs(self) -> tuple[Leg, ...]:
        """The legs of all gaits."""
        return tuple(leg for gait in self.gaits.values() for leg in gait.legs)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of each gait by its name, as inputs of a program."""
        return {"gaits": {name: gait.numbers() for name, gait in self.gaits.items()}}

    def memory(self) -> dict[str, GaitMemory]:
        """Return the memory of each gait before the first control step."""
        return {name: gait.memory() for name, gait in self.gaits.items()}

    def decide(
        self, numbers: Mapping[str, Any], memory: Mapping[str, GaitMemory], senses: Senses, dt: Scalar
    ) -> dict[str, GaitMemory]:
        """Return the memory after the decisions of a control step. Arguments: as for GaitController.decide()."""
        return {
            name: gait.decide(numbers["gaits"][name], memory[name], senses, dt) for name, gait in self.gaits.items()
        }

    def rest_angle(self, memory: Mapping[str, GaitMemory], joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return a driven joint's rest angle [rad] and its rate [rad/s], at a time into a control step [s]."""
        name = next(name for name, gait in self.gaits.items() if joint in gait.joints)
        return self.gaits[name].rest_angle(memory[name], joint, elapsed)

    def commands(self, memory: Mapping[str, GaitMemory], actuator: str, elapsed: Scalar) -> Sequence[Scalar]:
        """Raise WorldError, because gaits have no actuators."""
        raise WorldError(f'gaits do not command the actuator "{actuator}"; they move rest angles of springs')

    def advanced(self, memory: Mapping[str, GaitMemory], dt: Scalar) -> dict[str, GaitMemory]:
        """Return the memory at the end of a control step of dt [s]."""
        return {name: gait.advanced(memory[name], dt) for name, gait in self.gaits.items()}

    def stepping(self, memory: Mapping[str, GaitMemory]) -> list[Scalar]:
        """Return True for each leg that is in step."""
        return [steps for name, gait in self.gaits.items() for steps in gait.stepping(memory[name])]

    def structure(self) -> tuple[Any, ...]:
        """Return the structures of all gaits, by name."""
        return ("gaits", [(name, gait.structure()) for name, gait in self.gaits.items()])


def renamed_gait(gait: GaitController, links: Mapping[str, str], prefix: str) -> GaitController:
    """Return a gait for the same creature in a forest.

    links: names of links in the forest by their original names. prefix: prefix of the names of legs.
    """

    def renamed(program: Sequence[MotorCommand]) -> tuple[MotorCommand, ...]:
        return tuple(replace(command, joint=links[command.joint]) for command in program)

    legs = tuple(
        replace(
            leg,
            name=prefix + leg.name,
            links=tuple(links[name] for name in leg.links),
            step=renamed(leg.step),
            stance=renamed(leg.stance),
            angle_joint=links.get(leg.angle_joint, ""),
            load_joint=links.get(leg.load_joint, ""),
        )
        for leg in gait.legs
    )
    rest = {links[name]: angle for name, angle in gait.rest.items()}
    others, modifiers = (links[name] for name in gait.others), (one.renamed(links) for one in gait.modifiers)
    return replace(gait, legs=legs, rest=rest, others=tuple(others), modifiers=tuple(modifiers))
