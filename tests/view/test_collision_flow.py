"""The picture of the course of collisions."""

from pathlib import Path

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.view import write_collision_flow

K = [[0.8, 0.8, 0.1], [0.8, 1.6, -0.6], [0.1, -0.6, 1.6]]


@pytest.mark.parametrize("velocity", [None, (1.0, 0.5, -1.0), (0.0, 0.0, -1.0)])
def test_a_picture_is_written(tmp_path: Path, velocity):
    path = write_collision_flow(K, tmp_path / "flow.png", frictions=(0.3, 0.7), velocity=velocity)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_no_friction_and_no_extent_are_refused(tmp_path: Path):
    with pytest.raises(GambolError, match="one friction"):
        write_collision_flow(np.eye(3), tmp_path / "flow.png", frictions=())
    with pytest.raises(GambolError, match="extent"):
        write_collision_flow(np.eye(3), tmp_path / "flow.png", extent=0.0)
