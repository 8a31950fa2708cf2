"""Docstrings as Markdown: lists of names become lists, and all letters are kept."""

import pytest
from docstring_text import as_markdown


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
def test_a_docstring_as_markdown(text: str, markdown: str) -> None:
    assert as_markdown(text, {"q", "v"}) == markdown
