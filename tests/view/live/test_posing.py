"""A figure that is held still takes another posture by dragging, and goes on from it with the bits of the processor."""

from dataclasses import replace

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import (
    Engine,
    Figure,
    Joint,
    JointSpring,
    Link,
    NoGround,
    Part,
    Sphere,
    State,
    SurfaceProperties,
    World,
    start,
    write_live_page,
)
from gambol.figure import Closure
from gambol.view.live.posing import posing
from gambol.world.context import LEDGER_SIGNS

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
SHANK, HEIGHT, SIZE = "right hind shank", 0.3, 1e-6
SCREEN_PLACE = """link => {
  const place = player.bodies[0][link].position.clone().project(player.camera);
  const { clientWidth, clientHeight } = player.canvas;
  return [((place.x + 1) / 2) * clientWidth, ((1 - place.y) / 2) * clientHeight];
}"""


@pytest.fixture(scope="module")
def world():
    return World(quadruped(), surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0)))


@pytest.fixture(scope="module")
def opened(open_page, world, tmp_path_factory):
    first = start(world, position=(0.0, 0.0, HEIGHT))
    path = write_live_page(world, tmp_path_factory.mktemp("pose") / "quadruped.html", state=first)
    page = open_page(path, width=700, height=500)
    page.wait("gambol.playing")
    page.page.evaluate(DROP_PAGE)
    return page


def places(world, rows):
    seen = Engine(world, lanes=1).observe(State(world, rows[:, None].copy()))
    return np.array(seen.positions, float).reshape(-1, 3), np.array(seen.quaternions, float).reshape(-1, 4)


def index_of(world, name):
    return [link.name for link in world.figure.links].index(name)


def point_of(world, rows, name, point):
    """Place of a point of a link in world axes [m]."""
    positions, quaternions = places(world, rows)
    k = index_of(world, name)
    w, *u = quaternions[k]
    t = 2.0 * np.cross(u, point)
    return positions[k] + point + w * t + np.cross(u, t)


def bent(world, rows, changes):
    """The rows with other coordinates of some joints."""
    other = rows.copy()
    for name, x in changes.items():
        other[world.figure.links[index_of(world, name)].q] += x
    return other


def energy(world, rows):
    seen = Engine(world, lanes=1).observe(State(world, rows[:, None].copy()))
    return float(np.sum(seen.kinetic) + np.sum(seen.potential) + np.sum(seen.stored))


def outside(world, rows):
    return float(np.sum(State(world, rows[:, None].copy()).step_state.ledger.outside))


def test_a_foot_goes_to_its_target_and_only_its_leg_moves(opened, world):
    before = opened.run("pause()", "reset()", "step(50)")
    foot = [0.0, 0.0, -0.1]
    target = point_of(world, bent(world, before, {"right hind thigh": 0.5, SHANK: -0.7}), SHANK, foot)
    posed = opened.run(f"pose('{SHANK}', {foot}, {target.tolist()})")
    np.testing.assert_allclose(point_of(world, posed, SHANK, foot), target, atol=SIZE)
    state = State(world, posed[:, None])
    assert not state.v.any()
    moved = np.flatnonzero(posed[: world.figure.nq] != before[: world.figure.nq])
    leg = [k for link in world.figure.links if link.name.startswith("right hind") for k in range(*link.q.indices(99))]
    assert len(moved) > 0
    assert set(moved) <= set(leg)
    work = energy(world, posed) - energy(world, before)
    assert LEDGER_SIGNS["outside"] * (outside(world, posed) - outside(world, before)) == pytest.approx(work, rel=1e-9)


def test_it_goes_on_from_the_posture_with_the_bits_of_the_processor(opened, world):
    target = [0.1, -0.1, 0.2]
    posed = opened.run("pause()", "reset()", f"pose('{SHANK}', [0, 0, -0.1], {target})")
    after = opened.run("step(500)")
    engine, state = Engine(world, lanes=1), State(world, posed[:, None].copy())
    engine.advance(state, 500)
    np.testing.assert_array_equal(after, state.rows[:, 0])


def test_a_target_out_of_reach_brings_the_leg_as_near_as_any_angle_does(opened, world):
    """The knee is on a circle about the hip: the least distance to the target is that of a search of all angles."""
    before, thigh = opened.run("pause()", "reset()"), "right hind thigh"
    knee, target = index_of(world, SHANK), np.array([-0.1, -0.2, -5.0])
    posed = opened.run(f"pose('{SHANK}', [0, 0, 0], {target.tolist()})")
    angles = np.linspace(-np.pi, np.pi, 721)
    rows = np.stack([bent(world, before, {thigh: x}) for x in angles], axis=1)
    seen = np.array(Engine(world).observe(State(world, rows)).positions, float).reshape(-1, 3, len(angles))
    distances = np.linalg.norm(seen[knee] - target[:, None], axis=0)
    assert np.linalg.norm(places(world, posed)[0][knee] - target) <= min(distances) + 1e-9


def test_the_root_is_shifted_and_turns_nothing(opened, world):
    name = world.figure.root.name
    before = opened.run("pause()", "reset()")
    target = (places(world, before)[0][0] + np.array([0.1, 0.2, 0.3])).tolist()
    posed = opened.run(f"pose('{name}', [0, 0, 0], {target})")
    np.testing.assert_allclose(places(world, posed)[0][0], target, atol=SIZE)
    np.testing.assert_array_equal(posed[:4], before[:4])


def test_a_drag_poses_while_it_is_held_still_and_the_button_lets_it_go(opened, world):
    opened.run("pause()", "reset()")
    before = opened.run("step(0)")
    opened.page.click("#pose")
    opened.wait("gambol.frozen")
    opened.page.evaluate("player.resetView(); player.draw(0); player.camera.updateMatrixWorld()")
    x, y = opened.page.evaluate(SCREEN_PLACE, index_of(world, SHANK))
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 25, y - 10, steps=5)
    opened.page.mouse.up()
    opened.wait("gambol.state().some((x, k) => x !== window.first?.[k])")
    after = opened.run("step(0)")
    assert np.abs(after - before)[: world.figure.nq].max() > 0.01
    assert opened.page.evaluate("gambol.hand") is None
    assert opened.page.evaluate("gambol.time") == 0.0
    opened.page.click("#pose")
    opened.wait("gambol.playing && !gambol.frozen")
    opened.run("pause()")
    back = opened.run("reset()")
    np.testing.assert_array_equal(back, before)
    assert not opened.errors


def test_unknown_links_are_refused(opened):
    message = "gambol.pose('nothing', [0, 0, 0], [0, 0, 0]).then(() => '', (error) => error.message)"
    assert "is no link that can be posed; they are" in opened.page.evaluate(message)


def three_links():
    """A free link, one on a ball joint, and one on a hinge."""
    ball = (Part(Sphere(0.1)),)
    links = (
        Link("a", None, Joint("free"), ball),
        Link("b", "a", Joint("spherical"), ball),
        Link("c", "b", Joint("revolute", (0.0, 1.0, 0.0), position=(0.3, 0.0, 0.0)), ball),
    )
    return World(Figure("three", links))


def test_a_ball_joint_turns(open_page, tmp_path):
    world = three_links()
    page = open_page(write_live_page(world, tmp_path / "three.html"))
    page.page.evaluate(DROP_PAGE)
    before = page.run("pause()", "reset()")
    other = before.copy()
    other[7:11] = np.array([0.7, 0.3, -0.4, 0.5]) / np.sqrt(0.99)
    other[11] = -0.8
    target = point_of(world, other, "c", [0.2, 0.0, 0.0])
    posed = page.run(f"pose('c', [0.2, 0, 0], {target.tolist()})")
    np.testing.assert_allclose(point_of(world, posed, "c", [0.2, 0.0, 0.0]), target, atol=SIZE)
    np.testing.assert_array_equal(posed[:7], before[:7])
    assert np.linalg.norm(posed[7:11]) == pytest.approx(1.0, abs=1e-12)
    page.page.close()


def test_joints_of_a_pose_are_those_that_can_move():
    """Of a free joint the position; a ball joint turns; with closed loops nothing can be moved by itself."""
    world = three_links()
    free, socket, hinge = posing(world)["joints"]
    assert (free["rows"], free["isQuaternion"], free["parent"]) == ([4, 5, 6], False, -1)
    assert (socket["rows"], socket["isQuaternion"]) == ([7, 8, 9, 10], True)
    assert (hinge["rows"], hinge["bounds"], hinge["parent"]) == ([11], [[None, None]], 1)
    closed = replace(world.figure, constraints=(Closure("point", "c", None),))
    assert posing(World(closed)) is None


def test_a_limit_of_a_spring_holds_the_joint(open_page, tmp_path):
    """A pendulum that may turn by 0.5 rad is posed at 0.5 rad, whatever is asked."""
    bar = Link("bar", None, Joint("revolute", (0.0, 1.0, 0.0)), (Part(Sphere(0.1), (0.0, 0.0, -0.5)),))
    spring = JointSpring(alpha=1.0, damping=0.1, lower=-0.5, upper=0.5, limit_stiffness=1e3)
    world = World(Figure("bar", (bar,)), springs={"bar": spring}, ground=NoGround())
    page = open_page(write_live_page(world, tmp_path / "bar.html"))
    page.page.evaluate(DROP_PAGE)
    posed = page.run("pause()", "reset()", "pose('bar', [0, 0, -0.5], [5, 0, 0])")
    assert abs(posed[0]) == 0.5
    page.page.close()
