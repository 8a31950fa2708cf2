"""Places of creatures on the ground of a world: their initial coordinates there, and a check that they are apart."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.collide.broad import Pair
from gambol.collide.broad.at_rest import overlapping, overlaps_at, poses_at
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.world import World
from gambol.world.observe import depth_of


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the ground: x, y [m], and heading about the vertical [rad], 0 for a creature as it is alone."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.x, self.y, self.heading))):
            raise WorldError(f"a place at ({self.x}, {self.y}) m with a heading of {self.heading} rad is impossible")


def placed_q(name: str, world: World, place: Place) -> tuple[float, ...]:
    """Return the initial coordinates of a creature at a place, as high above the ground as where it is alone.

    name: its name, for messages. world: the world of the creature alone. Raises WorldError without an initial state or
    a free root.
    """
    root, q = world.figure.root, list(world.initial.q)
    if root.joint.kind != "free" or not q:
        raise WorldError(f'"{name}" cannot be placed: its world needs a free root and an initial state')
    R, origin = np.array(root.joint.rotation, float), np.array(root.joint.position, float)
    c, s = math.cos(place.heading), math.sin(place.heading)
    position = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ (R @ q[4:7] + origin)
    position += [place.x, place.y, 0.0]
    turned = q.copy()
    turned[:4] = _product((math.cos(0.5 * place.heading), *(math.sin(0.5 * place.heading) * R[2])), q[:4])
    turned[4:7] = R.T @ (position - origin)
    if world.has_ground:
        rise = depth_of(world, turned) - depth_of(world, q)
        position[2] += rise
        turned[4:7] = R.T @ (position - origin)
    return tuple(map(float, turned))


def _product(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """Return the product of two quaternions."""
    (w, *u), (x, *v) = a, b
    vector: NDArray[np.float64] = w * np.array(v) + x * np.array(u) + np.cross(u, v)
    return [w * x - float(np.dot(u, v)), *map(float, vector)]


def check_apart(
    figure: Figure, q: Sequence[float], pairs: Sequence[Pair], links: Mapping[str, Mapping[str, str]]
) -> None:
    """Raise WorldError for two creatures that are set into each other.

    q: initial coordinates (nq). pairs: parts that may touch. links: names of links in the world, by creature and own
    name.
    """
    poses = poses_at(figure, {link.index: q[link.q] for link in figure.links})
    owners = {name: creature for creature, names in links.items() for name in names.values()}
    for pair in overlaps_at(figure, pairs, overlapping, poses):
        first, second = (owners[figure.links[k - 1].name] for k in (pair.link, pair.other))
        raise WorldError(
            f'"{first}" and "{second}" are set into each other: {pair.title(figure)} overlap; place them further apart'
        )
