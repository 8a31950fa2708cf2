"""The search space of bodies of any structure, together with their control. [Sims 1994]"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import MOTORS, Body, with_motors
from gambol.evolve.genotype.bounds import FREE_MARGINS, Margins
from gambol.evolve.genotype.breeding.coding import Coding, check_probability, coding_of, shift_signal
from gambol.evolve.genotype.breeding.decomposition import GenotypeParts, compose, decompose, without_signals
from gambol.evolve.genotype.breeding.random_parts import random_body, with_random_muscles
from gambol.evolve.genotype.breeding.structure import exchange_limbs, mutate_structure
from gambol.evolve.genotype.genotype import Control, Genotype, topology
from gambol.evolve.search.space import BoxSpace

MAX_CODINGS = 512
"""The largest number of cached codings, one for each structure: about as many as two generations have structures."""

NO_VECTOR = (
    "free bodies differ in structure, so they have no common vector; "
    'search them by "es", "es-plus", "ga", "elites", "random" or "choice"'
)


@dataclass(frozen=True)
class FreeSpace:
    """The space of all genotypes with at most `links` links besides the trunk. See search.Space.

    control: kind and settings of the control; its values do not matter. links: the largest number of links; each
    freedom of a joint is one link, and twins count as well. structure_rate: probability that a mutation changes the
    structure of a body. margins: margins of fields around their defaults, by name, see bounds.FREE_MARGINS.
    shift_rate: probability that a mutation shifts a signal in time. muscles: True for bodies with muscles at every
    joint, instead of motors. motor: kind of the motors, one of MOTORS. metabolism: of the muscles, see MusclePair.
    Raises EvolveError if links is below 1, or for a rate that is not a probability.
    """

    control: Control = field(default_factory=Control)
    links: int = 9
    structure_rate: float = 0.15
    margins: Margins = field(default_factory=lambda: FREE_MARGINS)
    shift_rate: float = 0.1
    muscles: bool = False
    motor: str = MOTORS[0]
    metabolism: str | None = None
    _codings: dict[Hashable, Coding] = field(
        default_factory=dict[Hashable, Coding], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.links < 1:
            raise EvolveError(f"free bodies of {self.links} links cannot move; give at least one link")
        check_probability(self.structure_rate)
        check_probability(self.shift_rate)

    @property
    def genes(self) -> tuple[Gene, ...]:
        """Empty: each structure has different genes."""
        return ()

    @property
    def size(self) -> int:
        """0: the number of genes varies."""
        return 0

    def random(self, rng: Generator) -> Genotype:
        """Return a random creature of any structure."""
        body = self._driven(random_body(rng, self.links), rng)  # compose() then draws the signals
        return compose(
            GenotypeParts(body.trunk, tuple(without_signals(limb) for limb in body.limbs), self.control), rng
        )

    def mutated(self, genotype: Genotype, steps: ArrayLike, rng: Generator) -> Genotype:
        """Return a creature with normally distributed changes of genes; see also structure_rate and shift_rate.

        steps: standard deviation in units of each gene's sigma, one number or one for each gene.
        """
        if rng.random() < self.structure_rate:
            genotype = compose(mutate_structure(decompose(genotype), self.links, rng), rng)
            genotype = replace(genotype, body=self._driven(genotype.body, rng))
        coding = self._coding(genotype)
        values = BoxSpace(coding.genes).mutated(_clipped_values(coding, genotype), steps, rng)
        if rng.random() < self.shift_rate:
            values = shift_signal(coding.genes, values, steps, rng)
        return coding.with_values(genotype, values)

    def crossed(self, a: Genotype, b: Genotype, rng: Generator) -> Genotype:
        """Return a creature with some limbs of each of two parents."""
        return compose(exchange_limbs(decompose(a), decompose(b), self.links, rng), rng)

    def blended(self, parents: Sequence[Genotype]) -> Genotype:
        """Return the mean of creatures of one structure. Raises EvolveError if their structures differ."""
        first = parents[0]
        if not all(self.same_structure(first, other) for other in parents):
            raise EvolveError('creatures of different structures have no mean; use "crossed" to mix free bodies')
        coding = self._coding(first)
        values = BoxSpace(coding.genes).blended([_clipped_values(coding, parent) for parent in parents])
        return coding.with_values(first, values)

    def vector(self, genotype: Genotype) -> NDArray[np.float64]:
        """Raise EvolveError: free bodies have no common vector."""
        raise EvolveError(NO_VECTOR)

    def of_vector(self, x: ArrayLike) -> Genotype:
        """Raise EvolveError: free bodies have no common vector."""
        raise EvolveError(NO_VECTOR)

    def same_structure(self, a: Genotype, b: Genotype) -> bool:
        """Return True if two creatures have the same structure."""
        return topology(a) == topology(b)

    def _driven(self, body: Body, rng: Generator) -> Body:
        """Return a body with muscles or motors at every joint; new muscles get random numbers."""
        return with_random_muscles(body, rng, self.metabolism) if self.muscles else with_motors(body, self.motor)

    def _coding(self, genotype: Genotype) -> Coding:
        """Return the coding for genotypes of this one's structure, from a cache."""
        key = topology(genotype)
        if key not in self._codings:
            if len(self._codings) >= MAX_CODINGS:
                self._codings.clear()
            self._codings[key] = coding_of(genotype, self.margins, free=True)
        return self._codings[key]


def _clipped_values(coding: Coding, genotype: Genotype) -> tuple[float, ...]:
    """Return the values of a genotype's genes, clipped to their bounds."""
    pairs = zip(coding.genes, coding.values(genotype), strict=True)
    return tuple(min(max(value, gene.lower), gene.upper) for gene, value in pairs)
