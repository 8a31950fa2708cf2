"""Pages from their templates: one .html file with all that it needs inside."""

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

NAME = re.compile(r"\{\{(\w+)\}\}")
"""A name in a template."""

MODULES = {
    "three": "player/three/three.module.min.js",
    "orbit": "player/three/OrbitControls.js",
    "player": "player/player.js",
}
"""Scripts that every page may import, by the names by which it does."""


def filled(folder: str, parts: Mapping[str, str]) -> str:
    """The page of a folder of view, with its parts put in: NAME.html, NAME.css and controls.js, and what is given.

    parts: texts by the names that the template has in double braces. They are put in as they are, braces and all:
    nothing in them is replaced. Raises KeyError for a part that the template does not name, and for a name without a
    part.
    """
    place, name = files("gambol.view") / folder, folder.rpartition("/")[2]
    page = (place / f"{name}.html").read_text(encoding="utf-8")
    own: dict[str, str] = {
        "style": (place / f"{name}.css").read_text(encoding="utf-8"),
        "script": (place / "controls.js").read_text(encoding="utf-8"),
        "imports": imports(),
    }
    return substituted(page, {**own, **parts})


def substituted(template: str, parts: Mapping[str, str]) -> str:
    """A template with its names in double braces replaced by parts, in one pass; errors as of filled."""
    if missing := set(parts) ^ set(NAME.findall(template)):
        raise KeyError(f"a template and its parts differ in {', '.join(sorted(missing))}")
    return NAME.sub(lambda found: parts[found[1]], template)


@cache
def imports() -> str:
    """The map of a page's imports, whose scripts are in it."""
    texts = {name: (files("gambol.view") / place).read_bytes() for name, place in MODULES.items()}
    return json.dumps(
        {"imports": {n: f"data:text/javascript;base64,{base64.b64encode(t).decode()}" for n, t in texts.items()}}
    )
