"""Films larger than memory: their arrays are in files, and memory stays bounded in recordings and exports."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gambol
from gambol.errors import GambolError, WorldError
from gambol.export.clip import clip_of, split_root_motion
from gambol.formats import csv_file
from gambol.world import Film, FilmShape, World
from gambol.world.film import large
from gambol.world.film.contacts import Contacts, ContactSignals
from gambol.world.film.large import PIECE, indices_as_slice, large_array, pieces

RATE = 100.0
SHORT, LONG = 240, 2_400
"""Frames of two films of one creature: the long one has 1.6 MB of poses."""

LINKS = 12
NUMBERS, OF_THE_ROOT = 10, 14
"""Numbers a frame that may be in memory, such as its time, and those of the root's way; a pose has 7 a link, so 84."""


@pytest.fixture(autouse=True)
def _small_memory(monkeypatch: pytest.MonkeyPatch):
    """Arrays above 64 kB are in files, and pieces have SMALL numbers."""
    monkeypatch.setattr(large, "MIN_LARGE_SIZE", 2**16)
    monkeypatch.setattr(large, "PIECE", SMALL)
    monkeypatch.setattr(csv_file, "CHUNK", SMALL)


SMALL = 2_000
"""Numbers of a piece: 24 frames."""


def long_film(frames: int) -> Film:
    """A chain of boxes that turns while it goes along, made in pieces."""
    time = np.arange(frames) / RATE
    position, quaternion = large_array((frames, 1, LINKS, 3)), large_array((frames, 1, LINKS, 4))
    for piece in pieces(frames, 7 * LINKS):
        angle = time[piece, None] * (1.0 + 0.1 * np.arange(LINKS))
        position[piece, 0] = np.stack(
            [0.1 * time[piece, None] + 0.02 * np.arange(LINKS), np.sin(angle), 0.0 * angle], -1
        )
        quaternion[piece, 0] = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0.0 * angle, 0.0 * angle], -1)
    names = tuple(f"link{k}" for k in range(LINKS))
    parents = tuple(range(-1, LINKS - 1))
    shape = FilmShape(0, "box", (0.02, 0.01, 0.01), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    return Film("long", time, position, quaternion, names, (shape,), parents=parents)


def box_world() -> World:
    """A box that falls and lies."""
    box = gambol.Part(gambol.Box((0.4, 0.4, 0.1)), density=500.0)
    figure = gambol.Figure("box", (gambol.Link("box", None, gambol.Joint("free"), (box,)),))
    return gambol.make_world(figure, contact="stepping")


def peak_of(work: Callable[[], object]) -> int:
    """Return the peak of memory that Python and NumPy allocate during some work [bytes]; mapped files do not count.

    Python's collector of cycles is off meanwhile: when it runs depends on all other objects of the process.
    """
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()


WORK: dict[str, Callable[[Film, Path], object]] = {
    "csv": lambda film, folder: gambol.write_csv(film, folder / "a.csv"),
    "glb": lambda film, folder: gambol.write_gltf(film, folder / "a.glb"),
    "glb with root motion": lambda film, folder: gambol.write_gltf(film, folder / "b.glb", root_motion=True),
    "bvh": lambda film, folder: gambol.write_bvh(film, folder / "a.bvh"),
    "resampled": lambda film, folder: film.at_rate(90.0),
}


@pytest.mark.parametrize("name", WORK)
def test_ten_times_the_frames_need_no_more_memory(name: str, tmp_path: Path):
    """Beside some numbers of each frame, far fewer than those of a pose."""
    short, long = long_film(SHORT), long_film(LONG)
    WORK[name](short, tmp_path)  # so that what is imported and cached once is not counted
    growth = peak_of(lambda: WORK[name](long, tmp_path)) - peak_of(lambda: WORK[name](short, tmp_path))
    numbers = NUMBERS + OF_THE_ROOT * ("root motion" in name)
    assert growth < 8 * numbers * (LONG - SHORT)


def contacts_at(frames: int, rate: int) -> Contacts:
    """The contacts of two worlds: one in all frames, more in every seventh frame, of the first world only."""
    count = np.where(np.arange(2 * frames) % 14 == 0, 3, np.arange(2 * frames) % 2)
    lane = np.repeat(np.arange(2 * frames), count)
    row = np.arange(float(len(lane)))
    vectors = (np.column_stack([row, row + rate, row * rate]) for _ in range(3))
    point, normal, force = vectors
    return Contacts(lane, lane % LINKS, 0 * lane - 1, point, normal, -row, force, row, ("link",) * LINKS)


def recorded_contacts(frames: int, batch: int) -> ContactSignals:
    signals = ContactSignals(frames, 2)
    for first in range(0, frames, batch):
        signals.add(contacts_at(batch, first), first, batch)
    return signals


def test_ten_times_the_contacts_need_no_more_memory():
    """Contacts are in files while they are recorded; 20 frames at a time are in memory."""
    recorded_contacts(SHORT, 20)
    growth = peak_of(lambda: recorded_contacts(LONG, 20)) - peak_of(lambda: recorded_contacts(SHORT, 20))
    assert growth < 8 * (LONG - SHORT)  # a contact has 12 numbers


def test_contacts_are_at_their_frames_worlds_and_places():
    signals = recorded_contacts(40, 20).signals(40)
    film = replace(long_film(40), position=long_film(40).position.repeat(2, 1),
                   quaternion=long_film(40).quaternion.repeat(2, 1), signals=signals)  # fmt: skip
    for first in (0, 20):
        given = contacts_at(20, first)
        for k in range(20):
            expected, found = given.selected(given.lane // 2 == k), film.contacts(first + k)
            np.testing.assert_array_equal(found.lane, expected.lane % 2)
            for name in ("link", "other", "point", "normal", "gap", "force"):
                np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_pieces_do_not_change_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    film = long_film(SHORT)
    for name, work in WORK.items():
        if not name.startswith(("csv", "glb", "bvh")):
            continue
        monkeypatch.setattr(large, "PIECE", SMALL)
        in_pieces = Path(str(work(film, tmp_path))).read_bytes()
        monkeypatch.setattr(large, "PIECE", 10**9)
        assert Path(str(work(film, tmp_path))).read_bytes() == in_pieces


def test_pieces_do_not_change_a_clip(monkeypatch: pytest.MonkeyPatch):
    film = long_film(SHORT)
    in_pieces = split_root_motion(clip_of(film, rate=77.0))
    monkeypatch.setattr(large, "PIECE", 10**9)
    at_once = split_root_motion(clip_of(film, rate=77.0))
    for part, whole in zip(in_pieces, at_once, strict=True):
        np.testing.assert_array_equal(part.position, whole.position)
        np.testing.assert_array_equal(part.quaternion, whole.quaternion)


def test_a_run_is_the_same_in_files_and_in_memory(monkeypatch: pytest.MonkeyPatch):
    world = box_world()
    monkeypatch.setattr(large, "MIN_LARGE_SIZE", 0)
    mapped = gambol.run(world, gambol.start(world), 0.2, contacts=True, coordinates=True)
    monkeypatch.setattr(large, "MIN_LARGE_SIZE", 10**12)
    plain = gambol.run(world, gambol.start(world), 0.2, contacts=True, coordinates=True)
    assert isinstance(mapped.position.base, np.memmap) or isinstance(mapped.position.base.base, np.memmap)
    np.testing.assert_array_equal(mapped.position, plain.position)
    assert mapped.signals.keys() == plain.signals.keys()
    for name in mapped.signals.keys() - {"wall"}:
        np.testing.assert_array_equal(mapped.signals[name], plain.signals[name])


def test_a_loaded_film_is_mapped_and_may_be_changed(tmp_path: Path):
    film = long_film(LONG)
    path = film.save(tmp_path / "a.npz")
    content = path.read_bytes()
    loaded = Film.load(path)
    np.testing.assert_array_equal(loaded.quaternion, film.quaternion)
    assert isinstance(loaded.position.base, np.memmap)
    loaded.position[0] = 7.0
    assert path.read_bytes() == content
    damaged = bytearray(content)
    damaged[len(content) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(GambolError, match="is not a film"):
        Film.load(path)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(GambolError, match="is not a film"):
        Film.load(path)


def test_a_part_of_a_film_is_not_copied():
    film = long_film(LONG)
    assert np.shares_memory(film.between(1.0, 20.0).position, film.position)
    assert np.shares_memory(film.of_worlds([0]).position, film.position)
    two = replace(film.between(0.0, 1.0), position=film.position[:101].repeat(3, axis=1),
                  quaternion=film.quaternion[:101].repeat(3, axis=1))  # fmt: skip
    assert two.of_worlds([2, 0]).worlds == 2
    assert indices_as_slice([1, 2, 3]) == slice(1, 4)
    assert indices_as_slice([2, 1]) == [2, 1]


def test_pieces_cover_all_frames_once():
    for frames, numbers in ((0, 3), (1, 10**9), (PIECE + 1, 1), (17, 0)):
        covered = [k for piece in pieces(frames, numbers) for k in range(piece.start, piece.stop)]
        assert covered == list(range(frames))


def test_a_full_disk_is_an_error(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(GambolError, match=r"does not fit in .* TMPDIR"):
        large_array((2**50,))
    monkeypatch.setattr(sys.modules["gambol.world.run"], "free_space", lambda: 1000.0)
    world = box_world()
    with pytest.raises(WorldError, match="this machine has 1e-06 GB; give a lower rate"):
        gambol.run(world, gambol.start(world), 1.0)
