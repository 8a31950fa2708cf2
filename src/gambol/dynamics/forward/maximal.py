"""Forward dynamics by Lagrange multipliers: every link a free body, every joint the forces psi that it bears.

    I a + p = f_ext + what its joints do        psi.(a_L - X a_P - c) = 0        psi.S = 0
    [ I    Psi^T ] [    a    ]   [ f_ext - p + T tau ]
    [ Psi    0   ] [ -lambda ] = [       Psi c       ]

[Arnold 1997, section 2.1.2; Baraff 1996]. With a link's rows behind those of its joint, and these behind its parent's,
elimination from the last row fills in nothing beyond the parent: the cost grows with the number of links. Joint forces
act along T, the reciprocals of the free directions, T^T S = 1; a rotor acts there with -a_r v'.

A link need not have any inertia: each joint is also given w psi psi^T, of the size of what it carries, on the
acceleration that its constraint makes 0, which changes none. [Golub and Greif 2003]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure, PlacedLink, composites
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion
from gambol.spatial.rotation import exactly

ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Drift:
    """How far joints have come apart, and how fast they are brought together. [Baumgarte 1972]

    apart: of each link, by its number, the small motion of its joint frame from where its joint's coordinates put it,
    in that frame [rad, m]. rate: at which what is left dies out, critically damped [1/s].
    """

    apart: Sequence[Motion]
    rate: Scalar


@dataclass(frozen=True, slots=True)
class Grip:
    """A joint's hold on its two bodies along one force: what it measures is on_link.a_L + on_parent.a_P - known.

    on_link, on_parent: the force on either, in its own coordinates.
    """

    on_link: Force
    on_parent: Force
    known: Scalar

    def measured(self, a_L: Motion, a_P: Motion) -> Scalar:
        """Acceleration along the force between the two bodies, beyond what velocities cause."""
        return a_L.dot(self.on_link, a_P.dot(self.on_parent, -self.known))


def maximal(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Joint accelerations (nv) of a figure taken apart into its links; tau, f_ext, gravity: as for aba()."""
    a = link_accelerations(state, tau, f_ext=f_ext, gravity=gravity)
    links = state.figure.links
    return [g.measured(a[l.index], a[l.parent_index]) for l in links for g in free_grips(state, l)]


def link_accelerations(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    drift: Drift | None = None,
) -> list[Motion]:
    """Accelerations of the links' origins in link coordinates, seen from free fall, so the world's, slot 0, is upward.

    tau, f_ext, gravity: as for aba(). drift: what to do where the links do not meet in their joints.
    """
    figure, a_0 = state.figure, resting_frame(gravity)
    system = _System(figure, a_0)
    I = rigid_inertias(figure)
    stiff = _stiffness(figure)
    for link, p in zip(figure.links, rigid_biases(state, I)[1:], strict=True):
        system.put_body(link, [I[link.index].column(k) for k in range(6)], f_ext.get(link.index, NO_FORCE) - p)
        for psi in state.joints[link.index].constraints():
            grip = _grip(state, link, psi, drift)
            weight = sum((psi[k] * psi[k] * g for k, g in enumerate(stiff[link.index])), 0.0)
            system.put(link, grip, weight, 0.0)
            system.hold(link, grip)
        for grip, push in zip(free_grips(state, link), tau[link.v], strict=True):
            system.put(link, grip, link.joint.armature, push)
    return system.solved()


def free_grips(state: Kinematics, link: PlacedLink) -> list[Grip]:
    """The holds along which a joint's own forces act; what they measure are its accelerations."""
    return [_grip(state, link, t, None) for t in reciprocals(state.joints[link.index])]


def reciprocals(joint: Placement) -> list[Force]:
    """For each free direction of a joint the force along the free ones with power 1 on it and none on the others."""
    S = joint.columns
    gram = factorised(lower([[s.w.dot(t.w, s.v.dot(t.v)) for t in S] for s in S]))
    units = [[float(j == k) for j in range(len(S))] for k in range(len(S))]
    made = [sum((s * x for s, x in zip(S, gram.solve(unit), strict=True)), AT_REST) for unit in units]
    return [Force(m.w, m.v) for m in made]


def _grip(state: Kinematics, link: PlacedLink, force: Force, drift: Drift | None) -> Grip:
    """The hold along a force in the joint's frame."""
    joint, back = state.joints[link.index], state.joints[link.index].R_JL.transpose
    held = Grip(
        Force(back @ force.n, back @ force.f),
        -(joint.X_PJ @ force),
        state.carried(link.index, AT_REST).dot(force),
    )
    if drift is None:
        return held
    speed = state.velocities[link.index].dot(held.on_link, state.velocities[link.parent_index].dot(held.on_parent))
    settling = drift.rate * (speed + speed + drift.rate * drift.apart[link.index].dot(force))
    return Grip(held.on_link, held.on_parent, held.known - settling)


def _stiffness(figure: Figure) -> dict[int, list[float]]:
    """The size of what each joint carries: three moments of inertia, the same, and three masses; none is 0."""
    sizes: dict[int, list[float]] = {}
    for index, body in composites(figure.links).items():
        I, mass = body.inertia_about(ORIGIN), body.mass or figure.mass
        sizes[index] = [(I[0][0] + I[1][1] + I[2][2]) / 3.0 or mass] * 3 + [mass] * 3
    return sizes


class _System:
    """The equations of all links and joints, as sparse rows: of each joint, then of its link, parents first."""

    def __init__(self, figure: Figure, a_0: Motion) -> None:
        self.figure, self.a_0 = figure, a_0
        self.bodies: dict[int, int] = {}
        self.borne: dict[int, int] = {}
        size = 0
        for link in figure.links:
            self.borne[link.index] = size
            size += 12 - (link.v.stop - link.v.start)
            self.bodies[link.index] = size - 6
        self.rows: list[dict[int, Scalar]] = [{k: 0.0} for k in range(size)]
        self.b: list[Scalar] = [0.0] * size

    def put_body(self, link: PlacedLink, inertia: Sequence[Force], force: Force) -> None:
        """A rigid body and the force that it does not make itself."""
        at = self.bodies[link.index]
        for k in range(6):
            self.b[at + k] = self.b[at + k] + force[k]
            for i in range(k, 6):
                self._add(at + i, at + k, inertia[k][i])

    def put(self, link: PlacedLink, grip: Grip, weight: Scalar, push: Scalar) -> None:
        """Inertia between two bodies along a force, and how strongly they are pushed along it."""
        there = list(self._places(link, grip))
        pull = push + weight * self._known(link, grip)
        for i, x in there:
            self.b[i] = self.b[i] + pull * x
            for j, y in there:
                if j <= i:
                    self._add(i, j, weight * (x * y))

    def hold(self, link: PlacedLink, grip: Grip) -> None:
        """A force that keeps two bodies from moving apart along it: the next row of the link's joint."""
        row = self.borne[link.index]
        self.borne[link.index] += 1
        self.b[row] = self._known(link, grip)
        for i, x in self._places(link, grip):
            self._add(max(i, row), min(i, row), x)

    def solved(self) -> list[Motion]:
        """The links' accelerations, the world's in slot 0."""
        x = factorised(self.rows).solve(self.b)
        parts = (x[at : at + 6] for at in self.bodies.values())
        return [self.a_0, *(_motion(part) for part in parts)]

    def _places(self, link: PlacedLink, grip: Grip) -> Iterator[tuple[int, Scalar]]:
        """Where in a row the two bodies of a joint are, and with what."""
        sides = ((link.index, grip.on_link), (link.parent_index, grip.on_parent))
        at = ((self.bodies[i] + k, force[k]) for i, force in sides if i for k in range(6))
        return ((i, x) for i, x in at if not exactly(x, 0.0))

    def _known(self, link: PlacedLink, grip: Grip) -> Scalar:
        return grip.known if link.parent_index else grip.known - self.a_0.dot(grip.on_parent)

    def _add(self, i: int, j: int, x: Scalar) -> None:
        if not exactly(x, 0.0):
            self.rows[i][j] = self.rows[i].get(j, 0.0) + x


def _motion(x: Sequence[Scalar]) -> Motion:
    motion = AT_REST
    for k in range(6):
        motion = motion.with_component(k, x[k])
    return motion
