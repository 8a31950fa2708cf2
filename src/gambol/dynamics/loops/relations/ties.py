"""The rows of loop constraints: what each kind of closure and coupling asks of the links it ties.

    slide along b_k    phi = d_k
    turn               phi = a.b  of two axes, one of each frame, that must stay at right angles    phi' = w.(a x b)
    distance           phi = |d| - length     phi' = u.v         phi'' = u.v' + (v.v - (u.v)^2) / |d|,  u = d / |d|
    coupling           phi = q_j - p(q_o)     phi' = v_j - p' v_o                   phi'' = v_j' - p' v_o' - p'' v_o^2

All exact away from phi = 0 too, so that what stabilises or projects sees the true rates. [Haug 1989, chapter 9, for
products of axes]
"""

from dataclasses import replace

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.relations.relative import Relative, relative
from gambol.dynamics.loops.relations.row import Row
from gambol.figure import CLOSURES, WORLD, Closure, Constraint, Coupling, Figure
from gambol.lanes import Scalar
from gambol.spatial.rotation import Rotation, exactly
from gambol.spatial.transform import Transform
from gambol.spatial.vector import Vector

TURNS: dict[str, tuple[int, int, float]] = {"x": (2, 1, -1.0), "y": (2, 0, 1.0), "z": (0, 1, 1.0)}
"""What holds a turn about an axis of B: which axis of A is at right angles to which of B, and a sign that makes the
speed that of the turn when the frames are aligned."""

ORIGIN = (0.0, 0.0, 0.0)

UPRIGHT: dict[str, int] = {"xy": 2, "xyz": 0}
"""The axis that, beside z, must not only be parallel but point the same way, by the turns that are held."""


def constraint_rows(state: Kinematics, constraint: Constraint) -> tuple[Row, ...]:
    """The rows of one constraint of a figure."""
    turning, sliding = whole_mobility(state.figure)
    if isinstance(constraint, Coupling):
        slides = state.figure.link(constraint.joint).joint.kind == "sliding"
        return (replace(_coupling_row(state, constraint), mobility=sliding if slides else turning),)
    seen = _seen(state, constraint)
    turns, slides = CLOSURES[constraint.kind]
    held = [
        *(replace(_turn_row(seen, *TURNS[axis]), family=("turns", constraint), mobility=turning) for axis in turns),
        *(replace(_slide_row(seen, "xyz".index(k)), family=("slides", constraint), mobility=sliding) for k in slides),
    ]
    return (replace(_distance_row(seen, constraint.length), mobility=sliding),) if constraint.length else tuple(held)


def rows(state: Kinematics) -> list[Row]:
    """The rows of all constraints of a figure, in their order."""
    return [row for constraint in state.figure.constraints for row in constraint_rows(state, constraint)]


def upright_rows(state: Kinematics, constraint: Constraint) -> tuple[Row, ...]:
    """Rows that vanish where held axes point the same way, and not where they are opposite; flat where they vanish."""
    turns = CLOSURES[constraint.kind][0] if isinstance(constraint, Closure) else ""
    if not turns or isinstance(constraint, Coupling):
        return ()
    seen = _seen(state, constraint)
    return tuple(_turn_row(seen, axis, axis, 1.0, 1.0) for axis in sorted({2, UPRIGHT[turns]}))


def whole_mobility(figure: Figure) -> tuple[Scalar, Scalar]:
    """How a figure gives way to a couple and to a force as if it were one body, roughly [1/(kg m2), 1/kg].

    The body has all the mass at the distances of all joints, and the inertia of all links.
    """
    mass = figure.mass
    inertia = sum(
        mass * sum(x * x for x in link.joint.position)
        + sum(link.mass_properties.inertia_about(ORIGIN)[k][k] for k in range(3))
        for link in figure.links
    )
    return (0.0 if exactly(inertia, 0.0) else 1.0 / inertia, 0.0 if exactly(mass, 0.0) else 1.0 / mass)


def _seen(state: Kinematics, closure: Closure) -> Relative:
    figure = state.figure
    other = WORLD if closure.other is None else figure.link(closure.other).index
    X_iA = Transform(Rotation(closure.rotation), Vector(*closure.position))
    X_jB = Transform(Rotation(closure.other_rotation), Vector(*closure.other_position))
    return relative(state, figure.link(closure.link).index, other, X_iA, X_jB)


def _slide_row(seen: Relative, k: int) -> Row:
    return seen.along(Vector.axis(k), seen.X_BA.position[k])


def _turn_row(seen: Relative, of_A: int, of_B: int, sign: float, rest: float = 0.0) -> Row:
    """The product of an axis of A and one of B, less what it should be."""
    a, b = seen.X_BA.rotation.columns[of_A], Vector.axis(of_B, sign)
    bend = seen.w.cross(seen.w.cross(a)).dot(b)
    return seen.about(a.cross(b), a.dot(b) - rest, bend)


def _distance_row(seen: Relative, length: float) -> Row:
    d = seen.X_BA.position
    size = d.length()
    u = d * (1.0 / size)
    along = seen.v.dot(u)
    return seen.along(u, size - length, (seen.v.dot(seen.v) - along * along) / size)


def _coupling_row(state: Kinematics, coupling: Coupling) -> Row:
    joint = state.figure.link(coupling.joint)
    i, q = joint.v.start, state.q[joint.q.start]
    if coupling.other is None:
        return Row({}, {i: 1.0}, q - coupling.coefficients[0], state.v[i], 0.0)
    other = state.figure.link(coupling.other)
    j, x = other.v.start, state.q[other.q.start]
    value, slope, curve = (_polynomial(_derivative(coupling.coefficients, order), x) for order in range(3))
    speed = state.v[i] - slope * state.v[j]
    return Row({}, {i: 1.0, j: -slope}, q - value, speed, -curve * (state.v[j] * state.v[j]))


def _derivative(coefficients: tuple[float, ...], order: int) -> tuple[float, ...]:
    for _ in range(order):
        coefficients = tuple(k * c for k, c in enumerate(coefficients))[1:]
    return coefficients


def _polynomial(coefficients: tuple[float, ...], x: Scalar) -> Scalar:
    total: Scalar = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total
