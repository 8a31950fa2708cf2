"""Valid documents to damage: some with all features of a format, and real ones from installed packages."""

from pathlib import Path

from model_files import HOPPER, TOY, random_model
from models import random_mjcf
from scripts import PENDULUM

from benchmarks.robots import robot
from gambol.formats.figure_file import figure_text

SCENE = """<mujoco model="scene"><compiler angle="degree"/><option timestep="0.01"/>
<default><joint armature="0.1" damping="1"/><geom density="500"/><default class="leg"><joint range="-60 60"/></default>
</default><worldbody><geom name="floor" type="plane" size="2 2 0.1"/>
<body name="trunk" pos="0 0 1" euler="10 0 0"><freejoint/><geom type="box" size="0.2 0.1 0.1"/><site name="s"/>
<body name="hip" pos="0.2 0 0"><joint name="x" axis="1 0 0" class="leg" ref="5" springref="3" stiffness="2"/>
<joint name="y" axis="0 1 0" pos="0 0 0.1"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
<body name="foot" pos="0 0 -0.4"><joint name="ball" type="ball"/><geom type="sphere" size="0.06" pos="0 0 -0.1"/>
<inertial pos="0 0 0" mass="1" fullinertia="0.1 0.2 0.25 0.01 0.01 0.01"/><site name="t" pos="0 0 1"/></body></body>
</body>
<body name="cart"><joint name="rail" type="slide" axis="1 0 0"/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
</worldbody><equality><connect body1="foot" body2="cart" anchor="0 0 0"/><weld site1="s" site2="t"/>
<joint joint1="x" joint2="rail" polycoef="0 1 0 0 0"/></equality>
<actuator><motor joint="x" gear="3"/><position name="p" joint="rail" kp="5" ctrlrange="-1 1"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0 0 1 0 0 0 0"/></keyframe></mujoco>"""

SMALL = """<robot name="small">
<link name="base"><inertial><origin xyz="0 0 0.1" rpy="0.1 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 1"/><geometry><mesh filename="package://small/no.stl" scale="1 1 1"/></geometry></visual>
</link>
<link name="l1"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="l2"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l3"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="1 0 0" rpy="0 1.5708 0"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="j2" type="fixed"><parent link="l1"/><child link="l2"/></joint>
<joint name="j3" type="fixed"><parent link="l2"/><child link="l3"/></joint>
<transmission name="t"><joint name="j1"/><actuator name="a"><mechanicalReduction>50</mechanicalReduction></actuator>
</transmission><gazebo reference="l1"><mu1>0.5</mu1></gazebo></robot>"""

WHOLE = (
    PENDULUM
    + """
get toe from unit_sphere
closeobj toe
addworld w
addcorpus bug
get trunk from unit_cube
pushobj trunk
scale trunk 0.04 0.02 0.01
addbody trunk trunk 0 0 1 rotary 1000
get bump from unit_sphere
scale bump 0.01 0.01 0.01
addpart bump bump trunk 500 1 0
get a0 from unit_cube
scale a0 0.01 0.01 0.01
addbody a0 a0 0 0 1 rotary 1000 1 1
rotate a0 x 30
move a0 0 0.01 0
linkbodies trunk a0
get a1 from unit_cube
premult
scale a1 0.002 0.002 0.03
postmult
move a1 0 0 -0.015
addbody a1 a1 1 0 0 sliding 1000
linkbodies a0 a1
setroot trunk
corpusinit
setrootmatrix
1 0 0 0
0 1 0 0
0 0 1 0
0 0 0.1 1
joint a0 k 0.0001
joint a0 q 0.1
joint a1 ea 0.0001
joint a1 eB 5
joint a1 Q_type 17
joint a1 springtype distalmass
groundfric2e 0.5
attach trunk world 0 0 0 0 0 1 10 0 0 1 0.5
addroach bug
metabolism 0.02
procom 0
! up
motor a0 etarget 0.1 *1
timer *0.5 motor a0 etarget 0 *0.5
.
retcom 0
motor a0 etarget -0.1 *1
.
legstepreflex 0 a0 0.5 +
bodygroundstick a1 on
iter 2
gaitgo
alarm 0.01 speed 2
timer 0.02 motor a1 etarget 0.001 0.1
dumps kept
go 20
loads kept
setdown
rootmotion fixed
jointmatchexp a0
integration rkfixed
dt 0.001
go 5
"""
)

GENOTYPE = """format = "gambol genotype 1"
[trunk]
length = 0.3
[[limbs]]
at = [0.4, 0.9, 0.0]
[[limbs.segments]]
length = 0.2
freedoms = [{ kind = "hinge" }]
[[limbs.segments]]
length = 0.1
[control]
kind = "sinusoid"
"""
HEIGHTS = "# metres\n0, 0.1, 0.2\n0.1, 0.2, 0.3\n\n0.2, 0.3, 1e-3\n"
OBJ = "# a box\n" + "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 2) for z in (0, 0.5)) + "f 1 2 3\nf 4 5 6\n"
ASCII_STL = "solid s\n" + "".join(
    f"facet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\n"
    for corners in ("vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", "vertex 0 0 1e-1\nvertex 1 0 0\nvertex 0 1 2.5\n")
)
ROOT = Path(__file__).parents[2]


def figures() -> list[bytes]:
    """Return figure files: the examples, and some with all features."""
    examples = [path.read_bytes() for path in sorted((ROOT / "examples" / "figures").glob("*.toml"))]
    return [*(text.encode() for text in (HOPPER, TOY, figure_text(random_model(4)))), *examples]


def models() -> list[bytes]:
    """Return MJCF files: those of gymnasium, and some with all features."""
    import gymnasium

    assets = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    real = [(assets / f"{name}.xml").read_bytes() for name in ("ant", "half_cheetah", "humanoid", "reacher", "pusher")]
    return [*(text.encode() for text in (SCENE, SCENE, FILES, random_mjcf(1), random_mjcf(2, bodies=3))), *real]


def robots() -> list[bytes]:
    """Return URDF files: real robots, and one with all features."""
    return [SMALL.encode(), SMALL.encode(), *(robot(name).path.read_bytes() for name in ("UR5", "Solo 12"))]


def meshes() -> list[bytes]:
    """Return STL files, binary and text."""
    folder = robot("Panda").path.parents[1] / "meshes" / "collision"
    return [ASCII_STL.encode(), *(folder.joinpath(f"{name}.stl").read_bytes() for name in ("finger", "link7"))]


def scripts() -> list[bytes]:
    """Return scripts: the examples, and one with nearly all kinds of commands."""
    examples = [ROOT / "examples" / "scripts" / f"{name}.corpus" for name in ("arm", "walk", "roach")]
    return [WHOLE.encode()] * 3 + [path.read_bytes() for path in examples]


def genotypes() -> list[bytes]:
    """Return genotype files: a short one, and those of the zoo."""
    zoo = ROOT / "src" / "gambol" / "evolve" / "zoo"
    return [GENOTYPE.encode(), *((zoo / f"{name}.toml").read_bytes() for name in ("walker", "swimmer", "strider"))]


FILES = """<mujoco><compiler meshdir="."/><include file="part.xml"/><size nkey="2" nuser_body="1"/>
<asset><mesh name="m" file="tiny.stl"/><texture name="t" type="2d" builtin="flat" width="8" height="8"/>
<hfield name="h" nrow="3" ncol="3" size="1 1 1 1"/><model name="n" file="model.xml"/>
<mesh name="o" file="tiny.obj"/></asset>
<worldbody><geom type="hfield" hfield="h"/><body name="b"><freejoint/><geom type="mesh" mesh="m"/>
<replicate count="3" offset="0.1 0 0"><geom type="mesh" mesh="o"/></replicate><attach model="n" body="x" prefix="p"/>
</body></worldbody><sensor><user name="u" dim="3"/></sensor><custom><numeric name="c" size="4"/></custom></mujoco>"""

NEIGHBOUR_FILES = {
    "tiny.stl": ASCII_STL.encode(),
    "tiny.obj": OBJ.encode(),
    "heights.csv": HEIGHTS.encode(),
    "part.xml": b'<mujocoinclude><option timestep="0.01"/></mujocoinclude>',
    "model.xml": b'<mujoco><worldbody><body name="x"><geom size="0.1"/></body></worldbody></mujoco>',
    "other.corpus": b"! hello\n",
}
"""Files in the same folder, which the damaged one may name."""
