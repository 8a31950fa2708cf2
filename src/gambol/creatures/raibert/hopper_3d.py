"""Raibert's one-legged hopper in space. [Raibert, Brown & Chepponis 1984]

It is the planar hopper with a free body and a hip of two joints: the numbers of the plane hold about both axes. Nothing
holds its yaw, as in his machine: it runs along a heading of the world, however its body turns.
"""

from dataclasses import replace

from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.raibert.hopper import GAINS, HIP
from gambol.creatures.raibert.hopper import MACHINE as PLANAR
from gambol.creatures.raibert.leg import Leg
from gambol.world import Push, World

MACHINE = replace(
    PLANAR,
    name="raibert-hopper-3d",
    legs=(Leg("leg", (0.0, 0.0, -HIP), spatial=True),),
    planar=False,
    gains=replace(GAINS, roll=GAINS.pitch, roll_damping=GAINS.pitch_damping),
)
"""The hopper in space; its moments about all axes are those of the planar one about its pitch axis (ours)."""


def make_world(
    *,
    speed: float = 2.0,
    ground: Ground | None = None,
    contact: ContactMethod | str = "stepping",
    push: Push | None = None,
) -> World:
    """Return a world in which the hopper runs along x. speed: asked [m/s]; the others as of Machine.world()."""
    return MACHINE.world(speed=speed, ground=ground, contact=contact, push=push)


ENTRY = CreatureEntry(
    name="raibert-hopper-3d",
    summary="one-legged hopper in space, after Raibert",
    make_world=make_world,
    seconds=20.0,
    limbs=MACHINE.limbs(),
    trunk="body",
    fall_height=0.8,
    height=1.4,
    stride_limb="leg",
)
