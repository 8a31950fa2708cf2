"""The genes of a body: a trunk, and limbs of tapering segments. [Arnold 1997, chapter 3]

The trunk is a box, x forward and z up, with the origin at its centre. A segment is a frustum from its joint along
-z. The first joint of a limb is on the trunk, or on a segment of a spine: a limb in the middle plane that carries
others. Each other joint is at the lower end of the segment above. A joint has one or two freedoms; each turns about or
slides along its axis and has a servo, or a pair of muscles.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gambol.actuation.muscle.energetics import METABOLISMS
from gambol.figure import Triple

if TYPE_CHECKING:
    from gambol.sensing import Sensor

TRUNK = "trunk"
"""The name of the trunk."""

KINDS = ("revolute", "prismatic")
"""The kinds of freedoms: joint kinds with one degree of freedom."""

MOTORS = ("servo", "hill", "elastic")
"""The motors of freedoms without muscles: Servo; HillServo, whose strength falls with speed as that of muscles; and
ElasticServo, which also has a delay and a tendon."""

MAX_STRENGTH = 1.5
"""The upper bound of the gene strength."""

MAX_FREEDOMS = 2
"""The largest number of freedoms of one joint: a hip can swing and spread."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """The box that carries all limbs.

    length, width, height: its edges along x, y and z [m]; density [kg/m3]. color: for display, such as "#8a4a1c"; None:
    the colour of the view.
    """

    length: float = 0.5
    width: float = 0.2
    height: float = 0.12
    density: float = 600.0
    color: str | None = None


@dataclass(frozen=True, slots=True)
class MusclePair:
    """The antagonist muscles of a freedom, which take the place of its servo.

    fibre: optimal length of their fibres divided by their moment arm, as a multiple of the distance from the middle
    to a stop of the joint [1]: a pair with shorter fibres is stiffer and, in the middle of the range, stronger. tone:
    activation of both muscles when they hold the middle [1]; the stiffness of the pair is proportional to it.
    metabolism: a model of their heat, a row of METABOLISMS; with it they have a mass, see muscle_mass.py. None: they
    have neither.
    """

    fibre: float = 6.0
    tone: float = 0.2
    metabolism: str | None = None


@dataclass(frozen=True, slots=True)
class Freedom:
    """One degree of freedom of a joint, with its servo or its muscles.

    kind: "revolute" or "prismatic". azimuth, elevation: direction of its axis [rad]. At 0, 0 the axis is y: a positive
    rotation swings a leg backwards, a positive slide moves it to the left. The azimuth turns the axis about z towards
    -x, the elevation raises it towards z. middle: rest coordinate; reach: largest distance of targets from middle. Both
    are in rad, or, for a prismatic freedom, in units of SLIDE_UNIT (servos.py) times the segment's length. strength:
    largest torque, as a fraction of the creature's weight times the length of the limb from this joint to its end [1];
    of a prismatic freedom, largest force as a fraction of the weight / SLIDE_UNIT. With muscles, it is the strength of
    one muscle, fully active in the middle of the range. muscles: None for a motor. motor: one of MOTORS.
    """

    kind: str = "revolute"
    azimuth: float = 0.0
    elevation: float = 0.0
    middle: float = 0.0
    reach: float = 0.6
    strength: float = 0.5
    muscles: MusclePair | None = None
    motor: str = MOTORS[0]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a limb, and the joint at its upper end.

    length, upper_radius, lower_radius: length, upper radius and lower radius of the frustum [m]. density [kg/m3].
    pitch, roll: rotation relative to the segment above, or to the trunk, when all freedoms are 0 [rad]: first by pitch
    about y, then by roll about x, both axes of the segment above. At 0, 0 the segment continues the one above; at a
    pitch of pi / 2 it points backwards. freedoms: one or two freedoms, from the trunk outward.
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
    1. mirrored: True if the limb has a twin, its mirror image in the plane y = 0; then the limb is the left one of the
    pair. segments: segments from the trunk outward. name: its name, such as "head"; "": limb and its number. foot:
    False for a limb that does not stand on the ground, such as a head or a tail: its load does not count as that of a
    foot. color: see Trunk. on: the part that carries it: "trunk", or the name of a spine and the number of a segment,
    such as "spine 2". On a segment, `at` is in fractions of its upper radius along x and y, and of its length along z,
    from 0 at the joint to -1 at the end; the limb then has the axes of the trunk, at angles 0 of the spine.
    """

    at: Triple
    mirrored: bool = True
    segments: tuple[Segment, ...] = field(default=(Segment(),))
    name: str = ""
    foot: bool = True
    color: str | None = None
    on: str = TRUNK

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the limb and its twin, or "middle" for a limb without a twin."""
        return ("left", "right") if self.mirrored else ("middle",)

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The degrees of freedom of all joints of the limb, without its twin."""
        return tuple(freedom for segment in self.segments for freedom in segment.freedoms)

    @property
    def links(self) -> int:
        """The number of links of the limb and its twin together; each link has one freedom."""
        return len(self.sides) * len(self.freedoms)


@dataclass(frozen=True, slots=True)
class Mark:
    """An ellipsoid without mass and contacts, which is only drawn, such as an eye, an ear or a shell.

    on: the part that carries it: "trunk", or the name of a limb and the number of a segment, such as "head 2". at: its
    centre; on the trunk as fractions of the half edges, on a segment as fractions of its upper radius along x and y,
    and of its length along z, from 0 at the joint to -1 at the end. size: half its lengths along x, y and z [m]. color:
    see Trunk. A mark of a limb without a twin, or of the trunk, is drawn on both sides if its y is not 0.
    """

    on: str
    at: Triple
    size: Triple
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """A body: a trunk, at least one limb, and marks that are only drawn.

    sensors: sensors with their names, on links of the grown figure, such as "trunk" or "limb1 left 2"; they do not
    evolve.
    """

    trunk: Trunk
    limbs: tuple[Limb, ...]
    marks: tuple[Mark, ...] = ()
    sensors: "tuple[tuple[str, Sensor], ...]" = ()

    @property
    def links(self) -> int:
        """The number of links without the trunk; each link has one freedom, with a servo or muscles."""
        return sum(limb.links for limb in self.limbs)

    def chains(self) -> Iterator[tuple[str, Limb, str]]:
        """Yield the name (such as "limb1 left"), limb and side of every limb and every twin, in the order of links."""
        for number, limb in enumerate(self.limbs, start=1):
            for side in limb.sides:
                yield f"{limb_name(limb, number)} {side}", limb, side


def limb_name(limb: Limb, number: int) -> str:
    """Return the name of a limb; number: its number, from 1."""
    return limb.name or f"limb{number}"


def spine_of(body: Body, limb: Limb) -> tuple[int, int] | None:
    """Return the index of the limb and of its segment, both from 0, that carry a limb; None for a limb on the trunk.

    Raises KeyError if there is no such part.
    """
    if limb.on == TRUNK:
        return None
    name, _, number = limb.on.rpartition(" ")
    indices = {limb_name(other, n): n - 1 for n, other in enumerate(body.limbs, start=1)}
    return indices[name], int(number) - 1


def spines_of(body: Body) -> frozenset[int]:
    """Return the indices of the limbs that carry others, from 0."""
    return frozenset(found[0] for limb in body.limbs if (found := spine_of(body, limb)))


MUSCLE_STRENGTH = 2.5
"""Strength of muscles divided by the strength of a plan's servo: a pair is softer than a servo of the same strength."""


def with_muscles(freedom: Freedom, pair: MusclePair | None = None) -> Freedom:
    """Return a freedom with muscles, which are stronger than its servo; a freedom with muscles is returned unchanged.

    pair: genes of the muscles; None: the default genes.
    """
    if freedom.muscles is not None:
        return freedom
    strength = min(MUSCLE_STRENGTH * freedom.strength, MAX_STRENGTH)
    return replace(freedom, strength=strength, muscles=pair or MusclePair())


def muscled(body: Body, pair: MusclePair | None = None) -> Body:
    """Return a body with muscles at every joint; pair: as for with_muscles()."""
    return with_freedoms(body, lambda freedom: with_muscles(freedom, pair))


def with_motors(body: Body, motor: str) -> Body:
    """Return a body with a kind of motor at every joint without muscles. motor: one of MOTORS."""
    return with_freedoms(body, lambda freedom: freedom if freedom.muscles else replace(freedom, motor=motor))


def with_freedoms(body: Body, change: Callable[[Freedom], Freedom]) -> Body:
    """Return a body with changed freedoms. change: function from a freedom to the freedom that replaces it."""
    limbs: list[Limb] = []
    for limb in body.limbs:
        segments = (replace(segment, freedoms=tuple(map(change, segment.freedoms))) for segment in limb.segments)
        limbs.append(replace(limb, segments=tuple(segments)))
    return replace(body, limbs=tuple(limbs))


def drive_of(freedom: Freedom) -> str:
    """Return the kind of drive of a freedom: a name in DRIVES."""
    if freedom.muscles is None:
        return DRIVES[MOTORS.index(freedom.motor)]
    return next(drive for drive, model in MUSCLES.items() if model == freedom.muscles.metabolism)


MUSCLES: Mapping[str, str | None] = {"muscles": None} | {f"muscles, {model}": model for model in METABOLISMS}
"""Kinds of drives with muscles, and their metabolism."""

DRIVES = ("servos", "hill servos", "elastic servos", *MUSCLES)
"""Kinds of drives of the freedoms of a body; the first are the motors, in the order of MOTORS."""


def driven_by(body: Body) -> str:
    """Return the kind of actuation of a body: a name in DRIVES, or "both" for several of them."""
    found = {drive_of(freedom) for limb in body.limbs for freedom in limb.freedoms}
    return found.pop() if len(found) == 1 else "both"
