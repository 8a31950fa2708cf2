"""Meshes and particles of films: frames between, files, and what does not fit together."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.world import Film
from gambol.world.film import FilmMesh, FilmParticles

TIMES = np.array([0.0, 0.1, 0.2])
SHEET = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], np.float32)
MESH = FilmMesh(
    "sheet",
    np.stack([SHEET + np.array([0.0, 0.0, z]) for z in (0.0, 1.0, 4.0)]).astype(np.float32),
    np.array([[0, 1, 2]], np.int32),
    np.array([[0, 1]], np.int32),
    visible=np.array([[True], [True], [False]]),
)
DROPS = FilmParticles(
    "drops",
    np.array([0, 1, 3, 4]),
    np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], np.float32),
    np.array([[1, 0, 0], [0, 2, 0], [0, 0, 3], [0, 0, 0]], np.float32),
    np.arange(16, dtype=np.uint8).reshape(4, 4),
    np.array([0.1, 0.2, 0.3, 0.4], np.float32),
    np.array([0, 0, 1, 1]),
    streak=0.05,
    glow=True,
)


def film(*matter):
    still = np.zeros((3, 1, 1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1, 1, 1))
    return Film("scene", TIMES, *still, ("stage",), (), matter=matter)


def test_points_of_a_mesh_are_interpolated_and_torn_triangles_vanish_at_their_frame():
    (mesh,) = film(MESH).at_times([0.05, 0.175, 0.2]).matter
    np.testing.assert_allclose(mesh.points[:, 0, 2], [0.5, 3.25, 4.0], rtol=1e-6)
    np.testing.assert_array_equal(mesh.visible[:, 0], [True, True, False])


def test_particles_between_frames_move_on_at_their_velocities():
    (drops,) = film(DROPS).at_times([0.05, 0.15, 0.2]).matter
    np.testing.assert_array_equal(drops.starts, [0, 1, 3, 4])
    np.testing.assert_allclose(drops.points, [[0.05, 0, 0], [1, 0.1, 0], [2, 0, 0.15], [3, 0, 0]], atol=1e-6)
    np.testing.assert_array_equal(drops.colors, DROPS.colors)


def test_a_part_of_a_film_has_the_matter_of_its_frames_and_worlds():
    part = film(MESH, DROPS).between(0.1, 0.2)
    assert [each.frames for each in part.matter] == [2, 2]
    np.testing.assert_array_equal(part.matter[1].points, DROPS.points[1:])
    twice = film().of_worlds([0, 0])
    twice = replace(twice, matter=(replace(MESH, world=1), DROPS))
    assert [each.name for each in twice.of_worlds([1]).matter] == ["sheet"]
    assert twice.of_worlds([1]).matter[0].world == 0


def test_a_file_gives_the_same_matter(tmp_path):
    stored = Film.load(film(MESH, DROPS, replace(MESH, visible=None)).save(tmp_path / "a.npz"))
    for before, after in zip((MESH, DROPS, replace(MESH, visible=None)), stored.matter, strict=True):
        assert type(before) is type(after)
        for name, value in vars(before).items():
            np.testing.assert_array_equal(getattr(after, name), value, err_msg=name)
    assert Film.load(film().save(tmp_path / "b.npz")).matter == ()


def test_a_damaged_file_is_refused(tmp_path):
    path = film(MESH).save(tmp_path / "a.npz")
    with np.load(path) as opened:
        arrays = dict(opened)
    arrays["matter0:triangles"] = np.array([[0, 1, 7]], np.int32)
    np.savez(path, **arrays)
    with pytest.raises(GambolError, match="indices from 0 to 2"):
        Film.load(path)
    del arrays["matter0:triangles"]
    np.savez(path, **arrays)
    with pytest.raises(GambolError, match='no array "matter0:triangles"'):
        Film.load(path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: film(replace(MESH, points=MESH.points[:2], visible=None)), "has 2 frames"),
        (lambda: film(replace(MESH, world=1)), "is in world 1"),
        (lambda: replace(MESH, color="red"), 'the colour "red"'),
        (lambda: replace(MESH, points=MESH.points * np.nan), "finite numbers"),
        (lambda: replace(DROPS, radii=DROPS.radii[:2]), "radii must be finite"),
        (lambda: replace(DROPS, starts=np.array([0, 3, 1, 4])), "rise from 0 to 4"),
    ],
)
def test_what_does_not_fit_together_is_refused(make, message):
    with pytest.raises(GambolError, match=message):
        make()
