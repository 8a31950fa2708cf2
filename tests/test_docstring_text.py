"""Docstrings as Markdown: lists of names become lists, and all letters are kept."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parent.parent / "mkdocs_hooks" / "docstring_text.py"


@pytest.fixture(scope="module")
def docstring_text() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docstring_text", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("q: positions [rad]. v: velocities.", "- **q**: positions \\[rad\\].\n\n- **v**: velocities."),
        ("q, v: the state. Returns a.", "- **q, v**: the state.\n\nReturns a."),
        ("q (nq,): positions; v: as\nq.", "- **q (nq,)**: positions;\n\n- **v**: as q."),
        ("Note: q is here. In v: nothing.", "Note: q is here. In v: nothing."),
        ("x * y_z `x * y`", "x \\* y\\_z `x * y`"),
        ("As in\n\n    a = b * c      [1]\n\nwith b.", "As in\n\n    a = b * c      [1]\n\nwith b."),
    ],
)
def test_a_docstring_as_markdown(docstring_text: ModuleType, text: str, markdown: str) -> None:
    assert docstring_text.as_markdown(text, {"q", "v"}) == markdown
