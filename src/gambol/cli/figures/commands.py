"""What the commands run, inspect, convert and examples take, and what they call."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from gambol.cli import console
from gambol.cli.guard import guarded

OUT = Path("out")
UNBROKEN = 10_000  # columns, of what is no terminal: a file or another program gets whole lines

METHODS = "aba, crba, maximal, lagrangian or divide_and_conquer"
CONTACTS = "stepping (large steps), impulse, constraint, or penalty (springs; with any integrator)"
INTEGRATORS = (
    "explicit euler, semi-implicit euler, corpus euler, implicit euler, midpoint, implicit midpoint, heun, verlet, "
    "velocity verlet, leapfrog, rk4, rkf45, dormand-prince, rosenbrock or variational"
)

Figure = Annotated[
    Path, typer.Argument(help="A figure (.toml), MJCF (.xml), URDF (.urdf), or, to run, a corpus script (.corpus).")
]
Base = Annotated[
    Literal["fixed", "free"] | None,
    typer.Option(help="How the root of a URDF file hangs on the world.", show_default="fixed"),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(help="Something, by the name that an error gives it, to go without.", metavar="NAME"),
]
Mend = Annotated[bool, typer.Option("--mend", help="Make impossible inertias of a URDF file possible.")]
Open = Annotated[bool, typer.Option("--open", help="Open what was made when it is done.")]

RUN_EXAMPLES = """
Examples:

`gambol examples` writes figures and scripts into the folder examples:

- `gambol run examples/figures/trapeze.toml --open`: two seconds of what it does by itself

- `gambol run examples/figures/monopod.toml --ground flat --seconds 5 --video fall.mp4`: it hops and falls over

- `gambol run examples/figures/four_bar.toml --integrator rk4 --step 0.001`: another way to integrate

- `gambol run examples/figures/monopod.toml --ground hills --seed 3 --lanes 16`: sixteen, each a little different

- `gambol run examples/scripts/walk.corpus`: performs a script
"""


def run(
    file: Figure,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated time.", show_default="2, or what a script says")
    ] = None,
    method: Annotated[str, typer.Option(help=f"Forward dynamics: {METHODS}.")] = "aba",
    contact: Annotated[
        str | None, typer.Option(help=f"What touching does: {CONTACTS}.", show_default="stepping")
    ] = None,
    integrator: Annotated[
        str | None, typer.Option(help=f"How time passes where contact is smooth: {INTEGRATORS}.", show_default="rkf45")
    ] = None,
    step: Annotated[
        float | None, typer.Option(help="Length of a step, in seconds.", show_default="1/960, or 1/2400")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="Error of a step, for integrators that know it.", show_default="1e-7")
    ] = None,
    ground: Annotated[
        str | None,
        typer.Option(help="none, flat, hills, or a file of heights in metres.", show_default="that of the file"),
    ] = None,
    spacing: Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Chooses the hills and the starts of several figures.", min=0)] = 0,
    precision: Annotated[Literal["float64", "float32"], typer.Option(help="The arithmetic.")] = "float64",
    lanes: Annotated[int, typer.Option(help="How many run at once, with jittered starts.", min=1)] = 1,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    video: Annotated[
        Path | None, typer.Option(help="Render a video too, an .mp4.", metavar="FILE.mp4", show_default=False)
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for the files, named after FILE.", metavar="DIR")] = OUT,
    open_page: Open = False,
) -> None:
    """Let a figure from a file move, and show it.

    A figure moves by its springs and weight alone: its motors rest. A script does what it says. Writes a page that
    plays the motion (.html), frames of it (.png), the film (.npz) and what it came to (.json): energies, momentum,
    what the ledger cannot account for, the final pose. Ctrl-C ends the run and keeps what was done.
    """
    from gambol.cli.figures.running import Trial
    from gambol.cli.figures.sources import Reading
    from gambol.cli.session import Session

    reading = Reading(base, tuple(leave_out or ()), mend)
    trial = Trial(
        file, seconds, method, integrator, step, tolerance, ground, spacing, seed, precision, lanes, contact, reading
    )
    code = guarded(lambda: Session().run(trial, out, video))
    if open_page:
        webbrowser.open((out / f"{file.stem}.html").resolve().as_uri())
    raise typer.Exit(code)


def inspect(
    file: Figure,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    picture: Annotated[
        Path | None,
        typer.Option(help="Where the picture goes.", metavar="FILE.png", show_default="out/NAME.png"),
    ] = None,
    open_picture: Open = False,
) -> None:
    """Show what a figure is made of: its tree, joints, masses, springs, constraints and motors, and a picture.

    In the picture links without shapes are bones: sticks from joint to joint, and dots where their mass is.
    """
    from gambol.cli.figures.inspection import drawn, shown
    from gambol.cli.figures.sources import Reading, read_specimen
    from gambol.cli.targets import check_target

    path = picture or OUT / f"{file.stem}.png"

    def work() -> int:
        check_target(path, "--picture", ".png", "a picture")
        output, errors = console.output(), console.errors()
        with errors.status(Text(f"reading {file.name}")):
            specimen = read_specimen(file, Reading(base, tuple(leave_out or ()), mend))
        if not output.is_terminal:
            output.width = UNBROKEN
        output.print(shown(specimen))
        with errors.status(Text(f"drawing {path}")):
            drawn(specimen, path)
        output.print(Text(f"wrote {path}"), soft_wrap=True)
        return 0

    code = guarded(work)
    if open_picture:
        webbrowser.open(path.resolve().as_uri())
    raise typer.Exit(code)


def convert(
    file: Figure,
    other: Annotated[Path, typer.Argument(help="What to write: .toml (gambol's own), .xml (MJCF) or .urdf.")],
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
) -> None:
    """Write a figure in another format.

    What that format lacks is refused by name, unless --leave-out says to go without. gambol's own
    format (.toml) holds all that gambol knows, to the last bit.
    """
    from gambol.cli.figures.sources import Reading, converted
    from gambol.cli.session import Session

    def work() -> int:
        session = Session()
        session.note(converted(file, other, Reading(base, tuple(leave_out or ()), mend)))
        session.console.print(Text(f"wrote {other}"), soft_wrap=True)
        return 0

    raise typer.Exit(guarded(work))


def examples(
    folder: Annotated[Path, typer.Argument(help="Where they go.", metavar="[DIR]")] = Path("examples"),
) -> None:
    """Write the examples that come with gambol into a folder: figures, scripts and programs to start from.

    No other file is changed. `gambol run examples/figures/trapeze.toml` then lets the first of them move.
    """
    from gambol.cli.figures.examples import write_examples
    from gambol.cli.targets import check_folder

    def work() -> int:
        check_folder(folder, "DIR")
        paths = write_examples(folder)
        for path in paths:
            console.output().print(Text(f"wrote {path}"), soft_wrap=True)
        if not paths:
            console.output().print(Text(f"all examples are in {folder} already"), soft_wrap=True)
        return 0

    raise typer.Exit(guarded(work))
