"""HTML pages from templates: one .html file that contains all its scripts and styles."""

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

NAME = re.compile(r"\{\{(\w+)\}\}")
"""Pattern of a name in a template."""

MODULES = {
    "three": "player/three/three.module.min.js",
    "orbit": "player/three/OrbitControls.js",
    "player": "player/player.js",
}
"""Scripts that pages can import, by name."""


def fill_template(folder: str, parts: Mapping[str, str]) -> str:
    """Return the page of a folder of view: its NAME.html with NAME.css, controls.js and other parts inserted.

    parts: texts by their names, which are in double braces in the template. They are inserted unchanged. Raises
    KeyError for a part that the template does not name, and for a name without a part.
    """
    directory, name = files("gambol.view") / folder, folder.rpartition("/")[2]
    page = (directory / f"{name}.html").read_text(encoding="utf-8")
    standard: dict[str, str] = {
        "style": (directory / f"{name}.css").read_text(encoding="utf-8"),
        "script": (directory / "controls.js").read_text(encoding="utf-8"),
        "imports": imports(),
    }
    return substitute(page, {**standard, **parts})


def substitute(template: str, parts: Mapping[str, str]) -> str:
    """Replace the names in double braces of a template by parts, in one pass; errors as of fill_template."""
    if missing := set(parts) ^ set(NAME.findall(template)):
        raise KeyError(f"a template and its parts differ in {', '.join(sorted(missing))}")
    return NAME.sub(lambda match: parts[match[1]], template)


@cache
def imports() -> str:
    """Return the import map of a page, which contains the scripts as data URLs."""
    texts = {name: (files("gambol.view") / path).read_bytes() for name, path in MODULES.items()}
    return json.dumps(
        {"imports": {n: f"data:text/javascript;base64,{base64.b64encode(t).decode()}" for n, t in texts.items()}}
    )
