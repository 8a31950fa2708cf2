"""A creature: a figure with its joint springs, its legs, their motor programs, and the constants it was made for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.control import Leg, ReflexTriggers
from gambol.errors import FigureError, did_you_mean
from gambol.figure import Figure, JointSpring, resolve_springs


@dataclass(frozen=True, slots=True)
class GaitValues:
    """protraction: time of one step [s]; speed: the cycle time the gait starts with, over the shortest one.

    The speed is a record: whoever makes a world chooses its own.
    """

    protraction: float
    speed: float


@dataclass(frozen=True, slots=True)
class GroundValues:
    """The ground a creature was made for. [McKenna 1990, section 4.4 and appendix D]

    stiffness [N/m] and damping [N s/m] of the linear spring, alpha [N] and beta [1/m] of the exponential one, all per
    contact point and, with scale "figure mass", per kilogram of the figure that touches; restitution: what is left of
    the spring's force while the point leaves the ground; friction: Coulomb's coefficient; deepest: depth beyond which
    the springs' force grows no more [m]. restitution_speed [m/s], bristle_stiffness [N/m], bristle_damping and
    skid_damping [N s/m] soften what the thesis switches, see contact.Touch; they scale likewise.
    """

    stiffness: float
    damping: float
    alpha: float
    beta: float
    restitution: float
    friction: float
    deepest: float
    restitution_speed: float
    bristle_stiffness: float
    bristle_damping: float
    skid_damping: float
    scale: str


@dataclass(frozen=True, slots=True)
class StickValues:
    """How sticky feet hold, see contact.Stick; alpha and damping scale as the ground's do."""

    alpha: float
    beta: float
    damping: float
    restitution: float
    return_speed: float
    reach: float


@dataclass(frozen=True, slots=True)
class TimingValues:
    """frame: time between gait decisions [s]; step: first step of the integrator [s].

    tolerance, method: the integrator's in the thesis; a record, since its errors are measured in another way.
    """

    frame: float
    step: float
    tolerance: float
    method: str


@dataclass(frozen=True)
class Creature:
    """A figure and what makes it live.

    parameters: the name of the set of numbers it was made from. springs: by link name, with scales not yet worked out.
    angles: initial joint angles by link name [rad]. legs: from the front, left before right; reflexes: their triggers,
    where they were calibrated.
    """

    name: str
    parameters: str
    figure: Figure
    springs: Mapping[str, JointSpring]
    angles: Mapping[str, float]
    legs: tuple[Leg, ...]
    gait: GaitValues
    ground: GroundValues
    stick: StickValues
    timing: TimingValues
    reflexes: tuple[ReflexTriggers, ...] = ()

    def leg(self, name: str) -> Leg:
        """The leg of this name, such as "middle left"; FigureError with the nearest name when there is none."""
        for leg in self.legs:
            if leg.name == name:
                return leg
        cure = did_you_mean(name, [leg.name for leg in self.legs])
        raise FigureError(f'creature "{self.name}" has no leg "{name}"; {cure}')

    def resolved_springs(self) -> dict[str, JointSpring]:
        """The springs with every number in SI units for this figure, by link name."""
        return {name: spring for name, (spring,) in resolve_springs(self.figure, self.springs).items()}

    def without_leg(self, name: str) -> "Creature":
        """The same creature after the loss of a leg."""
        lost = self.leg(name)
        given = tuple(link for link in self.figure.given if link.name not in lost.links)
        return replace(
            self,
            figure=replace(self.figure, given=given),
            springs={link: spring for link, spring in self.springs.items() if link not in lost.links},
            angles={link: angle for link, angle in self.angles.items() if link not in lost.links},
            legs=tuple(leg for leg in self.legs if leg != lost),
            reflexes=tuple(r for leg, r in zip(self.legs, self.reflexes, strict=False) if leg != lost),
        )
