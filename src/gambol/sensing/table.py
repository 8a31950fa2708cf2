"""The table of sensor kinds, by name."""

from collections.abc import Collection, Mapping
from dataclasses import is_dataclass
from typing import Any

from gambol.collide import Ground
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.sensing.actuators import ActuatorForce, ActuatorSensor, PathLimit, PathMotion
from gambol.sensing.bodies import AngularMomentum, CentreOfMass, CentreVelocity, Energy, TimeSensor
from gambol.sensing.cameras import CameraPose, CameraProjection, DepthCamera
from gambol.sensing.contact_list import ContactSensor
from gambol.sensing.distance import Distance, InsideZone
from gambol.sensing.frames import (
    FrameAcceleration,
    FrameAngularAcceleration,
    FrameAngularVelocity,
    FrameAxis,
    FrameOrientation,
    FramePosition,
    FrameVelocity,
)
from gambol.sensing.height_scan import HeightScan
from gambol.sensing.inertial import Accelerometer, Gyro, Imu, Magnetometer, MeanAcceleration, Velocimeter
from gambol.sensing.joints import JointLimitForce, JointPosition, JointTorque, JointVelocity
from gambol.sensing.light import LightSensor
from gambol.sensing.limits import JointLimit
from gambol.sensing.loads import ContactForce, ContactPoints, ForceTorque, Touch
from gambol.sensing.others import Others
from gambol.sensing.rangefinder import Rangefinder
from gambol.sensing.sensor import NEEDS, Sensor

KINDS: tuple[type[Sensor], ...] = (
    LightSensor, Rangefinder, HeightScan, CameraPose, CameraProjection, DepthCamera, JointPosition, JointVelocity,
    JointTorque, JointLimit, JointLimitForce, ActuatorForce, PathMotion, PathLimit, Distance, InsideZone,
    Accelerometer, MeanAcceleration, Gyro, Velocimeter, Imu, Magnetometer, FramePosition, FrameOrientation,
    FrameAxis, FrameVelocity, FrameAngularVelocity, FrameAcceleration, FrameAngularAcceleration, ForceTorque, Touch,
    ContactForce, ContactPoints, ContactSensor, CentreOfMass, CentreVelocity, AngularMomentum, Energy, TimeSensor,
    Others,
)  # fmt: skip

SENSORS: dict[str, type[Sensor]] = {kind.kind: kind for kind in KINDS}
"""The kinds of sensors by name."""


def add_sensor(kind: Any) -> None:
    """Add a kind of sensor: a frozen dataclass that is derived from Sensor.

    Worlds, controllers, films and evolution can then use it. Raises WorldError for an incomplete class, and for a name
    that is already in the table.
    """
    name = getattr(kind, "__name__", repr(kind))
    if not (isinstance(kind, type) and issubclass(kind, Sensor)):
        raise WorldError(f'the sensor "{name}" must be a class derived from gambol.sensing.Sensor')
    if missing := sorted(kind.__abstractmethods__):
        raise WorldError(f'the sensor "{name}" lacks {", ".join(missing)}; see docs/use/sensors.md')
    if not isinstance(getattr(kind, "kind", None), str):
        raise WorldError(f'the sensor "{name}" lacks kind, its name in the table; see docs/use/sensors.md')
    options: Any = getattr(kind, "__dataclass_params__", None)
    if not is_dataclass(kind) or not options.frozen:
        raise WorldError(f'the sensor "{kind.kind}" must be a frozen dataclass')
    if unknown := set(kind.needs) - set(NEEDS):
        raise WorldError(f'the sensor "{kind.kind}" needs {sorted(unknown)[0]}; {did_you_mean("", NEEDS)}')
    if SENSORS.get(kind.kind, kind) is not kind:
        raise WorldError(f'there is a sensor of kind "{kind.kind}" already; give yours another name')
    SENSORS[kind.kind] = kind


def check_sensors(
    sensors: Mapping[str, Any], taken: Collection[str], figure: Figure, ground: Ground, actuators: Mapping[str, Any]
) -> None:
    """Raise WorldError or FigureError for sensors that a world cannot have.

    sensors: sensors by name. taken: names that sensors cannot have, since they are names of senses. figure, ground:
    figure and ground of the world. actuators: actuators of the world by name.
    """
    for name, sensor in sensors.items():
        if name in taken:
            raise WorldError(f'a sensor cannot be called "{name}", which is a sense; give it another name')
        kind = getattr(sensor, "kind", None)
        if not isinstance(kind, str) or SENSORS.get(kind) is not type(sensor):
            known = did_you_mean(str(kind or type(sensor).__name__), SENSORS)
            raise WorldError(f'the sensor "{name}" is of no known kind; add_sensor() adds one, or {known}')
        sensor.check(name, figure, ground)
        if isinstance(sensor, ActuatorSensor):
            sensor.check_actuators(name, actuators)
