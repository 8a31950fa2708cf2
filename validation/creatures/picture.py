"""One picture of all creatures: a frame of each one's walk, with its name."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from gambol.formats import atomic_write
from gambol.view import write_still
from gambol.world import Film

COLUMNS, CELL = 4, (3.0, 2.25)  # cells in a row; size of a cell [inch]
MOMENT = 0.6  # of the film: the frame that is shown


def write_frame(film: Film, path: Path) -> Path:
    """Write the frame of a film that stands for a creature."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_still(film, path, frame=int(MOMENT * (len(film.time) - 1)))


def write_sheet(frames: Sequence[tuple[str, Path]], path: Path) -> None:
    """Write one picture of several, in rows, each with its name. frames: names and picture files."""
    rows = -(-len(frames) // COLUMNS)
    pyplot: Any = import_module("matplotlib.image")
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(COLUMNS * CELL[0], rows * CELL[1]), layout="constrained"
    )
    for axes, (name, file) in zip(figure.subplots(rows, COLUMNS, squeeze=False).flat, frames, strict=False):
        axes.imshow(pyplot.imread(file))
        axes.set_title(name, fontsize=11)
    for axes in figure.axes:
        axes.set_axis_off()
    with atomic_write(path) as temporary:
        figure.savefig(temporary, format="png", dpi=110)
