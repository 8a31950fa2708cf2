"""Activation dynamics: models of the activation a of a muscle, which follows its excitation u, as rows of a table.

first order        a' = (u - a) / t                                             [Geyer and Herr 2010, appendix II]
thelen 2003        a' = (u - a) / (t_rise z) if u > a, else (u - a) z / t_fall,  z = 0.5 + 1.5 a    [Thelen 2003]
de groote-fregly   a' = ((f + 0.5) / (t_rise z) + (0.5 - f) z / t_fall) (u - a),  f = tanh(b (u - a)) / 2
                                                                             [De Groote and Fregly 2016, eq. 1-2]
mujoco             as thelen 2003, with a smooth transition of width s between both times if s > 0  [MuJoCo manual]

Because of z, the activation of an active muscle rises more slowly and falls faster.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gambol.actuation.actuator import Numbers
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp, exp, jvp, where

ActivationRate: TypeAlias = Callable[[Numbers, Scalar, Scalar], Scalar]
"""Arguments: numbers, excitation u, activation a. Returns a' [1/s]."""


@dataclass(frozen=True, slots=True)
class ActivationDynamics:
    """A row of the table ACTIVATIONS. name: name in the table.

    numbers: default numbers by name, in seconds. rate: a' [1/s].
    """

    name: str
    numbers: Mapping[str, float]
    rate: ActivationRate

    def after(self, numbers: Numbers, u: Scalar, a: Scalar, h: Scalar) -> Scalar:
        """Return the activation after a linearly implicit Euler step of h [s], within the range from a to u."""
        (rate,), (slope,) = jvp(lambda x: [self.rate(numbers, u, x[0])], [a], [1.0])
        after = a + h * rate / (1.0 - h * slope)
        return where(u < a, clamp(after, u, a), clamp(after, a, u))


def first_order(p: Numbers, u: Scalar, a: Scalar) -> Scalar:
    """Return the rate of a process of first order [1/s]."""
    return (u - a) / p["time"]


def thelen(p: Numbers, u: Scalar, a: Scalar) -> Scalar:
    """Return the rate of Thelen's activation dynamics [1/s]."""
    z = 0.5 + 1.5 * a
    return (u - a) / where(u > a, p["rise"] * z, p["fall"] / z)


def de_groote_fregly(p: Numbers, u: Scalar, a: Scalar) -> Scalar:
    """Return the rate of De Groote and Fregly's activation dynamics [1/s]."""
    z, e = 0.5 + 1.5 * a, exp(-2.0 * abs(p["smoothness"] * (u - a)))
    f = 0.5 * where(u < a, -1.0, 1.0) * (1.0 - e) / (1.0 + e)
    return ((f + 0.5) / (p["rise"] * z) + (0.5 - f) * z / p["fall"]) * (u - a)


def mujoco(p: Numbers, u: Scalar, a: Scalar) -> Scalar:
    """Return the rate of MuJoCo's muscle activation [1/s]."""
    z, difference, smooth = 0.5 + 1.5 * clamp(a, 0.0, 1.0), clamp(u, 0.0, 1.0) - a, p["smoothing"] > 0.0
    rise, fall = p["rise"] * z, p["fall"] / z
    x = clamp(difference / where(smooth, p["smoothing"], 1.0) + 0.5, 0.0, 1.0)
    step = where(smooth, x * x * x * (x * (6.0 * x - 15.0) + 10.0), where(difference > 0.0, 1.0, 0.0))
    return difference / (fall + (rise - fall) * step)


ACTIVATIONS: dict[str, ActivationDynamics] = {
    row.name: row
    for row in (
        ActivationDynamics("first order", {"time": 0.01}, first_order),
        ActivationDynamics("thelen 2003", {"rise": 0.015, "fall": 0.050}, thelen),
        ActivationDynamics("millard 2012", {"rise": 0.010, "fall": 0.040}, thelen),
        ActivationDynamics(
            "de groote-fregly 2016", {"rise": 0.015, "fall": 0.060, "smoothness": 0.1}, de_groote_fregly
        ),
        ActivationDynamics("mujoco", {"rise": 0.01, "fall": 0.04, "smoothing": 0.0}, mujoco),
    )
}
"""The activation dynamics of muscles by name."""


def add_activation(dynamics: ActivationDynamics) -> None:
    """Add activation dynamics under their name. Raises WorldError for a name that is taken."""
    if ACTIVATIONS.get(dynamics.name, dynamics) is not dynamics:
        raise WorldError(f'there are activation dynamics "{dynamics.name}" already; give yours another name')
    ACTIVATIONS[dynamics.name] = dynamics


def activation_named(name: str) -> ActivationDynamics:
    """Return the activation dynamics of a name. Raises WorldError, with a suggestion, for an unknown one."""
    if name not in ACTIVATIONS:
        raise WorldError(f'there are no activation dynamics "{name}"; {did_you_mean(name, ACTIVATIONS)}')
    return ACTIVATIONS[name]
