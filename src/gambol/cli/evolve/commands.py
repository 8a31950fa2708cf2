"""The commands evolve, lineage, replay and breed: their options."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.evolve.options import (
    Allow,
    Body,
    BredBody,
    Control,
    Db,
    Device,
    Evolve,
    Executor,
    Generations,
    Ground,
    GroundPathFile,
    GroundSlope,
    Metabolism,
    Motors,
    Muscles,
    Open,
    Out,
    Population,
    Resume,
    ResumedRun,
    Run,
    Search,
    Seconds,
    Seed,
    Senses,
    Spacing,
    Speed,
    Task,
    Terms,
    Trials,
    Workers,
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
    VideoQuality,
    VideoRequest,
    VideoSize,
    VideoSpeed,
)
from gambol.errors import GambolError

EVOLVE_EXAMPLES = """
Examples:

- `gambol evolve --open`: evolves a quadruped that walks, and opens the page

- `gambol evolve crawl`: evolves a newt that crawls; `gambol evolve swim`: an eel that swims

- `gambol evolve hop --body biped`: evolves another body for another task

- `gambol evolve --body hexapod --evolve both`: also evolves sizes and positions of its legs

- `gambol evolve --muscles`: evolves a quadruped that walks with antagonist muscles instead of servos

- `gambol evolve natural --body hexapod`: rewards motion that is like that of animals of its mass

- `gambol evolve natural --body cat --term "animal foot slide=0.5"`: with one more term

- `gambol evolve trot --body dog`: a trot like that of animals of its mass

- `gambol evolve --motors hill`: evolves a quadruped whose motors weaken with speed, as muscles do

- `gambol evolve --motors elastic`: the same with tendons, and with the delay of muscles

- `gambol evolve mine:bow --search mine:Anneal`: a task and a search of your own, from mine.py or an installed module

- `gambol evolve --body free --generations 300`: evolves bodies of any topology

- `gambol evolve --ground dunes.csv --spacing 0.1`: evolves over the heights of a file, in metres, 10 cm apart

- `gambol evolve --path course.csv --speed 0.5`: evolves to follow a path at half a metre per second

- `gambol evolve --export walker.glb`: also writes the film of the best for Blender and game engines

- `gambol evolve --resume`: continues the last run; `--resume 3` continues run 3; add `--generations 500` to extend it

- `gambol evolve --executor dask:tcp://HOST:8786 --db postgresql+psycopg://HOST/NAME`: runs on a cluster
"""


def evolve(
    task: Task = None,
    run: ResumedRun = None,
    body: Body = None,
    evolve: Evolve = None,
    muscles: Muscles = False,
    metabolism: Metabolism = None,
    motors: Motors = None,
    control: Control = None,
    senses: Senses = None,
    search: Search = None,
    population: Population = None,
    generations: Generations = None,
    seconds: Seconds = None,
    trials: Trials = None,
    seed: Seed = None,
    ground: Ground = None,
    spacing: Spacing = 0.05,
    path: GroundPathFile = None,
    slope: GroundSlope = None,
    speed: Speed = None,
    term: Terms = None,
    executor: Executor = "threads",
    workers: Workers = None,
    device: Device = "cpu",
    db: Db = None,
    resume: Resume = False,
    allow: Allow = None,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    out: Out = OUT,
    open_page: Open = False,
) -> None:
    """Evolve creatures, and show the best of them.

    Every evaluated creature is stored in an archive. Ctrl-C, a crash or kill -9 lose at most the current generation;
    --resume continues with the same result. At the end, files of the best creature are written: its genotype
    (TASK.toml), a page that plays its motion (TASK.html) and pictures of it (TASK.png); --export writes its film for
    other programs, --video renders it, and --plot draws its signals.
    """
    from gambol.cli.evolve.evolve_command import EvolveCommand
    from gambol.cli.evolve.own_modules import allow_own_modules
    from gambol.cli.evolve.request import Request, task_and_run
    from gambol.cli.evolve.surroundings import Surroundings
    from gambol.cli.session import Session

    def work() -> int:
        allow_own_modules(allow or ())
        task_name, run_to_resume = task_and_run(task, run, resume)
        counts = population, generations, seconds, seed, trials
        surroundings = Surroundings(ground, spacing, path, slope, speed)
        how = muscles, surroundings, motors, metabolism, senses, tuple(term or ())
        request = Request(task_name, body, evolve, control, search, *counts, *how)
        video_request = VideoRequest(video, camera, video_size, video_fps, video_speed, video_quality)
        output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()))
        command = EvolveCommand(request, run_to_resume, executor, workers, device, db, output)
        code = command.execute(Session())
        if open_page and code == 0:
            webbrowser.open(command.page().resolve().as_uri())
        return code

    raise typer.Exit(run_command(work))


def lineage(
    run: Run = "last",
    of: Annotated[
        str, typer.Option(help="The creature whose ancestors are shown: its number, or best.", metavar="ID")
    ] = "best",
    films: Annotated[int, typer.Option(help="Maximum number of creatures to film in the line of descent.")] = 24,
    plot_file: Annotated[
        list[Path] | None,
        typer.Option(
            help="Also write fitness over generations: .png, .svg, .pdf, or its numbers as .csv; again for more.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    allow: Allow = None,
    db: Db = None,
    out: Annotated[Path, typer.Option(help="The page to write.", metavar="FILE.html")] = OUT / "lineage.html",
    open_page: Open = False,
) -> None:
    """Show the ancestry of a creature: fitness over generations, a family tree, and films of ancestors.

    Writes one page that needs no network: click a creature in the tree to see it move, its genes and its parents.
    """
    from gambol.cli.evolve.lineage_command import LineageCommand
    from gambol.cli.evolve.own_modules import allow_own_modules
    from gambol.cli.session import Session

    def work() -> int:
        allow_own_modules(allow or ())
        return LineageCommand(run, of, films, db, OUT, out, tuple(plot_file or ())).execute(Session())

    code = run_command(work)
    if open_page:
        webbrowser.open(out.resolve().as_uri())
    raise typer.Exit(code)


def replay(
    run: Annotated[
        str,
        typer.Argument(
            help="A run in the archive: its number, or last; or ARCHIVE.db:RUN:ID; or a creature that comes with "
            "gambol: walker, hopper, springer, jumper, crawler, swimmer, rower or strider.",
            metavar="[RUN|NAME|ADDRESS]",
        ),
    ] = "last",
    creature: Annotated[str, typer.Argument(help="The number of a creature, or best.", metavar="[ID]")] = "best",
    allow: Allow = None,
    db: Db = None,
    out: Out = OUT,
    video: Video = None,
    camera: CameraOption = None,
    video_size: VideoSize = None,
    video_fps: VideoFps = None,
    video_speed: VideoSpeed = None,
    video_quality: VideoQuality = None,
    export: Export = None,
    plot: Plot = None,
    plot_file: PlotFile = None,
    live: Live = None,
    trial: Annotated[int, typer.Option(help="The trial to show, from 0.", metavar="K")] = 0,
    open_page: Open = False,
) -> None:
    """Simulate a stored creature again, compare the outcome to the last bit, and show it.

    Writes TASK-RUN-ID.toml (its genotype), .html (a page that plays its motion, and also simulates the creature if its
    programs are small) and .png (pictures). The exit code is 1 if the outcome differs; this can happen with another
    version of gambol. `gambol replay walker` shows a creature that comes with gambol.
    """
    from gambol.cli.evolve.own_modules import allow_own_modules
    from gambol.cli.evolve.replay_command import ReplayCommand, replay_arguments
    from gambol.cli.session import Session

    def work() -> int:
        allow_own_modules(allow or ())
        video_request = VideoRequest(video, camera, video_size, video_fps, video_speed, video_quality)
        output = Output(out, video_request, tuple(export or ()), plot, tuple(plot_file or ()), live)
        command = ReplayCommand(*replay_arguments(run, creature, db), output, trial)
        code = command.execute(Session())
        if open_page:
            webbrowser.open(command.page().resolve().as_uri())
        return code

    raise typer.Exit(run_command(work))


def breed(
    run: Annotated[
        str, typer.Argument(help="new, or a run to continue or to start from: its number, or last.", metavar="[RUN]")
    ] = "new",
    body: BredBody = None,
    evolve: Evolve = None,
    control: Control = None,
    population: Annotated[
        int | None, typer.Option(help="Number of creatures on the page, 2 to 9.", show_default="9")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Simulated time of a film.", show_default="6")] = None,
    seed: Seed = None,
    allow: Allow = None,
    db: Db = None,
    out: Out = OUT,
    port: Annotated[
        int, typer.Option(help="Port of the page, on this machine only.", show_default="any free port")
    ] = 0,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
    device: Device = "cpu",
) -> None:
    """Evolve interactively: a page shows moving creatures, and you click the parents of the next generation.

    Everything is stored in the archive, so `gambol lineage` and `gambol replay` work on it. Ctrl-C ends the
    breeding. The page is served to this machine only, under an address that cannot be guessed.
    """
    from gambol.cli.evolve.breed_command import BreedCommand
    from gambol.cli.evolve.own_modules import allow_own_modules
    from gambol.cli.evolve.request import Request
    from gambol.cli.session import Session

    def work() -> int:
        allow_own_modules(allow or ())
        request = Request(None, body, evolve, control, None, population, None, seconds, seed)
        if run != "new" and not run.isdecimal() and run != "last":
            raise GambolError(f'RUN: "{run}" is not a number; give one, "last", or "new"')
        return BreedCommand(run, request, db, out, port, open_page, device).execute(Session())

    raise typer.Exit(run_command(work))
