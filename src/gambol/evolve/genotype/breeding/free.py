"""Where a search looks for bodies of any structure, and their control with them. [Sims 1994]"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.bounds import FAR, Margins
from gambol.evolve.genotype.breeding.births import random_body
from gambol.evolve.genotype.breeding.coding import Coding, coding_of
from gambol.evolve.genotype.breeding.grafts import Apart, put_together, silent, taken_apart
from gambol.evolve.genotype.breeding.spectra import check_share, shifted
from gambol.evolve.genotype.breeding.structure import exchanged, restructured
from gambol.evolve.genotype.genotype import Control, Genotype
from gambol.evolve.genotype.rows import topology
from gambol.evolve.search.space import BoxSpace

REMEMBERED = 512
"""Structures whose genes are remembered: those of two generations."""

NO_VECTOR = (
    "free bodies differ in structure, so no vector says what they are; "
    'search them by "es", "es-plus", "ga", "elites", "random" or "choice"'
)


@dataclass(frozen=True)
class FreeSpace:
    """All genotypes whose bodies have no more than so many links on their trunk. See search.Space.

    links: one for each freedom of each joint, twins counted. control: its kind and settings, not its values. changing:
    how often a mutation changes the structure of a body; shifting: how often it moves a signal in time. margins: about
    what is usual, see bounds.FAR.
    Raises EvolveError for settings that leave nothing to search.
    """

    control: Control = field(default_factory=Control)
    links: int = 9
    changing: float = 0.15
    margins: Margins = field(default_factory=lambda: FAR)
    shifting: float = 0.1
    _codings: dict[Hashable, Coding] = field(
        default_factory=dict[Hashable, Coding], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.links < 1:
            raise EvolveError(f"free bodies of {self.links} links move nothing; give at least one link")
        check_share(self.changing)
        check_share(self.shifting)

    @property
    def genes(self) -> tuple[Gene, ...]:
        """None: every structure has genes of its own."""
        return ()

    @property
    def size(self) -> int:
        """0: the number of genes varies."""
        return 0

    def random(self, rng: Generator) -> Genotype:
        """A creature of any structure."""
        body = random_body(rng, self.links)
        return put_together(Apart(body.trunk, tuple(silent(limb) for limb in body.limbs), self.control), rng)

    def mutated(self, genotype: Genotype, steps: ArrayLike, rng: Generator) -> Genotype:
        """A creature with genes moved by normal deviates of steps times their sigmas, and now and then rebuilt."""
        if rng.random() < self.changing:
            genotype = put_together(restructured(taken_apart(genotype), self.links, rng), rng)
        coding = self._coding(genotype)
        values = BoxSpace(coding.genes).mutated(_within(coding, genotype), steps, rng)
        if rng.random() < self.shifting:
            values = shifted(coding.genes, values, steps, rng)
        return coding.with_values(genotype, values)

    def crossed(self, a: Genotype, b: Genotype, rng: Generator) -> Genotype:
        """A creature with limbs of two."""
        return put_together(exchanged(taken_apart(a), taken_apart(b), self.links, rng), rng)

    def blended(self, parents: Sequence[Genotype]) -> Genotype:
        """The creature in the middle of several of one structure. EvolveError where they are not."""
        first = parents[0]
        if not all(self.kin(first, other) for other in parents):
            raise EvolveError('creatures of different structures have no middle; use "crossed" to mix free bodies')
        coding = self._coding(first)
        values = BoxSpace(coding.genes).blended([_within(coding, parent) for parent in parents])
        return coding.with_values(first, values)

    def vector(self, genotype: Genotype) -> NDArray[np.float64]:
        """Raise EvolveError: free bodies have no common vector."""
        raise EvolveError(NO_VECTOR)

    def of_vector(self, x: ArrayLike) -> Genotype:
        """Raise EvolveError: no vector says what structure a body has."""
        raise EvolveError(NO_VECTOR)

    def kin(self, a: Genotype, b: Genotype) -> bool:
        """Whether two creatures have one structure."""
        return topology(a) == topology(b)

    def _coding(self, genotype: Genotype) -> Coding:
        """How genotypes of this structure are written; remembered, for kin come in crowds."""
        key = topology(genotype)
        if key not in self._codings:
            if len(self._codings) >= REMEMBERED:
                self._codings.clear()
            self._codings[key] = coding_of(genotype, self.margins, free=True)
        return self._codings[key]


def _within(coding: Coding, genotype: Genotype) -> tuple[float, ...]:
    """The values of a genotype's genes, brought within their bounds."""
    pairs = zip(coding.genes, coding.values(genotype), strict=True)
    return tuple(min(max(value, gene.lower), gene.upper) for gene, value in pairs)
