"""Where every link is and how it moves: one pass outward from the world.

    X_WL = X_WP X_PL        v_L = X_LP v_P + S v        a_L = X_LP a_P + S v' + c        [McKenna 1990, eq. 39, 43]

Velocities are those of the link's origin, in link coordinates. So are accelerations: the acceleration of the origin as
a point, not the spatial one, so that the forces of a link's own motion depend on its angular velocity alone. With w_P
the parent's angular velocity, r the joint's place in the parent, and S v = (w_J, v_J) in the joint frame,

    c = X_LP (0, w_P x (w_P x r))  +  (w_P x w_J, (2 w_P + w_J) x v_J)  +  (dS/dt) v
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.figure import Figure, Joint
from gambol.figure.anybody import at_parent
from gambol.figure.joint import Placement, place
from gambol.lanes import Scalar, seam
from gambol.spatial.motion import AT_REST, Force, Motion
from gambol.spatial.transform import SAME, Transform
from gambol.spatial.vector import ZERO, Vector, centripetal


@dataclass(frozen=True, slots=True)
class Kinematics:
    """Positions and velocities of all links at one state of a figure; slot 0 is the world.

    q, v: the coordinates (nq) and velocities (nv). joints: the joint of each link at its q. poses: X_WL. velocities: of
    the link's origin, in link coordinates.
    swings: w_P x (w_P x r), in the parent's coordinates. drifts: the rest of c, in the joint frame.
    """

    figure: Figure
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    joints: tuple[Placement, ...]
    poses: tuple[Transform, ...]
    velocities: tuple[Motion, ...]
    swings: tuple[Vector, ...]
    drifts: tuple[Motion, ...]

    def point_position(self, link: int, point: Vector) -> Vector:
        """Where a point given in link coordinates is in the world [m]."""
        return self.poses[link] @ point

    def point_velocity(self, link: int, point: Vector) -> Vector:
        """Velocity in world axes of a point fixed to a link, given in link coordinates [m/s]."""
        velocity = self.velocities[link]
        return self.poses[link].rotation @ velocity.v.plus_cross(velocity.w, point)

    def force_on_link(self, link: int, point: Vector, force: Vector) -> Force:
        """The spatial force on a link, in link coordinates, of a force in world axes [N] at a point of the link."""
        f = self.poses[link].rotation.transpose @ force
        return Force(point.cross(f), f)

    def carried(self, link: int, parent_acceleration: Motion) -> Motion:
        """The acceleration of a link less S v', in the joint frame: from its parent's and from velocities."""
        a = parent_acceleration
        moved = self.joints[link].X_PJ.pull(Motion(a.w, a.v + self.swings[link]))
        return moved + self.drifts[link]

    def accelerations(self, rates: Sequence[Scalar], base: Motion = AT_REST) -> list[Motion]:
        """Accelerations of all links' origins, in link coordinates, from those of the joints (nv).

        base: of the world, which takes slot 0; its upward acceleration has the effect of gravity.
        """
        a = [base]
        for link in self.figure.outward():
            joint = self.joints[link.index]
            carried = self.carried(link.index, at_parent(self.figure, link, a))
            a.append(joint.to_link(carried + joint.motion(rates[link.v])))
        return a

    def at_rest(self) -> "Kinematics":
        """The same positions without any motion."""
        still = (AT_REST,) * len(self.poses)
        v, swings = [0.0] * self.figure.nv, (ZERO,) * len(self.poses)
        return replace(self, v=v, velocities=still, swings=swings, drifts=still)


def kinematics(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> Kinematics:
    """Poses and velocities of all links at coordinates q (nq) and velocities v (nv).

    q, v: flat, [rad], [m], quaternions, and their rates as the joints' kinds say. Quaternions must have length 1.
    """
    joints, poses, velocities = [place(Joint("fixed"), ())], [SAME], [AT_REST]
    swings, drifts = [ZERO], [AT_REST]
    for link in figure.outward():
        seam()
        parent, joint = at_parent(figure, link, velocities), place(link.joint, q[link.q])
        own = joint.motion(v[link.v])
        seen = joint.X_PJ.pull(parent)  # the parent's velocity at the joint, in the joint frame
        joints.append(joint)
        poses.append(at_parent(figure, link, poses) @ joint.X_PL)
        velocities.append(joint.to_link(seen + own))
        swings.append(centripetal(parent.w, joint.X_PJ.position))
        drift = Motion(seen.w.cross(own.w), (seen.w + seen.w + own.w).cross(own.v))
        drifts.append(drift + joint.bending(v[link.v]) if joint.bends else drift)
    return Kinematics(figure, q, v, tuple(joints), tuple(poses), tuple(velocities), tuple(swings), tuple(drifts))
