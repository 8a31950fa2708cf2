"""The options of the command `gambol together`."""

import webbrowser
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
from gambol.cli.walk.arguments import OpenPage, OutFolder

TOGETHER_EXAMPLES = """
Examples:

- `gambol together hound cat monkey beetle --open`: side by side; who is first?

- `gambol together hound:chase beetle:flee --places starts.csv --seconds 12`: a chase

- `gambol together hound:flock --count 5 --seconds 20`: a flock

- `gambol together hound:push monkey:push --places starts.csv`: they push each other
"""


def together(
    creatures: Annotated[
        list[str],
        typer.Argument(
            help="Names of animals, genotype files or addresses, each perhaps with :chase, :flee, :flock or :push.",
            metavar="CREATURE[:BEHAVIOUR]...",
        ),
    ],
    count: Annotated[int, typer.Option(help="How often each of them is there.", min=1)] = 1,
    places: Annotated[
        str | None,
        typer.Option(
            help="A file with a row x,y or x,y,heading for each creature, in metres and degrees.",
            metavar="FILE.csv",
            show_default="side by side",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Simulated time.")] = 8.0,
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
    """Put several creatures into one world: they walk side by side, chase, flee, flock or push each other.

    Writes the same files as `gambol walk`, called together, and prints the results of each creature.
    """
    shown = VideoRequest(video, camera, video_size, video_fps, video_speed, video_quality)
    output = Output(out, shown, tuple(export or ()), plot, tuple(plot_file or ()), live)

    def work() -> int:
        from gambol.cli.session import Session
        from gambol.cli.walk.together import TogetherRequest, run_together

        return run_together(TogetherRequest(tuple(creatures), count, places, seconds), output, Session())

    code = run_command(work)
    if open_page:
        webbrowser.open((out / "together.html").resolve().as_uri())
    raise typer.Exit(code)
