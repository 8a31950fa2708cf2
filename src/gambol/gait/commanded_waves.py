"""Waves as functions of commands: a quadratic function of speed and turn, and a linear one of styles.

    c = c_0 + (v - 1) c_v + w c_w + (v - 1)^2 c_vv + (v - 1) w c_vw + w^2 c_ww + sum_k a_k c_k      w = turn / top turn

c: offset, sines and cosines of every actuator, and the frequency f; v: speed, as a multiple of that of the waves; a_k:
amount of a style. Below the speed v_0 the waves are those of v_0 times v / v_0, so strides shrink until the creature
stands at rest.

Between two gaits, c = (1 - s) c_0 + s c_1 + 4 s (1 - s) b, where b is the difference between the waves of the stride
half-way and the mean of both: so feet follow the paths of the strides between.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gambol.control.patterns import Balanced
from gambol.lanes import Scalar, clamp, total


@dataclass(frozen=True)
class Responses:
    """The coefficients of waves as functions of commands.

    styles: names of the styles. rows: c_v, c_w, c_vv, c_vw, c_ww, then c_k of each style; a row has the changes of the
    frequency [Hz] and of the speed [m/s], then for each actuator those of its offset, sines and cosines. speed: speed
    of the waves [m/s]; slowest: the speed v_0; fastest: upper bound of the command v. top_turn: largest rate of turn
    [rad/s].
    """

    styles: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    speed: float
    slowest: float
    fastest: float
    top_turn: float


CHANGE_STRIDES = (4.0, 4.0)
"""Durations of a change to another gait and of one back [strides of the first gait]."""


@dataclass(frozen=True)
class NextGait:
    """A gait to which a creature can change from its first gait.

    names: of the first gait and of this one. waves, responses: of this gait. half_way: waves of the stride half-way
    between both gaits. strides: duration of a change to this gait, and of one back [strides of the first gait].
    """

    names: tuple[str, str]
    waves: Balanced
    half_way: Balanced
    responses: Responses
    strides: tuple[float, float] = CHANGE_STRIDES

    def numbers(self, first: Mapping[str, Any]) -> dict[str, Any]:
        """Return its numbers. first: numbers of the waves of the first gait."""
        own, half_way = self.waves.numbers(), self.half_way.numbers()
        bend = {name: _mixed(_between, x, first[name], own[name]) for name, x in half_way.items()}
        return {"waves": own, "bend": bend, "strides": list(self.strides), **numbers_of(self.responses)}


def numbers_of(responses: Responses) -> dict[str, Any]:
    """Return the numbers of responses, inputs of a program."""
    rows = [list(row) for row in responses.rows]
    return {"responses": rows, **{name: getattr(responses, name) for name in ("slowest", "fastest", "top_turn")}}


def commanded_waves(
    numbers: Mapping[str, Any], speed: Scalar, turn: Scalar, styles: Mapping[str, Scalar]
) -> dict[str, Any]:
    """Return the numbers of waves under commands, in the structure of Balanced.numbers().

    numbers: `waves` without commands and the fields of Responses. speed: as a multiple of that of the waves; turn
    [rad/s]; styles: amounts by name, in their order.
    """
    size = clamp(speed / numbers["slowest"], 0.0, 1.0)
    v = clamp(speed, numbers["slowest"], numbers["fastest"]) - 1.0
    w = clamp(turn / numbers["top_turn"], -1.0, 1.0)
    factors = (v, w, v * v, v * w, w * w, *styles.values())
    columns = zip(*numbers["responses"], strict=True)
    changes = (total(a * x for a, x in zip(factors, column, strict=True)) for column in columns)
    own = numbers["waves"]
    waves: dict[str, Any] = {"frequency": own["frequency"] + next(changes)}
    waves |= {"speed": size * (own["speed"] + next(changes)), "offset": [], "sine": [], "cosine": []}
    for offset, sine, cosine in zip(own["offset"], own["sine"], own["cosine"], strict=True):
        waves["offset"].append(size * (offset + next(changes)))
        waves["sine"].append([size * (x + next(changes)) for x in sine])
        waves["cosine"].append([size * (x + next(changes)) for x in cosine])
    return waves | {"gains": own["gains"]}


def waves_between(first: Mapping[str, Any], after: Mapping[str, Any], bend: Mapping[str, Any], s: Scalar) -> Any:
    """Return the numbers of waves between those of two gaits. bend: b; s: 0 for the first gait, 1 for the other."""
    w, m = 1.0 - s, 4.0 * s * (1.0 - s)

    def between(b: Scalar, x: Scalar, y: Scalar) -> Scalar:
        return w * x + s * y + m * b

    return {name: _mixed(between, bend[name], x, after[name]) for name, x in first.items()}


def _between(middle: float, first: float, after: float) -> float:
    """Return the difference between a number half-way and the mean of both ends."""
    return middle - 0.5 * (first + after)


def _mixed(function: Callable[..., Any], *values: Any) -> Any:
    """Return a function of numbers; for lists of one structure, the list of its values for their elements."""
    if isinstance(values[0], list):
        return [_mixed(function, *row) for row in zip(*cast("tuple[list[Any], ...]", values), strict=True)]
    return function(*values)
