"""Computed torque: motors that invert a model of the whole figure, so that joints follow given functions of time.

    a_d = r'' + b (r' - v_d) + k (r - q_d)        tau = M a + C        d: driven joints, u: all others

The accelerations of the other joints follow from zero motor force: M_uu a_u = -(M_ud a_d + C_u). [Luh, Walker and Paul
1980, for figures whose joints are all driven; Spong 1994, partial feedback linearisation, for others]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import ImplicitForce
from gambol.dynamics import Kinematics
from gambol.dynamics.bodies import STANDARD_GRAVITY, gravity_scalar_or_vector
from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.rnea import rnea
from gambol.errors import WorldError
from gambol.figure import Triple
from gambol.lanes import Scalar, jvp

JointMotion = Callable[[Scalar], Sequence[Scalar]]
"""Returns the coordinates of the joints at a time [s], over generic scalars: sin, where, ... of gambol.lanes."""


@dataclass(frozen=True, slots=True)
class ComputedTorque(Actuator):
    """Motors of several joints that follow a motion by inverse dynamics (McKenna: an inverse model of the plant).

    joints: names of links whose joints have one degree of freedom. reference: their coordinates at a time [rad or m],
    which is differentiated twice; see JointMotion. stiffness [1/s2], damping [1/s]: gains of the errors, 0 or more; an
    error e obeys e'' + damping e' + stiffness e = 0. gravity: gravity of the model, see World. Without contact the only
    error of the motion is the error of integration. The model knows masses, velocities and gravity. Springs, contacts
    and pushes are not part of it, and only the gains act against them. It has no commands. Raises WorldError for no
    joints, and for gains that are negative or not finite.
    """

    kind: ClassVar[str] = "computed torque"

    joints: tuple[str, ...]
    reference: JointMotion
    stiffness: float = 0.0
    damping: float = 0.0
    gravity: float | Triple = STANDARD_GRAVITY

    def __post_init__(self) -> None:
        if not self.joints:
            raise WorldError("a computed torque has no joints; give the names of their links: joints=(...)")
        for name, gain in (("stiffness", self.stiffness), ("damping", self.damping)):
            if not 0.0 <= gain < math.inf:
                raise WorldError(f"a computed torque has a {name} of {gain}; give 0 or more, and finite")

    def numbers(self) -> dict[str, Scalar]:
        """Return its gains; the reference is compiled in."""
        return {"stiffness": self.stiffness, "damping": self.damping}

    def structure(self) -> tuple[Any, ...]:
        """Return gravity; the reference itself is identified by its trace only."""
        return (self.gravity,)

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return the torques or forces of its joints [N m or N]."""
        return self._torques(at.kinematics, at, self._acceleration(numbers, at))

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its torques in a large step.

        The damping of each joint follows from the gains as if that joint alone moved.
        """
        tau = self.force(numbers, at)
        gain = numbers["damping"] + h * numbers["stiffness"]
        return ImplicitForce(tau, [gain * inertia for inertia in inertias])

    def _acceleration(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return the accelerations that its joints need [rad/s2 or m/s2]."""

        def rate(time: Scalar) -> list[Scalar]:
            return list(jvp(lambda x: self._checked(x[0]), [time], [1.0])[1])

        r, v = self._checked(at.time), rate(at.time)
        a = list(jvp(lambda x: rate(x[0]), [at.time], [1.0])[1])
        k, b = numbers["stiffness"], numbers["damping"]
        state = zip(a, v, at.v, r, at.q, strict=True)
        return [a_ref + b * (v_ref - speed) + k * (q_ref - q) for a_ref, v_ref, speed, q_ref, q in state]

    def _checked(self, time: Scalar) -> list[Scalar]:
        values = list(self.reference(time))
        if len(values) != len(self.joints):
            raise WorldError(f"the reference returns {len(values)} coordinates for {len(self.joints)} joints")
        return values

    def _torques(self, state: Kinematics, at: ActuatorInput, a_driven: Sequence[Scalar]) -> list[Scalar]:
        """Return the torques of the driven joints for their accelerations; all other joints move freely."""
        figure, gravity = state.figure, gravity_scalar_or_vector(self.gravity)
        driven = [link.v.start for link in at.links]
        free = [k for k in range(figure.nv) if k not in driven]
        a: list[Scalar] = [0.0] * figure.nv
        for k, x in zip(driven, a_driven, strict=True):
            a[k] = x
        tau, _ = rnea(state, a, gravity=gravity)
        if free:
            number, rows = {k: i for i, k in enumerate(free)}, mass_rows(state)
            block = [{number[j]: x for j, x in rows[k].items() if j in number} for k in free]
            for k, x in zip(free, factorised(block).solve([-tau[k] for k in free]), strict=True):
                a[k] = x
            tau, _ = rnea(state, a, gravity=gravity)
        return [tau[k] for k in driven]
