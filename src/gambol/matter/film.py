"""A film of matter alone."""

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground
from gambol.formats.matter_tables import STAGE
from gambol.world import Film
from gambol.world.film import FilmMatter
from gambol.world.record import film_ground


def matter_film(name: str, times: NDArray[np.float64], ground: Ground, matter: tuple[FilmMatter, ...]) -> Film:
    """Return a film of meshes and particles without a figure. times: times of the frames (F,) [s]."""
    frames = len(times)
    position, quaternion = np.zeros((frames, 1, 1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1, 1))
    return Film(name, times, position, quaternion, (STAGE,), (), ground=film_ground(ground), matter=matter)
