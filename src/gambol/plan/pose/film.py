"""Films of poses: coordinates over time as poses of links."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from gambol.collide import Ground, NoGround
from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.plan.pose.numbers import Array, real
from gambol.world import Film
from gambol.world.film.axes import film_axes
from gambol.world.observe import quaternion_of
from gambol.world.record import film_ground, film_shapes, film_visuals


def pose_film(
    figure: Figure,
    times: ArrayLike,
    q: ArrayLike,
    *,
    signals: Mapping[str, Array] | None = None,
    ground: Ground | None = None,
    name: str | None = None,
    moving: Figure | None = None,
) -> Film:
    """Return a film of coordinates over time.

    times (F) [s]. q (F, nq), or (F, W, nq) of W worlds. signals: arrays (F, W, ...) by name, besides "q". ground: the
    ground, or None. name: None for the figure's name. moving: the figure with lengths that change, as arrays (F, W), if
    there are any; it moves the links, and `figure` has the shapes. Raises GambolError for arrays of shapes that do not
    fit.
    """
    t, coordinates = real(times, "the times of a film"), real(q, "the coordinates of a film")
    array = coordinates[:, None] if coordinates.ndim == 2 else coordinates
    if t.ndim != 1 or array.ndim != 3 or array.shape[::2] != (len(t), figure.nq):
        raise GambolError(
            f"a film has times of shape {t.shape} and coordinates of shape {coordinates.shape}; give (F,) and "
            f"(F, {figure.nq}), or (F, W, {figure.nq})"
        )
    state = kinematics(moving or figure, list(np.moveaxis(array, -1, 0)), [0.0] * figure.nv)
    poses = [state.poses[link.index] for link in figure.links]
    shape = array.shape[:2]
    return Film(
        name=figure.name if name is None else name,
        time=t,
        position=_stacked([[*pose.position] for pose in poses], shape),
        quaternion=_stacked([quaternion_of(pose.rotation) for pose in poses], shape),
        link_names=tuple(link.name for link in figure.links),
        parents=tuple(link.parent_index - 1 for link in figure.links),
        shapes=tuple(film for link in figure.links for film in film_shapes(link)),
        visuals=tuple(visual for link in figure.links for visual in film_visuals(link)),
        ground=film_ground(ground or NoGround()),
        signals={"q": array, **(signals or {})},
        axes=film_axes(figure, ()),
    )


def _stacked(numbers: list[list[ArrayLike]], shape: tuple[int, ...]) -> Array:
    """Return numbers of each link as one array (F, W, links, k); constant numbers are repeated."""
    return np.array([[np.broadcast_to(x, shape) for x in row] for row in numbers], float).transpose(2, 3, 0, 1)
