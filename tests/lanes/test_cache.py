"""Compiled programs on disk: found again without tracing, whole or absent, and never needed."""

import multiprocessing
import os

import numpy as np
import pytest

from gambol.lanes import Program, Recipe, cache, sin

X = np.linspace(0.0, 1.0, 5).reshape(1, -1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self):
        self.times = 0

    def __call__(self, x):
        self.times += 1
        return ([sin(x[0]) + 0.5],)


def recipe(function, key="sine", name="sine"):
    return Recipe(name, function, ([0.0],), key=key)


def test_program_with_a_key_is_not_traced_again(folder):
    function = Counted()
    first, second = Program(recipe(function)), Program(recipe(function))
    assert function.times == 1
    assert (first.outputs, first.operations) == (second.outputs, second.operations)
    np.testing.assert_array_equal(first(X)[0], second(X)[0])
    assert len(list(folder.iterdir())) == 1


def test_program_without_a_key_is_traced_but_not_compiled_again(folder, monkeypatch):
    function = Counted()
    Program(recipe(function, key=None))
    monkeypatch.setattr("gambol.lanes.machine.object_code", None)
    np.testing.assert_allclose(Program(recipe(function, key=None))(X)[0], np.sin(X) + 0.5, rtol=1e-15)
    assert function.times == 2


@pytest.mark.parametrize("change", [{"key": "other"}, {"name": "other"}])
def test_another_key_or_name_is_another_program(folder, change):
    function = Counted()
    Program(recipe(function))
    Program(recipe(function, **change))
    assert function.times == 2


def test_another_precision_or_width_is_another_program(folder):
    function = Counted()
    for precision, lanes in (("float64", 8), ("float32", 8), ("float64", 4)):
        Program(recipe(function), precision, lanes)
    assert function.times == len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    "harm", [lambda d: d[: len(d) // 2], lambda d: d[:-1] + b"?", lambda d: b"", lambda d: d[::-1]]
)
def test_damaged_file_is_made_anew(folder, harm):
    function = Counted()
    wanted = Program(recipe(function))(X)[0]
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(harm(whole))
    np.testing.assert_array_equal(Program(recipe(function))(X)[0], wanted)
    assert function.times == 2
    assert kept.read_bytes() == whole


def test_unwritable_folder_does_no_harm(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "file" / "kept"))
    np.testing.assert_allclose(Program(recipe(Counted()))(X)[0], np.sin(X) + 0.5, rtol=1e-15)


def test_file_that_cannot_be_moved_to_its_place_leaves_none_behind(folder):
    (folder / "taken" / "by a folder").mkdir(parents=True)
    cache.keep("taken", {}, b"code")
    assert [p.name for p in folder.iterdir()] == ["taken"]
    assert cache.find("taken") is None


def _make_many(path: str, results) -> None:
    import os

    os.environ["GAMBOL_CACHE"] = path
    for number in range(6):
        found = Program(recipe(Counted(), key=number))(X)[0]
        results.put(bool(np.allclose(found, np.sin(X) + 0.5)))


def test_oldest_programs_are_forgotten_when_there_are_too_many(folder, monkeypatch):
    for name in ("first", "second", "third"):
        cache.keep(name, {}, bytes(1000))
        os.utime(folder / name, (0.0, float(len(name))))  # "third" is as old as "first", "second" is younger
    monkeypatch.setattr(cache, "MOST_BYTES", 2500)
    cache.keep("fourth", {}, bytes(1000))
    assert sorted(path.name for path in folder.iterdir()) == ["fourth", "second"]


def test_two_processes_make_the_same_programs_at_once(folder):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    makers = [context.Process(target=_make_many, args=(str(folder), results)) for _ in range(2)]
    for maker in makers:
        maker.start()
    assert all(results.get(timeout=60) for _ in range(12))
    for maker in makers:
        maker.join(timeout=60)
    assert len(list(folder.iterdir())) == 6
    assert all(cache.find(path.name) for path in folder.iterdir())


def test_folder_is_named_by_the_environment_or_lies_in_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBOL_CACHE", "/somewhere")
    assert str(cache.folder()) == "/somewhere"
    monkeypatch.delenv("GAMBOL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "gambol"
