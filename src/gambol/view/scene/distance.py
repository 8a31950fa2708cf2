"""How far off a camera has to stand, so that nothing of a figure is cut off."""

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.framing import SAMPLES, Framing, half_extent
from gambol.view.scene.pose import rotation
from gambol.world.film import Film

Array = NDArray[np.float64]
ROOM = 0.92  # of the picture's half height and half width: what a figure may fill
CORNERS = np.array(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0])).reshape(3, -1).T


def distance_to_see(film: Film, framing: Framing, towards: Array, field: float, aspect: float) -> float:
    """The least distance, in sizes of the figure, from its calm centre to a camera that sees the first world's all.

    towards: unit vector from the figure to the camera; field: how wide it sees from top to bottom [deg]; aspect: of the
    picture, its width over its height. The box round every shape is looked at, in some frames spread over the film.
    """
    frames = np.unique(np.linspace(0, len(film.time) - 1, SAMPLES).astype(int))
    right = np.cross([0.0, 0.0, 1.0], towards)
    right /= np.linalg.norm(right)
    axes = np.stack([towards, right / aspect, np.cross(towards, right)])
    half = np.tan(np.radians(field / 2.0)) * ROOM
    needed = 0.0
    for shape in film.shapes:
        body = CORNERS * half_extent(shape.kind, shape.size) @ rotation(np.array(shape.quaternion)).T + shape.position
        turns = rotation(np.moveaxis(film.quaternion[frames, 0, shape.link], -1, 0))  # (3, 3, F)
        places = film.position[frames, 0, shape.link] - framing.path[frames, 0]
        seen = np.einsum("ai,ijf,cj->fca", axes, turns, body) + (places @ axes.T)[:, None]
        needed = max(needed, float((seen[..., 0] + np.abs(seen[..., 1:]).max(axis=-1) / half).max()))
    return needed / framing.size
