"""The law of a runner in the plane: a state machine, a leg spring and a foot placement. [Hodgins et al. 1995]

One leg is active: it lands, carries the weight and pushes off. The other leg is idle: it is bent, moves forward, and
mirrors the active leg. At take-off they exchange their roles. The phases are

    flight      until the active foot touches the ground; its thigh places the foot
    loading     until the hip stops sinking; the knee yields as a spring
    unloading   until the foot leaves the ground; the ankle pushes off

    foot ahead of the hip at landing:  x = v T / 2 + k (v - v_d)          T: time of the last stance
    idle thigh:                       theta_i = theta_0 - m theta_a       mirror of the active thigh, in the world
    active hip in stance:             tau = -tau_pelvis - tau_idle - tau_lumbar

The scheme is by Hodgins, Wooten, Brogan and O'Brien; the foot placement is Raibert's. Their numbers were not available;
the numbers here were found by our own search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.control import Phase, PhaseMemory, Senses, StateMachine
from gambol.creatures.people.falling import relaxed_if_falling
from gambol.creatures.people.planar_figure import SIDES
from gambol.dynamics import kinematics
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar, atan2, clamp, cos, logical_not, sin, sqrt, where
from gambol.spatial import Vector

TOUCHDOWN, LOWEST_POINT, TAKE_OFF = "touchdown", "deepest", "take-off"
"""Events: the active foot touches the ground, the hip rises again, the active foot has left the ground."""

MIN_PHASE_TIME = 0.04
"""Minimum duration of loading and of unloading [s], since a landing foot may lose contact for a short time."""

MAX_LEG_SINE = 0.6
"""Bound of the sine of the leg's angle at landing."""


@dataclass(frozen=True, slots=True)
class RunnerMemory:
    """The memory of a runner.

    phase: phase of the machine, side 1 while the right leg is active. stance: time of the last stance [s]. bearing:
    time since touchdown in this stance, 0 in flight [s].
    """

    phase: PhaseMemory
    stance: Scalar
    bearing: Scalar


@dataclass(frozen=True)
class Running:
    """The numbers of a runner; angles are in rad.

    speed: desired speed v_d [m/s]. stance: duration of stance in the first step [s]. gain: k, gain of the foot
    placement [s]. torso: pitch of trunk and pelvis. landing, yielding, pushing: angles of knee and ankle of the active
    leg in the three phases. idle: angles of the idle knee in flight, loading and unloading. thigh: theta_0; mirror: m.
    hip, pelvis, lumbar: stiffness [N m/rad] and damping [N m s/rad]. arms: angle of an upper arm, as a fraction of that
    of the opposite thigh; elbow: angle of the elbows.
    """

    speed: float = 3.0
    stance: float = 0.2
    gain: float = 0.389
    torso: float = 0.01
    landing: tuple[float, float] = (-0.26, 0.2)
    yielding: tuple[float, float] = (-0.07, 0.34)
    pushing: tuple[float, float] = (-0.36, -0.57)
    idle: tuple[float, float, float] = (-1.15, -1.49, -0.97)
    thigh: float = 0.11
    mirror: float = 0.6
    hip: tuple[float, float] = (465.0, 37.2)
    pelvis: tuple[float, float] = (751.0, 75.1)
    lumbar: tuple[float, float] = (600.0, 60.0)
    arms: float = 0.7
    elbow: float = 1.4

    def __post_init__(self) -> None:
        if not 0.0 < self.stance < 1.0:
            raise WorldError(f"a stance of {self.stance} s is impossible; give more than 0 and less than 1")

    def machine(self) -> StateMachine:
        """Return the machine of the three phases of a step."""
        rows = zip((self.landing, self.yielding, self.pushing), self.idle, strict=True)
        values = [{"knee": knee, "ankle": ankle, "idle": idle} for (knee, ankle), idle in rows]
        return StateMachine(
            (
                Phase(values[0], event=TOUCHDOWN),
                Phase(values[1], after=MIN_PHASE_TIME, event=LOWEST_POINT),
                Phase(values[2], after=MIN_PHASE_TIME, event=TAKE_OFF, swaps=True),
            )
        )


SCALARS = ("speed", "gain", "torso", "thigh", "mirror", "hip", "pelvis", "lumbar", "arms", "elbow")
"""The numbers of Running that hold in all phases."""


@dataclass(frozen=True)
class RunningLaw:
    """The law of a runner. figure: person(planar=True). running: its numbers.

    Commands: torques of lumbar joint, right and left hip [N m]; targets of knees, feet, upper arms and forearms, each
    right and left, and of the neck [rad].
    """

    figure: Figure
    running: Running = field(default_factory=Running)
    machine: StateMachine = field(init=False)
    required_senses: tuple[str, ...] = field(init=False, default=("q", "v", "contacts"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "machine", self.running.machine())

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of all phases, and of the machine."""
        return {"machine": self.machine.numbers(), **{name: getattr(self.running, name) for name in SCALARS}}

    def memory(self) -> RunnerMemory:
        """Return the memory at the start: in flight, with the right leg about to land."""
        return RunnerMemory(self.machine.memory(), self.running.stance, 0.0)

    def commands(
        self, numbers: Mapping[str, Any], memory: RunnerMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], RunnerMemory]:
        """Return the commands and the memory at the end of a control step, see Law.commands()."""
        velocity = kinematics(self.figure, senses.q, senses.v).point_velocity(1, Vector(0.0, 0.0, 0.0))
        phase, right = memory.phase, memory.phase.side > 0.0
        pose = {name: self.machine.value(numbers["machine"], phase, name) for name in self.machine.names}
        x = 0.5 * velocity.x * memory.stance + numbers["gain"] * (velocity.x - numbers["speed"])
        landing = self.landing_thigh(x, numbers["machine"]["values"]["knee"][0])
        commands = self._torques(numbers, senses, memory, landing)
        commands += [where(right, pose["knee"], pose["idle"]), where(right, pose["idle"], pose["knee"])]
        commands += [where(right, pose["ankle"], 0.0), where(right, 0.0, pose["ankle"])]
        thighs = [senses.q[self._at(f"{side} thigh")] for side in SIDES]
        commands += [numbers["arms"] * thighs[1], numbers["arms"] * thighs[0], numbers["elbow"], numbers["elbow"], 0.0]
        return commands, self._advanced(numbers, memory, senses, velocity.z, dt)

    def landing_thigh(self, x: Scalar, knee: Scalar) -> Scalar:
        """Return the thigh's angle in the world that brings the ankle a distance x ahead of the hip [rad].

        knee: angle of the knee [rad]. The leg is a triangle of thigh and shank.
        """
        thigh, shank = (-self.figure.link(f"right {name}").joint.position[2] for name in ("shank", "foot"))
        along, ahead = thigh + shank * cos(knee), shank * sin(knee)
        sine = clamp(x / sqrt(along * along + ahead * ahead), -MAX_LEG_SINE, MAX_LEG_SINE)
        return atan2(sine, sqrt(1.0 - sine * sine)) - atan2(ahead, along)

    def _torques(
        self, numbers: Mapping[str, Any], senses: Senses, memory: RunnerMemory, landing: Scalar
    ) -> list[Scalar]:
        """Return the torques of lumbar joint and hips. landing: target of the active thigh in flight, in the world."""
        q, v, right = senses.q, senses.v, memory.phase.side > 0.0
        pitch, rate = q[0], v[0]
        trunk = self._at("trunk")
        lumbar = _pd(numbers["lumbar"], numbers["torso"] - pitch - q[trunk], rate + v[trunk])
        tau_pelvis = _pd(numbers["pelvis"], -pitch, rate)
        thighs = [(pitch + q[k], rate + v[k]) for k in (self._at(f"{side} thigh") for side in SIDES)]
        active = where(right, thighs[0][0], thighs[1][0])
        idle, idle_rate = (where(right, b, a) for a, b in zip(*thighs, strict=True))
        in_flight = memory.phase.index < 0.5
        active_rate = where(right, thighs[0][1], thighs[1][1])
        goal = numbers["thigh"] - numbers["mirror"] * active
        tau_idle = _pd(numbers["hip"], goal - idle, idle_rate)
        placing = _pd(numbers["hip"], landing - active, active_rate)
        tau_active = where(in_flight, placing, -(tau_pelvis + lumbar) - tau_idle)
        torques = [lumbar, where(right, tau_active, tau_idle), where(right, tau_idle, tau_active)]
        return relaxed_if_falling(torques, cos(pitch))

    def _advanced(
        self, numbers: Mapping[str, Any], memory: RunnerMemory, senses: Senses, rise: Scalar, dt: Scalar
    ) -> RunnerMemory:
        """Return the memory at the end of a control step. rise: upward velocity of the hip [m/s]."""
        phase = memory.phase
        stands = where(phase.side > 0.0, senses.contacts[0], senses.contacts[1]) > 0.5
        events = {TOUCHDOWN: stands, LOWEST_POINT: rise > 0.0, TAKE_OFF: logical_not(stands)}
        after = self.machine.advanced(numbers["machine"], phase, events, dt)
        took_off = (phase.index > 1.5) & (after.index < 0.5)
        bearing = where(after.index > 0.5, memory.bearing + dt, 0.0)
        return RunnerMemory(after, where(took_off, memory.bearing, memory.stance), bearing)

    def _at(self, name: str) -> int:
        """Return the index of a link's angle in q; in the plane its rate in v has the same index."""
        return self.figure.link(name).q.start

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure, besides the figure."""
        return self.machine.structure(), self.running.stance


def _pd(gain: Sequence[Scalar], error: Scalar, rate: Scalar) -> Scalar:
    """Return the torque of a spring and damper [N m]. gain: stiffness and damping."""
    return gain[0] * error - gain[1] * rate
