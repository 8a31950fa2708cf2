"""The track of a camera: its position and the point at which it looks, in each frame of a film."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.distance import distance_to_see
from gambol.view.scene.framing import Framing
from gambol.world.film import Film

Array = NDArray[np.float64]
UP = np.array([0.0, 0.0, 1.0])
FIELD_OF_VIEW = 22.0  # [deg] like a portrait lens: strong perspective would make small figures look large
MIN_HORIZONTAL_DISTANCE = 1e-3
"""Minimum ratio of the camera's horizontal distance to its distance; below it, the heading is up in the picture."""


@dataclass(frozen=True)
class CameraTrack:
    """The camera in each of F frames, in the world frame.

    position (F, 3): position of the camera [m]. target (F, 3): the point in the middle of the picture [m].
    field_of_view (F,): vertical angle of the picture [deg].
    """

    position: Array
    target: Array
    field_of_view: Array

    def up(self, frame: int, heading: Array) -> Array:
        """Return the direction that is up in the picture: z, or the heading if the camera looks straight down."""
        towards = self.position[frame] - self.target[frame]
        is_vertical = np.linalg.norm(towards[:2]) < MIN_HORIZONTAL_DISTANCE * np.linalg.norm(towards)
        return heading if is_vertical else UP


@dataclass(frozen=True)
class Subject:
    """The motion that a camera shows: the first world of a film and its framing.

    aspect: width of the picture divided by its height.
    """

    film: Film
    framing: Framing
    aspect: float

    @property
    def path(self) -> Array:
        """The smoothed centre of the figure (F, 3) [m]."""
        return self.framing.path[:, 0]

    def direction(self, azimuth: Array | float, elevation: float) -> Array:
        """Return unit vectors (..., 3) from the figure to a camera.

        azimuth: angle from the figure's heading in the first frame, positive to its left [deg], a number or an array;
        elevation: angle above the ground [deg].
        """
        a, e = np.radians(azimuth), np.radians(elevation)
        ahead = self.framing.heading
        left = np.cross(UP, ahead)
        level = np.cos(a)[..., None] * ahead + np.sin(a)[..., None] * left
        return np.cos(e) * level + np.sin(e) * UP

    def distance_to_see(self, direction: Array, field_of_view: float, path: Array | None = None) -> float:
        """Return the smallest distance from which the whole figure is visible in all frames [m].

        direction: unit vector from the target to the camera. path (F, 3): path of the target [m]; None: the figure's
        path.
        """
        framing = self.framing
        if path is not None:
            framing = Framing(framing.size, framing.length, path[:, None], framing.offsets, framing.heading)
        return framing.size * distance_to_see(self.film, framing, direction, field_of_view, self.aspect)


class Camera(Protocol):
    """A camera of pictures, videos and pages."""

    def track(self, subject: Subject) -> CameraTrack:
        """Return the camera in each frame of a film."""
        ...
