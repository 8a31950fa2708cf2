"""The rows of trees in a sweep: their numbers before the sweeps, and their laws, see tree_sweeps.py."""

from typing import Any

from gambol.contact.complementarity.cones.one_contact import DelassusBlock
from gambol.lanes import ProgramSpec, Scalar, gather, sqrt, where
from gambol.rigid.body_table import stored_motion
from gambol.rigid.contact_point import ContactPoint
from gambol.rigid.joint_laws import UNLIMITED, RowLaw, row_impulse
from gambol.rigid.update import DELASSUS, POINT
from gambol.spatial import Vector
from gambol.spatial.matrix import Matrix

Nine = tuple[Scalar, ...]
Four = tuple[Scalar, Scalar, Scalar, Scalar]

NINE: Nine = (0.0,) * 9
FOUR: Four = (0.0, 0.0, 0.0, 0.0)

SERVO, STRENGTH, LAST = 2, 4, 7
"""Fields of StepLaws: a row has the numbers from the servo to the last one, the upper limit."""


def _of_contact(
    point: ContactPoint,
    response: Nine,
    law: tuple[Scalar, Scalar, Scalar],
    places: tuple[Scalar, Scalar],
    stride: Scalar,
    store: Any,
) -> tuple[Any, ...]:
    """Return u of a contact without impulses, less its least normal speed, and the numbers of its law.

    response: Delassus matrix D by rows [1/kg]; law: friction, least normal speed [m/s], and a number that is not used;
    places: of the motions of its bodies in the store; stride: distance between rows of a motion.
    """
    u = point.velocity(*(stored_motion(store, place, stride) for place in places))
    D = Matrix.of([response[:3], response[3:6], response[6:]])
    return Vector(u.x, u.y, u.z - law[1]), (DelassusBlock.of(D), law[0])


def _contact_law(speeds: Four, numbers: tuple[DelassusBlock, Scalar], p: Four) -> tuple[Four, Four]:
    """Return the impulse of a contact after its update, with a 0, and its change, with the change of its speed."""
    delassus, friction = numbers
    before = Vector.of(p[:3])
    after, rows = delassus.solve_by_case(Vector.of(speeds[:3]), friction, before), delassus.D.rows
    change = after - before
    size = (rows[0][0] + rows[1][1] + rows[2][2]) * sqrt(change.dot(change))
    return (after.x, after.y, after.z, 0.0), (change.x, change.y, change.z, size)


def _of_joint(
    places: tuple[Scalar, Scalar], stride: Scalar, response: Scalar, laws: Any, speeds: Any
) -> tuple[Any, ...]:
    """Return u of a joint row without its impulse, the numbers of its law, and the speeds between which it has none.

    places: of the row in the servo's field of `laws`, the others at distances of the stride, and in `speeds`. response:
    its own change of speed by a unit impulse. laws: those of StepLaws from the servo on; speeds: of free motions
    without impulses.
    """
    numbers = [gather(laws, places[0] + k * stride) for k in range(SERVO, LAST + 1)]
    u = gather(speeds, places[1])
    is_linear = numbers[STRENGTH - SERVO] == UNLIMITED
    numbers[:2] = [where(is_linear, 0.0, x) for x in numbers[:2]]
    moves = response > 0.0
    inverse = where(moves, 1.0 / where(moves, response, 1.0), 0.0)
    servo, slope, strength, friction, lower, upper = numbers
    softness = 1.0 / (1.0 + response * slope)
    law = RowLaw(servo, slope, strength, friction, lower, upper, response, inverse, softness)
    only_limits = (law.servo == 0.0) & (law.slope == 0.0) & (law.friction == 0.0)
    bounds = where(only_limits, law.lower, UNLIMITED), where(only_limits, law.upper, -UNLIMITED)
    return (0.0, 0.0, u), law, bounds


def _joint_law(speeds: Four, law: RowLaw, p: Four) -> tuple[Four, Four]:
    """Return the impulse of a joint row after its update, and its change, as the third of four numbers."""
    S = law.response
    change = row_impulse(law, speeds[2] - S * p[2]) - p[2]
    return (0.0, 0.0, p[2] + change, 0.0), (0.0, 0.0, change, abs(S * change))


_SIDES = (0.0, 0.0)
CONTACT_NUMBERS = (DELASSUS, 0.0)
TREE_ROW_PROGRAMS = {
    "tree contact": ProgramSpec(
        "pile tree contact", _of_contact, (POINT, NINE, (0.0, 0.0, 0.0), _SIDES, 0.0), 1, "tree contact"
    ),
    "tree contact law": ProgramSpec("pile tree contact law", _contact_law, (FOUR, CONTACT_NUMBERS, FOUR), 0, "law"),
    "tree joint": ProgramSpec("pile tree joint", _of_joint, (_SIDES, 0.0, 0.0), 2, "tree joint"),
    "tree joint law": ProgramSpec("pile tree joint law", _joint_law, (FOUR, RowLaw(), FOUR), 0, "joint law"),
}
"""The programs over rows, by name."""
