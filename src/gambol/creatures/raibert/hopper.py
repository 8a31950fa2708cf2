"""Raibert's planar one-legged hopper, with the numbers of his simulation. [Raibert 1984]"""

from gambol.creatures.raibert.gains import Gains
from gambol.creatures.raibert.leg import Leg, LegSize
from gambol.creatures.raibert.machine import Machine
from gambol.figure import Box, Capsule, Cylinder, Part

HIP = 0.4
"""Distance from the hip up to the centre of mass of the body [m]."""

SIZE = LegSize(
    length=1.0,
    mass=1.0,
    inertia=1.0,
    com=0.5,
    stiffness=1e3,
    damping=0.0,
    foot=0.03,  # own value: the source has a point
    stop_stiffness=1e5,
    stop_damping=1e3,
    torque=1e3,  # own value: not reached
    settling=60.0,  # own value: almost critical damping of the leg's mass on its spring
)
"""The leg: numbers of the source, unless marked "own value"."""

GAINS = Gains(
    speed=2.0,
    height=1.5,  # own value; the source thrusts by a fixed lengthening of 0.035 m
    max_thrust=0.2,  # own value
    stance_time=0.425,
    placement=0.07,  # own value; the source has 0.02, with which the speed settles below the requested one
    placement_learning=0.02,  # own value
    height_learning=0.3,  # own value
    swing=150.0,
    swing_damping=15.0,
    pitch=150.0,
    pitch_damping=15.0,
    counter=0.5,
    settling=SIZE.settling,
)
"""The control: numbers of the source, unless marked "own value"."""


def beam(length: float, width: float) -> tuple[Part, ...]:
    """Return the drawn parts of a beam body: a tube with a valve block, and a ballast at each end.

    length: length of the beam, along x; width: width of the ballasts, along y [m].
    """
    along = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    across = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    ends = (
        Part(Cylinder(0.07, width), (x, 0.0, 0.0), across, inertial=False, colliding=False)
        for x in (-0.5 * length, 0.5 * length)
    )
    return (
        Part(Capsule(0.04, length), rotation=along, inertial=False, colliding=False),
        Part(Box((0.3 * length, 0.16, 0.12)), inertial=False, colliding=False),
        *ends,
    )


MACHINE = Machine(
    name="raibert-hopper",
    trunk=(*beam(1.2, 0.3), Part(Box((0.08, 0.1, HIP)), (0.0, 0.0, -0.5 * HIP), inertial=False, colliding=False)),
    mass=10.0,
    moments=(10.0, 10.0, 10.0),
    legs=(Leg("leg", (0.0, 0.0, -HIP)),),
    size=SIZE,
    groups=((0,),),
    planar=True,
    gains=GAINS,
    start=1.6,
)
"""The hopper: body of 10 kg and 10 kg m2, leg of 1 kg and 1 kg m2."""

ENTRY = MACHINE.entry("planar one-legged hopper; control in three parts by Raibert (1984)")
