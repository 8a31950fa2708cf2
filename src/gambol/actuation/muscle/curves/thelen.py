"""Muscle curves of Thelen 2003, with the numbers of OpenSim's Thelen2003Muscle.

    A = exp(-(l - 1)^2 / g)        P = (exp(k (l - 1) / e0) - 1) / (exp(k) - 1), l > 1
    T = Ft (exp(kt e / et) - 1) / (exp(kt) - 1), e < et        T = (1 - Ft) (e - et) / (eT - et) + Ft, beyond
    w = v / (0.25 + 0.75 a)
    V = (1 + w) / (1 - w / Af), w < 0        V = (1 + c m w) / (1 + c w), c = (2 + 2 / Af) / (m - 1)

V is Thelen's equation of the velocity, solved for the force. Where V is 0, and above 0.95 m, it continues as a straight
line, as in OpenSim. [Thelen 2003, eq. 1-7]
"""

import math

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.lanes import Scalar, exp, maximum, minimum, where

TOE_FORCE, TOE_SHAPE = 0.33, 3.0
"""Ft and kt."""

TOE = 99.0 * math.exp(3.0) / (166.0 * math.exp(3.0) - 67.0)
"""et / eT, at which both parts of T have the same slope."""

MIN_LINEAR_VELOCITY = 0.95
"""V over m above which V is a straight line."""

NUMBERS = {
    "active_shape": 0.45,
    "passive_strain": 0.6,
    "passive_shape": 5.0,
    "tendon_strain": 0.04,
    "velocity_shape": 0.25,
    "eccentric": 1.4,
}
"""g; e0; k; eT; Af; m."""


def active(p: Numbers, length: Scalar) -> Scalar:
    """Return A(l)."""
    x = length - 1.0
    return exp(-x * x / p["active_shape"])


def passive(p: Numbers, length: Scalar) -> Scalar:
    """Return P(l)."""
    k, x = p["passive_shape"], maximum(length - 1.0, 0.0)
    return (exp(k * x / p["passive_strain"]) - 1.0) / (exp(k) - 1.0)


def passive_energy(p: Numbers, length: Scalar) -> Scalar:
    """Return the integral of P from 1 to l."""
    k, e0, x = p["passive_shape"], p["passive_strain"], maximum(length - 1.0, 0.0)
    return ((exp(k * x / e0) - 1.0) * e0 / k - x) / (exp(k) - 1.0)


def tendon(p: Numbers, e: Scalar) -> Scalar:
    """Return T(e)."""
    toe = TOE * p["tendon_strain"]
    curved = (exp(TOE_SHAPE * clamp_to(e, toe) / toe) - 1.0) * (TOE_FORCE / math.expm1(TOE_SHAPE))
    return curved + maximum(e - toe, 0.0) * (1.0 - TOE_FORCE) / (p["tendon_strain"] - toe)


def tendon_energy(p: Numbers, e: Scalar) -> Scalar:
    """Return the integral of T from 0 to e."""
    toe = TOE * p["tendon_strain"]
    x, beyond = clamp_to(e, toe), maximum(e - toe, 0.0)
    curved = ((exp(TOE_SHAPE * x / toe) - 1.0) * toe / TOE_SHAPE - x) * (TOE_FORCE / math.expm1(TOE_SHAPE))
    slope = (1.0 - TOE_FORCE) / (p["tendon_strain"] - toe)
    return curved + beyond * (TOE_FORCE + 0.5 * slope * beyond)


def clamp_to(e: Scalar, toe: Scalar) -> Scalar:
    """Return a strain within the toe of the curve."""
    return minimum(maximum(e, 0.0), toe)


def velocity(p: Numbers, v: Scalar, a: Scalar) -> Scalar:
    """Return V(v, a)."""
    w, shape, most = v / (0.25 + 0.75 * a), p["velocity_shape"], p["eccentric"]
    within = minimum(maximum(w, -1.0), 0.0)
    shortening = (1.0 + within) / (1.0 - within / shape) + minimum(w + 1.0, 0.0) / (1.0 + 1.0 / shape)
    c = (2.0 + 2.0 / shape) / (most - 1.0)
    last = (MIN_LINEAR_VELOCITY * most - 1.0) / (c * most * (1.0 - MIN_LINEAR_VELOCITY))  # there V is 0.95 m
    x = minimum(maximum(w, 0.0), last)
    slope = c * (most - 1.0) / ((1.0 + c * last) * (1.0 + c * last))
    lengthening = (1.0 + c * most * x) / (1.0 + c * x) + slope * maximum(w - last, 0.0)
    return where(w < 0.0, shortening, lengthening)


THELEN_2003 = CurveSet(
    name="thelen 2003",
    source="Thelen 2003, J. Biomech. Eng. 125, with OpenSim's numbers",
    numbers=NUMBERS,
    active=active,
    velocity=velocity,
    passive=ElasticCurve(passive, passive_energy),
    tendon=ElasticCurve(tendon, tendon_energy),
    activation="thelen 2003",
)
