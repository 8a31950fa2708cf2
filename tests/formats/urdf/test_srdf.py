"""Poses and disabled collisions of SRDF files: links are where Pinocchio has them, and pairs are left out."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest

from benchmarks.robots import DATA, FOLDERS
from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.formats import Model, read_model, read_urdf

ROBOTS = {
    "ANYmal B": ("anymal_b_simple_description/robots/anymal.urdf", "anymal_b_simple_description/srdf/anymal.srdf"),
    "Go1": ("go1_description/urdf/go1.urdf", "go1_description/srdf/go1.srdf"),
    "HyQ": ("hyq_description/robots/hyq_no_sensors.urdf", "hyq_description/srdf/hyq.srdf"),
}
ARM = """<robot name="arm">
  <link name="base">MASS</link><link name="upper">MASS</link><link name="lower">MASS</link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/></joint>
</robot>""".replace(
    "MASS", '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
POSES = """<robot name="arm">
  <virtual_joint name="root" type="floating" parent_frame="world" child_link="base"/>
  <group_state name="up" group="a"><joint name="shoulder" value="0.5"/></group_state>
  <group_state name="up" group="b"><joint name="elbow" value="-1.25"/><joint name="wrist" value="1"/></group_state>
  <group_state name="far" group="a"><joint name="root" value="1 2 3 0 0 0.6 0.8"/></group_state>
  <group_state name="bad" group="a"><joint name="shoulder" value="0.5 1"/></group_state>
  <group_state name="long" group="a"><joint name="root" value="1 2 3 0 0 1 1"/></group_state>
  <disable_collisions link1="base" link2="lower" reason="Never"/>
  <disable_collisions link1="lower" link2="base" reason="Never"/>
  <disable_collisions link1="base" link2="hand" reason="Never"/>
</robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> tuple[Path, Path]:
    """Return the paths of the URDF file and of the SRDF file of an arm."""
    files = tmp_path / "arm.urdf", tmp_path / "arm.srdf"
    for path, text in zip(files, (ARM, POSES), strict=True):
        path.write_text(text)
    return files


def _placed(model: Model) -> dict[str, np.ndarray]:
    """Return the position of each link at the initial state of a model."""
    poses = kinematics(model.figure, model.q, (0.0,) * model.figure.nv).poses  # slot 0 is the world
    return {link.name: np.array([*poses[link.index].position], float) for link in model.figure.links}


@pytest.mark.parametrize("name", ROBOTS)
def test_links_in_a_pose_are_where_pinocchio_has_them(name: str):
    urdf, srdf = (FOLDERS[DATA]() / file for file in ROBOTS[name])
    ours = _placed(read_urdf(urdf, "free", srdf=srdf, pose="standing", visuals=False))
    model = pinocchio.buildModelFromUrdf(str(urdf), pinocchio.JointModelFreeFlyer())
    pinocchio.loadReferenceConfigurations(model, str(srdf))
    data, q = model.createData(), model.referenceConfigurations["standing"]
    pinocchio.framesForwardKinematics(model, data, q)
    for link, position in ours.items():
        theirs = data.oMf[model.getFrameId(link, pinocchio.FrameType.BODY)].translation
        np.testing.assert_allclose(position, theirs, atol=1e-12)  # sums of some ten lengths of a metre, each rounded
    assert max(abs(position[2]) for position in ours.values()) > 0.2  # the trunk of the pose is above the ground


def test_poses_of_one_name_are_combined_and_unknown_names_are_told(arm: tuple[Path, Path]):
    model = read_urdf(arm[0], srdf=arm[1], pose="up")
    assert model.q == (0.5, -1.25)
    assert model.figure.apart == (("base", "lower"),)
    assert "Left out of arm.srdf: links and joints that the robot lacks: hand, wrist." in model.notes
    assert read_urdf(arm[0], srdf=arm[1]).q == (0.0, 0.0)


def test_the_pose_of_a_free_base_is_read_and_that_of_a_fixed_one_is_not(arm: tuple[Path, Path]):
    assert read_urdf(arm[0], "free", srdf=arm[1], pose="far").q == (0.8, 0.0, 0.0, 0.6, 1.0, 2.0, 3.0, 0.0, 0.0)
    assert read_urdf(arm[0], srdf=arm[1], pose="far").q == (0.0, 0.0)


@pytest.mark.parametrize(
    ("pose", "text"),
    [
        ("upp", r'arm\.srdf has no <group_state> "upp"; did you mean "up"'),
        ("bad", "should be a finite number"),
        ("long", 'the quaternion of "root" has length'),
    ],
)
def test_wrong_poses_are_refused(arm: tuple[Path, Path], pose: str, text: str):
    with pytest.raises(GambolError, match=text):
        read_urdf(arm[0], "free", srdf=arm[1], pose=pose)


def test_a_pose_without_an_srdf_file_and_another_kind_of_file_are_refused(arm: tuple[Path, Path]):
    with pytest.raises(GambolError, match='give the SRDF file with the pose "up"'):
        read_urdf(arm[0], pose="up")
    arm[1].write_text("<mujoco/>")
    with pytest.raises(GambolError, match="begins with <robot>, not with <mujoco>"):
        read_urdf(arm[0], srdf=arm[1])


def test_a_keyframe_of_mjcf_is_the_initial_state_by_its_name(tmp_path: Path):
    path = tmp_path / "slide.xml"
    path.write_text("""<mujoco><worldbody><body><joint name="x" type="slide"/><geom size="1"/></body></worldbody>
        <keyframe><key name="home" qpos="1"/><key name="far" qpos="2" qvel="3"/></keyframe></mujoco>""")
    assert read_model(path).q == (1.0,)
    model = read_model(path, pose="far")
    assert (model.q, model.v) == ((2.0,), (3.0,))
    with pytest.raises(GambolError, match=r'slide\.xml has no keyframe "fra"; did you mean "far"\?'):
        read_model(path, pose="fra")
