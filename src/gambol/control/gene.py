"""A gene: one number that evolution may change, with its bounds and unit, and how a row of such numbers is checked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.errors import WorldError


@dataclass(frozen=True, slots=True)
class Gene:
    """One number that may be bred: its name, unique among those of a creature, its bounds and its unit.

    cyclic: its range is a circle, upper and lower are the same. sigma: how far a mutation goes at first, as a part of
    the range. Raises WorldError for bounds that hold nothing and steps that go nowhere.
    """

    name: str
    lower: float
    upper: float
    unit: str = ""
    cyclic: bool = False
    sigma: float = 0.1

    def __post_init__(self) -> None:
        if not self.name:
            raise WorldError("a gene needs a name")
        if not -math.inf < self.lower < self.upper < math.inf:
            raise WorldError(f'gene "{self.name}" cannot lie in [{self.lower}, {self.upper}]; give a finite range')
        if not 0.0 < self.sigma < math.inf:
            raise WorldError(f'gene "{self.name}" cannot mutate by {self.sigma} of its range; give a positive part')

    @property
    def range(self) -> float:
        """The upper bound less the lower one, in the gene's unit."""
        return self.upper - self.lower


def checked(genes: Sequence[Gene], values: Sequence[float]) -> tuple[float, ...]:
    """The values of genes as floats, once they are known to be as many and within bounds.

    Raises WorldError naming the first gene whose value is not, its bounds and what would be right.
    """
    if len(genes) != len(values):
        raise WorldError(f"{len(genes)} genes need as many values, not {len(values)}")
    for gene, value in zip(genes, values, strict=True):
        if not gene.lower <= value <= gene.upper:
            unit = f" {gene.unit}" if gene.unit else ""
            cure = "whole turns may be left out" if gene.cyclic else "hold it there"
            raise WorldError(
                f'gene "{gene.name}" is {value}{unit}, out of its bounds [{gene.lower}, {gene.upper}]{unit}; {cure}'
            )
    return tuple(float(value) for value in values)
