"""Cameras of pictures, videos and pages: position, target and field of view over time."""

from gambol.view.camera.keys import CameraKey, KeyedCamera, read_camera_keys
from gambol.view.camera.named import CAMERAS, read_camera
from gambol.view.camera.placed import FixedCamera, FollowCamera, OrbitCamera
from gambol.view.camera.recorded import film_camera, film_light
from gambol.view.camera.track import Camera, CameraTrack, Subject

__all__ = [
    "CAMERAS",
    "Camera",
    "CameraKey",
    "CameraTrack",
    "FixedCamera",
    "FollowCamera",
    "KeyedCamera",
    "OrbitCamera",
    "Subject",
    "film_camera",
    "film_light",
    "read_camera",
    "read_camera_keys",
]
