"""The commands and their options."""

import webbrowser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Literal

import typer

from gambol.cli import PARAMETERS
from gambol.cli.evolve import commands as evolution
from gambol.cli.figures import commands
from gambol.cli.guard import Commands, guarded

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
OUT = Path("out")


@app.callback(invoke_without_command=True)
def gambol(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """gambol simulates and animates legged creatures.

    Try `gambol walk --open`: a cockroach of 38 degrees of freedom walks ten strides, shown in a page that opens.

    `gambol run FILE` lets any figure move: from MJCF, URDF, gambol's own figure files or a corpus script.
    `gambol inspect FILE` shows what a figure is made of; `gambol convert FILE OTHER` writes it in another format;
    `gambol examples` writes files to start from.

    `gambol evolve --open` breeds creatures that learn to walk; `gambol lineage` shows where the best one comes from,
    `gambol replay RUN ID` lets any ancestor live again, and in `gambol breed` you choose who has children.

    `gambol walk --help`, `gambol run --help` and `gambol evolve --help` tell what else they can do, with examples.
    """
    if show_version:
        try:
            print(version("gambol"))
        except PackageNotFoundError:
            print("unknown: gambol is not installed, but run from its source")
    elif context.invoked_subcommand is None:
        print(context.get_help())


EXAMPLES = """
Examples:

- `gambol walk --open`: ten strides, and the page opens

- `gambol walk --gait wave --feet sticky`: slowly, on feet that hold

- `gambol walk --gait 3:1 --seconds 3`: from a wave to the tripod

- `gambol walk --ground hills --seed 7 --gait wave --feet sticky`: over random hills

- `gambol walk --ground dunes.csv --spacing 0.002`: over heights of your own, in metres, 2 mm apart

- `gambol walk --lanes 8`: eight at once, each a little different

- `gambol walk --contact stepping`: with contact solved in large steps

- `gambol walk --video walk.mp4 --out runs/1`: a video too, and another folder for the rest
"""


@app.command(epilog=EXAMPLES)
def walk(
    gait: Annotated[
        str, typer.Option(help="tripod, wave, a speed factor of 1 or more, or FROM:TO to change during the walk.")
    ] = "tripod",
    feet: Annotated[
        Literal["sliding", "sticky"], typer.Option(help="Friction alone, or feet that hold on and break loose.")
    ] = "sliding",
    ground: Annotated[str, typer.Option(help="flat, hills, or a file of heights in metres: .npy or .csv.")] = "flat",
    spacing: Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")] = 0.005,
    seconds: Annotated[float | None, typer.Option(help="Simulated time.", show_default="ten strides")] = None,
    seed: Annotated[int, typer.Option(help="Chooses the hills and the starts of several roaches.", min=0)] = 0,
    precision: Annotated[Literal["float64", "float32"], typer.Option(help="The arithmetic.")] = "float64",
    reflexes: Annotated[Literal["on", "off"], typer.Option(help="Step reflex and load-bearing reflex.")] = "on",
    lanes: Annotated[int, typer.Option(help="How many roaches walk at once, with jittered starts.", min=1)] = 1,
    parameters: Annotated[
        str, typer.Option(help="The roach's numbers: tuned, or thesis for those of 1990.")
    ] = PARAMETERS,
    contact: Annotated[
        Literal["penalty", "impulse", "constraint", "stepping"],
        typer.Option(help="What touching does: springs in smooth motion, or laws of contact in large steps."),
    ] = "penalty",
    solid_trunk: Annotated[
        bool, typer.Option("--solid-trunk", help="Legs meet the trunk; without it they pass through it.")
    ] = False,
    video: Annotated[
        Path | None, typer.Option(help="Render a video too, an .mp4.", metavar="FILE.mp4", show_default=False)
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The folder for roach.html, roach.png, roach.npz and roach.json.", metavar="DIR")
    ] = OUT,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page when it is done.")] = False,
) -> None:
    """Let the roach walk, measure how, and show it.

    Ten strides in the tripod gait on flat ground, unless asked otherwise. Writes roach.html (a page that plays the
    walk), roach.png (stepping pattern and frames), roach.npz (the film) and roach.json (the measures).
    Ctrl-C ends the walk and keeps what was done.
    """
    from gambol.cli.session import Session
    from gambol.cli.walk import Request

    request = Request(
        gait, feet, ground, spacing, seconds, seed, precision, reflexes, lanes, parameters, contact, solid_trunk
    )
    code = guarded(lambda: Session().walk(request, out, video))
    if open_page:
        webbrowser.open((out / "roach.html").resolve().as_uri())
    raise typer.Exit(code)


app.command(epilog=commands.RUN_EXAMPLES)(commands.run)
app.command()(commands.inspect)
app.command()(commands.convert)
app.command()(commands.examples)
app.command(epilog=evolution.EVOLVE_EXAMPLES)(evolution.evolve)
app.command()(evolution.lineage)
app.command()(evolution.replay)
app.command()(evolution.breed)
