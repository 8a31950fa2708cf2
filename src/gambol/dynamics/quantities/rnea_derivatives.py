"""Derivatives of inverse dynamics (RNEA): each direction displaces its subtree as one rigid body.

With delta x = dx - S_k x relative to the body that direction k displaces, for every link of the subtree

    delta v = psi        delta a = chi + psi x v        delta f = I chi + C psi        C psi = sum m (r, 1) x 2 psi x r'
    by q_k    psi = S_k' v_J - S_k x v_P
              chi = -S_k x a_P - psi x v_P + S_k' v_J' + v x S_k' v_J + d(S' v)
    by v_k    psi = S_k        chi = (v_P + v) x S_k + d(S' v)

So psi and chi are the same for the whole subtree, whose force changes like that of one body:

    d tau_m = S_m.(I chi + C psi)                    of the subtree of m, if m is distal to k or in the same joint
    d tau_m = S_m.(I chi + C psi + S_k x* f)         of the subtree of k, if k is distal to m

Accelerations are spatial. All quantities are in the frame of the root link. S_k': derivative of the columns of the same
joint in the joint frame, 0 for most joint kinds. [Carpentier and Mansard 2018; Singh, Russo and Wensing 2022]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.bodies import Gravity, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import MassProperties, PlacedLink
from gambol.figure.joint import Placement, place
from gambol.figure.joint import q_dot as joint_q_dot
from gambol.lanes import Scalar, jacobian, split_point
from gambol.spatial.inertia import Inertia
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import IDENTITY_TRANSFORM, NO_FORCE, ZERO_MOTION, Force, Motion, Transform
from gambol.spatial.vector import ZERO, Vector

Rows: TypeAlias = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class DistalBody:
    """The subtree of a joint as one body, in the root frame.

    inertia: I. K, momentum: terms of C, with K = sum m (r.r' - r' r^T). force: sum of the forces f of its links.
    """

    inertia: Inertia
    K: Matrix
    momentum: Vector
    force: Force

    @staticmethod
    def of_link(mass: MassProperties, pose: Transform, v: Motion, force: Force) -> "DistalBody":
        """Return a link as a body.

        mass: in the link frame; pose, v, force: pose, velocity and force of the link, in the root frame.
        """
        about_com = Symmetric.of(mass.inertia).rotated(pose.rotation)
        com = pose @ Vector(*mass.com)
        I, h = Inertia.rigid(mass.mass, com, about_com.rows), com * mass.mass
        half_trace = (I.I.xx + I.I.yy + I.I.zz) * 0.5
        # sum m r r^T
        second_moments = [[(half_trace if i == k else 0.0) - I.I.rows[i][k] for i in range(3)] for k in range(3)]
        columns = [v.w.cross(Vector(*second_moments[k])) + v.v * h[k] for k in range(3)]  # sum m r' r^T
        trace = columns[0].x + columns[1].y + columns[2].z
        K = Matrix.of([[(trace if i == k else 0.0) - columns[k][i] for k in range(3)] for i in range(3)])
        return DistalBody(I, K, v.v * mass.mass + v.w.cross(h), force)

    def __add__(self, other: "DistalBody") -> "DistalBody":
        inertia, K = self.inertia + other.inertia, self.K + other.K
        return DistalBody(inertia, K, self.momentum + other.momentum, self.force + other.force)

    def force_change(self, chi: Motion, psi: Vector) -> Force:
        """Return I chi + C psi; psi: angular part only, since the linear part has no effect."""
        coriolis = Force(self.K.times(psi), psi.cross(self.momentum)) * 2.0
        return self.inertia.times(chi, addend=coriolis)

    def projected_on(self, S: Motion) -> tuple[Force, Vector]:
        """Return the coefficients of chi and of the angular part of psi in S.(I chi + C psi)."""
        return self.inertia @ S, (self.K.transpose.times(S.w) + self.momentum.cross(S.v)) * 2.0


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction k of a joint, in the root frame.

    by_q, by_v: psi (angular part) and chi with respect to q_k and v_k. S_derivatives: derivatives of the columns S_m
    with respect to q_k, by m.
    """

    S: Motion
    by_q: tuple[Vector, Motion]
    by_v: tuple[Vector, Motion]
    S_derivatives: dict[int, Motion]


def rnea_derivatives(
    state: Kinematics, a: Sequence[Scalar], f_ext: Mapping[int, Force], gravity: Gravity
) -> tuple[list[Scalar], Rows, Rows]:
    """Return joint forces (nv) for joint accelerations a (nv), and their derivatives by q and v (nv x nv).

    state: positions and velocities. f_ext, gravity: as for aba().
    """
    figure, view = state.figure, _RootView(state, a, gravity)
    distal = _distal_bodies(view, f_ext)
    nv = range(figure.nv)
    tau: list[Scalar] = [0.0 for _ in nv]
    by_q, by_v = [[0.0 for _ in nv] for _ in nv], [[0.0 for _ in nv] for _ in nv]
    for link in figure.outward():
        split_point()
        body = distal[link.index]
        for m, direction in enumerate(view.directions[link.index], start=link.v.start):
            chi_force, psi_couple = body.projected_on(direction.S)
            tau[m] = direction.S.dot(body.force, link.joint.armature * a[m])
            forces = [body.force_change(direction.by_q[1], direction.by_q[0]) + direction.S.cross_force(body.force)]
            forces.append(body.force_change(direction.by_v[1], direction.by_v[0]))
            for ancestor in figure.path_to_root(link.index):
                for k, d in enumerate(view.directions[ancestor.index], start=ancestor.v.start):
                    for rows, (psi, chi), force in zip((by_q, by_v), (d.by_q, d.by_v), forces, strict=True):
                        rows[m][k] = psi.dot(psi_couple, chi.dot(chi_force))
                        if ancestor.index != link.index:
                            rows[k][m] = d.S.dot(force)
                    if m in d.S_derivatives:
                        by_q[m][k] = d.S_derivatives[m].dot(body.force, by_q[m][k])
    return tau, by_q, by_v


class _RootView:
    """A state in the frame of its root link.

    poses, v, a: pose, spatial velocity and spatial acceleration of each link, by index; slot 0 is the world.
    a_origins: classical accelerations of the links' origins, in link coordinates. directions: directions of each link's
    joint.
    """

    def __init__(self, state: Kinematics, a: Sequence[Scalar], gravity: Gravity) -> None:
        self.state = state
        a_world = Motion(ZERO, state.poses[state.figure.root.index].rotation.transpose @ world_acceleration(gravity).v)
        self.a_origins = state.accelerations(a, world_acceleration(gravity))
        self.poses, self.v, self.a = [IDENTITY_TRANSFORM], [ZERO_MOTION], [a_world]
        self.directions: list[tuple[Direction, ...]] = [()]
        for link in state.figure.outward():
            split_point()
            i, joint = link.index, state.joints[link.index]
            pose = self.poses[link.parent_index] @ joint.X_PL if link.parent_index else IDENTITY_TRANSFORM
            v_link, a_origin = state.velocities[i], self.a_origins[i]
            self.poses.append(pose)
            self.v.append(pose @ v_link)
            self.a.append(pose @ Motion(a_origin.w, a_origin.v - v_link.w.cross(v_link.v)))
            self.directions.append(self.directions_of(link, joint, a[link.v]))

    def directions_of(self, link: PlacedLink, joint: Placement, a: Sequence[Scalar]) -> tuple[Direction, ...]:
        """Return the directions of a link's joint; a: its joint accelerations."""
        v_P, a_P, v = self.v[link.parent_index], self.a[link.parent_index], self.v[link.index]
        v_joint, n = self.state.v[link.v], len(joint.columns)
        by_q, by_v = _velocity_product_derivatives(link, joint, self.state.q[link.q], v_joint)
        directions: list[Direction] = []
        for k in range(n):
            S = self.to_root(link, joint.columns[k])
            S_derivatives = {dS.column: self.to_root(link, dS.value) for dS in joint.derivatives if dS.coordinate == k}
            S_dot_v = sum((S_derivatives[c] * v_joint[c] for c in S_derivatives), ZERO_MOTION)
            psi = S_dot_v - S.cross(v_P)
            chi = self.to_root(link, by_q[k]) + v.cross(S_dot_v) - psi.cross(v_P) - S.cross(a_P)
            chi = sum((S_derivatives[c] * a[c] for c in S_derivatives), chi)
            chi_v = (v_P + v).cross(S) + self.to_root(link, by_v[k])
            by_column = {link.v.start + c: motion for c, motion in S_derivatives.items()}
            directions.append(Direction(S, (psi.w, chi), (S.w, chi_v), by_column))
        return tuple(directions)

    def to_root(self, link: PlacedLink, motion: Motion) -> Motion:
        """Return a motion in the root frame; motion: in the joint frame of a link."""
        return self.poses[link.index] @ self.state.joints[link.index].to_link(motion)


def _velocity_product_derivatives(
    link: PlacedLink, joint: Placement, q: Sequence[Scalar], v: Sequence[Scalar]
) -> tuple[list[Motion], list[Motion]]:
    """Return derivatives of S' v of a joint, in the joint frame: along each direction, and by each velocity."""
    n = len(joint.columns)
    if not joint.derivatives:
        return [ZERO_MOTION] * n, [ZERO_MOTION] * n

    def velocity_product(x: list[Scalar]) -> list[Scalar]:
        q_moved = [a + b for a, b in zip(q, joint_q_dot(link.joint, q, x[:n]), strict=True)]
        product = place(link.joint, q_moved).velocity_product(x[n:])
        return [*product.w, *product.v]

    _, rows = jacobian(velocity_product, [*[0.0] * n, *v])
    columns = [Motion(Vector.of(c[:3]), Vector.of(c[3:])) for c in zip(*rows, strict=True)]
    return columns[:n], columns[n:]


def _distal_bodies(view: _RootView, f_ext: Mapping[int, Force]) -> list[DistalBody]:
    """Return the subtree of each link as one body, by link index; none for the world."""
    state = view.state
    I = rigid_inertias(state.figure)
    bodies = [DistalBody.of_link(MassProperties(0.0), IDENTITY_TRANSFORM, ZERO_MOTION, NO_FORCE)]
    for link, bias in zip(state.figure.links, rigid_biases(state, I)[1:], strict=True):
        split_point()
        i = link.index
        force = I[i].times(view.a_origins[i], addend=bias - f_ext.get(i, NO_FORCE))
        bodies.append(DistalBody.of_link(link.mass_properties, view.poses[i], view.v[i], view.poses[i] @ force))
    for link in state.figure.inward():
        split_point()
        if link.parent_index:
            bodies[link.parent_index] += bodies[link.index]
    return bodies
