"""A creature: a figure with springs, legs and motor programs, and constants of its ground, gait and integrator."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gambol.errors import FigureError, did_you_mean
from gambol.figure import Figure, JointSpring, Triple, resolve_springs
from gambol.gait import Leg, ReflexTriggers
from gambol.gait.stroke import moved_feet


@dataclass(frozen=True, slots=True)
class GaitValues:
    """Gait constants.

    protraction: time of one step [s]. speed: the initial speed factor, 1 for the fastest gait and 2 for half as fast.
    It is only recorded: worlds take their speed factor from an argument of world_of(). stance_first: see
    GaitController.
    """

    protraction: float
    speed: float
    stance_first: bool = False


@dataclass(frozen=True, slots=True)
class GroundValues:
    """Ground constants of a creature. [McKenna 1990, section 4.4 and appendix D]

    stiffness [N/m] and damping [N s/m] of the linear spring, alpha [N] and beta [1/m] of the exponential spring, all
    per contact point and, with scale "figure mass", per kilogram of the figure; restitution: factor of the springs'
    force while the point leaves the ground; friction: Coulomb's coefficient; deepest: depth beyond which the springs'
    force is constant [m]. restitution_speed [m/s], bristle_stiffness [N/m], bristle_damping and skid_damping [N s/m]
    make forces continuous that jump in the thesis, see contact.ContactParameters; the last three are per contact point
    and kilogram, too. scale: "figure mass", or "none" for values that are not per kilogram.
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
class StickyFootValues:
    """Constants of sticky feet, see contact.StickyFoot; alpha and damping scale like the ground's.

    alpha [N], beta [1/m], damping [N s/m]. restitution: factor of the force while the point returns, reached gradually
    over return_speed [m/s]. reach: stretch at which the foot breaks loose [m].
    """

    alpha: float
    beta: float
    damping: float
    restitution: float
    return_speed: float
    reach: float


@dataclass(frozen=True, slots=True)
class TimingValues:
    """Time steps of gait and integrator.

    control_step: time between decisions of the gait [s]. step: first step of the integrator [s]. tolerance, method:
    tolerance and method of the integrator of the thesis, which measures errors in another way; they are only recorded.
    """

    control_step: float
    step: float
    tolerance: float
    method: str


@dataclass(frozen=True, slots=True)
class SteeringValues:
    """Measured responses of a creature to steering, see gait.Steering.

    turn_yield (forward), spot_turn_yield, backward_turn_yield, sideways_yield: achieved rate / commanded rate.
    turn_limit [rad], sideways_limit [m]: largest changes of the strokes in a stance. speed: speed in the fastest gait
    [m/s]; length: length of the body [m]; both are for paths.
    """

    turn_yield: float = 1.0
    spot_turn_yield: float | None = None
    backward_turn_yield: float | None = None
    sideways_yield: float = 1.0
    turn_limit: float = 0.5
    sideways_limit: float = 0.01
    speed: float = 0.1
    length: float = 0.03


@dataclass(frozen=True)
class Creature:
    """A figure with springs, legs and controller constants.

    parameters: name of the parameter set in the creature's file. springs: springs by link name, as in the file: they
    may be per kilogram of a mass (JointSpring.scale). angles: initial joint angles by link name [rad]. legs: from front
    to hind, left before right. reflexes: triggers of each leg, or empty if they are not calibrated. steering: see
    Steering. after_loss: for the name of a lost leg, displacements of other feet by name of their leg [m]: forward,
    left and up relative to the trunk.
    """

    name: str
    parameters: str
    figure: Figure
    springs: Mapping[str, JointSpring]
    angles: Mapping[str, float]
    legs: tuple[Leg, ...]
    gait: GaitValues
    ground: GroundValues
    stick: StickyFootValues
    timing: TimingValues
    reflexes: tuple[ReflexTriggers, ...] = ()
    steering: SteeringValues = SteeringValues()
    after_loss: Mapping[str, Mapping[str, Triple]] = field(default_factory=dict[str, Mapping[str, Triple]])

    def leg(self, name: str) -> Leg:
        """Return the leg with a name, such as "middle left". Raises FigureError for an unknown name."""
        for leg in self.legs:
            if leg.name == name:
                return leg
        hint = did_you_mean(name, [leg.name for leg in self.legs])
        raise FigureError(f'creature "{self.name}" has no leg "{name}"; {hint}')

    def resolved_springs(self) -> dict[str, JointSpring]:
        """Return the springs by link name in SI units: multiplied by the masses to which their scales refer."""
        return {name: spring for name, (spring,) in resolve_springs(self.figure, self.springs).items()}

    def without_leg(self, name: str, *, adapted: bool = False) -> "Creature":
        """Return the creature without one leg.

        adapted: True if it places its other feet as after_loss says. Raises FigureError if it does not say so, and for
        an unknown name.
        """
        lost = self.leg(name)
        if adapted and name not in self.after_loss:
            raise FigureError(
                f'creature "{self.name}" ({self.parameters}) has no placement of feet after the loss of "{name}"; '
                f"it has one for {', '.join(self.after_loss) or 'no leg'}"
            )
        legs = tuple(leg for leg in self.legs if leg != lost)
        remaining = tuple(link for link in self.figure.given_links if link.name not in lost.links)
        return replace(
            self,
            figure=replace(self.figure, given_links=remaining),
            springs={link: spring for link, spring in self.springs.items() if link not in lost.links},
            angles={link: angle for link, angle in self.angles.items() if link not in lost.links},
            legs=self._moved(legs, self.after_loss[name]) if adapted else legs,
            reflexes=tuple(r for leg, r in zip(self.legs, self.reflexes, strict=False) if leg != lost),
        )

    def _moved(self, legs: tuple[Leg, ...], moves: Mapping[str, Triple]) -> tuple[Leg, ...]:
        """Return legs with displaced feet."""
        return moved_feet(self.figure, legs, {name: spring.rest for name, spring in self.springs.items()}, moves)
