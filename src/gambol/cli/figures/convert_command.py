"""The options of the command `gambol convert`."""

from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.evolve.options import Allow
from gambol.cli.figures.arguments import Base, LeaveOut, Mend, Pose, Srdf
from gambol.cli.guard import run_command
from gambol.cli.output import (
    CameraOption,
    VideoFps,
    VideoLayout,
    VideoQuality,
    VideoRequest,
    VideoSize,
    VideoSpeed,
    VideoWorlds,
)


def convert(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="A figure file, a genotype, ARCHIVE.db:RUN:ID, or one or more films (.npz).",
            metavar="FILE...",
        ),
    ],
    other: Annotated[
        Path,
        typer.Argument(
            help="The file to write: of a figure .toml (gambol's format), .xml (MJCF), .urdf or, in its initial state, "
            ".glb, .usda, .usdc or .usdz; of a film (.npz) or an evolved creature .glb (glTF), .usda, .usdc, .usdz, "
            ".bvh, .csv or .mp4 (a video)."
        ),
    ],
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    pose: Pose = None,
    srdf: Srdf = None,
    allow: Allow = None,
    rate: Annotated[
        float | None, typer.Option(help="Frames per second of simulated time.", show_default="the film's, up to 240")
    ] = None,
    scale: Annotated[
        float | None, typer.Option(help="Scale of lengths, such as 100 for a creature of 3 cm.", show_default="1")
    ] = None,
    world: Annotated[int | None, typer.Option(help="Index of a world of the film.", show_default="0")] = None,
    skin: Annotated[bool, typer.Option("--skin", help="One smooth mesh over all links (.glb).")] = False,
    with_ground: Annotated[bool, typer.Option("--ground", help="Also write uneven ground.")] = False,
    root_motion: Annotated[
        bool, typer.Option("--root-motion", help="Move the root node along the ground, as games want it (.glb).")
    ] = False,
    cycle: Annotated[bool, typer.Option("--cycle", help="Only the stride that loops best.")] = False,
    in_place: Annotated[bool, typer.Option("--in-place", help="A stride without its travel.")] = False,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    video_worlds: VideoWorlds = None,
    video_layout: VideoLayout = None,
) -> None:
    """Write a figure, or the film of a motion, in another format.

    An evolved creature becomes a figure, or the film of one of its rollouts, by the suffix of OTHER. Figures: a feature
    that the format lacks is an error, unless --leave-out names it; gambol's format (.toml) stores every number exactly;
    USD contains masses, joints, limits, motors and colliding shapes for robot simulators.
    Films: the command names the parts that the format cannot contain, and leaves them out. Several films of one figure
    become the clips of one .glb, named after their files, or takes of one .mp4.
    """
    from gambol.cli.evolve.own_modules import allowing
    from gambol.cli.figures.conversion import FilmOptions, convert_to
    from gambol.cli.figures.sources import ReadOptions
    from gambol.cli.session import Session

    options = ReadOptions(base, tuple(leave_out or ()), mend, pose=pose, srdf=srdf)
    flags = (skin or None, with_ground or None, root_motion or None)
    video = VideoRequest(None, camera, video_size, video_fps, video_speed, video_quality, video_worlds, video_layout)
    film_options = FilmOptions(rate, scale, *flags, world, cycle, in_place, video)
    raise typer.Exit(run_command(allowing(allow, lambda: convert_to(Session(), files, other, options, film_options))))
