"""Bounds of the frequency of a control that follow from the mass of its body, by the scaling laws of mammals."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gambol.evolve.genotype.anatomy import mass_of
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Control
from gambol.gait.animals import SCALING
from gambol.gait.animals.reference import SPREAD

MIN_WALK_FREQUENCY_RATIO = 0.5
"""The lower bound, as a fraction of the frequency of the preferred walk: rats and dogs also walk at half their
preferred speed."""


FREQUENCY_LIMITS: Mapping[str, Callable[[float], float]] = {
    "mass": SCALING["trot-gallop frequency"],
    "walk": lambda mass: SPREAD * SCALING["walk frequency"](mass),
}
"""The upper bounds by name [Hz], functions of the mass [kg]. "mass": the frequency at the change from trot to gallop,
above which animals lengthen their strides and hardly quicken them. "walk": the upper end of the range of walks."""


def with_frequencies_of(control: Control, body: Body, fastest: str = "mass") -> Control:
    """Return a control with the bounds of the frequency of animals that have the mass of a body.

    The lower bound is half the frequency of the preferred walk. fastest: name of the upper bound in FREQUENCY_LIMITS.
    """
    mass = float(mass_of(body))
    slowest = MIN_WALK_FREQUENCY_RATIO * SCALING["walk frequency"](mass)
    return replace(control, slowest=slowest, fastest=FREQUENCY_LIMITS[fastest](mass))
