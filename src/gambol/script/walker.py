"""The gait of a corpus as a script describes it, and the controller that comes of it. [McKenna 1990, 4.6]"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gambol.control import GaitController, Leg, MotorCommand, ReflexTriggers, Side
from gambol.control.reflex import NEVER
from gambol.figure import JointSpring
from gambol.script.corpus import Corpus
from gambol.script.language.lines import ScriptError
from gambol.script.language.row import Span, Timed

WAITING = 1e9
"""When a gait begins that was not told to [s]."""

NAMES = {1: ("",), 2: ("front ", "back "), 3: ("front ", "middle ", "back ")}
"""What pairs of legs are called, by how many there are; more are numbered."""


@dataclass(slots=True)
class Programs:
    """What one leg does in protraction (step) and in retraction (stance), and when its reflexes act.

    lines: of the script, that told of the "step" and the "load" reflex.
    """

    step: tuple[Timed, ...] = ()
    stance: tuple[Timed, ...] = ()
    bends: tuple[str, float, float] | None = None  # body, angle [rad], direction
    bears: tuple[str, float] | None = None  # body, torque [N m]
    lines: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Walker:
    """A roach's gait: times at top speed [s], speed factors, legs by number, reflexes, and when it began to walk [s].

    protraction: of a step; retraction: of the shortest stance; delay: to the leg in front.
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
    began: float = WAITING
    legs: dict[int, Programs] = field(default_factory=dict[int, Programs])

    def programs(self, number: int) -> Programs:
        """The programs of a leg, made where it has none yet."""
        return self.legs.setdefault(number, Programs())

    def name(self, number: int) -> str:
        """What a leg is called: even numbers are on the left, and pairs count from the front."""
        pairs = max(self.legs) // 2 + 1
        side = "right" if number % 2 else "left"
        return NAMES[pairs][number // 2] + side if pairs in NAMES else f"{number // 2 + 1} {side}"

    def controller(self, springs: dict[str, JointSpring], others: Iterable[str]) -> GaitController:
        """The controller; springs: of the corpus; others: joints that motor commands move outside of the gait."""
        legs = tuple(self._leg(number) for number in self.numbers)
        triggers = tuple(self._triggers(number, leg) for number, leg in zip(self.numbers, legs, strict=True))
        return controller_of(legs, springs, others, self, triggers)

    @property
    def moves(self) -> bool:
        """Whether any leg has a program."""
        return bool(self.numbers)

    def speech(self, leg: int, stepping: bool, moment: float) -> list[tuple[float, str]]:
        """What the program says that a leg, counted among those that move, begins at a moment [s]; and when."""
        programs = self.legs[self.numbers[leg]]
        lasts = self.protraction if stepping else (self.protraction + self.retraction) * self.speed - self.protraction
        said: list[tuple[float, str]] = []
        for timed in programs.step if stepping else programs.stance:
            at = moment + timed.begins * lasts
            if timed.command.row.name == "!":
                said.append((at, timed.command.values[0]))
            elif timed.command.row.name == "time":
                said.append((at, f"time {at:.10g}"))
        return said

    @property
    def numbers(self) -> list[int]:
        """The legs that have a program, in order."""
        return sorted(number for number, leg in self.legs.items() if leg.step or leg.stance)

    def _leg(self, number: int) -> Leg:
        programs = self.legs[number]
        step, stance = (tuple(_motors(timed)) for timed in (programs.step, programs.stance))
        told = {line.command.values[0]: line.command.where for line in (*programs.step, *programs.stance)}
        lines = {command.joint: told[command.joint] for command in (*step, *stance)}
        if not lines:
            first = (*programs.step, *programs.stance)[0].command.where
            raise ScriptError(f"{first}: leg {number} has no motor command; its programs move no joint")
        links = limb(self.corpus, lines, number)
        side: Side = "right" if number % 2 else "left"
        return Leg(self.name(number), side, number // 2, links, step, stance)

    def _triggers(self, number: int, leg: Leg) -> ReflexTriggers:
        """The reflexes of a leg; one that is off, or was never told of, acts never."""
        bends, bears = self.legs[number].bends, self.legs[number].bears
        for reflex, body, watched in (
            ("step", bends and bends[0], leg.links[0]),
            ("load", bears and bears[0], leg.links[:2][-1]),
        ):
            if body and body != watched:
                where = self.legs[number].lines[reflex]
                raise ScriptError(
                    f"{where}: leg{reflex}reflex: the {reflex} reflex of leg {number} watches the joint of "
                    f'"{watched}", not that of "{body}"'
                )
        _, angle, direction = bends or ("", NEVER, 1.0)
        _, load = bears or ("", NEVER)
        return ReflexTriggers(
            angle * direction if bends and self.step_reflex else NEVER, direction, load if self.load_reflex else NEVER
        )


def controller_of(
    legs: tuple[Leg, ...],
    springs: dict[str, JointSpring],
    others: Iterable[str],
    walker: Walker | None = None,
    triggers: tuple[ReflexTriggers, ...] = (),
) -> GaitController:
    """The controller of some legs, and of joints that motors move without a gait."""
    rest = {name: spring.rest for name, spring in springs.items()}
    driven = {joint for leg in legs for joint in leg.joints}
    own = tuple(name for name in others if name not in driven)
    if walker is None:
        return GaitController(legs, rest, others=own)
    felt = any(t.bent_back != NEVER or t.load != NEVER for t in triggers)
    return GaitController(
        legs,
        rest,
        metabolism=walker.protraction,
        speed=walker.speed,
        begins=walker.began,
        reflexes=triggers if felt else (),
        cycle=(walker.protraction + walker.retraction) / walker.protraction,
        delay=walker.delay / walker.protraction,
        others=own,
    )


def limb(corpus: Corpus, driven: Mapping[str, str], number: int) -> tuple[str, ...]:
    """The bodies of a leg, from the trunk to the foot: the chain on which its driven joints lie, to its end.

    driven: bodies whose joints motors of the leg's programs move, with the lines of the script that say so. Raises
    ScriptError for joints that are not on one chain.
    """
    above = {name: _ancestors(corpus, name) for name in driven}
    top = min(driven, key=lambda name: len(above[name]))
    deepest = max(driven, key=lambda name: len(above[name]))
    chain = [*reversed(above[deepest][: above[deepest].index(top) + 1 if top in above[deepest] else 0]), deepest]
    if odd := [name for name in driven if name not in chain]:
        where = driven[odd[0]]
        raise ScriptError(
            f'{where}: motor: leg {number} moves "{odd[0]}" and "{deepest}", which do not lie on one limb'
        )
    while len(ends := corpus.children(chain[-1])) == 1:
        chain.append(ends[0])
    return tuple(chain)


def _ancestors(corpus: Corpus, name: str) -> list[str]:
    """What a body hangs on, nearest first."""
    found: list[str] = []
    parent = corpus.body(name).parent
    while parent is not None and parent not in found:
        found.append(parent)
        parent = corpus.body(parent).parent
    return found


def _motors(timed: Iterable[Timed]) -> Iterable[MotorCommand]:
    """The motor commands of a program."""
    for line in timed:
        if line.command.row.name == "motor":
            body, _, target, lasts = line.command.values
            assert isinstance(lasts, Span)
            yield MotorCommand(body, target, line.begins, lasts.value)
