"""The control law of a person in the plane that follows the procedural walk on its own feet.

    swing thigh:   theta = theta_p(t) + s (c_d (d - d_p(t)) + c_v (v - v_p(t)))         in the world
                   tau_swing = kp (theta - thigh) + kd (theta_p' - thigh')
    pelvis:        tau_pelvis = kp (lean - pitch) - kd pitch'
    stance hip:    tau_stance = -tau_pelvis - tau_swing - tau_lumbar
    knees, ankles: servos, with the angles of the procedural walk and their rates

t: time since the last touchdown, at which a step of the procedural walk (index p) begins; at most the duration T of a
step. d: position of the hips, forward of the ankle of the leading foot [m]; v: velocity of the hips [m/s]; s grows from
0 at the end of double support to 1 in the middle of the swing. The next step begins when the swing foot touches the
ground, but not before the time MIN_STEP_FRACTION T. The balance feedback is that of SIMBICON [Yin et al. 2007]. Its use
for the procedural walk, and all numbers, are gambol's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.control import Phase, PhaseMemory, Senses, StateMachine
from gambol.creatures.bruderlin_calvert.motion import ARMS, ELBOW, LegPose, WalkMotion
from gambol.creatures.people.falling import relaxed_if_falling
from gambol.creatures.people.planar_figure import SIDES
from gambol.dynamics import kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar, clamp, cos, jvp, minimum, sin, where
from gambol.spatial import Vector

TOUCHDOWN = "touchdown"
"""The event that ends a step: the swing foot touches the ground."""

MIN_STEP_FRACTION = 0.6
"""Minimum time of a step, as a fraction of the time T of a step of the procedural walk."""


@dataclass(frozen=True)
class WalkGains:
    """The numbers of the law, found by a search of our own.

    distance: c_d [rad/m]; velocity: c_v [rad s/m]. lean: pitch of pelvis and trunk [rad]. hip, pelvis, lumbar:
    stiffness [N m/rad] and damping [N m s/rad]. thigh, knee, ankle, push: offsets of the procedural angles of the swing
    thigh, of knee and ankle of the leading leg, and of the ankle of the trailing leg in the double support [rad].
    """

    distance: float = 0.073
    velocity: float = 0.067
    lean: float = -0.114
    hip: tuple[float, float] = (434.0, 89.8)
    pelvis: tuple[float, float] = (772.0, 74.2)
    lumbar: tuple[float, float] = (600.0, 60.0)
    thigh: float = 0.079
    knee: float = -0.028
    ankle: float = -0.158
    push: float = -0.157


@dataclass(frozen=True)
class WalkTargets:
    """The state of the procedural walk at a time: poses of the leading and the trailing leg, and their rates.

    distance: position of the hips, forward of the ankle of the leading foot, which rolls [m]. velocity: velocity of the
    hips [m/s].
    """

    leading: LegPose
    trailing: LegPose
    leading_rate: LegPose
    trailing_rate: LegPose
    distance: Scalar
    velocity: Scalar


def walk_targets(motion: WalkMotion, t: Scalar) -> WalkTargets:
    """Return the procedural walk at a time in the step [s]."""

    def at(times: list[Scalar]) -> list[Scalar]:
        a, b = motion.leading(times[0]), motion.trailing(times[0])
        return [a.thigh, a.knee, a.foot, b.thigh, b.knee, b.foot, motion.hips.x(times[0])]

    values, rates = jvp(at, [t], [1.0])
    (thigh, knee, _), leg = values[:3], motion.leg
    distance = -leg.thigh * sin(thigh) - leg.shank * sin(thigh + knee)
    a, b, a_rate, b_rate = (LegPose(*group[k : k + 3]) for group in (values, rates) for k in (0, 3))
    return WalkTargets(a, b, a_rate, b_rate, distance, rates[6])


@dataclass(frozen=True)
class ProceduralWalk:
    """The control law of a person that follows the procedural walk.

    Commands: torques of lumbar joint, right and left hip [N m]; targets of knees, feet, upper arms and forearms, each
    right and left, and of the neck [rad]. figure: person(planar=True). motion: the procedural walk. gains: the numbers.
    lag: damping / stiffness of the servos of knees and of ankles [s], by which targets are advanced. begin: time in
    the step at the start [s]. The left leg leads the first step.
    """

    figure: Figure
    motion: WalkMotion
    gains: WalkGains
    lag: tuple[float, float]
    begin: float = 0.0
    machine: StateMachine = field(init=False)
    required_senses: tuple[str, ...] = field(init=False, default=("q", "v", "contacts"))

    def __post_init__(self) -> None:
        shortest = MIN_STEP_FRACTION * self.motion.walk.step
        object.__setattr__(self, "machine", StateMachine((Phase({}, shortest, TOUCHDOWN, swaps=True),)))

    def numbers(self) -> dict[str, Any]:
        """Return the gains, the lags, and the numbers of the machine."""
        gains = {name: getattr(self.gains, name) for name in WalkGains.__dataclass_fields__}
        return {"machine": self.machine.numbers(), "lag": self.lag, **gains}

    def memory(self) -> PhaseMemory:
        """Return the memory at the start: the left leg leads."""
        return PhaseMemory(0.0, self.begin, 1.0)

    def commands(
        self, numbers: Mapping[str, Any], memory: PhaseMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], PhaseMemory]:
        """Return the commands and the memory at the end of a control step, see Law.commands()."""
        left_leads = memory.side > 0.0
        t = minimum(memory.elapsed, self.motion.walk.step)
        targets = walk_targets(self.motion, t)
        theta = targets.trailing.thigh + numbers["thigh"] + self._feedback(numbers, senses, left_leads, targets, t)
        commands = self._torques(numbers, senses, left_leads, theta, targets.trailing_rate.thigh)
        lag, in_double_support = numbers["lag"], t < self.motion.walk.double_support
        a, b, da, db = targets.leading, targets.trailing, targets.leading_rate, targets.trailing_rate
        knees = (a.knee + numbers["knee"] + lag[0] * da.knee, b.knee + lag[0] * db.knee)
        push = where(in_double_support, numbers["push"], 0.0)
        ankles = (a.ankle + numbers["ankle"] + lag[1] * da.ankle, b.ankle + push + lag[1] * db.ankle)
        for lead, trail in (knees, ankles):
            commands += [where(left_leads, trail, lead), where(left_leads, lead, trail)]
        thighs = [senses.q[0] + senses.q[self._at(f"{side} thigh")] for side in SIDES]
        commands += [ARMS * thighs[1], ARMS * thighs[0], ELBOW, ELBOW, 0.0]
        touches = where(left_leads, senses.contacts[0], senses.contacts[1]) > 0.5
        return commands, self.machine.advanced(numbers["machine"], memory, {TOUCHDOWN: touches}, dt)

    def _feedback(
        self, numbers: Mapping[str, Any], senses: Senses, left_leads: Scalar, targets: WalkTargets, t: Scalar
    ) -> Scalar:
        """Return the balance feedback: the change of the angle of the swing thigh [rad]."""
        state = kinematics(self.figure, senses.q, senses.v)
        ankles = [state.poses[self.figure.link(f"{side} foot").index].position.x for side in SIDES]
        d = senses.q[1] - where(left_leads, ankles[1], ankles[0])
        v = state.point_velocity(self.figure.root.index, Vector(0.0, 0.0, 0.0)).x
        walk = self.motion.walk
        fraction = clamp((t - walk.double_support) * (2.0 / walk.swing), 0.0, 1.0)
        return fraction * (numbers["distance"] * (d - targets.distance) + numbers["velocity"] * (v - targets.velocity))

    def _torques(
        self, numbers: Mapping[str, Any], senses: Senses, left_leads: Scalar, theta: Scalar, rate: Scalar
    ) -> list[Scalar]:
        """Return the torques of lumbar joint, right and left hip [N m]. theta, rate: targets of the trailing thigh."""
        q, v, trunk = senses.q, senses.v, self._at("trunk")
        lumbar = _pd(numbers["lumbar"], numbers["lean"] - q[0] - q[trunk], -v[0] - v[trunk])
        pelvis = _pd(numbers["pelvis"], numbers["lean"] - q[0], -v[0])
        hips = [self._at(f"{side} thigh") for side in SIDES]
        right, left = (_pd(numbers["hip"], theta - q[0] - q[k], rate - v[0] - v[k]) for k in hips)
        rest = -pelvis - lumbar
        torques = [lumbar, where(left_leads, right, rest - left), where(left_leads, rest - right, left)]
        return relaxed_if_falling(torques, cos(q[0]))

    def _at(self, name: str) -> int:
        """Return the index of a link's angle in q; in the plane the index of its rate in v is the same."""
        return self.figure.link(name).q.start

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure, besides the figure."""
        walk = self.motion.walk
        return self.machine.structure(), walk.velocity, walk.step_length, walk.height


def _pd(gain: Sequence[Scalar], error: Scalar, rate_error: Scalar) -> Scalar:
    """Return the torque of a spring and damper [N m]. gain: stiffness and damping."""
    return gain[0] * error + gain[1] * rate_error
