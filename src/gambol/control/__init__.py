"""Controllers: interface, patterns, drives that follow them, control laws, delays and state machines."""

from gambol.control.actuated import CommandMemory
from gambol.control.constant_law import ConstantLaw
from gambol.control.controller import Controller, Gait, JointSignal, Limb, Senses
from gambol.control.delay import DelayLine
from gambol.control.drive import Drive
from gambol.control.feedback import FeedbackController, Law
from gambol.control.state_machine import Phase, PhaseMemory, StateMachine

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
    "Phase",
    "PhaseMemory",
    "Senses",
    "StateMachine",
]
