"""Meshes enclose the volumes that they should, and their normals point outward."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.view.scene.look import BEVEL
from gambol.view.scene.meshes import SLICES, ground_mesh, shape_mesh
from gambol.world.film import FilmGround, FilmShape

POLYGON = SLICES * np.sin(2 * np.pi / SLICES) / 2  # area of the regular polygon that stands for a circle of radius 1
CUT = BEVEL  # of a box whose shortest edge is 1
EXACT = {
    # 12 edges lose half a square prism each, up to where three chamfers meet and a corner is cut
    ("box", (1.0, 2.0, 3.0)): 6.0 - 2 * CUT**2 * (6.0 - 6 * CUT) - 8 * CUT**3 * 5 / 6,
    ("cylinder", (1.0, 2.0)): 2.0 * POLYGON,
    ("frustum", (1.0, 0.5, 2.0)): 2.0 * POLYGON * (1 + 0.5 + 0.25) / 3,
    ("hull", (-1.0, -1.0, -1.0, 3.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0)): 14.0 / 3.0,
}
NEARLY = {
    ("sphere", (1.0,)): 4 / 3 * np.pi,
    ("capsule", (1.0, 2.0)): 10 / 3 * np.pi,
    ("ellipsoid", (1.0, 2.0, 0.5)): 4 / 3 * np.pi,
    # Steiner: what lies within r of a rectangle; of one that is a line, and of one that is a point
    ("slab", (3.0, 2.0, 0.5)): 6.0 + 5.0 * np.pi / 4 + np.pi / 6,
    ("slab", (2.0, 0.0, 1.0)): 10 / 3 * np.pi,
    ("slab", (0.0, 0.0, 1.0)): 4 / 3 * np.pi,
}


def shape(kind, size):
    return FilmShape(0, kind, size, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def volume(mesh):
    a, b, c = mesh.corners.reshape(-1, 3, 3).transpose(1, 0, 2)
    return np.sum(np.cross(a, b) * c) / 6


@pytest.mark.parametrize(("kind", "size"), EXACT)
def test_flat_sided_meshes_enclose_their_volume(kind, size):
    assert volume(shape_mesh(shape(kind, size))) == pytest.approx(EXACT[kind, size], rel=1e-12)


@pytest.mark.parametrize(("kind", "size"), NEARLY)
def test_round_meshes_enclose_nearly_their_volume(kind, size):
    inside = volume(shape_mesh(shape(kind, size))) / NEARLY[kind, size]
    assert 0.96 < inside < 1.0


@pytest.mark.parametrize(("kind", "size"), [*EXACT, *NEARLY])
def test_meshes_are_closed_and_their_normals_look_outward(kind, size):
    mesh = shape_mesh(shape(kind, size))
    a, b, c = mesh.corners.reshape(-1, 3, 3).transpose(1, 0, 2)
    np.testing.assert_allclose(np.cross(b - a, c - a).sum(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=-1), 1.0, atol=1e-12)
    assert np.sum(mesh.normals * mesh.corners, axis=-1).min() > 0.0


def test_a_ball_is_smooth_and_a_box_is_not():
    ball, box = shape_mesh(shape("sphere", (2.0,))), shape_mesh(shape("box", (1.0, 1.0, 1.0)))
    assert np.sum(ball.normals * ball.corners / 2.0, axis=-1).min() > 0.99
    assert len(np.unique(box.normals.round(9), axis=0)) == 26  # 6 sides, 12 chamfers, 8 corners


def test_a_tilted_ground_has_its_own_normal():
    i, j = np.indices((4, 5))
    mesh = ground_mesh(FilmGround(0.1 * 0.5 * i, -1.0, -1.0, 0.5))
    np.testing.assert_allclose(mesh.normals, np.tile(np.array([-0.1, 0.0, 1.0]) / np.sqrt(1.01), (72, 1)), atol=1e-9)
    assert mesh.corners[:, :2].min() == -1.0
    assert j.max() * 0.5 - 1.0 == mesh.corners[:, 1].max()


def test_unknown_shapes_are_refused():
    with pytest.raises(GambolError, match='"torus"; the kinds are box'):
        shape_mesh(shape("torus", (1.0,)))
    with pytest.raises(GambolError, match="drawn from 3 sizes"):
        shape_mesh(shape("box", (1.0,)))
