"""Sensors that have their own frame on a link: the pose, velocity and acceleration of the frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gambol.collide import Ground
from gambol.errors import WorldError
from gambol.figure import IDENTITY, Figure, Matrix3, Triple
from gambol.figure.rotation import check_rotation
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.spatial import Motion, Rotation, Transform, Vector

XYZ = ("x", "y", "z")
"""Names of the components of a vector."""


@dataclass(frozen=True)
class SensorFrame:
    """A frame that is fixed to a link or to the world.

    link: name of the link, or None for the world. pose: pose of the frame in the link's frame.
    """

    link: str | None
    pose: Transform

    @staticmethod
    def of(link: str | None, position: Triple, rotation: Matrix3) -> SensorFrame:
        """Return a frame from its position [m] and rotation in the link's frame."""
        return SensorFrame(link, Transform(Rotation(rotation), Vector(*position)))

    def in_world(self, at: SensorInput) -> Transform:
        """Return the pose of the frame in the world."""
        return self.pose if self.link is None else at.pose(self.link) @ self.pose

    def velocity(self, at: SensorInput) -> Motion:
        """Return the angular velocity of the frame and the velocity of its origin, in its own axes [rad/s, m/s]."""
        if self.link is None:
            return Motion(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
        return self.pose.apply_inverse(at.state.velocities[at.figure.link(self.link).index])

    def proper_acceleration(self, at: SensorInput) -> Motion:
        """Return the angular acceleration, and the acceleration of its origin minus gravity, in its own axes.

        The unit is [rad/s2, m/s2]. The frame must be on a link, not on the world.
        """
        index = at.figure.link(self.link or "").index
        a, w, r = at.dynamics.proper_accelerations[index], at.state.velocities[index].w, self.pose.position
        to_sensor = self.pose.rotation.transpose
        return Motion(to_sensor @ a.w, to_sensor @ (a.v + a.w.cross(r) + w.cross(w.cross(r))))


@dataclass(frozen=True)
class MountedSensor(Sensor):
    """A sensor that has its own frame on a link.

    position, rotation: pose of the sensor's frame in the link's frame [m]; the columns of the rotation are its axes.
    Raises WorldError for a position that is not finite, FigureError for a matrix that is not a rotation.
    """

    link: str
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Matrix3 = IDENTITY

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.position)):
            raise WorldError(f"a sensor of kind {self.kind} cannot be at {self.position} m; it must be finite")
        check_rotation(self.rotation, f"a sensor of kind {self.kind}")

    @property
    def frame(self) -> SensorFrame:
        """The frame in which the sensor measures."""
        return SensorFrame.of(self.link, self.position, self.rotation)


@dataclass(frozen=True)
class RelativeSensor(MountedSensor):
    """A sensor of the motion of its frame, in the axes of another frame.

    reference: name of the link of the other frame, or None for the world. reference_position, reference_rotation: pose
    of the other frame in its link, or in the world [m].
    """

    reference: str | None = None
    reference_position: Triple = (0.0, 0.0, 0.0)
    reference_rotation: Matrix3 = IDENTITY

    @property
    def other(self) -> SensorFrame:
        """The frame in whose axes the sensor measures."""
        return SensorFrame.of(self.reference, self.reference_position, self.reference_rotation)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for links that the figure lacks; WorldError for numbers that are not finite."""
        Sensor.check(self, name, figure, ground)
        if self.reference is not None:
            figure.link(self.reference)
        if not all(map(math.isfinite, self.reference_position)):
            raise WorldError(f'the sensor "{name}" has a reference at {self.reference_position} m; it must be finite')
        check_rotation(self.reference_rotation, f'the sensor "{name}"')
