"""Camera and light from signals of a film, for example of a script."""

import numpy as np

from gambol.errors import GambolError
from gambol.view.camera.track import FIELD_OF_VIEW, Array, CameraTrack
from gambol.world.film import Film
from gambol.world.film.film import SHOTS


def film_camera(film: Film) -> CameraTrack | None:
    """Return the camera of the film's first world, or None if the film has no camera.

    Raises GambolError for a wrong signal.
    """
    signal = _signal(film, "camera")
    if signal is None:
        return None
    return CameraTrack(signal[:, :3], signal[:, 3:], np.full(len(signal), FIELD_OF_VIEW))


def film_light(film: Film) -> Array | None:
    """Return unit vectors towards the light of the film's first world (F, 3), or None; for errors see film_camera()."""
    signal = _signal(film, "light")
    return None if signal is None else signal / np.linalg.norm(signal, axis=-1, keepdims=True)


def _signal(film: Film, name: str) -> Array | None:
    signal = film.signals.get(name)
    if signal is None:
        return None
    if signal.shape[2:] != (SHOTS[name],) or not np.isfinite(signal).all():
        raise GambolError(f'the signal "{name}" of a film has {SHOTS[name]} finite numbers in each frame')
    return signal[:, 0]
