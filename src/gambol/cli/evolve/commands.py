"""What the commands evolve, lineage, replay and breed take, and what they call."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import typer

from gambol.cli.guard import guarded
from gambol.errors import GambolError

OUT = Path("out")

EVOLVE_EXAMPLES = """
Examples:

- `gambol evolve --open`: a quadruped learns to walk, and the page opens

- `gambol evolve crawl`: a newt learns to crawl; `gambol evolve swim`: an eel to swim

- `gambol evolve hop --body biped`: two legs, another task

- `gambol evolve --body hexapod --evolve both`: sizes and places of its legs evolve, too

- `gambol evolve --body free --generations 300`: bodies of any structure

- `gambol evolve --resume`: goes on with the last run; `--resume 3` with run 3, `--generations 500` for longer

- `gambol evolve --executor dask:tcp://HOST:8786 --db postgresql+psycopg://HOST/NAME`: on a cluster
"""

Db = Annotated[
    str | None,
    typer.Option(
        help="The archive: a file of SQLite, or an address such as postgresql+psycopg://HOST/NAME.",
        metavar="URL_OR_FILE",
        show_default="DIR/evolve.db",
    ),
]
Out = Annotated[Path, typer.Option(help="The folder for what is written.", metavar="DIR")]
Run = Annotated[str, typer.Argument(help="The number of a run in the archive, or last.", metavar="[RUN]")]
Open = Annotated[bool, typer.Option("--open", help="Open the page when it is done.")]
BODIES = "quadruped, hexapod, biped, newt, snake, eel, free (any structure), or a genotype file (.toml)."
Body = Annotated[
    str | None,
    typer.Option(help=BODIES, show_default="quadruped; crawl: newt; swim: eel", metavar="NAME|FILE"),
]
BredBody = Annotated[
    str | None, typer.Option(help=BODIES, show_default="quadruped; of a run: its own", metavar="NAME|FILE")
]
Evolve = Annotated[
    Literal["control", "both"] | None,
    typer.Option(help="Whether control alone evolves, or the body's measures too.", show_default="control"),
]
Control = Annotated[
    str | None,
    typer.Option(
        help="What drives it: spectral, sinusoid, oscillators, responses, sensor-actuator, dataflow or recurrent.",
        show_default="spectral",
        metavar="KIND",
    ),
]
Seconds = Annotated[float | None, typer.Option(help="How long a life lasts.", show_default="as the task says")]
Seed = Annotated[int | None, typer.Option(help="Of all chance: from 0 to 2^63 - 1.", show_default="0")]


def evolve(
    task: Annotated[
        str | None,
        typer.Argument(
            help="walk, hop, jump, crawl, path or swim; with --resume it may be left out.", metavar="[TASK]"
        ),
    ] = None,
    run: Annotated[
        str | None, typer.Argument(help="With --resume: the number of a run, or last.", metavar="[RUN]")
    ] = None,
    body: Body = None,
    evolve: Evolve = None,
    control: Control = None,
    search: Annotated[
        str | None,
        typer.Option(
            help="es, es-plus, ga, cma, elites, islands or random.",
            show_default="es",
            metavar="NAME",
        ),
    ] = None,
    population: Annotated[int | None, typer.Option(help="Creatures in a generation.", show_default="256")] = None,
    generations: Annotated[int | None, typer.Option(help="How many generations.", show_default="100")] = None,
    seconds: Seconds = None,
    trials: Annotated[
        int | None, typer.Option(help="Of each life, of which the worst counts.", show_default="2")
    ] = None,
    seed: Seed = None,
    executor: Annotated[
        str, typer.Option(help="Who lives the lives: here, threads, processes or dask:ADDRESS.", metavar="NAME")
    ] = "threads",
    workers: Annotated[
        int | None, typer.Option(help="How many threads or processes.", show_default="one for each processor")
    ] = None,
    db: Db = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last run, or with the run given.")] = False,
    out: Out = OUT,
    open_page: Open = False,
) -> None:
    """Let creatures evolve, and show the best of them.

    Every creature that lives is kept in an archive. Ctrl-C, a crash or kill -9 lose the generation in flight at most:
    --resume goes on to the same result. At the end the best one is written: its genotype (TASK.toml), a page
    that plays its life (TASK.html) and pictures of it (TASK.png).
    """
    from gambol.cli.evolve.evolving import Evolving
    from gambol.cli.evolve.request import Request, task_and_run
    from gambol.cli.session import Session

    def work() -> int:
        name, other = task_and_run(task, run, resume)
        asked = Request(name, body, evolve, control, search, population, generations, seconds, seed, trials)
        evolving = Evolving(asked, other, executor, workers, db, out)
        code = evolving.go(Session())
        if open_page and code == 0:
            webbrowser.open(evolving.page().resolve().as_uri())
        return code

    raise typer.Exit(guarded(work))


def lineage(
    run: Run = "last",
    of: Annotated[str, typer.Option(help="Whose ancestors: the number of a creature, or best.", metavar="ID")] = "best",
    films: Annotated[int, typer.Option(help="How many of the line of descent are filmed, at most.")] = 24,
    db: Db = None,
    out: Annotated[Path, typer.Option(help="The page to write.", metavar="FILE.html")] = OUT / "lineage.html",
    open_page: Open = False,
) -> None:
    """Show where a creature comes from: fitness over generations, its family tree, and how its ancestors moved.

    Writes one page that needs no network: click a creature in the tree to see it move, its genes and its parents.
    """
    from gambol.cli.evolve.descent import Descent
    from gambol.cli.session import Session

    def work() -> int:
        return Descent(run, of, films, db, OUT, out).go(Session())

    code = guarded(work)
    if open_page:
        webbrowser.open(out.resolve().as_uri())
    raise typer.Exit(code)


def replay(
    run: Annotated[
        str,
        typer.Argument(
            help="A run in the archive: its number, or last; or a creature that comes with gambol: walker, hopper, "
            "jumper, crawler, swimmer, rower or strider.",
            metavar="[RUN|NAME]",
        ),
    ] = "last",
    creature: Annotated[str, typer.Argument(help="The number of a creature, or best.", metavar="[ID]")] = "best",
    db: Db = None,
    out: Out = OUT,
    video: Annotated[
        Path | None, typer.Option(help="Render a video too, an .mp4.", metavar="FILE.mp4", show_default=False)
    ] = None,
    trial: Annotated[int, typer.Option(help="Which trial of its life is shown, from 0.", metavar="K")] = 0,
    open_page: Open = False,
) -> None:
    """Let an ancestor live again, say whether its life is the same to the last bit, and show it.

    Writes TASK-RUN-ID.toml (its genotype), .html (a page that plays its life) and .png (pictures).
    The exit code is 1 if the life differs, as it may with another version of gambol. `gambol replay walker` shows a
    creature that comes with gambol.
    """
    from gambol.cli.evolve.replaying import Replaying
    from gambol.cli.session import Session

    def work() -> int:
        replaying = Replaying(run, creature, db, out, video, trial)
        code = replaying.go(Session())
        if open_page:
            webbrowser.open(replaying.page().resolve().as_uri())
        return code

    raise typer.Exit(guarded(work))


def breed(
    run: Annotated[
        str, typer.Argument(help="new, or a run to go on with or to begin from: its number, or last.", metavar="[RUN]")
    ] = "new",
    body: BredBody = None,
    evolve: Evolve = None,
    control: Control = None,
    population: Annotated[int | None, typer.Option(help="Creatures to choose from, 2 to 9.", show_default="9")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long a life lasts.", show_default="6")] = None,
    seed: Seed = None,
    db: Db = None,
    out: Out = OUT,
    port: Annotated[int, typer.Option(help="Of the page, on this machine alone.", show_default="any that is free")] = 0,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
) -> None:
    """Breed by eye: a page shows creatures that move, you click those who shall have children.

    Everything goes into the archive, so `gambol lineage` and `gambol replay` work on it. Ctrl-C ends the
    breeding. The page is served to this machine alone, under an address that nobody can guess.
    """
    from gambol.cli.evolve.choosing import Choosing
    from gambol.cli.evolve.request import Request
    from gambol.cli.session import Session

    def work() -> int:
        asked = Request(None, body, evolve, control, None, population, None, seconds, seed)
        if run != "new" and not run.isdecimal() and run != "last":
            raise GambolError(f'RUN: "{run}" is no number; give one, "last", or "new"')
        return Choosing(run, asked, db, out, port, open_page).go(Session())

    raise typer.Exit(guarded(work))
