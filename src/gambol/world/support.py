"""Static stability in a film: the distance from the centre of mass to the edge of the polygon of the standing feet."""

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.gait.stability import support_margin
from gambol.world.film import Film


def static_margins(film: Film, lane: int = 0) -> NDArray[np.float64]:
    """Return the static stability margin of each frame of a film (F,) [m].

    A foot stands while the ground pushes it. The margin is the distance of the centre of mass from the nearest edge of
    the support polygon, both seen from above; it is negative outside, and -inf while no foot stands. lane: index of the
    world. Raises GambolError for a film without feet, and for an unknown world.
    """
    for name in ("feet", "push", "centre"):
        if name not in film.signals or not film.signals[name].shape[2:3]:
            raise GambolError(f'film "{film.name}" has no signal "{name}": name the feet in World.surface')
    signals = film.of_worlds([lane]).signals
    frames = zip(signals["feet"][:, 0], signals["push"][:, 0], signals["centre"][:, 0], strict=True)
    return np.array([support_margin(feet[push > 0.0, :2], centre[:2]) for feet, push, centre in frames])
