"""Raibert's control in three parts, for machines with any number of legs that stand on one virtual leg at a time.

    height    thrust lengthens the springs at the bottom, so that the energy of a hop suffices for the desired height
    speed     in flight, the feet are swung to the neutral point plus a distance proportional to the error of speed
    attitude  while the legs bear the trunk, the hips turn it upright

Legs of one group act as one virtual leg: they are placed, loaded and extended in the same way. Groups stand in turn;
the legs of the other groups are shortened, and swing as mirror images. [Raibert 1986, chapters 2 to 4; Raibert,
Chepponis & Brown 1986]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from gambol.control import Senses
from gambol.creatures.raibert.gains import Gains, Memory
from gambol.creatures.raibert.leg import Leg
from gambol.creatures.raibert.observation import Observation, Pair, observe
from gambol.creatures.raibert.phases import COMPRESSION, FLIGHT, LOADING, THRUST, UNLOADING, is_phase, next_phase
from gambol.creatures.raibert.placement import foot_placement, hip_angles
from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure
from gambol.gait.course import Course
from gambol.lanes import Scalar, clamp, cos, maximum, minimum, sin, total, where
from gambol.spatial import Vector

MAX_CORRECTION = 0.3
"""Bound of each learned correction [m]: a third of the length of a leg."""

SETTLING_TIME = 0.1
"""Time after a foot has left the ground in which the slide of the next leg is damped while it extends [s]."""

MIN_COMPRESSION = 0.01
"""Minimum divisor, a compression, in the computation of thrust [m]."""

NOT_BEGUN = -1.0
"""The time since the beginning of the first stride before it begins, at the first observation [s]."""

STRAIGHT = Course()


@dataclass(frozen=True)
class RaibertLaw:
    """The control law of a machine.

    figure: its figure. legs: legs in the order of the actuators and of the controller's feet. groups: indices of the
    legs of each virtual leg, the same number for each, in the order in which they stand. length: length of a leg [m];
    stiffness: stiffness of its spring [N/m]. gains: see Gains. weight_fraction: fraction of the machine's weight that
    its virtual leg carries. course: rate of turn or path, from the heading of the gains.
    """

    figure: Figure
    legs: tuple[Leg, ...]
    groups: tuple[tuple[int, ...], ...]
    length: float
    stiffness: float
    gains: Gains
    weight_fraction: float = 1.0
    course: Course = STRAIGHT

    required_senses = ("q", "v", "contacts")

    def numbers(self) -> dict[str, Any]:
        """Return the gains, the stiffness of a leg, and the numbers of the course."""
        return {**asdict(self.gains), "stiffness": self.stiffness, "course": self.course.numbers()}

    def memory(self) -> Memory:
        """Return the memory in the air before the first landing; its first stride has not begun."""
        return Memory(FLIGHT, 0.0, 0.0, self.gains.stance_time, 0.0, NOT_BEGUN, *[0.0] * 5, course=self.course.memory())

    def structure(self) -> tuple[Any, ...]:
        """Return the legs, the groups, the length of a leg, the weight fraction, and the structure of the course."""
        return (self.legs, self.groups, self.length, self.weight_fraction, self.course.structure())

    @cached_property
    def group_of(self) -> tuple[int, ...]:
        """The index of each leg's group."""
        return tuple(next(g for g, legs in enumerate(self.groups) if i in legs) for i in range(len(self.legs)))

    def with_course(self, course: Course) -> RaibertLaw:
        """Return the same law on a course."""
        return replace(self, course=course)

    def commands(
        self, numbers: Mapping[str, Any], memory: Memory, senses: Senses, dt: Scalar
    ) -> tuple[list[Scalar], Memory]:
        """Return torques of the hips, damping and thrust of the slide, of each leg in turn; and the new memory."""
        heading = numbers["heading"] + memory.course.heading
        observed = observe(self.figure, self.legs, heading, senses)
        place = observed.centre.x, observed.centre.y
        memory = replace(memory, course=self.course.advanced(numbers["course"], memory.course, place, senses.time, dt))
        reached = numbers["acceleration"] * senses.time
        ahead = maximum(minimum(reached, numbers["speed"]), -reached) * memory.course.pace
        requested = ahead, clamp(self.course.sideways_at(numbers["course"], senses.time), -reached, reached)
        after = self._after(numbers, memory, observed, requested, dt)
        active, flies = self._active(after.group), where(is_phase(after.phase, FLIGHT), 1.0, 0.0)
        bears = where(is_phase(after.phase, COMPRESSION, THRUST), 1.0 / len(self.groups[0]), 0.0)
        targets = self._placed(numbers, after, observed, requested)
        mirrored = [-self._mean(active, [leg.angles[k] for leg in observed.legs]) for k in range(2)]
        commands: list[Scalar] = []
        for i, leg in enumerate(self.legs):
            state, stands = observed.legs[i], active[i] * (1.0 - flies)
            torques: list[Scalar] = []
            levelling = self._levelling(numbers, observed, after, i)
            for k, spin in enumerate((observed.spin.x, observed.spin.y)):
                target = where(active[i] > 0.5, targets[i][k], mirrored[k])
                swing = numbers["swing"] * (target - state.angles[k])
                swing = swing - numbers["swing_damping"] * (state.rates[k] + spin)
                torques.append((1.0 - stands) * swing + active[i] * bears * levelling[k])
            settles = 1.0 - active[i] * where(is_phase(after.phase, FLIGHT) & (after.stride < SETTLING_TIME), 0.0, 1.0)
            rest = active[i] * after.thrust - (1.0 - active[i]) * numbers["short"]
            commands += [
                *torques[0 if leg.spatial else 1 :],
                settles * numbers["settling"],
                numbers["stiffness"] * rest,
            ]
        return commands, after

    def _active(self, group: Scalar) -> list[Scalar]:
        """Return a mask of the legs: 1 if the group of the leg is active, else 0."""
        if len(self.groups) == 1:
            return [1.0] * len(self.legs)
        return [where(abs(group - float(g)) < 0.5, 1.0, 0.0) for g in self.group_of]

    def _mean(self, active: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
        """Return the mean of a quantity over the active legs."""
        return total(a * x for a, x in zip(active, values, strict=True)) * (1.0 / len(self.groups[0]))

    def _hip(self, active: Sequence[Scalar]) -> Vector:
        """Return the middle of the active hips, ahead and to the side of the trunk's origin, in its axes [m]."""
        x, y = (self._mean(active, [leg.hip[k] for leg in self.legs]) for k in range(2))
        return Vector(x, y, 0.0)

    def _after(
        self, numbers: Mapping[str, Any], memory: Memory, observed: Observation, requested: Pair, dt: Scalar
    ) -> Memory:
        """Return the memory after an observation. requested: requested speeds ahead and to the left [m/s]."""
        active = self._active(memory.group)
        touching = self._mean(active, [leg.touching for leg in observed.legs]) > 0.0
        compression = -self._mean(active, [leg.slide for leg in observed.legs])
        shortening = -self._mean(active, [leg.slide_rate for leg in observed.legs])
        hip = self._hip(active)
        height = observed.centre.z + observed.up.dot(hip) - self._mean(active, [leg.foot for leg in observed.legs])
        rise = observed.rise + observed.up.dot(observed.spin.cross(hip))
        phase = next_phase(memory.phase, touching, compression, shortening, numbers["threshold"])
        lands = is_phase(memory.phase, FLIGHT) & is_phase(phase, LOADING)
        leaves = is_phase(memory.phase, UNLOADING) & is_phase(phase, FLIGHT)
        thrusts = is_phase(memory.phase, COMPRESSION) & is_phase(phase, THRUST)
        thrust = where(thrusts, self._lengthening(numbers, memory, compression, height), memory.thrust)
        last = memory.group > len(self.groups) - 1.5
        begins, stance, stride = memory.stride < 0.0, memory.stance + dt, maximum(memory.stride, 0.0) + dt
        ahead, aside, lift = self._corrections(
            numbers,
            replace(memory, stride=stride),
            observed,
            requested,
            height + rise * rise * (0.5 / STANDARD_GRAVITY),
        )
        return Memory(
            phase,
            where(leaves, where(last, 0.0, memory.group + 1.0), memory.group),
            where(lands, 0.0, stance),
            where(leaves, stance, memory.stance_time),
            where(is_phase(phase, THRUST), thrust, 0.0),
            where(leaves, 0.0, stride),
            where(leaves | begins, observed.centre.x, memory.x),
            where(leaves | begins, observed.centre.y, memory.y),
            where(leaves, ahead, memory.ahead),
            where(leaves, aside, memory.aside),
            where(leaves, lift, memory.lift),
            memory.course,
        )

    def _lengthening(self, numbers: Mapping[str, Any], memory: Memory, compression: Scalar, height: Scalar) -> Scalar:
        """Return the lengthening of the springs at the bottom of a stance [m].

        The energy of a hop is M g z at its top. At the bottom it is the energy of n springs and of the centre of mass.
        A lengthening d of the springs, until they have extended by their compression c, adds n k d c.
        """
        weight = self.weight_fraction * self.figure.mass * STANDARD_GRAVITY
        k = float(len(self.groups[0])) * numbers["stiffness"]
        missing = weight * (numbers["height"] + memory.lift - height) - 0.5 * k * compression * compression
        divisor = where(compression > MIN_COMPRESSION, compression, MIN_COMPRESSION)
        return clamp(missing / (k * divisor), -numbers["max_thrust"], numbers["max_thrust"])

    def _corrections(
        self, numbers: Mapping[str, Any], memory: Memory, observed: Observation, requested: Pair, top: Scalar
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return the corrections of the placement, ahead and aside, and of the height, as a foot leaves the ground [m].

        They are integrals of the errors of the mean velocity in each stride, and of its largest height.
        """
        x, y = (observed.centre.x - memory.x) / memory.stride, (observed.centre.y - memory.y) / memory.stride
        heading = numbers["heading"] + memory.course.heading
        forward_x, forward_y = cos(heading), sin(heading)
        gain = numbers["placement_learning"]
        corrections = (
            memory.ahead + gain * (x * forward_x + y * forward_y - requested[0]),
            memory.aside + gain * (y * forward_x - x * forward_y - requested[1]),
            memory.lift + numbers["height_learning"] * (numbers["height"] - top),
        )
        ahead, aside, lift = (clamp(c, -MAX_CORRECTION, MAX_CORRECTION) for c in corrections)
        return ahead, aside, lift

    def _placed(self, numbers: Mapping[str, Any], after: Memory, observed: Observation, requested: Pair) -> list[Pair]:
        """Return the hip angles of each leg at which its foot is placed for the next stance."""
        gain = numbers["placement"]
        # The velocity turns with the heading in a stance.
        ahead, aside = requested[0], observed.ahead * after.course.turn * after.stance_time
        if self.course.goes_sideways:
            ahead, aside = ahead - observed.aside * after.course.turn * after.stance_time, aside + requested[1]
        x = foot_placement(observed.ahead, ahead, after.stance_time, gain) + after.ahead
        y = foot_placement(observed.aside, aside, after.stance_time, gain) + after.aside
        frame = (observed.up, observed.forward, observed.left)
        return [
            hip_angles(x, y - numbers["inward"] * leg.hip[1], self.length + state.slide, *frame)
            for leg, state in zip(self.legs, observed.legs, strict=True)
        ]

    def _levelling(self, numbers: Mapping[str, Any], observed: Observation, after: Memory, i: int) -> Pair:
        """Return the torques of a virtual leg's hip that turn the trunk upright, abduction and flexion [N m].

        The target is not exactly upright: the trunk turns by a fraction of the leg's angle, in the opposite direction.
        Hips ahead of and behind the middle also turn it to the heading: a torque of abduction pushes the foot sideways
        with the force torque / length.
        """
        leg, counter = observed.legs[i], numbers["counter"]
        roll = observed.roll - counter * (observed.roll + leg.angles[0])
        pitch = observed.pitch - counter * (observed.pitch + leg.angles[1])
        abduction = numbers["roll"] * roll + numbers["roll_damping"] * observed.spin.x
        flexion = numbers["pitch"] * pitch + numbers["pitch_damping"] * observed.spin.y
        turning = numbers["yaw"] * observed.yaw + numbers["yaw_damping"] * (observed.spin.z - after.course.turn)
        x, y, _ = self.legs[i].hip
        force = numbers["stiffness"] * (after.thrust - leg.slide) * float(len(self.groups[0]))
        return abduction + turning * (x / self.length) + numbers["inward"] * y * force, flexion
