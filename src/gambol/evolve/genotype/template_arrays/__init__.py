"""Template arrays: creatures of any topology, grown together as data of one template."""

from gambol.evolve.genotype.template_arrays.arrays import (
    ABSENT_HILL_SERVO,
    ABSENT_SERVO,
    ABSENT_SPRING,
    TemplateArrays,
    template_arrays,
)
from gambol.evolve.genotype.template_arrays.signals import FEEDFORWARD

__all__ = ["ABSENT_HILL_SERVO", "ABSENT_SERVO", "ABSENT_SPRING", "FEEDFORWARD", "TemplateArrays", "template_arrays"]
