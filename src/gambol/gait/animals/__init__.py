"""Walks of animals: scaling laws, measured gaits of some animals, and measures of natural motion."""

from gambol.gait.animals.gaits import GALLOP, TROT, WALK, gait_class
from gambol.gait.animals.motion import (
    component,
    component_amplitudes,
    energy_phase,
    fluctuation_exponent,
    hump_count,
    log_dimensionless_jerk,
    pendulum_recovery,
)
from gambol.gait.animals.reference import ANIMALS, Animal, AnimalGait, spread_of
from gambol.gait.animals.scaling import SCALING, ScalingLaw, froude_number, stride_length_ratio

__all__ = [
    "ANIMALS",
    "GALLOP",
    "SCALING",
    "TROT",
    "WALK",
    "Animal",
    "AnimalGait",
    "ScalingLaw",
    "component",
    "component_amplitudes",
    "energy_phase",
    "fluctuation_exponent",
    "froude_number",
    "gait_class",
    "hump_count",
    "log_dimensionless_jerk",
    "pendulum_recovery",
    "spread_of",
    "stride_length_ratio",
]
