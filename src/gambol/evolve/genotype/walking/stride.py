"""Strides: the genes of a walk, and the path of a foot.

    stance   the foot moves backwards at a constant speed, on the ground
    swing    it moves forwards on a cubic that has the speed of the stance at both ends, and rises by lift sin^2

Lengths are multiples of the trunk's height at rest h; speeds are multiples of sqrt(g h).
"""

import math
from dataclasses import dataclass

from gambol.control.gene import Gene
from gambol.lanes import Scalar, clamp, elementwise, where

ROLLING = 0.35
"""Part of a stance, the last one, in which a foot that lies on the ground turns about its end."""


@dataclass(frozen=True)
class Stride:
    """A stride; the values may be arrays.

    frequency [Hz]. duty: part of the stride in which a foot stands. travel: way of a foot in a stance; lift: height of
    a foot in its swing. crouch: by how much the trunk is lower than at rest. shift: by how much all feet are further in
    front than at rest; spread: by how much the foremost feet are so in addition. lag: landings of a pair of feet after
    those of the pair behind [cycles]. sway, sway_phase: motion of the trunk to both sides, once in a stride; bob,
    bob_phase: motion up and down, twice. roll: by how much a foot that lies on the ground turns before it leaves [rad].
    nod, nod_phase: motion of head and neck, twice in a stride, as a fraction of their reach; wag, wag_phase: motion of
    the tail, once in a stride. catch_ahead, catch_aside: by how much feet move for the speed of the trunk, as multiples
    of the place where a pendulum of the height h comes to rest; right_ahead, right_aside: by how much they move for its
    tilt, as multiples of the way by which this moves the trunk. aside: way of a left foot to the left in a stance; it
    is no gene.
    """

    frequency: Scalar
    duty: Scalar
    travel: Scalar
    lift: Scalar
    crouch: Scalar
    shift: Scalar
    spread: Scalar
    lag: Scalar
    sway: Scalar
    sway_phase: Scalar
    bob: Scalar
    bob_phase: Scalar
    roll: Scalar
    nod: Scalar
    nod_phase: Scalar
    wag: Scalar
    wag_phase: Scalar
    catch_ahead: Scalar
    catch_aside: Scalar
    right_ahead: Scalar
    right_aside: Scalar
    aside: Scalar = 0.0


Bounds = tuple[float, float]

GENES: dict[str, tuple[str, Bounds, Bounds, Bounds]] = {
    "duty": ("", (0.52, 0.68), (0.56, 0.74), (0.55, 0.72)),
    "travel": ("h", (0.2, 0.8), (0.35, 1.05), (0.4, 1.4)),
    "lift": ("h", (0.06, 0.24), (0.06, 0.2), (0.06, 0.2)),
    "crouch": ("h", (0.04, 0.18), (0.0, 0.12), (0.0, 0.12)),
    "shift": ("h", (-0.2, 0.04), (-0.12, 0.12), (-0.12, 0.12)),
    "spread": ("h", (-0.01, 0.01), (-0.12, 0.12), (-0.12, 0.12)),
    "lag": ("cycle", (0.0, 0.01), (0.17, 0.42), (0.25, 0.5)),
    "sway": ("h", (0.0, 0.12), (0.0, 0.08), (0.0, 0.04)),
    "sway_phase": ("cycle", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)),
    "bob": ("h", (0.0, 0.04), (0.0, 0.03), (0.0, 0.03)),
    "bob_phase": ("cycle", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)),
    "roll": ("rad", (0.0, 0.6), (0.0, 0.6), (0.0, 0.6)),
    "nod": ("", (0.0, 0.6), (0.0, 0.6), (0.0, 0.6)),
    "nod_phase": ("cycle", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)),
    "wag": ("", (0.0, 0.8), (0.0, 0.8), (0.0, 0.8)),
    "wag_phase": ("cycle", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)),
    "catch_ahead": ("", (0.1, 1.1), (0.0, 0.5), (0.0, 0.2)),
    "catch_aside": ("", (0.4, 1.6), (0.0, 1.0), (0.0, 0.2)),
    "right_ahead": ("", (0.1, 0.9), (0.0, 0.4), (0.0, 0.2)),
    "right_aside": ("", (0.0, 1.0), (0.0, 0.7), (0.0, 0.2)),
}
"""Unit and bounds of the genes of a stride, for one pair of legs, for two and for more.

Duty factors: mammals 0.6 to 0.65, birds 0.67 and more, insects from 0.5. lag: from the lateral sequence of walking
mammals, 0.22 to 0.25, to the diagonal couplets of newts and lizards, 0.4; from the two waves along a centipede, here 2
/ 7, to the alternating tripod and tetrapod of insects, crabs and spiders, 0.5. travel: up to 1.05 h, 29 degrees to both
sides of a leg of 0.95 h; a walking dog has 29 and 32. catch_ahead: 1 stops an inverted pendulum [Pratt and others
2006]; four and more legs need less."""


def genes_of_stride(pairs: int, slowest: float, fastest: float) -> tuple[Gene, ...]:
    """Return the genes of a stride of a body with pairs of legs, in the order of the fields of Stride.

    slowest, fastest: bounds of the frequency [Hz].
    """
    genes = [Gene("frequency", slowest, fastest, "Hz")]
    for name, (unit, one, two, more) in GENES.items():
        lower, upper = (one, two, more)[min(pairs, 3) - 1]
        genes.append(Gene(name.replace("_", " "), lower, upper, unit, cyclic=name.endswith("phase")))
    return tuple(genes)


def foot_path(duty: Scalar, phase: Scalar) -> tuple[Scalar, Scalar]:
    """Return the place of a foot at a phase of a stride that begins with its landing [cycles].

    Forward from -1/2 to 1/2, as part of its travel, and upward from 0 to 1, as part of its lift.
    """
    stands = phase < duty
    s = where(stands, 0.0, (phase - duty) / (1.0 - duty))
    rise, slope = (3.0 - 2.0 * s) * s * s, -(1.0 - duty) / duty
    swing = -0.5 + rise + slope * (s - 3.0 * s * s + 2.0 * s * s * s)
    forward = where(stands, 0.5 - phase / duty, swing)
    return forward, elementwise(lambda x: math.sin(math.pi * x) ** 2, s)


def rolled(duty: Scalar, phase: Scalar) -> Scalar:
    """Return how far a lying foot has turned about its end, from 0 to 1, at a phase of a stride [cycles].

    It turns in the last part of the stance, and in the swing back beyond level, so that it lands with its heel.
    """
    up = clamp((phase / duty - (1.0 - ROLLING)) / ROLLING, 0.0, 1.0)
    back = clamp(1.0 - 2.0 * (phase - duty) / (1.0 - duty), -0.5, 1.0)
    return where(phase < duty, up, back)
