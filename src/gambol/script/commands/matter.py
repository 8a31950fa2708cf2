"""The command that puts cloth, ropes, meshes and particles into the world."""

from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.formats import read_figure
from gambol.formats.matter_tables import STAGE_LINK
from gambol.script.language.command import Definition, Values
from gambol.script.language.lines import path_inside
from gambol.script.script_matter import ScriptMatter

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter


def _matter(interp: "Interpreter", values: Values) -> None:
    (file,) = values
    if interp.matter is not None:
        raise GambolError("the script has matter already; put all of it into one file")
    if interp.frames_done:
        raise GambolError("some of the film is simulated already; give matter before the first go")
    model = read_figure(path_inside(interp.folder, file, interp.where))
    if model.matter is None:
        raise GambolError(f'"{file}" has no cloths, ropes, meshes or emitters')
    if model.figure.given_links != (STAGE_LINK,):
        raise GambolError(f'"{file}" has links; give a file without, and build the figure by commands')
    interp.matter = ScriptMatter(model.matter)


DEFINITIONS = (
    Definition(
        "matter",
        "file:file",
        "puts the cloth, ropes, meshes and emitters of a figure file into the world, before the first go",
        _matter,
        is_extension=True,
    ),
)
