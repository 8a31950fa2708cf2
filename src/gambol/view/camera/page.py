"""Camera and light of a film as arrays of a page; `player/camera_track.js` uses them."""

from typing import Any

import numpy as np

from gambol.view.camera.recorded import film_camera, film_light
from gambol.view.camera.track import Camera, Subject
from gambol.view.scene.differences import encode_differences
from gambol.view.scene.framing import frame_film
from gambol.world.film import Film

ASPECT = 1.6  # width divided by height of the picture for which cameras are placed; the aspect of a page is not known
DEGREES = 1e-3  # [deg] resolution of a field of view
LIGHT_STEPS = 32767.0  # stored value of a component of 1 in a unit vector


def page_tracks(film: Film, camera: Camera | None, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the kinds of tracks that a page has, and add their arrays: "camera" (F, 7) and "light" (F, 3).

    camera: the camera, which shows the first of several worlds; None: the film's signal "camera", if the film has one.
    unit: resolution of lengths [m].
    """
    first_world = film.of_worlds([0])
    track = (
        film_camera(first_world)
        if camera is None
        else camera.track(Subject(first_world, frame_film(first_world), ASPECT))
    )
    if track is not None:
        lengths = np.concatenate([track.position, track.target], axis=1) / unit
        arrays["camera"] = encode_differences(np.column_stack([lengths, track.field_of_view / DEGREES]))
    if (light := film_light(first_world)) is not None:
        arrays["light"] = encode_differences(light * LIGHT_STEPS)
    return {"tracks": {"camera": track is not None, "light": light is not None, "degrees": DEGREES}}
