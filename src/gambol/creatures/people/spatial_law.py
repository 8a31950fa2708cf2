"""The law of SIMBICON for a person in three dimensions. [Yin, Loken and van de Panne 2007, sections 3.1 to 3.3]

    swing thigh: pitch  theta = theta_0 + cd d_x + cv v_x        roll  phi = -+ phi_0 + cd' d_y + cv' v_y
                 T_swing  = kp e(thigh) - kd w_thigh
    pelvis:      T_pelvis = kp_p e(pelvis) - kd_p w_pelvis
    stance hip:  T_stance = -T_pelvis - T_swing - T_lumbar

All are vectors in the world; e(link): the rotation from a link's orientation to its target, as its axis times the sine
of its angle. d: pelvis from the stance ankle, v: velocity of the pelvis, forward and to the left. The torque of a hip
is the sum of the torques of its three motors along their axes. Arms swing with the opposite thigh.

On a course, forward is its heading: all targets and both feedbacks turn with it, so that hips turn pelvis and swing leg
to it, and feet land where the balance about the new direction needs them. [Coros, Beaudoin and van de Panne 2010]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.control import PhaseMemory, Senses, StateMachine
from gambol.creatures.people.falling import relaxed_if_falling
from gambol.creatures.people.gaits import TOUCHDOWN
from gambol.creatures.people.planar_figure import SIDES
from gambol.dynamics import Kinematics, kinematics
from gambol.figure import Figure
from gambol.gait.course import Course, CourseMemory
from gambol.lanes import Scalar, clamp, cos, sin, where
from gambol.spatial import Rotation, Vector

LUMBAR = ("lumbar yaw", "lumbar roll", "trunk")
"""The links of the lumbar joint's hinges."""

ORIGIN = Vector(0.0, 0.0, 0.0)

STRAIGHT = Course()

Memory = PhaseMemory | tuple[PhaseMemory, CourseMemory]
"""The memory of the law; with that of its course, unless this is straight on."""

AXIAL = 0.2
"""The fraction of a torque's component along the link's own axis that is applied: the inertia about this axis is small.
[SimbiconJS, human3D.js]"""


def hip_links(side: str) -> tuple[str, str, str]:
    """Return the links of the three hinges of a hip."""
    return f"{side} hip yaw", f"{side} hip roll", f"{side} thigh"


@dataclass(frozen=True)
class Gains:
    """The gains of the three-dimensional law.

    hip, pelvis, lumbar: stiffness [N m/rad] and damping [N m s/rad]. lowest, highest: bounds of the swing thigh's pitch
    [rad]. spread: phi_0, roll of the swing thigh to its own side [rad]. roll_cd [rad/m], roll_cv [rad s/m]: gains of
    the lateral feedback. arms: angle of an upper arm, as a fraction of that of the opposite thigh. elbow: angle of the
    elbows [rad]. Numbers that differ from the walk in the plane were found by our own search.
    """

    hip: tuple[float, float] = (260.0, 26.0)
    pelvis: tuple[float, float] = (730.0, 73.0)
    lumbar: tuple[float, float] = (600.0, 60.0)
    lowest: float = -0.4
    highest: float = 1.6
    spread: float = -0.03
    roll_cd: float = 0.17
    roll_cv: float = 0.45
    arms: float = 0.6
    elbow: float = 0.4


@dataclass(frozen=True)
class SpatialSimbicon:
    """The law of a SIMBICON person in three dimensions.

    Commands: torques [N m] of lumbar joint, right and left hip; targets [rad] of knees, feet, feet's roll, upper
    arms, shoulders' roll, elbows (each right, left), and of the neck. figure: see person(). machine: a gait. course:
    rate of turn or path; without them, along x.
    """

    figure: Figure
    machine: StateMachine
    gains: Gains = field(default_factory=Gains)
    course: Course = STRAIGHT
    required_senses: tuple[str, ...] = field(init=False, default=("q", "v", "contacts"))

    @property
    def _is_straight(self) -> bool:
        return self.course.is_straight and not self.course.steerable

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the gait, the gains, and the numbers of the course."""
        names = list(self.gains.__dataclass_fields__)
        course = {} if self._is_straight else {"course": self.course.numbers()}
        return {"machine": self.machine.numbers(), **{name: getattr(self.gains, name) for name in names}, **course}

    def memory(self) -> Memory:
        """Return the memory before the first step: the left leg stands."""
        phase = self.machine.memory()
        return phase if self._is_straight else (phase, self.course.memory())

    def with_course(self, course: Course) -> SpatialSimbicon:
        """Return the same law on a course."""
        return replace(self, course=course)

    def commands(
        self, numbers: Mapping[str, Any], memory: Memory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Memory]:
        """Return the commands and the memory at the end of a control step, see Law.commands()."""
        if not isinstance(memory, tuple):
            return self._commands(numbers, memory, None, senses, dt)
        phase, course = memory
        root = self.figure.root.q.start
        place = senses.q[root + 4], senses.q[root + 5]
        course = self.course.advanced(numbers["course"], course, place, senses.time, dt)
        c, s = cos(course.heading), sin(course.heading)
        commands, phase = self._commands(numbers, phase, Rotation.about_coordinate(2, s, c), senses, dt)
        return commands, (phase, course)

    def _commands(
        self, numbers: Mapping[str, Any], memory: PhaseMemory, heading: Rotation | None, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], PhaseMemory]:
        """Return the commands and the memory. heading: rotation from the axes of the heading to the world."""
        state = kinematics(self.figure, senses.q, senses.v)
        left_stands = memory.side > 0.0
        pose = {name: self.machine.value(numbers["machine"], memory, name) for name in self.machine.names}
        thigh = self._thigh_target(numbers, state, pose, memory.side, heading)
        torques = self._torques(numbers, state, (pose["torso"], thigh, left_stands), heading)
        targets: list[Scalar] = []
        for joint in ("knee", "ankle"):
            swing, stance = pose[f"swing_{joint}"], pose[f"stance_{joint}"]
            targets += [where(left_stands, swing, stance), where(left_stands, stance, swing)]
        right, left = (senses.q[self.figure.link(f"{side} thigh").q.start] for side in SIDES)
        arms, elbow = numbers["arms"], numbers["elbow"]
        targets += [0.0, 0.0, arms * left, arms * right, 0.0, 0.0, elbow, elbow, 0.0]
        touchdown = where(left_stands, senses.contacts[0], senses.contacts[1]) > 0.5
        return [*torques, *targets], self.machine.advanced(numbers["machine"], memory, {TOUCHDOWN: touchdown}, dt)

    def _thigh_target(
        self,
        numbers: Mapping[str, Any],
        state: Kinematics,
        pose: Mapping[str, Scalar],
        side: Scalar,
        heading: Rotation | None,
    ) -> Rotation:
        """Return the target orientation of the swing thigh in the world. side: 1 if the left leg stands."""
        right, left = (state.poses[self.figure.link(f"{name} foot").index].position for name in SIDES)
        pelvis = state.poses[self.figure.root.index].position
        velocity = state.point_velocity(self.figure.root.index, ORIGIN)
        stance = _where(side > 0.0, left, right)
        d = pelvis - stance
        if heading is not None:
            d, velocity = heading.transpose @ d, heading.transpose @ velocity
        theta = pose["swing_hip"] + pose["cd"] * d.x + pose["cv"] * velocity.x
        theta = clamp(theta, numbers["lowest"], numbers["highest"])
        phi = numbers["roll_cd"] * d.y + numbers["roll_cv"] * velocity.y - side * numbers["spread"]
        thigh = Rotation.about_coordinate(1, -sin(theta), cos(theta)) @ Rotation.about_coordinate(0, sin(phi), cos(phi))
        return thigh if heading is None else heading @ thigh

    def _torques(
        self,
        numbers: Mapping[str, Any],
        state: Kinematics,
        goals: tuple[Scalar, Rotation, Scalar],
        heading: Rotation | None,
    ) -> list[Scalar]:
        """Return the torques of lumbar joint and hips. goals: pitch of the trunk, thigh, and True for left stance."""
        torso, thigh, left_stands = goals
        upright = Rotation.about_coordinate(1, -sin(torso), cos(torso))
        level = Rotation.about_coordinate(1, 0.0, 1.0)
        if heading is not None:
            upright, level = heading @ upright, heading
        lumbar = self._torque(numbers["lumbar"], state, "trunk", upright)
        tau_pelvis = self._torque(numbers["pelvis"], state, "pelvis", level)
        swings = [self._torque(numbers["hip"], state, f"{side} thigh", thigh) for side in SIDES]
        right, left = swings
        rest = -(tau_pelvis + lumbar)
        hips = (_where(left_stands, right, rest - left), _where(left_stands, rest - right, left))
        torques = [self._axis(state, name).dot(lumbar) for name in LUMBAR]
        for side, hip in zip(SIDES, hips, strict=True):
            torques += [self._axis(state, name).dot(hip) for name in hip_links(side)]
        return relaxed_if_falling(torques, state.poses[self.figure.root.index].rotation.columns[2].z)

    def _torque(self, gain: Sequence[Scalar], state: Kinematics, name: str, target: Rotation) -> Vector:
        """Return the torque that turns a link to a target orientation in the world [N m]."""
        index = self.figure.link(name).index
        R = state.poses[index].rotation
        rotation_error = ORIGIN
        for current, desired in zip(R.columns, target.columns, strict=True):
            rotation_error = rotation_error + current.cross(desired)
        torque = rotation_error * (0.5 * gain[0]) - (R @ state.velocities[index].w) * gain[1]
        along = R.columns[2]
        return torque - along * ((1.0 - AXIAL) * torque.dot(along))

    def _axis(self, state: Kinematics, name: str) -> Vector:
        """Return the axis of a link's hinge, in the world."""
        link = self.figure.link(name)
        return state.poses[link.index].rotation @ Vector(*link.joint.axis)

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure, besides the figure."""
        return (self.machine.structure(), *(() if self._is_straight else self.course.structure()))


def _where(condition: Scalar, yes: Vector, no: Vector) -> Vector:
    return Vector.of([where(condition, a, b) for a, b in zip(yes, no, strict=True)])
