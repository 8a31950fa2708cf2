"""What surfaces do where they touch: contact parameters, and the feet that hold on to the ground."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.penalty.hunt_crossley import HuntCrossley
from gambol.contact.penalty.law import ContactParameters, StickyFoot, checked_parameters, checked_sticky_foot
from gambol.errors import WorldError
from gambol.figure import Figure

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
    """What the surfaces of the ground and of all parts do where they touch.

    parameters: of contact; parts may have a friction and a restitution of their own. feet: names of the links that
    films and controllers know as feet; their corners hold the ground (balls and capsules slide). sticky: hold of feet
    that stick; None: feet slide. Raises WorldError for impossible numbers, and for a foot that is named twice.
    """

    parameters: ContactParameters | HuntCrossley = NO_TOUCH
    feet: tuple[str, ...] = ()
    sticky: StickyFoot | None = None

    def __post_init__(self) -> None:
        if isinstance(self.parameters, HuntCrossley):
            self.parameters.check()
        else:
            object.__setattr__(self, "parameters", checked_parameters(self.parameters))
        if self.sticky is not None:
            checked_sticky_foot(self.sticky)
        if repeated := [name for k, name in enumerate(self.feet) if name in self.feet[:k]]:
            raise WorldError(f'the foot "{repeated[0]}" is named twice')

    def check(self, figure: Figure, *, compliant: bool) -> None:
        """Raise WorldError or FigureError for feet that cannot hold the ground.

        figure: with the feet. compliant: True if contact is by springs.
        """
        for foot in self.feet:
            parts = [part for part in figure.link(foot).parts if part.contact_points()]
            if not parts:
                raise WorldError(f'the foot "{foot}" has no part that collides; give it one')
            round_kinds: Sequence[str] = ("sphere", "capsule", *(ROLLING_SLOTS if compliant else ()))
            if self.sticky is not None and all(part.shape.kind in round_kinds for part in parts):
                raise WorldError(f'the sticky foot "{foot}" has only round parts; give it a part with corners')
