"""The rows of loop constraints: gap, speed and bias of each kind of closure and coupling.

    slide along b_k    phi = d_k
    turn               phi = a.b  of two axes, one of each frame, that stay perpendicular    phi' = w.(a x b)
    distance           phi = |d| - length     phi' = u.v         phi'' = u.v' + (v.v - (u.v)^2) / |d|,  u = d / |d|
    coupling           phi = q_j - p(q_o)     phi' = v_j - p' v_o                   phi'' = v_j' - p' v_o' - p'' v_o^2

The rates are exact also where phi is not 0, as stabilisation and projection need. [Haug 1989, chapter 9, for products
of axes]
"""

from dataclasses import replace

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.relations.relative import RelativeMotion, relative_motion
from gambol.dynamics.loops.relations.row import Row
from gambol.figure import CLOSURES, JOINTS, WORLD, Closure, Constraint, Coupling, Figure
from gambol.lanes import Scalar
from gambol.spatial.motion import Transform
from gambol.spatial.rotation import Rotation, is_constant
from gambol.spatial.vector import Vector

PERPENDICULAR_AXES: dict[str, tuple[int, int, float]] = {"x": (2, 1, -1.0), "y": (2, 0, 1.0), "z": (0, 1, 1.0)}
"""For a constraint on rotation about an axis of B: the indices of an axis of A and of an axis of B that stay
perpendicular, and the sign of the row's speed relative to the rotation in aligned frames.
"""

ORIGIN = (0.0, 0.0, 0.0)

ALIGNED_AXIS: dict[str, int] = {"xy": 2, "xyz": 0}
"""By constrained rotations: the axis, besides z, that must point the same way in A and B, not the opposite way."""


def constraint_rows(state: Kinematics, constraint: Constraint) -> tuple[Row, ...]:
    """Return the rows of one constraint of a figure; state: positions and velocities."""
    angular, linear = rigid_mobility(state.figure)
    if isinstance(constraint, Coupling):
        slides = JOINTS[state.figure.link(constraint.joint).joint.kind].slides > 0
        return (replace(_coupling_row(state, constraint), mobility=linear if slides else angular),)
    motion = _relative_motion(state, constraint)
    turns, slides = CLOSURES[constraint.kind]
    constrained = [
        *(
            replace(_turn_row(motion, *PERPENDICULAR_AXES[axis]), group=("turns", constraint), mobility=angular)
            for axis in turns
        ),
        *(replace(_slide_row(motion, "xyz".index(k)), group=("slides", constraint), mobility=linear) for k in slides),
    ]
    return (
        (replace(_distance_row(motion, constraint.length), mobility=linear),)
        if constraint.length
        else tuple(constrained)
    )


def rows(state: Kinematics) -> list[Row]:
    """Return the rows of all constraints of a figure, in their order."""
    return [row for constraint in state.figure.constraints for row in constraint_rows(state, constraint)]


def alignment_rows(state: Kinematics, constraint: Constraint) -> tuple[Row, ...]:
    """Return rows that are 0, with derivative 0, where parallel axes point the same way, and not 0 where opposite."""
    turns = CLOSURES[constraint.kind][0] if isinstance(constraint, Closure) else ""
    if not turns or isinstance(constraint, Coupling):
        return ()
    motion = _relative_motion(state, constraint)
    return tuple(_turn_row(motion, axis, axis, 1.0, 1.0) for axis in sorted({2, ALIGNED_AXIS[turns]}))


def rigid_mobility(figure: Figure) -> tuple[Scalar, Scalar]:
    """Return the approximate mobility of a figure, as one rigid body, under a couple and a force [1/(kg m2), 1/kg].

    The moment of inertia is the sum over all links, plus the total mass at the distance of each joint.
    """
    mass = figure.mass
    inertia = sum(
        mass * sum(x * x for x in link.joint.position)
        + sum(link.mass_properties.inertia_about(ORIGIN)[k][k] for k in range(3))
        for link in figure.links
    )
    return (0.0 if is_constant(inertia, 0.0) else 1.0 / inertia, 0.0 if is_constant(mass, 0.0) else 1.0 / mass)


def _relative_motion(state: Kinematics, closure: Closure) -> RelativeMotion:
    """Return the relative motion of the frames of a closure."""
    figure = state.figure
    other = WORLD if closure.other is None else figure.link(closure.other).index
    X_iA = Transform(Rotation(closure.rotation), Vector(*closure.position))
    X_jB = Transform(Rotation(closure.other_rotation), Vector(*closure.other_position))
    return relative_motion(state, figure.link(closure.link).index, other, X_iA, X_jB)


def _slide_row(motion: RelativeMotion, k: int) -> Row:
    """Return the row of the translation along axis k of B."""
    return motion.along(Vector.axis(k), motion.X_BA.position[k])


def _turn_row(motion: RelativeMotion, axis_A: int, axis_B: int, sign: float, target: float = 0.0) -> Row:
    """Return the row with gap a.b - target, for axis axis_A of A and axis_B of B; sign: sign of b."""
    a, b = motion.X_BA.rotation.columns[axis_A], Vector.axis(axis_B, sign)
    bias = motion.w.cross(motion.w.cross(a)).dot(b)
    return motion.about(a.cross(b), a.dot(b) - target, bias)


def _distance_row(motion: RelativeMotion, length: float) -> Row:
    d = motion.X_BA.position
    distance = d.length()
    u = d * (1.0 / distance)
    speed = motion.v.dot(u)
    return motion.along(u, distance - length, (motion.v.dot(motion.v) - speed * speed) / distance)


def _coupling_row(state: Kinematics, coupling: Coupling) -> Row:
    joint = state.figure.link(coupling.joint)
    i, q = joint.v.start, state.q[joint.q.start]
    if coupling.other is None:
        return Row({}, {i: 1.0}, q - coupling.coefficients[0], state.v[i], 0.0)
    other = state.figure.link(coupling.other)
    j, x = other.v.start, state.q[other.q.start]
    value, slope, curvature = (_polynomial(_derivative(coupling.coefficients, order), x) for order in range(3))
    speed = state.v[i] - slope * state.v[j]
    return Row({}, {i: 1.0, j: -slope}, q - value, speed, -curvature * (state.v[j] * state.v[j]))


def _derivative(coefficients: tuple[float, ...], order: int) -> tuple[float, ...]:
    for _ in range(order):
        coefficients = tuple(k * c for k, c in enumerate(coefficients))[1:]
    return coefficients


def _polynomial(coefficients: tuple[float, ...], x: Scalar) -> Scalar:
    total: Scalar = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total
