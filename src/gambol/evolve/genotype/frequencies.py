"""Bounds of the frequency of a control that follow from the mass of its body, by the scaling laws of mammals."""

from dataclasses import replace

from gambol.evolve.genotype.anatomy import mass_of
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Control
from gambol.gait.animals import SCALING

SLOWEST_WALK = 0.5
"""The lower bound over the frequency of the preferred walk: rats and dogs walk at half their preferred speed."""


def with_frequencies_of(control: Control, body: Body) -> Control:
    """Return a control whose frequencies are those of animals of the mass of a body.

    They are from half the frequency of the preferred walk to the frequency at the change from trot to gallop, above
    which animals lengthen their strides and hardly quicken them.
    """
    mass = float(mass_of(body))
    slowest, fastest = SLOWEST_WALK * SCALING["walk frequency"](mass), SCALING["trot-gallop frequency"](mass)
    return replace(control, slowest=slowest, fastest=fastest)
