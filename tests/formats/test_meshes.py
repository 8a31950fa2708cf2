"""Mesh files: their hulls, and errors for files that are no mesh."""

import math
from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.figure import Hull
from gambol.formats import read_hull
from gambol.formats.meshes import obj_text

WEDGE = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.1), (0.0, 1.0, 0.0), (0.0, 0.0, math.pi), (1.0, 0.0, 0.7)))


def test_a_hull_is_written_and_read_back_to_the_last_bit(tmp_path: Path):
    path = tmp_path / "wedge.obj"
    path.write_text(obj_text(WEDGE))
    assert read_hull(path) == WEDGE
    assert read_hull(path, 2.0).volume == pytest.approx(8.0 * WEDGE.volume)
    assert read_hull(path, (1.0, 1.0, -3.0)).volume == pytest.approx(3.0 * WEDGE.volume)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("m.dae", b"", r'"m.dae" has a format that is not supported'),
        ("m.stl", b"", '"m.stl" has no points'),
        ("m.stl", b"vertex a b c", '"m.stl" has a vertex that is not a number'),
        ("m.obj", b"v 1e999 0 0\nv 0 0 1\n", '"m.obj" has a point that is not finite'),
        ("m.obj", b"v 1 0 0\nv 0 1 0\nv 0 0 0\n", '"m.obj": a hull is made of 3 different points'),
        ("m.obj", b"v 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 1 0\n", '"m.obj": the points of a hull lie in a plane'),
    ],
)
def test_anything_but_a_mesh_is_refused_by_name(tmp_path: Path, name: str, data: bytes, why: str):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(GambolError, match=why):
        read_hull(tmp_path / name)


def test_a_missing_mesh_is_named(tmp_path: Path):
    with pytest.raises(GambolError, match=r"no\.stl.*cannot be read"):
        read_hull(tmp_path / "no.stl")
