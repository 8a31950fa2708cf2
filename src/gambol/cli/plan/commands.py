"""The options of the command `gambol plan`."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import typer

from gambol.cli.defaults import OUT
from gambol.cli.guard import run_command
from gambol.cli.output import (
    CameraOption,
    Export,
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

PLAN_EXAMPLES = """
Examples:

`gambol examples` writes plans into the folder examples/plans:

- `gambol plan`: lists the plans that come with gambol

- `gambol plan examples/plans/cartpole.toml --open`: a cart swings its pole up; opens the page

- `gambol plan examples/plans/quadruped-jump.toml --video jump.mp4`: also renders a video

- `gambol plan examples/plans/cartpole.toml --backend lanes`: solves without CasADi's derivatives
"""


def plan(
    file: Annotated[
        Path | None,
        typer.Argument(help="A plan (.toml); without it, the examples are listed.", show_default=False),
    ] = None,
    backend: Annotated[
        Literal["auto", "casadi", "lanes"],
        typer.Option(
            help="What computes derivatives: CasADi's symbols, or gambol's own in lanes; auto takes the faster."
        ),
    ] = "auto",
    track: Annotated[
        bool, typer.Option("--track/--no-track", help="Simulate the plan under a controller that follows it.")
    ] = True,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Write the page that plays the motion.")] = True,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    out: Annotated[
        Path, typer.Option(help="The folder for NAME.json, NAME.npz, NAME.html and NAME.png.", metavar="DIR")
    ] = OUT,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page when it is done.")] = False,
) -> None:
    """Find the motion of least cost that satisfies a plan, and simulate the figure along it.

    Writes NAME.json (cost, violation, error, iterations, seconds, tracking_error), NAME.npz (the film), NAME.html (a
    page that plays the motion with its forces) and NAME.png (poses, torques and forces); NAME is the name of FILE.
    Ctrl-C ends the search; the files then show the best motion so far.
    """
    from gambol.cli.plan.plan_command import PlanRequest, list_examples, run_plan
    from gambol.cli.session import Session

    if file is None:
        raise typer.Exit(run_command(lambda: list_examples(Session())))
    video_request = VideoRequest(video, camera, video_size, video_fps, video_speed, video_quality)
    output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()))
    request = PlanRequest(file, backend, track, page or open_page, output)
    code = run_command(lambda: run_plan(request, Session()))
    if open_page:
        webbrowser.open((out / f"{file.stem}.html").resolve().as_uri())
    raise typer.Exit(code)
