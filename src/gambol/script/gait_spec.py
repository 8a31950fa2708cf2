"""The gait of a corpus that a script describes, and its controller. [McKenna 1990, 4.6]"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.figure import JointSpring
from gambol.gait import (
    GaitController,
    GroundPath,
    Leg,
    MotorCommand,
    PathFollowing,
    ReflexTriggers,
    Side,
    Steering,
    command_changes,
)
from gambol.gait.reflex import UNREACHABLE
from gambol.gait.righting import Righting
from gambol.script.corpus import Corpus
from gambol.script.language.command import Duration, TimedCommand
from gambol.script.language.lines import ScriptError

NOT_STARTED = 1e9
"""The start time of a gait that has not been started [s]."""

HEADING_CYCLES, POSITION_CYCLES = 2.0, 3.0
"""Cycles of the fastest gait in which errors of heading and of position should vanish on a path: legs lag by one."""

PAIR_NAMES = {1: ("",), 2: ("front ", "back "), 3: ("front ", "middle ", "back ")}
"""The names of pairs of legs, by the number of pairs; more than three pairs are numbered."""


@dataclass(slots=True)
class LegPrograms:
    """The motor programs of one leg in protraction (step) and retraction (stance), and the triggers of its reflexes.

    bend_trigger: body, angle [rad] and direction that trigger the step reflex. load_trigger: body and torque [N m] that
    trigger the load-bearing reflex. lines: the line of the script that set a reflex, by the name of the reflex: "step"
    or "load".
    """

    step: tuple[TimedCommand, ...] = ()
    stance: tuple[TimedCommand, ...] = ()
    bend_trigger: tuple[str, float, float] | None = None
    load_trigger: tuple[str, float] | None = None
    lines: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class GaitSpec:
    """The gait of a roach.

    protraction, retraction: durations of step and stance at top speed [s]. delay: time from the step of a leg to the
    step of the leg in front [s]. speed: speed factor. delta: change of the factor by incrspeed. top, bottom: largest
    and smallest factor for incrspeed. step_reflex, load_reflex: True if switched on. start_time: time at which the walk
    starts [s]. legs: legs by number. righting: righting reflex, or None. steering:
    commands of gait.Steering by name; empty without steering. path: a path to follow, and the speed of the figure at
    top speed [m/s], or None.
    """

    corpus: Corpus
    protraction: float = 0.05
    retraction: float = 0.05
    delay: float = 0.05
    speed: float = 1.0
    delta: float = 0.1
    top: float = 1.0
    bottom: float = 1e6
    step_reflex: bool = True
    load_reflex: bool = True
    start_time: float = NOT_STARTED
    legs: dict[int, LegPrograms] = field(default_factory=dict[int, LegPrograms])
    righting: Righting | None = None
    steering: dict[str, float] = field(default_factory=dict[str, float])
    path: tuple[GroundPath, float] | None = None

    def programs(self, number: int) -> LegPrograms:
        """Return the motor programs of a leg; they are created at the first call."""
        return self.legs.setdefault(number, LegPrograms())

    def name(self, number: int) -> str:
        """Return the name of a leg: even numbers are on the left, and pairs are counted from the front."""
        pairs = max(self.legs) // 2 + 1
        side = "right" if number % 2 else "left"
        return PAIR_NAMES[pairs][number // 2] + side if pairs in PAIR_NAMES else f"{number // 2 + 1} {side}"

    def controller(self, springs: dict[str, JointSpring], others: Iterable[str]) -> GaitController:
        """Return the controller.

        springs: springs by link name. others: joints that motor commands move outside of the gait.
        """
        legs = tuple(self._leg(number, springs) for number in self.leg_numbers)
        triggers = tuple(self._triggers(number) for number in self.leg_numbers)
        controller = build_controller(legs, springs, others, self, triggers)
        if not self.steering and self.path is None:
            return controller
        changes = command_changes(self.corpus.figure(), legs, controller.rest)
        commands: dict[str, Any] = dict(self.steering)
        steering = Steering(changes, **commands, following=self._following())
        return replace(controller, modifiers=(*controller.modifiers, steering))

    def _following(self) -> PathFollowing | None:
        """Return the following of the path. Its constants are lengths of time, in cycles of the fastest gait."""
        if self.path is None:
            return None
        (path, speed), cycle = self.path, self.protraction + self.retraction
        reach, lag = POSITION_CYCLES * cycle * speed, HEADING_CYCLES * cycle
        return PathFollowing(path, speed=speed, reach=reach, lag=lag)

    @property
    def has_programs(self) -> bool:
        """True if any leg has a motor program."""
        return bool(self.leg_numbers)

    def messages(self, leg: int, stepping: bool, time: float) -> list[tuple[float, str]]:
        """Return the outputs of a motor program, each with its time [s].

        leg: index in leg_numbers. stepping: True for the program of the step. time: time at which the program begins
        [s].
        """
        programs = self.legs[self.leg_numbers[leg]]
        duration = (
            self.protraction if stepping else (self.protraction + self.retraction) * self.speed - self.protraction
        )
        outputs: list[tuple[float, str]] = []
        for timed_command in programs.step if stepping else programs.stance:
            output_time = time + timed_command.begins * duration
            if timed_command.command.definition.name == "!":
                outputs.append((output_time, timed_command.command.values[0]))
            elif timed_command.command.definition.name == "time":
                outputs.append((output_time, f"time {output_time:.10g}"))
        return outputs

    @property
    def leg_numbers(self) -> list[int]:
        """The numbers of the legs that have a motor program, in order."""
        return sorted(number for number, leg in self.legs.items() if leg.step or leg.stance)

    def _leg(self, number: int, springs: Mapping[str, JointSpring]) -> Leg:
        programs = self.legs[number]
        step, stance = (tuple(_motor_commands(program)) for program in (programs.step, programs.stance))
        lines_of_bodies = {
            timed_command.command.values[0]: timed_command.command.where
            for timed_command in (*programs.step, *programs.stance)
        }
        lines = {command.joint: lines_of_bodies[command.joint] for command in (*step, *stance)}
        if not lines:
            where = (*programs.step, *programs.stance)[0].command.where
            raise ScriptError(f"{where}: leg {number} has no motor command; its programs move no joint")
        links = limb_bodies(self.corpus, lines, number)
        side: Side = "right" if number % 2 else "left"
        angle_joint, load_joint = self._reflex_joints(number, links, springs)
        return Leg(self.name(number), side, number // 2, links, step, stance, angle_joint, load_joint)

    def _reflex_joints(self, number: int, links: Sequence[str], springs: Mapping[str, JointSpring]) -> tuple[str, str]:
        """Return the joints whose angle and torque trigger the reflexes of a leg; empty for the default joints."""
        programs = self.legs[number]
        angle_joint = programs.bend_trigger[0] if programs.bend_trigger else ""
        load_joint = programs.load_trigger[0] if programs.load_trigger else ""
        for reflex, joint in (("step", angle_joint), ("load", load_joint)):
            if joint == self.corpus.root:
                raise ScriptError(
                    f'{programs.lines[reflex]}: leg{reflex}reflex: "{joint}" is the root, which has no joint; '
                    "name another body"
                )
        if load_joint and load_joint not in springs:
            raise ScriptError(
                f'{programs.lines["load"]}: legloadreflex: the joint of "{load_joint}" has no spring whose torque '
                "could be measured; give it ea and eB"
            )
        return "" if angle_joint == links[0] else angle_joint, "" if load_joint == links[:2][-1] else load_joint

    def _triggers(self, number: int) -> ReflexTriggers:
        """Return the triggers of a leg's reflexes; UNREACHABLE for a reflex that is switched off or was not set."""
        bend_trigger, load_trigger = self.legs[number].bend_trigger, self.legs[number].load_trigger
        _, angle, direction = bend_trigger or ("", UNREACHABLE, 1.0)
        _, load = load_trigger or ("", UNREACHABLE)
        return ReflexTriggers(
            angle * direction if bend_trigger and self.step_reflex else UNREACHABLE,
            direction,
            load if self.load_reflex else UNREACHABLE,
        )


def build_controller(
    legs: tuple[Leg, ...],
    springs: dict[str, JointSpring],
    others: Iterable[str],
    gait: GaitSpec | None = None,
    triggers: tuple[ReflexTriggers, ...] = (),
) -> GaitController:
    """Return the controller of a gait, or of motor commands for a figure without gait.

    legs: legs of the gait. springs: springs by link name. others: joints that motor commands move outside of the gait.
    gait: the gait, or None. triggers: triggers of the reflexes of each leg.
    """
    rest = {name: spring.rest for name, spring in springs.items()}
    driven = {joint for leg in legs for joint in leg.joints}
    other_joints = tuple(name for name in others if name not in driven)
    if gait is None:
        return GaitController(legs, rest, others=other_joints)
    has_reflexes = any(t.bent_back != UNREACHABLE or t.load != UNREACHABLE for t in triggers)
    return GaitController(
        legs,
        rest,
        metabolism=gait.protraction,
        speed=gait.speed,
        begins=gait.start_time,
        reflexes=triggers if has_reflexes else (),
        cycle=(gait.protraction + gait.retraction) / gait.protraction,
        delay=gait.delay / gait.protraction,
        others=other_joints,
        modifiers=(gait.righting,) if gait.righting else (),
    )


def limb_bodies(corpus: Corpus, driven: Mapping[str, str], number: int) -> tuple[str, ...]:
    """Return the bodies of a leg from trunk to foot: the chain of its driven joints, extended to the end of the limb.

    driven: bodies with joints that the leg's programs move, each with its line of the script. number: number of the
    leg. Raises ScriptError for joints that are not on one chain.
    """
    ancestors = {name: _ancestors(corpus, name) for name in driven}
    top = min(driven, key=lambda name: len(ancestors[name]))
    deepest = max(driven, key=lambda name: len(ancestors[name]))
    chain = [  # from the top to the deepest driven body
        *reversed(ancestors[deepest][: ancestors[deepest].index(top) + 1 if top in ancestors[deepest] else 0]),
        deepest,
    ]
    if others := [name for name in driven if name not in chain]:
        line = driven[others[0]]
        raise ScriptError(
            f'{line}: motor: leg {number} moves "{others[0]}" and "{deepest}", which are not on the same limb'
        )
    while len(children := corpus.children(chain[-1])) == 1:
        chain.append(children[0])
    return tuple(chain)


def _ancestors(corpus: Corpus, name: str) -> list[str]:
    """Return the ancestors of a body, nearest first."""
    ancestors: list[str] = []
    parent = corpus.body(name).parent
    while parent is not None and parent not in ancestors:
        ancestors.append(parent)
        parent = corpus.body(parent).parent
    return ancestors


def _motor_commands(program: Iterable[TimedCommand]) -> Iterable[MotorCommand]:
    """Yield the motor commands of a program."""
    for timed_command in program:
        if timed_command.command.definition.name == "motor":
            body, _, target, duration = timed_command.command.values
            assert isinstance(duration, Duration)
            yield MotorCommand(body, target, timed_command.begins, duration.value)
