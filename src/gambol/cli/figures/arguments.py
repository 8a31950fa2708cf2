"""Arguments and options that several commands about figures have."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Figure = Annotated[
    Path,
    typer.Argument(
        help="A figure or genotype (.toml), MJCF (.xml), URDF (.urdf) or USD (.usd, .usda, .usdc, .usdz) file; an "
        "evolved creature of an archive, ARCHIVE.db:RUN:ID; `run` also takes a corpus script (.corpus), "
        "and the numbers that a page saved (.numbers.json)."
    ),
]
Base = Annotated[
    Literal["fixed", "free"] | None,
    typer.Option(help="Joint between the root of a URDF file and the world.", show_default="fixed"),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(help="Name of an unsupported feature to leave out, as in the error message.", metavar="NAME"),
]
Mend = Annotated[bool, typer.Option("--mend", help="Correct physically impossible inertias of a URDF file.")]
NoVisuals = Annotated[bool, typer.Option("--no-visuals", help="Draw the shapes that collide, not visual meshes.")]
Pose = Annotated[
    str | None,
    typer.Option(
        help="Initial pose: a keyframe of an MJCF file, or a pose of --srdf.",
        metavar="NAME",
        show_default="home, if MJCF has it",
    ),
]
Srdf = Annotated[
    Path | None,
    typer.Option(help="The SRDF file of a URDF file: its poses, and links that never touch.", metavar="FILE.srdf"),
]
Open = Annotated[bool, typer.Option("--open", help="Open the result when it is done.")]
Actuators = Annotated[bool, typer.Option("--actuators", help="Turn the motors and muscles of the file on.")]
Control = Annotated[
    list[str] | None,
    typer.Option(help="Constant control of a motor or muscle; turns all of them on.", metavar="NAME=VALUE"),
]
Hold = Annotated[
    bool, typer.Option("--hold", help="The motors hold the pose of the file, or a pose in which the figure stands.")
]
Gains = Annotated[
    list[str] | None,
    typer.Option(
        help="Stiffness and damping with which all motors hold, or one.",
        metavar="[NAME=]K,D",
        show_default="from the masses",
    ),
]
Controller = Annotated[
    str | None,
    typer.Option(
        help="A function of time, q and v that commands all motors. This executes your own code.",
        metavar="FILE.py:NAME",
    ),
]
ControlRate = Annotated[
    float | None, typer.Option(help="Calls of --controller per simulated second.", show_default="240")
]
PolicyFile = Annotated[
    str | None,
    typer.Option(
        help="A policy that acts in the environment of the figure, see gambol.make_env.",
        metavar="FILE.onnx",
        show_default=False,
    ),
]
CompileLaw = Annotated[
    bool,
    typer.Option("--compile", help="Compile the function of --controller, which must use generic scalars only."),
]
Accuracy = Annotated[
    float | None,
    typer.Option(
        help="Error after half a second, divided by the figure's size, such as 0.01: chooses the steps.",
        show_default="steps as above",
    ),
]
Adaptive = Annotated[
    float | None,
    typer.Option(
        help="Adaptive dynamics, for figures of hundreds of joints: hold joints whose speed errors stay below this "
        "bound, in rad/s or m/s; 0 holds none.",
        metavar="BOUND",
    ),
]
ActiveJoints = Annotated[
    int | None,
    typer.Option(help="Adaptive dynamics with this number of joints that move at a time.", metavar="N"),
]
