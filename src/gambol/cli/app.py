"""The commands and their options."""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from gambol.cli.evolve import commands as evolution
from gambol.cli.evolve import compare, compete
from gambol.cli.figures import commands, convert_command, view_command
from gambol.cli.guard import CommandGroup
from gambol.cli.measure import commands as measures
from gambol.cli.plan import commands as plans
from gambol.cli.walk import commands as walks
from gambol.cli.walk import direct as directions
from gambol.cli.walk import together_command
from gambol.cli.zoo import commands as zoos

app = typer.Typer(
    cls=CommandGroup,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def gambol(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """gambol simulates and animates legged creatures.

    Try `gambol walk --open`: a cockroach with 38 degrees of freedom walks ten strides; a page opens and plays it.
    `gambol walk --list` names all creatures: people, hoppers, snakes and others. `gambol measure NAME` compares the
    motion of a creature with animals. `gambol direct NAME` directs an animal: its speed, turns, style and path.
    `gambol together NAME NAME` puts several creatures into one world.

    `gambol view FILE` shows a film, a figure or another file of gambol in the browser. `gambol zoo` builds a site of
    all creatures that come with gambol; each page simulates its creature.

    `gambol run FILE` simulates a figure from an MJCF, URDF or gambol figure file, or runs a corpus script. `gambol
    inspect FILE` describes a figure; `gambol collision FILE` draws its collision shapes; `gambol convert FILE OTHER`
    writes it in another format; `gambol examples` writes files to start from.

    `gambol plan FILE` finds the motion of least effort that satisfies a plan, and simulates the figure along it.

    `gambol evolve --open` evolves creatures that walk; `gambol lineage` shows the ancestors of the best one, `gambol
    replay RUN ID` simulates any ancestor again, and with `gambol breed` you choose the parents. `gambol compare es cma`
    compares searches.

    `gambol walk --help`, `gambol run --help` and `gambol evolve --help` list all options, with examples.
    """
    if show_version:
        try:
            print(version("gambol"))
        except PackageNotFoundError:
            print("unknown: gambol is not installed; it runs from its source")
    elif context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog=walks.WALK_EXAMPLES)(walks.walk)
app.command(epilog=directions.DIRECT_EXAMPLES)(directions.direct)
app.command(epilog=together_command.TOGETHER_EXAMPLES)(together_command.together)
app.command(epilog=commands.RUN_EXAMPLES)(commands.run)
app.command(epilog=measures.MEASURE_EXAMPLES)(measures.measure)
app.command()(commands.inspect)
app.command()(view_command.view)
app.command()(zoos.zoo)
app.command()(commands.collision)
app.command()(convert_command.convert)
app.command()(commands.examples)
app.command(epilog=plans.PLAN_EXAMPLES)(plans.plan)
app.command(epilog=evolution.EVOLVE_EXAMPLES)(evolution.evolve)
app.command(epilog=compete.COMPETE_EXAMPLES)(compete.compete)
app.command()(evolution.lineage)
app.command()(evolution.replay)
app.command()(evolution.breed)
app.command(epilog=compare.COMPARE_EXAMPLES)(compare.compare)
