"""The options of the command `gambol compete`."""

import webbrowser
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.evolve.options import Db, Device, Generations, Open, Out, Population, Seconds, Seed, Trials, Workers
from gambol.cli.guard import run_command
from gambol.cli.output import CameraOption, Export, Live, Output, Video, VideoRequest

COMPETE_EXAMPLES = """
Examples:

- `gambol compete --open`: a cat learns to chase a lizard that learns to get away

- `gambol compete hound cat --generations 30 --seed 2`: other animals, longer

- `gambol lineage last`: the ancestors of the best; `gambol replay last 120`: one contest, with the opponent it had
"""

Competitor = Annotated[str | None, typer.Argument(help="An animal, such as cat, lizard or hound.", show_default=False)]


def compete(
    chaser: Competitor = None,
    runner: Competitor = None,
    population: Population = None,
    generations: Generations = None,
    seconds: Seconds = None,
    trials: Trials = None,
    seed: Seed = None,
    resume: Annotated[str | None, typer.Option(help="Continue a run: its number, or last.", metavar="RUN")] = None,
    workers: Workers = None,
    device: Device = "cpu",
    db: Db = None,
    out: Out = OUT,
    video: Video = None,
    camera: CameraOption = None,
    export: Export = None,
    live: Live = None,
    open_page: Open = False,
) -> None:
    """Evolve a chaser and a runner against each other: two populations, each judged by the best of the other.

    Each animal walks as it evolved; what evolves is where it wants to go when it perceives the other. The archive keeps
    every contest with its opponent.
    """
    output = Output(out, VideoRequest(video, camera), tuple(export or ()), None, (), live)
    names = ("population", "generations", "seconds", "trials", "seed")
    values = (population, generations, seconds, trials, seed)
    changes = {name: value for name, value in zip(names, values, strict=True) if value is not None}

    def work() -> int:
        from gambol.cli.evolve.compete_command import CompeteCommand
        from gambol.cli.session import Session

        return CompeteCommand(chaser, runner, changes, resume, workers, device, db, output).execute(Session())

    code = run_command(work)
    if open_page and code == 0:
        webbrowser.open((out / "chase.html").resolve().as_uri())
    raise typer.Exit(code)
