"""Muscle curves of MuJoCo; its tendons are rigid.

    A: half parabolas between the knots l_min, (l_min + 1) / 2, 1, (1 + l_max) / 2, l_max
    V = 0, v < -1        V = (v + 1)^2, v < 0        V = f - (y - v)^2 / y, y = f - 1, up to v = y, then f
    P: half a parabola from 1 to (1 + l_max) / 2, then its tangent

f: fvmax. P is fpmax / 2 at (1 + l_max) / 2. [MuJoCo manual, muscle actuators]
"""

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.lanes import Scalar, maximum, minimum, where

NUMBERS = {"shortest": 0.5, "longest": 1.6, "passive_max": 1.3, "eccentric": 1.2}
"""lmin; lmax; fpmax; fvmax."""


def active(p: Numbers, length: Scalar) -> Scalar:
    """Return A(l)."""
    low, high = p["shortest"], p["longest"]
    a, b = 0.5 * (low + 1.0), 0.5 * (1.0 + high)
    steps = [
        (length - low) / (a - low),
        (1.0 - length) / (1.0 - a),
        (length - 1.0) / (b - 1.0),
        (high - length) / (high - b),
    ]
    first, second, third, fourth = (0.5 * x * x for x in steps)
    inner = where(length <= 1.0, 1.0 - second, 1.0 - third)
    force = where(length <= a, first, where(length <= b, inner, fourth))
    return where((length < low) | (length > high), 0.0, force)


def velocity(p: Numbers, v: Scalar, a: Scalar) -> Scalar:
    """Return V(v)."""
    shortening, y = maximum(v, -1.0) + 1.0, p["eccentric"] - 1.0
    x = y - minimum(maximum(v, 0.0), y)
    return where(v <= 0.0, shortening * shortening, p["eccentric"] - x * x / where(y > 0.0, y, 1.0))


def passive(p: Numbers, length: Scalar) -> Scalar:
    """Return P(l)."""
    width = 0.5 * (p["longest"] - 1.0)
    x = minimum(maximum(length - 1.0, 0.0), width) / width
    return p["passive_max"] * (0.5 * x * x + maximum(length - 1.0 - width, 0.0) / width)


def passive_energy(p: Numbers, length: Scalar) -> Scalar:
    """Return the integral of P from 1 to l."""
    width = 0.5 * (p["longest"] - 1.0)
    x, y = minimum(maximum(length - 1.0, 0.0), width) / width, maximum(length - 1.0 - width, 0.0) / width
    return p["passive_max"] * width * (x * x * x / 6.0 + 0.5 * y + 0.5 * y * y)


MUJOCO = CurveSet(
    name="mujoco",
    source="MuJoCo manual, XML reference, actuator/muscle",
    numbers=NUMBERS,
    active=active,
    velocity=velocity,
    passive=ElasticCurve(passive, passive_energy),
    tendon=None,
    activation="mujoco",
    least_activation=0.0,
)
