"""Kinds of joints from outside the package, as docs/extend/joint-kind.md adds them: a pin and a ball in a slot.

The independent route is a prismatic and a revolute or spherical joint in series, with a massless link between them.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import restored, run_page
from tracing import body_of

import gambol
from gambol.collide.broad.adjacent import bodies_of
from gambol.collide.broad.disjoint import always_disjoint
from gambol.contact import Stepping
from gambol.dynamics import METHODS, forward_dynamics, rnea
from gambol.dynamics.kinematics import kinematics
from gambol.errors import FigureError
from gambol.figure import JOINTS, Box, Figure, Joint, JointSpring, Link, Part, Sphere, random_figure, random_state
from gambol.figure.generator import random_joint
from gambol.figure.joint import JointKind, Placement, no_travel, place, q_dot, transform
from gambol.figure.link import stacked
from gambol.figure.mirror import mirrored_joint
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.integrate import INTEGRATORS

KIND, BALL = "pin in slot", "ball in slot"
RNG = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(JOINTS):
        yield run_page("extend/joint-kind.md")


def in_series(figure: Figure) -> Figure:
    """The figure with a slide and a turn in place of each pin or ball in a slot."""
    links: list[Link] = []
    for link in figure.given_links:
        if link.joint.kind in (KIND, BALL):
            (_, slide, _), (_, turn, _) = JOINTS[link.joint.kind].in_series(link.joint)  # pyright: ignore[reportOptionalCall]
            links += stacked(link, ((f"{link.name} slot", slide), (link.name, turn)))
        else:
            links.append(link)
    return Figure(figure.name, tuple(links))


def coordinates_in_series(figure: Figure, x: Any, field: str) -> list[float]:
    """Coordinates or velocities of the figure as those of its composition: the slide first."""
    result: list[float] = []
    for link in figure.links:
        values = list(x[getattr(link, field)])
        result += [values[-1], *values[:-1]] if link.joint.kind in (KIND, BALL) else values
    return result


def sample(seed: int) -> tuple[Figure, list[float], list[float], list[float]]:
    figure = random_figure(seed, 5, kinds=(KIND, BALL, "revolute", "spherical"), root="free")
    q, v = random_state(figure, seed)
    return figure, q.tolist(), v.tolist(), np.random.default_rng(seed).normal(size=figure.nv).tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [2, 4])
def test_accelerations_are_those_of_a_slide_and_a_turn(method: str, seed: int):
    figure, q, v, tau = sample(seed)
    assert {KIND, BALL} <= {link.joint.kind for link in figure.links}
    other = in_series(figure)
    a = forward_dynamics(kinematics(figure, q, v), tau, method=method)
    state = kinematics(other, *(coordinates_in_series(figure, x, f) for x, f in ((q, "q"), (v, "v"))))
    expected = forward_dynamics(state, coordinates_in_series(figure, tau, "v"))
    np.testing.assert_allclose(coordinates_in_series(figure, np.array(a), "v"), expected, rtol=1e-8, atol=1e-8)
    again, _ = rnea(kinematics(figure, q, v), a)
    np.testing.assert_allclose(again, tau, rtol=1e-8, atol=1e-8)


def test_the_pose_and_its_rate_are_those_of_a_slide_and_a_turn():
    joint = random_joint(RNG, KIND)
    (_, slide, _), (_, turn, _) = JOINTS[KIND].in_series(joint)  # pyright: ignore[reportOptionalCall]
    q = [0.7, -0.3]
    expected, X = transform(slide, [q[1]]) @ transform(turn, [q[0]]), transform(joint, q)
    np.testing.assert_allclose(X.rotation.rows, expected.rotation.rows, atol=1e-12)
    np.testing.assert_allclose(list(X.position), list(expected.position), atol=1e-12)
    rest = transform(joint, JOINTS[KIND].rest)
    np.testing.assert_allclose(rest.rotation.rows, joint.rotation, atol=1e-12)
    assert q_dot(joint, q, [1.0, 2.0]) == [1.0, 2.0]
    placement = place(joint, q)
    powers = [S.dot(force) for force in placement.constraint_forces for S in placement.columns]
    np.testing.assert_allclose(powers, 0.0, atol=1e-12)


def test_a_world_of_it_moves_as_one_of_a_slide_and_a_turn():
    """A trunk lands on a leg that slides and turns, in large steps: the same coordinates, so the same motion."""
    leg = Joint(KIND, (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.05), across=(0.6, 0.0, 0.8))
    shank = Part(Sphere(0.04), position=(0.02, 0.0, -0.15))
    trunk = Link("trunk", None, Joint("free"), (Part(Sphere(0.1)),))
    mine = Figure("hopper", (trunk, Link("leg", "trunk", leg, (shank,))))
    ends: list[Any] = []
    for figure in (mine, in_series(mine)):
        world = gambol.make_world(figure, contact=Stepping(iterations=200))
        film = gambol.run(world, gambol.start(world, position=(0.0, 0.0, 0.35)), seconds=0.5, rate=60.0)
        ends.append([film.position[-1, 0, film.link_names.index(name)] for name in ("trunk", "leg")])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)
    assert ends[0][0][2] < 0.34


@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")
@pytest.mark.parametrize("method", INTEGRATORS)
def test_every_integrator_moves_a_ball_in_a_slot(method: str):
    """A rod swings from a ball that slides, as from a slide and a ball in series: with the same coordinates."""
    rod = Part(Box((0.04, 0.05, 0.4)), position=(0.05, 0.0, -0.2))
    anchor = Link("rail", None, Joint("fixed", position=(0.0, 0.0, 1.0)))
    mine = Figure("rod", (anchor, Link("rod", "rail", Joint(BALL, (1 / 3, 2 / 3, 2 / 3)), (rod,))))
    q, v = [0.8, 0.0, 0.6, 0.0, 0.1], [0.1, 0.2, 0.3, 0.5]
    timing = gambol.Timing(control_step=1.0 / 240.0, step=1e-3, method=method)
    ends: list[Any] = []
    for figure, state in ((mine, (q, v)), (in_series(mine), ([q[-1], *q[:-1]], [v[-1], *v[:-1]]))):
        world = gambol.make_world(figure, timing=timing, ground=gambol.NoGround())
        film = gambol.run(world, gambol.start(world, q=state[0], v=state[1]), seconds=0.1)
        ends.append(film.position[-1, 0, film.link_names.index("rod")])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)


@pytest.mark.parametrize("reach", [0.1, 5.0])
def test_contacts_are_excluded_only_beyond_its_travel(reach: float):
    joint = Joint(KIND, (0.0, 1.0, 0.0), across=(1.0, 0.0, 0.0))
    ball = Part(Sphere(0.1))
    figure = Figure(
        "rail",
        (
            Link("wall", None, Joint("fixed"), (replace(ball, position=(2.0, 0.0, 0.0)),)),
            Link("runner", "wall", joint, (ball,)),
        ),
    )
    ends = [(1, figure.links[0].parts[0]), (2, ball)]
    limits = (JointSpring(), JointSpring(lower=-reach, upper=reach))
    assert always_disjoint(figure, ends, {"runner": limits}) == (reach < 1.8)
    assert not always_disjoint(figure, ends, {})
    bare = replace(JOINTS[KIND], travel=JointKind.__dataclass_fields__["travel"].default)
    with restored(JOINTS):
        JOINTS[KIND] = bare  # a row that does not tell how far it moves excludes nothing
        assert not always_disjoint(figure, ends, {"runner": limits})


def test_figure_files_contain_it_and_other_formats_a_series_of_joints(tmp_path: Path, page: dict[str, Any]):
    figure: Figure = page["figure"]
    springs = {"rod": (JointSpring(damping=0.1), JointSpring(damping=2.0, lower=-0.2, upper=0.3))}
    model = Model(figure, springs, q=(0.4, 0.1), v=(0.3, -0.2))
    write_figure(model, tmp_path / "pin.toml")
    assert read_figure(tmp_path / "pin.toml").figure == figure
    write_mjcf(model, tmp_path / "pin.xml")
    write_urdf(model, tmp_path / "pin.urdf", leave_out=["springs"])
    for read in (read_mjcf(tmp_path / "pin.xml"), read_urdf(tmp_path / "pin.urdf")):
        assert [link.joint.kind for link in read.figure.links if link.joint.kind != "fixed"] == [
            "prismatic",
            "revolute",
        ]
        assert read.figure.nv == 2
        a = forward_dynamics(kinematics(figure, (0.4, 0.1), (0.3, -0.2)), [0.0, 0.0])
        np.testing.assert_allclose(
            forward_dynamics(kinematics(read.figure, (0.1, 0.4), (-0.2, 0.3)), [0.0, 0.0]), a[::-1], rtol=1e-9
        )
    assert read_mjcf(tmp_path / "pin.xml").q == (0.1, 0.4)


def test_a_ball_in_a_slot_is_read_back_from_mjcf_and_refused_by_urdf(tmp_path: Path):
    joint = Joint(BALL, (1 / 3, 2 / 3, 2 / 3))
    rod = Link("rod", "rail", joint, (Part(Box((0.04, 0.05, 0.4)), position=(0.05, 0.0, -0.2)),))
    figure = Figure("rod", (Link("rail", None, Joint("fixed")), rod))
    springs = {"rod": (JointSpring(stiffness=2.0, damping=0.1), JointSpring(damping=2.0, lower=-0.2, upper=0.3))}
    model = Model(figure, springs, q=(0.8, 0.0, 0.6, 0.0, 0.1), v=(0.1, 0.2, 0.3, 0.5))
    write_mjcf(model, tmp_path / "rod.xml")
    read = read_mjcf(tmp_path / "rod.xml")
    assert [link.joint.kind for link in read.figure.links if link.joint.kind != "fixed"] == ["prismatic", "spherical"]
    expected = gambol.Dynamics(figure, springs=model.springs).forward(model.q, model.v)
    found = gambol.Dynamics(read.figure, springs=read.springs).forward(read.q, read.v)
    np.testing.assert_allclose([*found[1:], found[0]], expected, rtol=1e-9)
    with pytest.raises(FigureError, match="has a spherical joint, which URDF does not have either"):
        write_urdf(model, tmp_path / "rod.urdf", leave_out=["springs"])


def test_its_mirror_image_moves_as_its_mirror():
    joint, M = random_joint(RNG, KIND), np.diag([1.0, -1.0, 1.0])
    X, image = transform(joint, [0.5, 0.2]), transform(mirrored_joint(joint), [-0.5, 0.2])
    np.testing.assert_allclose(image.rotation.rows, M @ np.array(X.rotation.rows) @ M, atol=1e-12)
    np.testing.assert_allclose(list(image.position), M @ np.array(list(X.position)), atol=1e-12)


def without_derivatives(joint: Joint, q: Any) -> Placement:
    return replace(JOINTS["whole"].place(joint, q), derivatives=())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"place": without_derivatives}, "column 3 of S changes in the joint frame"),
        ({"in_series": lambda joint: (("", Joint("spherical"), 0),)}, "do not take the pose"),
    ],
)
def test_a_wrong_row_is_an_error_when_a_figure_is_made(fields: dict[str, Any], words: str):
    JOINTS["whole"] = JOINTS[BALL]
    link = Link("ball", None, Joint(BALL, (0.0, 0.0, 1.0)), (Part(Sphere(0.1)),))
    assert Figure("ball", (link,)).nv == 4
    JOINTS[BALL] = replace(JOINTS[BALL], **fields)
    with pytest.raises(FigureError, match=words):
        Figure("ball", (link,))


def place_still(joint: Joint, q: Any) -> Placement:
    return place(replace(joint, kind="fixed"), ())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"q_units": ("1", "1"), "v_units": ("rad/s",), "rest": (1.0, 0.0)}, "unit quaternion"),
        ({"q_units": ("deg",), "v_units": ("rad/s",), "rest": (0.0,)}, "the unit 'deg'"),
        ({"q_units": ("rad",), "v_units": ("rad/s",), "rest": ()}, "0 coordinates at rest"),
        ({"q_units": (), "v_units": (), "rest": (), "coaxial": True}, "1 if it is coaxial"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(fields: dict[str, Any], words: str):
    with pytest.raises(FigureError, match=words):
        JointKind(place=place_still, **fields)


def test_what_a_row_lacks_is_named(tmp_path: Path, page: dict[str, Any]):
    JOINTS["bare"] = JointKind((), (), (), place_still, travel=no_travel)
    figure = Figure("bare", (Link("root", None, Joint("bare"), (Part(Sphere(0.1)),)),))
    with pytest.raises(FigureError, match=r'"bare" joint has no mirror image; .* lacks the field "mirrored"'):
        mirrored_joint(figure.root.joint)
    with pytest.raises(FigureError, match=r"bare joint, which MuJoCo does not have, .* no `in_series`"):
        write_mjcf(Model(figure), tmp_path / "bare.xml")
    with pytest.raises(FigureError, match=r"bare joint, which URDF does not have, .* no `in_series`"):
        write_urdf(Model(figure), tmp_path / "bare.urdf")
    JOINTS[KIND] = replace(JOINTS[KIND], place=without_constraint_forces(page["place_pin"]))
    with pytest.raises(FigureError, match="constraint_forces"):
        body_of(lambda *q: [f.n.x for f in place(page["figure"].links[1].joint, q).constraint_subspace()], 2)


def without_constraint_forces(place_pin: Any) -> Any:
    return lambda joint, q: replace(place_pin(joint, q), constraint_forces=())


def test_a_joint_without_restraint_makes_no_neighbours_and_one_without_motion_makes_one_body():
    JOINTS["loose"] = replace(JOINTS["free"])
    JOINTS["glued"] = replace(JOINTS["fixed"])
    ball = (Part(Sphere(0.1)),)
    for loose, glued in (("loose", "glued"), ("free", "fixed")):
        links = (
            Link("a", None, Joint("free"), ball),
            Link("b", "a", Joint(loose), ball),
            Link("c", "b", Joint(glued), ball),
        )
        bodies = bodies_of(Figure("three", links))
        assert bodies.may_collide(1, 2)
        assert bodies.same_body(2, 3)
