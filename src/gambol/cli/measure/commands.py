"""The options of the command `gambol measure`."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.figures.arguments import Open
from gambol.cli.guard import run_command

MEASURE_EXAMPLES = """
Examples:

- `gambol measure dog`: a creature by name, beside animals of its mass

- `gambol measure dog --gait trot --beside horse --open`: beside a horse, with a picture

- `gambol measure out/evolve.db:1:385`: an evolved creature of an archive

- `gambol measure out/dog.npz`: the film of a walk
"""


def measure(
    creature: Annotated[
        str,
        typer.Argument(
            help="The name of a creature (`gambol walk --list`), a film (.npz), a genotype (.toml), or an evolved "
            "creature of an archive, ARCHIVE.db:RUN:ID."
        ),
    ],
    beside: Annotated[
        str | None, typer.Option(help="An animal: dog, horse or mouse.", show_default="animals of its mass")
    ] = None,
    gait: Annotated[str | None, typer.Option(help="The gait of a creature by name, if it has several.")] = None,
    speed: Annotated[float | None, typer.Option(help="The speed of a creature by name, in m/s.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Simulated time.", show_default="the creature's own")] = None,
    out: Annotated[Path, typer.Option(help="The folder for the files, named after the creature.", metavar="DIR")] = OUT,
    open_picture: Open = False,
) -> None:
    """Measure how a creature moves, and compare it with animals: rhythm, posture, forces, energies, smoothness.

    Writes the measures (.measures.json) and a picture of them (.measures.png). The creature must walk over level ground
    for two whole strides or more, after the first quarter of the time.
    """
    from gambol.cli.measure.measure_command import MeasureRequest, measure_motion, picture_path
    from gambol.cli.session import Session

    request = MeasureRequest(creature, beside or "", gait, speed, seconds)
    code = run_command(lambda: measure_motion(Session(), request, out))
    if open_picture:
        webbrowser.open(picture_path(request, out).resolve().as_uri())
    raise typer.Exit(code)
