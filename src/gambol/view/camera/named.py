"""Cameras by name, for commands."""

from collections.abc import Callable
from pathlib import Path

from gambol.errors import GambolError, did_you_mean
from gambol.view.camera.keys import KEY_FILES, read_camera_keys
from gambol.view.camera.placed import FixedCamera, FollowCamera, OrbitCamera
from gambol.view.camera.track import Camera

CAMERAS: dict[str, Callable[[], Camera]] = {"follow": FollowCamera, "fixed": FixedCamera, "orbit": OrbitCamera}
"""Cameras with their defaults, by name."""


def read_camera(text: str) -> Camera:
    """Return a camera by its name, "orbit:SECONDS" for an orbit of another period, or a camera from a file of keys.

    Raises GambolError, with the known names, for other texts.
    """
    name, colon, period = text.partition(":")
    if text in CAMERAS:
        return CAMERAS[text]()
    if name == "orbit" and colon:
        try:
            seconds = float(period)
        except ValueError:
            raise GambolError(f'"{period}" is not a period of an orbit; give its seconds, as in orbit:2') from None
        return OrbitCamera(seconds)
    if Path(text).suffix.lower() in KEY_FILES:
        return read_camera_keys(text)
    names = f"{', '.join(CAMERAS)}, orbit:SECONDS, or a file of keys ({' or '.join(KEY_FILES)})"
    raise GambolError(f'there is no camera "{text}"; {did_you_mean(text, CAMERAS)}; the cameras are {names}')
