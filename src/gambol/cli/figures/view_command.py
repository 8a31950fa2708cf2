"""The options of the command `gambol view`."""

from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.evolve.options import Allow
from gambol.cli.figures.arguments import Base, LeaveOut, Mend, NoVisuals, Pose, Srdf
from gambol.cli.guard import run_command


def view(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Films (.npz), figures (.toml, .xml, .urdf, .usd, .usda, .usdc, .usdz), genotypes (.toml), evolved "
            "creatures of an archive (ARCHIVE.db:RUN:ID), corpus scripts (.corpus), changed numbers (.numbers.json), "
            "plans (.toml), meshes (.stl, .obj, .ply, .dae, .glb, .gltf), pages (.html)."
        ),
    ],
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Write pages that simulate: figures move by their springs and weight, creatures by their own control.",
        ),
    ] = False,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    no_visuals: NoVisuals = False,
    pose: Pose = None,
    srdf: Srdf = None,
    allow: Allow = None,
    out: Annotated[Path, typer.Option(help="The folder for NAME.view.html or NAME.live.html.", metavar="DIR")] = OUT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Write the pages only; open none.")] = False,
) -> None:
    """Show files in the browser: films, figures, evolved creatures, scripts, plans, meshes and pages.

    Writes a page of each file and opens it. A figure is shown in its initial posture, and a film is played; scripts and
    evolved creatures are simulated first, and plans are solved. `gambol inspect` describes one figure as text with a
    picture, `gambol run` simulates it with results and options, and `gambol plan` also simulates the motion of a plan.
    """
    from gambol.cli.evolve.own_modules import allowing
    from gambol.cli.figures.sources import ReadOptions
    from gambol.cli.figures.viewing import ViewRequest, view_files
    from gambol.cli.session import Session

    options = ReadOptions(base, tuple(leave_out or ()), mend, no_visuals, pose, srdf)
    request = ViewRequest(tuple(files), out, options, live, not no_open)
    raise typer.Exit(run_command(allowing(allow, lambda: view_files(Session(), request))))
