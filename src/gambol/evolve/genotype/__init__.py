"""Genotypes: bodies and controls as plain data, always valid, and their growth into phenotypes."""

from gambol.evolve.genotype.anatomy import PlacedFreedom, placed_freedoms
from gambol.evolve.genotype.body import KINDS, MAX_FREEDOMS, Body, Freedom, Limb, MusclePair, Segment, Trunk, muscled
from gambol.evolve.genotype.bounds import BOUNDS, check_body
from gambol.evolve.genotype.file import genotype_text, of_json, read_genotype, to_json, write_genotype
from gambol.evolve.genotype.genotype import VERSION, Control, Genotype, check_genotype, control_genes
from gambol.evolve.genotype.growth import Phenotype, grow
from gambol.evolve.genotype.model import model_of
from gambol.evolve.genotype.plans import PLANS, plan_named
from gambol.evolve.genotype.topology_arrays import TopologyArrays, topology_arrays

__all__ = [
    "BOUNDS",
    "KINDS",
    "MAX_FREEDOMS",
    "PLANS",
    "VERSION",
    "Body",
    "Control",
    "Freedom",
    "Genotype",
    "Limb",
    "MusclePair",
    "Phenotype",
    "PlacedFreedom",
    "Segment",
    "TopologyArrays",
    "Trunk",
    "check_body",
    "check_genotype",
    "control_genes",
    "genotype_text",
    "grow",
    "model_of",
    "muscled",
    "of_json",
    "placed_freedoms",
    "plan_named",
    "read_genotype",
    "to_json",
    "topology_arrays",
    "write_genotype",
]
