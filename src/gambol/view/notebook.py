"""The display of objects in a notebook: a page that plays a film, a picture of a world or figure, property tables."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from gambol.errors import GambolError, printable
from gambol.figure import JOINTS, Figure
from gambol.view import opengl
from gambol.view.page import encode_film, page_text
from gambol.view.still import posture_film, with_floor, write_still
from gambol.world import Film, World
from gambol.world.film import signal_kind

MAX_ROWS = 40
"""Maximum number of rows of a table: creatures with muscles have hundreds of signals."""

MAX_NUMBERS = 1_000_000
"""Maximum size of the array of poses that a notebook's page plays: they take 1 to 1.5 MB, and the page's scripts 0.3
MB."""

MAX_WORLDS, RATE = 4, 60.0
"""Maximum number of worlds that are played, and frames per second of simulated time."""

HEIGHT = 440
"""Height of the page in a notebook [pixels]."""


def film_html(film: Film) -> str:
    """Return a page that plays a film, or the beginning of a long one, above a table of its signals."""
    facts = f"{len(film.time)} frames, {film.duration:.3g} s, worlds: {film.worlds}, links: {len(film.link_names)}"
    rows = [_signal_row(film, name) for name in film.signals]
    table = _table(("signal", "shape", "unit", "meaning"), rows)
    signals = f"<details><summary>signals: {len(rows)}</summary>{table}</details>"
    return f"<p><b>{_text(film.name)}</b>: {facts}</p>{_player(film)}{signals}"


def world_html(world: World) -> str:
    """Return a picture of a world's figure in its initial state, and the properties in its repr."""
    posture = posture_film(world.figure, world.initial.q)
    lines = "<br>".join(map(_text, repr(world)[1:-1].splitlines()))
    return f"<p>{lines}</p>{_picture(posture if world.has_ground else with_floor(posture))}"


def figure_html(figure: Figure) -> str:
    """Return a picture of a figure with its joints at rest, and a table of its links."""
    rows = [_link_row(figure, k) for k in range(len(figure.links))]
    table = _table(("link", "parent", "joint", "freedoms", "mass [kg]"), rows)
    return f"<p>{_text(repr(figure)[1:-1])}</p>{_picture(with_floor(posture_film(figure)))}{table}"


def _player(film: Film) -> str:
    """Return a frame with the page of a film, or the reason for its absence."""
    numbers = 7 * max(1, len(film.link_names)) * min(film.worlds, MAX_WORLDS)
    seconds = MAX_NUMBERS / (RATE * max(1, numbers))
    is_long = film.duration > seconds
    try:
        if not len(film.time) or not np.isfinite(film.position).all():
            raise GambolError("it has no frames, or positions that are not finite")
        shown = film.between(film.time[0], film.time[0] + seconds) if is_long else film
        page = page_text(shown, encode_film(shown, range(min(film.worlds, MAX_WORLDS)), RATE))
    except GambolError as error:
        return f"<p>not drawn: {_text(str(error))}</p>"
    frame = f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{_text(film.name)}"'
    omitted = f"<p>the first {seconds:.3g} s; write_page() makes a page of all</p>" if is_long else ""
    return f'{frame} width="100%" height="{HEIGHT}" style="border:0"></iframe>{omitted}'


def _picture(film: Film) -> str:
    """Return a picture of a film of one frame, or the reason for its absence."""
    if not opengl.can_render():
        return "<p>no picture: this machine has no OpenGL</p>"
    with TemporaryDirectory() as folder:
        try:
            path = write_still(film, Path(folder) / "figure.png")
        except GambolError as error:
            return f"<p>not drawn: {_text(str(error))}</p>"
        data = base64.b64encode(path.read_bytes()).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{_text(film.name)}" style="max-width:560px;width:100%">'


def _signal_row(film: Film, name: str) -> tuple[str, ...]:
    kind = signal_kind(name, film.signals)
    return (name, str(np.shape(film.signals[name])), kind.unit if kind else "", kind.meaning if kind else "")


def _link_row(figure: Figure, k: int) -> tuple[str, ...]:
    link = figure.links[k]
    parent = figure.links[link.parent_index - 1].name if link.parent_index else ""
    return (
        link.name,
        parent,
        link.joint.kind,
        str(JOINTS[link.joint.kind].nv),
        f"{float(link.mass_properties.mass):.4g}",
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with MAX_ROWS rows at most, and the number of rows that are left out."""
    head = _row("th", header)
    body = "".join(_row("td", row) for row in rows[:MAX_ROWS])
    omitted = len(rows) - MAX_ROWS
    return f"<table>{head}{body}</table>" + (f"<p>and {omitted} more</p>" if omitted > 0 else "")


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(text: str) -> str:
    """Return text for HTML, without control characters."""
    return escape(printable(text))
