"""The commands run, inspect, collision and examples: their options."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from gambol.cli import console
from gambol.cli.defaults import OUT
from gambol.cli.evolve.options import Allow
from gambol.cli.figures.arguments import (
    Accuracy,
    ActiveJoints,
    Actuators,
    Adaptive,
    Base,
    CompileLaw,
    Control,
    Controller,
    ControlRate,
    Figure,
    Gains,
    Hold,
    LeaveOut,
    Mend,
    NoVisuals,
    Open,
    PolicyFile,
    Pose,
    Srdf,
)
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

METHODS = "aba, crba, maximal, lagrangian or divide_and_conquer"
CONTACTS = "stepping (large steps), impulse, constraint, or penalty (springs; with any integrator)"
INTEGRATORS = (
    "explicit euler, semi-implicit euler, corpus euler, implicit euler, midpoint, implicit midpoint, heun, verlet, "
    "velocity verlet, leapfrog, rk4, rkf45, dormand-prince, rosenbrock or variational"
)

RUN_EXAMPLES = """
Examples:

`gambol examples` writes figures and scripts into the folder examples:

- `gambol run examples/figures/trapeze.toml --open`: simulates two seconds of passive motion

- `gambol run examples/figures/monopod.toml --ground flat --seconds 5 --video fall.mp4`: it hops and falls over

- `gambol run examples/figures/four_bar.toml --integrator rk4 --step 0.001`: uses another integrator

- `gambol run examples/figures/monopod.toml --ground hills --seed 3 --lanes 16`: starts 16 worlds from different states

- `gambol run arm.xml --control biceps=0.5`: with half the excitation of a muscle of the file

- `gambol run go2.urdf --hold --seconds 5`: a robot stands

- `gambol run arm.urdf --controller law.py:compensate`: your own function commands the motors

- `gambol run go2.urdf --policy walk.onnx`: a policy that was learnt in the environment of the file

- `gambol run examples/scripts/walk.corpus`: runs a script
"""


def run(
    file: Figure,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated time.", show_default="2; in a script, as written there")
    ] = None,
    method: Annotated[str, typer.Option(help=f"Forward dynamics: {METHODS}.")] = "aba",
    contact: Annotated[str | None, typer.Option(help=f"Contact method: {CONTACTS}.", show_default="stepping")] = None,
    integrator: Annotated[
        str | None, typer.Option(help=f"Integrator, for smooth contact or none: {INTEGRATORS}.", show_default="rkf45")
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(help="Length of a step, in seconds.", show_default="1/960 for large steps, else 1/2400"),
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="Error tolerance of a step of an adaptive integrator.", show_default="1e-7")
    ] = None,
    accuracy: Accuracy = None,
    ground: Annotated[
        str | None,
        typer.Option(help="none, flat, hills, or a file of heights in metres.", show_default="as in the file"),
    ] = None,
    spacing: Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")] = 0.05,
    seed: Annotated[
        int, typer.Option(help="Random seed of the hills and of the initial states of several figures.", min=0)
    ] = 0,
    precision: Annotated[Literal["float64", "float32"], typer.Option(help="Floating-point precision.")] = "float64",
    lanes: Annotated[
        int, typer.Option(help="Number of worlds to simulate, each with a random initial state.", min=1)
    ] = 1,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    no_visuals: NoVisuals = False,
    pose: Pose = None,
    srdf: Srdf = None,
    actuators: Actuators = False,
    control: Control = None,
    hold: Hold = False,
    gains: Gains = None,
    controller: Controller = None,
    control_rate: ControlRate = None,
    policy: PolicyFile = None,
    compile_law: CompileLaw = False,
    adaptive: Adaptive = None,
    active_joints: ActiveJoints = None,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    video_worlds: VideoWorlds = None,
    video_layout: VideoLayout = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Go on with commands that you type, after those of a script.")
    ] = False,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    live: Live = None,
    allow: Allow = None,
    out: Annotated[Path, typer.Option(help="The folder for the files, named after FILE.", metavar="DIR")] = OUT,
    open_page: Open = False,
) -> None:
    """Simulate a figure from a file, and show its motion.

    The motors of a figure are off unless --actuators, --control, --controller or --hold turns them on: without them,
    springs, tendons and weight move it. With --hold or --gains its joints hold a pose, on flat ground if its base is
    free. A script contains its own simulation. Writes a page (.html) that plays the motion, and also simulates the
    figure if its programs are small, frames of the motion (.png), the film (.npz) and the results (.json): energies,
    momentum, unaccounted energy, the final pose. Ctrl-C ends the run; the files then contain the run up to that time.
    """
    from gambol.cli.evolve.own_modules import allowing
    from gambol.cli.figures.run_request import RunRequest
    from gambol.cli.figures.sources import ReadOptions
    from gambol.cli.session import Session

    read_options = ReadOptions(base, tuple(leave_out or ()), mend, no_visuals, pose, srdf)
    request = RunRequest(
        file, seconds, method, integrator, step, tolerance, ground, spacing, seed, precision, lanes, contact,
        read_options, actuators, tuple(control or ()), hold, tuple(gains or ()), controller, control_rate,
        policy, compile_law, accuracy, adaptive, active_joints,
    )  # fmt: skip
    video_request = VideoRequest(
        video, camera, video_size, video_fps, video_speed, video_quality, video_worlds, video_layout
    )
    output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()), live)
    if interactive:
        from gambol.cli.figures.prompt import interact

        code = run_command(allowing(allow, lambda: interact(Session(), request, output)))
    else:
        code = run_command(allowing(allow, lambda: Session().run(request, output)))
    if open_page:
        from gambol.cli.figures.creatures import file_name

        webbrowser.open((out / f"{file_name(file)}.html").resolve().as_uri())
    raise typer.Exit(code)


def inspect(
    file: Figure,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    no_visuals: NoVisuals = False,
    pose: Pose = None,
    srdf: Srdf = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Path of the picture.", metavar="FILE.png", show_default="out/NAME.png"),
    ] = None,
    allow: Allow = None,
    open_picture: Open = False,
) -> None:
    """Describe a figure: its tree, joints, masses, springs, constraints and motors; and write a picture of it.

    Links without shapes are lines between joints. `gambol view` shows figures, films and other files in the browser.
    """
    from gambol.cli.evolve.own_modules import allowing
    from gambol.cli.figures.creatures import file_name
    from gambol.cli.figures.inspection import inspect_file
    from gambol.cli.figures.sources import ReadOptions
    from gambol.cli.session import Session

    path = picture or OUT / f"{file_name(file)}.png"
    options = ReadOptions(base, tuple(leave_out or ()), mend, no_visuals, pose, srdf)
    code = run_command(allowing(allow, lambda: inspect_file(Session(), file, path, options)))
    if open_picture:
        webbrowser.open(path.resolve().as_uri())
    raise typer.Exit(code)


def collision(
    file: Figure,
    link: Annotated[
        str | None, typer.Option(help="Link that hits the ground.", show_default="that of the lowest point")
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            help="Other link, which it hits instead of the ground.", metavar="LINK", show_default="the ground"
        ),
    ] = None,
    velocity: Annotated[
        str,
        typer.Option(
            help="Velocity of the point before the collision, in metres per second; with --other along two tangents "
            "and the normal of the contact.",
            metavar="X,Y,Z",
        ),
    ] = "1,0.5,-1",
    friction: Annotated[
        list[float] | None,
        typer.Option(
            help="Coefficient of friction; a column of the picture for each.", show_default="0.3, 0.4 and 0.7"
        ),
    ] = None,
    restitution: Annotated[float, typer.Option(help="Coefficient of restitution, by Stronge's hypothesis.")] = 0.0,
    base: Base = None,
    leave_out: LeaveOut = None,
    mend: Mend = False,
    no_visuals: NoVisuals = False,
    pose: Pose = None,
    srdf: Srdf = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Path of the picture.", metavar="FILE.png", show_default="out/NAME-collision.png"),
    ] = None,
    open_picture: Open = False,
) -> None:
    """Draw how a collision of a figure with the ground, or of two of its links, proceeds.

    The figure is in its initial posture, and a link hits flat ground with its lowest point, or another link where the
    two are nearest. The picture shows, in the plane of sliding velocities, how the
    sliding velocity changes while the impulse grows, from every initial direction; the directions that do not change;
    the friction cone; and the path of the collision with the given velocity.
    """
    from gambol.cli.figures.collision import CollisionRequest, draw_collision
    from gambol.cli.figures.creatures import file_name
    from gambol.cli.figures.sources import ReadOptions

    path = picture or OUT / f"{file_name(file)}-collision.png"
    options = ReadOptions(base, tuple(leave_out or ()), mend, pose=pose, srdf=srdf)
    chosen = tuple(friction or (0.3, 0.4, 0.7))
    request = CollisionRequest(file, path, link, other, velocity, chosen, restitution, options)
    code = run_command(lambda: draw_collision(request))
    if open_picture:
        webbrowser.open(path.resolve().as_uri())
    raise typer.Exit(code)


def examples(
    folder: Annotated[Path, typer.Argument(help="The folder for the examples.", metavar="[DIR]")] = Path("examples"),
) -> None:
    """Write the examples that come with gambol into a folder: figures, scripts and programs to start from.

    No other file is changed. `gambol run examples/figures/trapeze.toml` then simulates one of them.
    """
    from gambol.cli.figures.examples import write_examples
    from gambol.cli.targets import check_folder

    def work() -> int:
        check_folder(folder, "DIR")
        paths = write_examples(folder)
        for path in paths:
            console.output_console().print(Text(f"wrote {path}"), soft_wrap=True)
        if not paths:
            console.output_console().print(Text(f"{folder} already has all examples"), soft_wrap=True)
        return 0

    raise typer.Exit(run_command(work))
