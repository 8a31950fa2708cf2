"""Controllers: interface, patterns, drives that follow them, control laws, delays and state machines."""

from gambol.control.actuated import CommandMemory
from gambol.control.command_delays import CommandDelays, with_delays
from gambol.control.constant_law import ConstantLaw
from gambol.control.controller import Controller, Gait, JointSignal, Limb, Senses
from gambol.control.controller_group import ControllerGroup, GroupMember
from gambol.control.delay import DelayLine
from gambol.control.drive import Drive
from gambol.control.feedback import FeedbackController, Law
from gambol.control.function_law import FunctionLaw
from gambol.control.state_machine import Phase, PhaseMemory, StateMachine

__all__ = [
    "CommandDelays",
    "CommandMemory",
    "ConstantLaw",
    "Controller",
    "ControllerGroup",
    "DelayLine",
    "Drive",
    "FeedbackController",
    "FunctionLaw",
    "Gait",
    "GroupMember",
    "JointSignal",
    "Law",
    "Limb",
    "Phase",
    "PhaseMemory",
    "Senses",
    "StateMachine",
    "with_delays",
]
