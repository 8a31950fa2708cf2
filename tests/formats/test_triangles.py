"""Triangles of OBJ, PLY and STL files, against trimesh, which writes them."""

import numpy as np
import pytest
import trimesh

from gambol.errors import GambolError
from gambol.formats.triangles import read_triangles

BALL = trimesh.creation.icosphere(subdivisions=1)


def corners(points, triangles):
    """Coordinates of the corners of all triangles, in an order that does not depend on the numbers of points."""
    rows = np.round(np.asarray(points)[np.asarray(triangles)].reshape(-1, 9), 5)
    return rows[np.lexsort(rows.T)]


@pytest.mark.parametrize(
    ("suffix", "options"),
    [("obj", {}), ("ply", {"encoding": "ascii"}), ("ply", {"encoding": "binary"}), ("stl", {}), ("stl_ascii", {})],
)
def test_a_mesh_is_read_as_it_was_written(tmp_path, suffix, options):
    path = tmp_path / f"ball.{suffix.split('_')[0]}"
    data = trimesh.exchange.export.export_mesh(BALL, None, file_type=suffix, **options)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    points, triangles = read_triangles(path)
    assert len(points) == len(BALL.vertices)
    assert np.allclose(corners(points, triangles), corners(BALL.vertices, BALL.faces), atol=1e-5)


def test_faces_of_four_corners_and_counts_from_the_end(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4//1 -3//1 -2//1 -1//1 # a square\n")
    assert read_triangles(tmp_path / "a.obj")[1].tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.obj", "v 0 0 0\n", "has no triangles"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a face of point 3, but 2 points"),
        ("a.obj", "v 0 0 0\nf 0 1 2\n", "begin at 1"),
        ("a.obj", "v 0 0 0\nf a b c\n", "not numbers"),
        ("a.ply", "solid", "not a PLY file"),
        ("a.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n", "cannot be read"),
        ("a.ply", "ply\nformat odd 1.0\nend_header\n", 'format "odd"'),
        ("a.txt", "", "not supported"),
    ],
)
def test_a_damaged_file_is_named_with_its_reason(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(GambolError, match=words):
        read_triangles(tmp_path / name)
