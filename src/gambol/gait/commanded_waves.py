"""Waves as functions of commands: a quadratic function of speed and turn, and a linear one of styles.

    c = c_0 + (v - 1) c_v + w c_w + (v - 1)^2 c_vv + (v - 1) w c_vw + w^2 c_ww + sum_k a_k c_k      w = turn / top turn

c: offset, sines and cosines of every actuator, and the frequency f; v: speed, as a multiple of that of the waves; a_k:
amount of a style. Below the speed v_0 the waves are those of v_0 times v / v_0, so strides shrink until the creature
stands at rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
