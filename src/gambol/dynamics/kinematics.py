"""Forward kinematics: poses, velocities and accelerations of all links, in one pass outward from the world.

    X_WL = X_WP X_PL        v_L = X_LP v_P + S v        a_L = X_LP a_P + S v' + c        [McKenna 1990, eq. 39, 43]

Velocities are of the link's origin, in link coordinates. Accelerations are the classical accelerations of the origin,
not spatial ones, so that the bias force of a link depends on its angular velocity only. With w_P the parent's angular
velocity, r the joint's position in the parent, and S v = (w_J, v_J) in the joint frame, the velocity-product
acceleration is

    c = X_LP (0, w_P x (w_P x r))  +  (w_P x w_J, (2 w_P + w_J) x v_J)  +  (dS/dt) v
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.figure import Figure, Joint, PlacedLink
from gambol.figure.joint import Placement, place
from gambol.figure.template import at_parent
from gambol.lanes import Scalar, declare_alike, is_short, split_point
from gambol.spatial.motion import IDENTITY_TRANSFORM, ZERO_MOTION, Force, Motion, Transform
from gambol.spatial.vector import ZERO, Vector, centripetal


@dataclass(frozen=True, slots=True)
class Kinematics:
    """Positions and velocities of all links at one state of a figure; slot 0 is the world.

    q, v: the coordinates (nq) and velocities (nv). joints: placement of each link's joint. poses: X_WL. velocities:
    velocities of the links' origins, in link coordinates. centripetals: w_P x (w_P x r), in the parent's coordinates.
    velocity_products: the rest of c, in the joint frame.
    """

    figure: Figure
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    joints: tuple[Placement, ...]
    poses: tuple[Transform, ...]
    velocities: tuple[Motion, ...]
    centripetals: tuple[Vector, ...]
    velocity_products: tuple[Motion, ...]

    def point_position(self, link: int, point: Vector) -> Vector:
        """Return the position in the world [m] of a point of a link; point: in link coordinates [m]."""
        return self.poses[link] @ point

    def point_velocity(self, link: int, point: Vector) -> Vector:
        """Return the velocity in world axes [m/s] of a point of a link; point: in link coordinates [m]."""
        velocity = self.velocities[link]
        return self.poses[link].rotation @ velocity.v.plus_cross(velocity.w, point)

    def force_on_link(self, link: int, point: Vector, force: Vector) -> Force:
        """Return the spatial force on a link, in link coordinates, that is equivalent to a force at a point.

        link: index of the link. point: in link coordinates [m]. force: in world axes [N].
        """
        f = self.poses[link].rotation.transpose @ force
        return Force(point.cross(f), f)

    def inherited_acceleration(self, link: int, parent_acceleration: Motion) -> Motion:
        """Return the acceleration of a link at zero joint acceleration, in the joint frame: X a_P + c.

        link: index of the link. parent_acceleration: in the parent's coordinates.
        """
        a = parent_acceleration
        in_joint = self.joints[link].X_PJ.apply_inverse(Motion(a.w, a.v + self.centripetals[link]))
        return in_joint + self.velocity_products[link]

    def accelerations(self, a: Sequence[Scalar], a_world: Motion = ZERO_MOTION) -> list[Motion]:
        """Return the accelerations of all links' origins, in link coordinates; slot 0 is the world.

        a: joint accelerations (nv). a_world: acceleration of the world; an upward one has the effect of gravity.
        """
        a_links = [a_world]
        for link in self.figure.outward():
            joint = self.joints[link.index]
            inherited = self.inherited_acceleration(link.index, at_parent(self.figure, link, a_links))
            a_links.append(joint.to_link(inherited + joint.motion(a[link.v])))
        return a_links

    def at_rest(self) -> "Kinematics":
        """Return the state with the same positions and zero velocities."""
        zero = (ZERO_MOTION,) * len(self.poses)
        v, centripetals = [0.0] * self.figure.nv, (ZERO,) * len(self.poses)
        return replace(self, v=v, velocities=zero, centripetals=centripetals, velocity_products=zero)

    def moving(self, v: Sequence[Scalar]) -> "Kinematics":
        """Return the state with the same positions and other velocities v (nv)."""
        motions = _LinkMotions()
        for link in self.figure.outward():
            split_point()
            motions.add(self.figure, link, self.joints[link.index], v)
        velocities, centripetals, products = motions.tuples
        return replace(self, v=v, velocities=velocities, centripetals=centripetals, velocity_products=products)


def kinematics(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> Kinematics:
    """Return the poses and velocities of all links.

    figure: the figure. q: coordinates (nq) [rad, m, quaternions of length 1]. v: joint velocities (nv).
    """
    declare_limbs(figure, q, v)
    joints, poses, motions = [place(Joint("fixed"), ())], [IDENTITY_TRANSFORM], _LinkMotions()
    for link in figure.outward():
        split_point()  # the program may be cut here: each link is compiled as the same piece of code
        joints.append(place(link.joint, q[link.q]))
        poses.append(at_parent(figure, link, poses) @ joints[-1].X_PL)
        motions.add(figure, link, joints[-1], v)
    return Kinematics(figure, q, v, tuple(joints), tuple(poses), *motions.tuples)


@dataclass(frozen=True, slots=True)
class _LinkMotions:
    """Kinematics.velocities, centripetals and velocity_products of the first links, outward from the world."""

    velocities: list[Motion] = field(default_factory=lambda: [ZERO_MOTION])
    centripetals: list[Vector] = field(default_factory=lambda: [ZERO])
    products: list[Motion] = field(default_factory=lambda: [ZERO_MOTION])

    @property
    def tuples(self) -> tuple[tuple[Motion, ...], tuple[Vector, ...], tuple[Motion, ...]]:
        """The three lists."""
        return tuple(self.velocities), tuple(self.centripetals), tuple(self.products)

    def add(self, figure: Figure, link: PlacedLink, joint: Placement, v: Sequence[Scalar]) -> None:
        """Add the next link. joint: placement of its joint. v: joint velocities (nv)."""
        parent, relative = at_parent(figure, link, self.velocities), joint.motion(v[link.v])
        v_P = joint.X_PJ.apply_inverse(parent)  # the parent's velocity at the joint, in the joint frame
        self.velocities.append(joint.to_link(v_P + relative))
        self.centripetals.append(centripetal(parent.w, joint.X_PJ.position))
        product = Motion(v_P.w.cross(relative.w), (v_P.w + v_P.w + relative.w).cross(relative.v))
        self.products.append(product + joint.velocity_product(v[link.v]) if joint.derivatives else product)


MIN_LIMBS = 3
"""Least number of alike limbs that are loops in short programs."""


def declare_limbs(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> None:
    """Let short programs have loops over alike limbs: declare their coordinates and velocities as alike."""
    if not is_short():
        return
    families = alike_limbs(figure)
    limb_links = {link.index for limbs in families for limb in limbs for link in limb}
    trunk = [link for link in figure.links if link.index not in limb_links]
    for limbs in families:
        declare_alike([_coordinates(limb, q, v) for limb in limbs], shared=_coordinates(trunk, q, v))


def _coordinates(links: Sequence[PlacedLink], q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    return [x for link in links for x in (*q[link.q], *v[link.v])]


def alike_limbs(figure: Figure) -> list[list[list[PlacedLink]]]:
    """Return families of three or more limbs on one link whose trees and kinds of joints are equal; each limb by links.

    A limb within another limb of a family is part of that.
    """
    children: dict[int, list[PlacedLink]] = {}
    for link in figure.links:
        children.setdefault(link.parent_index, []).append(link)
    structures = _structures(figure, children)
    families: list[list[list[PlacedLink]]] = []
    known: set[int] = set()
    for siblings in children.values():
        groups: dict[int, list[PlacedLink]] = {}
        for link in siblings:
            groups.setdefault(structures[link.index], []).append(link)
        for group in groups.values():
            if len(group) >= MIN_LIMBS and group[0].index not in known:
                families.append([_limb(link, children) for link in group])
                known.update(link.index for links in families[-1] for link in links)
    return families


def _structures(figure: Figure, children: Mapping[int, Sequence[PlacedLink]]) -> dict[int, int]:
    """Return a number for each link, by index; links with equal numbers have equal trees and kinds of joints."""
    numbers: dict[Any, int] = {}
    result: dict[int, int] = {}
    for link in reversed(figure.links):  # children before their parents, without recursion: limbs may have 1,000 links
        below = tuple(result[child.index] for child in children.get(link.index, ()))
        result[link.index] = numbers.setdefault((link.joint.kind, below), len(numbers))
    return result


def _limb(link: PlacedLink, children: Mapping[int, Sequence[PlacedLink]]) -> list[PlacedLink]:
    """Return a link and all links that it carries, each before those that it carries."""
    result: list[PlacedLink] = []
    remaining = [link]
    while remaining:
        result.append(remaining.pop())
        remaining += reversed(children.get(result[-1].index, ()))
    return result
