"""Behaviours: the desired velocity of a creature, as a function of the other creatures that it perceives.

    chase   to where the nearest one will be          push    to where the nearest one is
    flee    away from all, the nearest most
    flock   a separation + b alignment + c cohesion: not too close, as fast and in the same direction, together
            [Reynolds 1987, 1999]
    policy  a sum of the directions to the nearest one, to its left, and of its motion, with weights that evolve

A desired velocity has components ahead and to the left, along the ground, as fractions of the creature's top speed; the
zero vector means that there is none. A creature turns towards it within a time that its stride needs, and its speed is
its length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, atan2, maximum, minimum, sqrt, total, where
from gambol.sensing.others import Other, others_of

DesiredVelocity: TypeAlias = tuple[Scalar, Scalar]
"""Desired velocity ahead and to the left, as a fraction of the top speed. [Reynolds 1999]"""

BehaviourFunction: TypeAlias = Callable[[Sequence[Other], Mapping[str, Scalar]], DesiredVelocity]
"""A function of the others and of numbers by name, over generic scalars, that returns a desired velocity."""

OTHERS = "others"
"""The name of the sensor that behaviours read."""

MIN_DISTANCE = 0.05
"""Lower bound of distances by which a desired velocity is divided [m]: far below the size of a creature."""

POLICY_WEIGHTS = ("toward", "aside", "match")
"""The weights of a policy, each with a value near and a value far from the other one."""

MIN_LENGTH = 1e-6
"""Length below which a desired velocity is the zero vector: far below any real one, and above rounding."""

SLOWER_IN_TURNS = 0.3
"""Fraction by which a creature slows down to turn by 1 rad or more: at their top speed, animals that turn fast fall."""

FAR_AWAY = 1e6
"""Distance that stands for a creature that is not perceived [m]."""


def chase(others: Sequence[Other], numbers: Mapping[str, Scalar]) -> DesiredVelocity:
    """Return the direction to where the nearest one will be when it is reached. [Reynolds 1999, pursuit]

    numbers: top [m/s]: own top speed; lead: fraction of the time until then for which its motion is predicted, 0 to 1.
    """
    nearest = nearest_of(others)
    time = numbers["lead"] * nearest.distance / numbers["top"]
    x, y = nearest.ahead + time * nearest.speed_ahead, nearest.left + time * nearest.speed_left
    return _unit(x, y, nearest.near)


def push(others: Sequence[Other], numbers: Mapping[str, Scalar]) -> DesiredVelocity:
    """Return the direction to the nearest one."""
    nearest = nearest_of(others)
    return _unit(nearest.ahead, nearest.left, nearest.near)


def flee(others: Sequence[Other], numbers: Mapping[str, Scalar]) -> DesiredVelocity:
    """Return the direction away from all others, each with the weight 1 / distance."""
    x, y = _separation(others)
    return _unit(x, y, total(other.near for other in others))


def flock(others: Sequence[Other], numbers: Mapping[str, Scalar]) -> DesiredVelocity:
    """Return the sum of separation, alignment and cohesion. [Reynolds 1987]

    numbers: separation [m]: distance at which others repel as strongly as the walk of all counts; cohesion [m]:
    distance of the others' middle that counts as much; cruise: speed of the flock, as a fraction of the top speed; top
    [m/s]: top speed. Without others the desired velocity is the zero vector.
    """
    x, y = _separation(others)
    count = maximum(total(other.near for other in others), 1.0)
    middle = [total(values) / count for values in ([o.ahead for o in others], [o.left for o in others])]
    pace = [total(values) / count for values in ([o.speed_ahead for o in others], [o.speed_left for o in others])]
    speed, size = numbers["cruise"], sqrt(pace[0] * pace[0] + pace[1] * pace[1])
    aligned = [0.5 * speed * component / maximum(size, 0.1 * numbers["top"]) for component in pace]
    desired = [
        own + along + numbers["separation"] * speed * away + speed * toward / numbers["cohesion"]
        for own, along, away, toward in zip((0.5 * speed, 0.0), aligned, (x, y), middle, strict=True)
    ]
    seen = minimum(total(other.near for other in others), 1.0)
    length = sqrt(desired[0] * desired[0] + desired[1] * desired[1])
    bounded = seen * speed / maximum(length, speed)
    return desired[0] * bounded, desired[1] * bounded


def policy(others: Sequence[Other], numbers: Mapping[str, Scalar]) -> DesiredVelocity:
    """Return a sum of three directions, with weights that change with the distance d of the nearest one.

        v = a e + b n + c u / top      a = a_far + (a_near - a_far) / (1 + (d / range)^2), and so b and c

    e: direction to the nearest one; n: e turned to the left; u: its velocity. numbers: range [m]: distance at which
    the weights are the means of those near and far; toward, aside, match, each near and far: a, b and c [1]; top: own
    top speed [m/s]. The length is at most 1.
    """
    nearest = nearest_of(others)
    ratio = nearest.distance / maximum(numbers["range"], MIN_DISTANCE)
    blend = 1.0 / (1.0 + ratio * ratio)
    a, b, c = (numbers[f"{x} far"] + blend * (numbers[f"{x} near"] - numbers[f"{x} far"]) for x in POLICY_WEIGHTS)
    e_x, e_y = _unit(nearest.ahead, nearest.left, nearest.near)
    u_x, u_y = nearest.speed_ahead / numbers["top"], nearest.speed_left / numbers["top"]
    x, y = a * e_x - b * e_y + c * u_x, a * e_y + b * e_x + c * u_y
    scale = nearest.near / maximum(sqrt(x * x + y * y), 1.0)
    return scale * x, scale * y


def nearest_of(others: Sequence[Other]) -> Other:
    """Return the nearest of the others; one that is not perceived has near = 0."""
    best, least = others[0], where(others[0].near > 0.5, others[0].distance, FAR_AWAY)
    for other in others[1:]:
        distance = where(other.near > 0.5, other.distance, FAR_AWAY)
        closer = distance < least
        pairs = ((getattr(other, name), getattr(best, name)) for name in Other.__dataclass_fields__)
        best, least = Other(*(where(closer, x, y) for x, y in pairs)), minimum(distance, least)
    return best


def _separation(others: Sequence[Other]) -> DesiredVelocity:
    """Return the sum of the directions away from others, each divided by the distance [1/m]."""
    weights = [-other.near / maximum(other.distance, MIN_DISTANCE) ** 2 for other in others]
    pairs = [*zip(weights, others, strict=True)]
    return total(w * other.ahead for w, other in pairs), total(w * other.left for w, other in pairs)


def _unit(x: Scalar, y: Scalar, seen: Scalar) -> DesiredVelocity:
    """Return the unit vector along (x, y), or 0 if nobody is seen."""
    scale = where(seen > 0.5, 1.0 / maximum(sqrt(x * x + y * y), MIN_LENGTH), 0.0)
    return x * scale, y * scale


BEHAVIOURS: dict[str, tuple[BehaviourFunction, dict[str, float]]] = {
    "chase": (chase, {"lead": 1.0}),
    "flee": (flee, {}),
    "push": (push, {}),
    "flock": (flock, {"separation": 0.5, "cohesion": 2.0, "cruise": 0.8}),
    "policy": (
        policy,
        {"range": 1.0, **{f"{x} {place}": float(x == "toward") for x in POLICY_WEIGHTS for place in ("near", "far")}},
    ),
}
"""The behaviours by name, each with its numbers; every function also gets "top", the top speed."""


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of a creature towards others.

    what: a key of BEHAVIOURS, or a function of your own, see BehaviourFunction. reach: distance within which others are
    perceived [m]. numbers: numbers of the function, by name; those of the table if not given. Raises WorldError for an
    unknown name, and for numbers that the behaviour does not have.
    """

    what: str | BehaviourFunction
    reach: float = 10.0
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        if callable(self.what):
            return
        if self.what not in BEHAVIOURS:
            raise WorldError(f'there is no behaviour "{self.what}"; {did_you_mean(self.what, BEHAVIOURS)}')
        known = BEHAVIOURS[self.what][1]
        for name in self.numbers:
            if name not in known:
                raise WorldError(f'the behaviour "{self.what}" has no number "{name}"; {did_you_mean(name, known)}')

    def inputs(self, top: float) -> dict[str, float]:
        """Return the numbers of the function, inputs of a program; top: top speed [m/s]."""
        given = {} if callable(self.what) else BEHAVIOURS[self.what][1]
        return {**given, **self.numbers, "top": top}

    def command(
        self, numbers: Mapping[str, Scalar], readings: Sequence[Scalar], given: tuple[Scalar, Scalar], lag: Scalar
    ) -> tuple[Scalar, Scalar]:
        """Return the speed [m/s] and the rate of turn [rad/s] that follow the desired velocity.

        numbers: in the structure of inputs(). readings: of the sensor of others. given: commanded speed and rate of
        turn, which stay without a desired velocity. lag: time in which an error of the direction should vanish [s].
        """
        function = self.what if callable(self.what) else BEHAVIOURS[self.what][0]
        ahead, left = function(others_of(readings), numbers)
        length = sqrt(ahead * ahead + left * left)
        is_desired = length > MIN_LENGTH
        bearing = atan2(where(is_desired, left, 0.0), where(is_desired, ahead, 1.0))
        pace = length * (1.0 - SLOWER_IN_TURNS * minimum(abs(bearing), 1.0))
        return where(is_desired, pace * numbers["top"], given[0]), where(is_desired, bearing / lag, given[1])

    def structure(self) -> tuple[Any, ...]:
        """Return its name, and the names of its numbers."""
        name = self.what if isinstance(self.what, str) else getattr(self.what, "__qualname__", "function")
        return name, tuple(self.inputs(1.0))
