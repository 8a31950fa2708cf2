"""How joint forces change as joints move: each direction displaces all that it carries as one rigid body.

With delta x = dx - S_k x what is seen from the body that direction k displaces, for every link beyond it

    delta v = psi        delta a = chi + psi x v        delta f = I chi + C psi        C psi = sum m (r, 1) x 2 psi x r'
    by q_k    psi = S_k' v_J - S_k x v_P
              chi = -S_k x a_P - psi x v_P + S_k' v_J' + v x S_k' v_J + d(bending)
    by v_k    psi = S_k        chi = (v_P + v) x S_k + d(bending)

so that psi and chi are the same for all of them, and forces beyond a joint change as those of one body:

    d tau_m = S_m.(I chi + C psi)                    of what lies beyond m, where m lies beyond k or is beside it
    d tau_m = S_m.(I chi + C psi + S_k x* f)         of what lies beyond k, where k lies beyond m

Spatial accelerations, all in axes of the root link at its origin. S_k': how the columns of its own joint change in the
joint frame, 0 for all but universal joints. [Carpentier and Mansard 2018; Singh, Russo and Wensing 2022]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.bodies import Gravity, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import MassProperties, PlacedLink
from gambol.figure.joint import Placement, place
from gambol.figure.joint import rates as joint_rates
from gambol.lanes import Scalar, jacobian, seam
from gambol.spatial.inertia import Inertia
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion
from gambol.spatial.transform import SAME, Transform
from gambol.spatial.vector import ZERO, Vector

Rows: TypeAlias = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies beyond a joint as one body: inertia; C as the matrix K = sum m (r.r' - r' r^T) and momentum; force."""

    inertia: Inertia
    K: Matrix
    momentum: Vector
    force: Force

    @staticmethod
    def of_link(mass: MassProperties, pose: Transform, v: Motion, force: Force) -> "Beyond":
        """A rigid link of a pose and a velocity, and the force that moves it."""
        about_com = Symmetric.of(mass.inertia).rotated(pose.rotation)
        com = pose @ Vector(*mass.com)
        I, h = Inertia.rigid(mass.mass, com, about_com.rows), com * mass.mass
        half = (I.I.xx + I.I.yy + I.I.zz) * 0.5
        spread = [[(half if i == k else 0.0) - I.I.rows[i][k] for i in range(3)] for k in range(3)]  # sum m r r^T
        columns = [v.w.cross(Vector(*spread[k])) + v.v * h[k] for k in range(3)]  # sum m r' r^T
        trace = columns[0].x + columns[1].y + columns[2].z
        K = Matrix.of([[(trace if i == k else 0.0) - columns[k][i] for k in range(3)] for i in range(3)])
        return Beyond(I, K, v.v * mass.mass + v.w.cross(h), force)

    def __add__(self, other: "Beyond") -> "Beyond":
        inertia, K = self.inertia + other.inertia, self.K + other.K
        return Beyond(inertia, K, self.momentum + other.momentum, self.force + other.force)

    def change(self, chi: Motion, psi: Vector) -> Force:
        """I chi + C psi; psi: its angular part, which is all that counts."""
        coriolis = Force(self.K.times(psi), psi.cross(self.momentum)) * 2.0
        return self.inertia.times(chi, onto=coriolis)

    def felt_along(self, S: Motion) -> tuple[Force, Vector]:
        """What S.(I chi + C psi) takes of chi, and of the angular part of psi."""
        return self.inertia @ S, (self.K.transpose.times(S.w) + self.momentum.cross(S.v)) * 2.0


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction of a joint: S, and psi (angular) with chi by its q and by its v. bent: S_m' by its q, by m."""

    S: Motion
    by_q: tuple[Vector, Motion]
    by_v: tuple[Vector, Motion]
    bent: dict[int, Motion]


def joint_force_slopes(
    state: Kinematics, rates: Sequence[Scalar], f_ext: Mapping[int, Force], gravity: Gravity
) -> tuple[list[Scalar], Rows, Rows]:
    """Joint forces (nv) for joint accelerations `rates`, and their derivatives by rows along q and by v (nv x nv)."""
    figure, at = state.figure, _Seen(state, rates, gravity)
    beyond = _beyond(at, f_ext)
    nv = range(figure.nv)
    tau: list[Scalar] = [0.0 for _ in nv]
    by_q, by_v = [[0.0 for _ in nv] for _ in nv], [[0.0 for _ in nv] for _ in nv]
    for link in figure.outward():
        seam()
        here = beyond[link.index]
        for m, own in enumerate(at.directions[link.index], start=link.v.start):
            felt, swirl = here.felt_along(own.S)
            tau[m] = own.S.dot(here.force, link.joint.armature * rates[m])
            moved = [here.change(own.by_q[1], own.by_q[0]) + own.S.cross_force(here.force)]
            moved.append(here.change(own.by_v[1], own.by_v[0]))
            for carrier in figure.carriers(link.index):
                for k, d in enumerate(at.directions[carrier.index], start=carrier.v.start):
                    for rows, (psi, chi), force in zip((by_q, by_v), (d.by_q, d.by_v), moved, strict=True):
                        rows[m][k] = psi.dot(swirl, chi.dot(felt))
                        if carrier.index != link.index:
                            rows[k][m] = d.S.dot(force)
                    if m in d.bent:
                        by_q[m][k] = d.bent[m].dot(here.force, by_q[m][k])
    return tau, by_q, by_v


class _Seen:
    """A state seen from its root link. poses, v, a: of all links, spatial; the world's v and a in slot 0."""

    def __init__(self, state: Kinematics, rates: Sequence[Scalar], gravity: Gravity) -> None:
        self.state = state
        fall = Motion(ZERO, state.poses[state.figure.root.index].rotation.transpose @ resting_frame(gravity).v)
        self.points = state.accelerations(rates, resting_frame(gravity))
        self.poses, self.v, self.a = [SAME], [AT_REST], [fall]
        self.directions: list[tuple[Direction, ...]] = [()]
        for link in state.figure.outward():
            seam()
            i, joint = link.index, state.joints[link.index]
            pose = self.poses[link.parent_index] @ joint.X_PL if link.parent_index else SAME
            own, point = state.velocities[i], self.points[i]
            self.poses.append(pose)
            self.v.append(pose @ own)
            self.a.append(pose @ Motion(point.w, point.v - own.w.cross(own.v)))
            self.directions.append(self.directions_of(link, joint, rates[link.v]))

    def directions_of(self, link: PlacedLink, joint: Placement, rates: Sequence[Scalar]) -> tuple[Direction, ...]:
        """The directions of a joint, displaced and moved."""
        v_P, a_P, v = self.v[link.parent_index], self.a[link.parent_index], self.v[link.index]
        own, n = self.state.v[link.v], len(joint.columns)
        by_q, by_v = _bending_slopes(link, joint, self.state.q[link.q], own)
        made: list[Direction] = []
        for k in range(n):
            S = self.out(link, joint.columns[k])
            bent = {bend.column: self.out(link, bend.along) for bend in joint.bends if bend.by == k}
            turned = sum((bent[c] * own[c] for c in bent), AT_REST)
            psi = turned - S.cross(v_P)
            chi = self.out(link, by_q[k]) + v.cross(turned) - psi.cross(v_P) - S.cross(a_P)
            chi = sum((bent[c] * rates[c] for c in bent), chi)
            faster = (v_P + v).cross(S) + self.out(link, by_v[k])
            marks = {link.v.start + c: motion for c, motion in bent.items()}
            made.append(Direction(S, (psi.w, chi), (S.w, faster), marks))
        return tuple(made)

    def out(self, link: PlacedLink, motion: Motion) -> Motion:
        """A motion in the joint frame of a link, in the root's frame."""
        return self.poses[link.index] @ self.state.joints[link.index].to_link(motion)


def _bending_slopes(
    link: PlacedLink, joint: Placement, q: Sequence[Scalar], v: Sequence[Scalar]
) -> tuple[list[Motion], list[Motion]]:
    """Derivatives of a joint's bending, in the joint frame, along each of its directions and by each of its speeds."""
    n = len(joint.columns)
    if not joint.bends:
        return [AT_REST] * n, [AT_REST] * n

    def bending(x: list[Scalar]) -> list[Scalar]:
        there = [a + b for a, b in zip(q, joint_rates(link.joint, q, x[:n]), strict=True)]
        bent = place(link.joint, there).bending(x[n:])
        return [*bent.w, *bent.v]

    _, rows = jacobian(bending, [*[0.0] * n, *v])
    columns = [Motion(Vector.of(c[:3]), Vector.of(c[3:])) for c in zip(*rows, strict=True)]
    return columns[:n], columns[n:]


def _beyond(at: _Seen, f_ext: Mapping[int, Force]) -> list[Beyond]:
    """What lies beyond the joint of each link, by its number; nothing in the world's slot."""
    state = at.state
    I = rigid_inertias(state.figure)
    made = [Beyond.of_link(MassProperties(0.0), SAME, AT_REST, NO_FORCE)]
    for link, bias in zip(state.figure.links, rigid_biases(state, I)[1:], strict=True):
        seam()
        i = link.index
        force = I[i].times(at.points[i], onto=bias - f_ext.get(i, NO_FORCE))
        made.append(Beyond.of_link(link.mass_properties, at.poses[i], at.v[i], at.poses[i] @ force))
    for link in state.figure.inward():
        seam()
        if link.parent_index:
            made[link.parent_index] += made[link.index]
    return made
