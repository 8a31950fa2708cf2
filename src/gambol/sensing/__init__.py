"""Sensors on the links of any figure, from joint angles to contact forces and light: one protocol, one table."""

from gambol.sensing.actuators import ActuatorForce, PathLimit, PathMotion
from gambol.sensing.bodies import AngularMomentum, CentreOfMass, CentreVelocity, Energy, TimeSensor
from gambol.sensing.cameras import CameraPose, CameraProjection, DepthCamera
from gambol.sensing.contact_list import ContactSensor
from gambol.sensing.distance import Distance, InsideZone
from gambol.sensing.dynamics import SensedContact, SensorDynamics
from gambol.sensing.frames import (
    FrameAcceleration,
    FrameAngularAcceleration,
    FrameAngularVelocity,
    FrameAxis,
    FrameOrientation,
    FramePosition,
    FrameVelocity,
)
from gambol.sensing.from_model import make_sensor, sensors_of
from gambol.sensing.height_scan import HeightScan
from gambol.sensing.inertial import Accelerometer, Gyro, Imu, Magnetometer, MeanAcceleration, Velocimeter
from gambol.sensing.joints import JointLimitForce, JointPosition, JointTorque, JointVelocity
from gambol.sensing.light import Light, LightSensor, illuminance
from gambol.sensing.limits import JointLimit
from gambol.sensing.loads import ContactForce, ContactPoints, ForceTorque, Touch
from gambol.sensing.others import Others
from gambol.sensing.rangefinder import Rangefinder
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.sensing.table import SENSORS, add_sensor, check_sensors

__all__ = [
    "SENSORS",
    "Accelerometer",
    "ActuatorForce",
    "AngularMomentum",
    "CameraPose",
    "CameraProjection",
    "CentreOfMass",
    "CentreVelocity",
    "ContactForce",
    "ContactPoints",
    "ContactSensor",
    "DepthCamera",
    "Distance",
    "Energy",
    "ForceTorque",
    "FrameAcceleration",
    "FrameAngularAcceleration",
    "FrameAngularVelocity",
    "FrameAxis",
    "FrameOrientation",
    "FramePosition",
    "FrameVelocity",
    "Gyro",
    "HeightScan",
    "Imu",
    "InsideZone",
    "JointLimit",
    "JointLimitForce",
    "JointPosition",
    "JointTorque",
    "JointVelocity",
    "Light",
    "LightSensor",
    "Magnetometer",
    "MeanAcceleration",
    "Others",
    "PathLimit",
    "PathMotion",
    "Rangefinder",
    "SensedContact",
    "Sensor",
    "SensorDynamics",
    "SensorInput",
    "TimeSensor",
    "Touch",
    "Velocimeter",
    "add_sensor",
    "check_sensors",
    "illuminance",
    "make_sensor",
    "sensors_of",
]
