"""What forces do to a tree: its articulated-body inertias, found once, and the way of any force through them.

    inertia   U = I S     D = S.U + a_r     W = U / D     I_P += X (I - W U^T) X^T
    inward    u = tau + S.p     x = u / D     p_P = X (p - W u)
    outward   a = X^-1 a_P     v' = x - W.a     a += S v'

[Arnold 1997, eq. 2.17-2.19]: a force p on a link, or tau at its joint, goes to the root
along the path of links, and what it does comes back outward. Velocities and gravity have no part in it. A joint of
several directions lets go of one after the other, as in release.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.bodies import in_joint_axes, in_parent_axes, rigid_inertias
from gambol.dynamics.forward.release import Release, release
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion

Pushes: TypeAlias = dict[int, list[Scalar]]
"""x of each direction of the joints that a force passes, by the number of the link."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction of a joint that has been let go: S, in the joint frame; W = U / D; 1 / D."""

    S: Motion
    W: Force
    D_inverse: Scalar

    @staticmethod
    def of(step: Release) -> "Direction":
        """The direction of a release under unit force, whose x is 1 / D; along a coordinate axis W is 1 there."""
        if step.coordinate is None:
            return Direction(step.S, step.W, step.x)
        return Direction(step.S, step.W.with_component(step.coordinate, 1.0) * step.sign, step.x * step.sign)


@dataclass(frozen=True, slots=True)
class Articulated:
    """A state's articulated bodies. directions: of the joint of each link, with an empty slot for the world."""

    state: Kinematics
    directions: tuple[tuple[Direction, ...], ...]

    def inward(self, link: int, force: Force, tau: Sequence[Scalar] | None = None) -> Pushes:
        """What a force on a link, in its coordinates, and forces tau at its joint do to the joints up to the root."""
        x: Pushes = {}
        for placed in self.state.figure.carriers(link):
            joint, here = self.state.joints[placed.index], self.directions[placed.index]
            force, left = joint.to_joint(force), list[Scalar]()
            for direction, effort in zip(here, [0.0] * len(here) if tau is None else tau, strict=True):
                u = direction.S.dot(force, effort)
                force = force - direction.W * u
                left.append(u * direction.D_inverse)
            x[placed.index], tau = left, None
            force = joint.X_PJ @ force
        return x

    def outward(self, placed: PlacedLink, x: Pushes, parent: Motion) -> tuple[list[Scalar], Motion]:
        """Accelerations of the joint of a link and of the link, in its coordinates, from that of its parent."""
        joint, here = self.state.joints[placed.index], self.directions[placed.index]
        a = joint.X_PJ.pull(parent)
        rates: list[Scalar] = [0.0] * len(here)
        for k in reversed(range(len(here))):
            rates[k] = x[placed.index][k] if placed.index in x else 0.0
            rates[k] = (-a).dot(here[k].W, rates[k])
            a = a + here[k].S * rates[k]
        return rates, joint.to_link(a)

    def response(self, link: int, x: Pushes) -> Motion:
        """Acceleration of a link, in its coordinates, by what forces did to the joints."""
        a = AT_REST
        for placed in reversed(self.state.figure.carriers(link)):
            _, a = self.outward(placed, x, a)
        return a


def articulated(state: Kinematics) -> Articulated:
    """The articulated bodies of a figure at the positions of a state."""
    I = rigid_inertias(state.figure)
    directions: list[tuple[Direction, ...]] = [()] * len(I)
    for link in state.figure.inward():
        i, joint = link.index, state.joints[link.index]
        inertia = in_joint_axes(I[i], joint)
        steps: list[Release] = []
        for S in joint.columns:
            steps.append(release(inertia, NO_FORCE, S, 1.0, link.joint.armature))
            inertia = steps[-1].inertia
        directions[i] = tuple(Direction.of(step) for step in steps)
        I[link.parent_index] += in_parent_axes(inertia, joint)
    return Articulated(state, tuple(directions))
