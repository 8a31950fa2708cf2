"""Crowds: creatures of any structures, grown at once as data of one template."""

from gambol.evolve.genotype.crowd.crowd import LOOSE, RESTING, Crowd, crowd_of
from gambol.evolve.genotype.crowd.signals import RHYTHMS

__all__ = ["LOOSE", "RESTING", "RHYTHMS", "Crowd", "crowd_of"]
