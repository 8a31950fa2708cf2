"""Compiled programs on disk: loaded without tracing, complete or absent, and never required."""

import multiprocessing
import os
import stat
import time

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec, cache, sin

X = np.linspace(0.0, 1.0, 5).reshape(1, -1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "stored"))
    return tmp_path / "stored" / "programs"


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self):
        self.times = 0

    def __call__(self, x):
        self.times += 1
        return ([sin(x[0]) + 0.5],)


def spec(function, key="sine", name="sine"):
    return ProgramSpec(name, function, ([0.0],), key=key)


def test_program_with_a_key_is_not_traced_again(folder):
    function = Counted()
    first, second = Program(spec(function)), Program(spec(function))
    assert function.times == 1
    assert (first.outputs, first.operations) == (second.outputs, second.operations)
    np.testing.assert_array_equal(first(X)[0], second(X)[0])
    assert len(list(folder.iterdir())) == 1


def test_program_without_a_key_is_traced_but_not_compiled_again(folder, monkeypatch):
    function = Counted()
    Program(spec(function, key=None))
    monkeypatch.setattr("gambol.lanes.cpu.compiler.object_code", None)
    np.testing.assert_allclose(Program(spec(function, key=None))(X)[0], np.sin(X) + 0.5, rtol=1e-15)
    assert function.times == 2


@pytest.mark.parametrize("change", [{"key": "other"}, {"name": "other"}])
def test_another_key_or_name_is_another_program(folder, change):
    function = Counted()
    Program(spec(function))
    Program(spec(function, **change))
    assert function.times == 2


def test_another_precision_or_width_is_another_program(folder):
    function = Counted()
    for precision, lanes in (("float64", 8), ("float32", 8), ("float64", 4)):
        Program(spec(function), precision, lanes)
    assert function.times == len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    "harm", [lambda d: d[: len(d) // 2], lambda d: d[:-1] + b"?", lambda d: b"", lambda d: d[::-1]]
)
def test_damaged_file_is_made_anew(folder, harm):
    function = Counted()
    expected = Program(spec(function))(X)[0]
    (stored,) = folder.iterdir()
    full = stored.read_bytes()
    stored.write_bytes(harm(full))
    np.testing.assert_array_equal(Program(spec(function))(X)[0], expected)
    assert function.times == 2
    assert stored.read_bytes() == full


def test_unwritable_folder_does_no_harm(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "file" / "stored"))
    np.testing.assert_allclose(Program(spec(Counted()))(X)[0], np.sin(X) + 0.5, rtol=1e-15)


def test_file_that_cannot_be_moved_to_its_place_leaves_none_behind(folder):
    folder.mkdir(parents=True, mode=0o700)
    (folder / "taken.gambol" / "by a folder").mkdir(parents=True)
    cache.store("taken", {}, b"code")
    assert [p.name for p in folder.iterdir()] == ["taken.gambol"]
    assert cache.find("taken") is None


def _make_many(path: str, results) -> None:
    import os

    os.environ["GAMBOL_CACHE"] = path
    for number in range(6):
        result = Program(spec(Counted(), key=number))(X)[0]
        results.put(bool(np.allclose(result, np.sin(X) + 0.5)))


NAMES = {name: cache.key_of(name) for name in ("first", "second", "third", "fourth")}


def stored(folder):
    """The names of the programs in a folder."""
    return {name for name, key in NAMES.items() if (folder / f"{key}.gambol").exists()}


def keep_three(folder):
    """Three programs of 1000 bytes and more, of which the second is the youngest."""
    for name in ("first", "second", "third"):
        cache.store(NAMES[name], {}, bytes(1000))
        os.utime(folder / f"{NAMES[name]}.gambol", (0.0, float(len(name))))


def test_oldest_programs_are_removed_when_there_are_too_many(folder, monkeypatch):
    keep_three(folder)
    monkeypatch.setattr(cache, "MAX_BYTES", 2800)
    cache.store(NAMES["fourth"], {}, bytes(1000))
    assert stored(folder) == {"fourth", "second"}


def test_no_file_of_the_user_is_removed(folder, monkeypatch):
    """Neither beside the programs nor among them, however much a full cache must remove."""
    keep_three(folder)
    theirs = [
        folder.parent / "film.npz",
        folder.parent / NAMES["first"],
        folder / "notes.txt",
        folder / f"{'0' * 64}.gambol",  # named as a program, but no program
        folder / "new-12345678.gambol.txt",
        folder / "deep" / f"{'1' * 64}.gambol",
    ]
    for path in theirs:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"mine" * 1000)
        os.utime(path, (0.0, 0.0))
    (folder / f"{'2' * 64}.gambol").symlink_to(theirs[0])
    monkeypatch.setattr(cache, "MAX_BYTES", 0)
    cache.store(NAMES["fourth"], {}, bytes(1000))
    assert not stored(folder)
    assert all(path.read_bytes() == b"mine" * 1000 for path in theirs)
    assert (folder / f"{'2' * 64}.gambol").is_symlink()


def test_file_that_a_killed_process_left_is_removed_after_a_while(folder):
    keep_three(folder)
    old, young = folder / "new-abcdefgh.gambol", folder / "new-ijklmnop.gambol"
    for path, age in ((old, 2.0), (young, 0.5)):
        path.write_bytes(b"half a program")
        path.chmod(0o600)
        os.utime(path, (0.0, time.time() - age * cache.MIN_ABANDONED_AGE))
    cache.store(NAMES["fourth"], {}, b"")
    assert not old.exists()
    assert young.exists()


def test_two_processes_make_the_same_programs_at_once(folder):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    makers = [context.Process(target=_make_many, args=(str(folder.parent), results)) for _ in range(2)]
    for maker in makers:
        maker.start()
    assert all(results.get(timeout=60) for _ in range(12))
    for maker in makers:
        maker.join(timeout=60)
    assert len(list(folder.iterdir())) == 6
    assert all(cache.find(path.stem) for path in folder.iterdir())


def test_folder_is_named_by_the_environment_or_lies_in_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBOL_CACHE", "/somewhere")
    assert str(cache.folder()) == "/somewhere/programs"
    monkeypatch.delenv("GAMBOL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "gambol" / "programs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.folder() == tmp_path / ".cache" / "gambol" / "programs"


@pytest.mark.parametrize("home", [".", "", "some/where"])
def test_no_folder_is_relative(monkeypatch, tmp_path, home):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GAMBOL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", home)
    assert cache.folder() is None
    np.testing.assert_allclose(Program(spec(Counted()))(X)[0], np.sin(X) + 0.5, rtol=1e-15)
    assert not list(tmp_path.iterdir())


def test_relative_folder_that_is_named_is_ignored_with_a_warning(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GAMBOL_CACHE", "here")
    with pytest.warns(cache.CacheWarning, match='GAMBOL_CACHE is "here"'):
        assert cache.folder() == tmp_path / "cache" / "gambol" / "programs"


@pytest.fixture
def program(folder):
    """Return the file of a stored program."""
    Program(spec(Counted()))
    (path,) = folder.iterdir()
    return path


def test_files_and_folder_are_the_users_alone(program):
    assert stat.S_IMODE(program.stat().st_mode) == 0o600
    assert stat.S_IMODE(program.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_program_that_others_may_write_is_not_run(program, mode):
    program.chmod(mode)
    assert made_anew()
    assert stat.S_IMODE(program.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_nothing_is_run_from_a_folder_that_others_may_write(program, mode):
    program.parent.chmod(mode)
    with pytest.warns(cache.CacheWarning, match="must be a folder that you own"):
        assert made_anew()


@pytest.mark.parametrize("which", ["file", "folder"])
def test_nothing_of_another_user_is_run(program, which, monkeypatch):
    """For root, if a user has placed a program, and for a user in a folder of root's."""
    theirs, lstat, fstat = os.geteuid() + 1, cache.Path.lstat, os.fstat

    def of_theirs(about):
        return os.stat_result((*about[:4], theirs, *about[5:]))

    if which == "folder":
        monkeypatch.setattr(cache.Path, "lstat", lambda path: of_theirs(lstat(path)))
        with pytest.warns(cache.CacheWarning, match="must be a folder that you own"):
            assert made_anew()
    else:
        monkeypatch.setattr(cache.os, "fstat", lambda handle: of_theirs(fstat(handle)))
        assert made_anew()


def made_anew():
    """Return True if the program is traced again; assert that its results are right."""
    function = Counted()
    np.testing.assert_allclose(Program(spec(function))(X)[0], np.sin(X) + 0.5, rtol=1e-15)
    return function.times == 1


def test_link_is_not_followed(program):
    elsewhere = program.parent.parent / "elsewhere"
    program.rename(elsewhere)
    program.symlink_to(elsewhere)
    assert made_anew()
    assert not program.is_symlink()


def test_folder_that_is_a_link_is_not_followed(program):
    folder = program.parent
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")
    with pytest.warns(cache.CacheWarning, match="must be a folder that you own"):
        assert made_anew()


def test_pipe_in_the_place_of_a_program_is_not_waited_for(program):
    program.unlink()
    os.mkfifo(program, 0o600)
    assert made_anew()


def test_program_of_another_key_is_not_run(program, folder):
    """A file in place of another would be run with arrays of other shapes."""
    Program(ProgramSpec("two", lambda x: ([x[0], x[1]],), ([0.0, 0.0],), key="two"))
    (other,) = (path for path in folder.iterdir() if path != program)
    program.write_bytes(other.read_bytes())
    assert made_anew()


def sealed(key, about, code):
    """Return a file's bytes with a correct digest, for any content."""
    rest = b"\n".join((key.encode(), about, code))
    return cache.MARK + cache.DIGEST(rest, digest_size=cache.DIGEST_BYTES).digest() + rest


def parts(program):
    """The description and the object code in a program's file."""
    rest = program.read_bytes()[len(cache.MARK) + cache.DIGEST_BYTES :]
    _key, about, code = rest.split(b"\n", 2)
    return about, code


@pytest.mark.parametrize(
    "about",
    [
        *(b"", b"{", b"[]", b"null", b"3", b"{}", b"[" * 100_000, b"\xff\xfe"),
        *(b'{"outputs": [1]}', b'{"operations": 3}', b'{"outputs": 1, "operations": 3}'),
        *(b'{"outputs": ["1"], "operations": 3}', b'{"outputs": [-1], "operations": 3}'),
        *(b'{"outputs": [true], "operations": 3}', b'{"outputs": [1], "operations": null}'),
    ],
)
def test_an_incomplete_description_is_a_cache_miss(program, about):
    program.write_bytes(sealed(program.stem, about, parts(program)[1]))
    assert made_anew()


@pytest.mark.parametrize(
    "harm",
    [
        *(lambda c: b"", lambda c: b"garbage", lambda c: bytes(1000), lambda c: c[:64], lambda c: c[:-1]),
        *(lambda c: c[: len(c) // 2], lambda c: c[:64] + b"\x07" * (len(c) - 64), lambda c: b"\x7fELF" + c[:3]),
        lambda c: c.replace(b"\0run\0", b"\0ran\0"),
    ],
)
def test_code_that_is_none_is_a_miss(program, harm):
    full = program.read_bytes()
    about, code = parts(program)
    assert sealed(program.stem, about, code) == full
    program.write_bytes(sealed(program.stem, about, harm(code)))
    assert made_anew()
    assert program.read_bytes() == full
