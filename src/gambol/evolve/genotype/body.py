"""The genes of a body: a trunk, and limbs of tapering segments. [Arnold 1997, chapter 3]

The trunk is a box, x forward and z up, whose middle is its origin. A segment is a frustum that hangs from its joint
along -z; its first joint lies on the trunk or at the lower end of the segment above. A joint has one or two freedoms,
each of which turns or slides about an axis of its own and is moved by a servo of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gambol.figure import Triple

KINDS = ("revolute", "prismatic")
"""The kinds of freedoms of a joint: one-freedom joint kinds."""

MOST_FREEDOMS = 2
"""The largest number of freedoms of one joint: a hip that swings and spreads."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """The box that carries all limbs.

    length, width, height: its edges along x, y and z [m]; density [kg/m3].
    """

    length: float = 0.5
    width: float = 0.2
    height: float = 0.12
    density: float = 600.0


@dataclass(frozen=True, slots=True)
class Freedom:
    """One degree of freedom of a joint, with its servo.

    kind: "revolute" or "prismatic". azimuth, elevation: direction of its axis [rad]: 0, 0 is y, about which a leg
    swings backwards, and along which it slides to the left; the azimuth turns it about z towards -x, the elevation
    lifts it to z. middle: rest coordinate; reach: amplitude of its targets to either side [rad; for a slide in units of
    a fraction of the segment's length, see servos]. strength: its largest torque, as a fraction of the creature's
    weight times the length of the limb from this joint to its end [1].
    """

    kind: str = "revolute"
    azimuth: float = 0.0
    elevation: float = 0.0
    middle: float = 0.0
    reach: float = 0.6
    strength: float = 0.5


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a limb, and the joint above it.

    length; upper_radius, lower_radius: of the frustum's two ends [m]. density [kg/m3]. pitch, roll: rotation relative
    to the segment above (or the trunk) where every freedom is 0 [rad]: first by pitch about y, then by roll about x, so
    that it hangs straight on at 0, 0 and points backwards at a pitch of a quarter turn. freedoms: one or two, the first
    of them nearest the trunk.
    """

    length: float = 0.2
    upper_radius: float = 0.03
    lower_radius: float = 0.02
    density: float = 1000.0
    pitch: float = 0.0
    roll: float = 0.0
    freedoms: tuple[Freedom, ...] = field(default=(Freedom(),))


@dataclass(frozen=True, slots=True)
class Limb:
    """A chain of segments.

    at: attachment point on the trunk, as fractions of the trunk's half edges (x forward, y left, z up), each from -1 to
    1. mirrored: True where it has a twin, its mirror image in the plane y = 0; it is then itself the left one.
    segments: from the trunk outward.
    """

    at: Triple
    mirrored: bool = True
    segments: tuple[Segment, ...] = field(default=(Segment(),))

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the limb and its twin, or the one name of a limb without."""
        return ("left", "right") if self.mirrored else ("middle",)

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The freedoms of all its joints, those of the twin not counted."""
        return tuple(freedom for segment in self.segments for freedom in segment.freedoms)

    @property
    def links(self) -> int:
        """The number of links, of one freedom each, of the limb and its twin."""
        return len(self.sides) * len(self.freedoms)


@dataclass(frozen=True, slots=True)
class Body:
    """A body: a trunk, and at least one limb."""

    trunk: Trunk
    limbs: tuple[Limb, ...]

    @property
    def links(self) -> int:
        """The number of links, of one freedom each, on the trunk: as many as there are muscles."""
        return sum(limb.links for limb in self.limbs)

    def chains(self) -> Iterator[tuple[str, Limb, str]]:
        """Yield every limb and every twin: its name, such as "limb1 left", the limb and the side, in the order of
        links.
        """
        for number, limb in enumerate(self.limbs, start=1):
            for side in limb.sides:
                yield f"limb{number} {side}", limb, side
