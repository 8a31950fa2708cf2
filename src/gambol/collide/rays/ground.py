"""The distance along a ray to the ground, for each class of ground: the table GROUND_RAYS.

The height of a grid is linear in (x, y) between the lines x = i s, y = j s and x + y = k s, the edges of its triangles.
So z - h is linear along a ray between two crossings of lines, and has its first zero in the first such piece at whose
end it is negative. The ray goes from line to line. [Amanatides and Woo 1987]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.collide.gap import FAR
from gambol.collide.ground import Ground, NoGround, Plane
from gambol.collide.height_grid import HeightGrid
from gambol.collide.rays.interval import Ray, below
from gambol.errors import WorldError
from gambol.lanes import Scalar, floor, loop, maximum, minimum, where
from gambol.spatial import Vector

Numbers = dict[str, Scalar]


@dataclass(frozen=True, slots=True)
class GridRayState:
    """State of a ray on a grid [m].

    t, gap: distance along the ray and z - h at the start of the current piece. end, end_gap: the same at its end.
    lines: distances to the next line of each family of grid lines.
    """

    t: Scalar
    gap: Scalar
    end: Scalar
    end_gap: Scalar
    lines: list[Scalar]


def ground_distance(ray: Ray, ground: Ground, numbers: Numbers, table: Any, reach: Scalar) -> Scalar:
    """Return the distance along a ray to the ground [m]: 0 for an origin below the ground, and FAR beyond the reach.

    ray: the ray, in world axes. ground: the function depends on its class. numbers, table: inputs of its program.
    reach: the greatest distance of interest [m]. Raises WorldError for a class that is not in GROUND_RAYS.
    """
    check_ground_rays(ground)
    return GROUND_RAYS[type(ground)](ray, ground, numbers, table, reach)


def check_ground_rays(ground: Ground) -> None:
    """Raise WorldError if rays cannot be cast at a ground of this class."""
    if type(ground) not in GROUND_RAYS:
        raise WorldError(f"rays cannot be cast at a {type(ground).__name__}; enter a function in GROUND_RAYS")


def _plane(ray: Ray, ground: Any, numbers: Numbers, table: Any, reach: Scalar) -> Scalar:
    distance = below(ray.origin.z - numbers["height"], ray.direction.z).distance
    return where(distance > reach, FAR, distance)


def _no_ground(ray: Ray, ground: Any, numbers: Numbers, table: Any, reach: Scalar) -> Scalar:
    return FAR


def grid_distance(ray: Ray, ground: HeightGrid, numbers: Numbers, table: Any, reach: Scalar) -> Scalar:
    """Return the distance along a ray to a grid of heights; arguments: see ground_distance()."""
    o, d, spacing = ray.origin, ray.direction, numbers["spacing"]
    x, y, dx, dy = ((o.x - numbers["x0"]) / spacing, (o.y - numbers["y0"]) / spacing, d.x / spacing, d.y / spacing)
    families = [(x, dx), (y, dy), (x + y, dx + dy)]
    strides = [1.0 / where(rate == 0.0, 1.0, abs(rate)) for _, rate in families]

    def gap(t: Scalar) -> Scalar:
        p: Vector = ray.at(t)
        return p.z - ground.surface(numbers, table, p.x, p.y).height

    def piece(start: Scalar, start_gap: Scalar, lines: list[Scalar]) -> GridRayState:
        end = minimum(minimum(lines[0], lines[1]), minimum(lines[2], reach))
        after = [where(t <= end, t + h, t) for t, h in zip(lines, strides, strict=True)]
        return GridRayState(start, start_gap, end, gap(end), after)

    def continues(m: GridRayState) -> Scalar:
        return (m.gap > 0.0) & (m.end_gap > 0.0) & (m.end < reach)

    first = [
        where(rate == 0.0, FAR, _to_next(where(rate < 0.0, -at, at)) * h)
        for (at, rate), h in zip(families, strides, strict=True)
    ]
    last: GridRayState = loop(continues, lambda m: piece(m.end, m.end_gap, m.lines), piece(0.0, gap(0.0), first))
    hits = (last.gap > 0.0) & (last.end_gap <= 0.0)
    decrease = where(hits, last.gap - last.end_gap, 1.0)
    hit_distance = last.t + (last.end - last.t) * maximum(last.gap, 0.0) / decrease
    return where(last.gap <= 0.0, last.t, where(hits, hit_distance, FAR))


def _to_next(position: Scalar) -> Scalar:
    """Return the distance from a position up to the next whole number above it."""
    return floor(position) + 1.0 - position


GROUND_RAYS: dict[type[Any], Callable[..., Scalar]] = {Plane: _plane, HeightGrid: grid_distance, NoGround: _no_ground}
"""The function for each class of ground. Arguments: ray, ground, its numbers and table, reach [m]."""
