"""HTML pages from templates: one .html file that contains all its scripts and styles."""

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from gambol.errors import GambolError

PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
"""Pattern of a name in a template."""

MODULES = {
    "three": "player/three/three.min.js",
    "arrows": "player/arrows.js",
    "muscles": "player/muscles.js",
    "matter": "player/matter.js",
    "camera_track": "player/camera_track.js",
    "visuals": "player/visuals.js",
    "figures": "player/figures.js",
    "theme": "player/theme.js",
    "contact_shadow": "player/contact_shadow.js",
    "environment": "player/environment.js",
    "ground": "player/ground.js",
    "scenery": "player/scenery.js",
    "player": "player/player.js",
    "live": "live/live.js",
    "served": "live/served.js",
    "picking": "live/picking.js",
    "touch": "live/touch.js",
    "settings": "live/settings.js",
    "recorded": "live/recorded.js",
    "panel": "live/panel.js",
    "contacts": "live/contacts.js",
    "marks": "live/marks.js",
    "signals": "live/signals.js",
    "saving": "live/saving.js",
    "tilt": "live/tilt.js",
    "hills": "live/hills.js",
}
"""Scripts that pages can import, by name; the script of the page itself is called "page"."""


def fill_template(folder: str, texts: Mapping[str, str]) -> str:
    """Return an HTML page from a template, with its style, its script and other texts inserted.

    folder: in gambol.view, with the files NAME.html (the template), NAME.css and controls.js; NAME is the name of the
    folder. texts: texts by name; each is inserted unchanged at its name in double braces. Raises KeyError if a text is
    missing in the template or a name in the template has no text, and GambolError if the bundle of three.js has not
    been built.
    """
    directory, name = files("gambol.view") / folder, folder.rpartition("/")[2]
    page = (directory / f"{name}.html").read_text(encoding="utf-8")
    standard: dict[str, str] = {
        "style": theme() + (directory / f"{name}.css").read_text(encoding="utf-8"),
        "scripts": packed_scripts((directory / "controls.js").read_text(encoding="utf-8")),
        "loader": _text_of("player/loader.js").strip(),
        "license": _text_of("player/three/LICENSE").strip(),
    }
    return substitute(page, {**standard, **texts})


def substitute(template: str, texts: Mapping[str, str]) -> str:
    """Replace each name in double braces of a template by its text, in one pass; for errors see fill_template()."""
    if mismatch := set(texts) ^ set(PLACEHOLDER.findall(template)):
        raise KeyError(f"the names of a template and of its texts differ in {', '.join(sorted(mismatch))}")
    return PLACEHOLDER.sub(lambda match: texts[match[1]], template)


@cache
def packed_scripts(page: str) -> str:
    """Return all scripts of a page as text for player/loader.js: JSON by name, as gzip in base64.

    page: script of the page itself.
    """
    texts = {name: _text_of(path) for name, path in MODULES.items()} | {"page": page}
    return base64.b64encode(gzip.compress(json.dumps(texts).encode(), 9, mtime=0)).decode()


def theme() -> str:
    """Return the style sheet of the colours of all pages, light and dark."""
    return _text_of("player/theme.css")


def _text_of(path: str) -> str:
    """Return the text of a file of gambol.view. Raises GambolError for a bundle that has not been built."""
    try:
        return (files("gambol.view") / path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise GambolError(
            f"gambol/view/{path} is missing, which pages contain and the installation of gambol builds; "
            "in a checkout, `python -m pip install --editable .` builds it"
        ) from error
