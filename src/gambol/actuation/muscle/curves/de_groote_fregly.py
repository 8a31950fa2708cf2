"""Muscle curves of De Groote, Kinney, Rao and Fregly 2016, with the numbers of OpenSim's DeGrooteFregly2016Muscle.

    A = sum of b1 exp(-(l - b2)^2 / (2 (b3 + b4 l)^2))        V = d1 ln((d2 v + d3) + sqrt((d2 v + d3)^2 + 1)) + d4
    P = (exp(k (l - 1) / e0) - o) / (exp(k) - o), o = exp(k (0.2 - 1) / e0)
    T = c (exp(kT e) - 1), kT = ln((1 + c) / c) / eT

The curves are smooth everywhere. OpenSim changed the paper's numbers so that P is 0 at l = 0.2, T is 0 at e = 0, and V
passes through (-1, 0) and (0, 1). A slack tendon pushes by at most c F0, as in the paper. [De Groote et al. 2016, eq.
3-7]
"""

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.lanes import Scalar, exp, log, sqrt, where

GAUSSIANS = (
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.353553390593274, 0.0),
)
"""b1 to b4 of each term of A."""

VELOCITY = (-0.3211346127989808, -8.149, -0.374, 0.8825327733249912)
"""d1 to d4."""

ZERO_FORCE_LENGTH, TENDON_SCALE = 0.2, 0.2
"""Fibre length at which P is 0; c."""

NUMBERS = {"passive_strain": 0.6, "passive_shape": 4.0, "tendon_strain": 0.049}
"""e0; k; eT."""


def active(p: Numbers, length: Scalar) -> Scalar:
    """Return A(l)."""
    force: Scalar = 0.0
    for b1, b2, b3, b4 in GAUSSIANS:
        x = (length - b2) / (b3 + b4 * length)
        force = force + b1 * exp(-0.5 * x * x)
    return force


def velocity(p: Numbers, v: Scalar, a: Scalar) -> Scalar:
    """Return V(v). For negative x, ln(x + sqrt(x^2 + 1)) is -ln(-x + sqrt(x^2 + 1)), which does not cancel."""
    d1, d2, d3, d4 = VELOCITY
    x = d2 * v + d3
    arsinh = log(abs(x) + sqrt(x * x + 1.0))
    return d1 * where(x < 0.0, -arsinh, arsinh) + d4


def passive(p: Numbers, length: Scalar) -> Scalar:
    """Return P(l)."""
    k, e0 = p["passive_shape"], p["passive_strain"]
    offset = exp(k * (ZERO_FORCE_LENGTH - 1.0) / e0)
    return (exp(k * (length - 1.0) / e0) - offset) / (exp(k) - offset)


def passive_energy(p: Numbers, length: Scalar) -> Scalar:
    """Return the integral of P from 0.2 to l."""
    k, e0 = p["passive_shape"], p["passive_strain"]
    offset = exp(k * (ZERO_FORCE_LENGTH - 1.0) / e0)
    risen = (exp(k * (length - 1.0) / e0) - offset) * e0 / k
    return (risen - offset * (length - ZERO_FORCE_LENGTH)) / (exp(k) - offset)


def tendon(p: Numbers, e: Scalar) -> Scalar:
    """Return T(e)."""
    return TENDON_SCALE * (exp(_tendon_shape(p) * e) - 1.0)


def tendon_energy(p: Numbers, e: Scalar) -> Scalar:
    """Return the integral of T from 0 to e."""
    k = _tendon_shape(p)
    return TENDON_SCALE * ((exp(k * e) - 1.0) / k - e)


def _tendon_shape(p: Numbers) -> Scalar:
    return log((1.0 + TENDON_SCALE) / TENDON_SCALE) / p["tendon_strain"]


DE_GROOTE_FREGLY_2016 = CurveSet(
    name="de groote-fregly 2016",
    source="De Groote, Kinney, Rao and Fregly 2016, Ann. Biomed. Eng. 44, with OpenSim's numbers",
    numbers=NUMBERS,
    active=active,
    velocity=velocity,
    passive=ElasticCurve(passive, passive_energy),
    tendon=ElasticCurve(tendon, tendon_energy),
    activation="de groote-fregly 2016",
)
