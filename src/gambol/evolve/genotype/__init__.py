"""Genes of bodies and of what drives them: plain data, always legal, and how they grow into figures with muscles."""

from gambol.evolve.genotype.body import KINDS, MOST_FREEDOMS, Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.genotype import VERSION, Control, Genotype, control_genes
from gambol.evolve.genotype.growth import Grown, Muscle, grown, muscles_of
from gambol.evolve.genotype.plans import PLANS, plan_named

__all__ = [
    "KINDS",
    "MOST_FREEDOMS",
    "PLANS",
    "VERSION",
    "Body",
    "Control",
    "Freedom",
    "Genotype",
    "Grown",
    "Limb",
    "Muscle",
    "Segment",
    "Trunk",
    "control_genes",
    "grown",
    "muscles_of",
    "plan_named",
]
