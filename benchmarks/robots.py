"""Real robots from other packages: the paths of their files, and how gambol reads them.

`python -m benchmarks.robot_page` compares their dynamics with those of Pinocchio and MuJoCo.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from gambol.formats import Model, read_mjcf, read_urdf


@dataclass(frozen=True)
class Robot:
    """A robot. package, file: its description; free: True if its base floats; leave_out: features not read."""

    name: str
    package: str
    file: str
    free: bool = False
    leave_out: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The path of its file."""
        return FOLDERS[self.package]() / self.file


def _example_robot_data() -> Path:
    place = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    return Path(str(place))


def _inside(package: str, folder: str) -> Path:
    found = find_spec(package)
    assert found is not None, f"the package {package} is not installed (pip install -e '.[bench]')"
    return Path(str(found.origin)).parent / folder


FOLDERS = {
    "example-robot-data": _example_robot_data,
    "gymnasium": lambda: _inside("gymnasium", "envs/mujoco/assets"),
    "mujoco": lambda: _inside("mujoco", "testdata"),
}

DATA, GYM = "example-robot-data", "gymnasium"

ROBOTS: tuple[Robot, ...] = (
    Robot("ANYmal B", DATA, "anymal_b_simple_description/robots/anymal.urdf", free=True),
    Robot("ANYmal C", DATA, "anymal_c_simple_description/urdf/anymal.urdf", free=True),
    Robot("ANYmal B with Kinova arm", DATA, "anymal_b_simple_description/robots/anymal-kinova.urdf", free=True),
    Robot("A1", DATA, "a1_description/urdf/a1.urdf", free=True),
    Robot("B1", DATA, "b1_description/urdf/b1.urdf", free=True),
    Robot("Go1", DATA, "go1_description/urdf/go1.urdf", free=True),
    Robot("Go2", DATA, "go2_description/urdf/go2.urdf", free=True),
    Robot("HyQ", DATA, "hyq_description/robots/hyq_no_sensors.urdf", free=True),
    Robot("Laikago", DATA, "laikago_description/urdf/laikago.urdf", free=True),
    Robot("Solo 8", DATA, "solo_description/robots/solo.urdf", free=True),
    Robot("Solo 12", DATA, "solo_description/robots/solo12.urdf", free=True),
    Robot("Bolt", DATA, "bolt_description/robots/bolt.urdf", free=True),
    Robot("Centauro", DATA, "centauro_description/urdf/centauro.urdf", free=True),
    Robot("Alexander", DATA, "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf", free=True),
    Robot("G1", DATA, "g1_description/urdf/g1_29dof_rev_1_0.urdf", free=True),
    Robot("iCub", DATA, "icub_description/robots/icub.urdf", free=True),
    Robot("Talos", DATA, "talos_data/robots/talos_full_v2.urdf", free=True),
    Robot("simple humanoid", DATA, "simple_humanoid_description/urdf/simple_humanoid.urdf", free=True),
    Robot("human", DATA, "human_description/robots/human.urdf", free=True),
    Robot("Panda", DATA, "panda_description/urdf/panda.urdf"),
    Robot("UR5", DATA, "ur_description/urdf/ur5_robot.urdf"),
    Robot("Kinova", DATA, "kinova_description/robots/kinova.urdf"),
    Robot("xArm 7", DATA, "xarm_description/urdf/xarm7.urdf"),
    Robot("Z1", DATA, "z1_description/urdf/z1.urdf"),
    Robot("Allegro hand", DATA, "allegro_hand_description/urdf/allegro_right_hand.urdf"),
    Robot("Tiago", DATA, "tiago_description/robots/tiago.urdf"),
    Robot("Baxter", DATA, "baxter_description/urdf/baxter.urdf"),
    Robot("ant", GYM, "ant.xml"),
    Robot("half cheetah", GYM, "half_cheetah.xml"),
    Robot("hopper", GYM, "hopper.xml"),
    Robot("humanoid", GYM, "humanoid.xml"),
    Robot("walker 2d", GYM, "walker2d_v5.xml"),
    Robot("swimmer", GYM, "swimmer.xml", leave_out=("fluid",)),
    Robot("reacher", GYM, "reacher.xml"),
    Robot("pusher", GYM, "pusher_v5.xml"),
    Robot("double pendulum on a cart", GYM, "inverted_double_pendulum.xml"),
)
"""Legged robots first, then arms and hands, then the creatures of gymnasium."""


@cache
def robot_model(robot: Robot) -> Model:
    """Return gambol's model of a robot's file."""
    if robot.path.suffix == ".xml":
        return read_mjcf(robot.path, leave_out=robot.leave_out)
    return read_urdf(robot.path, "free" if robot.free else "fixed", leave_out=robot.leave_out)


def robot(name: str) -> Robot:
    """Return the robot of this name."""
    return next(known for known in ROBOTS if known.name == name)
