"""Muscle curves of Millard, Uchida, Seth and Delp 2013, with the default numbers of OpenSim.

OpenSim's class is Millard2012EquilibriumMuscle. All curves are quintic Bezier curves between knots, see bezier.py.
Their numbers determine tables that all muscles share, so a muscle cannot change them; add_curves(millard_curves(name,
...)) adds a row with other numbers.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.bezier import Knot, TabledCurve
from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.lanes import Scalar

PLATEAU = 0.0259
"""Half width of the plateau, in optimal lengths: the half width of a sarcomere's bare zone."""

NEAR_END_SPEED = 0.9
"""Speed divided by the maximal speed at which the force-velocity curve has its slope "near" the end."""


def active_knots(
    least: float = 0.4441, shallow: float = 0.73, longest: float = 1.8123
) -> tuple[list[Knot], list[float]]:
    """Return the knots of A, and the curviness of its segments; the least value of A is 0.1.

    least, longest: fibre lengths at which A is least; shallow: fibre length at which the steep ascent becomes shallow.
    """
    slope, lowest = 0.8616, 0.1
    shoulder = 1.0 - PLATEAU
    y = 1.0 - slope * (shoulder - shallow)
    rise = least + PLATEAU
    ascent = (0.5 * (rise + shallow), 0.5 * y, y / (shallow - rise))
    plateau = (0.5 * (shallow + shoulder), 0.5 * (1.0 + y), slope)
    fall = (1.0 + PLATEAU, longest - PLATEAU)
    descent = (0.5 * sum(fall), 0.5, -1.0 / (fall[1] - fall[0]))
    ends = (least, lowest, 0.0), (longest, lowest, 0.0)
    return [ends[0], ascent, plateau, (1.0, 1.0, 0.0), descent, ends[1]], [1.0] * 5


def velocity_knots(greatest: float = 1.4) -> tuple[list[Knot], list[float]]:
    """Return the knots of V, and the curviness of its segments. greatest: V of the fastest lengthening."""
    near_shortening, near_lengthening, isometric = 0.25, 0.15, 5.0
    knots = [
        (-1.0, 0.0, 0.0),
        (-NEAR_END_SPEED, 0.5 * near_shortening * (1.0 - NEAR_END_SPEED), near_shortening),
        (0.0, 1.0, isometric),
        (NEAR_END_SPEED, greatest - 0.5 * near_lengthening * (1.0 - NEAR_END_SPEED), near_lengthening),
        (1.0, greatest, 0.0),
    ]
    return knots, [0.6, 0.6, 0.9, 0.9]


def passive_knots(strain: float = 0.7) -> tuple[list[Knot], list[float]]:
    """Return the knots of P, and the curviness of its segments. strain: strain of the fibre where P is 1."""
    low, stiffness = 0.2, 2.0 / strain
    step = min(0.1 / stiffness, 0.1 * strain)
    toe = (1.0 + step, 0.5 * low * step, low)
    return [(1.0, 0.0, 0.0), toe, (1.0 + strain, 1.0, stiffness)], [0.75, 0.75]


def tendon_knots(strain: float = 0.049) -> tuple[list[Knot], list[float]]:
    """Return the knots of T over the strain, and the curviness of its segments. strain: strain at which T is 1."""
    stiffness, toe_force = 1.375 / strain, 2.0 / 3.0
    toe = strain - (1.0 - toe_force) / stiffness
    foot, middle = 0.1 * toe, strain - (1.0 - 0.5 * toe_force) / stiffness
    slope = 0.5 * toe_force / (middle - foot)
    control = 0.5 * (foot + middle)
    return [(0.0, 0.0, 0.0), (control, slope * (control - foot), slope), (toe, toe_force, stiffness)], [0.5, 0.5]


def millard_curves(
    name: str, *, passive_strain: float = 0.7, tendon_strain: float = 0.049, greatest: float = 1.4
) -> CurveSet:
    """Return a set of Millard's curves, for add_curves().

    name: name in the table. passive_strain, tendon_strain: strains at which the forces of passive element and tendon
    are F0. greatest: V of the fastest lengthening.
    """
    active = _tabled(active_knots)
    velocity = _tabled(lambda: velocity_knots(greatest))
    return CurveSet(
        name=name,
        source="Millard, Uchida, Seth and Delp 2013, J. Biomech. Eng. 135, and OpenSim's defaults",
        numbers={},
        active=lambda _, x: active().value(x),
        velocity=lambda _, v, __: velocity().value(v),
        passive=_elastic(lambda: passive_knots(passive_strain)),
        tendon=_elastic(lambda: tendon_knots(tendon_strain)),
        activation="millard 2012",
        damping=0.1,
    )


def _tabled(knots: Callable[[], tuple[list[Knot], list[float]]]) -> Callable[[], TabledCurve]:
    """Return a function that returns the curve through knots; the curve is computed at the first call."""
    return cache(lambda: TabledCurve.of(*knots()))


def _elastic(knots: Callable[[], tuple[list[Knot], list[float]]]) -> ElasticCurve:
    curve = _tabled(knots)

    def force(_: Numbers, x: Scalar) -> Any:
        return curve().value(x)

    def energy(_: Numbers, x: Scalar) -> Any:
        return curve().integral(x)

    return ElasticCurve(force, energy)


MILLARD_2012 = millard_curves("millard 2012")
