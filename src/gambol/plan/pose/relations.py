"""Rows of goals: relations between the poses of two links, of the centre of mass, and of joints.

    phi = f(R, p)          R, p: rotation and position of frame A in frame B
    phi' = g_w.w + g_v.v   w, v: relative velocity, in B's axes
    phi'' = g_w.w' + g_v.v' + (d2/dt2) f(exp(t w) R, p + t v)

A goal defines f only, over generic scalars; dual numbers compute g_w, g_v and the second derivative. A row has gap,
speed, bias and the forces on links that are dual to it. Inverse kinematics uses its gap and Jacobian, descent its
gradient, and dynamic constraints all of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gambol.dynamics import Kinematics, centre_of_mass
from gambol.dynamics.loops import RelativeMotion, Row
from gambol.figure import JOINTS, WORLD, PlacedLink
from gambol.lanes import Scalar, jacobian, jvp, maximum, sqrt, where
from gambol.spatial import Rotation, Vector
from gambol.spatial.motion import NO_FORCE, Force
from gambol.spatial.rotation import Quaternion, is_constant
from gambol.spatial.vector import ZERO, centripetal, tangent_basis
from gambol.world.observe import quaternion_of

Residual = Callable[[Rotation, Vector], Sequence[Scalar]]
"""A function of R_BA and p_BA that returns the gaps of a goal."""


def pose_rows(motion: RelativeMotion, residual: Residual) -> list[Row]:
    """Return a row for each number of a residual; motion: motion of frame A relative to frame B."""
    R, p = motion.X_BA.rotation, motion.X_BA.position

    def displaced(x: Sequence[Scalar]) -> Sequence[Scalar]:
        w = Vector(*x[:3])
        columns = [c + w.cross(c) for c in R.columns]
        return residual(_rotation_of_columns(columns), p + Vector(*x[3:]))

    gaps, gradients = jacobian(displaced, [0.0] * 6)
    biases = _curvatures(motion, residual, len(gaps))
    rows = [
        _sum(motion.about(Vector(*g[:3]), gap, bias), motion.along(Vector(*g[3:]), gap))
        for gap, g, bias in zip(gaps, gradients, biases, strict=True)
    ]
    return [_without_zeros(row) for row in rows]


def _curvatures(motion: RelativeMotion, residual: Residual, count: int) -> list[Scalar]:
    """Return the second derivative of each gap at constant w and v; 0 at rest."""
    w, v, R = motion.w, motion.v, motion.X_BA.rotation
    if all(is_constant(x, 0.0) for x in (*w, *v)):
        return [0.0] * count

    def gaps_at(t: Sequence[Scalar]) -> Sequence[Scalar]:
        half = 0.5 * t[0] * t[0]
        columns = [c + w.cross(c) * t[0] + centripetal(w, c) * half for c in R.columns]
        return residual(_rotation_of_columns(columns), motion.X_BA.position + v * t[0])

    return jvp(lambda t: jvp(gaps_at, t, [1.0])[1], [0.0], [1.0])[1]


def _rotation_of_columns(columns: Sequence[Vector]) -> Rotation:
    return Rotation.of(list(zip(*columns, strict=True)))


def _sum(first: Row, second: Row) -> Row:
    """Return a row with the forces, speeds and biases of two rows, and the gap of the first."""
    forces = {k: first.forces[k] + second.forces[k] for k in first.forces}
    return replace(first, forces=forces, speed=first.speed + second.speed, bias=first.bias + second.bias)


def _without_zeros(row: Row) -> Row:
    """Return the row without constant zero forces; an entry for the world then ends its chains of links."""
    nonzero = {k: f for k, f in row.forces.items() if not all(is_constant(x, 0.0) for x in (*f.n, *f.f))}
    return replace(row, forces=row.forces if len(nonzero) == len(row.forces) else {WORLD: NO_FORCE, **nonzero})


def rotation_residual(R: Rotation, target: Quaternion) -> list[Scalar]:
    """Return the rotation vector from a target orientation to R, in the target's axes, of length up to pi [rad]."""
    return [*(target.conjugate() @ Quaternion(*quaternion_of(R))).logarithm()]


def direction_residual(a: Vector, b: Vector) -> list[Scalar]:
    """Return the rotation vector of the shortest rotation from b to a, along two axes normal to b [rad].

    a, b: unit vectors. Its length is their angle. For opposite vectors, whose rotation is not unique, it is pi.
    """
    u, v = tangent_basis(b)
    w, c = 1.0 + a.dot(b), b.cross(a)
    c = c + u * where(w < OPPOSITE_TOLERANCE, 1.0, 0.0)
    length = sqrt(w * w + c.dot(c))
    turn = Quaternion(w / length, c.x / length, c.y / length, c.z / length).logarithm()
    return [turn.dot(u), turn.dot(v)]


OPPOSITE_TOLERANCE = 1e-14
"""Value of 1 + the cosine of two unit vectors below which they are opposite up to rounding."""


def centre_rows(state: Kinematics, directions: Sequence[Vector], offsets: Sequence[Scalar]) -> list[Row]:
    """Return rows u.c - d of the centre of mass c; directions: u, in world axes; offsets: d [m]."""
    figure, centre = state.figure, centre_of_mass(state)
    masses = [(link.index, link.mass_properties) for link in figure.links]
    inverse_mass = 1.0 / figure.mass
    return [
        Row(
            {WORLD: Force(ZERO, -u)}
            | {
                i: state.force_on_link(i, Vector(*m.com), u * (m.mass * inverse_mass))
                for i, m in masses
                if not is_constant(m.mass, 0.0)
            },
            {},
            u.dot(centre) - offset,
            sum((u.dot(state.point_velocity(i, Vector(*m.com))) * (m.mass * inverse_mass) for i, m in masses), 0.0),
            sum(
                (
                    _centripetal_acceleration(state, i, Vector(*m.com)).dot(u) * (m.mass * inverse_mass)
                    for i, m in masses
                ),
                0.0,
            ),
        )
        for u, offset in zip(directions, offsets, strict=True)
    ]


def _centripetal_acceleration(state: Kinematics, link: int, point: Vector) -> Vector:
    """Return the acceleration of a point of a link at zero acceleration of the link's origin, in world axes."""
    return state.poses[link].rotation @ centripetal(state.velocities[link].w, point)


def one_sided(row: Row) -> Row:
    """Return a row without effect where its gap is negative: an inequality."""
    active = where(row.gap > 0.0, 1.0, 0.0)
    return replace(
        row,
        forces={k: f * active for k, f in row.forces.items()},
        joints={k: c * active for k, c in row.joints.items()},
        gap=maximum(row.gap, 0.0),
        speed=row.speed * active,
        bias=row.bias * active,
    )


def joint_rows(state: Kinematics, link: PlacedLink, target: Sequence[Scalar]) -> list[Row]:
    """Return rows of the tangent coordinates of a joint around target coordinates (nq of the joint)."""
    kind, q, v = JOINTS[link.joint.kind], state.q[link.q], state.v[link.v]
    x = kind.difference(target, q)
    columns = [kind.tangent_rate(target, x, [1.0 if i == k else 0.0 for i in range(kind.nv)]) for k in range(kind.nv)]
    speeds, biases = jvp(lambda y: kind.tangent_rate(target, y, v), x, kind.tangent_rate(target, x, v))
    return [
        Row({}, {link.v.start + k: column[i] for k, column in enumerate(columns)}, x[i], speeds[i], biases[i])
        for i in range(kind.nv)
    ]
