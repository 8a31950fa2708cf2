"""MJCF as gambol reads it: the same poses, dynamics, springs and constraints as MuJoCo's."""

import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from models import random_mjcf

from benchmarks.robot_checks import agreement
from benchmarks.robot_peers import MujocoRobot
from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.figure import Closure, Coupling, Ellipsoid, JointSpring, may_touch, random_state, rotated
from gambol.formats import Model, Motor, read_mjcf
from gambol.formats.mjcf import figure_state
from gambol.spatial import Rotation, Vector

SEEDS = range(12)
ROUNDING_TOLERANCE = 1e-11
"""Of a tree of 7 bodies with inertias of the order of 1: some hundred roundings, times how badly it is conditioned."""


def read(tmp_path: Path, text: str, **options: Any) -> Model:
    path = tmp_path / "model.xml"
    path.write_text(text)
    return read_mjcf(path, **options)


def inside(body: str, rest: str = "", compiler: str = "") -> str:
    """Return a model of one body, from its text and the text after the world."""
    return f"<mujoco><compiler {compiler}/><worldbody>\n{body}\n</worldbody>{rest}</mujoco>"


HINGE = '<body name="arm"><joint name="shoulder" axis="0 1 0"{}/><geom size="0.1"/></body>'


@pytest.mark.parametrize("seed", SEEDS)
def test_dynamics_of_random_models_are_mujocos(tmp_path: Path, seed: int):
    text = random_mjcf(seed)
    result = read(tmp_path, text)
    peer = MujocoRobot(result.figure, mujoco.MjSpec.from_string(text))
    assert agreement(result, peer, states=2).worst < ROUNDING_TOLERANCE


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_lie_where_mujoco_puts_them(tmp_path: Path, seed: int):
    """Links lie at the last anchor of their bodies; where a body has no joint, at its origin."""
    model = mujoco.MjModel.from_xml_string(random_mjcf(seed))
    data = mujoco.MjData(model)
    result = read(tmp_path, random_mjcf(seed))
    rng = np.random.default_rng(seed)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0)
    mujoco.mj_kinematics(model, data)
    q, v = figure_state(model, data.qpos, np.zeros(model.nv))
    state = kinematics(result.figure, list(q), list(v))
    for body in range(1, model.nbody):
        pose = state.poses[result.figure.link(model.body(body).name).index]
        np.testing.assert_allclose(pose.rotation.rows, data.xmat[body].reshape(3, 3), atol=1e-14)
        last = int(model.body_jntadr[body] + model.body_jntnum[body]) - 1
        if model.body_jntnum[body] == 0:
            np.testing.assert_allclose(list(pose.position), data.xpos[body], atol=1e-13)
        elif model.jnt_type[last] in (1, 3):  # a ball or a hinge
            np.testing.assert_allclose(list(pose.position), data.xanchor[last], atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_springs_and_dampers_pull_as_mujocos_do(tmp_path: Path, seed: int):
    model = mujoco.MjModel.from_xml_string(random_mjcf(seed))
    data = mujoco.MjData(model)
    result = read(tmp_path, random_mjcf(seed))
    rng = np.random.default_rng(seed)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0)
    mujoco.mj_forward(model, data)
    q, v = figure_state(model, data.qpos, data.qvel)
    for link in result.figure.links:
        spring = result.springs.get(link.name, JointSpring())
        if link.joint.kind in ("revolute", "prismatic"):
            assert isinstance(spring, JointSpring)
            (joint,) = (j for j in range(model.njnt) if _name(model, j, result) == link.name)
            pulls = -spring.stiffness * (q[link.q.start] - spring.rest) - spring.damping * v[link.v.start]
            assert pulls == pytest.approx(data.qfrc_passive[model.jnt_dofadr[joint]], abs=1e-13)


def _name(model: Any, joint: int, result: Model) -> str:
    """Return the name of the link that a joint carries: the body's name if it is the body's last joint."""
    body = int(model.jnt_bodyid[joint])
    last = joint == model.body_jntadr[body] + model.body_jntnum[body] - 1
    return str(model.body(body).name if last else model.joint(joint).name)


TIED = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a" pos="0.1 0.2 0.3" quat="0.6 0 0.8 0"><joint name="ja" axis="0 1 0" pos="0 0.1 0" ref="0.2"/>
 <geom size=".1"/><site name="sa" pos="0.1 0.2 0" quat="0.8 0.6 0 0"/></body>
<body name="b" pos="-0.1 0.5 0.3"><joint name="jb" axis="1 1 0" ref="-0.3" pos="0.2 0 0"/><geom size=".1"/>
 <site name="sb" pos="0 0.3 0.1"/></body>
<site name="sw" pos="1 2 3"/></worldbody>
<equality>{}</equality></mujoco>"""


@pytest.mark.parametrize(
    "equality",
    [
        '<connect body1="a" body2="b" anchor="0.3 0.1 -0.2"/>',
        '<connect body1="a" anchor="0.3 0.1 -0.2"/>',
        '<connect site1="sa" site2="sb"/>',
        '<connect site1="sw" site2="sb"/>',
        '<weld body1="a" body2="b"/>',
        '<weld body1="a" body2="b" anchor="0.1 0 0.2" relpose="0.3 0.1 0 0.8 0 0.6 0"/>',
        '<weld body1="b" anchor="0.1 0 0.2"/>',
        '<weld site1="sa" site2="sb"/>',
    ],
)
def test_residuals_of_closures_are_those_of_mujoco(tmp_path: Path, equality: str):
    text = TIED.format(equality)
    result = read(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = [0.4, -0.7]
    mujoco.mj_forward(model, data)
    state = kinematics(result.figure, data.qpos.tolist(), [0.0, 0.0])
    (tie,) = result.figure.constraints
    assert isinstance(tie, Closure)
    here = state.poses[result.figure.link(tie.link).index]
    there = state.poses[result.figure.link(tie.other).index if tie.other else 0]
    apart = np.array(list(here @ Vector(*tie.position))) - np.array(list(there @ Vector(*tie.other_position)))
    assert np.linalg.norm(apart) == pytest.approx(np.linalg.norm(data.efc_pos[:3]), abs=1e-14)
    if tie.kind == "weld":
        R = (here.rotation @ Rotation(tie.rotation)).transpose @ there.rotation @ Rotation(tie.other_rotation)
        cosine = (R.rows[0][0] + R.rows[1][1] + R.rows[2][2] - 1.0) / 2.0
        assert np.sqrt((1.0 - cosine) / 2.0) == pytest.approx(np.linalg.norm(data.efc_pos[3:6]), abs=1e-14)


@pytest.mark.parametrize(
    "equality",
    ['<joint joint1="ja" joint2="jb" polycoef="0.1 0.2 0.3 0.4 0.5"/>', '<joint joint1="jb" polycoef="0.1"/>'],
)
def test_couplings_are_polynomials_of_mujocos_coordinates(tmp_path: Path, equality: str):
    text = TIED.format(equality)
    (tie,) = read(tmp_path, text).figure.constraints
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = [0.4, -0.7]
    mujoco.mj_forward(model, data)
    assert isinstance(tie, Coupling)
    q = {"a": 0.4, "b": -0.7}
    expected = np.polynomial.Polynomial(tie.coefficients)(q[tie.other] if tie.other else 0.0)
    assert q[tie.joint] - expected == pytest.approx(data.efc_pos[0], abs=1e-14)


@pytest.mark.parametrize(
    ("actuator", "kind"),
    [
        ('<motor joint="shoulder" gear="3"/>', "torque"),
        ('<position joint="shoulder" gear="2" kp="5" kv="0.3" ctrlrange="-1 1"/>', "position"),
        ('<velocity joint="shoulder" gear="2" kv="5" forcerange="-7 8"/>', "velocity"),
        ('<damper joint="shoulder" kv="1" ctrlrange="0 1"/>', "general"),
        ('<dcmotor joint="shoulder" motorconst="0.05 0.05" resistance="2"/>', "other"),
    ],
)
def test_motors_give_the_force_of_mujocos_actuators(tmp_path: Path, actuator: str, kind: str):
    text = inside(HINGE.format(""), f"<actuator>{actuator}</actuator>")
    (motor,) = read(tmp_path, text).motors
    assert (motor.kind, motor.joint) == (kind, "arm")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = 0.3, 0.7, 0.5
    mujoco.mj_forward(model, data)
    q, v, u = 0.3 * motor.gear[0], 0.7 * motor.gear[0], 0.5
    force = {
        "torque": motor.gain * u,
        "position": motor.gain * (u - q) - motor.damping * v,
        "velocity": motor.gain * (u - v),
    }
    if kind == "general":
        assert motor.law.gain_parameters == (0.0, 0.0, -1.0)
    elif kind != "other":
        held = min(max(force[kind], motor.weakest), motor.strongest)
        assert motor.gear[0] * held == pytest.approx(data.qfrc_actuator[0], abs=1e-14)
    else:
        assert "MuJoCo" in motor.note


def test_what_stands_beside_the_bodies_is_read(tmp_path: Path):
    text = inside(
        """<geom name="floor" type="plane" size="1 1 1"/><body name="trunk" pos="0 0 1"><freejoint/>
        <geom type="capsule" size="0.1 0.2" pos="0 0 0.1"/><geom type="box" size="1 2 3" contype="0" conaffinity="0"/>
        <body name="leg"><joint name="hip" range="-30 60" frictionloss="0.2"/>
        <geom type="ellipsoid" size="0.1 0.2 0.3"/></body></body>""",
        """<keyframe><key name="other" qpos="0 0 0 1 0 0 0 0"/><key name="home" qpos="1 2 3 0 0 0 2 0.5"
        qvel="1 2 3 4 5 6 7"/></keyframe>""",
    )
    result = read(tmp_path, text)
    assert result.ground
    assert result.q == (0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 0.5)
    assert result.v == (4.0, 5.0, 6.0, -1.0, -2.0, 3.0, 7.0)  # half a turn about z
    trunk, leg = result.figure.links
    capsule, box = trunk.parts
    assert (capsule.shape.sizes, capsule.position, capsule.colliding) == ((0.1, 0.4), (0.0, 0.0, 0.1), True)
    assert (box.shape.sizes, box.colliding) == ((2.0, 4.0, 6.0), False)
    assert (leg.parts[0].shape, leg.parts[0].colliding) == (Ellipsoid((0.1, 0.2, 0.3)), True)
    spring = result.springs["leg"]
    assert isinstance(spring, JointSpring)
    assert (spring.lower, spring.upper) == pytest.approx((-np.pi / 6, np.pi / 3))
    assert spring.friction == 0.2


TETRAHEDRON = "0 0 0  2 0 0  0 3 0  0 0 4"
MESH = f'<asset><mesh name="m" vertex="{TETRAHEDRON}"/></asset>'


def test_meshes_are_read_as_their_hulls_where_mujoco_has_them(tmp_path: Path):
    body = '<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/></body>'
    text = inside(body, MESH)
    (part,) = read(tmp_path, text).figure.root.parts
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:3] = 0.0
    mujoco.mj_kinematics(model, data)
    theirs = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    ours = [np.array(part.position) + rotated(part.rotation, vertex) for vertex in part.shape.vertices]
    np.testing.assert_allclose(
        sorted(map(tuple, np.round(ours, 6))), sorted(map(tuple, np.round(theirs, 6))), atol=2e-6
    )
    assert part.shape.volume == pytest.approx(4.0, rel=1e-6)


def touching(text: str, tmp_path: Path) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """Return the pairs of bodies that touch in MuJoCo with all shapes overlapping, and those that may in the figure.

    The world is "world"; MuJoCo excludes neighbouring links of one tree.
    """
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = [[model.geom_bodyid[geom] for geom in contact.geom] for contact in data.contact]
    figure = read(tmp_path, text).figure
    links = [link for link in figure.links if link.parts]
    allowed = {frozenset((link.name, "world")) for link in links if link.contact_points()}
    for one, other in combinations(links, 2):
        pair = {one.name, other.name}
        may_meet = any(may_touch(a, b) for a in one.parts for b in other.parts)
        if pair in map(set, figure.paired) or (may_meet and pair not in map(set, figure.apart)):
            allowed.add(frozenset(pair))
    return {frozenset(model.body(b).name for b in pair) for pair in bodies}, allowed


BITS = [(0, 1), (1, 0), (1, 1), (2, 1), (2, 2), (4, 2), (0, 0)]


@pytest.mark.parametrize("ground", ["", 'contype="2"', 'contype="0"', 'contype="6" conaffinity="0"'])
def test_shapes_touch_those_that_they_touch_in_mujoco(tmp_path: Path, ground: str):
    bodies = "".join(
        f'<body name="b{k}"><freejoint/><geom name="g{k}" size="0.1" contype="{a}" conaffinity="{b}"/></body>'
        for k, (a, b) in enumerate(BITS)
    )
    pairs = """<contact><exclude body1="b0" body2="b2"/><exclude body1="b2" body2="b3"/>
    <pair geom1="g5" geom2="g6"/><pair geom1="g0" geom2="g1"/></contact>"""
    found, allowed = touching(inside(f'<geom type="plane" size="1 1 1" {ground}/>' + bodies, pairs), tmp_path)
    assert allowed == found
    assert len(found) > 5


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_children_touch_their_parents_where_they_do_in_mujoco(tmp_path: Path, flag: str):
    """All shapes overlap; "toe" is one body with "shin"; "post" is fixed to the world."""
    ball, hinge = '<geom size="0.1"/>', '<joint type="hinge" axis="0 1 0"/>'
    shin = f'<body name="shin">{hinge}{ball}<body name="toe"><body name="nail">{hinge}{ball}</body></body></body>'
    trunk = f'<body name="trunk"><freejoint/>{ball}<body name="thigh">{hinge}{ball}{shin}</body></body>'
    post = f'<body name="post">{ball}<body name="wheel">{hinge}{ball}</body></body>'
    rest = f'<contact><pair geom1="a" geom2="b"/></contact><option><flag filterparent="{flag}"/></option>'
    named = trunk.replace("<geom", '<geom name="a"', 1) + post
    named = named.replace(f'"thigh">{hinge}<geom', f'"thigh">{hinge}<geom name="b"')
    found, allowed = touching(inside(named, rest), tmp_path)
    assert {pair for pair in allowed if "world" not in pair} == found
    assert ({"shin", "thigh"} in map(set, found)) == (flag == "disable")
    assert {"trunk", "thigh"} in map(set, found)


def test_friction_is_kept_where_a_shape_has_one_of_its_own(tmp_path: Path):
    shapes = (
        '<geom size="0.1"/><geom size="0.1" friction="0.3"/><geom size="1" friction="2" contype="0" conaffinity="0"/>'
    )
    parts = read(tmp_path, inside(f"<body><freejoint/>{shapes}</body>")).figure.root.parts
    assert [part.friction for part in parts] == [None, 0.3, None]


def test_switched_off_physics_stays_off(tmp_path: Path):
    off = " ".join(f'{name}="disable"' for name in ("gravity", "spring", "damper", "limit", "contact"))
    flags = f"<option><flag {off}/></option>"
    body = '<geom type="plane" size="1 1 1"/>' + HINGE.format(' stiffness="1" damping="1" range="-1 1"')
    result = read(tmp_path, inside(body, flags))
    assert (result.gravity, result.springs, result.ground) == ((0.0, 0.0, 0.0), {}, False)


def test_several_trees_hang_on_a_link_that_is_the_world(tmp_path: Path):
    body = '<body name="{}" pos="0 0 {}"><freejoint/><geom size="0.1"/></body>'
    result = read(tmp_path, inside(body.format("one", 1) + body.format("two", 2)))
    assert [link.name for link in result.figure.links] == ["world", "one", "two"]
    state = kinematics(result.figure, list(result.q), list(result.v))
    assert [list(pose.position) for pose in state.poses[2:]] == [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]


def test_what_stands_in_the_world_is_part_of_a_link_that_touches_no_ground(tmp_path: Path):
    scene = """<geom type="plane" size="1 1 1"/><geom type="box" size="1 2 3" pos="0 0 1"/>
    <body name="ball" pos="0 0 9"><freejoint/><geom size="0.1"/></body>"""
    figure = read(tmp_path, inside(scene)).figure
    assert [link.name for link in figure.links] == ["world", "ball"]
    (box,), (ball,) = (link.parts for link in figure.links)
    assert (box.position, box.contact_points()) == ((0.0, 0.0, 1.0), ())
    assert len(ball.contact_points()) == 1
    assert may_touch(box, ball)


def test_links_have_the_names_of_bodies_and_joints(tmp_path: Path):
    body = """<body><joint name="x" type="slide"/><joint type="slide" axis="0 1 0"/><joint/><geom size="1"/>
    <body name="x"><joint/><geom size="1"/></body></body>"""
    names = [link.name for link in read(tmp_path, inside(body)).figure.links]
    assert names == ["x 2", "body1 2", "body1", "x"]


def test_included_files_are_read_too(tmp_path: Path):
    (tmp_path / "arm.xml").write_text(f"<mujocoinclude>{HINGE.format('')}</mujocoinclude>")
    result = read(tmp_path, inside('<include file="arm.xml"/>'))
    assert [link.name for link in result.figure.links] == ["arm"]


def test_a_missing_mesh_is_reported_where_it_is_named(tmp_path: Path):
    (tmp_path / "parts.xml").write_text(
        '<mujocoinclude>\n<asset>\n<mesh name="n"\n file="sub/lost.stl"/></asset></mujocoinclude>'
    )
    body = '<include file="parts.xml"/><worldbody><body><freejoint/><geom type="mesh" mesh="n"/></body></worldbody>'
    with pytest.raises(GambolError, match=r"^parts.xml, line 3: .*lost.stl.*put the file beside"):
        read(tmp_path, f"<mujoco>{body}</mujoco>")


def test_files_with_other_endings_are_read_with_what_they_include(tmp_path: Path):
    (tmp_path / "arm.xml").write_text(f"<mujocoinclude>{HINGE.format('')}</mujocoinclude>")
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    body = '<include file="arm.xml"/><body name="rock"><joint/><geom type="mesh" mesh="m"/></body>'
    (tmp_path / "model.mjcf").write_text(inside(body, '<asset><mesh name="m" file="m.obj"/></asset>'))
    arm, rock = read_mjcf(tmp_path / "model.mjcf").figure.links[1:]
    assert (arm.name, rock.mass_properties.mass) == ("arm", pytest.approx(1000.0 / 6.0))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (inside(HINGE.format("").replace("joint", "jiont")), "model.xml: .*unrecognized element.*line 2"),
        (inside("<body><joint/></body>"), "moving bodies must be larger.*give the body an <inertial>"),
        (inside('<body name="x" pos="0 nan 0"/>'), 'line 2: <body pos="0 nan 0"> has a NaN'),
        (
            inside('<body name="x"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>'),
            "model.xml, line 2: .*A . B >= C.*balanceinertia",
        ),
        (
            inside('<body><geom type="mesh" mesh="m"/></body>', '<asset><mesh name="m" file="m.stl"/></asset>'),
            r"model.xml, line \d: .*m.stl.*put the file beside the model",
        ),
        (inside('<body name="a"><joint/><freejoint/><geom size="1"/></body>'), "model.xml, line 2: .*dofs in body 'a'"),
        (inside(""), "model.xml has no body"),
        (inside('<include file="model.xml"/>'), "line 2: files include each other in a circle: model.xml -> model.xml"),
        (inside('<include file="no.xml"/>'), "model.xml, line 2: .*no.xml. cannot be read"),
        ('<robot name="r"><link name="a"/></robot>', "begins with <mujoco>, not with <robot> .read_urdf"),
        ("<mujoco><worldbody><body></worldbody></mujoco>", "model.xml, line 1: this is not well-formed"),
        (
            TIED.format('<tendon tendon1="t"/>').replace(
                "<equality>", '<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed></tendon><equality>'
            ),
            "constrains a flex, or a tendon",
        ),
    ],
)
def test_impossible_input_is_refused_with_its_place(tmp_path: Path, text: str, why: str):
    with pytest.raises(GambolError, match=why):
        read(tmp_path, text)


TENDON = '<tendon><fixed{}><joint joint="shoulder" coef="1"/></fixed></tendon>'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fluid", inside(HINGE.format(""), '<option density="1.2" wind="1 0 0"/>')),
        ("tendons", inside(HINGE.format(""), TENDON.format(' frictionloss="1"'))),
        ("gravity compensation", inside(HINGE.format("").replace('"arm"', '"arm" gravcomp="1"'))),
        ("free joint armature", inside('<body><joint type="free" armature="1"/><geom size="1"/></body>')),
        ("free joint springs", inside('<body><joint type="free" stiffness="1"/><geom size="1"/></body>')),
    ],
)
def test_what_gambol_lacks_is_refused_by_name_or_left_out_with_a_note(tmp_path: Path, name: str, text: str):
    with pytest.raises(GambolError, match=rf"model.xml .* leave_out=\['{name}'\]"):
        read(tmp_path, text)
    assert any(f"Left out: {name}" in note for note in read(tmp_path, text, leave_out=[name]).notes)
    with pytest.raises(GambolError, match=r'"fluit" cannot be left out.*did you mean "fluid"'):
        read(tmp_path, text, leave_out=["fluit"])


def test_a_medium_is_read_or_left_out_with_a_note(tmp_path: Path):
    text = inside(HINGE.format(""), '<option density="1.2" viscosity="0.1"/>')
    result = read(tmp_path, text)
    assert (result.density, result.viscosity) == (1.2, 0.1)
    without = read(tmp_path, text, leave_out=["fluid"])
    assert (without.density, without.viscosity) == (0.0, 0.0)
    assert any("Left out: fluid" in note for note in without.notes)


def test_tendons_that_do_not_pull_are_let_be(tmp_path: Path):
    result = read(tmp_path, inside(HINGE.format(""), TENDON.format("")))
    assert result.figure.nv == 1
    assert result.motors == ()


def test_reading_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = inside(HINGE.format(""), "", 'settotalmass="2"')
    result = read(tmp_path, text)
    assert result.figure.mass == pytest.approx(2.0)
    assert [path.name for path in tmp_path.iterdir()] == ["model.xml"]


def test_motors_on_one_joint_have_different_names(tmp_path: Path):
    actuators = '<actuator><motor joint="shoulder"/><motor name="motor1" joint="shoulder"/></actuator>'
    motors = read(tmp_path, inside(HINGE.format(""), actuators)).motors
    assert [(m.name, m.joint) for m in motors] == [("motor1", "arm"), ("motor1'", "arm")]
    assert motors[0] == Motor("motor1", "arm")


def test_a_random_state_serves_every_model(tmp_path: Path):
    """There are as many coordinates as the figure needs, in its order."""
    result = read(tmp_path, random_mjcf(3))
    q, v = random_state(result.figure, 0)
    assert (len(result.q), len(result.v)) == (len(q), len(v))


def test_the_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(GambolError, match=r"model.xml .* pip install mujoco"):
        read(tmp_path, inside(HINGE.format("")))
