"""Passive forces of a figure: springs, dampers, friction, biases and soft limits of all its joints together.

M a + C(q, v) = tau + tau_p(q, v)        V_p(q): energy stored in springs and soft limits
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.joint_forces import joint_forces, spring_numbers
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.tangent import nudged
from gambol.figure import Figure, JointSpring, Springs, resolve_springs
from gambol.lanes import Scalar, jacobian

Rows = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Passive:
    """The springs of a figure's joints, one for each place of a joint, their scales worked out."""

    figure: Figure
    springs: Mapping[str, Sequence[JointSpring]]

    @staticmethod
    def of(figure: Figure, springs: Mapping[str, Springs]) -> "Passive":
        """The springs as given by link name. Raises FigureError for springs that do not fit the figure."""
        return Passive(figure, resolve_springs(figure, springs))

    def forces(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[list[Scalar], Scalar]:
        """Joint forces tau_p (nv) [N m or N] at coordinates q and velocities v, and the energy V_p [J]."""
        tau: list[Scalar] = [0.0] * self.figure.nv
        energy: Scalar = 0.0
        for name, springs in self.springs.items():
            link, numbers = self.figure.link(name), [spring_numbers(spring) for spring in springs]
            rest = [spring.rest for spring in springs]
            found = joint_forces(link.joint.kind, numbers, q[link.q], v[link.v], rest)
            tau[link.v], energy = found.tau, energy + found.energy
        return tau, energy

    def slopes(self, state: Kinematics) -> tuple[Rows, Rows]:
        """Derivatives of tau_p (nv x nv each): along unit joint velocities, and with respect to v."""
        n, still = self.figure.nv, list(state.v)

        def at_place(x: list[Scalar]) -> list[Scalar]:
            return self.forces(nudged(self.figure, state.q, x), still)[0]

        _, by_q = jacobian(at_place, [0.0] * n)
        _, by_v = jacobian(lambda v: self.forces(state.q, v)[0], still)
        return by_q, by_v
