"""The command `gambol walk` and its options."""

import webbrowser
from dataclasses import replace
from typing import Annotated, Any, Literal

import typer

from gambol.cli.defaults import OUT, PARAMETERS, ROACH
from gambol.cli.guard import run_command
from gambol.cli.output import (
    CameraOption,
    Export,
    Live,
    Output,
    Plot,
    PlotFile,
    Video,
    VideoFps,
    VideoLayout,
    VideoQuality,
    VideoRequest,
    VideoSize,
    VideoSpeed,
    VideoWorlds,
)
from gambol.cli.walk.arguments import Ground, OpenPage, OutFolder
from gambol.errors import GambolError

WALK_EXAMPLES = """
Examples:

- `gambol walk --open`: the roach walks ten strides; opens the page

- `gambol walk --list`: names all creatures

- `gambol walk snake --seconds 20`: another creature, by its name

- `gambol walk --all --open`: all of them, on one page

- `gambol walk --gait wave --feet sticky`: walks slowly, with feet that stick to the ground

- `gambol walk --gait 3:1 --seconds 3`: changes from the wave gait to the tripod gait

- `gambol walk --ground hills --seed 7 --gait wave --feet sticky`: walks over random hills

- `gambol walk --ground dunes.csv --spacing 0.002`: walks over the heights of a file, in metres, 2 mm apart

- `gambol walk --parameters thesis --reading stance-from-the-start --grip all`: the numbers of 1990

- `gambol walk --lanes 8`: simulates eight worlds, with slightly different initial states

- `gambol walk --contact stepping`: solves contact by time stepping, with large steps

- `gambol walk --turn 60 --open`: turns left, a full circle in six seconds

- `gambol walk dog --kinematic --turn 30 --open`: walks without forces, and leans into the turn

- `gambol walk --path course.csv --open`: walks along the curve through the points of a file

- `gambol walk --film --open`: a page that only plays the walk; others let you pull the roach and change gravity

- `gambol walk --plot speed,stepping,push`: also draws these over time, as out/roach.plot.png

- `gambol walk --video walk.mp4 --out runs/1`: also renders a video; the other files go to runs/1
"""


def walk(
    name: Annotated[
        str, typer.Argument(help="The creature; `gambol walk --list` names all.", metavar="[NAME]")
    ] = ROACH,
    list_creatures: Annotated[bool, typer.Option("--list", help="Name all creatures, and stop.")] = False,
    all_creatures: Annotated[
        bool, typer.Option("--all", help="Simulate all creatures one after the other, and write a page of them all.")
    ] = False,
    gait: Annotated[
        str | None,
        typer.Option(
            help="Of the roach: tripod, wave, a speed factor of 1 or more, or FROM:TO to change during the walk; "
            "of others: see --list.",
            show_default="tripod",
        ),
    ] = None,
    speed: Annotated[float | None, typer.Option(help="Requested speed, in m/s; not of the roach.")] = None,
    slope: Annotated[
        float | None, typer.Option(help="Slope of the ground in degrees, positive uphill; not of the roach.")
    ] = None,
    push: Annotated[
        float | None,
        typer.Option(help="A push forward on the root, in newtons, for 0.1 s in the middle; not of the roach."),
    ] = None,
    feet: Annotated[
        Literal["sliding", "sticky"] | None,
        typer.Option(
            help="Of the roach: held by friction alone, or sticking and breaking loose.", show_default="sliding"
        ),
    ] = None,
    ground: Ground = None,
    spacing: Annotated[
        float | None,
        typer.Option(help="Distance between the heights of a file, in metres.", show_default="0.005; others: 0.05"),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated time.", show_default="ten strides; others: see --list")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Random seed of the hills and of the initial states of several creatures.", min=0)
    ] = 0,
    precision: Annotated[Literal["float64", "float32"], typer.Option(help="Floating-point precision.")] = "float64",
    reflexes: Annotated[
        str | None,
        typer.Option(
            help="Of the roach: on (step and load), off, or names: step, load, stable, elevator, foothold.",
            metavar="on|off|NAME,...",
            show_default="on",
        ),
    ] = None,
    lanes: Annotated[
        int, typer.Option(help="Number of creatures to simulate, each with random initial joint angles.", min=1)
    ] = 1,
    parameters: Annotated[
        str | None,
        typer.Option(help="Of the roach: tuned, cockroach, agile, or the thesis of 1990.", show_default=PARAMETERS),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(
            help="Contact method: penalty uses springs; stepping (large steps), impulse, constraint: contact laws.",
            metavar="NAME",
            show_default="penalty; others: their own",
        ),
    ] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            help="Of the thesis' roach: a reading of a doubtful line of the print, such as stance-from-the-start; "
            "give the option again for more.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    grip: Annotated[
        Literal["feet", "all"] | None,
        typer.Option(
            help="Of the roach: what friction holds at rest, its feet or all of its parts.", show_default="feet"
        ),
    ] = None,
    law: Annotated[
        Literal["softened", "thesis"] | None,
        typer.Option(help="Of the roach's ground: forces that change at zero speed smoothly, or at once."),
    ] = None,
    solid_trunk: Annotated[
        bool,
        typer.Option("--solid-trunk", help="Make the roach's legs collide with the trunk, instead of passing through."),
    ] = False,
    muscles: Annotated[
        bool, typer.Option("--muscles", help="Move the roach's legs by antagonist muscles instead of springs.")
    ] = False,
    turn: Annotated[
        float | None, typer.Option(help="Rate of turn to the left, in degrees a second.", show_default="0")
    ] = None,
    backward: Annotated[
        bool, typer.Option("--backward", help="Walk backward: the roach (the same as --stroke -1), dog and machines.")
    ] = False,
    crab: Annotated[
        float | None,
        typer.Option(
            help="Of roach, dog and machines: speed to the left, in cm/s; without --stroke or --speed only sideways."
        ),
    ] = None,
    stroke: Annotated[
        float | None,
        typer.Option(
            help="Of the roach: length of its strokes, as a multiple of the gait's.", show_default="1; 0 with --crab"
        ),
    ] = None,
    hold: Annotated[
        bool, typer.Option("--hold", help="Of the roach and animals: hold a heading by a compass; turns change it.")
    ] = False,
    path: Annotated[
        str | None,
        typer.Option(
            help="Follow the curve through the points of a file, with x and y in metres: .csv or .npy.",
            metavar="FILE.csv",
            show_default=False,
        ),
    ] = None,
    kinematic: Annotated[
        bool,
        typer.Option("--kinematic", help="Walk without forces: feet at exact places, banked turns."),
    ] = False,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    video_worlds: VideoWorlds = None,
    video_layout: VideoLayout = None,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    out: OutFolder = OUT,
    live: Live = None,
    open_page: OpenPage = False,
) -> None:
    """Simulate a creature's walk, measure it, and show it: the roach, or another creature by its name.

    The default is ten strides of the roach in the tripod gait on flat ground. Writes NAME.html (a page that plays the
    walk, and also simulates the creature if its programs are small), NAME.png (stepping pattern and frames), NAME.npz
    (the film) and NAME.json (the measures). Ctrl-C ends the walk; the files then contain the walk up to that time.
    """
    roach = {
        "feet": feet, "reflexes": reflexes, "parameters": parameters, "solid_trunk": solid_trunk or None,
        "muscles": muscles or None, "readings": tuple(reading) if reading else None, "grip": grip,
        "law": law, "stroke": stroke,
    }  # fmt: skip
    others = {"speed": speed, "slope": slope, "push": push}
    if name == ROACH:
        roach["crab"] = crab
        if backward:
            roach["stroke"] = -1.0 if stroke is None else -stroke
    else:
        (roach if kinematic else others).update({"crab": crab, "backward": backward or None})
    shared = {
        "gait": gait, "ground": ground, "spacing": spacing, "seconds": seconds, "seed": seed, "precision": precision,
        "lanes": lanes, "contact": contact, "turn": turn, "hold": hold or None, "path": path,
    }  # fmt: skip
    video_request = VideoRequest(
        video, camera, video_size, video_fps, video_speed, video_quality, video_worlds, video_layout
    )
    output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()), live)
    if list_creatures:
        code = run_command(_list)
    elif kinematic:
        own, refused = (roach, {"slope": slope, "push": push}) if name == ROACH else (others, roach)
        code = run_command(lambda: _walk_kinematically(name, shared | own | {"speed": speed}, refused, output))
    elif all_creatures:
        name = "creatures"
        code = run_command(lambda: _walk_all(shared | roach | others, seconds, seed, output))
    elif name == ROACH:
        code = run_command(lambda: _walk_roach(shared | roach, others, output))
    else:
        code = run_command(lambda: _walk_other(name, shared | others, roach, output))
    if open_page and not list_creatures:
        webbrowser.open((out / f"{name}.html").resolve().as_uri())
    raise typer.Exit(code)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _refuse(name: str, options: dict[str, Any]) -> None:
    """Raise GambolError for options that do not apply to a creature."""
    for option in _given(options):
        raise GambolError(f"--{option.replace('_', '-')}: the {name} has no such option; leave it out")


def _walk_roach(options: dict[str, Any], refused: dict[str, Any], output: Output) -> int:
    from gambol.cli.session import Session
    from gambol.cli.walk.roach import RoachRequest

    _refuse(ROACH, refused)
    return Session().walk(RoachRequest(**_given(options)), output)


def _walk_other(name: str, options: dict[str, Any], refused: dict[str, Any], output: Output) -> int:
    from gambol.cli.session import Session
    from gambol.cli.walk.creature_request import CreatureRequest
    from gambol.creatures.table import creature_entry

    creature_entry(name)
    _refuse(name, refused)
    return Session().walk_creature(CreatureRequest(name, **_given(options)), output)


def _walk_kinematically(name: str, options: dict[str, Any], refused: dict[str, Any], output: Output) -> int:
    from gambol.cli.session import Session
    from gambol.cli.walk.kinematic import show_kinematic_walk

    _refuse(name, refused)
    return show_kinematic_walk(Session(), name, _given(options), output)


def _walk_all(options: dict[str, Any], seconds: float | None, seed: int, output: Output) -> int:
    from gambol.cli.session import Session

    allowed = {"seconds": seconds, "seed": seed, "precision": "float64", "lanes": 1}
    _refuse("page of all creatures", {name: x for name, x in options.items() if x != allowed.get(name)})
    if replace(output, folder=OUT) != Output(OUT):
        raise GambolError("--all: videos, exports, plots and live pages are of one creature; leave these options out")
    return Session().walk_all(seconds, seed, output.folder)


def _list() -> int:
    from gambol.cli.session import Session

    return Session().list_creatures()
