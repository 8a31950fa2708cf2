"""The first page of a site of creatures, as one .html file beside their pages and pictures. It has no scripts."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.view.template import content_policy, style_of, substitute, template_of


@dataclass(frozen=True)
class ZooEntry:
    """A creature of the site.

    name, summary: name and summary of the creature; group: heading of its group; page: file name of its page; note: a
    short fact about the page; picture: file name of its picture, or None.
    """

    name: str
    summary: str
    group: str
    page: str
    note: str = ""
    picture: str | None = None


def write_zoo(title: str, entries: Sequence[ZooEntry], path: str | Path) -> Path:
    """Write the first page of a site. Returns the path.

    title: title of the page; entries: creatures in their order on the page, grouped; path: path of the file, in the
    folder of the pages and pictures. Raises GambolError for a folder that cannot be written to.
    """
    groups = "\n".join(_section(group, list(members)) for group, members in groupby(entries, lambda entry: entry.group))
    texts = {
        "title": _text(title),
        "style": style_of("zoo"),
        "policy": content_policy("zoo", {"img-src": "'self' file:"}),
        "groups": groups,
    }
    text = substitute(template_of("zoo"), texts)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def _section(group: str, entries: Sequence[ZooEntry]) -> str:
    cards = "\n".join(map(_card, entries))
    return f"<section>\n<h2>{_text(group)}</h2>\n<ul>\n{cards}\n</ul>\n</section>"


def _card(entry: ZooEntry) -> str:
    picture = f'<img src="{_text(entry.picture)}" alt="" loading="lazy">' if entry.picture else ""
    texts = f'<h3>{_text(entry.name)}</h3><p>{_text(entry.summary)}</p><p class="quiet">{_text(entry.note)}</p>'
    return f'<li><a href="{_text(entry.page)}">{picture}{texts}</a></li>'


def _text(text: str) -> str:
    return html.escape(printable(text))
