"""Passive forces of a figure: springs, dampers, friction, biases and soft limits of all its joints.

M a + C(q, v) = tau + tau_p(q, v)        V_p(q): energy stored in springs and soft limits
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.joint_forces import joint_forces, spring_numbers
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.tangent import perturbed
from gambol.figure import Figure, JointSpring, Springs, resolve_springs
from gambol.lanes import Scalar, jacobian

Rows = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Passive:
    """The springs of a figure's joints by link name, as resolve_springs() returns them: in SI units."""

    figure: Figure
    springs: Mapping[str, Sequence[JointSpring]]

    @staticmethod
    def of(figure: Figure, springs: Mapping[str, Springs]) -> "Passive":
        """Return the passive forces of springs by link name. Raises FigureError for invalid springs."""
        return Passive(figure, resolve_springs(figure, springs))

    def forces(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[list[Scalar], Scalar]:
        """Return joint forces tau_p (nv) [N m or N] at q (nq) and v (nv), and the stored energy V_p [J]."""
        tau: list[Scalar] = [0.0] * self.figure.nv
        energy: Scalar = 0.0
        for name, springs in self.springs.items():
            link, numbers = self.figure.link(name), [spring_numbers(spring) for spring in springs]
            rest = [spring.rest for spring in springs]
            result = joint_forces(link.joint.kind, numbers, q[link.q], v[link.v], rest)
            tau[link.v], energy = result.tau, energy + result.energy
        return tau, energy

    def derivatives(self, state: Kinematics) -> tuple[Rows, Rows]:
        """Return the derivatives of tau_p with respect to positions and to v (nv x nv each).

        Those with respect to positions are directional derivatives along unit joint velocities.
        """
        n, v = self.figure.nv, list(state.v)

        def forces_at(x: list[Scalar]) -> list[Scalar]:
            return self.forces(perturbed(self.figure, state.q, x), v)[0]

        _, by_q = jacobian(forces_at, [0.0] * n)
        _, by_v = jacobian(lambda v: self.forces(state.q, v)[0], v)
        return by_q, by_v
