"""Raibert's planar biped: a hopper that stands on two legs in turn. [Hodgins, Koechling & Raibert 1986]

No numbers of the machine were found. Body, leg springs and hips are as in the planar hopper; the legs are lighter about
their centre, and the gains are tuned, not from the source.
"""

from dataclasses import replace

from gambol.creatures.raibert.hopper import GAINS, HIP, SIZE
from gambol.creatures.raibert.hopper import MACHINE as HOPPER
from gambol.creatures.raibert.leg import Leg
from gambol.figure import Capsule, Part

AXLE = Part(
    Capsule(0.025, 0.24),
    (0.0, 0.0, -HIP),
    ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    inertial=False,
    colliding=False,
)
"""The part that is drawn between the hips."""

MACHINE = replace(
    HOPPER,
    name="raibert-biped",
    trunk=(*HOPPER.trunk, AXLE),
    legs=(Leg("left", (0.0, 0.12, -HIP)), Leg("right", (0.0, -0.12, -HIP))),
    groups=((0,), (1,)),
    size=replace(SIZE, inertia=0.1, stiffness=2000.0),  # own values: inertia of a rod; hopper: 1 kg m2, 1000 N/m
    gains=replace(
        GAINS,
        placement=0.08,
        placement_learning=0.01,
        swing=200.0,
        swing_damping=20.0,
        pitch=400.0,
        pitch_damping=100.0,
        counter=0.1,
        stance_time=0.3,
        short=0.3,
    ),
)
"""The biped."""

ENTRY = MACHINE.entry("planar biped that runs on telescopic legs, after Raibert")
