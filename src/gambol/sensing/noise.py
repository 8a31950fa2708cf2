"""Normally distributed numbers from a counter: functions of seed, world, control step, name and index.

Words are whole numbers modulo the prime 4093, so that products of two of them are exact in single precision. A Feistel
network mixes two words L and R in rounds with keys k from the counter:

    L, R = R, L + (R + k)^5 mod 4093        x = sqrt(-2 log u) cos(2 pi w)        [Feistel 1973; Box and Muller 1958]

u and w, in (0, 1), are L 4093 + R after the rounds, divided by 4093^2. The fifth power is a permutation of the words,
since 5 does not divide 4092; with the third power, which has only a third of the values, the variance of 5 million
numbers is wrong by 4 standard errors.
"""

import math
from collections.abc import Sequence
from zlib import crc32

from gambol.lanes import Scalar, cos, floor, log, sin, sqrt, where

PRIME = 4093.0
"""The largest prime below 2^12."""

FINAL_KEYS = (1597.0, 2584.0, 377.0, 987.0)
"""Keys of the last rounds, which follow rounds with keys from the counter, so that its last word affects all bits."""


def normal_numbers(count: int, name: str, seed: Scalar, world: Scalar, step: Scalar) -> list[Scalar]:
    """Return independent numbers of mean 0 and variance 1, over generic scalars.

    count: how many numbers. name: name of the sensor that uses them; other names give other numbers. seed, world, step:
    whole numbers from 0 to 4093^2 - 1.
    """
    high, low = zip(*(_words(x) for x in (seed, world, step)), strict=True)
    result: list[Scalar] = []
    for k in range(0, count, 2):
        u, w = (_uniform(f"{name} {k + i}", (*high, *low)) for i in range(2))
        radius, angle = sqrt(-2.0 * log(u)), w * (2.0 * math.pi)
        result += [radius * cos(angle), radius * sin(angle)]
    return result[:count]


def _uniform(name: str, words: Sequence[Scalar]) -> Scalar:
    """Return a uniformly distributed number in (0, 1). name: text that gives the first L and R; words: keys."""
    code = crc32(name.encode())
    left: Scalar = float(code % int(PRIME))
    right: Scalar = float(code // int(PRIME) % int(PRIME))
    for key in (*words, *FINAL_KEYS):
        x = _wrapped(right + key)
        square = _remainder(x * x)
        left, right = right, _wrapped(left + _remainder(_remainder(square * square) * x))
    return (left * PRIME + right + 0.5) / (PRIME * PRIME)


def _words(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return the two words of a whole number, the higher first."""
    high = floor(x / PRIME)
    return _remainder(high), _remainder(x)


def _remainder(x: Scalar) -> Scalar:
    """Return x modulo the prime, for a whole number x below the square of the prime."""
    rest = x - PRIME * floor(x / PRIME)
    return where(rest < 0.0, rest + PRIME, _wrapped(rest))  # negative where rounding made the quotient 1 too large


def _wrapped(x: Scalar) -> Scalar:
    """Return x modulo the prime, for a whole number x below twice the prime."""
    return where(x < PRIME, x, x - PRIME)
