"""Controllers: their interface, signal patterns, and drives whose actuators follow a pattern."""

from gambol.control.controller import Controller, Gait, JointSignal, Limb, Senses
from gambol.control.delay import DelayLine
from gambol.control.drive import Drive, DriveMemory

__all__ = ["Controller", "DelayLine", "Drive", "DriveMemory", "Gait", "JointSignal", "Limb", "Senses"]
