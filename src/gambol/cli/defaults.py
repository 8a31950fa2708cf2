"""Defaults that several commands share."""

from pathlib import Path

OUT = Path("out")  # the folder for files
PARAMETERS = "tuned"  # the roach's parameter set: the one that walks well
JITTER = 0.01  # rad, half a degree: random changes of initial joint angles, which make every walk different
ROACH = "roach"  # the creature that walks if no other is named
