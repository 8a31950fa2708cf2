"""The command that writes a graph of quantities over the frames of the film so far."""

from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.formats.csv_file import write_columns
from gambol.script.commands.dumping import has_header
from gambol.script.language.command import Definition, Values
from gambol.script.language.lines import path_inside
from gambol.script.state_variables import find_variable

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

TIME = "time [s]"
"""The first word of every graph that is a table."""

SOFTWARE = "gambol graph"
"""The metadata of every graph that is a picture. Files without it, or without TIME, are not overwritten."""


def _graph(interp: "Interpreter", values: Values) -> None:
    file, words = values[0], values[1].split()
    if not words:
        raise GambolError("name a quantity or more, such as arm.q, arm.dq, trunk.z or energy")
    path = path_inside(interp.out or interp.folder, file, interp.where)
    if path.suffix not in (".png", ".csv"):
        raise GambolError(f'a graph is a picture (.png) or a table (.csv); "{file}" is neither')
    if path.name == f"{interp.name}.png":
        raise GambolError(f'"{file}" is the name of the picture of the run; give another name')
    if interp.out is not None and (path.is_dir() or (path.is_file() and not has_header(path, (TIME, SOFTWARE)))):
        raise GambolError(f'"{file}" exists already and is not a graph; give another name')
    if not interp.frames_done:
        raise GambolError("nothing is simulated yet; give graph after go")
    built = interp.built_world()
    variables = [find_variable(interp, built, word) for word in words]
    if interp.is_dry_run:
        return
    film = interp.spliced_film.film()
    columns = {variable.label: variable.values(film) for variable in variables}
    if path.suffix == ".csv":
        write_columns(path, {TIME: film.time, **columns})
    elif interp.draw is None:
        raise GambolError(f'"{file}" needs a function that draws it: draw=gambol.view.write_graph; or write a .csv')
    else:
        interp.draw(film.time, columns, path, SOFTWARE)


DEFINITIONS = (
    Definition(
        "graph",
        "file:file variables:text",
        "writes a graph of quantities over the film so far: a picture (.png) or a table (.csv)",
        _graph,
        is_extension=True,
    ),
)
