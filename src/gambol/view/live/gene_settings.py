"""Sliders of genes: all together give the numbers of one creature, by a program of the page or by samples.

The program computes the numbers of a control from all its genes, so changes of several genes are those of one creature.
Controls that cannot be traced have samples for each gene: the change of a number is linear between them, and changes
by several genes add up, so that the numbers may differ from those of the creature with all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.lanes.program_spec import ProgramSpec
from gambol.view.live.settings import Setting

SAMPLES = 33
"""Number of samples of each function. With a distance of samples of h = 1/32 of a cycle, the error of interpolation is
(2 pi h)^2 / 8 = 0.5 % for the sine of a phase, and up to h / 4 = 0.8 % of the range for an amplitude with a limit."""

DIGITS = 9
"""Significant digits of samples: enough for the float32 of these programs."""

SAMPLED_GROUP = "genes; changes of several add up"
GROUP = "genes"


@dataclass(frozen=True)
class Growth:
    """The program that grows a control from its genes.

    spec: its inputs are the values of the genes, its outputs the numbers. numbers: the names of these numbers.
    """

    spec: ProgramSpec
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class GeneSettings:
    """The sliders of genes, and the program that they share; None if each has samples."""

    sliders: Sequence[Setting] = ()
    growth: Growth | None = None


NO_GENES = GeneSettings()


def gene_setting(
    name: str, unit: str, bounds: tuple[float, float], value: float, tables: Mapping[str, Sequence[float]] | None = None
) -> Setting:
    """Return the slider of a gene, see settings.Setting.

    name, unit, bounds, value: of the gene. tables: values of numbers at SAMPLES equidistant values of the gene, by
    name; None if a program of the page computes the numbers.
    """
    rows: Mapping[str, Sequence[float]] = {} if tables is None else tables
    sets = [{"name": number, "table": [float(f"{x:.{DIGITS}g}") for x in table]} for number, table in rows.items()]
    low, high = bounds
    return {
        "name": f"gene {name}", "label": name, "unit": unit, "low": low, "high": high, "value": value, "sets": sets,
        "group": GROUP if tables is None else SAMPLED_GROUP, "grows": tables is None,
    }  # fmt: skip
