"""Gaits: oscillators and reflexes decide which legs step, motor programs move the legs. [McKenna 1990]"""

from gambol.gait.gait_controller import POTENTIAL_STEP, STANCE, STEP, GaitController, GaitMemory
from gambol.gait.leg import Leg, MotorCommand, Side
from gambol.gait.oscillator import Pace, pace, phase
from gambol.gait.reflex import ReflexTriggers, calibrated_triggers

__all__ = [
    "POTENTIAL_STEP",
    "STANCE",
    "STEP",
    "GaitController",
    "GaitMemory",
    "Leg",
    "MotorCommand",
    "Pace",
    "ReflexTriggers",
    "Side",
    "calibrated_triggers",
    "pace",
    "phase",
]
