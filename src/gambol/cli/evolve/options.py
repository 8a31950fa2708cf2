"""The options of the commands about evolution, as Typer reads them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Db = Annotated[
    str | None,
    typer.Option(
        help="The archive: an SQLite file, or an address such as postgresql+psycopg://HOST/NAME.",
        metavar="URL_OR_FILE",
        show_default="DIR/evolve.db",
    ),
]
Out = Annotated[Path, typer.Option(help="The folder for the files.", metavar="DIR")]
Run = Annotated[str, typer.Argument(help="The number of a run in the archive, or last.", metavar="[RUN]")]
Open = Annotated[bool, typer.Option("--open", help="Open the page when it is done.")]
BODIES = (
    "quadruped, hexapod, biped, newt, snake, eel, dog, cat, horse, lizard, bird, dinosaur, monkey, beetle, spider, "
    "crab, centipede, oculus, free (any topology), a genotype file (.toml), or ARCHIVE.db:RUN:ID."
)
Body = Annotated[
    str | None,
    typer.Option(help=BODIES, show_default="quadruped; crawl: newt; swim: eel", metavar="NAME|FILE"),
]
BredBody = Annotated[
    str | None, typer.Option(help=BODIES, show_default="quadruped, or that of the run", metavar="NAME|FILE")
]
Evolve = Annotated[
    Literal["control", "both"] | None,
    typer.Option(help="Evolve control only, or both control and body.", show_default="control"),
]
Control = Annotated[
    str | None,
    typer.Option(
        help="Kind of controller: spectral, balanced, stride, sinusoid, oscillators, responses, sensor-actuator, "
        "dataflow or recurrent.",
        show_default="spectral; natural: stride; trot: trot",
        metavar="KIND",
    ),
]
Senses = Annotated[
    str | None,
    typer.Option(
        help="With a network as controller: what it reads, such as angles,contacts,up,eye; names of sensors of the "
        "body are known, too.",
        show_default="angles,contacts,up and all sensors",
        metavar="NAMES",
    ),
]
Seconds = Annotated[float | None, typer.Option(help="Simulated time of a trial.", show_default="set by the task")]
Seed = Annotated[int | None, typer.Option(help="Random seed, from 0 to 2^63 - 1.", show_default="0")]
Task = Annotated[
    str | None,
    typer.Argument(
        help="walk, hop, jump, crawl, path, swim, natural, trot, or your own MODULE:NAME; optional with --resume.",
        metavar="[TASK]",
    ),
]
ResumedRun = Annotated[str | None, typer.Argument(help="With --resume: the number of a run, or last.", metavar="[RUN]")]
Muscles = Annotated[bool, typer.Option("--muscles", help="Drive every joint by two muscles instead of a servo.")]
Metabolism = Annotated[
    str | None,
    typer.Option(
        help="With --muscles: umberger-2003 or bhargava-2004, by which muscles have mass and heat.",
        show_default="none",
    ),
]
Motors = Annotated[
    Literal["servo", "hill", "elastic"] | None,
    typer.Option(
        help="Motors of the joints: servo; hill, whose strength falls with speed as that of muscles; or elastic, which "
        "also pull later and by tendons.",
        show_default="those of the body",
    ),
]
Ground = Annotated[
    str | None, typer.Option(help="flat, hills, or a file of heights in metres: .npy or .csv.", show_default="flat")
]
Spacing = Annotated[float, typer.Option(help="Distance between the heights of a file, in metres.")]
GroundPathFile = Annotated[
    str | None,
    typer.Option(
        help="Follow the curve through the points of a file, with x and y on the ground in metres: .csv or .npy.",
        metavar="FILE.csv",
        show_default=False,
    ),
]
GroundSlope = Annotated[float | None, typer.Option(help="Slope of the ground in degrees, positive uphill.")]
Speed = Annotated[float | None, typer.Option(help="Requested speed, in m/s.", show_default="the highest")]
Terms = Annotated[
    list[str] | None,
    typer.Option(
        "--term",
        help='Add a term to the fitness, or change its weight, such as "animal foot slide=0.5". Repeatable.',
        metavar="TERM=WEIGHT",
        show_default=False,
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        help="es, es-plus, ga, cma, elites, islands, random, or your own MODULE:NAME.",
        show_default="es",
        metavar="NAME",
    ),
]
Population = Annotated[int | None, typer.Option(help="Number of creatures in a generation.", show_default="256")]
Generations = Annotated[int | None, typer.Option(help="Number of generations.", show_default="100")]
Trials = Annotated[
    int | None, typer.Option(help="Number of trials of each creature; the worst trial counts.", show_default="2")
]
Executor = Annotated[
    str, typer.Option(help="Executor of the simulations: here, threads, processes or dask:ADDRESS.", metavar="NAME")
]
Workers = Annotated[
    int | None, typer.Option(help="Number of threads or processes.", show_default="one for each processor")
]
Device = Annotated[
    str, typer.Option(help="Device of each worker: cpu, or cuda for a graphics processor.", metavar="NAME")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the last run, or RUN.")]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        help="Allow the import of this module with a task or a search of your own; an import executes it. Repeatable.",
        metavar="MODULE",
        show_default=False,
    ),
]
