"""The muscles of grown joints: a pair of antagonists with numbers that scale with the joint's load, like a servo's.

    r F0 = S / A(w)        l0 / r = fibre (reach + STOP_MARGIN) unit        K = 2 tone A'(w) r F0 r / l0

S is the strength: the torque or force of one fully active muscle in the middle of the range, where the fibres have the
length w l0. Up to the stops, the fibres stay on the rising part of their active curve A. The moment arm r is the upper
radius of the segment, or 1 along a slide; only products with r act on the joint. So does their mass, F0 l0 density /
tension each. All functions take generic scalars.
"""

from gambol.actuation.muscle import AntagonistPair, Metabolism
from gambol.actuation.muscle.antagonist_pair import WORKING_LENGTH
from gambol.actuation.muscle.antagonists import active_with_slope
from gambol.actuation.muscle.curves.mujoco import MUJOCO
from gambol.evolve.genotype.body import Freedom
from gambol.lanes import Scalar

RISE = 0.02
"""Time of activation [s]: between the 10 ms and 40 ms in which the activation of an animal's muscle rises and falls."""

MAX_VELOCITY = 10.0
"""Maximal speed of shortening [optimal lengths per second], of fast fibres. [Zajac 1989]"""

STOP_MARGIN = 0.1
"""The distance of a joint's stops from the range of its targets, in units of the genes middle and reach."""

ACTIVE, SLOPE = (float(x) for x in active_with_slope(MUJOCO, MUJOCO.numbers, WORKING_LENGTH))
"""A and A' of the fibres in the middle of the range."""


def absent_pair(model: str | None) -> AntagonistPair:
    """Return the muscles of an absent link, which hold a rotor of 1 kg m2 near its rest; model: their metabolism."""
    metabolism = None if model is None else Metabolism(model)
    return AntagonistPair(0.0, 0.0, radius=1.0, max_force=1.0, optimal_length=1.0, metabolism=metabolism)


def pair_numbers(freedom: Freedom, strength: Scalar, unit: Scalar, arm: Scalar) -> dict[str, Scalar]:
    """Return the numbers of a freedom's AntagonistPair, by the names of its fields.

    freedom: a freedom with muscles. strength [N m or N]. unit: see unit_of(). arm: arm of the muscles [m], 1 along a
    slide.
    """
    assert freedom.muscles is not None
    return {
        "lower": unit * (freedom.middle - freedom.reach),
        "upper": unit * (freedom.middle + freedom.reach),
        "radius": arm,
        "max_force": strength / (ACTIVE * arm),
        "optimal_length": arm * _fibre_range(freedom, unit),
        "tone": freedom.muscles.tone,
        "rise": RISE,
        "max_velocity": MAX_VELOCITY,
    }


def metabolism_of(freedom: Freedom) -> dict[str, Metabolism]:
    """Return the metabolism of a freedom's muscles by the field of AntagonistPair; empty without one."""
    model = freedom.muscles.metabolism if freedom.muscles else None
    return {} if model is None else {"metabolism": Metabolism(model)}


def mass_of_muscles(freedom: Freedom, strength: Scalar, unit: Scalar) -> Scalar:
    """Return the mass of both muscles [kg], 0 without a metabolism; arguments: as for pair_numbers()."""
    metabolism = metabolism_of(freedom).get("metabolism")
    if metabolism is None:
        return 0.0
    return 2.0 * metabolism.density / metabolism.tension * (strength / ACTIVE) * _fibre_range(freedom, unit)


def stiffness_of(freedom: Freedom, strength: Scalar, unit: Scalar) -> Scalar:
    """Return the stiffness of a freedom's muscles [N m/rad or N/m]; arguments: as for pair_numbers()."""
    assert freedom.muscles is not None
    return 2.0 * freedom.muscles.tone * SLOPE * (strength / ACTIVE) / _fibre_range(freedom, unit)


def _fibre_range(freedom: Freedom, unit: Scalar) -> Scalar:
    """Return l0 / r, the displacement of the joint that changes a fibre by its optimal length [rad or m]."""
    assert freedom.muscles is not None
    return freedom.muscles.fibre * (freedom.reach + STOP_MARGIN) * unit
