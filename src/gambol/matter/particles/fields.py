"""Fields that move particles: accelerations, and the velocity of the air that drags them.

    x'' = sum of a(x, age) + d (p' - v)  +  c (u - v) + k |u - v| (u - v)         u: velocity of the air at x

Each field is a frozen dataclass with its functions, whose numbers are inputs of the program.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, exp, floor, gather, sqrt, where
from gambol.spatial import Curve, Vector, straight
from gambol.spatial.vector import ZERO

Triple = tuple[float, float, float]

MIN_CORE = 1e-9
"""Minimum radius of a vortex core and of an attraction [m], so that no divisor is 0."""


class Field(Protocol):
    """A field of forces or of air. Fields of one class share a program."""

    def numbers(self) -> dict[str, Any]:
        """Return the inputs of its functions, a pytree of numbers."""
        ...

    def acceleration(self, numbers: dict[str, Any], x: Vector, age: Scalar, table: Any) -> Vector:
        """Return the acceleration at x [m/s2]. age: age of the particle [s]; table: table of curves."""
        ...

    def damper(self, numbers: dict[str, Any], age: Scalar, table: Any) -> tuple[Scalar, Vector]:
        """Return the rate d [1/s] and the velocity p' [m/s] of a damper: the acceleration d (p' - v)."""
        ...

    def air(self, numbers: dict[str, Any], x: Vector) -> Vector:
        """Return its contribution to the velocity of the air at x [m/s]."""
        ...

    def potential(self, numbers: dict[str, Any], x: Vector) -> Scalar:
        """Return the potential energy of a unit mass at x [J/kg]; 0 for a field without potential."""
        ...


@dataclass(frozen=True)
class _NeutralField:
    """A field without effect, the base of all fields."""

    def acceleration(self, numbers: dict[str, Any], x: Vector, age: Scalar, table: Any) -> Vector:
        """Return no acceleration."""
        return ZERO

    def damper(self, numbers: dict[str, Any], age: Scalar, table: Any) -> tuple[Scalar, Vector]:
        """Return no damper."""
        return 0.0, ZERO

    def air(self, numbers: dict[str, Any], x: Vector) -> Vector:
        """Return no motion of the air."""
        return ZERO

    def potential(self, numbers: dict[str, Any], x: Vector) -> Scalar:
        """Return no potential."""
        return 0.0


@dataclass(frozen=True)
class Gravity(_NeutralField):
    """Uniform gravity. acceleration_of_free_fall: the acceleration, in world axes [m/s2]."""

    acceleration_of_free_fall: Triple = (0.0, 0.0, -9.81)

    def __post_init__(self) -> None:
        _check_finite("gravity", self.acceleration_of_free_fall)

    def numbers(self) -> dict[str, Any]:
        """Return the acceleration."""
        return {"g": Vector(*self.acceleration_of_free_fall)}

    def acceleration(self, numbers: dict[str, Any], x: Vector, age: Scalar, table: Any) -> Vector:
        """Return g."""
        return numbers["g"]

    def potential(self, numbers: dict[str, Any], x: Vector) -> Scalar:
        """Return -g . x."""
        return -numbers["g"].dot(x)


@dataclass(frozen=True)
class Wind(_NeutralField):
    """A uniform motion of the air. velocity: its velocity [m/s]. It acts on particles with drag."""

    velocity: Triple = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        _check_finite("a wind", self.velocity)

    def numbers(self) -> dict[str, Any]:
        """Return the velocity."""
        return {"u": Vector(*self.velocity)}

    def air(self, numbers: dict[str, Any], x: Vector) -> Vector:
        """Return the velocity."""
        return numbers["u"]


@dataclass(frozen=True)
class Vortex(_NeutralField):
    """A straight vortex of the air with a core that rotates nearly rigidly: the speed G (1 - exp(-r2/c2)) / (2 pi r).

    point: a point of its axis [m]. axis: direction of the axis; rotation is positive by the right-hand rule.
    circulation: G [m2/s]. core: radius c [m]. [Lamb 1932, section 334a; Oseen] It acts on particles with drag.
    """

    point: Triple = (0.0, 0.0, 0.0)
    axis: Triple = (0.0, 0.0, 1.0)
    circulation: float = 1.0
    core: float = 0.1

    def __post_init__(self) -> None:
        _check_finite("a vortex", (*self.point, *self.axis, self.circulation))
        if not math.hypot(*self.axis) > 0.0:
            raise WorldError(f"the axis of a vortex is {self.axis}; give a direction, such as (0, 0, 1)")
        if not MIN_CORE <= self.core < math.inf:
            raise WorldError(f"the core of a vortex has a radius of {self.core} m; give more than 0")

    def numbers(self) -> dict[str, Any]:
        """Return its point, unit axis, circulation and core."""
        length = math.hypot(*self.axis)
        axis = Vector(*(c / length for c in self.axis))
        return {"point": Vector(*self.point), "axis": axis, "circulation": self.circulation, "core": self.core}

    def air(self, numbers: dict[str, Any], x: Vector) -> Vector:
        """Return the velocity around the axis; (1 - exp(-s)) / s is 1 - s / 2 for small s."""
        radial = x - numbers["point"]
        across = numbers["axis"].cross(radial)
        s = across.dot(across) / (numbers["core"] * numbers["core"])
        small = s < 1e-6
        profile = where(small, 1.0 - 0.5 * s, (1.0 - exp(-s)) / where(small, 1.0, s))
        return across * (numbers["circulation"] * profile / (2.0 * math.pi * numbers["core"] * numbers["core"]))


@dataclass(frozen=True)
class Attraction(_NeutralField):
    """The attraction of a point: the potential -m / sqrt(r2 + s2). [Plummer 1911]

    point [m]. strength: m [m3/s2], negative to repel. softening: s [m].
    """

    point: Triple = (0.0, 0.0, 0.0)
    strength: float = 1.0
    softening: float = 0.1

    def __post_init__(self) -> None:
        _check_finite("an attraction", (*self.point, self.strength))
        if not MIN_CORE <= self.softening < math.inf:
            raise WorldError(f"an attraction has a softening of {self.softening} m; give more than 0")

    def numbers(self) -> dict[str, Any]:
        """Return its point, strength and softening."""
        return {"point": Vector(*self.point), "strength": self.strength, "softening": self.softening}

    def _inverse_distance(self, numbers: dict[str, Any], x: Vector) -> Scalar:
        d = x - numbers["point"]
        return 1.0 / sqrt(d.dot(d) + numbers["softening"] * numbers["softening"])

    def acceleration(self, numbers: dict[str, Any], x: Vector, age: Scalar, table: Any) -> Vector:
        """Return m (point - x) / (r2 + s2)^(3/2)."""
        inverse = self._inverse_distance(numbers, x)
        return (numbers["point"] - x) * (numbers["strength"] * inverse * inverse * inverse)

    def potential(self, numbers: dict[str, Any], x: Vector) -> Scalar:
        """Return -m / sqrt(r2 + s2)."""
        return -numbers["strength"] * self._inverse_distance(numbers, x)


SEGMENT_SAMPLES = 16
"""Samples of each segment of a curve: a quarter circle is then straight to 1.2e-3 of its radius."""


@dataclass(frozen=True)
class CurvePull(_NeutralField):
    """A spring and a damper to a point that moves along a curve with the age of the particle. [Parent ch. 4]

    curve: in world axes. speed: speed of the point along the curve [m/s]; the point stops at the end. frequency:
    frequency of the oscillation about the point [Hz]. damping: ratio to critical damping.
    """

    curve: Curve = field(default_factory=lambda: straight((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    speed: float = 1.0
    frequency: float = 2.0
    damping: float = 1.0

    def __post_init__(self) -> None:
        if not (0.0 < self.frequency < math.inf and 0.0 <= self.damping < math.inf and math.isfinite(self.speed)):
            raise WorldError(
                f"particles cannot follow a curve at {self.speed} m/s with {self.frequency} Hz and a damping of "
                f"{self.damping}; give a finite speed, a frequency above 0 and a damping of 0 or more"
            )

    def numbers(self) -> dict[str, Any]:
        """Return the speed, the angular frequency, the damping, and the index of the curve's samples in the table."""
        return {
            "speed": self.speed,
            "w": 2.0 * math.pi * self.frequency,
            "damping": self.damping,
            "first": 0.0,
            "samples": float(len(self.samples())),
            "spacing": self.curve.length / (len(self.samples()) - 1),
        }

    def samples(self) -> NDArray[np.float64]:
        """Return points of the curve at equal arc lengths (n, 3) [m], between which the point moves straight."""
        count = SEGMENT_SAMPLES * len(self.curve.coefficients) + 1
        return self.curve.at(np.linspace(0.0, self.curve.length, count))

    def acceleration(self, numbers: dict[str, Any], x: Vector, age: Scalar, table: Any) -> Vector:
        """Return w2 (p - x), p the moving point."""
        point, _ = self._moving_point(numbers, age, table)
        return (point - x) * (numbers["w"] * numbers["w"])

    def damper(self, numbers: dict[str, Any], age: Scalar, table: Any) -> tuple[Scalar, Vector]:
        """Return 2 z w, and the velocity of the moving point."""
        return 2.0 * numbers["damping"] * numbers["w"], self._moving_point(numbers, age, table)[1]

    def _moving_point(self, numbers: dict[str, Any], age: Scalar, table: Any) -> tuple[Vector, Vector]:
        """Return position and velocity of the point that moves along the curve."""
        last = numbers["samples"] - 1.0
        s = clamp(age * numbers["speed"] / numbers["spacing"], 0.0, last)
        cell = clamp(floor(s), 0.0, last - 1.0)
        a, b = (_sample(table, numbers["first"] + cell + k) for k in (0.0, 1.0))
        speed = where(s < last, numbers["speed"], 0.0)
        return a + (b - a) * (s - cell), (b - a) * (speed / numbers["spacing"])


def _sample(table: Any, index: Scalar) -> Vector:
    """Return a sample of a curve; the table has x, y and z of each sample in turn."""
    return Vector(*(gather(table, 3.0 * index + float(k)) for k in range(3)))


def numbers_of(all_fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Return the numbers of some fields; fields along a curve get the index of its samples in curve_table()."""
    numbers, first = [each.numbers() for each in all_fields], 0.0
    for each, n in zip(all_fields, numbers, strict=True):
        if isinstance(each, CurvePull):
            n["first"] = first
            first += n["samples"]
    return numbers


def curve_table(all_fields: Sequence[Field]) -> NDArray[np.float64]:
    """Return the samples of all curves of some fields, one after the other (3 samples,) [m]; zeros without a curve."""
    samples = [each.samples().reshape(-1) for each in all_fields if isinstance(each, CurvePull)]
    return np.concatenate(samples) if samples else np.zeros(3)


def structure_of(all_fields: Sequence[Field]) -> tuple[str, ...]:
    """Return the compiled structure: the classes of the fields."""
    return tuple(type(each).__qualname__ for each in all_fields)


def _check_finite(name: str, values: Sequence[float]) -> None:
    if not all(map(math.isfinite, values)):
        raise WorldError(f"{name} has the numbers {tuple(values)}; all must be finite")
