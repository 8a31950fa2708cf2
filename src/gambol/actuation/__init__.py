"""Actuators: what pulls or turns at joints, and its forces."""

from gambol.actuation.actuator import Actuator

__all__ = ["Actuator"]
