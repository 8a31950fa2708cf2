"""The law of SIMBICON for a planar person. [Yin, Loken and van de Panne 2007, sections 3.1 and 3.2]

    swing hip:   theta = theta_0 + cd d + cv v        between -0.4 and 1.6 rad, in the world
                 tau_swing = kp (theta - thigh) - kd (thigh)'
    trunk:       tau_trunk = kp (torso - trunk) - kd (trunk)'
    stance hip:  tau_stance = -tau_trunk - tau_swing

d: horizontal distance of the hip ahead of the stance heel [m]; v: velocity of the hip [m/s]. Knees and ankles are
servos with the targets of the phase. As in the authors' applet, the hip replaces the centre of mass, the heel replaces
the foot, and the target has bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.control import PhaseMemory, Senses, StateMachine
from gambol.creatures.people.falling import relaxed_if_falling
from gambol.creatures.people.gaits import TOUCHDOWN
from gambol.creatures.people.planar_figure import SIDES
from gambol.dynamics import kinematics
from gambol.figure import Figure, PlacedLink
from gambol.lanes import Scalar, clamp, cos, where
from gambol.spatial import Vector


@dataclass(frozen=True)
class PlanarSimbicon:
    """The law of a planar SIMBICON person.

    Commands: torques of the hips [N m], targets of knees and ankles [rad], each right and left. figure: see
    planar_person(). machine: a gait. heel: position of the heel relative to the ankle, forward and up [m]. stiffness kp
    [N m/rad], damping kd [N m s/rad]: gains of hips and trunk. lowest, highest: bounds of the swing hip's target [rad].
    """

    figure: Figure
    machine: StateMachine
    heel: tuple[float, float]
    stiffness: float = 300.0
    damping: float = 30.0
    lowest: float = -0.4
    highest: float = 1.6
    required_senses: tuple[str, ...] = field(init=False, default=("q", "v", "contacts"))

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the gait, the gains and the bounds."""
        gains = {name: getattr(self, name) for name in ("stiffness", "damping", "lowest", "highest")}
        return {"machine": self.machine.numbers(), **gains}

    def memory(self) -> PhaseMemory:
        """Return the memory before the first step: the left leg stands."""
        return self.machine.memory()

    def commands(
        self, numbers: Mapping[str, Any], memory: PhaseMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], PhaseMemory]:
        """Return the commands and the memory at the end of a control step, see Law.commands()."""
        state = kinematics(self.figure, senses.q, senses.v)
        heel = Vector(self.heel[0], 0.0, self.heel[1])
        heels = [state.point_position(self._link(side, "foot").index, heel) for side in SIDES]
        left_stands = memory.side > 0.0
        d = senses.q[1] - where(left_stands, heels[1].x, heels[0].x)
        hip = state.point_velocity(self.figure.root.index, Vector(0.0, 0.0, 0.0))
        pose = {name: self.machine.value(numbers["machine"], memory, name) for name in self.machine.names}
        theta = clamp(pose["swing_hip"] + pose["cd"] * d + pose["cv"] * hip.x, numbers["lowest"], numbers["highest"])
        commands = self._torques(numbers, senses, left_stands, pose["torso"], theta)
        for joint in ("knee", "ankle"):
            swing, stance = pose[f"swing_{joint}"], pose[f"stance_{joint}"]
            commands += [where(left_stands, swing, stance), where(left_stands, stance, swing)]
        touchdown = where(left_stands, senses.contacts[0], senses.contacts[1]) > 0.5
        return commands, self.machine.advanced(numbers["machine"], memory, {TOUCHDOWN: touchdown}, dt)

    def _torques(
        self, numbers: Mapping[str, Any], senses: Senses, left_stands: Scalar, torso: Scalar, theta: Scalar
    ) -> list[Scalar]:
        """Return the torques of the right and the left hip [N m]; torso, theta: targets in the world [rad]."""
        kp, kd = numbers["stiffness"], numbers["damping"]
        trunk, rate = senses.q[0], senses.v[0]
        trunk_torque = kp * (torso - trunk) - kd * rate
        swings: list[Scalar] = []
        for side in SIDES:
            hip = self._link(side, "thigh")
            swings.append(kp * (theta - trunk - senses.q[hip.q.start]) - kd * (rate + senses.v[hip.v.start]))
        right, left = swings
        torques = [where(left_stands, right, -trunk_torque - left), where(left_stands, -trunk_torque - right, left)]
        return relaxed_if_falling(torques, cos(trunk))

    def _link(self, side: str, segment: str) -> PlacedLink:
        return self.figure.link(f"{side} {segment}")

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure, besides the figure."""
        return self.machine.structure(), self.heel
