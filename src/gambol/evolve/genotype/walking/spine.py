"""The spine of a body: how it bends in a stride, and how the trunk turns against the course of the body.

The body goes along the line from the trunk to the mean of the ends of the spine's segments. If the spine bends, this
line turns in the axes of the trunk, so the trunk turns the other way: shoulders and hips of a lizard turn oppositely.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.control.patterns import Wave
from gambol.evolve.genotype.anatomy import PlacedFreedom, placed_freedoms
from gambol.evolve.genotype.body import Body, Freedom, spines_of
from gambol.evolve.genotype.growth import joint_transform
from gambol.evolve.genotype.walking.stride import Stride
from gambol.figure import Figure, Joint
from gambol.lanes import Scalar, elementwise, total
from gambol.spatial import Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM


@dataclass(frozen=True)
class Spine:
    """A spine, or a part of it from the trunk outward. freedoms, joints: its freedoms and their joints."""

    freedoms: tuple[PlacedFreedom, ...] = ()
    joints: tuple[Joint, ...] = ()

    @property
    def straight(self) -> list[float]:
        """The coordinates at rest [rad or m]."""
        return [float(p.unit * p.freedom.middle) for p in self.freedoms]

    def bend(self, stride: Stride, time: Scalar) -> list[Scalar]:
        """Return the coordinates in a stride [rad or m]. time [cycles]."""
        bend = list[Scalar]()
        for joint, (p, middle) in enumerate(zip(self.freedoms, self.straight, strict=True)):
            wave = spine_wave(p.freedom, stride, joint)
            rows = enumerate(zip(wave.amplitudes, wave.phases, strict=True), start=1)
            signal = total(amplitude * sine(k * time + phase) for k, (amplitude, phase) in rows)
            bend.append(middle + p.unit * p.freedom.reach * signal)
        return bend

    def course(self, bend: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """Return sine and cosine of the angle from the trunk's x axis to the course of the body, seen from above."""
        pose, x, y = IDENTITY_TRANSFORM, list[Scalar](), list[Scalar]()
        for p, joint, q in zip(self.freedoms, self.joints, bend, strict=True):
            pose = pose @ joint_transform(joint, q)
            end = pose @ Vector(0.0, 0.0, -p.limb.segments[p.number].length)
            x.append(end.x)
            y.append(end.y)
        forward = -1.0 if self.freedoms[0].limb.at[0] < 0.0 else 1.0
        ahead, left = forward * total(x), forward * total(y)
        length = elementwise(math.sqrt, ahead * ahead + left * left)
        return left / length, ahead / length


NO_SPINE = Spine()
"""That of a body whose limbs are all on the trunk."""


def spine_of_body(body: Body, figure: Figure) -> Spine:
    """Return the longest spine of a body; without joints for a body without one. figure: its figure."""
    numbers = spines_of(body)
    if not numbers:
        return NO_SPINE
    longest = body.limbs[max(numbers, key=lambda n: len(body.limbs[n].segments))]
    freedoms = tuple(p for p in placed_freedoms(body) if p.limb is longest)
    return Spine(freedoms, tuple(figure.link(p.link).joint for p in freedoms))


def spine_wave(freedom: Freedom, stride: Stride, joint: int) -> Wave:
    """Return the wave of a joint of a spine: it bends sideways once in a stride, and up and down twice.

    So the motion of the left legs at any time is that of the right legs half a stride later.
    """
    zero, phase = 0.0 * stride.bend, stride.bend_phase - joint * stride.bend_lag
    if bends_sideways(freedom):
        return Wave(zero, (stride.bend, zero, zero), (phase, zero, zero))
    return Wave(zero, (zero, stride.bend, zero), (zero, 2.0 * phase, zero))


def bends_sideways(freedom: Freedom) -> bool:
    """Return True if the axis of a freedom of a spine is nearer to the middle plane than to its normal."""
    return abs(math.sin(freedom.azimuth)) > math.sqrt(0.5) or abs(freedom.elevation) > 0.25 * math.pi


def sine(cycles: Scalar) -> Scalar:
    """Return the sine of an angle [cycles]."""
    return elementwise(lambda x: math.sin(2.0 * math.pi * x), cycles)
