"""Cameras that are placed relative to the figure: fixed, following, and orbiting."""

import math
from dataclasses import dataclass

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Triple
from gambol.view.camera.track import FIELD_OF_VIEW, Array, CameraTrack, Subject

ELEVATION, AZIMUTH = 26.0, -42.0  # [deg] of the camera: above the ground; from the heading, positive to the left
DISTANCE, MAX_DISTANCE = 3.2, 9.6  # smallest and largest distance from the camera to the figure, in figure sizes
MAX_ELEVATION = 89.0  # [deg] of an orbit; straight above there is no circle
ORBIT_DIRECTIONS = 12  # from which the distance of an orbit is found


@dataclass(frozen=True)
class FollowCamera:
    """A camera that keeps its direction and distance to the figure.

    azimuth: angle from the heading in the first frame, positive to the left [deg]; elevation: angle above the ground
    [deg]; distance: distance to the figure's smoothed centre [m]; None: the distance at which the whole figure is
    visible, but at least `nearest` [figure sizes]; field_of_view: vertical angle of the picture [deg].
    """

    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    distance: float | None = None
    field_of_view: float = FIELD_OF_VIEW
    nearest: float = DISTANCE

    def __post_init__(self) -> None:
        _check(self.azimuth, self.elevation, self.distance, self.field_of_view)

    def track(self, subject: Subject) -> CameraTrack:
        """Return the camera in each frame of a film."""
        direction = subject.direction(self.azimuth, self.elevation)
        distance = self.distance or _limited(
            subject.distance_to_see(direction, self.field_of_view), self.nearest, subject
        )
        return _track(subject.path + distance * direction, subject.path, self.field_of_view)


@dataclass(frozen=True)
class FixedCamera:
    """A camera that does not move.

    position: position of the camera [m]; None: a position from which the whole motion is visible. target: the point at
    which the camera looks [m]; None: the middle of the figure's path. azimuth, elevation: direction from the target to
    the camera if position is None, see FollowCamera [deg]. field_of_view: vertical angle of the picture [deg].
    """

    position: Triple | None = None
    target: Triple | None = None
    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    field_of_view: float = FIELD_OF_VIEW

    def __post_init__(self) -> None:
        _check(self.azimuth, self.elevation, None, self.field_of_view)
        for name, point in (("position", self.position), ("target", self.target)):
            if point is not None and (len(point) != 3 or not all(map(math.isfinite, point))):
                raise GambolError(f"the {name} of a camera is {point}; give three finite numbers [m]")
        if self.position is not None and self.position == self.target:
            raise GambolError("the camera is at the point that it looks at; give two different points")

    def track(self, subject: Subject) -> CameraTrack:
        """Return the camera in each frame of a film."""
        path = subject.path
        middle = (path.min(axis=0) + path.max(axis=0)) / 2.0
        target = np.tile(middle if self.target is None else np.array(self.target, float), (len(path), 1))
        if self.position is not None:
            return _track(np.tile(np.array(self.position, float), (len(path), 1)), target, self.field_of_view)
        direction = subject.direction(self.azimuth, self.elevation)
        distance = subject.distance_to_see(direction, self.field_of_view, target)
        return _track(target + max(distance, DISTANCE * subject.framing.size) * direction, target, self.field_of_view)


@dataclass(frozen=True)
class OrbitCamera:
    """A camera that follows the figure and orbits it, anticlockwise as seen from above, at constant speed.

    period: simulated time of one turn [s]; None: one turn in the film. azimuth: azimuth in the first frame [deg]. For
    the other options see FollowCamera. The whole figure is visible from every side.
    """

    period: float | None = None
    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    distance: float | None = None
    field_of_view: float = FIELD_OF_VIEW

    def __post_init__(self) -> None:
        _check(self.azimuth, self.elevation, self.distance, self.field_of_view)
        if abs(self.elevation) > MAX_ELEVATION:
            raise GambolError(f"an orbit at {self.elevation} degrees is not a circle; give at most {MAX_ELEVATION:g}")
        if self.period is not None and not 0.0 < self.period < math.inf:
            raise GambolError(f"the period of an orbit is {self.period} s; it must be positive")

    def track(self, subject: Subject) -> CameraTrack:
        """Return the camera in each frame of a film."""
        time = subject.film.time
        period = self.period or subject.film.duration or 1.0
        direction = subject.direction(self.azimuth + 360.0 * (time - time[0]) / period, self.elevation)
        sides = subject.direction(np.arange(ORBIT_DIRECTIONS) * 360.0 / ORBIT_DIRECTIONS, self.elevation)
        distance = self.distance or _limited(
            max(subject.distance_to_see(side, self.field_of_view) for side in sides), DISTANCE, subject
        )
        return _track(subject.path + distance * direction, subject.path, self.field_of_view)


def check_field_of_view(field_of_view: float) -> None:
    """Raise GambolError for an impossible vertical angle of a picture [deg]."""
    if not 1.0 <= field_of_view <= 150.0:
        raise GambolError(f"a camera with a field of view of {field_of_view} degrees cannot be drawn; give 1 to 150")


def _check(azimuth: float, elevation: float, distance: float | None, field_of_view: float) -> None:
    """Raise GambolError for impossible options of a camera."""
    check_field_of_view(field_of_view)
    if not (math.isfinite(azimuth) and -90.0 <= elevation <= 90.0):
        raise GambolError(
            f"the camera's azimuth is {azimuth} and its elevation {elevation} degrees; give finite numbers, the "
            "elevation from -90 to 90"
        )
    if distance is not None and not 0.0 < distance < math.inf:
        raise GambolError(f"the camera's distance is {distance} m; it must be positive")


def _limited(distance: float, nearest: float, subject: Subject) -> float:
    """Return a distance [m] within the limits of a camera that follows; nearest: the lower limit [figure sizes]."""
    return min(max(nearest * subject.framing.size, distance), MAX_DISTANCE * subject.framing.size)


def _track(position: Array, target: Array, field_of_view: float) -> CameraTrack:
    return CameraTrack(position, target, np.full(len(target), field_of_view))
