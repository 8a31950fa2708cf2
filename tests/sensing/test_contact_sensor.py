"""Lists of contacts: against plain NumPy on the arrays of gambol.contacts(), and against MuJoCo's sensor at rest."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gambol.creatures.make_world import make_world
from gambol.errors import FigureError, WorldError
from gambol.figure import Box, Sphere
from gambol.formats import read_mjcf, write_mjcf
from gambol.sensing import ContactSensor
from gambol.sensing.loads import GROUND
from gambol.world import State, Timing, World, contacts, run, start
from gambol.world.sensor_values import sensors

LIBRARY: Any = mujoco
FIELDS = ("found", "force", "torque", "dist", "pos", "normal", "tangent")
ALL = 'data="found force torque dist pos normal tangent"'
FILE = f"""
<mujoco><option timestep="0.002" integrator="implicitfast"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".2 .15 .1" density="800"/>
  <site name="corner" pos=".2 .15 -.1" type="box" size=".05 .05 .05"/></body>
<body name="load" pos=".05 .02 .28"><freejoint/><geom name="load" size=".08" density="900"/></body>
<body name="ball" pos="1 0 .11"><freejoint/><geom name="ball" size=".11"/></body></worldbody><sensor>
<contact name="floor" geom1="box" geom2="floor" num="4" {ALL} reduce="maxforce"/>
<contact name="net" subtree1="box" num="1" {ALL} reduce="netforce"/>
<contact name="net floor" geom2="floor" num="1" {ALL} reduce="netforce"/>
<contact name="pile" body1="load" body2="box" num="4" {ALL} reduce="mindist"/>
<contact name="corner" site="corner" num="2" data="found dist pos" reduce="mindist"/>
<contact name="ball" body1="ball" num="2" data="found pos normal"/>
<contact name="every" num="1" data="found"/>
<contact name="none" body1="ball" body2="box" num="2" {ALL}/>
</sensor></mujoco>
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, State, Any, Any]:
    """A world of a file at rest, its state, and MuJoCo's model and data of the same file at rest."""
    path = tmp_path_factory.mktemp("contacts") / "pile.xml"
    path.write_text(FILE, encoding="utf-8")
    world = make_world(read_mjcf(path), contact="stepping", timing=Timing(0.002, 0.002, "semi-implicit euler"))
    state = start(world)
    run(world, state, 1.0, rate=10.0)
    model = LIBRARY.MjModel.from_xml_path(str(path))
    data = LIBRARY.MjData(model)
    for _ in range(3000):
        LIBRARY.mj_step(model, data)
    LIBRARY.mj_forward(model, data)
    return world, state, model, data


def by_field(values: Any, fields: tuple[str, ...] = FIELDS) -> list[dict[str, Any]]:
    """Return the fields of each contact from the readings of a sensor."""
    sizes = [1 if name in ("found", "dist") else 3 for name in fields]
    rows = np.asarray(values).reshape(-1, sum(sizes))
    return [dict(zip(fields, np.split(row, np.cumsum(sizes)[:-1]), strict=True)) for row in rows]


G = 9.81
MASSES = {"box": 800 * 0.4 * 0.3 * 0.2} | {
    name: density * 4 / 3 * np.pi * radius**3 for name, density, radius in (("load", 900, 0.08), ("ball", 1000, 0.11))
}


def test_at_rest_lists_agree_with_mujoco_up_to_its_soft_contacts(scene):
    """MuJoCo's surfaces overlap by some tenths of a millimetre at rest; forces are those of statics in both."""
    world, state, _, data = scene
    ours = sensors(world, state)
    for name in ("floor", "pile"):
        theirs, mine = (by_field(values) for values in (data.sensor(name).data, ours[name][0]))
        weight = sum(np.linalg.norm(row["force"]) for row in theirs)
        np.testing.assert_allclose(_total(mine, "force")[0], _total(theirs, "force")[0], atol=1e-3 * weight)
        assert _points(mine) == _points(theirs), name
        for row, their_row in zip(mine, theirs, strict=True):
            assert row["found"] == their_row["found"]
            np.testing.assert_allclose(row["normal"], their_row["normal"], atol=1e-3)
            assert row["dist"][0] == pytest.approx(their_row["dist"][0], abs=2e-3)
            assert not row["torque"].any()
            assert not their_row["torque"].any()
    for name in ("net", "net floor"):
        (mine,), (theirs,) = (by_field(values) for values in (ours[name][0], data.sensor(name).data))
        weight = np.linalg.norm(theirs["force"])
        assert mine["found"] == theirs["found"]
        np.testing.assert_allclose(mine["force"], theirs["force"], atol=1e-3 * weight, err_msg=name)
        np.testing.assert_allclose(_moment(mine), _moment(theirs), atol=1e-3 * weight, err_msg=name)
        for field in ("dist", "normal", "tangent"):
            np.testing.assert_array_equal(mine[field], theirs[field])
    for name, fields in (("corner", ("found", "dist", "pos")), ("ball", ("found", "pos", "normal"))):
        pairs = (by_field(values, fields) for values in (ours[name][0], data.sensor(name).data))
        for row, their_row in zip(*pairs, strict=True):
            for field in fields:
                np.testing.assert_allclose(row[field], their_row[field], atol=3e-3, err_msg=f"{name} {field}")
    assert ours["every"][0, 0] == data.sensor("every").data[0] == 4 + 1 + 1
    assert not ours["none"].any()
    assert not data.sensor("none").data.any()


def _total(rows: list[dict[str, Any]], field: str) -> Any:
    return sum(row[field] for row in rows)


def _points(rows: list[dict[str, Any]]) -> set[tuple[float, ...]]:
    """Return the points to a centimetre: forces of equal corners have no order."""
    return {tuple(np.round(row["pos"], 2) + 0.0) for row in rows}


def _moment(net: dict[str, Any]) -> Any:
    """Return the moment about the origin, which does not depend on how the contacts share the load."""
    return net["torque"] + np.cross(net["pos"], net["force"])


def test_the_net_contact_of_the_floor_carries_all_weights_where_they_are(scene):
    world, state, _, _ = scene
    (net,) = by_field(sensors(world, state)["net floor"][0])
    scale = G * sum(MASSES.values())
    np.testing.assert_allclose(net["force"], [0.0, 0.0, -scale], atol=1e-6 * scale)
    places = {name: state.q[0, world.figure.link(name).q][4:] for name in MASSES}
    moment = sum(np.cross(places[name], [0.0, 0.0, -G * mass]) for name, mass in MASSES.items())
    np.testing.assert_allclose(_moment(net), moment, atol=1e-6 * scale)


def test_lists_are_those_of_plain_numpy_on_the_contacts_of_the_state(scene):
    """Each contact has its force, point and normal once; the order is that of the rank asked for."""
    world, state, _, _ = scene
    every, values = contacts(world, state), sensors(world, state)
    names = [*every.link_names, GROUND]  # -1 is the ground
    pairs = [(names[a], names[b]) for a, b in zip(every.link, every.other, strict=True)]
    forces, gaps = np.asarray(every.force), np.asarray(every.gap)
    of_box = [k for k, pair in enumerate(pairs) if set(pair) == {"box", GROUND}]
    strongest = sorted(of_box, key=lambda k: -np.linalg.norm(forces[k]))
    rows = by_field(values["floor"][0])
    np.testing.assert_allclose([row["pos"] for row in rows], np.asarray(every.point)[strongest], atol=1e-12)
    for row, k in zip(rows, strongest, strict=True):
        normal, tangent = row["normal"], row["tangent"]
        axes = np.array([normal, tangent, np.cross(normal, tangent)])
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(axes.T @ row["force"], -forces[k], atol=1e-9)  # on the floor, by the box
        np.testing.assert_allclose(normal, [0.0, 0.0, -1.0], atol=1e-12)
    of_load = [k for k, pair in enumerate(pairs) if set(pair) == {"box", "load"}]
    deepest = np.sort(gaps[of_load])
    rows = by_field(values["pile"][0])
    assert [row["found"][0] for row in rows] == [len(deepest), *([0.0] * (len(rows) - len(deepest)))]
    np.testing.assert_allclose([row["dist"][0] for row in rows[: len(deepest)]], deepest, atol=1e-12)


def test_a_list_written_to_a_file_reads_the_same_in_mujoco(scene, tmp_path: Path):
    data = scene[3]
    path = tmp_path / "pile.xml"
    path.write_text(FILE, encoding="utf-8")
    notes = write_mjcf(read_mjcf(path), tmp_path / "again.xml")
    again = LIBRARY.MjModel.from_xml_path(str(tmp_path / "again.xml"))
    left_out = {note.split('"')[1] for note in notes if note.startswith("Left out: sensor")}
    assert left_out == set()
    restored = LIBRARY.MjData(again)
    restored.qpos[:], restored.qvel[:] = data.qpos, data.qvel
    restored.qacc_warmstart[:] = data.qacc_warmstart
    LIBRARY.mj_forward(again, restored)
    for name in ("net floor", "pile", "corner", "every"):
        np.testing.assert_allclose(restored.sensor(name).data, data.sensor(name).data, atol=1e-3, err_msg=name)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"first": ("bax",)}, FigureError, '"box"'),
        ({"fields": ("forces",)}, WorldError, '"force"'),
        ({"reduce": "maxforces"}, WorldError, '"maxforce"'),
        ({"count": 17}, WorldError, "1 to 16"),
        ({"count": 2, "reduce": "netforce"}, WorldError, "give 1 to 1"),
        ({"zone": Box((1.0, 1.0, 1.0)), "zone_link": "ground"}, FigureError, "ground"),
    ],
)
def test_impossible_lists_are_refused_by_name(scene, options: dict[str, Any], error: type[Exception], words: str):
    world = scene[0]
    with pytest.raises(error, match=words):
        ContactSensor(**options).check("mine", world.figure, world.ground)
    ContactSensor(("box",), (GROUND,), zone=Sphere(1.0), zone_link="ball").check("mine", world.figure, world.ground)
