"""What a notebook shows of an object. `gambol.view.notebook` makes it, and is loaded when a notebook asks."""

from importlib import import_module
from typing import Any


def notebook_html(kind: str, shown: Any) -> str:
    """Return HTML of bounded size. kind: "film", "world" or "figure"; shown: the object."""
    return str(getattr(import_module("gambol.view.notebook"), f"{kind}_html")(shown))
