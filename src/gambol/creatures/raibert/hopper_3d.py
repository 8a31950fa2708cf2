"""Raibert's one-legged hopper in three dimensions. [Raibert, Brown & Chepponis 1984]

It is the planar hopper with a free body and a hip of two joints: the numbers of the planar hopper hold about both axes.
As in his machine, yaw is not controlled: the hopper runs along a heading in the world, however its body turns.
"""

from dataclasses import replace

from gambol.creatures.raibert.hopper import GAINS, HIP
from gambol.creatures.raibert.hopper import MACHINE as PLANAR
from gambol.creatures.raibert.leg import Leg

MACHINE = replace(
    PLANAR,
    name="raibert-hopper-3d",
    legs=(Leg("leg", (0.0, 0.0, -HIP), spatial=True),),
    planar=False,
    gains=replace(GAINS, roll=GAINS.pitch, roll_damping=GAINS.pitch_damping),
)
"""The three-dimensional hopper; its moments of inertia are all that of the planar one about its pitch axis (not from
the source)."""

ENTRY = MACHINE.entry("one-legged hopper in three dimensions, after Raibert")
