"""Cameras on links: their pose in the world, and depth images.

A camera looks along its -z axis, with x to the right and y up, like the cameras of MuJoCo and OpenGL. The depth of a
point is its distance from the camera's plane z = 0, along the axis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.collide.gap import FAR
from gambol.collide.rays import Ray
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, maximum, where
from gambol.sensing.mounted import XYZ, MountedSensor, RelativeSensor
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.sensing.visible import check_visible, first_distance, visible_links
from gambol.spatial import Vector
from gambol.spatial.rotation import quaternion_of

MAX_PIXELS = 1024
"""Maximum number of pixels of a depth camera: each pixel is a reading of a world."""


@dataclass(frozen=True)
class CameraPose(MountedSensor):
    """The position [m] and orientation (w, x, y, z) of a camera in the world."""

    kind: ClassVar[str] = "camera_pose"

    @property
    def readings(self) -> tuple[str, ...]:
        """Position and quaternion."""
        return (*XYZ, *(f"quaternion {x}" for x in ("w", *XYZ)))

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return position and quaternion."""
        pose = self.frame.in_world(at)
        return [*pose.position, *quaternion_of(pose.rotation)]


MIN_DEPTH = 1e-15
"""Depth below which a projection is that of a point at this depth [m]: MuJoCo's mjMINVAL."""


@dataclass(frozen=True)
class CameraProjection(RelativeSensor):
    """The pixel of a camera's image at which a point of a link is seen (MuJoCo: camprojection) [pixels].

        column = w / 2 + f_x x / d        row = h / 2 - f_y y / d        d = -z

    x, y, z: the point in the camera's frame, which is the reference. Columns count from the left, rows from the top.
    Points outside the image have pixels outside it, and points behind the camera those of their mirror image. size:
    width w and height h [pixels]. focal: focal lengths f_x, f_y [pixels]; for a field of view a they are
    h / (2 tan(a / 2)).
    """

    kind: ClassVar[str] = "camera_projection"
    size: tuple[int, int] = (1, 1)
    focal: tuple[float, float] = (1.0, 1.0)

    @property
    def readings(self) -> tuple[str, ...]:
        """Column and row."""
        return ("column", "row")

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links, WorldError for an impossible size or focal length."""
        RelativeSensor.check(self, name, figure, ground)
        if min(self.size) < 1 or not all(0.0 < f < math.inf for f in self.focal):
            raise WorldError(f'the sensor "{name}" has {self.size} pixels and focal lengths {self.focal}; give more')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return column and row."""
        camera = self.other.in_world(at)
        p = camera.rotation.transpose @ (self.frame.in_world(at).position - camera.position)
        depth = where(p.z < 0.0, maximum(-p.z, MIN_DEPTH), -maximum(p.z, MIN_DEPTH))
        (width, height), (f_x, f_y) = self.size, self.focal
        return [0.5 * width + f_x * (p.x / depth), 0.5 * height - f_y * (p.y / depth)]


@dataclass(frozen=True)
class DepthCamera(MountedSensor):
    """A depth image, row by row from its upper left pixel; depths are at most the reach [m].

    width, height: numbers of pixels. field_of_view: angle between the upper and lower edge of the image [rad]. reach:
    depth of a pixel whose ray hits nothing [m]. sees: names of the links that rays may hit besides the ground; None:
    all links of other trees of a forest, such as obstacles. Each pixel has a ray through its centre.
    """

    kind: ClassVar[str] = "depth_camera"
    width: int = 8
    height: int = 6
    field_of_view: float = math.pi / 4.0
    reach: float = 10.0
    sees: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        MountedSensor.__post_init__(self)
        if self.width < 1 or self.height < 1 or self.width * self.height > MAX_PIXELS:
            raise WorldError(f"a depth camera cannot have {self.width} x {self.height} pixels; give 1 to {MAX_PIXELS}")
        if not 0.0 < self.field_of_view < math.pi:
            raise WorldError(f"a field of view of {self.field_of_view} rad is impossible; give more than 0, below pi")
        if not 0.0 < self.reach < FAR:
            raise WorldError(f"a depth camera reaches more than 0 m and less than {FAR:g} m, not {self.reach} m")

    @property
    def readings(self) -> tuple[str, ...]:
        """A depth for each pixel."""
        return tuple(f"depth {row} {column}" for row in range(self.height) for column in range(self.width))

    @property
    def scales(self) -> tuple[float, ...]:
        """The reach, for each pixel."""
        return (self.reach,) * (self.width * self.height)

    def numbers(self) -> dict[str, Any]:
        """Return the reach, an input of a program."""
        return {"reach": self.reach}

    @property
    def directions(self) -> list[Vector]:
        """Directions of the pixels in the camera's frame, with a depth of 1."""
        half = math.tan(0.5 * self.field_of_view)
        pixel = 2.0 * half / self.height
        return [
            Vector((column + 0.5 - 0.5 * self.width) * pixel, half - (row + 0.5) * pixel, -1.0)
            for row in range(self.height)
            for column in range(self.width)
        ]

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError or FigureError for links that the figure lacks, and for shapes that rays cannot hit."""
        Sensor.check(self, name, figure, ground)
        check_visible(figure, ground, visible_links(figure, self.link, self.sees))

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the depth of each pixel [m]."""
        pose, links = self.frame.in_world(at), visible_links(at.figure, self.link, self.sees)

        def depth(direction: Vector, length: Scalar) -> Scalar:
            u = pose.rotation @ (direction * (1.0 / length))
            return first_distance(Ray(pose.position, u), at, links, numbers["reach"] * length) / length

        pixel = Subprogram(depth)
        return [pixel(direction, direction.length()) for direction in self.directions]
