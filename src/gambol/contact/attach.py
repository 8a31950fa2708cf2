"""Attachments: breakable exponential springs between two bodies, or a body and the world. [McKenna 1990, 4.4]"""

import math
from dataclasses import dataclass

from gambol.contact.penalty.law import MAX_EXPONENT, TINY, smoothstep
from gambol.errors import WorldError
from gambol.lanes import Scalar, exp, minimum, sqrt
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Attachment:
    """A spring from a point of one link to a point of another, or of the world (None).

    points in link or world coordinates [m]; stiffness k [N/m]; alpha [N], beta [1/m]; restitution: factor of the force
    while the points approach each other, with a transition over approach_speed [m/s]; breaks_at: length at which it
    breaks for good [m].
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
        of = f'the attachment of "{self.link}"'
        for name in ("beta", "approach_speed", "breaks_at"):
            if not getattr(self, name) > 0.0:
                raise WorldError(f"{of} has {name} = {getattr(self, name)}; it must be more than 0")
        for name in ("stiffness", "alpha", "restitution"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise WorldError(f"{of} has {name} = {getattr(self, name)}; it must be 0 or more, and finite")
        if not all(map(math.isfinite, (*self.point, *self.other_point))):
            raise WorldError(f"{of} joins {self.point} to {self.other_point}; both points must be finite")

    def numbers(self) -> dict[str, float]:
        """Return the numbers of its formula, as inputs of a program."""
        names = ("stiffness", "alpha", "beta", "restitution", "approach_speed")
        return {name: getattr(self, name) for name in names} | {"breaks_at": min(self.breaks_at, 1e18)}


def attachment_force(
    n: dict[str, Scalar], whole: Scalar, stretch: Vector, velocity: Vector
) -> tuple[Vector, Scalar, Scalar]:
    """Return force on the first point [N], energy [J] and loss [W] of an attachment.

    n: its numbers(); whole: 1 until it breaks. stretch, velocity: of the first point relative to the second [m, m/s].
    """
    length = sqrt(stretch.dot(stretch) + TINY)
    along = stretch * (1.0 / length)
    stretch_rate = along.dot(velocity)
    rise = exp(minimum(n["beta"] * length, MAX_EXPONENT)) - 1.0
    spring = whole * (n["stiffness"] * length + n["alpha"] * rise)
    energy = whole * (0.5 * n["stiffness"] * length * length + n["alpha"] * (rise / n["beta"] - length))
    scale = 1.0 - (1.0 - n["restitution"]) * smoothstep(-stretch_rate / n["approach_speed"])
    return along * (-spring * scale), energy, spring * (scale - 1.0) * stretch_rate
