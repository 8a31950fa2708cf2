"""Controllers: gaits by motor programs, and drives made of signal patterns and actuators."""

from gambol.control.actuator import Actuator
from gambol.control.controller import Controller, Senses
from gambol.control.drive import Drive, DriveMemory
from gambol.control.gait import POTENTIAL_STEP, STANCE, STEP, GaitController, GaitMemory
from gambol.control.leg import Leg, MotorCommand, Side
from gambol.control.oscillator import Pace, pace, phase
from gambol.control.reflex import ReflexTriggers, calibrated_triggers

__all__ = [
    "POTENTIAL_STEP",
    "STANCE",
    "STEP",
    "Actuator",
    "Controller",
    "Drive",
    "DriveMemory",
    "GaitController",
    "GaitMemory",
    "Leg",
    "MotorCommand",
    "Pace",
    "ReflexTriggers",
    "Senses",
    "Side",
    "calibrated_triggers",
    "pace",
    "phase",
]
