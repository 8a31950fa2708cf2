"""The command `gambol view`: writes pages of files and opens them in the browser."""

import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gambol.cli.figures.creatures import HEADER_BYTES, file_name, is_creature
from gambol.cli.figures.inspection import film_above_floor
from gambol.cli.figures.numbered import is_number_file
from gambol.cli.figures.run_request import PreparedRun, RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.cli.figures.sources import DEFAULT_OPTIONS, ReadOptions, read_model
from gambol.cli.log import collected_warnings
from gambol.cli.plan.plan_command import planned_film
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_targets
from gambol.creatures.models import initial_state, world_of_model
from gambol.errors import GambolError
from gambol.figure import Figure, Joint, Link
from gambol.figure.visual import Visual
from gambol.formats import Model
from gambol.formats.file_format import SCRIPT, file_format
from gambol.formats.visuals.mesh_files import MESH_READERS, read_visual_mesh
from gambol.plan.file.reading import FORMAT as PLAN_FORMAT
from gambol.view import posture_film, with_floor, write_live_page, write_page
from gambol.world import Film

PAGE, VIEW_PAGE, LIVE_PAGE = ".html", ".view.html", ".live.html"
"""Suffixes: of any page, of the pages of films that the command writes, and of the live pages that it writes.

The last two differ from those of `gambol run`, so that its pages are not overwritten."""


@dataclass(frozen=True)
class ViewRequest:
    """The options of the command.

    out: folder for the pages. live: True for pages that simulate. opens: True to open them.
    """

    files: tuple[Path, ...]
    out: Path
    reading: ReadOptions = DEFAULT_OPTIONS
    live: bool = False
    opens: bool = True


@dataclass(frozen=True)
class ShownPage:
    """A page to show. path: path of the page. write(path): writes it; None for a page that exists already."""

    path: Path
    write: Callable[[Path], Any] | None = None


def view_files(session: Session, request: ViewRequest) -> int:
    """Write the pages of all files and open them; return the exit code, 0.

    Raises GambolError before any page is written for a file that cannot be shown, and for two pages of one name.
    """
    with collected_warnings() as notes:
        pages = [_prepare(session, file, request) for file in dict.fromkeys(request.files)]
    session.warn(notes)
    new = [page.path for page in pages if page.write is not None]
    if duplicate := next((path for path in new if new.count(path) > 1), None):
        raise GambolError(f'two of these files would both become "{duplicate}"; view one of them with another --out')
    check_targets(request.out, new)
    for page in pages:
        _show(session, page, opens=request.opens)
    return DONE


def _show(session: Session, page: ShownPage, *, opens: bool) -> None:
    """Write a page, if it does not exist, and open it."""
    if page.write is not None:
        with collected_warnings() as notes:
            page.write(page.path)
        session.warn(notes)
        session.print_line(f"wrote {page.path}")
    if opens:
        webbrowser.open(page.path.resolve().as_uri())


def _prepare(session: Session, file: Path, request: ViewRequest) -> ShownPage:
    """Return the page of a file.

    Raises GambolError for a file that cannot be read, and for options that do not apply to it.
    """
    if is_creature(file):
        return _simulated(session, file, request, "an evolved creature")
    if is_number_file(file):
        return _simulated(session, file, request, "a file of numbers")
    suffix = file.suffix.lower()
    if suffix == PAGE:
        _refuse_options(file, request, "a page already")
        if not file.is_file():
            raise GambolError(f'there is no page "{file}"')
        return ShownPage(file)
    if suffix == ".npz":
        _refuse_options(file, request, "a film")
        return ShownPage(_page_of(file, request), partial(write_page, Film.load(file)))
    if suffix in MESH_READERS:
        _refuse_options(file, request, "a mesh")
        notes = set[str]()
        shown = mesh_film(file, notes)
        session.note(sorted(notes))
        return ShownPage(_page_of(file, request), partial(write_page, shown))
    if file_format(file) == SCRIPT:
        return _simulated(session, file, request, "a script")
    if _is_plan(file):
        _refuse_options(file, request, "a plan")
        film = planned_film(session, file)
        return ShownPage(_page_of(file, request), lambda path: write_page(film(), path))
    model = read_model(file, request.reading)
    session.note(model.notes)
    if request.live and model.matter is not None:
        raise GambolError(
            f'--live: "{file.name}" has cloth, ropes, meshes or emitters, which live pages cannot simulate'
        )
    if request.live:
        return ShownPage(_page_of(file, request), partial(_write_live, model))
    return ShownPage(_page_of(file, request), partial(write_page, film_above_floor(model)))


def _page_of(file: Path, request: ViewRequest) -> Path:
    return request.out / f"{file_name(file)}{LIVE_PAGE if request.live else VIEW_PAGE}"


def _simulated(session: Session, file: Path, request: ViewRequest, kind: str) -> ShownPage:
    """Return the page of a file that contains its own simulation. kind: kind of the file, such as "a script"."""
    _refuse_options(file, replace(request, live=False), kind)
    run = prepare_run(RunRequest(file), request.out, session.print_line)
    if not request.live:
        return ShownPage(_page_of(file, request), lambda path: write_page(session.with_progress(run.film), path))
    if run.later is None and isinstance(run.simulation, str):
        raise GambolError(f'--live: "{file.name}": {run.simulation}')
    return ShownPage(_page_of(file, request), partial(_write_simulated, session, run))


def _write_simulated(session: Session, run: PreparedRun, path: Path) -> Path:
    """Write a live page of a run; the film is simulated first only if the page depends on it, as that of a script."""
    film = None if run.later is None else session.with_progress(run.film)
    simulation = run.simulation if run.later is None else run.later()
    if isinstance(simulation, str):
        raise GambolError(f"--live: {simulation}")
    state, numbers = simulation.state, simulation.numbers
    return write_live_page(state.world, path, state=state, numbers=numbers, film=film, **simulation.page())


def _refuse_options(file: Path, request: ViewRequest, kind: str) -> None:
    """Raise GambolError if options of figure files are given for a file of another kind, named by `kind`."""
    if request.live:
        which = "figures, evolved creatures, scripts and files of numbers"
        raise GambolError(f'--live: "{file.name}" is {kind}; {which} have live pages')
    if request.reading != DEFAULT_OPTIONS:
        options = "--base, --leave-out, --mend and --no-visuals"
        raise GambolError(f'"{file.name}" is {kind}; {options} are for figure files, leave them out')


def mesh_film(path: Path, notes: set[str]) -> Film:
    """Return a film of one frame: a mesh file with its materials, standing on a floor.

    notes: receives sentences on omitted textures. Raises GambolError as read_visual_mesh() does.
    """
    body = Link(path.stem, None, Joint("fixed"), visuals=(Visual(read_visual_mesh(path, notes=notes)),))
    return with_floor(posture_film(Figure(path.stem, (body,))))


def _is_plan(file: Path) -> bool:
    """Return True for a plan file."""
    if file.suffix.lower() != ".toml":
        return False
    with file.open("rb") as opened:
        return f'"{PLAN_FORMAT}"'.encode() in opened.read(HEADER_BYTES)


def _write_live(model: Model, path: Path) -> Path:
    """Write a live page in which the springs and the weight of a model move it."""
    world = world_of_model(model)
    return write_live_page(world, path, state=initial_state(model, world))
