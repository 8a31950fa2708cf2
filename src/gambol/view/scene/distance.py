"""The camera distance at which the whole figure is visible."""

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.framing import SAMPLES, Framing, shape_box
from gambol.view.scene.pose import rotation
from gambol.world.film import Film, FilmMatter, FilmParticles

Array = NDArray[np.float64]
FILL = 0.92  # fraction of the picture's half height and half width that a figure may fill
CORNERS = np.array(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0])).reshape(3, -1).T  # (8, 3): of a cube


def distance_to_see(film: Film, framing: Framing, direction: Array, field_of_view: float, aspect: float) -> float:
    """Return the smallest camera distance from the smoothed centre that shows all of the first world [figure sizes].

    film: the film; framing: framing of the film; direction: unit vector from the figure to the camera; field_of_view:
    vertical angle [deg]; aspect: width of the picture divided by its height. Checks the bounding boxes of all shapes in
    some frames of the film.
    """
    frames = np.unique(np.linspace(0, len(film.time) - 1, SAMPLES).astype(int))
    right = np.cross([0.0, 0.0, 1.0], direction)
    right /= np.linalg.norm(right)
    # rows: towards the camera; right, divided by the aspect; up
    axes = np.stack([direction, right / aspect, np.cross(direction, right)])
    half_slope = np.tan(np.radians(field_of_view / 2.0)) * FILL
    distance = 0.0
    for shape in film.drawn:
        middle, box_axes, half = shape_box(shape)
        box_corners = CORNERS * half @ box_axes.T + middle
        rotations = rotation(np.moveaxis(film.quaternion[frames, 0, shape.link], -1, 0))  # (3, 3, F)
        positions = film.position[frames, 0, shape.link] - framing.path[frames, 0]
        corners = np.einsum("ai,ijf,cj->fca", axes, rotations, box_corners) + (positions @ axes.T)[:, None]
        distance = max(distance, float((corners[..., 0] + np.abs(corners[..., 1:]).max(axis=-1) / half_slope).max()))
    for each in film.matter:
        distance = max(distance, _distance_to_cloud(each, framing, axes, float(half_slope)))
    return distance / framing.size


def _distance_to_cloud(each: FilmMatter, framing: Framing, axes: Array, half_slope: float) -> float:
    """Return the smallest camera distance [m] that shows a mesh, a muscle, or most particles in some frames.

    axes: directions towards the camera, to the right (divided by the aspect), and up. The outermost twentieth of
    particles may be out of view.
    """
    distance = 0.0
    for f in np.unique(np.linspace(0, each.frames - 1, SAMPLES).astype(int)):
        points = each.points[each.frame(f)] if isinstance(each, FilmParticles) else each.points[f]
        if len(points):
            corners = (points.astype(float) - framing.path[f, 0]) @ axes.T
            needed = corners[:, 0] + np.abs(corners[:, 1:]).max(axis=1) / half_slope
            distance = max(distance, float(np.quantile(needed, 0.95 if isinstance(each, FilmParticles) else 1.0)))
    return distance
