"""A live view as a widget of a notebook: its messages go through the kernel, so that notebooks on any machine show it.

It needs anywidget, which is imported when a view is displayed.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from gambol.errors import GambolError

Answer = Callable[[Mapping[str, Any]], bytes]
"""A function that executes a request of the page, and returns its answer as JSON. It raises GambolError."""


def can_show_widgets() -> bool:
    """Return True if anywidget is installed."""
    return find_spec("anywidget") is not None


def widget_of(page: str, height: int, answer: Answer) -> Any:
    """Return a widget that shows a page. height: its height [pixels]; answer: function that answers its requests."""
    widget = _widget_class()(page=page, height=height)

    def handle(_widget: Any, content: Any, _buffers: Any) -> None:
        widget.send(answered(content, answer))

    widget.on_msg(handle)
    return widget


def answered(content: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    """Return the answer to a message of the page: its "id", and the answer's "text".

    A kernel answers one message after the other, so a poll is answered at once instead of waiting for a change.
    """
    message = {**content, "argument": {"version": -1}} if content.get("name") == "poll" else content
    try:
        text = answer(message).decode()
    except GambolError as error:
        text = json.dumps({"error": str(error)})
    return {"id": content.get("id"), "text": text}


@cache
def _widget_class() -> Any:
    """Return the class of widgets, which needs anywidget."""
    anywidget: Any = import_module("anywidget")
    traitlets: Any = import_module("traitlets")
    script = (files("gambol.view") / "served" / "widget.js").read_text(encoding="utf-8")
    traits = {"page": traitlets.Unicode().tag(sync=True), "height": traitlets.Int().tag(sync=True)}
    return type("LiveWidget", (anywidget.AnyWidget,), {"_esm": script, **traits})
