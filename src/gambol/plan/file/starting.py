"""The motion that a plan file starts from, and the part of it that may change."""

from dataclasses import dataclass
from pathlib import Path

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.formats.table import Table
from gambol.plan.file.goals import link_names
from gambol.plan.file.values import wrong_value
from gambol.plan.motion import Window

PLAN, FILM = ".toml", ".npz"


@dataclass(frozen=True)
class StartOptions:
    """The motion to start from.

    path: path of another plan file, which is solved first, or of a film; None: no motion.

    part: first and last time of the part of the film [s]; None for all of it. window: the part of that plan's motion
    that may change; None for all of it.
    """

    path: Path | None = None
    part: tuple[float, float] | None = None
    window: Window | None = None


def read_start(table: Table, folder: Path, figure: Figure) -> StartOptions:
    """Return the keys "start_from" and "window" of a plan. folder: folder of the plan file; paths are relative to it.

    Raises GambolError, which names file, line and key, for files that are not there or of another kind, for a window
    without another plan, and for a window whose end is not after its start; FigureError for links that the figure does
    not have.
    """
    path, part = _start_motion(table, folder) if "start_from" in table else (None, None)
    if "window" not in table:
        return StartOptions(path, part)
    if path is None or path.suffix != PLAN:
        raise GambolError(
            f"{table.location_of('window')}: a window changes a part of the motion of another plan; give its file, "
            'such as start_from = "reach.toml"'
        )
    row = table.table("window")
    row.check_keys("start", "end", "links")
    names = link_names(row, "links")
    for name in names:
        figure.link(name)
    window = Window(row.number("start"), row.number("end"), names)
    if not 0.0 <= window.start < window.end:
        raise wrong_value(row, "end", f"later than start, {window.start:g} s, which is 0 or more")
    return StartOptions(path, window=window)


def _start_motion(table: Table, folder: Path) -> tuple[Path, tuple[float, float] | None]:
    """Return the path of a plan or film, and the part of the film in a table { film, start, end }."""
    if not isinstance(table.data["start_from"], dict):
        return _path(table, "start_from", folder, (PLAN, FILM), f"another plan ({PLAN}), or a film ({FILM})"), None
    row = table.table("start_from")
    row.check_keys("film", "start", "end")
    path, start, end = _path(row, "film", folder, (FILM,), f"a film ({FILM})"), row.number("start"), row.number("end")
    if not 0.0 <= start < end:
        raise wrong_value(row, "end", f"later than start, {start:g} s, which is 0 or more")
    return path, (start, end)


def _path(table: Table, key: str, folder: Path, suffixes: tuple[str, ...], expected: str) -> Path:
    path = folder / table.text(key)
    if path.suffix not in suffixes:
        raise wrong_value(table, key, expected)
    if not path.is_file():
        raise GambolError(f'{table.location_of(key)}: there is no file "{path}"; paths are relative to the plan file')
    return path
