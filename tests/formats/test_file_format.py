"""Formats of files by their names."""

from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.formats import read_model


def test_a_model_of_opensim_is_refused_with_a_way_out(tmp_path: Path):
    path = tmp_path / "gait2392.osim"
    path.write_text("<OpenSimDocument/>")
    with pytest.raises(GambolError, match=r"gait2392.osim.*OpenSim.*convert it to MJCF"):
        read_model(path)
