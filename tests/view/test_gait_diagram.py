"""The picture of gaits."""

from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.gait import GAITS
from gambol.view import write_gait_diagram


def test_a_picture_is_written(tmp_path: Path):
    path = write_gait_diagram({name: GAITS[name] for name in ("walk", "trot", "gallop")}, tmp_path / "gaits.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_no_gaits_are_refused(tmp_path: Path):
    with pytest.raises(GambolError, match="no gait"):
        write_gait_diagram({}, tmp_path / "gaits.png")
