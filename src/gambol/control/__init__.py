"""Controllers: interface, signal patterns, drives whose actuators follow a pattern, control laws, delays, reflexes."""

from gambol.control.actuated import CommandMemory
from gambol.control.constant_law import ConstantLaw
from gambol.control.controller import Controller, Gait, JointSignal, Limb, Senses
from gambol.control.delay import DelayLine
from gambol.control.drive import Drive
from gambol.control.feedback import FeedbackController, Law
from gambol.control.reflexes import Afferent, Reflex, force_feedback, length_feedback

__all__ = [
    "Afferent",
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
    "Reflex",
    "Senses",
    "force_feedback",
    "length_feedback",
]
