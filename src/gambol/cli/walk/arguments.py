"""Options that the commands about walking creatures have."""

from pathlib import Path
from typing import Annotated

import typer

Ground = Annotated[
    str | None, typer.Option(help="flat, hills, or a file of heights in metres: .npy or .csv.", show_default="flat")
]
OutFolder = Annotated[
    Path, typer.Option(help="The folder for NAME.html, NAME.png, NAME.npz and NAME.json.", metavar="DIR")
]
OpenPage = Annotated[bool, typer.Option("--open", help="Open the page when it is done.")]
