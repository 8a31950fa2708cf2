"""Genes: numbers that evolution may change, each with bounds and a unit; and a check of their values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.errors import WorldError


@dataclass(frozen=True, slots=True)
class Gene:
    """A number that evolution may change: its name (unique among the genes of a creature), bounds and unit.

    cyclic: True if the lower and the upper bound are equivalent, as for a phase. sigma: standard deviation of the first
    mutations, as a fraction of the range. Raises WorldError for an empty range and for a sigma that is not positive.
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
            raise WorldError(f'gene "{self.name}" cannot mutate by {self.sigma} of its range; give a positive fraction')

    @property
    def range(self) -> float:
        """The upper bound less the lower bound, in the gene's unit."""
        return self.upper - self.lower


def checked_values(genes: Sequence[Gene], values: Sequence[float]) -> tuple[float, ...]:
    """Return the values of genes as floats, after a check of their number and bounds.

    genes: the genes. values: one for each. Raises WorldError for a wrong number of values, and for one out of bounds.
    """
    if len(genes) != len(values):
        raise WorldError(f"{len(genes)} genes need as many values, not {len(values)}")
    for gene, value in zip(genes, values, strict=True):
        if not gene.lower <= value <= gene.upper:
            unit = f" {gene.unit}" if gene.unit else ""
            remedy = "subtract whole cycles" if gene.cyclic else "clip it"
            raise WorldError(
                f'gene "{gene.name}" is {value}{unit}, out of its bounds [{gene.lower}, {gene.upper}]{unit}; {remedy}'
            )
    return tuple(float(value) for value in values)
