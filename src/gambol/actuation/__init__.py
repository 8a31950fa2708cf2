"""Actuators at joints: their forces and their state. One protocol, one table of kinds."""

from gambol.actuation.actuator import Actuator, ActuatorInput, DrawnPath
from gambol.actuation.computed_torque import ComputedTorque
from gambol.actuation.elastic_servo import ElasticServo
from gambol.actuation.from_model import actuators_of, commands_of, spring_tendons_of
from gambol.actuation.general_motor import GeneralMotor
from gambol.actuation.hill_servo import HillServo
from gambol.actuation.implicit_force import ImplicitForce
from gambol.actuation.servo import Servo
from gambol.actuation.spring_tendon import SpringTendon
from gambol.actuation.table import ACTUATORS, add_actuator, check_actuator
from gambol.actuation.torque_motor import TorqueMotor
from gambol.actuation.variable_damper import VariableDamper
from gambol.actuation.velocity_servo import VelocityServo

__all__ = [
    "ACTUATORS",
    "Actuator",
    "ActuatorInput",
    "ComputedTorque",
    "DrawnPath",
    "ElasticServo",
    "GeneralMotor",
    "HillServo",
    "ImplicitForce",
    "Servo",
    "SpringTendon",
    "TorqueMotor",
    "VariableDamper",
    "VelocityServo",
    "actuators_of",
    "add_actuator",
    "check_actuator",
    "commands_of",
    "spring_tendons_of",
]
