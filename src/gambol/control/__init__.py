"""What the creature wants: oscillators, gait, reflexes and motor programs."""

from gambol.control.gait import POTENTIAL_STEP, STANCE, STEP, GaitController, GaitMemory, Senses
from gambol.control.leg import Leg, MotorCommand, Side
from gambol.control.oscillator import Pace, pace, phase
from gambol.control.reflex import ReflexTriggers, calibrated

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
    "Senses",
    "Side",
    "calibrated",
    "pace",
    "phase",
]
