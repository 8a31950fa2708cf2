"""The options of the command `gambol zoo`."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.defaults import OUT
from gambol.cli.guard import run_command


def zoo(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Creatures: roach, those of `gambol walk --list`, of `gambol replay`, or figures of the "
                       "examples. Without names, all of them.", metavar="[NAME]..."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Simulated time of each film.", show_default="their own, at most 6")
    ] = None,
    beside: Annotated[
        bool, typer.Option("--side-by-side", help="Write one page that simulates the animals side by side, in sizes in "
                           "which all are equally fast.")
    ] = False,
    out: Annotated[Path, typer.Option(help="The folder of the site.", metavar="DIR")] = OUT / "zoo",
    open_page: Annotated[bool, typer.Option("--open", help="Open the site when it is done.")] = False,
) -> None:  # fmt: skip
    """Build a site of all creatures that come with gambol: each page simulates its creature.

    Writes index.html, with a picture of each creature and a link to its page, and NAME.html and NAME.png for each
    creature. For creatures with large programs, the page plays a film. The site needs no server, and any
    file server can show it.
    """
    from gambol.cli.session import Session
    from gambol.cli.zoo.side_by_side import PAGE, build_side_by_side
    from gambol.cli.zoo.site import INDEX, ZooRequest, build_zoo

    chosen = tuple(names or ())
    if beside:
        code = run_command(lambda: build_side_by_side(Session(), out, chosen, seconds))
    else:
        code = run_command(lambda: build_zoo(Session(), ZooRequest(out, chosen, seconds)))
    if open_page:
        webbrowser.open((out / (PAGE if beside else INDEX)).resolve().as_uri())
    raise typer.Exit(code)
