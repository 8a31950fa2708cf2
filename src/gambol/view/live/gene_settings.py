"""Sliders of genes: each changes some numbers of the world, by functions that are given as samples.

The change of a number by a gene is linear between samples. Changes by several genes add up: with one gene changed the
numbers are those of the creature with this gene, up to the interpolation; with several, they may differ from them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

SAMPLES = 33
"""Number of samples of each function. With a distance of samples of h = 1/32 of a cycle, the error of interpolation is
(2 pi h)^2 / 8 = 0.5 % for the sine of a phase, and up to h / 4 = 0.8 % of the range for an amplitude with a limit."""

DIGITS = 9
"""Significant digits of samples: enough for the float32 of these programs."""

GROUP = "genes; changes of several add up"


def gene_setting(
    name: str, unit: str, bounds: tuple[float, float], value: float, tables: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """Return the slider of a gene, see settings.Setting.

    name, unit, bounds, value: of the gene. tables: values of numbers at SAMPLES equidistant values of the gene, by
    name.
    """
    sets = [{"name": number, "table": [float(f"{x:.{DIGITS}g}") for x in table]} for number, table in tables.items()]
    low, high = bounds
    return {
        "name": f"gene {name}", "label": name, "unit": unit, "low": low, "high": high, "value": value, "sets": sets,
        "group": GROUP,
    }  # fmt: skip
