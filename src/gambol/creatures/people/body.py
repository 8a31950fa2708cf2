"""Bodies of people: masses, lengths and moments of inertia of their segments.

APPLET is the planar biped of the authors of SIMBICON, from their own applet of June 2007 (class Bip7, kept in the
public repository gareth-ferneyhough/Simbicon-run-speed). winter() scales the anthropometry of the textbook to a mass
and a height: masses, centres of mass and radii of gyration are fractions of the body's mass and of segment lengths
[Winter 2009, Biomechanics and Motor Control of Human Movement, table 4.1], lengths are fractions of the height
[Winter 2009, figure 4.1, after Drillis and Contini].
"""

from dataclasses import dataclass

from gambol.errors import FigureError


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment. length [m]; mass [kg]; com: from its upper joint along it [m]; inertia: about its com [kg m2].

    com and inertia of a foot: see Foot. A trunk is measured from the hips upward. The inertia is that of pitching.
    """

    length: float
    mass: float
    com: float
    inertia: float


@dataclass(frozen=True, slots=True)
class Foot:
    """A foot. mass [kg]; inertia: of pitching, about the centre of mass [kg m2].

    com: centre of mass before and above the ankle [m]. heel, toe: ends of the sole before the ankle [m]. sole: its
    height below the ankle [m].
    """

    mass: float
    inertia: float
    com: tuple[float, float]
    heel: float
    toe: float
    sole: float


@dataclass(frozen=True, slots=True)
class Body:
    """The segments of a person whose trunk, head and arms are one."""

    trunk: Segment
    thigh: Segment
    shank: Segment
    foot: Foot

    @property
    def hip_height(self) -> float:
        """Height of the hips of a straight leg on flat feet [m]."""
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

FRACTIONS = {
    "trunk": (0.678, 0.288, 0.626, 0.496),  # head, arms and trunk: hip to shoulder
    "thigh": (0.100, 0.245, 0.433, 0.323),
    "shank": (0.0465, 0.246, 0.433, 0.302),
}
"""Segment: mass over the body's, length over the height; centre of mass from its lower (trunk) or upper joint, and
radius of gyration about the centre of mass, over its length [Winter 2009, table 4.1 and figure 4.1]."""

FOOT_MASS, FOOT_LENGTH, ANKLE_HEIGHT, FOOT_GYRATION = 0.0145, 0.152, 0.039, 0.475
"""The foot's mass over the body's; its length and the ankle's height over the height; its radius of gyration over its
length [Winter 2009]. The ankle stands over the rear quarter of the sole, which is ours."""

HEEL_SHARE = 0.25


def winter(mass: float = 75.0, height: float = 1.75) -> Body:
    """Return the body of a person of a mass [kg] and a height [m], with head and arms as parts of the trunk.

    Raises FigureError for numbers that are not positive.
    """
    if not (0.0 < mass < float("inf") and 0.0 < height < float("inf")):
        raise FigureError(f"a person of {mass} kg and {height} m is impossible; both must be positive")

    def segment(name: str) -> Segment:
        share, relative_length, com, gyration = FRACTIONS[name]
        m, length = share * mass, relative_length * height
        return Segment(length, m, com * length, m * (gyration * length) ** 2)

    length, m = FOOT_LENGTH * height, FOOT_MASS * mass
    heel, sole = -HEEL_SHARE * length, ANKLE_HEIGHT * height
    inertia = m * (FOOT_GYRATION * length) ** 2
    foot = Foot(m, inertia, (heel + 0.5 * length, -0.5 * sole), heel, heel + length, sole)
    return Body(segment("trunk"), segment("thigh"), segment("shank"), foot)
