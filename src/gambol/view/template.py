"""Pages from their templates: one .html file with all that it needs inside."""

import base64
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

MODULES = {
    "three": "player/three/three.module.min.js",
    "orbit": "player/three/OrbitControls.js",
    "player": "player/player.js",
}
"""Scripts that every page may import, by the names by which it does."""


def filled(folder: str, parts: Mapping[str, str]) -> str:
    """The page of a folder of view, with its parts put in: NAME.html, NAME.css and controls.js, and what is given.

    parts: texts by the names that the template has in double braces; they are put in as they are.
    """
    place, name = files("gambol.view") / folder, folder.rpartition("/")[2]
    page = (place / f"{name}.html").read_text(encoding="utf-8")
    own = {
        "style": (place / f"{name}.css").read_text(encoding="utf-8"),
        "script": (place / "controls.js").read_text(encoding="utf-8"),
        "imports": imports(),
    }
    for key, text in {**own, **parts}.items():
        page = page.replace("{{" + key + "}}", text)
    return page


@cache
def imports() -> str:
    """The map of a page's imports, whose scripts are in it."""
    texts = {name: (files("gambol.view") / place).read_bytes() for name, place in MODULES.items()}
    return json.dumps(
        {"imports": {n: f"data:text/javascript;base64,{base64.b64encode(t).decode()}" for n, t in texts.items()}}
    )
