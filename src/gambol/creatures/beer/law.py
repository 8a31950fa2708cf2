"""The control law of Beer's network: its inputs are the angles of legs, its outputs are swing speeds and lifts of legs.

Beer's legs have a foot that is up or down. A force that grows with FS or BS swings a leg against viscous friction, so
its speed grows with FS or BS. Here a velocity servo gives the swing joint this speed, and a second joint lifts the foot
unless FT holds it down:

    swing rate = v_f FS - v_b BS (1 -+ turn)        lift = up + (down - up) FT

Steering is Braitenberg's: the side with more light, or the side opposite to the nearer obstacle, walks slower.
[Braitenberg 1984, vehicles 2 and 3] On a course, the turn is that of legs which do not slip, and follows the heading:

    turn = d / v (w + (heading of the course - heading) / tau)

w: rate of turn of the course; d: distance of the feet from the middle; v: speed of the feet in stance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.control import Senses
from gambol.creatures.beer.network import LEGS, AngleRange, Network, NetworkMemory, sensor_currents
from gambol.errors import WorldError
from gambol.gait.course import Course, CourseMemory
from gambol.gait.ground_path import wrapped
from gambol.gait.steering import heading_of
from gambol.lanes import Scalar, clamp, maximum, total, where

STRAIGHT = Course()

LawMemory = NetworkMemory | tuple[NetworkMemory, CourseMemory]
"""The memory of the law; with that of its course, unless this is straight on."""


LAG = 2.0
"""Time in which an error of heading should vanish [s]: two cycles of the tripod."""


@dataclass(frozen=True, slots=True)
class InsectLeg:
    """The joints of one leg of a figure: a velocity servo swings the leg, and a servo lifts it.

    forward: +1 or -1, the sign of a forward swing in its joint's coordinate. reach: the range of its angle, forward
    positive [rad]. up, down: angles of the lifting joint with the foot in the air and on the ground [rad].
    """

    forward: float
    reach: AngleRange
    up: float
    down: float


@dataclass(frozen=True, slots=True)
class Steering:
    """Steering by sensors: towards light, and away from obstacles.

    lights: names of the left and of the right light sensor, or none. whiskers: whiskers of the left and the right
    rangefinder, or none. to_light: turn if all light is on one side. from_obstacles: turn for an obstacle at distance 0
    on one side. bias: turn without light and obstacles, positive to the left.
    """

    lights: tuple[str, ...] = ()
    whiskers: tuple[str, ...] = ()
    to_light: float = 1.5
    from_obstacles: float = 1.5
    bias: float = 0.0

    def __post_init__(self) -> None:
        for names in (self.lights, self.whiskers):
            if len(names) not in (0, 2):
                raise WorldError(f"steering needs a left and a right sensor, or none, not {len(names)}")

    def turn(self, senses: Senses, reaches: Sequence[float]) -> Scalar:
        """Return the turn, from -1 (right) to 1 (left). reaches: reaches of the whiskers [m]."""
        turn: Scalar = self.bias
        if self.lights:
            left, right = (senses.sensors[name][0] for name in self.lights)
            turn = turn + self.to_light * (left - right) / maximum(left + right, 1e-9)
        if self.whiskers:
            near = [
                1.0 - total(senses.sensors[name]) / (reach * len(senses.sensors[name]))
                for name, reach in zip(self.whiskers, reaches, strict=True)
            ]
            turn = turn + self.from_obstacles * (near[1] - near[0])
        return clamp(turn, -1.0, 1.0)


@dataclass(frozen=True)
class BeerLaw:
    """The network as a control law of six legs, in the order of LEGS. Commands are in pairs for each leg: swing, lift.

    command: firing frequency of the command neuron, from 0 to 1. swing_speed: speed of a forward swing at the highest
    frequency [rad/s]; stance_speed: speed of a backward swing, in stance, at the highest frequency [rad/s]. reaches:
    reaches of the whiskers, as in their rangefinders [m]. course: rate of turn or path, in place of sensors. slowing:
    part by which a side walks slower, for each rad/s of turn [s]; top_slowing: the largest such part. root: index of
    the first coordinate of the trunk. Raises WorldError for a number of legs other than six, for a command outside its
    range, and for a course of a law whose sensors steer.
    """

    legs: tuple[InsectLeg, ...]
    network: Network = field(default_factory=Network)
    command: float = 1.0
    swing_speed: float = 2.4
    stance_speed: float = 1.7
    steering: Steering = field(default_factory=Steering)
    reaches: tuple[float, ...] = ()
    course: Course = STRAIGHT
    slowing: float = 0.0
    top_slowing: float = 1.0
    root: int = 0

    def __post_init__(self) -> None:
        if len(self.legs) != len(LEGS):
            raise WorldError(f"the network moves {len(LEGS)} legs, not {len(self.legs)}: {', '.join(LEGS)}")
        if not 0.0 <= self.command <= 1.0:
            raise WorldError(f"the command neuron fires between 0 and 1, not {self.command}")
        if len(self.reaches) != len(self.steering.whiskers):
            raise WorldError(f"{len(self.steering.whiskers)} whiskers need as many reaches, not {len(self.reaches)}")
        if self._on_course and self.steering != Steering():
            raise WorldError("an insect is steered by its sensors or by a course; leave out one of them")

    @property
    def _on_course(self) -> bool:
        return not self.course.is_straight or self.course.steerable

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The angles of the driven joints, the sensors that steer, and the coordinates for a course."""
        position = ("q",) if self._on_course else ()
        return ("angles", *position, *self.steering.lights, *self.steering.whiskers)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the network, the command, the speeds, and the numbers of the course."""
        speeds = {"swing_speed": self.swing_speed, "stance_speed": self.stance_speed}
        steered = {"slowing": self.slowing, "top_slowing": self.top_slowing, "course": self.course.numbers()}
        return {
            "network": self.network.numbers(),
            "command": self.command,
            **speeds,
            **(steered if self._on_course else {}),
        }

    def memory(self) -> LawMemory:
        """Return the initial memory of the network, and of the course."""
        return (self.network.memory(), self.course.memory()) if self._on_course else self.network.memory()

    def with_course(self, course: Course) -> BeerLaw:
        """Return the same law on a course."""
        return replace(self, course=course)

    def commands(
        self, numbers: Mapping[str, Any], memory: LawMemory, senses: Senses, dt: Scalar
    ) -> tuple[list[Scalar], LawMemory]:
        """Return swing rate [rad/s] and lift [rad] of each leg, and the memory after dt [s]."""
        if not isinstance(memory, tuple):
            turn = self.steering.turn(senses, self.reaches)
            return self._legs_driven(numbers, memory, senses, (turn, numbers["command"]), dt)
        network, course = memory
        x, y = senses.q[self.root + 4], senses.q[self.root + 5]
        course = self.course.advanced(numbers["course"], course, (x, y), senses.time, dt)
        turn = self._turn_to(numbers, course, heading_of(senses.q[self.root : self.root + 4], 1.0))
        steered = turn, numbers["command"] * course.pace
        commands, network = self._legs_driven(numbers, network, senses, steered, dt)
        return commands, (network, course)

    def _turn_to(self, numbers: Mapping[str, Any], course: CourseMemory, heading: Scalar) -> Scalar:
        """Return the turn, as of Steering.turn(), that follows a course. heading: that of the trunk [rad]."""
        rate = course.turn + wrapped(course.heading - heading) / LAG
        if self.course.steerable:  # it does not turn until the first command
            commanded = (abs(course.heading) > 0.0) | (abs(course.turn) > 0.0)
            rate = where(commanded, rate, 0.0)
        return clamp(rate * numbers["slowing"], -numbers["top_slowing"], numbers["top_slowing"])

    def _legs_driven(
        self,
        numbers: Mapping[str, Any],
        memory: NetworkMemory,
        senses: Senses,
        steered: tuple[Scalar, Scalar],
        dt: Scalar,
    ) -> tuple[list[Scalar], NetworkMemory]:
        """Return the commands of the legs, and the memory. steered: turn, and frequency of the command neuron."""
        turn, command = steered
        angles = [leg.forward * senses.angles[2 * k] for k, leg in enumerate(self.legs)]
        inputs = sensor_currents([leg.reach for leg in self.legs], angles, command)
        fires, after = self.network.step(numbers["network"], memory, inputs, dt)
        commands: list[Scalar] = []
        for name, leg in zip(LEGS, self.legs, strict=True):
            side = 1.0 - turn if name.endswith("left") else 1.0 + turn
            rate = numbers["swing_speed"] * fires[f"{name} FS"] - numbers["stance_speed"] * side * fires[f"{name} BS"]
            commands += [leg.forward * rate, leg.up + (leg.down - leg.up) * fires[f"{name} FT"]]
        return commands, after

    def structure(self) -> tuple[Any, ...]:
        """Return the legs, the steering, the reaches and the course, which are compiled in."""
        course = (self.root, self.course.structure()) if self._on_course else ()
        return (self.legs, self.steering, self.reaches, *course)
