"""Film files are not trusted: every array and every value of their description is checked."""

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from films import hexapod_film

from gambol.errors import GambolError
from gambol.world.film import Film, FilmGround


@pytest.fixture(scope="module")
def arrays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = hexapod_film(seconds=0.01, worlds=2, hills=True).save(tmp_path_factory.mktemp("film") / "film.npz")
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def load(folder: Path, arrays: dict[str, Any], **changes: Any) -> Film:
    np.savez(folder / "odd.npz", **{**arrays, **changes})
    return Film.load(folder / "odd.npz")


def with_metadata(arrays: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the arrays with a change of their description."""
    about = json.loads(arrays["about"].tobytes())
    change(about)
    return {**arrays, "about": np.frombuffer(json.dumps(about).encode(), np.uint8)}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("time", lambda a: a[:, None], "its times are not a one-dimensional array in ascending order"),
        ("time", lambda a: a[::-1], "its times are not a one-dimensional array in ascending order"),
        ("time", lambda a: a[0], "its times are not a one-dimensional array in ascending order"),
        ("time", lambda a: a * np.nan, '"time" has values that are not finite numbers'),
        ("time", lambda a: a.astype(bool), '"time" has values that are not finite numbers'),
        ("time", lambda a: a.astype("U9"), r'"time\.npy": it holds .*, not real numbers'),
        ("time", lambda a: a.astype(object), r'"time\.npy": it holds .*, not real numbers'),
        ("position", lambda a: a.astype(complex), r'"position\.npy": it holds .*, not real numbers'),
        ("position", lambda a: a + np.inf, '"position" has values that are not finite numbers'),
        ("position", lambda a: a[..., :2], "position has shape"),
        ("quaternion", lambda a: a * 0.0, '"quaternion" has quaternions whose norm is not 1'),
        ("quaternion", lambda a: a * 1e200, '"quaternion" has quaternions whose norm is not 1'),
        ("heights", lambda a: a[0], "heights of shape"),
        ("heights", lambda a: a * np.nan, '"heights" has values that are not finite numbers'),
        ("signal:stepping", lambda a: a[1:], 'signal "stepping" has shape'),
        ("about", lambda a: a.astype(float), "has no metadata of a film"),
        ("about", lambda a: a[:-5], "is not a film"),
    ],
)
def test_arrays_that_are_no_films_are_refused(
    arrays: dict[str, Any], tmp_path: Path, name: str, change: Any, message: str
):
    with pytest.raises(GambolError, match=rf"odd\.npz.*{message}"):
        load(tmp_path, arrays, **{name: change(arrays[name])})


def put(*way: Any) -> Callable[[dict[str, Any]], None]:
    """Put the last of these where the others lead."""

    def change(about: Any) -> None:
        *inside, key, value = way
        for step in inside:
            about = about[step]
        about[key] = value

    return change


EVENT = {"name": "lands", "lane": 0, "time": 0.1, "q": [1.0], "v": [0.0]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("name", None), '"name" is missing'),
        (put("name", 3), "name is 3; it should be a text"),
        (put("name", "\ud800"), "surrogates not allowed"),
        (put("link_names", 0, None), "link_names: .*1.*|link_names.1"),
        (put("link_names", 0, 7), "link_names.1 is 7; it should be a text"),
        (put("link_names", "trunk"), "link_names is 'trunk'; it should be a list"),
        (put("shapes", 0, "kind", "blob"), '"blob" is not allowed'),
        (put("shapes", 0, "size", [1.0]), "size has 1 numbers; a box has 3"),
        (put("shapes", 0, "size", [1.0, -1.0, 1.0]), "sizes must not be negative"),
        (put("shapes", 0, "size", [1.0, "x", 1.0]), "size.2 is 'x'"),
        (put("shapes", 0, "quaternion", [0.0] * 4), "quaternion is not a rotation"),
        (put("shapes", 0, "link", 99), "on link 99; its links are 0 to 26"),
        (put("shapes", 0, "link", 0.5), "link is 0.5; it should be a whole number"),
        (put("shapes", 0, [1]), "shapes.1 is .*; it should be a table"),
        (put("ground", "spacing", -1.0), "a spacing of -1.0 m"),
        (put("ground", "x0", "here"), "x0 is 'here'; it should be a finite number"),
        (put("ground", []), r"ground is \[\]; it should be a table"),
        (put("events", [EVENT | {"time": "late"}]), "time is 'late'"),
        (put("events", [EVENT | {"lane": 2}]), '"lands" is in world 2; the worlds are 0 to 1'),
        (put("events", [EVENT | {"q": None}]), "q.*should be a list"),
        (put("format", []), r'has the format "\[\]"'),
    ],
)
def test_descriptions_that_are_no_films_are_refused(arrays: dict[str, Any], tmp_path: Path, change: Any, message: str):
    with pytest.raises(GambolError, match=rf"odd\.npz.*({message})"):
        load(tmp_path, with_metadata(arrays, change))


def test_what_films_of_before_lack_is_not_missed(arrays: dict[str, Any], tmp_path: Path):
    film = load(tmp_path, with_metadata(arrays, lambda about: about.pop("events")))
    assert film.events == ()
    assert load(tmp_path, with_metadata(arrays, put("events", [EVENT]))).events[0].name == "lands"


def test_deep_descriptions_pipes_and_long_names_are_refused(arrays: dict[str, Any], tmp_path: Path):
    deep = np.frombuffer(b"[" * 200_000, np.uint8)
    with pytest.raises(GambolError, match=r"odd\.npz is not a film .*too deep"):
        load(tmp_path, arrays, about=deep)
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(GambolError, match=r"pipe\.npz.*device, pipe or socket"):
        Film.load(tmp_path / "pipe.npz")
    with pytest.raises(GambolError, match="there is no film"):
        Film.load(tmp_path / ("a" * 300))


def test_an_array_that_is_missing_is_named(arrays: dict[str, Any], tmp_path: Path):
    with pytest.raises(GambolError, match='it has no array "position"'):
        load(tmp_path, {name: array for name, array in arrays.items() if name != "position"} | {"time": arrays["time"]})


def test_films_that_others_packed_are_read(arrays: dict[str, Any], tmp_path: Path):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    (tmp_path / "small.npz").write_bytes(file.getvalue())
    assert zipfile.ZipFile(tmp_path / "small.npz").infolist()[0].compress_type == zipfile.ZIP_DEFLATED
    assert Film.load(tmp_path / "small.npz").worlds == 2


def test_impossible_grounds_of_a_film_raise():
    with pytest.raises(GambolError, match="spacing"):
        FilmGround(None, spacing=0.0)
    with pytest.raises(GambolError, match="2 x 2"):
        FilmGround(np.zeros(3))
