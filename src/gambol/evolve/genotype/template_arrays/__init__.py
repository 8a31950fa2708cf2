"""Template arrays: creatures of any topology, grown together as data of one template."""

from gambol.evolve.genotype.template_arrays.arrays import (
    ABSENT_MOTORS,
    ABSENT_SPRING,
    TemplateArrays,
    template_arrays,
)
from gambol.evolve.genotype.template_arrays.signals import FEEDFORWARD

__all__ = ["ABSENT_MOTORS", "ABSENT_SPRING", "FEEDFORWARD", "TemplateArrays", "template_arrays"]
