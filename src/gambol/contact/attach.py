"""Attachments: breakable exponential springs between two bodies, or a body and the world. [McKenna 1990, 4.4]"""

import math
from dataclasses import dataclass

from gambol.contact.penalty.law import MAX_EXPONENT, TINY, smoothstep
from gambol.errors import WorldError
from gambol.lanes import Scalar, exp, minimum, sqrt
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Attachment:
    """A spring of rest length 0, from a point of one link to a point of another link, or of the world.

    At length x its force is k x + alpha (e^(beta x) - 1). link, other: names of the links, other None for the world.
    point, other_point: the attached points, in link or world coordinates [m]. stiffness k [N/m]; alpha [N], beta [1/m];
    restitution: factor of the force while the points approach each other, with a transition over approach_speed [m/s];
    breaks_at: length at which the spring breaks for good [m]. Raises WorldError for invalid numbers.
    """

    link: str
    other: str | None
    point: tuple[float, float, float]
    other_point: tuple[float, float, float]
    stiffness: float = 0.0
    alpha: float = 0.0
    beta: float = 1.0
    restitution: float = 1.0
    approach_speed: float = 0.01
    breaks_at: float = math.inf

    def __post_init__(self) -> None:
        label = f'the attachment of "{self.link}"'
        for name in ("beta", "approach_speed", "breaks_at"):
            if not getattr(self, name) > 0.0:
                raise WorldError(f"{label} has {name} = {getattr(self, name)}; it must be more than 0")
        for name in ("stiffness", "alpha", "restitution"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise WorldError(f"{label} has {name} = {getattr(self, name)}; it must be 0 or more, and finite")
        if not all(map(math.isfinite, (*self.point, *self.other_point))):
            raise WorldError(f"{label} joins {self.point} to {self.other_point}; both points must be finite")

    def numbers(self) -> dict[str, float]:
        """Return the parameters of the force law, as inputs of a program."""
        names = ("stiffness", "alpha", "beta", "restitution", "approach_speed")
        # 1e18 in place of infinity: its square fits in float32
        return {name: getattr(self, name) for name in names} | {"breaks_at": min(self.breaks_at, 1e18)}


def attachment_force(
    numbers: dict[str, Scalar], intact: Scalar, stretch: Vector, velocity: Vector
) -> tuple[Vector, Scalar, Scalar]:
    """Return the force on the first point [N], the stored energy [J] and the power loss [W] of an attachment.

    numbers: numbers() of the attachment; intact: 1 until it breaks, then 0; stretch, velocity: stretch and velocity of
    the first point relative to the second, in world axes [m, m/s].
    """
    length = sqrt(stretch.dot(stretch) + TINY)
    direction = stretch * (1.0 / length)
    stretch_rate = direction.dot(velocity)
    rise = exp(minimum(numbers["beta"] * length, MAX_EXPONENT)) - 1.0
    spring = intact * (numbers["stiffness"] * length + numbers["alpha"] * rise)
    energy = intact * (
        0.5 * numbers["stiffness"] * length * length + numbers["alpha"] * (rise / numbers["beta"] - length)
    )
    scale = 1.0 - (1.0 - numbers["restitution"]) * smoothstep(-stretch_rate / numbers["approach_speed"])
    return direction * (-spring * scale), energy, spring * (scale - 1.0) * stretch_rate
