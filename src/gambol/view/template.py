"""HTML pages from templates: one .html file that contains all its scripts and styles."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

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
    "simple_look": "player/simple_look.js",
    "scenery": "player/scenery.js",
    "pace": "player/pace.js",
    "player": "player/player.js",
    "settings": "live/settings.js",
    "live": "live/live.js",
    "served": "live/served.js",
    "picking": "live/picking.js",
    "touch": "live/touch.js",
    "pose": "live/pose.js",
    "recorded": "live/recorded.js",
    "layout": "live/layout.js",
    "panel": "live/panel.js",
    "contacts": "live/contacts.js",
    "marks": "live/marks.js",
    "signals": "live/signals.js",
    "saving": "live/saving.js",
    "clock": "live/clock.js",
    "tilt": "live/tilt.js",
    "hills": "live/hills.js",
    "water": "live/water.js",
    "growth": "live/growth.js",
    "beside": "live/beside.js",
    "creature": "live/creature.js",
    "herd": "side_by_side/herd.js",
    "framing": "side_by_side/framing.js",
}
"""Scripts that pages can import, by name, each after those that it imports itself; the script of the page itself is
called "page"."""

SHARED_STYLES = {
    "player": ("player/page.css",),
    "side_by_side": ("player/page.css",),
    "live": ("player/page.css", "player/panel.css"),
    "cloth": ("player/page.css", "player/panel.css"),
}
"""Style sheets of pages that fill the window with a picture, and of those with a panel of settings, by folder. All
pages have the colours of player/theme.css."""

WORKER_SOURCES = {"script-src": "'wasm-unsafe-eval'", "worker-src": "blob:"}
"""Sources, by directive, that the policy of a page allows in addition if the page runs programs in a worker."""

SERVER_SOURCES = {"connect-src": "'self'"}
"""Sources, by directive, that the policy of a page allows in addition if it asks the server that it comes from."""


def fill_template(folder: str, texts: Mapping[str, str], allowed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return an HTML page from a template, with its style, its scripts, its policy and other texts inserted.

    folder: in gambol.view, with the files FOLDER.html (the body of the template), FOLDER.css and controls.js. texts:
    texts by name; each is inserted unchanged at its name in double braces. allowed: see content_policy(). Raises
    KeyError if a text is missing in the template or a name in the template has no text, and GambolError if the bundle
    of three.js has not been built.
    """
    standard: dict[str, str] = {
        "style": style_of(folder),
        "policy": content_policy(folder, allowed),
        "scripts": packed_scripts(_text_of(f"{folder}/controls.js")),
        "loader": _loader(),
        "license": _text_of("player/three/LICENSE").strip(),
    }
    return substitute(template_of(folder), {**standard, **texts})


def content_policy(folder: str, allowed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the content security policy of a page: it can run its own scripts and send no request.

    The style and the loader are allowed by their hashes. The loader makes addresses (blob:) of the other scripts, which
    markup from elsewhere cannot know. folder: as for fill_template(); allowed: further sources by directive, such as
    SERVER_SOURCES.
    """
    sources = {
        "default-src": "'none'",
        "script-src": f"{_hash_of(_loader())} blob:",
        "style-src": _hash_of(style_of(folder)),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    for directive, more in allowed.items():
        sources[directive] = f"{sources.get(directive, '')} {more}".strip()
    return "; ".join(f"{directive} {source}" for directive, source in sources.items())


def template_of(folder: str) -> str:
    """Return the template of a page: the head of all pages, and its own body. folder: as for fill_template()."""
    return _text_of("player/page.html").replace("{{body}}", _text_of(f"{folder}/{folder}.html"))


def style_of(folder: str) -> str:
    """Return the style sheet of a page, with the styles that it shares. folder: as for fill_template()."""
    paths = ("player/theme.css", *SHARED_STYLES.get(folder, ()), f"{folder}/{folder}.css")
    return "".join(map(_text_of, paths))


def _loader() -> str:
    return _text_of("player/loader.js").strip()


def _hash_of(text: str) -> str:
    """Return the source of a content security policy that allows a script or a style of this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


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


def _text_of(path: str) -> str:
    """Return the text of a file of gambol.view. Raises GambolError for a bundle that has not been built."""
    try:
        return (files("gambol.view") / path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise GambolError(
            f"gambol/view/{path} is missing, which pages contain and the installation of gambol builds; "
            "in a checkout, `python -m pip install --editable .` builds it"
        ) from error
