"""Sliders of genes: all together give the numbers of one creature, by a program of the page or by samples.

The program grows a creature from all its genes, so changes of several genes are those of one creature. It also gives
the first coordinates and the sizes of the drawn shapes, so that genes of the body can change: the world then starts
again with the new body. Controls that cannot be traced have samples for each gene: the change of a number is linear
between them, and changes by several genes add up, so that the numbers may differ from those of the creature with all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.lanes.program_spec import ProgramSpec
from gambol.view.live.settings import Setting

SAMPLES = 33
"""Number of samples of each function. With a distance of samples of h = 1/32 of a cycle, the error of interpolation is
(2 pi h)^2 / 8 = 0.5 % for the sine of a phase, and up to h / 4 = 0.8 % of the range for an amplitude with a limit."""

DIGITS = 9
"""Significant digits of samples: enough for the float32 of these programs."""

SAMPLED_GROUP = "genes; changes of several add up"
BODY_GROUP, CONTROL_GROUP = "genes of the body", "genes of the control"


@dataclass(frozen=True)
class Growth:
    """The program that grows a creature from its genes.

    spec: its inputs are the values of the genes. Its outputs are inputs of the world; the first coordinates, which are
    the first rows of the state; and for each drawn shape its sizes and its position [m]. numbers: names of the inputs.
    parameters: names of the figure's parameters among them, see World.parametrised_by(). shapes: kind and sizes of each
    shape, with the creature's own genes.
    """

    spec: ProgramSpec
    numbers: tuple[str, ...]
    parameters: tuple[str, ...]
    shapes: tuple[tuple[str, tuple[float, ...]], ...]

    def data(self) -> dict[str, Any]:
        """Return the description of the program's outputs for a page."""
        return {"numbers": self.numbers, "shapes": [{"kind": kind, "sizes": sizes} for kind, sizes in self.shapes]}


@dataclass(frozen=True)
class GeneSettings:
    """The sliders of genes, and the program that they share; None if each has samples."""

    sliders: Sequence[Setting] = ()
    growth: Growth | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the figure's parameters that the genes change."""
        return () if self.growth is None else self.growth.parameters


NO_GENES = GeneSettings()


def gene_setting(name: str, unit: str, bounds: tuple[float, float], value: float, *, body: bool) -> Setting:
    """Return the slider of a gene whose numbers a program of the page computes, see settings.Setting.

    name, unit, bounds, value: of the gene. body: True for a gene of the body.
    """
    group = BODY_GROUP if body else CONTROL_GROUP
    return _slider(name, unit, bounds, value) | {"sets": [], "group": group, "grows": True, "restarts": body}


def sampled_gene_setting(
    name: str, unit: str, bounds: tuple[float, float], value: float, tables: Mapping[str, Sequence[float]]
) -> Setting:
    """Return the slider of a gene with samples. tables: values of numbers at SAMPLES equidistant values, by name."""
    sets = [{"name": number, "table": [float(f"{x:.{DIGITS}g}") for x in table]} for number, table in tables.items()]
    return _slider(name, unit, bounds, value) | {"sets": sets, "group": SAMPLED_GROUP, "grows": False}


def _slider(name: str, unit: str, bounds: tuple[float, float], value: float) -> Setting:
    low, high = bounds
    return {"name": f"gene {name}", "label": name, "unit": unit, "low": low, "high": high, "value": value}
