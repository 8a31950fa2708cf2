"""Films keep their recording, are read from disk without loss, and invalid files are refused."""

import numpy as np
import pytest
from films import hexapod_film

from gambol.errors import GambolError
from gambol.world.film import Film, FilmShape


@pytest.fixture(scope="module")
def film():
    return hexapod_film(seconds=0.1, worlds=2, hills=True)


def spinning(rate, *, turns_per_second=2.0, seconds=0.5):
    """One link that spins about z and goes along x, with a switch that is on in the second half."""
    t = np.arange(round(seconds * rate) + 1) / rate
    half = np.pi * turns_per_second * t
    q = np.stack([np.cos(half), 0 * t, 0 * t, np.sin(half)], axis=-1)[:, None, None]
    p = np.stack([0.3 * t, 0 * t, 0 * t], axis=-1)[:, None, None]
    shape = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    on = (t > seconds / 2).astype(float)[:, None]
    return Film("spin", t, p, q, ("ball",), (shape,), signals={"on": on})


def test_a_film_comes_back_from_disk_as_it_was(film, tmp_path):
    loaded = Film.load(film.save(tmp_path / "walk.npz"))
    for name in ("time", "position", "quaternion"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(film, name))
    np.testing.assert_array_equal(loaded.ground.heights, film.ground.heights)
    np.testing.assert_array_equal(loaded.signals["stepping"], film.signals["stepping"])
    assert (loaded.name, loaded.shapes, loaded.link_names, loaded.limb_names) == (
        film.name, film.shapes, film.link_names, film.limb_names,
    )  # fmt: skip
    assert loaded.ground.spacing == film.ground.spacing
    assert [p.name for p in tmp_path.iterdir()] == ["walk.npz"]


def test_a_film_of_no_frames_can_be_kept(film, tmp_path):
    empty = film.between(5.0, 6.0)
    assert Film.load(empty.save(tmp_path / "none.npz")).position.shape == (0, 2, 27, 3)


@pytest.mark.parametrize("junk", [b"", b"no zip at all", b"PK\x03\x04 no zip", b"PK\x05\x06" + bytes(18)])
def test_junk_is_refused(tmp_path, junk):
    (tmp_path / "junk.npz").write_bytes(junk)
    with pytest.raises(GambolError, match=r"junk\.npz is not a film"):
        Film.load(tmp_path / "junk.npz")


def test_a_pickle_is_never_opened(tmp_path):
    np.savez(tmp_path / "pickle.npz", about=np.array([{"format": "gambol film 1"}], dtype=object))
    with pytest.raises(GambolError, match="is not a film"):
        Film.load(tmp_path / "pickle.npz")


def test_a_film_of_another_version_is_an_error(tmp_path):
    np.savez(tmp_path / "later.npz", about=np.frombuffer(b'{"format": "gambol film 9"}', dtype=np.uint8))
    with pytest.raises(GambolError, match='"gambol film 9"'):
        Film.load(tmp_path / "later.npz")


def test_a_missing_film_suggests_its_neighbour(film, tmp_path):
    film.save(tmp_path / "roach.npz")
    with pytest.raises(GambolError, match=r'did you mean "roach\.npz"'):
        Film.load(tmp_path / "roch.npz")


def test_a_folder_that_cannot_be_written_is_named(film, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GambolError, match=r"walk\.npz.*file"):
        film.save(tmp_path / "file" / "walk.npz")


def test_a_steady_spin_is_seen_between_frames():
    coarse, fine = spinning(20.0), spinning(400.0)
    seen = coarse.at_rate(400.0)
    np.testing.assert_allclose(seen.time, fine.time, atol=1e-12)
    np.testing.assert_allclose(seen.position, fine.position, atol=1e-12)
    # Across a 4D arc of 2h, atan(u tan h) - u h is at most 2 h^3 / (9 sqrt 3) to leading order; a turn is twice that.
    h = np.pi * 2.0 / 20.0 / 2.0
    error = 2.0 * np.arccos(np.clip(np.abs(np.sum(seen.quaternion * fine.quaternion, axis=-1)), 0.0, 1.0))
    assert error.max() < 4.0 * h**3 / (9.0 * np.sqrt(3.0)) * (1.0 + h**2) + 1e-7  # arccos near 1 loses half the digits
    np.testing.assert_allclose(np.linalg.norm(seen.quaternion, axis=-1), 1.0, atol=1e-12)


def test_signals_hold_their_last_value():
    seen = spinning(20.0).at_times([0.29, 0.301, 0.9])
    assert seen.signals["on"][:, 0].tolist() == [0.0, 1.0, 1.0]


def test_the_sign_of_a_quaternion_does_not_matter():
    film = spinning(20.0)
    flipped = film.quaternion * np.where(np.arange(len(film.time)) % 2, -1.0, 1.0)[:, None, None, None]
    other = Film(film.name, film.time, film.position, flipped, film.link_names, film.shapes)
    dots = np.sum(film.at_rate(77.0).quaternion * other.at_rate(77.0).quaternion, axis=-1)
    np.testing.assert_allclose(np.abs(dots), 1.0, atol=1e-12)


def test_worlds_are_chosen_in_order(film):
    swapped = film.of_worlds([1, 0])
    np.testing.assert_array_equal(swapped.position[:, 0], film.position[:, 1])
    np.testing.assert_array_equal(swapped.signals["stepping"][:, 1], film.signals["stepping"][:, 0])
    with pytest.raises(GambolError, match="no world 2"):
        film.of_worlds([2])


def test_arrays_that_do_not_fit_together_are_refused(film):
    with pytest.raises(GambolError, match="quaternion has shape"):
        Film("bad", film.time, film.position, film.quaternion[1:], film.link_names, film.shapes)
    with pytest.raises(GambolError, match='signal "on"'):
        Film("bad", film.time, film.position, film.quaternion, film.link_names, (), signals={"on": np.zeros(3)})
    shape = FilmShape(99, "sphere", (1.0,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    with pytest.raises(GambolError, match="link 99"):
        Film("bad", film.time, film.position, film.quaternion, film.link_names, (shape,))
    with pytest.raises(GambolError, match="positive rate"):
        film.at_rate(0.0)


def test_the_text_of_a_film_is_one_line(film):
    assert repr(film).startswith(f'<Film "{film.name}": {len(film.time)} frames')
    assert len(repr(film)) < 300
