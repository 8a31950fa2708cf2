"""The search space of bodies of any structure, together with their control. [Sims 1994]"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.bounds import FAR, Margins
from gambol.evolve.genotype.breeding.coding import Coding, coding_of
from gambol.evolve.genotype.breeding.decomposition import GenotypeParts, compose, decompose, without_signals
from gambol.evolve.genotype.breeding.random_parts import random_body
from gambol.evolve.genotype.breeding.spectra import check_probability, shift_signal
from gambol.evolve.genotype.breeding.structure import exchange_limbs, mutate_structure
from gambol.evolve.genotype.genotype import Control, Genotype
from gambol.evolve.genotype.rows import topology
from gambol.evolve.search.space import BoxSpace

MAX_CODINGS = 512
"""The number of structures whose codings are cached: those of two generations."""

NO_VECTOR = (
    "free bodies differ in structure, so no vector says what they are; "
    'search them by "es", "es-plus", "ga", "elites", "random" or "choice"'
)


@dataclass(frozen=True)
class FreeSpace:
    """All genotypes whose bodies have at most so many links on their trunk. See search.Space.

    control: its kind and settings, not its values. links: one for each freedom of each joint, twins counted.
    structure_rate: probability that a mutation changes the structure of a body. margins: around the defaults, see
    bounds.FAR. shift_rate: probability that a mutation shifts a signal in time. Raises EvolveError for settings that
    leave nothing to search.
    """

    control: Control = field(default_factory=Control)
    links: int = 9
    structure_rate: float = 0.15
    margins: Margins = field(default_factory=lambda: FAR)
    shift_rate: float = 0.1
    _codings: dict[Hashable, Coding] = field(
        default_factory=dict[Hashable, Coding], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.links < 1:
            raise EvolveError(f"free bodies of {self.links} links move nothing; give at least one link")
        check_probability(self.structure_rate)
        check_probability(self.shift_rate)

    @property
    def genes(self) -> tuple[Gene, ...]:
        """No genes: every structure has genes of its own."""
        return ()

    @property
    def size(self) -> int:
        """0: the number of genes varies."""
        return 0

    def random(self, rng: Generator) -> Genotype:
        """Return a random creature of any structure."""
        body = random_body(rng, self.links)
        return compose(
            GenotypeParts(body.trunk, tuple(without_signals(limb) for limb in body.limbs), self.control), rng
        )

    def mutated(self, genotype: Genotype, steps: ArrayLike, rng: Generator) -> Genotype:
        """Return a creature with genes moved by normal deviates, sometimes after a change of structure."""
        if rng.random() < self.structure_rate:
            genotype = compose(mutate_structure(decompose(genotype), self.links, rng), rng)
        coding = self._coding(genotype)
        values = BoxSpace(coding.genes).mutated(_clipped_values(coding, genotype), steps, rng)
        if rng.random() < self.shift_rate:
            values = shift_signal(coding.genes, values, steps, rng)
        return coding.with_values(genotype, values)

    def crossed(self, a: Genotype, b: Genotype, rng: Generator) -> Genotype:
        """Return a creature with limbs of two."""
        return compose(exchange_limbs(decompose(a), decompose(b), self.links, rng), rng)

    def blended(self, parents: Sequence[Genotype]) -> Genotype:
        """Return the mean of creatures of one structure. Raises EvolveError where their structures differ."""
        first = parents[0]
        if not all(self.same_structure(first, other) for other in parents):
            raise EvolveError('creatures of different structures have no middle; use "crossed" to mix free bodies')
        coding = self._coding(first)
        values = BoxSpace(coding.genes).blended([_clipped_values(coding, parent) for parent in parents])
        return coding.with_values(first, values)

    def vector(self, genotype: Genotype) -> NDArray[np.float64]:
        """Raise EvolveError: free bodies have no common vector."""
        raise EvolveError(NO_VECTOR)

    def of_vector(self, x: ArrayLike) -> Genotype:
        """Raise EvolveError: no vector says what structure a body has."""
        raise EvolveError(NO_VECTOR)

    def same_structure(self, a: Genotype, b: Genotype) -> bool:
        """Return True where two creatures have one structure."""
        return topology(a) == topology(b)

    def _coding(self, genotype: Genotype) -> Coding:
        """Return the coding of genotypes of this structure, from a cache."""
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
