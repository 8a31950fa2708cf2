"""Strides: the genes of a walk, and the path of a foot.

    stance   the foot moves backward at a constant speed, on the ground
    swing    it moves forward on a cubic with the speed of the stance at both ends, and is lifted by lift sin^2

Lengths are multiples of the trunk's height at rest h; speeds are multiples of sqrt(g h).
"""

import math
from dataclasses import dataclass

from gambol.control.gene import Gene
from gambol.lanes import Scalar, clamp, elementwise, where

ROLL_FRACTION = 0.35
"""Duration of the rotation of a flat foot about its toe, at the end of the stance, as a fraction of the stance."""


@dataclass(frozen=True)
class Stride:
    """A stride; the values may be arrays.

    frequency [Hz]. duty: duty factor. travel: displacement of a foot relative to the trunk in a stance. lift: maximum
    height of a foot in its swing. crouch: distance by which the trunk is lowered. shift: forward displacement of all
    feet from their positions at rest; spread: additional displacement of the foremost feet. lag: time from the landing
    of a pair of feet to that of the next pair in front [cycles]. sway, sway_phase: amplitude and phase of the trunk's
    lateral motion, once in a stride; bob, bob_phase: of its vertical motion, twice in a stride. roll: angle by which a
    flat foot rotates about its toe before lift-off [rad]. nod, nod_phase: amplitude, as a fraction of the reach of each
    joint, and phase of the motion of head and neck, twice in a stride; wag, wag_phase: of the tail, once in a stride.
    bend, bend_phase, bend_lag: amplitude, as a fraction of the reach of each joint, and phase of the bending of a
    spine, and the lag of each of its joints behind the joint before it [cycles]; only bodies with a spine have these.

    catch_ahead, catch_aside: forward and lateral gains of the foot position with respect to the trunk's velocity, as
    multiples of sqrt(h / g), with which a pendulum of height h comes to rest (capture point). right_ahead, right_aside:
    gains with respect to the trunk's tilt, as multiples of h, with which the feet move as far as the trunk.
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
    bend: Scalar = 0.0
    bend_phase: Scalar = 0.0
    bend_lag: Scalar = 0.0


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

Duty factors: mammals 0.6 to 0.65, birds 0.67 and more, insects from 0.5. lag: of walking mammals 0.22 to 0.25 (lateral
sequence), of newts and lizards 0.4 (diagonal couplets), of a centipede here 2 / 7 (two waves along its body), of
insects, crabs and spiders 0.5 (alternating tripod and tetrapod). travel: up to 1.05 h, for which a leg of 0.95 h swings
by 29 degrees forward and backward; the legs of a walking dog swing by 29 and 32. catch_ahead: 1 stops an inverted
pendulum [Pratt and others 2006]; creatures with four or more legs need less."""


SPINE_GENES: dict[str, tuple[str, Bounds]] = {
    "bend": ("", (0.0, 0.9)),
    "bend_phase": ("cycle", (0.0, 1.0)),
    "bend_lag": ("cycle", (0.0, 0.3)),
}
"""Unit and bounds of the genes of bodies with a spine, which follow all others. bend_lag: 1.6 waves along the body of a
centipede are 0.23 cycles for each of seven joints; backs of galloping mammals bend as a wave, too."""


TROT: dict[str, Bounds] = {
    "duty": (0.4, 0.52),
    "travel": (0.35, 1.2),
    "lag": (0.44, 0.56),
    "catch_ahead": (0.0, 0.9),
    "right_ahead": (0.0, 0.7),
}
"""Bounds of the genes of a trot with two pairs of legs, where they differ. Trotting horses and dogs have duty factors
of 0.36 to 0.47, and diagonal feet land together. A trot falls forward more easily: its gains may be larger."""


def genes_of_stride(
    pairs: int, slowest: float, fastest: float, *, trots: bool = False, bends: bool = False
) -> tuple[Gene, ...]:
    """Return the genes of a stride, in the order of the fields of Stride.

    pairs: number of pairs of legs. slowest, fastest: bounds of the frequency [Hz]. trots: True for a trot. bends: True
    for a body with a spine.
    """
    genes = [Gene("frequency", slowest, fastest, "Hz")]
    rows = {name: (unit, (one, two, more)[min(pairs, 3) - 1]) for name, (unit, one, two, more) in GENES.items()}
    for name, (unit, bounds) in (rows | (SPINE_GENES if bends else {})).items():
        lower, upper = TROT.get(name, bounds) if trots else bounds
        genes.append(Gene(name.replace("_", " "), lower, upper, unit, cyclic=name.endswith("phase")))
    return tuple(genes)


def foot_path(duty: Scalar, phase: Scalar) -> tuple[Scalar, Scalar]:
    """Return the forward position of a foot, as a multiple of its travel, and its height, as a multiple of its lift.

    The position is 1/2 at the landing and -1/2 at lift-off.

    phase: since the landing of the foot [cycles].
    """
    in_stance = phase < duty
    s = where(in_stance, 0.0, (phase - duty) / (1.0 - duty))
    rise, slope = (3.0 - 2.0 * s) * s * s, -(1.0 - duty) / duty
    swing = -0.5 + rise + slope * (s - 3.0 * s * s + 2.0 * s * s * s)
    forward = where(in_stance, 0.5 - phase / duty, swing)
    return forward, elementwise(lambda x: math.sin(math.pi * x) ** 2, s)


def foot_roll(duty: Scalar, phase: Scalar) -> Scalar:
    """Return the rotation of a flat foot about its toe, as a fraction of the angle at lift-off.

    It increases from 0 to 1 at the end of the stance, and decreases to -1/2 in the swing, so that the heel lands first.
    phase: since the landing of the foot [cycles].
    """
    up = clamp((phase / duty - (1.0 - ROLL_FRACTION)) / ROLL_FRACTION, 0.0, 1.0)
    back = clamp(1.0 - 2.0 * (phase - duty) / (1.0 - duty), -0.5, 1.0)
    return where(phase < duty, up, back)
