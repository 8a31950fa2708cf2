"""Surface properties: contact parameters, and the feet that hold on to the ground."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.penalty.hunt_crossley import HuntCrossley
from gambol.contact.penalty.law import ContactParameters, StickyFoot, checked_parameters, checked_sticky_foot
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure

Grip: TypeAlias = Literal["feet", "all", "none"]
"""Links whose points stick by bristles under a force inside the friction cone: feet, all links, or no links."""

NO_TOUCH = ContactParameters(
    stiffness=0.0,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=1.0,
    restitution_speed=1.0,
    friction=0.0,
    bristle_stiffness=1.0,
    bristle_damping=0.0,
    skid_damping=0.0,
)
"""Contact parameters of a world without ground: no spring, no friction."""


@dataclass(frozen=True)
class SurfaceProperties:
    """The contact properties of the ground and of all parts.

    parameters: parameters of contact; parts may override friction and restitution. feet: names of the links that are
    feet for films and controllers; their corners hold on to the ground (balls and capsules slide). sticky: parameters
    of feet that stick; None: feet slide. grip: links on which compliant contact has bristles, so that a point at rest
    stays at rest: "feet"; "all"; or "none". Points without a bristle have a friction that is viscous at low speeds, see
    ContactParameters.skid_damping. Other contact methods have Coulomb's friction at all points. Raises WorldError for
    impossible numbers, an unknown grip, and a foot that is named twice.
    """

    parameters: ContactParameters | HuntCrossley = NO_TOUCH
    feet: tuple[str, ...] = ()
    sticky: StickyFoot | None = None
    grip: Grip = "feet"

    def __post_init__(self) -> None:
        if isinstance(self.parameters, HuntCrossley):
            self.parameters.check()
        else:
            object.__setattr__(self, "parameters", checked_parameters(self.parameters))
        if self.sticky is not None:
            checked_sticky_foot(self.sticky)
        if self.grip not in get_args(Grip):
            raise WorldError(f'the grip cannot be "{self.grip}"; {did_you_mean(self.grip, get_args(Grip))}')
        if self.grip == "all" and isinstance(self.parameters, HuntCrossley):
            raise WorldError('HuntCrossley has no bristles, so its grip cannot be "all"; give ContactParameters')
        if repeated := [name for k, name in enumerate(self.feet) if name in self.feet[:k]]:
            raise WorldError(f'the foot "{repeated[0]}" is named twice')

    @property
    def has_stiffness(self) -> bool:
        """True if the surface resists what touches it."""
        return self.parameters.stiffness > 0.0 or self.parameters.alpha > 0.0

    def gripping(self, figure: Figure) -> tuple[str, ...]:
        """Return the names of the links that have bristles or hold the ground by sticky feet; feet come first."""
        if isinstance(self.parameters, HuntCrossley) or (self.grip == "none" and self.sticky is None):
            return ()
        if self.grip != "all":
            return self.feet
        return (*self.feet, *(link.name for link in figure.links if link.parts and link.name not in self.feet))

    def check(self, figure: Figure, *, compliant: bool) -> None:
        """Raise WorldError or FigureError for feet that cannot hold the ground.

        figure: the figure with the feet. compliant: True if contacts are springs.
        """
        if self.grip == "none" and not compliant:
            raise WorldError(
                'the grip "none" needs compliant contact: other contact methods have friction at all points'
            )
        for foot in self.feet:
            parts = [part for part in figure.link(foot).parts if part.contact_points()]
            if not parts:
                raise WorldError(f'the foot "{foot}" has no part that collides; give it one')
            round_kinds: Sequence[str] = ("sphere", "capsule", *(ROLLING_SLOTS if compliant else ()))
            if self.sticky is not None and all(part.shape.kind in round_kinds for part in parts):
                raise WorldError(f'the sticky foot "{foot}" has only round parts; give it a part with corners')
