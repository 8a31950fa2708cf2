"""Muscle curves of Geyer, Seyfarth and Blickhan 2003, and of Geyer and Herr 2010.

    A = exp(c |(l - 1) / w|^3)        T = (e / e_ref)^2, e > 0        P = ((l - 1) / w)^2, l > 1
    B = ((1 - w - l) / (w / 2))^2, l < 1 - w
    V = (1 + v) / (1 - K v), v < 0                       shortening
    V = N + (N - 1) (v - 1) / (7.56 K v + 1), v >= 0     lengthening, 2003
    V = N - t / (t - 1), t = (v - 1) / (7.56 K v + 1)    lengthening, 2010

All three branches are quotients (c0 + c1 v) / (1 + c2 v). With c = 7.56 K,

    shortening          c0 = 1          c1 = 1                          c2 = -K
    lengthening, 2003   c0 = 1          c1 = N (c + 1) - 1              c2 = c
    lengthening, 2010   c0 = N - 1/2    c1 = (1 - N (1 - c)) / 2        c2 = (c - 1) / 2

V continues as a straight line below v = -1 and above v = 1, with the slopes at these points. This extension is ours;
with it, every force has a velocity. [Geyer and Herr 2010, appendix II; Geyer, Seyfarth and Blickhan 2003, appendix]
"""

import math

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.lanes import Scalar, clamp, exp, maximum, where

LENGTHENING = 7.56
"""Curvature of the lengthening branch divided by K, the curvature of the shortening branch, as published."""

NUMBERS = {"width": 0.56, "decay": math.log(0.05), "eccentric": 1.5, "curvature": 5.0, "tendon_strain": 0.04}
"""w; c, where exp(c) is A at l = 1 +- w; N; K; e_ref. [Geyer and Herr 2010, appendix II]"""


def active(p: Numbers, length: Scalar) -> Scalar:
    """Return A(l)."""
    x = abs((length - 1.0) * (1.0 / p["width"]))
    return exp(p["decay"] * x * x * x)


def passive(p: Numbers, length: Scalar) -> Scalar:
    """Return P(length)."""
    x = maximum(length - 1.0, 0.0) * (1.0 / p["width"])
    return x * x


def passive_energy(p: Numbers, length: Scalar) -> Scalar:
    """Return the integral of P from 1 to length."""
    return passive(p, length) * maximum(length - 1.0, 0.0) * (1.0 / 3.0)


def buffer(p: Numbers, length: Scalar) -> Scalar:
    """Return B(length)."""
    x = maximum(1.0 - p["width"] - length, 0.0) * (2.0 / p["width"])
    return x * x


def buffer_energy(p: Numbers, length: Scalar) -> Scalar:
    """Return the integral of B from length to 1 - w."""
    return buffer(p, length) * maximum(1.0 - p["width"] - length, 0.0) * (1.0 / 3.0)


def tendon(p: Numbers, e: Scalar) -> Scalar:
    """Return T(e)."""
    x = maximum(e, 0.0) * (1.0 / p["tendon_strain"])
    return x * x


def tendon_energy(p: Numbers, e: Scalar) -> Scalar:
    """Return the integral of T from 0 to e."""
    return tendon(p, e) * maximum(e, 0.0) * (1.0 / 3.0)


def quotient_2003(p: Numbers, v: Scalar, a: Scalar) -> tuple[Scalar, Scalar]:
    """Return numerator and denominator of V(v) of 2003."""
    N, c = p["eccentric"], LENGTHENING * p["curvature"]
    return _velocity(p, v, (1.0, N * (c + 1.0) - 1.0, c), (N - 1.0) / (c + 1.0))


def quotient_2010(p: Numbers, v: Scalar, a: Scalar) -> tuple[Scalar, Scalar]:
    """Return numerator and denominator of V(v) of 2010."""
    N, c = p["eccentric"], LENGTHENING * p["curvature"]
    return _velocity(p, v, (N - 0.5, 0.5 * (1.0 - N * (1.0 - c)), 0.5 * (c - 1.0)), 1.0 / (c + 1.0))


def _velocity(
    p: Numbers, v: Scalar, lengthening: tuple[Scalar, Scalar, Scalar], slope: Scalar
) -> tuple[Scalar, Scalar]:
    """Return numerator and denominator of V(v). lengthening: c0, c1, c2 of this branch. slope: of V beyond v = 1."""
    K, shortens, within = p["curvature"], v < 0.0, clamp(v, -1.0, 1.0)
    c0, c1, c2 = (where(shortens, x, y) for x, y in zip((1.0, 1.0, -K), lengthening, strict=True))
    beyond = (v - within) * where(shortens, 1.0 / (1.0 + K), slope)
    denominator = 1.0 + c2 * within
    return c0 + c1 * within + beyond * denominator, denominator


def velocity_2003(p: Numbers, v: Scalar, a: Scalar) -> Scalar:
    """Return V(v) of 2003."""
    numerator, denominator = quotient_2003(p, v, a)
    return numerator / denominator


def velocity_2010(p: Numbers, v: Scalar, a: Scalar) -> Scalar:
    """Return V(v) of 2010."""
    numerator, denominator = quotient_2010(p, v, a)
    return numerator / denominator


GEYER_2003 = CurveSet(
    name="geyer 2003",
    source="Geyer, Seyfarth and Blickhan 2003, Proc. R. Soc. B 270, appendix",
    numbers=NUMBERS,
    active=active,
    velocity=velocity_2003,
    velocity_quotient=quotient_2003,
    passive=ElasticCurve(passive, passive_energy),
    tendon=ElasticCurve(tendon, tendon_energy),
    buffer=ElasticCurve(buffer, buffer_energy),
    activation="first order",
)

GEYER_HERR_2010 = CurveSet(
    name="geyer-herr 2010",
    source="Geyer and Herr 2010, IEEE Trans. Neural Syst. Rehabil. Eng. 18, appendix II",
    numbers=NUMBERS,
    active=active,
    velocity=velocity_2010,
    velocity_quotient=quotient_2010,
    passive=ElasticCurve(passive, passive_energy),
    tendon=ElasticCurve(tendon, tendon_energy),
    buffer=ElasticCurve(buffer, buffer_energy),
    scales_passive=True,
    activation="first order",
)
