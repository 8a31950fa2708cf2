"""The joints of a live world that a visitor can move while it is held still: their coordinates in the state.

The page moves the coordinates of the joints between a dragged link and the root, so that the grabbed point goes to the
pointer, by damped least squares with the derivatives of the poses that the world's own program gives, in posing.js. A
dragged root is shifted. Coordinates stay within the limits of springs.
"""

import math
from typing import Any

from gambol.figure import JOINTS, PlacedLink
from gambol.figure.template import has_variable_topology
from gambol.world import World

QUATERNION = 4
"""Number of coordinates of a joint whose orientation is a quaternion; their velocities are three numbers."""


def posing(world: World) -> dict[str, Any] | None:
    """Return the joints and the rows of the velocities in a state; None if joints cannot be moved one by one.

    Joints of figures with closed loops, with coupled joints or with a prescribed root cannot, nor those of templates. A
    joint has its link and
    the link's parent (-1: the world), the rows of its coordinates, their bounds (null: none), and "isQuaternion":
    True for an orientation.
    """
    figure = world.figure
    if figure.constraints or figure.prescribed or has_variable_topology(figure):
        return None
    joints = [_joint(world, link) for link in figure.links]
    return {"joints": joints, "velocities": [figure.nq, figure.nq + figure.nv]}


def _joint(world: World, link: PlacedLink) -> dict[str, Any]:
    """Return a joint as data, see posing(). A free joint has the rows of its position only."""
    rows, kind = list(range(link.q.start, link.q.stop)), JOINTS[link.joint.kind]
    is_quaternion = kind.nq == QUATERNION and kind.nv == QUATERNION - 1
    if not is_quaternion and kind.nq != kind.nv:
        rows = rows[QUATERNION:]
    springs = world.resolved_springs.get(link.name, ())
    limits = [[_finite(s.lower), _finite(s.upper)] for s in springs]
    bounds = limits if len(limits) == len(rows) or is_quaternion else [[None, None] for _ in rows]
    index = world.figure.links.index(link)
    return {
        "link": index,
        "parent": link.parent_index - 1,
        "rows": rows,
        "bounds": bounds,
        "isQuaternion": is_quaternion,
    }


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
