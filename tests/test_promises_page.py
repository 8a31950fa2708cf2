"""The page of promises names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "validation" / "promises.md").read_text(encoding="utf-8")
HELD = re.compile(r"`(tests/[\w/]+\.py)`: ((?:`test_\w+`(?:, )?)+)")


def test_every_test_of_the_page_of_promises_exists():
    named = 0
    for path, names in HELD.findall(PAGE):
        source = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^def {name}\(", source, re.MULTILINE), f"{path} has no {name}"
            named += 1
    assert named == len(re.findall(r"`test_\w+`", PAGE))


def test_every_promise_is_held_by_a_test():
    tables = PAGE.partition("## What each contact method")[0]
    rows = [
        line for line in tables.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
    ]
    assert rows
    assert [row for row in rows if not HELD.search(row)] == []
