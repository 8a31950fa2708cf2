"""The body of a planar person: masses, lengths and moments of inertia of its segments.

APPLET is the planar biped of the authors of SIMBICON, from their own applet of June 2007 (class Bip7, kept in the
public repository gareth-ferneyhough/Simbicon-run-speed).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment.

    length [m]; mass [kg]; com: distance of the centre of mass from the upper joint, along the segment [m]; inertia:
    inertia about the centre of mass [kg m2]. For a foot, see Foot. A trunk is measured from the hips upward. Only the
    inertia for pitching matters.
    """

    length: float
    mass: float
    com: float
    inertia: float


@dataclass(frozen=True, slots=True)
class Foot:
    """A foot. mass [kg]; inertia: inertia of pitching, about the centre of mass [kg m2].

    com: centre of mass relative to the ankle, forward and up [m]. heel, toe: ends of the sole, forward of the ankle
    [m]. sole: distance of the sole below the ankle [m].
    """

    mass: float
    inertia: float
    com: tuple[float, float]
    heel: float
    toe: float
    sole: float


@dataclass(frozen=True, slots=True)
class Body:
    """The segments of a person with trunk, head and arms as one link."""

    trunk: Segment
    thigh: Segment
    shank: Segment
    foot: Foot

    @property
    def hip_height(self) -> float:
        """Height of the hips above the ground with straight legs and flat feet [m]."""
        return self.thigh.length + self.shank.length + self.foot.sole

    @property
    def mass(self) -> float:
        """Mass of the whole body [kg]."""
        return self.trunk.mass + 2.0 * (self.thigh.mass + self.shank.mass + self.foot.mass)


APPLET = Body(
    trunk=Segment(0.48, 70.0, 0.24, 1.475),
    thigh=Segment(0.45, 5.0, 0.225, 0.0885),
    shank=Segment(0.45, 4.0, 0.225, 0.0696),
    foot=Foot(1.0, 0.01, com=(0.04, -0.02), heel=-0.04, toe=0.12, sole=0.04),
)
"""The planar biped of the authors of SIMBICON: 90 kg."""
