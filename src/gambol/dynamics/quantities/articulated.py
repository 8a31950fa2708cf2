"""Responses of a tree to forces: the propagation of forces and accelerations through articulated-body inertias.

    inertia   U = I S     D = S.U + a_r     W = U / D     I_P += X (I - W U^T) X^T
    inward    u = tau + S.p     x = u / D     p_P = X (p - W u)
    outward   a = X^-1 a_P     v' = x - W.a     a += S v'

[Arnold 1997, eq. 2.17-2.19]: a force p on a link, or tau at its joint, is propagated inward
along the path to the root, and accelerations outward. Velocities and gravity do not enter. A joint of
several directions is treated direction by direction, as in forward/aba.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.bodies import inertia_in_joint, inertia_in_parent, rigid_inertias
from gambol.dynamics.forward.aba import FreeDirection, free_direction
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, split_point
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion

JointResponses: TypeAlias = dict[int, list[Scalar]]
"""x of each direction of the joints on a force's path to the root, by link index."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A free direction of a joint: S, in the joint frame; W = U / D; 1 / D."""

    S: Motion
    W: Force
    D_inverse: Scalar

    @staticmethod
    def of(direction: FreeDirection) -> "Direction":
        """Return a direction from a free direction under unit force, so that x = 1 / D.

        Where S is a coordinate axis, the component of W along it is 1.
        """
        if direction.coordinate is None:
            return Direction(direction.S, direction.W, direction.x)
        return Direction(
            direction.S,
            direction.W.with_component(direction.coordinate, 1.0) * direction.sign,
            direction.x * direction.sign,
        )


@dataclass(frozen=True, slots=True)
class Articulated:
    """The articulated bodies of a state.

    directions: directions of each link's joint, by link index; none for the world.
    """

    state: Kinematics
    directions: tuple[tuple[Direction, ...], ...]

    def inward(self, link: int, force: Force, tau: Sequence[Scalar] | None = None) -> JointResponses:
        """Return the responses of the joints from a link to the root.

        link: index of the link. force: force on the link, in its coordinates. tau: forces of its joint; None: 0.
        """
        x: JointResponses = {}
        for ancestor in self.state.figure.path_to_root(link):
            joint, directions = self.state.joints[ancestor.index], self.directions[ancestor.index]
            force, responses = joint.to_joint(force), list[Scalar]()
            for direction, tau_k in zip(directions, [0.0] * len(directions) if tau is None else tau, strict=True):
                u = direction.S.dot(force, tau_k)
                force = force - direction.W * u
                responses.append(u * direction.D_inverse)
            x[ancestor.index], tau = responses, None
            force = joint.X_PJ @ force
        return x

    def outward(self, link: PlacedLink, x: JointResponses, a_parent: Motion) -> tuple[list[Scalar], Motion]:
        """Return the accelerations of a link's joint and of the link, in its coordinates.

        link: the link. x: responses of joints. a_parent: acceleration of the parent, in the parent's coordinates.
        """
        joint, directions = self.state.joints[link.index], self.directions[link.index]
        a = joint.X_PJ.apply_inverse(a_parent)
        a_joint: list[Scalar] = [0.0] * len(directions)
        for k in reversed(range(len(directions))):
            a_joint[k] = x[link.index][k] if link.index in x else 0.0
            a_joint[k] = (-a).dot(directions[k].W, a_joint[k])
            a = a + directions[k].S * a_joint[k]
        return a_joint, joint.to_link(a)

    def response(self, link: int, x: JointResponses) -> Motion:
        """Return the acceleration of a link, in its coordinates; link: index of the link; x: responses of joints."""
        a = ZERO_MOTION
        for ancestor in reversed(self.state.figure.path_to_root(link)):
            _, a = self.outward(ancestor, x, a)
        return a


def articulated(state: Kinematics, added: Sequence[Scalar] | None = None) -> Articulated:
    """Return the articulated bodies of a figure at the positions of a state.

    added: inertias along all directions, in addition to those of rotors (nv) [kg m2 or kg]; None: none.
    """
    I = rigid_inertias(state.figure)
    directions: list[tuple[Direction, ...]] = [()] * len(I)
    for link in state.figure.inward():
        split_point()
        i, joint = link.index, state.joints[link.index]
        inertia = inertia_in_joint(I[i], joint)
        free_directions: list[FreeDirection] = []
        for k, S in enumerate(joint.columns, start=link.v.start):
            armature = link.joint.armature if added is None else link.joint.armature + added[k]
            free_directions.append(free_direction(inertia, NO_FORCE, S, 1.0, armature))
            inertia = free_directions[-1].inertia
        directions[i] = tuple(Direction.of(direction) for direction in free_directions)
        I[link.parent_index] += inertia_in_parent(inertia, joint)
    return Articulated(state, tuple(directions))
