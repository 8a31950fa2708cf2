"""The code of a page of the docs, run as a reader would run it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"


def run_page(page: str) -> dict[str, Any]:
    """Return the names that the blocks of Python of a page define, run one after the other."""
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, Any] = {"__name__": page}
    for block in blocks:
        exec(compile(block, page, "exec", dont_inherit=True), names)
    return names


@contextmanager
def restored(*tables: dict[Any, Any]) -> Iterator[None]:
    """Give tables back what they held when the block began."""
    before = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, entries in zip(tables, before, strict=True):
            table.clear()
            table.update(entries)
