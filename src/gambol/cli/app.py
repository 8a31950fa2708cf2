"""The commands and their options."""

import webbrowser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Literal

import typer

from gambol.cli.defaults import OUT, PARAMETERS
from gambol.cli.evolve import commands as evolution
from gambol.cli.figures import commands
from gambol.cli.guard import CommandGroup, run_command
from gambol.cli.plan import commands as plans

app = typer.Typer(
    cls=CommandGroup,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def gambol(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """gambol simulates and animates legged creatures.

    Try `gambol walk --open`: a cockroach with 38 degrees of freedom walks ten strides; a page that plays it opens.

    `gambol run FILE` simulates a figure from an MJCF, URDF or gambol figure file, or runs a corpus script.
    `gambol inspect FILE` describes a figure; `gambol convert FILE OTHER` writes it in another format;
    `gambol examples` writes files to start from.

    `gambol plan FILE` finds the motion that a plan asks for, with least effort, and follows it.

    `gambol evolve --open` evolves creatures that walk; `gambol lineage` shows the ancestors of the best one,
    `gambol replay RUN ID` simulates any ancestor again, and with `gambol breed` you choose the parents.

    `gambol walk --help`, `gambol run --help` and `gambol evolve --help` list all options, with examples.
    """
    if show_version:
        try:
            print(version("gambol"))
        except PackageNotFoundError:
            print("unknown: gambol is not installed; it runs from its source")
    elif context.invoked_subcommand is None:
        print(context.get_help())


EXAMPLES = """
Examples:

- `gambol walk --open`: walks ten strides, and opens the page

- `gambol walk --gait wave --feet sticky`: walks slowly, with feet that stick to the ground

- `gambol walk --gait 3:1 --seconds 3`: changes from the wave gait to the tripod gait

- `gambol walk --ground hills --seed 7 --gait wave --feet sticky`: walks over random hills

- `gambol walk --ground dunes.csv --spacing 0.002`: walks over the heights of a file, in metres, 2 mm apart

- `gambol walk --lanes 8`: simulates eight worlds, with slightly different initial states

- `gambol walk --contact stepping`: solves contact by time stepping, with large steps

- `gambol walk --video walk.mp4 --out runs/1`: also renders a video; the other files go to runs/1
"""


@app.command(epilog=EXAMPLES)
def walk(
    gait: Annotated[
        str, typer.Option(help="tripod, wave, a speed factor of 1 or more, or FROM:TO to change during the walk.")
    ] = "tripod",
    feet: Annotated[
        Literal["sliding", "sticky"],
        typer.Option(help="Feet held by friction alone, or feet that stick and break loose."),
    ] = "sliding",
    ground: Annotated[str, typer.Option(help="flat, hills, or a file of heights in metres: .npy or .csv.")] = "flat",
    spacing: Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")] = 0.005,
    seconds: Annotated[float | None, typer.Option(help="Simulated time.", show_default="ten strides")] = None,
    seed: Annotated[
        int, typer.Option(help="Random seed of the hills and of the initial states of several roaches.", min=0)
    ] = 0,
    precision: Annotated[Literal["float64", "float32"], typer.Option(help="Floating-point precision.")] = "float64",
    reflexes: Annotated[Literal["on", "off"], typer.Option(help="Step reflex and load-bearing reflex.")] = "on",
    lanes: Annotated[
        int, typer.Option(help="Number of roaches to simulate, each with random initial joint angles.", min=1)
    ] = 1,
    parameters: Annotated[
        str, typer.Option(help="The roach's parameter set: tuned, or that of the thesis of 1990.")
    ] = PARAMETERS,
    contact: Annotated[
        Literal["penalty", "impulse", "constraint", "stepping"],
        typer.Option(help="Contact method: penalty uses springs, the others contact laws; stepping takes large steps."),
    ] = "penalty",
    solid_trunk: Annotated[
        bool,
        typer.Option("--solid-trunk", help="Make the legs collide with the trunk, instead of passing through it."),
    ] = False,
    video: Annotated[
        Path | None, typer.Option(help="Also render a video (.mp4).", metavar="FILE.mp4", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The folder for roach.html, roach.png, roach.npz and roach.json.", metavar="DIR")
    ] = OUT,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page when it is done.")] = False,
) -> None:
    """Simulate the roach's walk, measure it, and show it.

    The default is ten strides in the tripod gait on flat ground. Writes roach.html (a page that plays the
    walk), roach.png (stepping pattern and frames), roach.npz (the film) and roach.json (the measures).
    Ctrl-C ends the walk; the files then contain the walk up to that time.
    """
    from gambol.cli.session import Session
    from gambol.cli.walk import Request

    request = Request(
        gait, feet, ground, spacing, seconds, seed, precision, reflexes, lanes, parameters, contact, solid_trunk
    )
    code = run_command(lambda: Session().walk(request, out, video))
    if open_page:
        webbrowser.open((out / "roach.html").resolve().as_uri())
    raise typer.Exit(code)


app.command(epilog=commands.RUN_EXAMPLES)(commands.run)
app.command()(commands.inspect)
app.command()(commands.convert)
app.command()(commands.examples)
app.command(epilog=plans.PLAN_EXAMPLES)(plans.plan)
app.command(epilog=evolution.EVOLVE_EXAMPLES)(evolution.evolve)
app.command()(evolution.lineage)
app.command()(evolution.replay)
app.command()(evolution.breed)
