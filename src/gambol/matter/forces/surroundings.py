"""External actions on a mesh: gravity, air, a ground, obstacles, and contact between its own points."""

import math
from dataclasses import dataclass, field

import numpy as np

from gambol.collide import Ground
from gambol.errors import WorldError
from gambol.matter.elements.contact import Touch


@dataclass(frozen=True, slots=True)
class Air:
    """Air around a mesh: velocity of the wind [m/s], density [kg/m3], and coefficients of drag and lift of a surface.

    Raises WorldError for negative numbers and a wind that is not finite.
    """

    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    density: float = 1.2
    drag: float = 1.2
    lift: float = 0.8

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.velocity)):
            raise WorldError(f"a wind of {self.velocity} m/s is impossible; it must be finite")
        if not all(0.0 <= x < math.inf for x in (self.density, self.drag, self.lift)):
            raise WorldError(f"{self} is impossible; density, drag and lift must be 0 or more, and finite")


@dataclass(frozen=True, slots=True)
class SelfTouch:
    """Contact of a mesh with itself: least distance [m], stiffness [N/m], damping [N s/m], friction.

    diameter: points touch as balls of this diameter, or surfaces have this thickness. surfaces: False: points only;
    True: points touch triangles, edges touch edges, and ropes touch ropes. Parts of one piece that are nearer than the
    diameter at rest do not touch. Balls of more than 0.71 of the spacing of a grid do not pass through it; surfaces may
    be thin. Raises WorldError for negative numbers.
    """

    diameter: float
    stiffness: float = 300.0
    damping: float = 0.0
    friction: float = 0.3
    surfaces: bool = False

    def __post_init__(self) -> None:
        if not (0.0 < self.diameter < math.inf and 0.0 < self.stiffness < math.inf):
            raise WorldError(f"{self} is impossible; diameter and stiffness must be above 0")
        if not (0.0 <= self.damping < math.inf and 0.0 <= self.friction < math.inf):
            raise WorldError(f"{self} is impossible; damping and friction must be 0 or more")

    @property
    def law(self) -> Touch:
        """The law of contact of surfaces."""
        return Touch(self.stiffness, self.damping, self.friction, self.diameter)


DEFAULT_TOUCH = Touch(stiffness=500.0, damping=0.2, friction=0.4, thickness=0.005)
"""The law of contact for points of a few grams: half a millimetre of depth under 25 times their weight."""


@dataclass(frozen=True)
class Surroundings:
    """External actions on a mesh.

    gravity: acceleration of free fall [m/s2]. air: the air, or None for a vacuum. ground: the ground, or None. touch:
    law of contact of points with ground and obstacles. self_touch: contact of the points with each other, or None.
    Raises WorldError for impossible numbers.
    """

    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    air: Air | None = None
    ground: Ground | None = None
    touch: Touch = field(default=DEFAULT_TOUCH)
    self_touch: SelfTouch | None = None

    def __post_init__(self) -> None:
        if not np.isfinite(self.gravity).all():
            raise WorldError(f"gravity is {self.gravity}; it must be finite")
        numbers = (self.touch.stiffness, self.touch.damping, self.touch.friction, self.touch.thickness)
        if not all(0.0 <= x < math.inf for x in numbers):
            raise WorldError(f"{self.touch} is impossible; its numbers must be 0 or more, and finite")
