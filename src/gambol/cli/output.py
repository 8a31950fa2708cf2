"""Where a command writes, and the option --export, which several commands share."""

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


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command writes: the folder for its files, the video, or None, and files in formats of other programs."""

    folder: Path
    video: Path | None = None
    exports: tuple[Path, ...] = ()
