"""The display of an object in a notebook.

`gambol.view.notebook` makes it; it is imported when a notebook displays the object.
"""

from importlib import import_module
from typing import Any


def notebook_html(kind: str, shown: Any) -> str:
    """Return HTML of bounded size. kind: "film", "world" or "figure"; shown: the object."""
    return str(getattr(import_module("gambol.view.notebook"), f"{kind}_html")(shown))
