"""Friction that differs forward, backward and sideways, such as the friction of a snake's belly scales.

[Hu et al. 2009]
"""

import math
from dataclasses import dataclass

from gambol.errors import FigureError
from gambol.figure.joint import Triple


@dataclass(frozen=True, slots=True)
class AnisotropicFriction:
    """Coefficients of friction of a surface that slides forward, backward and sideways along the ground.

    forward, backward, sideways: more than 0. axis: the forward direction in the link frame, of any length but 0; its
    projection on the contact plane is used. Between two parts, the largest of the three coefficients is used in all
    directions.
    """

    forward: float
    backward: float
    sideways: float
    axis: Triple = (1.0, 0.0, 0.0)

    def check(self, subject: str) -> None:
        """Raise FigureError for a coefficient or an axis out of range; subject: subject of the message."""
        for name in ("forward", "backward", "sideways"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise FigureError(
                    f"{subject} has an anisotropic friction of {value:g} {name}; give more than 0, such as 0.001"
                )
        length = math.hypot(*self.axis)
        if not 0.0 < length < math.inf:
            raise FigureError(f"{subject} has an anisotropic friction with the axis {self.axis}; give a direction")
