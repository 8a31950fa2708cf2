"""Forward dynamics in maximal coordinates: every link is a free body, and joints are constraints with multipliers.

    I a + p = f_ext + joint forces        psi.(a_L - X a_P - c) = 0        psi.S = 0
    [ I    Psi^T ] [    a    ]   [ f_ext - p + T tau ]
    [ Psi    0   ] [ -lambda ] = [       Psi c       ]

[Arnold 1997, section 2.1.2; Baraff 1996]. The rows of a link follow those of its joint, and these follow its parent's.
So elimination from the last row has no fill-in beyond the parent: the cost is linear in the number of links. Joint
forces act along T, the reciprocal basis of S, T^T S = 1; a rotor acts there with -a_r v'.

A link may have no inertia, so w psi psi^T, of the size of its composite inertia, is added for each constraint. It acts
on an acceleration that the constraint makes 0, so it does not change the result. [Golub and Greif 2003]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.forward.systems import factorised, lower
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import Figure, PlacedLink, composite_bodies
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion
from gambol.spatial.rotation import is_constant

ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class JointErrors:
    """Position errors of joints, and the rate of their stabilisation. [Baumgarte 1972]

    errors: for each link, by index, the small motion from the joint frame given by its joint coordinates to its actual
    joint frame, in the first of these frames [rad, m]. rate: rate of their decay, critically damped [1/s].
    """

    errors: Sequence[Motion]
    rate: Scalar


@dataclass(frozen=True, slots=True)
class JointRow:
    """One row of a joint: the relative acceleration on_link.a_L + on_parent.a_P - bias of its two bodies along a force.

    on_link, on_parent: the force on each body, in its coordinates. bias: velocity-product term.
    """

    on_link: Force
    on_parent: Force
    bias: Scalar

    def acceleration(self, a_L: Motion, a_P: Motion) -> Scalar:
        """Return the relative acceleration along the force.

        a_L, a_P: accelerations of link and parent, in their coordinates.
        """
        return a_L.dot(self.on_link, a_P.dot(self.on_parent, -self.bias))


def maximal(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) by maximal coordinates; state, tau, f_ext, gravity: as for aba()."""
    a = link_accelerations(state, tau, f_ext=f_ext, gravity=gravity)
    links = state.figure.links
    return [g.acceleration(a[l.index], a[l.parent_index]) for l in links for g in free_rows(state, l)]


def link_accelerations(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    errors: JointErrors | None = None,
) -> list[Motion]:
    """Return accelerations of the links' origins in link coordinates, relative to free fall; slot 0 is the world.

    state, tau, f_ext, gravity: as for aba(). errors: position errors of joints to stabilise, or None.
    """
    figure, a_0 = state.figure, world_acceleration(gravity)
    system = _System(figure, a_0)
    I = rigid_inertias(figure)
    sizes = _composite_sizes(figure)
    for link, p in zip(figure.links, rigid_biases(state, I)[1:], strict=True):
        system.add_body(link, [I[link.index].column(k) for k in range(6)], f_ext.get(link.index, NO_FORCE) - p)
        for psi in state.joints[link.index].constraint_subspace():
            row = _joint_row(state, link, psi, errors)
            weight = sum((psi[k] * psi[k] * g for k, g in enumerate(sizes[link.index])), 0.0)
            system.add_inertia(link, row, weight, 0.0)
            system.add_constraint(link, row)
        for row, force in zip(free_rows(state, link), tau[link.v], strict=True):
            system.add_inertia(link, row, link.joint.armature, force)
    return system.solve()


def free_rows(state: Kinematics, link: PlacedLink) -> list[JointRow]:
    """Return the rows of the free directions of a link's joint; their accelerations are the joint accelerations."""
    return [_joint_row(state, link, t, None) for t in reciprocals(state.joints[link.index])]


def reciprocals(joint: Placement) -> list[Force]:
    """Return the reciprocal basis T of S: for each free direction, a force with power 1 on it and 0 on the others."""
    S = joint.columns
    gram = factorised(lower([[s.w.dot(t.w, s.v.dot(t.v)) for t in S] for s in S]))
    units = [[float(j == k) for j in range(len(S))] for k in range(len(S))]
    basis = [sum((s * x for s, x in zip(S, gram.solve(unit), strict=True)), ZERO_MOTION) for unit in units]
    return [Force(m.w, m.v) for m in basis]


def _joint_row(state: Kinematics, link: PlacedLink, force: Force, errors: JointErrors | None) -> JointRow:
    """Return the row of a link's joint along a force; force: in the joint frame."""
    joint, R_LJ = state.joints[link.index], state.joints[link.index].R_JL.transpose
    row = JointRow(
        Force(R_LJ @ force.n, R_LJ @ force.f),
        -(joint.X_PJ @ force),
        state.inherited_acceleration(link.index, ZERO_MOTION).dot(force),
    )
    if errors is None:
        return row
    speed = state.velocities[link.index].dot(row.on_link, state.velocities[link.parent_index].dot(row.on_parent))
    stabilisation = errors.rate * (speed + speed + errors.rate * errors.errors[link.index].dot(force))
    return JointRow(row.on_link, row.on_parent, row.bias - stabilisation)


def _composite_sizes(figure: Figure) -> dict[int, list[float]]:
    """Return the size of each composite inertia, by link index: three equal moments and three equal masses, not 0."""
    sizes: dict[int, list[float]] = {}
    for index, body in composite_bodies(figure.links).items():
        I, mass = body.inertia_about(ORIGIN), body.mass or figure.mass
        sizes[index] = [(I[0][0] + I[1][1] + I[2][2]) / 3.0 or mass] * 3 + [mass] * 3
    return sizes


class _System:
    """The linear system of all links and joints, as sparse rows: rows of each joint, then of its link; parents first.

    body_rows: first row of each link, by index. next_row: next free row of each link's joint.
    """

    def __init__(self, figure: Figure, a_0: Motion) -> None:
        self.figure, self.a_0 = figure, a_0
        self.body_rows: dict[int, int] = {}
        self.next_row: dict[int, int] = {}
        size = 0
        for link in figure.links:
            self.next_row[link.index] = size
            size += 12 - (link.v.stop - link.v.start)
            self.body_rows[link.index] = size - 6
        self.rows: list[dict[int, Scalar]] = [{k: 0.0} for k in range(size)]
        self.b: list[Scalar] = [0.0] * size

    def add_body(self, link: PlacedLink, inertia: Sequence[Force], force: Force) -> None:
        """Add a rigid body; inertia: columns of its inertia; force: force on it, both in link coordinates."""
        start = self.body_rows[link.index]
        for k in range(6):
            self.b[start + k] = self.b[start + k] + force[k]
            for i in range(k, 6):
                self._add(start + i, start + k, inertia[k][i])

    def add_inertia(self, link: PlacedLink, row: JointRow, weight: Scalar, force: Scalar) -> None:
        """Add an inertia and a force between two bodies along a row.

        link: the link with the joint of the row. weight: the inertia [kg m2 or kg]. force: force along the row [N m or
        N].
        """
        coefficients = list(self._coefficients(link, row))
        total = force + weight * self._bias(link, row)
        for i, x in coefficients:
            self.b[i] = self.b[i] + total * x
            for j, y in coefficients:
                if j <= i:
                    self._add(i, j, weight * (x * y))

    def add_constraint(self, link: PlacedLink, row: JointRow) -> None:
        """Add a constraint between two bodies along a row: the next row of the link's joint."""
        k = self.next_row[link.index]
        self.next_row[link.index] += 1
        self.b[k] = self._bias(link, row)
        for i, x in self._coefficients(link, row):
            self._add(max(i, k), min(i, k), x)

    def solve(self) -> list[Motion]:
        """Return the links' accelerations; slot 0 is the world."""
        x = factorised(self.rows).solve(self.b)
        blocks = (x[start : start + 6] for start in self.body_rows.values())
        return [self.a_0, *(_motion(block) for block in blocks)]

    def _coefficients(self, link: PlacedLink, row: JointRow) -> Iterator[tuple[int, Scalar]]:
        """Iterate over the columns and coefficients of a joint row."""
        sides = ((link.index, row.on_link), (link.parent_index, row.on_parent))
        entries = ((self.body_rows[i] + k, force[k]) for i, force in sides if i for k in range(6))
        return ((i, x) for i, x in entries if not is_constant(x, 0.0))

    def _bias(self, link: PlacedLink, row: JointRow) -> Scalar:
        return row.bias if link.parent_index else row.bias - self.a_0.dot(row.on_parent)

    def _add(self, i: int, j: int, x: Scalar) -> None:
        if not is_constant(x, 0.0):
            self.rows[i][j] = self.rows[i].get(j, 0.0) + x


def _motion(x: Sequence[Scalar]) -> Motion:
    motion = ZERO_MOTION
    for k in range(6):
        motion = motion.with_component(k, x[k])
    return motion
