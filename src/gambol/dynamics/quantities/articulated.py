"""Responses of a tree to forces: articulated-body inertias, computed once, and the propagation of forces through them.

    inertia   U = I S     D = S.U + a_r     W = U / D     I_P += X (I - W U^T) X^T
    inward    u = tau + S.p     x = u / D     p_P = X (p - W u)
    outward   a = X^-1 a_P     v' = x - W.a     a += S v'

[Arnold 1997, eq. 2.17-2.19]: a force p on a link, or tau at its joint, is propagated inward
along the path to the root, and accelerations outward. Velocities and gravity do not enter. A joint of
several directions is treated direction by direction, as in direction.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.bodies import in_joint_axes, in_parent_axes, rigid_inertias
from gambol.dynamics.forward.direction import FreeDirection, free_direction
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion

JointResponses: TypeAlias = dict[int, list[Scalar]]
"""x of each direction of the joints on a force's path to the root, by link number."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A free direction of a joint: S, in the joint frame; W = U / D; 1 / D."""

    S: Motion
    W: Force
    D_inverse: Scalar

    @staticmethod
    def of(step: FreeDirection) -> "Direction":
        """Return the direction of a step under unit force, whose x is 1 / D; along a coordinate axis W is 1 there."""
        if step.coordinate is None:
            return Direction(step.S, step.W, step.x)
        return Direction(step.S, step.W.with_component(step.coordinate, 1.0) * step.sign, step.x * step.sign)


@dataclass(frozen=True, slots=True)
class Articulated:
    """A state's articulated bodies; directions: those of each link's joint, by link number, none for the world."""

    state: Kinematics
    directions: tuple[tuple[Direction, ...], ...]

    def inward(self, link: int, force: Force, tau: Sequence[Scalar] | None = None) -> JointResponses:
        """Return the responses of joints up to the root to a force on a link, in its coordinates, and to tau."""
        x: JointResponses = {}
        for placed in self.state.figure.path_to_root(link):
            joint, directions = self.state.joints[placed.index], self.directions[placed.index]
            force, responses = joint.to_joint(force), list[Scalar]()
            for direction, tau_k in zip(directions, [0.0] * len(directions) if tau is None else tau, strict=True):
                u = direction.S.dot(force, tau_k)
                force = force - direction.W * u
                responses.append(u * direction.D_inverse)
            x[placed.index], tau = responses, None
            force = joint.X_PJ @ force
        return x

    def outward(self, placed: PlacedLink, x: JointResponses, parent: Motion) -> tuple[list[Scalar], Motion]:
        """Return the accelerations of a link's joint and of the link, in its coordinates.

        placed: the link. x: responses of joints. parent: the acceleration of its parent, in its coordinates.
        """
        joint, directions = self.state.joints[placed.index], self.directions[placed.index]
        a = joint.X_PJ.apply_inverse(parent)
        a_joint: list[Scalar] = [0.0] * len(directions)
        for k in reversed(range(len(directions))):
            a_joint[k] = x[placed.index][k] if placed.index in x else 0.0
            a_joint[k] = (-a).dot(directions[k].W, a_joint[k])
            a = a + directions[k].S * a_joint[k]
        return a_joint, joint.to_link(a)

    def response(self, link: int, x: JointResponses) -> Motion:
        """Return the acceleration of a link, in its coordinates, from responses x of joints."""
        a = ZERO_MOTION
        for placed in reversed(self.state.figure.path_to_root(link)):
            _, a = self.outward(placed, x, a)
        return a


def articulated(state: Kinematics) -> Articulated:
    """Return the articulated bodies of a figure at the positions of a state."""
    I = rigid_inertias(state.figure)
    directions: list[tuple[Direction, ...]] = [()] * len(I)
    for link in state.figure.inward():
        i, joint = link.index, state.joints[link.index]
        inertia = in_joint_axes(I[i], joint)
        steps: list[FreeDirection] = []
        for S in joint.columns:
            steps.append(free_direction(inertia, NO_FORCE, S, 1.0, link.joint.armature))
            inertia = steps[-1].inertia
        directions[i] = tuple(Direction.of(step) for step in steps)
        I[link.parent_index] += in_parent_axes(inertia, joint)
    return Articulated(state, tuple(directions))
