"""Obstacles of a sensor's rays: the ground, and parts of other links."""

from __future__ import annotations

from collections.abc import Sequence

from gambol.collide import Ground
from gambol.collide.rays import Ray, check_ground_rays, check_shape_rays, ground_distance, shape_distance
from gambol.figure import Figure
from gambol.lanes import Scalar, minimum
from gambol.sensing.sensor import SensorInput


def visible_links(figure: Figure, link: str, sees: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the links with shapes that a sensor detects.

    link: link of the sensor. sees: names of links; None: all links of other trees, such as obstacles of a forest.
    """
    if sees is not None:
        return sees
    own = _tree(figure, link)
    return tuple(placed.name for placed in figure.links if placed.parts and _tree(figure, placed.name) != own)


def _tree(figure: Figure, link: str) -> int:
    """Return the index of the root of a link's tree."""
    roots = {root.index for root in figure.roots}
    return next((p.index for p in figure.path_to_root(figure.link(link).index) if p.index in roots), 0)


def check_visible(figure: Figure, ground: Ground, links: Sequence[str]) -> None:
    """Raise FigureError or WorldError for links, shapes and grounds that rays cannot intersect."""
    check_ground_rays(ground)
    for name in links:
        for part in figure.link(name).parts:
            check_shape_rays(part.shape.kind)


def first_distance(ray: Ray, at: SensorInput, links: Sequence[str], reach: Scalar) -> Scalar:
    """Return the distance along a ray to the ground or the first of some links, at most the reach [m].

    ray: ray in world axes. links: names of the links that the ray may hit.
    """
    nearest = ground_distance(ray, at.ground, at.ground_numbers, at.table, reach)
    for name in links:
        for shape, pose in at.part_poses(name):
            nearest = minimum(shape_distance(ray, shape, pose), nearest)
    return minimum(nearest, reach)
