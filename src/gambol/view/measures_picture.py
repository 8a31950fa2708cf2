"""A picture of measures with their ranges: one line each, with the range of animals as a band."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.view.scene import look

WIDTH, LINE_HEIGHT, MARGIN = 9.0, 0.32, 1.3  # [in]
BAND, WITHIN, OUTSIDE = "#cfe8d5", "#1b7f4d", "#c0392b"
MAX_DISTANCE = 1.0
"""Maximum distance beyond the band at which a value is drawn, in widths of the band."""


@dataclass(frozen=True, slots=True)
class MeasureBar:
    """A line of the picture. text: the value with its unit; low, high: the range; high may be infinite."""

    label: str
    text: str
    value: float
    low: float
    high: float

    @property
    def position(self) -> float:
        """Position of the value: 0 and 1 at the ends of the band, clamped to MAX_DISTANCE beyond."""
        high = (
            self.high if math.isfinite(self.high) else self.low + 2.0 * max(abs(self.low), abs(self.value - self.low))
        )
        width = high - self.low
        position = (self.value - self.low) / width if width > 0.0 else 0.5 + (self.value - self.low)
        return min(max(position, -MAX_DISTANCE), 1.0 + MAX_DISTANCE)

    @property
    def within(self) -> bool:
        """True if the value is in the range."""
        return self.low <= self.value <= self.high


def write_measures_picture(path: str | Path, title: str, beside: str, bars: Sequence[MeasureBar]) -> Path:
    """Write a picture (.png, .svg or .pdf) of measures beside their ranges; return its path.

    title: title above the picture; beside: name of the animals with these ranges. Values far outside the band are drawn
    beside it.
    """
    height = LINE_HEIGHT * max(len(bars), 1) + MARGIN
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(WIDTH, height), facecolor="white", layout="constrained"
    )
    axes = figure.subplots()
    style: dict[str, Any] = {"color": look.INK, "parse_math": False}
    axes.set_title(printable(title), loc="left", fontsize=12, fontweight="bold", **style)
    axes.axvspan(0.0, 1.0, color=BAND, linewidth=0)
    for k, bar in enumerate(bars):
        axes.plot([-MAX_DISTANCE, 1.0 + MAX_DISTANCE], [k, k], color="#e3e3e3", linewidth=0.8, zorder=1)
        axes.plot([bar.position], [k], "o" if bar.within else "D", color=WITHIN if bar.within else OUTSIDE, zorder=2)
        axes.text(1.08 + MAX_DISTANCE, k, printable(bar.text), va="center", fontsize=9, **style)
    axes.set_yticks(range(len(bars)), [bar.label for bar in bars])
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(-1.05 * MAX_DISTANCE, 1.0 + 1.6 * MAX_DISTANCE)
    axes.set_xticks([0.0, 1.0], ["lowest", "highest"])
    axes.set_xlabel(f"the band: {beside}", fontsize=10)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=150)
    return Path(path)
