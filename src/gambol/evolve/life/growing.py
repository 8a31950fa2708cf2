"""Creatures of genotypes; of those that share a body, the body grows once."""

from dataclasses import replace
from functools import lru_cache

from gambol.evolve.genotype import Body, Genotype, Grown, grown
from gambol.evolve.genotype.genotype import Control, pattern_of, with_resting_control


def creature_of(genotype: Genotype) -> Grown:
    """The creature of a genotype, as of grown()."""
    return replace(_body_of(genotype.body), pattern=pattern_of(genotype))


@lru_cache(maxsize=512)
def _body_of(body: Body) -> Grown:
    """A body with a pattern that rests."""
    return grown(with_resting_control(Genotype(body, Control())))
