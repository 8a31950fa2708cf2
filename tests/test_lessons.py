"""The lessons of the docs can be followed: their blocks of Python run one after the other."""

import re
from pathlib import Path

import pytest

LESSONS = Path(__file__).parent.parent / "docs" / "learn"


@pytest.mark.parametrize("lesson", ["your-own-figure.md"])
def test_lesson(lesson: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (LESSONS / lesson).read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, lesson, "exec"), names)
