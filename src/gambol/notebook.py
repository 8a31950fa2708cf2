"""The display of an object in a notebook.

`gambol.view.notebook` writes the HTML; this module is imported only when a notebook displays an object.
"""

from importlib import import_module
from typing import Any


def notebook_html(kind: str, shown: Any) -> str:
    """Return HTML of bounded size. kind: "film", "world" or "figure"; shown: the object."""
    return str(getattr(import_module("gambol.view.notebook"), f"{kind}_html")(shown))
