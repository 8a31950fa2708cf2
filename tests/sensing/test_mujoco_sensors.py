"""Sensors of MJCF files against MuJoCo's own sensor data, at random states with the same controls."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gambol.creatures.make_world import make_world
from gambol.creatures.models import world_of_model
from gambol.figure.springs import STOP_HERTZ
from gambol.formats import Model, read_mjcf, write_mjcf
from gambol.formats.mjcf.reading import figure_state
from gambol.formats.mjcf.sensor_options import RANGE
from gambol.formats.mjcf.sensors import READERS, REFUSED
from gambol.formats.mjcf.unsupported import UNSUPPORTED
from gambol.sensing import SENSORS
from gambol.world import Timing, World, run, sensors, start
from gambol.world.context import StepContext
from gambol.world.rest_state import rest_state
from gambol.world.step.senses import SensedBody

LIBRARY: Any = mujoco

ROBOT = """
<mujoco><option gravity="0.3 -0.2 -9.81" timestep="0.002"><flag energy="enable"/></option><worldbody>
<light pos="0 0 3"/><site name="place" pos="1 2 3" euler="20 30 40"/><body name="trunk" pos="0 0 5">
<freejoint/><geom name="g0" type="box" size=".2 .1 .05" pos=".01 .02 .03" euler="10 20 30"/>
<site name="imu" pos=".1 .05 .02" euler="30 40 50"/><site name="ahead" pos=".6 .02 -.0034" zaxis="-1 0 0"/>
<camera name="eye" pos=".2 0 0" euler="90 20 0" resolution="64 48" fovy="50"/>
<camera name="lens" pos=".1 .1 0" euler="70 -30 10" resolution="640 480" sensorsize=".036 .024" focal=".05 .04"/>
<site name="zone" type="box" size=".1 .1 .1"/><site name="big" type="sphere" size=".5"/>
<body name="arm" pos=".3 0 0" euler="0 20 0">
<joint name="shoulder" type="ball" pos=".01 .02 0" damping=".1"/>
<geom type="capsule" size=".03 .1" pos="0 0 -.1"/><body name="fore" pos="0 0 -.3">
<joint name="elbow" axis="0 1 .3" pos="0 .01 0" stiffness="3" damping=".2" armature=".01"/>
<joint name="slide" type="slide" axis="1 0 0" damping=".5"/>
<geom name="g2" type="capsule" size=".02 .1" pos=".05 0 -.1" euler="0 10 20"/>
<site name="wrist" pos=".02 .01 -.2" euler="5 6 7"/>
</body></body><body name="leg" pos="-.3 0 0">
<joint name="hip" limited="true" range="-170 170" axis="1 0 0" stiffness="2"/><site name="heel" pos="0 .03 -.1"/>
<geom name="g3" type="sphere" size=".05" pos="0 0 -.2"/></body></body></worldbody><tendon>
<fixed name="both" limited="true" range="-90 90">
<joint joint="elbow" coef=".3"/><joint joint="slide" coef="-2"/></fixed>
<spatial name="cord" stiffness="3" damping=".2"><site site="imu"/><site site="wrist"/><site site="heel"/></spatial>
<spatial name="slack"><site site="imu"/><site site="heel"/></spatial></tendon><actuator>
<motor name="m3" joint="elbow" gear=".5"/><motor name="m4" tendon="cord" gear="2"/><motor name="m5" tendon="cord"/>
<motor name="m1" joint="elbow" gear="3"/><motor name="m2" joint="slide" gear="-2"/></actuator><sensor>
<accelerometer name="acc" site="imu"/><gyro name="gyro" site="imu"/><velocimeter name="vel" site="imu"/>
<accelerometer name="acc2" site="wrist"/><gyro name="gyro2" site="wrist"/>
<velocimeter name="vel2" site="wrist"/><force name="force" site="wrist"/>
<torque name="torque" site="wrist"/><force name="force0" site="imu"/><magnetometer name="mag" site="imu"/>
<jointpos name="jp" joint="elbow"/><jointvel name="jv" joint="slide"/>
<jointactuatorfrc name="jaf" joint="elbow"/><actuatorpos name="ap" actuator="m1"/>
<actuatorvel name="av" actuator="m2"/><actuatorfrc name="af" actuator="m2"/>
<ballquat name="bquat" joint="shoulder"/><ballangvel name="bav" joint="shoulder"/>
<framepos name="fp body" objtype="body" objname="fore"/>
<framepos name="fp xbody" objtype="xbody" objname="fore"/>
<framepos name="fp geom" objtype="geom" objname="g2"/>
<framepos name="fp cam" objtype="camera" objname="eye"/>
<framepos name="fp ref" objtype="site" objname="wrist" reftype="site" refname="imu"/>
<framepos name="fp wref" objtype="site" objname="wrist" reftype="site" refname="place"/>
<framequat name="fquat" objtype="site" objname="wrist" reftype="geom" refname="g0"/>
<framequat name="fquat b" objtype="body" objname="trunk"/>
<framexaxis name="fx" objtype="site" objname="wrist" reftype="site" refname="imu"/>
<framezaxis name="fz" objtype="camera" objname="eye"/><frameyaxis name="fy" objtype="geom" objname="g2"/>
<framelinvel name="flv" objtype="site" objname="wrist"/>
<framelinvel name="flv ref" objtype="site" objname="wrist" reftype="site" refname="imu"/>
<framelinvel name="flv b" objtype="body" objname="fore" reftype="body" refname="leg"/>
<frameangvel name="fav" objtype="geom" objname="g2"/>
<frameangvel name="fav ref" objtype="site" objname="wrist" reftype="site" refname="imu"/>
<framelinacc name="fla" objtype="body" objname="fore"/>
<frameangacc name="faa" objtype="site" objname="wrist"/><subtreecom name="sc" body="arm"/>
<subtreelinvel name="slv" body="arm"/><subtreeangmom name="sam" body="trunk"/>
<subtreeangmom name="sam2" body="arm"/><e_potential name="ep"/><e_kinetic name="ek"/><clock name="clock"/>
<jointlimitpos name="limit" joint="hip"/><jointlimitvel name="limit speed" joint="hip"/>
<actuatorfrc name="af1" actuator="m1"/><actuatorfrc name="af3" actuator="m3"/><actuatorfrc name="af4" actuator="m4"/>
<actuatorpos name="ap4" actuator="m4"/><actuatorvel name="av4" actuator="m4"/>
<jointactuatorfrc name="jaf slide" joint="slide"/>
<tendonpos name="tp both" tendon="both"/><tendonvel name="tv both" tendon="both"/>
<tendonpos name="tp cord" tendon="cord"/><tendonvel name="tv cord" tendon="cord"/>
<tendonpos name="tp slack" tendon="slack"/><tendonlimitpos name="tlp" tendon="both"/>
<tendonlimitvel name="tlv" tendon="both"/><tendonactuatorfrc name="taf" tendon="cord"/>
<distance name="d geoms" geom1="g2" geom2="g3" cutoff="5"/>
<distance name="d bodies" body1="trunk" body2="fore" cutoff="5"/>
<normal name="n geoms" geom1="g2" geom2="g3" cutoff="5"/><fromto name="ft geoms" geom1="g2" geom2="g3" cutoff="5"/>
<distance name="d far" geom1="g2" geom2="g3" cutoff=".01"/><fromto name="ft far" geom1="g2" geom2="g3" cutoff=".01"/>
<rangefinder name="ray arm" site="ahead"/><rangefinder name="ray imu" site="imu"/>
<insidesite name="inside" site="zone" objtype="site" objname="heel"/>
<insidesite name="inside big" site="big" objtype="body" objname="leg"/>
<camprojection name="cp wrist" site="wrist" camera="eye"/><camprojection name="cp heel" site="heel" camera="lens"/>
<tendonlimitfrc name="tlf" tendon="both"/><user name="mine" dim="2" needstage="pos"/></sensor></mujoco>
"""

ROUNDINGS = 1000
"""Rounding errors that add up in a reading: 9 freedoms, and some hundred operations for each."""


def robot(folder: Path, text: str = ROBOT) -> tuple[Any, Model, World]:
    path = folder / "robot.xml"
    path.write_text(text, encoding="utf-8")
    model = read_mjcf(path, leave_out=UNSUPPORTED)
    return LIBRARY.MjModel.from_xml_string(text), model, world_of_model(model, actuators=True)


def random_state(model: Any, rng: np.random.Generator) -> Any:
    """Return MuJoCo's data at random positions, velocities and controls."""
    data = LIBRARY.MjData(model)
    data.qpos[:] = 0.5 * rng.normal(size=model.nq)
    for joint in range(model.njnt):
        first, kind = int(model.jnt_qposadr[joint]), int(model.jnt_type[joint])
        if kind in (0, 1):
            quaternion = rng.normal(size=4)
            at = first + (3 if kind == 0 else 0)
            data.qpos[at : at + 4] = quaternion / np.linalg.norm(quaternion)
    data.qpos[2] = 5.0
    data.qvel[:] = rng.normal(size=model.nv)
    data.ctrl[:] = rng.uniform(-1.0, 1.0, model.nu)
    LIBRARY.mj_forward(model, data)
    return data


def readings(world: World, model: Any, data: Any) -> dict[str, list[Any]]:
    """Return what the sensors of a world read in the state of MuJoCo's data."""
    q, v = figure_state(model, data.qpos, data.qvel)
    memory: Any = rest_state(world).memory
    at_tendon = model.actuator_trntype == LIBRARY.mjtTrn.mjTRN_TENDON
    torques = (data.ctrl * np.where(at_tendon, 1.0, model.actuator_gear[:, 0])).tolist()
    memory = replace(memory, control=replace(memory.control, targets=torques))
    context = StepContext.of(world, world.numbers(), None)
    return SensedBody(context, list(q), list(v), memory, 0.0, 0.0, tuple(world.sensors)).measured


def test_every_sensor_reads_what_mujoco_reads(tmp_path: Path):
    """Within rounding, times the condition number of the mass matrix where forces and accelerations are read."""
    model, _, world = robot(tmp_path)
    rng = np.random.default_rng(0)
    for _ in range(5):
        data = random_state(model, rng)
        ours = readings(world, model, data)
        M = np.zeros((model.nv, model.nv))
        LIBRARY.mj_fullM(model, data, M)
        size = max(1.0, *(np.abs(data.sensor(name).data).max() for name in ours if name not in PIXELS))
        tolerance = ROUNDINGS * np.finfo(float).eps * size * float(np.linalg.cond(M))
        assert tolerance < 1e-6  # far below any reading
        for name, values in ours.items():
            sensor = model.sensor(name)
            theirs = data.sensordata[sensor.adr[0] : sensor.adr[0] + sensor.dim[0]]
            if name == "ray imu":
                assert theirs[0] == -1.0, "it hits nothing"
                theirs = [RANGE]
            if name in PIXELS:
                scale = np.abs(theirs).max()
                theirs, values = theirs / scale, np.array(values) / scale
            signs = (1.0, -1.0) if "quat" in name else (1.0,)  # both quaternions are the same orientation
            assert min(np.abs(np.array(values) * sign - theirs).max() for sign in signs) < tolerance, name


PIXELS = ("cp wrist", "cp heel")
LIMITS = ("limit", "limit speed", "tlp", "tlv")


def test_beyond_a_limit_its_distance_and_speed_are_mujocos(tmp_path: Path):
    text = ROBOT.replace('range="-170 170"', 'range="-10 10"').replace('range="-90 90"', 'range="-.1 .1"')
    model, _, world = robot(tmp_path, text)
    rng, beyond = np.random.default_rng(1), np.zeros(len(LIMITS), bool)
    for _ in range(8):
        data = random_state(model, rng)
        ours = readings(world, model, data)
        theirs = np.array([data.sensor(name).data[0] for name in LIMITS])
        np.testing.assert_allclose([ours[name][0] for name in LIMITS], theirs, rtol=0.0, atol=1e-12)
        beyond |= theirs != 0.0
    assert beyond.all(), "each was beyond its limit"


def test_sensors_written_to_a_file_read_the_same_in_mujoco(tmp_path: Path):
    """MuJoCo's readings of the file that gambol wrote equal those of the file that it read, in the same state."""
    model, read, _ = robot(tmp_path)
    notes = write_mjcf(read, tmp_path / "again.xml")
    written = LIBRARY.MjModel.from_xml_path(str(tmp_path / "again.xml"))
    names = {written.sensor(k).name for k in range(written.nsensor)}
    left_out = {note.split('"')[1] for note in notes if note.startswith("Left out: sensor")}
    assert names | left_out == {entry.name for entry in read.sensors}
    assert left_out == NOT_WRITTEN
    rng = np.random.default_rng(2)
    data, again = random_state(model, rng), LIBRARY.MjData(written)
    again.qpos[:], again.qvel[:], again.ctrl[:] = data.qpos, data.qvel, data.ctrl
    LIBRARY.mj_forward(written, again)
    for name in names:
        np.testing.assert_allclose(again.sensor(name).data, data.sensor(name).data, atol=1e-6, err_msg=name)


NOT_WRITTEN = {"cp wrist", "cp heel", "ap", "av", "ap4", "av4", "d geoms", "n geoms", "ft geoms", "d far", "ft far"}
"""Projections, motions with a factor, and distances of single geoms."""


def test_every_kind_of_sensor_is_read_or_refused_with_a_reason():
    kinds = {name.removeprefix("mjSENS_").lower() for name in dir(LIBRARY.mjtSensor) if name.startswith("mjSENS_")}
    assert kinds == READERS.keys() | REFUSED.keys()
    assert not READERS.keys() & REFUSED.keys()


def test_what_gambol_lacks_is_noted(tmp_path: Path):
    model, read, world = robot(tmp_path)
    assert set(world.sensors) == {model.sensor(k).name for k in range(model.nsensor)} - {"mine"}
    assert any('sensor "mine" (user), which gets its readings from a function' in note for note in read.notes)
    assert {entry.kind for entry in read.sensors} <= set(SENSORS)


def test_sensors_of_mujocos_own_model_are_read():
    path = Path(mujoco.__file__).parent / "testdata" / "model.xml"
    if not path.exists():
        pytest.fail("the mujoco package has no testdata/model.xml any more; take another file with sensors")
    theirs = LIBRARY.MjModel.from_xml_path(str(path))
    model = read_mjcf(path, leave_out=UNSUPPORTED)
    left_out = sum(note.startswith("Left out: sensor") for note in model.notes)
    assert len(model.sensors) + left_out == theirs.nsensor


def test_noise_delay_rate_and_cutoff_of_a_file_are_kept(tmp_path: Path):
    path = tmp_path / "ball.xml"
    sensors = """<accelerometer name="acc" site="s" cutoff="2" noise="0.1" delay="0.01" nsample="4" interval="0.02"/>
      <framepos name="place" objtype="site" objname="s" cutoff="0.5"/><rangefinder name="ray" site="s" cutoff="0.2"/>"""
    body = '<body pos="0 0 1"><freejoint/><geom size="0.1"/><site name="s"/></body>'
    path.write_text(f"<mujoco><worldbody>{body}</worldbody><sensor>{sensors}</sensor></mujoco>", encoding="utf-8")
    world = make_world(read_mjcf(path), timing=Timing(0.005, 0.005))
    acc, ray = world.sensors["acc"], world.sensors["ray"]
    assert (acc.noise, acc.cutoff, acc.delay, acc.rate) == (0.1, 2.0, 0.01, 50.0)
    assert ray.numbers() == {"reach": 0.2}
    model = LIBRARY.MjModel.from_xml_path(str(path))
    data = LIBRARY.MjData(model)
    LIBRARY.mj_forward(model, data)
    assert list(data.sensor("place").data) == [0.0, 0.0, 0.5]
    film = run(world, start(world), 0.02)
    np.testing.assert_array_equal(film.signals["sensor place"][:, 0], [[0.0, 0.0, 0.5]] * len(film.time))


HANGING = """
<mujoco><option timestep="0.001"/><worldbody><body name="weight" pos="0 0 1">
<joint name="up" type="slide" axis="0 0 1" damping="8"/><geom size="0.1" mass="3"/></body></worldbody>
<tendon><fixed name="rope" limited="true" range="-.2 .4"><joint joint="up" coef="2"/></fixed></tendon>
<sensor><tendonlimitfrc name="load" tendon="rope"/><tendonlimitpos name="beyond" tendon="rope"/></sensor></mujoco>
"""


def test_the_limit_of_a_tendon_carries_half_the_weight_here_and_in_mujoco(tmp_path: Path):
    """A rope that shortens by 2 m for each metre carries half the weight at rest, however stiff its limit is."""
    path = tmp_path / "hanging.xml"
    path.write_text(HANGING, encoding="utf-8")
    model = LIBRARY.MjModel.from_xml_string(HANGING)
    data = LIBRARY.MjData(model)
    for _ in range(5000):
        LIBRARY.mj_step(model, data)
    half = 3.0 * 9.81 / 2.0
    assert data.sensor("load").data[0] == pytest.approx(half, rel=1e-6)
    world = make_world(read_mjcf(path), contact="stepping", timing=Timing(0.001, 0.001, "semi-implicit euler"))
    state = start(world)
    assert sensors(world, state)["load"][0, 0] == 0.0, "within the range"
    run(world, state, 5.0, rate=10.0)
    ours = sensors(world, state)
    assert ours["load"][0, 0] == pytest.approx(half, rel=1e-6)
    stiffness = 3.0 / 2.0**2 * (2.0 * np.pi * STOP_HERTZ) ** 2
    assert ours["beyond"][0, 0] == pytest.approx(-half / stiffness, rel=1e-6)
