"""Sensors of light, distance and more, on the links of any figure: one protocol, one table of kinds."""

from gambol.sensing.light import Light, LightSensor, illuminance
from gambol.sensing.rangefinder import Rangefinder
from gambol.sensing.sensor import Sensor, SensorInput
from gambol.sensing.table import SENSORS, add_sensor, check_sensors

__all__ = [
    "SENSORS",
    "Light",
    "LightSensor",
    "Rangefinder",
    "Sensor",
    "SensorInput",
    "add_sensor",
    "check_sensors",
    "illuminance",
]
