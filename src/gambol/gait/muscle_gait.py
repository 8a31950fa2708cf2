"""A gait with motor programs that move the rest angles of antagonist muscles instead of springs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from gambol.actuation import Actuator
from gambol.actuation.muscle import Antagonists, Muscle
from gambol.control.controller import JointSignal, Senses
from gambol.errors import WorldError, did_you_mean
from gambol.gait.gait_controller import GaitController
from gambol.gait.gait_memory import GaitMemory
from gambol.lanes import Scalar, where


@dataclass(frozen=True, slots=True)
class MuscleGaitMemory(GaitMemory):
    """The memory of a gait with muscles: memory of the gait, and the excitation of each muscle, in their order."""

    excitations: list[Scalar]


@dataclass(frozen=True)
class MuscleGait(GaitController):
    """A gait with muscles.

    antagonists: antagonists of some or all of the joints that its motor programs move; the other joints have springs.
    lead: time by which excitations are ahead of the rest angles of the motor programs [s]: the lag of activation, if it
    equals the time constant of the activation dynamics. Excitations are held during a control step. The load-bearing
    reflex senses the torque of the muscles at a leg's second joint. Raises WorldError for antagonists at a joint that
    no program moves.
    """

    antagonists: tuple[Antagonists, ...] = ()
    lead: float = 0.0
    muscles: Mapping[str, Muscle] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.antagonists:
            raise WorldError("a gait with muscles needs antagonists at some joints; without them, take GaitController")
        muscles: dict[str, Muscle] = {}
        for pair in self.antagonists:
            if pair.joint not in self.joints:
                hint = did_you_mean(pair.joint, self.joints)
                raise WorldError(f'antagonists at "{pair.joint}", which no motor program moves; {hint}')
            muscles |= zip(muscle_names(pair.joint), pair.starting_at(self.rest[pair.joint]), strict=True)
        object.__setattr__(self, "muscles", muscles)

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Its muscles by name, see muscle_names()."""
        return self.muscles

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses of its reflexes."""
        return (*super().required_senses, "actuator_outputs")

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """The angle of each leg's first joint, and the spring torque of the second joints that have springs."""
        signals, muscled = super().signals, {pair.joint for pair in self.antagonists}
        sprung = tuple(joint for joint in signals["load"].joints if joint not in muscled)
        return {"upper": signals["upper"], **({"load": JointSignal("spring_torques", sprung)} if sprung else {})}

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the gait and of each muscle, and the stiffness of each pair of antagonists."""
        muscles = {name: muscle.numbers() for name, muscle in self.muscles.items()}
        stiffnesses = [pair.numbers()["stiffness"] for pair in self.antagonists]
        return {**super().numbers(), "actuators": muscles, "stiffness": stiffnesses, "lead": self.lead}

    def memory(self) -> MuscleGaitMemory:
        """Return the memory before the first control step."""
        start = super().memory()
        numbers = self.numbers()
        given = {f.name: getattr(start, f.name) for f in fields(start)}
        return MuscleGaitMemory(**given, excitations=self._excitations(numbers, start))

    def decide(self, numbers: Mapping[str, Any], memory: GaitMemory, senses: Senses, dt: Scalar) -> GaitMemory:
        """Return the memory after the decisions of a control step, see GaitController.decide()."""
        decided = super().decide(
            numbers, memory, replace(senses, spring_torques=self.sensed_torques(numbers, senses)), dt
        )
        assert isinstance(decided, MuscleGaitMemory)
        return replace(decided, excitations=self._excitations(numbers, decided))

    def commands(self, memory: GaitMemory, actuator: str, elapsed: Scalar) -> list[Scalar]:
        """Return the excitation of a muscle, by its name."""
        assert isinstance(memory, MuscleGaitMemory)
        return [memory.excitations[list(self.muscles).index(actuator)]]

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of the gait, and of each muscle."""
        muscles = [(name, muscle.kind, muscle.joints, muscle.structure()) for name, muscle in self.muscles.items()]
        return ("muscle gait", super().structure(), muscles)

    def _excitations(self, numbers: Mapping[str, Any], memory: GaitMemory) -> list[Scalar]:
        """Return the excitation of each muscle for the rest angles of the motor programs, `lead` ahead."""
        excitations: list[Scalar] = []
        for pair, stiffness in zip(self.antagonists, numbers["stiffness"], strict=True):
            k = self.joints.index(pair.joint)
            rest, change, goal = memory.rest[k], memory.rate[k] * numbers["lead"], memory.target[k]
            passes = abs(goal - rest) < abs(change)
            excitations += pair.excitations(
                self._pair_numbers(numbers, pair, stiffness), where(passes, goal, rest + change)
            )
        return excitations

    def sensed_torques(self, numbers: Mapping[str, Any], senses: Senses) -> dict[str, Scalar]:
        """Return the torque at each joint with a spring or antagonists, if a reflex senses it [N m]."""
        torques = dict(senses.spring_torques)
        for pair in self.antagonists:
            forces = {name: senses.actuator_outputs[name]["force"] for name in muscle_names(pair.joint)}
            torques[pair.joint] = sum(
                (force * numbers["actuators"][name]["path"]["pulleys"][0][0] for name, force in forces.items()), 0.0
            )
        return torques

    def _pair_numbers(self, numbers: Mapping[str, Any], pair: Antagonists, stiffness: Scalar) -> dict[str, Any]:
        positive, negative = (numbers["actuators"][name] for name in muscle_names(pair.joint))
        return {"positive": positive, "negative": negative, "stiffness": stiffness}


def muscle_names(joint: str) -> tuple[str, str]:
    """Return the names of the antagonists at a joint: muscles that pull towards greater and towards smaller q."""
    return f"{joint} +", f"{joint} -"


def with_muscles(gait: GaitController, antagonists: tuple[Antagonists, ...], lead: float = 0.0) -> MuscleGait:
    """Return a gait with muscles; arguments: see MuscleGait."""
    given = {f.name: getattr(gait, f.name) for f in fields(gait) if f.init}
    return MuscleGait(**given, antagonists=antagonists, lead=lead)
