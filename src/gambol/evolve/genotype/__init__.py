"""Genes of bodies and of what drives them: plain data, always legal, and how they grow into figures with muscles."""

from gambol.evolve.genotype.anatomy import Muscle, muscles_of
from gambol.evolve.genotype.body import KINDS, MOST_FREEDOMS, Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, check_body
from gambol.evolve.genotype.file import genotype_text, of_json, read_genotype, to_json, write_genotype
from gambol.evolve.genotype.genotype import VERSION, Control, Genotype, check_genotype, control_genes
from gambol.evolve.genotype.growth import Grown, grown
from gambol.evolve.genotype.litter import Litter, litter_of
from gambol.evolve.genotype.plans import PLANS, plan_named

__all__ = [
    "BOUNDS",
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
    "Litter",
    "Muscle",
    "Segment",
    "Trunk",
    "check_body",
    "check_genotype",
    "control_genes",
    "genotype_text",
    "grown",
    "litter_of",
    "muscles_of",
    "of_json",
    "plan_named",
    "read_genotype",
    "to_json",
    "write_genotype",
]
