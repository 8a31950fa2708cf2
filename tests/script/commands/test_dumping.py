"""Dumps are loaded to the last bit, and the motion continues identically; no other file is changed."""

import json
import math

import numpy as np
import pytest
from scripts import BALL, PENDULUM, SPRUNG, dry_run, read, written

from gambol.script import ScriptError
from gambol.world.former_ledger import FORMER_LEDGER

MOVING = SPRUNG + "motor arm ktarget 0.7 0.5\njoint arm dq 0.3\ngo 37\n"
BOUNCING = (
    BALL.replace("unit_sphere", "unit_cube").replace("ball", "box") + "addv box 0.3 0 0 0 0 0\nsetdown 0.0001\ngo 50\n"
)


def run(folder, text):
    return read(folder, text).run(folder / "out", echo=lambda _: None)


def all_of(command):
    return "".join(f"{command}{kind} kept.{kind}\n" for kind in ("s", "motors", "contacts"))


@pytest.mark.parametrize("text", [MOVING, BOUNCING], ids=["motors", "contacts"])
def test_what_was_dumped_has_the_same_future(text, tmp_path):
    film = run(tmp_path, text + all_of("dump") + "go 40\n" + all_of("load") + "go 40\n" + all_of("load") + "go 40")
    first, second, third = (slice(a, a + 40) for a in range(len(film.time) - 120, len(film.time), 40))
    for part in (film.position, film.quaternion, film.signals["kinetic"], film.signals["motors"]):
        np.testing.assert_array_equal(part[first], part[second])
        np.testing.assert_array_equal(part[first], part[third])
    assert np.ptp(film.position[first], axis=0).max() + np.ptp(film.quaternion[first], axis=0).max() > 1e-4


def test_another_script_continues_from_a_dump(tmp_path):
    uninterrupted = run(tmp_path, MOVING + "go 30")
    run(tmp_path, MOVING + all_of("dump"))
    rest = run(tmp_path, SPRUNG + "motor arm ktarget 0 1\n" + all_of("load") + "time\ngo 30")
    np.testing.assert_array_equal(rest.quaternion, uninterrupted.quaternion[37:])


def test_a_dump_of_an_earlier_version_has_the_same_future(tmp_path):
    """Its ledger had no entry for numerical damping."""
    uninterrupted = run(tmp_path, MOVING + all_of("dump") + "go 30")
    path = tmp_path / "out" / "kept.s"
    content, world = json.loads(path.read_text()), dry_run(tmp_path, SPRUNG + "go 1").current_state().world
    del content["ledger"], content["numbers"][world.figure.nq + world.figure.nv + len(FORMER_LEDGER)]
    path.write_text(json.dumps(content))
    rest = run(tmp_path, SPRUNG + "motor arm ktarget 0 1\n" + all_of("load") + "time\ngo 30")
    np.testing.assert_array_equal(rest.quaternion, uninterrupted.quaternion[37:])
    np.testing.assert_array_equal(rest.signals["damping"], uninterrupted.signals["damping"][37:])


def test_dumps_are_found_beside_the_script(tmp_path):
    run(tmp_path, MOVING + "dumps kept")
    (tmp_path / "out" / "kept").rename(tmp_path / "kept")
    state = dry_run(tmp_path, SPRUNG + "loads kept").current_state()
    assert float(state.time[0]) == pytest.approx(0.037)


def test_a_load_sets_the_time(tmp_path):
    output = []
    script = read(tmp_path, SPRUNG + "go 20\ndumps kept\ngo 10\nloads kept\ntime\ngo 1\ntime")
    script.run(tmp_path, echo=output.append)
    assert output == ["time 0.02", "time 0.021"]


def test_forces_and_accelerations_are_those_of_the_equations(tmp_path):
    """A rod on a spring: Q = -k q - b dq, and its acceleration is Q less its weight's torque, over its inertia."""
    text = PENDULUM + "joint arm k 1\njoint arm b 0.01\njoint arm q 0.4\njoint arm dq 2\ndumpQs Q\ndumpas a\ngo 1"
    run(tmp_path, text)
    Q, a = (json.loads((tmp_path / "out" / name).read_text())["bodies"]["arm"] for name in ("Q", "a"))
    assert pytest.approx([-0.4 - 0.02]) == Q
    inertia = 0.2 * ((0.5**2 + 0.02**2) / 12 + 0.25**2)
    assert a == pytest.approx([(-0.42 - 0.2 * 9.81 * 0.25 * math.sin(0.4)) / inertia])


def test_the_ground_bears_the_weight(tmp_path):
    run(tmp_path, BOUNCING.replace("addv box 0.3 0 0 0 0 0\n", "groundb 50\n") + "go 1000\ndumpcontactforces push")
    push = json.loads((tmp_path / "out" / "push").read_text())
    assert sum(push["feet"].values()) + push["elsewhere"] == pytest.approx(1000 * 0.02**3 * 9.81, rel=1e-3)


def test_bodies_are_put_where_they_are_by_a_script_of_commands(tmp_path):
    film = run(tmp_path, PENDULUM + "joint arm q 0.4\ngo 100\ndumpmatcorpus poses.corpus")
    objects = "get foot unit_cube\nget arm unit_cube\n"
    (tmp_path / "out" / "poses.corpus").rename(tmp_path / "poses.corpus")
    transform = dry_run(tmp_path, objects + "read poses.corpus").graphic_objects["arm"].transform
    w, x, y, z = film.quaternion[-1, 0, 1]
    assert transform.shift == pytest.approx(film.position[-1, 0, 1])
    assert transform.linear[0] == pytest.approx(
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], abs=1e-12
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot be read as a dump"),
        ("[1, 2]", "is not a dump of state"),
        ('{"format": "gambol corpus dump 1", "kind": "motors", "corpus": "clock", "numbers": []}', 'holds "motors"'),
        ('{"format": "gambol corpus dump 1", "kind": "state", "corpus": "roach", "numbers": []}', 'is from "roach"'),
        ('{"format": "gambol corpus dump 1", "kind": "state", "corpus": "clock", "numbers": [1]}', "holds 1 numbers"),
        ('{"format": "gambol corpus dump 1", "kind": "state", "corpus": "clock", "numbers": [NaN]}', "is not a dump"),
        ("[" * 100_000, "cannot be read as a dump"),
    ],
)
def test_anything_but_a_dump_is_not_loaded(content, message, tmp_path):
    written(tmp_path, content, "kept")
    with pytest.raises(ScriptError, match=r"^it.corpus:\d+: loads: .*" + message):
        read(tmp_path, PENDULUM + "loads kept")


def test_a_dump_of_another_base_is_found_in_the_dry_run(tmp_path):
    with pytest.raises(ScriptError, match=r"^it.corpus:\d+: loads: .* it is from another figure"):
        read(tmp_path, BALL + "ground off\ndumps kept\nrootmotion fixed\ngo 1\nloads kept")


def test_a_missing_dump(tmp_path):
    with pytest.raises(ScriptError, match='there is no dump "kept" in'):
        run(tmp_path, PENDULUM + "loads kept\ngo 1")


@pytest.mark.parametrize("name", ["../kept", "/tmp/kept", "other.corpus", "notes.txt", "folder"])
def test_no_other_file_is_written(name, tmp_path):
    home = tmp_path / "home"
    (home / "out" / "folder").mkdir(parents=True)
    written(home / "out", "mine", "notes.txt")
    with pytest.raises(ScriptError, match=r"lies outside the folder|is the name of a script|exists already"):
        run(home, PENDULUM + f"go 1\ndumps {name}")
    assert (home / "out" / "notes.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]


def test_a_dump_is_overwritten_by_a_later_one(tmp_path):
    run(tmp_path, SPRUNG + "joint arm q 0.1\ndumps kept\ngo 10\ndumps kept")
    first = (tmp_path / "out" / "kept").read_text()
    run(tmp_path, SPRUNG + "joint arm q 0.1\ndumps kept\ngo 20\ndumps kept")
    assert (tmp_path / "out" / "kept").read_text() != first


def test_a_file_beside_the_script_is_no_obstacle(tmp_path):
    written(tmp_path, "mine", "kept")
    run(tmp_path, SPRUNG + "go 1\ndumps kept")
    assert (tmp_path / "kept").read_text() == "mine"
    assert (tmp_path / "out" / "kept").is_file()
