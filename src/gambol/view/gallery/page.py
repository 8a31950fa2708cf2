"""The gallery page as one .html file that needs no network; its films are decoded when they are chosen."""

import base64
import gzip
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.page import encode_film
from gambol.view.template import fill_template
from gambol.world.film import Film

FRAME_RATE = 60.0  # [frames/s] low, since the player interpolates and a page has many films


@dataclass(frozen=True)
class GalleryEntry:
    """A creature of a gallery.

    name, summary: name and summary of the creature; film: its motion; facts: displayed values, by name.
    """

    name: str
    summary: str
    film: Film
    facts: Mapping[str, str] = field(default_factory=dict[str, str])


def write_gallery(title: str, entries: Sequence[GalleryEntry], path: str | Path) -> Path:
    """Write creatures with their films as one .html file; the first one plays when it is opened. Returns the path.

    title: title of the page; entries: creatures in their order on the page; path: path of the file. Raises GambolError
    for an empty gallery, a film with nothing to draw, or a folder that cannot be written to.
    """
    if not entries:
        raise GambolError("a gallery needs at least one creature")
    films = "\n".join(
        f'<script type="text/plain" id="film{k}">{encode_film(entry.film, rate=FRAME_RATE)}</script>'
        for k, entry in enumerate(entries)
    )
    data = [{"name": entry.name, "summary": entry.summary, "facts": dict(entry.facts)} for entry in entries]
    encoded = base64.b64encode(gzip.compress(json.dumps(data).encode(), 6, mtime=0)).decode()
    text = fill_template("gallery", {"title": html.escape(printable(title)), "gallery": encoded, "films": films})
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)
