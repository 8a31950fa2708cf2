"""The search space: random genotypes, mutation and crossover, for any kind of genotypes.

Searches access genotypes only through a Space. A space of fixed size also represents them as vectors, with every gene
as a fraction of its range; vectors are reflected at bounds, and cyclic genes are periodic.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from gambol.control.gene import Gene
from gambol.errors import EvolveError

Array = NDArray[np.float64]
G = TypeVar("G")


class Space(Protocol[G]):
    """The set of genotypes that may be proposed, with operators that return members of the set."""

    @property
    def genes(self) -> tuple[Gene, ...]:
        """The genes that all genotypes have, in the order of their vectors; none if genotypes differ in structure."""
        ...

    @property
    def size(self) -> int:
        """The number of genes; 0 if it varies."""
        ...

    def random(self, rng: Generator) -> G:
        """Return a random genotype."""
        ...

    def mutated(self, genotype: G, steps: ArrayLike, rng: Generator) -> G:
        """Return a mutant of a genotype. steps: step sizes in sigmas of the genes; a number, or one for each gene."""
        ...

    def crossed(self, a: G, b: G, rng: Generator) -> G:
        """Return a genotype with parts of a and parts of b."""
        ...

    def blended(self, parents: Sequence[G]) -> G:
        """Return the mean of genotypes of the same structure."""
        ...

    def vector(self, genotype: G) -> Array:
        """Return a genotype as (size,) numbers in [0, 1], fractions of the genes' ranges.

        Raises EvolveError if sizes vary.
        """
        ...

    def of_vector(self, x: ArrayLike) -> G:
        """Return the genotype of a vector, which is brought into bounds first. Raises EvolveError if sizes vary."""
        ...

    def same_structure(self, a: G, b: G) -> bool:
        """Return True if two genotypes have the same structure, so that they can be blended."""
        ...


def bring_into_bounds(x: ArrayLike, cyclic: ArrayLike) -> Array:
    """Return a vector brought into [0, 1]: cyclic genes are wrapped, others are reflected at the bounds.

    x: the vector (size,). cyclic: True for cyclic genes (size,).
    """
    x = np.asarray(x, dtype=np.float64)
    return np.where(cyclic, np.mod(x, 1.0), 1.0 - np.abs(1.0 - np.mod(x, 2.0)))


def shortest_difference(to: Array, start: Array, cyclic: ArrayLike) -> Array:
    """Return `to` minus `start` (size,); for cyclic genes the shorter difference around the circle.

    to, start: vectors (size,). cyclic: True for cyclic genes (size,).
    """
    difference = to - start
    return np.where(cyclic, difference - np.round(difference), difference)


def mean_vector(vectors: Array, cyclic: ArrayLike) -> Array:
    """Return the mean of vectors (size,); for cyclic genes the circular mean.

    vectors: (count, size). cyclic: True for cyclic genes (size,). If directions cancel there is no circular mean, and
    the gene of the first vector is returned.
    """
    phasors: NDArray[np.complex128] = np.exp(2j * np.pi * vectors).mean(axis=0)
    direction: Array = np.mod(np.angle(phasors) / (2.0 * np.pi), 1.0)
    cancel = np.abs(phasors) < 1e-9  # opposite directions, up to rounding
    circular_mean: Array = np.where(cancel, vectors[0], direction)
    return np.where(cyclic, circular_mean, vectors.mean(axis=0))


@dataclass(frozen=True)
class BoxSpace:
    """A box of numbers: genotypes are tuples of floats, one for each gene, in the genes' units.

    Raises EvolveError if there are no genes, or if two genes have the same name.
    """

    genes: tuple[Gene, ...]

    def __post_init__(self) -> None:
        names = [gene.name for gene in self.genes]
        if not names:
            raise EvolveError("a space without genes has nothing to search; give at least one Gene")
        for name in names:
            if names.count(name) > 1:
                raise EvolveError(f'two genes are called "{name}"; names must be unique')

    @property
    def size(self) -> int:
        """The number of genes."""
        return len(self.genes)

    @cached_property
    def lower(self) -> Array:
        """The lower bounds, in the genes' units."""
        return np.array([gene.lower for gene in self.genes], dtype=np.float64)

    @cached_property
    def upper(self) -> Array:
        """The upper bounds, in the genes' units."""
        return np.array([gene.upper for gene in self.genes], dtype=np.float64)

    @cached_property
    def cyclic(self) -> NDArray[np.bool_]:
        """True for cyclic genes (size,)."""
        return cyclic(self.genes)

    @cached_property
    def sigmas(self) -> Array:
        """The standard deviation of each gene's mutation for a step of 1, as a fraction of its range."""
        return sigmas(self.genes)

    def random(self, rng: Generator) -> tuple[float, ...]:
        """Return uniform random numbers between the bounds."""
        return self.of_vector(rng.random(self.size))

    def mutated(self, genotype: tuple[float, ...], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
        """Return a mutant: its numbers move by steps times sigma times range times normal deviates."""
        moves = rng.standard_normal(self.size) * self.sigmas
        return self.of_vector(self.vector(genotype) + np.asarray(steps, dtype=np.float64) * moves)

    def crossed(self, a: tuple[float, ...], b: tuple[float, ...], rng: Generator) -> tuple[float, ...]:
        """Return a genotype with each number from a or b, with equal probability."""
        choices = rng.random(self.size) < 0.5
        return tuple(y if from_b else x for x, y, from_b in zip(a, b, choices, strict=True))

    def blended(self, parents: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        """Return means of numbers, circular means for cyclic genes."""
        return self.of_vector(mean_vector(np.array([self.vector(parent) for parent in parents]), self.cyclic))

    def vector(self, genotype: tuple[float, ...]) -> Array:
        """Return the numbers as fractions of their ranges. Raises EvolveError for a wrong count or value."""
        if len(genotype) != self.size:
            raise EvolveError(f"a genotype of this space has {self.size} numbers, not {len(genotype)}")
        values = np.array(genotype, dtype=np.float64)
        outside = ~((self.lower <= values) & (values <= self.upper))
        if outside.any():
            k = int(outside.argmax())
            gene = self.genes[k]
            raise EvolveError(f'gene "{gene.name}" is {values[k]}, outside of [{gene.lower}, {gene.upper}]')
        return (values - self.lower) / (self.upper - self.lower)

    def of_vector(self, x: ArrayLike) -> tuple[float, ...]:
        """Return the numbers at fractions x of their ranges; x is brought into [0, 1] first."""
        values = self.lower + bring_into_bounds(x, self.cyclic) * (self.upper - self.lower)
        return tuple(np.clip(values, self.lower, self.upper).tolist())

    def same_structure(self, a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        """Return True for genotypes of this space, which all have the same genes."""
        return len(a) == len(b)


def sigmas(genes: Iterable[Gene]) -> Array:
    """Return the standard deviations of genes' mutations for a step of 1, as fractions of their ranges (size,)."""
    return np.array([gene.sigma for gene in genes], dtype=np.float64)


def cyclic(genes: Iterable[Gene]) -> NDArray[np.bool_]:
    """Return True for cyclic genes (size,)."""
    return np.array([gene.cyclic for gene in genes], dtype=np.bool_)
