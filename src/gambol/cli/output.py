"""Where a command writes, and the options --export, --plot and --plot-file, which several commands share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

Export = Annotated[
    list[Path] | None,
    typer.Option(
        help="Also write the film for another program: .glb (glTF), .usda, .usdc, .usdz, .bvh or .csv; give the option "
        "again for more.",
        metavar="FILE",
        show_default=False,
    ),
]

Plot = Annotated[
    str | None,
    typer.Option(
        help="Also plot signals over time: names such as speed, energy, stepping, push, centre.z, LINK.z of a link, "
        "or q.LINK, v.LINK and torques.LINK of its joint.",
        metavar="NAME,...",
        show_default=False,
    ),
]

PlotFile = Annotated[
    list[Path] | None,
    typer.Option(
        help="The file of the plot: .png, .svg, .pdf, or its numbers as .csv; give the option again for more.",
        metavar="FILE",
        show_default="NAME.plot.png",
    ),
]


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command writes: the folder for its files, the video, or None, and files in formats of other programs.

    plot: names of signals to plot, separated by commas, or None. plot_files: where; empty for NAME.plot.png.
    """

    folder: Path
    video: Path | None = None
    exports: tuple[Path, ...] = ()
    plot: str | None = None
    plot_files: tuple[Path, ...] = ()
