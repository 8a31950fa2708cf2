"""Controllers: their interface, signal patterns, drives whose actuators follow a pattern, control laws, and delays."""

from gambol.control.actuated import CommandMemory
from gambol.control.constant_law import ConstantLaw
from gambol.control.controller import Controller, Gait, JointSignal, Limb, Senses
from gambol.control.delay import DelayLine
from gambol.control.drive import Drive
from gambol.control.feedback import FeedbackController, Law

__all__ = [
    "CommandMemory",
    "ConstantLaw",
    "Controller",
    "DelayLine",
    "Drive",
    "FeedbackController",
    "Gait",
    "JointSignal",
    "Law",
    "Limb",
    "Senses",
]
