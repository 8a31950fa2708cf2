"""Gaits: oscillators and reflexes that decide which legs step [McKenna 1990]; gaits of mammals, their stability."""

from gambol.gait.behaviour import BEHAVIOURS, Behaviour
from gambol.gait.commanded_waves import Responses
from gambol.gait.directed import Directed
from gambol.gait.enumeration import (
    Event,
    EventSequence,
    creeping_gait_count,
    creeping_sequences,
    event_sequences,
    gait_count,
    is_creeping,
    is_regular,
    is_symmetric,
    sequence_of,
    supports,
)
from gambol.gait.gait_controller import GaitController
from gambol.gait.gait_group import GaitGroup, renamed_gait
from gambol.gait.gait_memory import POTENTIAL_STEP, STANCE, STEP, GaitMemory
from gambol.gait.ground_path import GroundPath
from gambol.gait.leg import Leg, MotorCommand, Side
from gambol.gait.mammals import GAITS, QuadrupedGait
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.gait.muscle_gait import MuscleGait, with_muscles
from gambol.gait.oscillator import GaitTimes, gait_times, phase
from gambol.gait.phases import advanced_phases
from gambol.gait.reflex import ReflexTriggers, calibrated_triggers
from gambol.gait.stability import longitudinal_margin, support_margin, wave_gait, wave_gait_margin
from gambol.gait.steering import HeadingHold, PathFollowing, Steering, TimedValue
from gambol.gait.stroke import command_changes

__all__ = [
    "BEHAVIOURS",
    "GAITS",
    "POTENTIAL_STEP",
    "STANCE",
    "STEP",
    "Behaviour",
    "Directed",
    "Event",
    "EventSequence",
    "GaitController",
    "GaitGroup",
    "GaitMemory",
    "GaitModifier",
    "GaitTimes",
    "GroundPath",
    "HeadingHold",
    "Leg",
    "ModifierInput",
    "MotorCommand",
    "MuscleGait",
    "PathFollowing",
    "QuadrupedGait",
    "ReflexTriggers",
    "Responses",
    "Side",
    "Steering",
    "TimedValue",
    "advanced_phases",
    "calibrated_triggers",
    "command_changes",
    "creeping_gait_count",
    "creeping_sequences",
    "event_sequences",
    "gait_count",
    "gait_times",
    "is_creeping",
    "is_regular",
    "is_symmetric",
    "longitudinal_margin",
    "phase",
    "renamed_gait",
    "sequence_of",
    "support_margin",
    "supports",
    "wave_gait",
    "wave_gait_margin",
    "with_muscles",
]
