"""Sensors on a real model, gymnasium's humanoid, against MuJoCo's: limits, tendons, distances, rays, a camera."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np
import pytest

from gambol.creatures.models import world_of_model
from gambol.formats import read_mjcf
from gambol.formats.mjcf.reading import figure_state
from gambol.sensing import CameraPose, DepthCamera, HeightScan
from gambol.world import World, start
from gambol.world.sensor_values import sensors

LIBRARY: Any = mujoco
FILE = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / "humanoid.xml"
HINGES = ("abdomen_y", "right_hip_x", "left_hip_z", "right_knee", "left_elbow", "right_shoulder1")
TENDONS = ("left_hipknee", "right_hipknee")
FORWARD = ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""Rotation of a camera that looks along x of its link, upright."""
WIDTH, HEIGHT, ANGLE = 12, 9, 1.2
POSES = 8
ROUNDING = 1e-9


def text_with_sensors() -> str:
    """Return the file with a camera and sensors; the ground is in a group of its own."""
    limits = "".join(f'<jointlimit{x} name="{x} {j}" joint="{j}"/>' for j in HINGES for x in ("pos", "vel"))
    tendons = "".join(f'<tendon{x} name="{x} {t}" tendon="{t}"/>' for t in TENDONS for x in ("pos", "vel"))
    more = """<distance name="hands" geom1="left_hand" geom2="right_hand" cutoff="9"/>
      <fromto name="arm to leg" body1="left_lower_arm" body2="right_thigh" cutoff="9"/>
      <distance name="foot" geom1="left_foot" geom2="floor" cutoff="9"/><rangefinder name="ray" site="chest"/>
      <insidesite name="hand near" site="chest" objtype="body" objname="left_lower_arm"/>
      <actuatorfrc name="knee" actuator="left_knee"/>"""
    text = FILE.read_text(encoding="utf-8").replace('name="floor"', 'name="floor" group="1"', 1)
    mounted = """<camera name="eye" pos=".1 0 .1" xyaxes="0 -1 0 0 0 1" fovy="68.75493541569878"/>
      <site name="chest" type="sphere" size=".5" pos=".1 0 0" zaxis=".3 0 -1"/>"""
    text = text.replace('<camera name="track"', f'{mounted}<camera name="track"', 1)
    return text.replace("</mujoco>", f"<sensor>{limits}{tendons}{more}</sensor></mujoco>")


@pytest.fixture(scope="module")
def humanoid(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Any]:
    """The world of the file, with a depth camera and a height scan, and MuJoCo's model."""
    path = tmp_path_factory.mktemp("humanoid") / "humanoid.xml"
    path.write_text(text_with_sensors(), encoding="utf-8")
    read = read_mjcf(path)
    others = tuple(link.name for link in read.figure.links if link.parts and link.name != "torso")
    own = {
        "pose": CameraPose("torso", (0.1, 0.0, 0.1), FORWARD),
        "depth": DepthCamera(
            "torso", (0.1, 0.0, 0.1), FORWARD, width=WIDTH, height=HEIGHT, field_of_view=ANGLE, sees=others
        ),
        "scan": HeightScan("torso", points=((0.0, 0.0), (0.5, 0.2), (-1.0, 0.7))),
    }
    world = world_of_model(read, contact="stepping", actuators=True)
    world = replace(world, pairs=(), sensors={**world.sensors, **own})
    return world, LIBRARY.MjModel.from_xml_path(str(path))


def poses(world: World, model: Any) -> list[tuple[dict[str, Any], Any]]:
    """Return readings in random poses and speeds, and MuJoCo's data of the same."""
    found: list[tuple[dict[str, Any], Any]] = []
    rng = np.random.default_rng(7)
    for _ in range(POSES):
        data = LIBRARY.MjData(model)
        LIBRARY.mj_resetData(model, data)
        data.qpos[2] = 1.5
        data.qpos[3:7] += 0.3 * rng.normal(size=4)
        data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
        data.qpos[7:] = rng.uniform(-2.0, 2.0, model.nq - 7)
        data.qvel[:] = rng.normal(size=model.nv)
        LIBRARY.mj_forward(model, data)
        q, v = figure_state(model, data.qpos, data.qvel)
        state = start(world)
        state.q[0], state.v[0] = q, v
        found.append(({name: x[0] for name, x in sensors(world, state).items()}, data))
    return found


def test_sensors_of_the_file_read_what_mujoco_reads(humanoid: tuple[World, Any]):
    """Motors are at rest, so their force is 0 in both."""
    world, model = humanoid
    used: set[str] = set()
    for ours, data in poses(world, model):
        for k in range(model.nsensor):
            sensor = model.sensor(k)
            theirs = data.sensordata[sensor.adr[0] : sensor.adr[0] + sensor.dim[0]]
            assert np.abs(ours[sensor.name] - theirs).max() < ROUNDING, sensor.name
            used |= {sensor.name} if np.any(theirs) else set()
    assert used >= {f"pos {x}" for x in (*HINGES, *TENDONS)}, "each limit is exceeded in one of the poses"
    assert used >= {"hands", "foot", "ray", "hand near"}


def test_a_camera_sees_what_rays_of_mujoco_hit(humanoid: tuple[World, Any]):
    """A ray for each pixel; MuJoCo's distance along the ray, times the cosine to the axis, is the depth."""
    world, model = humanoid
    reach, torso, hits = DepthCamera("torso").reach, model.body("torso").id, 0
    pixel = 2.0 * np.tan(0.5 * ANGLE) / HEIGHT
    for ours, data in poses(world, model):
        camera = model.camera("eye").id
        R = data.cam_xmat[camera].reshape(3, 3)
        np.testing.assert_allclose(ours["pose"][:3], data.cam_xpos[camera], atol=ROUNDING)
        quaternion = np.zeros(4)
        LIBRARY.mju_mat2Quat(quaternion, data.cam_xmat[camera])
        assert abs(quaternion @ ours["pose"][3:]) == pytest.approx(1.0, abs=ROUNDING)
        image = ours["depth"].reshape(HEIGHT, WIDTH)
        for row in range(HEIGHT):
            for column in range(WIDTH):
                x, y = (column + 0.5 - 0.5 * WIDTH) * pixel, (0.5 * HEIGHT - row - 0.5) * pixel
                u = np.array([x, y, -1.0])
                u /= np.linalg.norm(u)
                geom = np.zeros(1, np.int32)
                distance = LIBRARY.mj_ray(model, data, data.cam_xpos[camera], R @ u, None, 1, torso, geom)
                expected = reach if distance < 0.0 else min(distance * -u[2], reach)
                assert image[row, column] == pytest.approx(expected, abs=1e-6)
                hits += bool(geom[0] >= 0) and model.geom(geom[0]).name != "floor"
    assert hits > POSES, "parts of the body are seen, not only the ground"


def test_a_height_scan_is_what_vertical_rays_of_mujoco_measure(humanoid: tuple[World, Any]):
    world, model = humanoid
    only_ground = np.array([0, 1, 0, 0, 0, 0], np.uint8)
    for ours, data in poses(world, model):
        origin = data.xpos[model.body("torso").id]
        geom = np.zeros(1, np.int32)
        height = LIBRARY.mj_ray(model, data, origin, np.array([0.0, 0.0, -1.0]), only_ground, 1, -1, geom)
        np.testing.assert_allclose(ours["scan"], height, atol=ROUNDING)
