"""Where a search looks: how genotypes are born, mutated and mixed, whatever they are made of.

Searches know genotypes only through a Space. One of fixed size also shows them as vectors, every gene a part of its
range; there bounds are mirrors, and cyclic genes are points of a circle.
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
    """All genotypes that may come up, with the operators that make new ones; what these give is always legal."""

    @property
    def genes(self) -> tuple[Gene, ...]:
        """The genes that all genotypes have, in the order of their vectors; none if genotypes differ in structure."""
        ...

    @property
    def size(self) -> int:
        """How many numbers a genotype has, 0 if that varies."""
        ...

    def random(self, rng: Generator) -> G:
        """A genotype from anywhere."""
        ...

    def mutated(self, genotype: G, steps: ArrayLike, rng: Generator) -> G:
        """A genotype near another. steps: how far, in sigmas of its genes; one number, or one for each of `genes`."""
        ...

    def crossed(self, a: G, b: G, rng: Generator) -> G:
        """A genotype with parts of two."""
        ...

    def blended(self, parents: Sequence[G]) -> G:
        """The middle of genotypes that are kin."""
        ...

    def vector(self, genotype: G) -> Array:
        """A genotype as (size,) numbers in [0, 1], parts of the genes' ranges. Raises EvolveError if sizes vary."""
        ...

    def of_vector(self, x: ArrayLike) -> G:
        """The genotype of a vector; what is outside [0, 1] is brought inside. Raises EvolveError if sizes vary."""
        ...

    def kin(self, a: G, b: G) -> bool:
        """Whether two genotypes have one structure, so that they can be blended."""
        ...


def within(x: ArrayLike, cyclic: ArrayLike) -> Array:
    """A vector brought into [0, 1]: cyclic genes go round, others come back from the bounds as from mirrors."""
    x = np.asarray(x, dtype=np.float64)
    return np.where(cyclic, np.mod(x, 1.0), 1.0 - np.abs(1.0 - np.mod(x, 2.0)))


def nearest_way(to: Array, start: Array, cyclic: ArrayLike) -> Array:
    """The difference of two vectors, on cyclic genes the short way round."""
    way = to - start
    return np.where(cyclic, way - np.round(way), way)


def middle(vectors: Array, cyclic: ArrayLike) -> Array:
    """The mean of vectors (count, size), on cyclic genes that of directions on a circle.

    Where directions cancel there is no mean, and the first vector's gene stays.
    """
    turns: NDArray[np.complex128] = np.exp(2j * np.pi * vectors).mean(axis=0)
    direction: Array = np.mod(np.angle(turns) / (2.0 * np.pi), 1.0)
    cancel = np.abs(turns) < 1e-9  # what rounding leaves of opposite directions
    circle: Array = np.where(cancel, vectors[0], direction)
    return np.where(cyclic, circle, vectors.mean(axis=0))


@dataclass(frozen=True)
class BoxSpace:
    """Rows of numbers between bounds: genotypes are tuples of floats, one for each gene, in the genes' own units.

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
        """How many numbers a genotype here has: one for each gene."""
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
        """Which genes are cyclic, as (size,) truths."""
        return cyclic(self.genes)

    @cached_property
    def sigmas(self) -> Array:
        """How far each gene mutates at a step of 1, as parts of the ranges."""
        return sigmas(self.genes)

    def random(self, rng: Generator) -> tuple[float, ...]:
        """Numbers spread evenly between the bounds."""
        return self.of_vector(rng.random(self.size))

    def mutated(self, genotype: tuple[float, ...], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
        """Numbers moved by normal deviates of steps times sigma times range."""
        moves = rng.standard_normal(self.size) * self.sigmas
        return self.of_vector(self.vector(genotype) + np.asarray(steps, dtype=np.float64) * moves)

    def crossed(self, a: tuple[float, ...], b: tuple[float, ...], rng: Generator) -> tuple[float, ...]:
        """Every number from one of the two, by the toss of a coin."""
        coins = rng.random(self.size) < 0.5
        return tuple(y if coin else x for x, y, coin in zip(a, b, coins, strict=True))

    def blended(self, parents: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        """Means of numbers, those of cyclic genes on the circle."""
        return self.of_vector(middle(np.array([self.vector(parent) for parent in parents]), self.cyclic))

    def vector(self, genotype: tuple[float, ...]) -> Array:
        """The numbers as parts of their ranges. Raises EvolveError for a wrong count and numbers out of bounds."""
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
        """The numbers at some parts of their ranges."""
        values = self.lower + within(x, self.cyclic) * (self.upper - self.lower)
        return tuple(np.clip(values, self.lower, self.upper).tolist())

    def kin(self, a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        """Always: all have the same genes."""
        return len(a) == len(b)


def sigmas(genes: Iterable[Gene]) -> Array:
    """How far each of some genes mutates at a step of 1, as parts of their ranges."""
    return np.array([gene.sigma for gene in genes], dtype=np.float64)


def cyclic(genes: Iterable[Gene]) -> NDArray[np.bool_]:
    """Which of some genes are cyclic."""
    return np.array([gene.cyclic for gene in genes], dtype=np.bool_)
