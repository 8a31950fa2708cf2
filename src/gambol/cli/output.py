"""The output files of a command, and the options of videos, exports and plots that several commands share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

Export = Annotated[
    list[Path] | None,
    typer.Option(
        help="Also write the film for another program: .glb (glTF), .usda, .usdc, .usdz, .bvh or .csv; give the option "
        "again for more.",
        metavar="FILE",
        show_default=False,
    ),
]

Plot = Annotated[
    str | None,
    typer.Option(
        help="Also plot signals over time: names such as speed, energy, stepping, push, centre.z, LINK.z of a link, "
        "or q.LINK, v.LINK and torques.LINK of its joint.",
        metavar="NAME,...",
        show_default=False,
    ),
]

PlotFile = Annotated[
    list[Path] | None,
    typer.Option(
        help="The file of the plot: .png, .svg, .pdf, or its numbers as .csv; give the option again for more.",
        metavar="FILE",
        show_default="NAME.plot.png",
    ),
]


Live = Annotated[
    bool | None,
    typer.Option(
        "--live/--film",
        help="NAME.html also simulates, so that you can grab, push, change and go back; or it only plays the film.",
        show_default="simulates if the page is small",
    ),
]

Layout = Literal["beside", "after"]
Quality = Literal["draft", "standard", "high"]

Video = Annotated[Path | None, typer.Option(help="Also render a video (.mp4).", metavar="FILE.mp4", show_default=False)]
CameraOption = Annotated[
    str | None,
    typer.Option(
        help="Camera of page, picture and video: follow, fixed, orbit, orbit:SECONDS of a turn, or a file of keys "
        "(.toml or .csv).",
        metavar="NAME|FILE",
        show_default="that of a script, or follow",
    ),
]
VideoSize = Annotated[
    str | None, typer.Option(help="Size of the video in pixels.", metavar="WIDTHxHEIGHT", show_default="960x600")
]
VideoFps = Annotated[float | None, typer.Option(help="Frames per second of the video.", show_default="30")]
VideoSpeed = Annotated[
    float | None,
    typer.Option(
        help="Speed of the video: 1 for real time, 0.1 for slow motion, 10 for a time lapse.",
        show_default="by the figure's size",
    ),
]
VideoQuality = Annotated[Quality | None, typer.Option(help="Quality of the video.", show_default="standard")]
VideoWorlds = Annotated[
    str | None,
    typer.Option(
        help="Worlds that the video shows as takes: all, or their indices.", metavar="K,...", show_default="0"
    ),
]
VideoLayout = Annotated[
    Layout | None, typer.Option(help="Takes beside each other, or one after another.", show_default="beside")
]


@dataclass(frozen=True, slots=True)
class VideoRequest:
    """The options of a video as given by the user; None for an option that was not given. path: path of the video."""

    path: Path | None = None
    camera: str | None = None
    size: str | None = None
    fps: float | None = None
    speed: float | None = None
    quality: Quality | None = None
    worlds: str | None = None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a command: the folder for its files, and files in formats of other programs.

    video: the options of the video and of the camera. plot: names of signals to plot, separated by commas, or None.
    plot_files: files of the plot; empty for NAME.plot.png. live: True for a live page, False for a page that plays the
    film only, None for a live page if it is small.
    """

    folder: Path
    video: VideoRequest = VideoRequest()
    exports: tuple[Path, ...] = ()
    plot: str | None = None
    plot_files: tuple[Path, ...] = ()
    live: bool | None = None
