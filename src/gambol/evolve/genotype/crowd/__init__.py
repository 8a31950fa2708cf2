"""Crowds: creatures of any structures, grown at once as data of one template."""

from gambol.evolve.genotype.crowd.crowd import Crowd, crowd_of

__all__ = ["Crowd", "crowd_of"]
