"""The command `gambol direct` and its options."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
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
    VideoQuality,
    VideoRequest,
    VideoSize,
    VideoSpeed,
)
from gambol.cli.walk.arguments import Ground, OpenPage, OutFolder

DIRECT_EXAMPLES = """
Examples:

- `gambol direct cat --style tired --open`: a tired cat

- `gambol direct hound --turn 7 --speed 0.4`: a circle to the left, 7 degrees a second

- `gambol direct cat --speed 0.3,0.6,0.3`: faster, and slower again

- `gambol direct horse --gait trot --turn 5`: a trot to the left

- `gambol direct hound --gait walk:trot:walk --seconds 15`: it changes its gait twice

- `gambol direct cat --path curve.csv --style eager=0.5 --export take.glb`: along a curve, for a 3D program

- `gambol direct monkey --variation 0.04 --seed 2`: no stride is like another

- `gambol direct out/evolve.db:last:best --turn 5`: a creature of your own, of `gambol evolve natural`
"""


def direct(
    name: Annotated[
        str,
        typer.Argument(
            help="dog, hound, greyhound, cat, horse, lizard, monkey, bird, dinosaur, beetle, spider, crab, centipede, "
            "oculus, snake, beer, simbicon-3d, raibert-hopper-3d, raibert-quadruped, or a creature of gambol evolve "
            "natural: its genotype file, or ARCHIVE:RUN:ID.",
            metavar="CREATURE",
        ),
    ],
    speed: Annotated[
        str | None,
        typer.Option(
            help="Speed in m/s; several, with commas, at equal intervals of the walk.", show_default="that of its walk"
        ),
    ] = None,
    turn: Annotated[
        float | None, typer.Option(help="Rate of turn to the left, in degrees a second.", show_default="0")
    ] = None,
    gait: Annotated[
        str | None,
        typer.Option(
            help="walk or trot, of hound, cat, horse, monkey and oculus; or several: walk:trot:walk.",
            show_default="by the speed",
        ),
    ] = None,
    crab: Annotated[
        float | None,
        typer.Option(help="Of the dog and machines: speed to the left, in cm/s; without --speed only sideways."),
    ] = None,
    style: Annotated[
        list[str] | None,
        typer.Option(
            help="tired, heavy, eager, limping or carrying; tired=0.5 is half of it. May be repeated.",
            metavar="NAME[=AMOUNT]",
            show_default=False,
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            help="Follow the curve through the points of a file, with x and y in metres: .csv or .npy.",
            metavar="FILE.csv",
            show_default=False,
        ),
    ] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Hold the heading; turns change it.")] = False,
    variation: Annotated[
        float | None,
        typer.Option(help="Standard deviation of stride times, as a fraction; animals: 0.02-0.09.", show_default="0"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the variation and of hills.", min=0)] = 0,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated time.", show_default="8; with --path, as the path needs")
    ] = None,
    ground: Ground = None,
    spacing: Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")] = 0.05,
    slope: Annotated[
        float | None, typer.Option(help="Slope of the ground in degrees, positive uphill.", show_default="0")
    ] = None,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    out: OutFolder = OUT,
    live: Live = None,
    open_page: OpenPage = False,
) -> None:
    """Direct a creature: speed, turns, a style, a path.

    Writes the same files as `gambol walk NAME`. In its page, the arrow keys and sliders direct the creature.
    """
    video_request = VideoRequest(video, camera, video_size, video_fps, video_speed, video_quality)
    output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()), live)

    def work() -> int:
        from gambol.cli.session import Session
        from gambol.cli.walk.creature_request import CreatureRequest
        from gambol.cli.walk.directions import directed_row, read_speeds

        row = directed_row(name)
        request = CreatureRequest(
            row.name,
            gait=gait,
            slope=slope,
            ground=ground,
            spacing=spacing,
            seconds=seconds,
            seed=seed,
            speeds=() if speed is None else read_speeds(speed),
            turn=turn,
            crab=crab,
            style=tuple(style or ()),
            path=path,
            hold=hold or None,
            variation=variation,
        )
        return Session().walk_creature(request, output, row)

    code = run_command(work)
    if open_page:
        from gambol.cli.figures.creatures import file_name

        webbrowser.open((out / f"{file_name(Path(name))}.html").resolve().as_uri())
    raise typer.Exit(code)
