"""Figures written as MJCF: MuJoCo and gambol read them as the same figures."""

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from link_accelerations import relative_difference

from benchmarks.robot_checks import agreement
from benchmarks.robot_peers import MujocoRobot
from gambol.dynamics.loops import assembled
from gambol.dynamics.method import projected_state
from gambol.errors import GambolError
from gambol.figure import (
    Box,
    Capsule,
    Closure,
    Coupling,
    Cylinder,
    Ellipsoid,
    Figure,
    Frustum,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    Part,
    Sphere,
    random_figure,
    random_state,
    rotated,
    rotation_about,
)
from gambol.formats import Model, Motor, read_mjcf, write_mjcf
from gambol.formats.export_report import ExportReport
from gambol.formats.mjcf.writing.elements import inertial_element

SEEDS = range(16)
KINDS = ("revolute", "prismatic", "spherical", "cylindrical", "universal", "planar", "fixed")
CUBE = (Part(Box((0.1, 0.1, 0.1))),)


def moving(figure: Figure, seed: int) -> Model:
    q, v = random_state(figure, seed)
    return Model(figure, q=tuple(q), v=tuple(v), gravity=(1.0, -2.0, -9.0))


def written(model: Model, tmp_path: Path, **options: object) -> Model:
    write_mjcf(model, tmp_path / "written.xml", **options)
    return read_mjcf(tmp_path / "written.xml")


@pytest.mark.parametrize("seed", SEEDS)
def test_links_accelerate_as_they_did(tmp_path: Path, seed: int):
    root = "free" if seed % 2 else None
    figure = random_figure(seed, links=1 + seed // 2, kinds=KINDS, root=root)
    model = moving(figure, seed)
    assert relative_difference(model, written(model, tmp_path)) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_mujoco_moves_what_was_written_as_gambol_does(tmp_path: Path, seed: int):
    model = written(moving(random_figure(seed, links=4, kinds=KINDS), seed), tmp_path)
    peer = MujocoRobot(model.figure, mujoco.MjSpec.from_file(str(tmp_path / "written.xml")))
    assert agreement(model, peer, states=2).worst < 1e-10


@pytest.mark.parametrize("seed", range(6))
def test_rotors_are_kept(tmp_path: Path, seed: int):
    figure = random_figure(seed, links=5, kinds=("revolute", "prismatic", "spherical"), root="revolute", rotors=1.0)
    model = moving(figure, seed)
    assert relative_difference(model, written(model, tmp_path)) < 1e-12


def limb(name: str, parent: str | None, joint: Joint, parts: tuple[Part, ...] = CUBE) -> Link:
    return Link(name, parent, joint, parts)


TILT = rotation_about([1.0, 2.0, 0.3], 0.7)
ARM = Figure(
    "arm",
    (
        limb("base", None, Joint("fixed", position=(0.0, 0.0, 1.0))),
        limb("upper", "base", Joint("revolute", (0.0, 1.0, 0.0), TILT)),
        limb("lower", "upper", Joint("revolute", (1.0, 0.0, 0.0), position=(0.1, 0.2, 0.3))),
        limb("slide", "lower", Joint("prismatic", (1.0, 0.0, 0.0), position=(0.1, 0.0, 0.0))),
        limb("hand", "slide", Joint("spherical", position=(0.1, 0.0, 0.0))),
    ),
    constraints=(
        Closure("point", "hand", "base", (0.1, 0.0, 0.2), other_position=(0.0, 0.3, 0.0)),
        Closure("weld", "lower", None, (0.1, 0.0, 0.2), TILT, (0.0, 0.3, 0.0), TILT),
        Coupling("lower", "upper", (0.1, 0.2, 0.3)),
        Coupling("slide", None, (0.2,)),
    ),
)
FULL = Model(
    ARM,
    {
        "upper": JointSpring(stiffness=2.0, rest=0.3, damping=0.1, lower=-1.0),
        "slide": JointSpring(friction=0.2, lower=-0.5, upper=0.75),
        "hand": JointSpring(stiffness=1.0, upper=2.0),
    },
    (
        Motor("a", "upper", "torque", (3.0,), 1.0, lower=-1.0, upper=1.0),
        Motor("b", "lower", "position", (2.0,), 5.0, 0.3, weakest=-2.0, strongest=3.0),
        Motor("c", "slide", "velocity", (2.0,), 5.0),
        Motor("d", "hand", "torque", (1.0, 0.0, 2.0)),
    ),
    (0.1, 0.2, 0.3, 0.8, 0.6, 0.0, 0.0),
    (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    (0.0, 1.0, -3.0),
    True,
    density=1000.0,
    viscosity=0.2,
)


def test_what_pushes_ties_and_drives_a_figure_comes_back(tmp_path: Path):
    back = written(FULL, tmp_path)
    assert back.springs == FULL.springs
    assert back.motors == FULL.motors
    assert (back.gravity, back.ground) == (FULL.gravity, FULL.ground)
    assert (back.density, back.viscosity) == (1000.0, 0.2)
    assert back.q == pytest.approx(FULL.q, abs=1e-15)
    assert back.v == pytest.approx(FULL.v, abs=1e-15)
    for here, there in zip(FULL.figure.constraints, back.figure.constraints, strict=True):
        if isinstance(here, Coupling):
            assert here == there
            continue
        assert isinstance(there, Closure)
        assert (here.kind, here.link, here.other) == (there.kind, there.link, there.other)
        assert there.position == pytest.approx(here.position, abs=1e-15)
        assert there.other_position == pytest.approx(here.other_position, abs=1e-15)
        if here.kind == "weld":
            assert sum(there.rotation, ()) == pytest.approx(sum(here.rotation, ()), abs=1e-15)


def test_shapes_come_back_and_frustums_as_meshes(tmp_path: Path):
    shapes = (Sphere(0.1), Box((0.1, 0.2, 0.3)), Capsule(0.1, 0.4), Ellipsoid((0.1, 0.2, 0.3)))
    parts = tuple(Part(shape, (0.1, 0.2, 0.3), TILT, colliding=k % 2 == 0) for k, shape in enumerate(shapes))
    figure = Figure("body", (limb("body", None, Joint("free"), parts),))
    (body,) = written(Model(figure), tmp_path).figure.links
    assert [part.shape for part in body.parts] == list(shapes)
    assert [part.colliding for part in body.parts] == [True, False, True, False]
    assert all(part.position == pytest.approx((0.1, 0.2, 0.3), abs=1e-15) for part in body.parts)
    cone = Figure("cone", (limb("cone", None, Joint("free"), (Part(Frustum(0.2, 0.1, 0.5), (0.0, 0.0, 1.0)),)),))
    notes = write_mjcf(Model(cone), tmp_path / "cone.xml")
    assert notes == ("Frustums become meshes of eight sides.",)
    (hull,) = read_mjcf(tmp_path / "cone.xml").figure.root.parts
    places = np.array([rotated(hull.rotation, v) for v in hull.shape.vertices]) + hull.position
    corners = np.array([p.position for p in Frustum(0.2, 0.1, 0.5).contact_points()]) + np.array([0.0, 0.0, 1.0])
    far = np.linalg.norm(places[:, None] - corners, axis=-1)
    assert far.shape == (16, 16)
    assert max(far.min(axis=0).max(), far.min(axis=1).max()) < 1e-6


def test_what_touches_what_comes_back(tmp_path: Path):
    rough, feeler = Part(Sphere(0.1), friction=0.3), Part(Cylinder(0.1, 0.2), group=2, mask=4)
    links = (
        limb("trunk", None, Joint("free"), (rough, feeler)),
        limb("arm", "trunk", Joint("revolute"), (Part(Sphere(0.1), colliding=False), feeler)),
        limb("hand", "arm", Joint("revolute"), (feeler,)),
    )
    figure = Figure("body", links, apart=(("trunk", "hand"),), paired=(("arm", "hand"), ("trunk", "arm")))
    again = written(Model(figure), tmp_path).figure
    assert (again.apart, set(again.paired)) == (figure.apart, set(figure.paired))
    for here, there in zip(figure.links, again.links, strict=True):
        found = [(p.friction, p.group, p.mask, p.colliding) for p in there.parts]
        assert found == [(p.friction, p.group, p.mask, p.colliding) for p in here.parts]


def test_mujocos_exclusion_of_parent_and_child_is_noted(tmp_path: Path):
    ball = (Part(Sphere(0.1)),)
    elbow = Joint("revolute", (0.0, 1.0, 0.0), position=(0.5, 0.0, 0.0))
    links = (limb("upper", None, Joint("free"), ball), limb("lower", "upper", elbow, ball))
    note = "In MuJoCo no body touches its parent, unless the figure pairs them."
    assert write_mjcf(Model(Figure("arm", links)), tmp_path / "arm.xml") == (note,)
    for how in ("apart", "paired"):
        figure = Figure("arm", links, **{how: (("lower", "upper"),)})
        assert write_mjcf(Model(figure), tmp_path / "arm.xml") == ()


def test_that_a_merged_link_makes_its_neighbours_child_and_parent_is_noted(tmp_path: Path):
    """A massless link between two balls: MuJoCo's body of the second hangs on that of the first."""
    ball = (Part(Sphere(0.1)),)
    links = (
        limb("upper", None, Joint("free"), ball),
        Link("cross", "upper", Joint("revolute", (0.0, 1.0, 0.0), position=(0.5, 0.0, 0.0))),
        limb("lower", "cross", Joint("revolute", (1.0, 0.0, 0.0)), ball),
    )
    notes = write_mjcf(Model(Figure("arm", links)), tmp_path / "arm.xml")
    assert any('"lower" does not touch "upper": the massless link between them is merged' in note for note in notes)
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml")).nbody == 3  # the world, upper, lower
    listed = Figure("arm", links, apart=(("lower", "upper"),))
    assert not any("merged" in note for note in write_mjcf(Model(listed), tmp_path / "arm.xml"))


def test_a_changed_moment_is_noted(tmp_path: Path):
    """Moments 0, 0.1 and 0.1 + 1e-8 kg m2 about tilted axes: the middle one becomes the largest."""
    rod = MassProperties(1.0, inertia=((0.0, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
    for difference, noted in ((0.0, False), (1e-8, True)):
        I = TILT @ np.diag((0.0, 0.1, 0.1 + difference)) @ np.transpose(TILT)
        body = replace(rod, inertia=tuple(map(tuple, I.tolist())))
        report = ExportReport("MJCF", {})
        element = inertial_element(body, "rod", report)
        assert any('inertia of "rod"' in note for note in report.notes) == noted
        moments = [float(x) for x in element.attributes["diaginertia"].split()]
        assert moments == pytest.approx([0.0, 0.1 + difference, 0.1 + difference], abs=1e-15)


def test_the_root_that_is_the_world_comes_back(tmp_path: Path):
    table = Part(Box((1.0, 2.0, 0.1)), (0.1, 0.0, 0.0), inertial=False)
    links = (
        Link("hook", None, Joint("fixed", position=(0.0, 0.0, 2.0)), (table,)),
        limb("one", "hook", Joint("free")),
        limb("two", "hook", Joint("revolute", (0.0, 1.0, 0.0))),
    )
    model = moving(Figure("two", links), 3)
    back = written(model, tmp_path)
    assert [link.name for link in back.figure.links] == ["world", "one", "two"]
    assert back.figure.root.parts[0].position == (0.1, 0.0, 2.0)
    assert relative_difference(model, back) < 1e-12


def test_point_masses_and_rods_may_be_fixed_to_what_moves(tmp_path: Path):
    rod = MassProperties(1.0, inertia=((0.0, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
    links = (
        limb("arm", None, Joint("revolute", (0.0, 1.0, 0.0))),
        Link("rod", "arm", Joint("fixed", rotation=TILT), (), rod.placed(TILT, (0.1, 0.0, 0.0))),
        Link("point", "arm", Joint("fixed", position=(0.3, 0.0, 0.0)), (), MassProperties(1.0)),
    )
    model = moving(Figure("arm", links), 1)
    assert relative_difference(model, written(model, tmp_path)) < 1e-12


CRANK = (
    limb("base", None, Joint("fixed", position=(0.0, 0.0, 1.0))),
    limb("crank", "base", Joint("revolute", (0.0, 1.0, 0.0), position=(0.1, 0.0, 0.0))),
    limb("rod", "crank", Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, 0.3))),
    limb("rocker", "rod", Joint("spherical", position=(0.5, 0.0, 0.0))),
)
TURNED = rotation_about("x", np.pi / 2)
CLOSED = {
    "hinge": Closure("hinge", "rocker", "base", (0.0, 0.0, -0.4), TURNED, (0.7, 0.0, 0.0), TURNED),
    "distance": Closure("distance", "rocker", None, (0.0, 0.0, -0.4), other_position=(1.0, 0.1, 0.0), length=0.9),
}


@pytest.mark.parametrize("kind", CLOSED)
def test_loops_move_as_they_did(tmp_path: Path, kind: str):
    figure = Figure("crank", CRANK, constraints=(CLOSED[kind],))
    q = assembled(figure, [0.2, 0.1, 1.0, 0.0, 0.0, 0.0])
    q, v = projected_state("aba", figure, q, [1.0, 0.5, 0.1, 0.2, 0.3])
    model = Model(figure, q=tuple(map(float, q)), v=tuple(map(float, v)))
    back = written(model, tmp_path)
    assert len(back.figure.constraints) == (2 if kind == "hinge" else 1)
    assert relative_difference(model, back) < 1e-9


def test_the_length_that_a_tendon_is_held_at_comes_back(tmp_path: Path):
    figure = Figure("crank", CRANK, constraints=(CLOSED["distance"],))
    (tie,) = written(Model(figure), tmp_path).figure.constraints
    assert (tie.kind, tie.link, tie.other) == ("distance", "rocker", None)
    assert (tie.position, tie.other_position) == ((0.0, 0.0, -0.4), (1.0, 0.1, 0.0))
    assert tie.length == pytest.approx(0.9, rel=1e-12)


def test_a_screw_is_a_turn_with_a_slide_that_follows(tmp_path: Path):
    screw = Joint("helical", (0.0, 0.6, 0.8), TILT, (0.1, 0.2, 0.3), pitch=0.4, rotor=0.01)
    figure = Figure("press", (limb("base", None, Joint("fixed")), limb("bit", "base", screw)))
    springs = {"bit": JointSpring(damping=0.1, lower=-1.0, upper=2.0)}
    model = Model(figure, springs, q=(0.7,), v=(0.5,), gravity=(1.0, -2.0, -9.0))
    back = written(model, tmp_path)
    assert back.springs == springs
    assert back.figure.constraints == (Coupling("bit slide", "bit", (0.0, 0.4)),)
    assert (back.q, back.v) == ((pytest.approx(0.28), 0.7), (pytest.approx(0.2), 0.5))
    assert relative_difference(model, back) < 1e-12


BALL = Link("massless", "base", Joint("spherical"))


@pytest.mark.parametrize(
    ("links", "why"),
    [
        ((limb("loose", "base", Joint("free")),), '"loose" has a free joint inside'),
        ((BALL, limb("end", "massless", Joint("revolute"))), '"massless" has a spherical joint without mass'),
        (
            (
                Link("fork", "base", Joint("revolute")),
                limb("a", "fork", Joint("revolute")),
                limb("b", "fork", Joint("revolute")),
            ),
            '"fork" moves without mass',
        ),
        (
            (Link("point", "base", Joint("revolute"), (), MassProperties(1.0, (1.0, 0.0, 0.0))),),
            '"point" has a mass or moment of 0',
        ),
    ],
)
def test_figures_that_mujoco_cannot_hold_are_refused(tmp_path: Path, links: tuple[Link, ...], why: str):
    figure = Figure("some", (limb("base", None, Joint("fixed")), *links))
    with pytest.raises(GambolError, match=why):
        write_mjcf(Model(figure), tmp_path / "no.xml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (replace(FULL, springs={"upper": JointSpring(alpha=1.0, beta=2.0)}), "exponential springs"),
        (replace(FULL, springs={"upper": JointSpring(bias=1.0)}), "biases"),
        (replace(FULL, motors=(Motor("m", "upper", "other", note="odd"),)), "motors"),
        (Model(replace(ARM, constraints=(Closure("slider", "hand"),))), "closures"),
        (Model(Figure("c", (limb("c", None, Joint("free", rotor=1.0)),))), "rotors"),
        (Model(Figure("c", (limb("c", None, Joint("free")),), prescribed=True)), "prescribed base"),
        (Model(Figure("c", (limb("c", None, Joint("free")),)), {"c": (JointSpring(stiffness=1.0),) * 4}), "springs"),
    ],
)
def test_what_mujoco_lacks_is_refused_by_name_or_left_out_with_a_note(tmp_path: Path, model: Model, name: str):
    with pytest.raises(GambolError, match=rf"MJCF cannot hold; leave_out=\['{name}'\]"):
        write_mjcf(model, tmp_path / "some.xml")
    notes = write_mjcf(model, tmp_path / "some.xml", leave_out=[name])
    assert any(note.startswith("Left out") for note in notes)
    read_mjcf(tmp_path / "some.xml")
    with pytest.raises(GambolError, match='"motor" cannot be left out of MJCF; did you mean "motors"'):
        write_mjcf(model, tmp_path / "some.xml", leave_out=["motor"])


def test_joints_that_mujoco_has_not_are_refused(tmp_path: Path):
    screw = Link("nut", "base", Joint("axial", slides=0.25), CUBE)
    model = Model(Figure("screw", (Link("base", None, Joint("free"), CUBE), screw)))
    with pytest.raises(GambolError, match="axial joint, which MuJoCo does not have"):
        written(model, tmp_path)
