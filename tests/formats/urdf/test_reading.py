"""URDF as gambol reads it, beside Pinocchio's and MuJoCo's readings, and the messages for mistakes."""

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from benchmarks.robot_checks import agreement
from benchmarks.robot_peers import MujocoRobot, PinocchioRobot
from gambol.dynamics import kinematics, rnea
from gambol.errors import GambolError
from gambol.figure import Box, Coupling, JointSpring
from gambol.formats import Model, Motor, read_urdf

INERTIAL = """<inertial><origin xyz="{xyz}" rpy="{rpy}"/><mass value="{mass}"/>
<inertia ixx="{0}" iyy="{1}" izz="{2}" ixy="{3}" ixz="{4}" iyz="{5}"/></inertial>"""
BODY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ROBOT = """<robot name="robot">
<link name="base">{0}</link>
<link name="arm">{0}{1}</link>
<joint name="shoulder" type="{2}"><parent link="base"/><child link="arm"/>{3}</joint>
{4}</robot>"""


def robot(shape: str = "", kind: str = "continuous", joint: str = "", rest: str = "") -> str:
    return ROBOT.format(BODY, shape, kind, joint, rest)


def read(tmp_path: Path, text: str, *options: Any, **named: Any) -> Model:
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return read_urdf(path, *options, **named)


def text_of(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def random_robot(seed: int, links: int = 6) -> str:
    """Return a tree with the joint types that all three programs have, with inertias of real bodies."""
    random = np.random.default_rng(seed)
    elements: list[str] = []
    for n in range(links):
        A = random.normal(size=(3, 8))
        I = np.trace(A @ A.T) * np.eye(3) - A @ A.T
        six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        place = {"xyz": text_of(random.normal(size=3)), "rpy": text_of(random.normal(size=3))}
        elements.append(f'<link name="l{n}">{INERTIAL.format(*six, mass=1.0 + random.random(), **place)}</link>')
        if n:
            kind = ("revolute", "continuous", "prismatic", "fixed")[random.integers(4)]
            elements.append(
                f'<joint name="j{n}" type="{kind}"><origin xyz="{place["rpy"]}" rpy="{place["xyz"]}"/>'
                f'<parent link="l{random.integers(n)}"/><child link="l{n}"/>'
                f'<axis xyz="{text_of(random.normal(size=3))}"/>'
                '<limit lower="-1" upper="1" effort="3" velocity="2"/></joint>'
            )
    return f'<robot name="r">{"".join(elements)}</robot>'


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("seed", range(6))
def test_dynamics_are_those_of_both_peers(tmp_path: Path, seed: int, base: str):
    text = random_robot(seed)
    result = read(tmp_path, text, base)
    spec = mujoco.MjSpec.from_string(text)
    spec.compiler.fusestatic = False
    if base == "free":
        spec.worldbody.first_body().add_freejoint()
    assert result.figure.nv > 0
    peers = (
        MujocoRobot(result.figure, spec),
        PinocchioRobot(result.figure, tmp_path / "robot.urdf", free=base == "free"),
    )
    for peer in peers:
        assert agreement(result, peer, states=2).worst < 1e-11


def test_everything_about_a_joint_is_read(tmp_path: Path):
    text = robot(
        joint="""<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/>
        <limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.1" friction="0.2"/>""",
        kind="revolute",
        rest=f"""<link name="finger">{BODY}</link>
        <joint name="knuckle" type="prismatic"><parent link="arm"/><child link="finger"/>
        <limit lower="0" upper="1"/><mimic joint="shoulder" multiplier="2" offset="0.5"/></joint>
        <transmission name="t"><joint name="shoulder"/><actuator name="a">
        <mechanicalReduction>10</mechanicalReduction></actuator></transmission>""",
    )
    result = read(tmp_path, text)
    arm = result.figure.link("arm").joint
    assert (arm.kind, arm.axis, arm.position) == ("revolute", (0.0, 0.0, 1.0), (1.0, 2.0, 3.0))
    assert arm.rotation == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert result.figure.link("finger").joint.axis == (1.0, 0.0, 0.0)
    assert result.springs["arm"] == JointSpring(damping=0.1, friction=0.2, lower=-1.0, upper=2.0)
    assert result.figure.constraints == (Coupling("finger", "arm", (0.5, 2.0)),)
    motor = Motor("shoulder", "arm", gear=(10.0,), weakest=-3.0, strongest=3.0, note="no faster than 4")
    assert result.motors == (motor,)


@pytest.mark.parametrize(("kind", "nv"), [("floating", 6), ("planar", 3), ("fixed", 0), ("continuous", 1)])
def test_each_type_of_joint_has_its_freedoms(tmp_path: Path, kind: str, nv: int):
    assert read(tmp_path, robot(kind=kind)).figure.nv == nv


def test_a_planar_joint_moves_as_pinocchios_does(tmp_path: Path):
    result = read(tmp_path, robot(kind="planar", joint='<axis xyz="0 0 1"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'))
    model = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    q, v, a = np.array([0.3, 0.4, 0.5]), np.array([0.6, 0.7, 0.8]), np.array([1.0, 2.0, 3.0])
    order = [1, 2, 0]
    theirs = pin.rnea(model, model.createData(), np.array([0.4, 0.5, math.cos(0.3), math.sin(0.3)]), v[order], a[order])
    ours, _ = rnea(kinematics(result.figure, q.tolist(), v.tolist()), a.tolist())
    np.testing.assert_allclose(np.array(ours)[order], theirs, rtol=1e-12)


def test_shapes_become_parts_without_mass(tmp_path: Path):
    shapes = """<collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision>
    <visual><geometry><sphere radius="1"/></geometry></visual>"""
    result = read(tmp_path, robot(shapes))
    box, cylinder = result.figure.link("arm").parts
    assert (box.shape.sizes, box.position, box.colliding) == ((1.0, 2.0, 3.0), (0.0, 0.0, 1.0), True)
    assert cylinder.shape.sizes == (0.1, 0.5)
    assert result.figure.mass == 2.0
    (ball,) = read(tmp_path, robot(shapes.replace("collision", "visual"))).figure.link("arm").parts[2:]
    assert (ball.shape.sizes, ball.colliding) == ((1.0,), False)


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 3], [0, 0, 1]], float)
FACES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
FACET = "facet normal 0 0 1 outer loop {} endloop endfacet"


def stl(faces: tuple[tuple[int, ...], ...] = FACES) -> bytes:
    rows = ["vertex {} {} {}".format(*corner) for corner in CORNERS]
    return "\n".join(
        ["solid s", *(FACET.format(" ".join(rows[k] for k in face)) for face in faces), "endsolid s"]
    ).encode()


def binary() -> bytes:
    facets = (np.vstack([[0, 0, 1], CORNERS[list(face)]]).astype("<f4").tobytes() + b"\0\0" for face in FACES)
    return b"\0" * 80 + len(FACES).to_bytes(4, "little") + b"".join(facets)


def obj() -> bytes:
    rows = ["v {} {} {}".format(*corner) for corner in CORNERS]
    return "\n".join([*rows, *("f {} {} {}".format(*(k + 1 for k in face)) for face in FACES)]).encode()


@pytest.mark.parametrize(("name", "data"), [("m.stl", stl()), ("b.STL", binary()), ("m.obj", obj())])
def test_meshes_are_read_as_their_hulls(tmp_path: Path, name: str, data: bytes):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / name).write_bytes(data)
    for way in (f"meshes/{name}", f"package://some_robot/meshes/{name}", f"file://{tmp_path}/meshes/{name}"):
        shape = f'<visual><geometry><mesh filename="{way}" scale="2 -1 1"/></geometry></visual>'
        result = read(tmp_path, robot(shape))
        (part,) = result.figure.link("arm").parts
        places = np.array(part.shape.vertices) + part.position
        assert sorted(map(tuple, places.tolist())) == sorted(map(tuple, (CORNERS * (2, -1, 1)).tolist()))
        assert (part.position, part.colliding) == ((1.0, -1.0, 1.5), False)
        assert any("hulls" in note for note in result.notes)
        (part,) = read(tmp_path, robot(shape.replace("visual", "collision"))).figure.link("arm").parts
        assert part.colliding  # as the hull that it is drawn as: a robot must not fall through its ground


def test_a_flat_mesh_is_drawn_as_the_box_that_it_fills(tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl(FACES[:1]))
    result = read(tmp_path, robot('<visual><geometry><mesh filename="m.stl" scale="2 -1 1"/></geometry></visual>'))
    (part,) = result.figure.link("arm").parts
    assert part.shape == Box((2.0, 2.0, 3.0))
    assert any('The mesh "m.stl" is drawn, and collides, as its bounding box' in note for note in result.notes)


def test_a_mesh_without_a_box_is_left_out_with_a_note(tmp_path: Path):
    """A triangle in a coordinate plane."""
    (tmp_path / "m.stl").write_text("vertex 0 0 0 vertex 1 0 0 vertex 0 1 0")
    result = read(tmp_path, robot('<visual><geometry><mesh filename="m.stl"/></geometry></visual>'))
    assert result.figure.link("arm").parts == ()
    assert any('The mesh "m.stl" is neither drawn nor touches anything' in note for note in result.notes)


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"vertex a b c", b"vertex nan 0 0 vertex 1 1 1"])
def test_meshes_that_are_missing_or_damaged_are_left_out_with_a_note(tmp_path: Path, data: bytes):
    shape = '<visual><geometry><mesh filename="m.stl"/></geometry></visual>'
    assert any("not found" in note for note in read(tmp_path, robot(shape)).notes)
    (tmp_path / "m.stl").write_bytes(data)
    result = read(tmp_path, robot(shape))
    assert result.figure.link("arm").parts == ()
    assert any('the mesh "m.stl" has' in note for note in result.notes)


def test_links_that_are_fixed_together_share_a_mass_where_one_is_impossible(tmp_path: Path):
    """A flange with an impossible mass is merged with the arm that it is fixed to: the sum is unchanged."""
    six = (0.3, 0.1, 0.1, 0.0, 0.0, 0.0)
    flange = INERTIAL.format(*six, mass=0.5, xyz="0 0 1", rpy="0 0 0")
    fixed = """<joint name="mount" type="fixed"><origin xyz="0 1 0" rpy="0.3 0 0"/><parent link="arm"/>
    <child link="flange"/></joint>"""
    result = read(tmp_path, robot(rest=f'<link name="flange">{flange}</link>{fixed}'))
    model = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    arm_mass, expected = result.figure.link("arm").mass_properties, model.inertias[1]
    assert arm_mass.mass == expected.mass == 1.5
    np.testing.assert_allclose(arm_mass.com, expected.lever, atol=1e-15)
    np.testing.assert_allclose(arm_mass.inertia, expected.inertia, atol=1e-15)
    assert result.figure.link("flange").mass_properties.mass == 0.0
    assert any('"arm" takes the mass' in note for note in result.notes)


def test_impossible_inertias_are_fixed_on_demand(tmp_path: Path):
    text = robot().replace('iyy="1"', 'iyy="4"')
    with pytest.raises(GambolError, match=r"robot.urdf, line 2: link \"base\" .*no body can have.*fix_inertia=True"):
        read(tmp_path, text)
    result = read(tmp_path, text, fix_inertia=True)
    np.testing.assert_allclose(result.figure.root.mass_properties.principal_moments(), [5 / 3, 5 / 3, 10 / 3])
    assert any('"base" was impossible' in note for note in result.notes)


def test_what_other_programs_add_is_left_out_with_a_note(tmp_path: Path):
    text = robot(rest="<gazebo/><gazebo/><drake:thing/><sensor name='s'/>")
    text = text.replace("<robot", '<robot xmlns:drake="d"')
    notes = " ".join(read(tmp_path, text).notes)
    assert "Gazebo <gazebo> (2 elements)" in notes
    assert "<drake:thing>" in notes
    assert "<sensor>" in notes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<robot", "line 1: this is not well-formed"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot/>', "line 1: a document type"),
        ("<mujoco/>", r"line 1: a URDF file begins with <robot>, not with <mujoco> \(read_mjcf"),
        ('<robot name="r"/>', "has no root"),
        (robot(rest="<lnik/>"), 'line 5: <lnik> is not known inside <robot>; did you mean "link"'),
        (robot(joint="<xacro:x/>").replace("<robot", '<robot xmlns:xacro="x"'), "line 4: .*run it"),
        (robot().replace('name="arm"', 'name="base"', 1), 'line 3: a second link is called "base"'),
        (robot(rest='<joint name="shoulder" type="fixed"/>'), 'line 5: a second joint is called "shoulder"'),
        (robot(kind="revolutee"), 'line 4: joint "shoulder" is of type "revolutee".*did you mean "revolute"'),
        (
            robot(kind="revolute"),
            'line 4: revolute joint "shoulder" has no <limit>; give it one, or make it continuous',
        ),
        (robot(kind="prismatic", joint='<limit lower="2" upper="1"/>'), "line 4: .*limits 2 to 1; swap them"),
        (robot(joint='<axis xyz="0 0 0"/>'), "line 4: .*axis of length 0"),
        (robot(joint='<axis xyz="0 0 q"/>'), 'line 4: <axis xyz="0 0 q"> should be 3 finite numbers'),
        (robot(joint='<dynamics damping="-1"/>'), "line 4: .*negative damping"),
        (robot(joint='<mimic joint="sholder"/>'), 'line 4: .*mimics "sholder".*did you mean "shoulder"'),
        (
            robot().replace('<child link="arm"/>', '<child link="amr"/>'),
            'line 4: .*the child "amr".*did you mean "arm"',
        ),
        (robot().replace('<child link="arm"/>', ""), 'line 4: joint "shoulder" has no <child'),
        (robot().replace('<parent link="base"/>', '<parent link="arm"/>'), "loop|several links"),
        (
            robot(rest='<joint name="two" type="fixed"><parent link="base"/><child link="arm"/></joint>'),
            'line 5: joints "shoulder" and "two" both have the child "arm"',
        ),
        (robot().replace('<mass value="1"/>', '<mass value="-1"/>'), "line 2: .*a mass of -1 kg"),
        (robot().replace('<mass value="1"/>', '<mass value="inf"/>'), "line 2: .*should be a finite number"),
        (robot().replace(f'"arm">{BODY}', '"arm">'), 'line 3: link "arm" and its subtree have no mass'),
        (robot(rest='<link name="loose"/>'), "several links without a parent"),
        (robot().replace('<mass value="1"/>', ""), "line 2: .*needs both <mass> and <inertia>"),
        (robot().replace(' ixy="0"', ""), 'line 2: <inertia> needs an attribute "ixy"'),
        (robot("<visual/>"), "line 3: <visual> needs a <geometry>"),
        (robot("<visual><geometry><box size='1 2 -3'/></geometry></visual>"), "line 3: a box has z = -3 m"),
        (robot("<visual><geometry><sphere/></geometry></visual>"), 'line 3: <sphere> needs an attribute "radius"'),
        (robot("<visual><geometry><bxo/></geometry></visual>"), 'line 3: <bxo> is not known.*did you mean "box"'),
    ],
)
def test_impossible_input_is_refused_with_its_place(tmp_path: Path, text: str, why: str):
    with pytest.raises(GambolError, match=f"robot.urdf.*({why})"):
        read(tmp_path, text)


def test_bases_and_leave_outs_are_checked(tmp_path: Path):
    with pytest.raises(GambolError, match=r'"fre".*did you mean "free"'):
        read(tmp_path, robot(), "fre")
    assert read(tmp_path, robot("<bxo/>"), leave_out=["bxo"]).notes == ("Left out: <bxo>.",)
