"""The search space: random genotypes, mutation and crossover, whatever genotypes are made of.

Searches know genotypes only through a Space. One of fixed size also has them as vectors, every gene a fraction of its
range; vectors are reflected at bounds, and cyclic genes are periodic.
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
    """All genotypes that may be proposed, with operators that make new ones, which are always valid."""

    @property
    def genes(self) -> tuple[Gene, ...]:
        """The genes that all genotypes have, in the order of their vectors; none if genotypes differ in structure."""
        ...

    @property
    def size(self) -> int:
        """The number of genes, 0 if that varies."""
        ...

    def random(self, rng: Generator) -> G:
        """Return a random genotype."""
        ...

    def mutated(self, genotype: G, steps: ArrayLike, rng: Generator) -> G:
        """Return a genotype near another.

        steps: how far, in sigmas of its genes; one number, or one for each of `genes`.
        """
        ...

    def crossed(self, a: G, b: G, rng: Generator) -> G:
        """Return a genotype with parts of two."""
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
        """Return the genotype of a vector, brought into [0, 1] first. Raises EvolveError if sizes vary."""
        ...

    def same_structure(self, a: G, b: G) -> bool:
        """Return True where two genotypes have one structure, so that they can be blended."""
        ...


def into_bounds(x: ArrayLike, cyclic: ArrayLike) -> Array:
    """Return a vector in [0, 1]: cyclic genes are wrapped, others are reflected at the bounds."""
    x = np.asarray(x, dtype=np.float64)
    return np.where(cyclic, np.mod(x, 1.0), 1.0 - np.abs(1.0 - np.mod(x, 2.0)))


def shortest_difference(to: Array, start: Array, cyclic: ArrayLike) -> Array:
    """Return the difference of two vectors, for cyclic genes the shorter one around the circle."""
    difference = to - start
    return np.where(cyclic, difference - np.round(difference), difference)


def mean_vector(vectors: Array, cyclic: ArrayLike) -> Array:
    """Return the mean of vectors (count, size), for cyclic genes the circular mean.

    Where directions cancel there is no circular mean, and the first vector's gene stays.
    """
    phasors: NDArray[np.complex128] = np.exp(2j * np.pi * vectors).mean(axis=0)
    direction: Array = np.mod(np.angle(phasors) / (2.0 * np.pi), 1.0)
    cancel = np.abs(phasors) < 1e-9  # what rounding leaves of opposite directions
    circle: Array = np.where(cancel, vectors[0], direction)
    return np.where(cyclic, circle, vectors.mean(axis=0))


@dataclass(frozen=True)
class BoxSpace:
    """Numbers between bounds: genotypes are tuples of floats, one for each gene, in the genes' own units.

    Raises EvolveError for no genes, and for two genes of one name.
    """

    genes: tuple[Gene, ...]

    def __post_init__(self) -> None:
        names = [gene.name for gene in self.genes]
        if not names:
            raise EvolveError("a space without genes has nothing to search; give at least one Gene")
        for name in names:
            if names.count(name) > 1:
                raise EvolveError(f'two genes are called "{name}"; names tell genes apart')

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
        """Return numbers moved by normal deviates of steps times sigma times range."""
        moves = rng.standard_normal(self.size) * self.sigmas
        return self.of_vector(self.vector(genotype) + np.asarray(steps, dtype=np.float64) * moves)

    def crossed(self, a: tuple[float, ...], b: tuple[float, ...], rng: Generator) -> tuple[float, ...]:
        """Return every number from one of the two, with equal probability."""
        coins = rng.random(self.size) < 0.5
        return tuple(y if coin else x for x, y, coin in zip(a, b, coins, strict=True))

    def blended(self, parents: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        """Return means of numbers, circular means for cyclic genes."""
        return self.of_vector(mean_vector(np.array([self.vector(parent) for parent in parents]), self.cyclic))

    def vector(self, genotype: tuple[float, ...]) -> Array:
        """Return numbers as fractions of their ranges. Raises EvolveError for a wrong count or value."""
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
        """Return the numbers at fractions of their ranges."""
        values = self.lower + into_bounds(x, self.cyclic) * (self.upper - self.lower)
        return tuple(np.clip(values, self.lower, self.upper).tolist())

    def same_structure(self, a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        """Return True: all have the same genes."""
        return len(a) == len(b)


def sigmas(genes: Iterable[Gene]) -> Array:
    """Return the standard deviations of genes' mutations for a step of 1, as fractions of their ranges."""
    return np.array([gene.sigma for gene in genes], dtype=np.float64)


def cyclic(genes: Iterable[Gene]) -> NDArray[np.bool_]:
    """Return True for cyclic genes."""
    return np.array([gene.cyclic for gene in genes], dtype=np.bool_)
