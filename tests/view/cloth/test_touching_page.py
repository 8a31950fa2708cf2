"""Pages of cloth with hinges, a ball, and a rope: the bits of the processor, and the ball under the pointer."""

import json

import numpy as np
import pytest

from gambol.collide import Plane
from gambol.lanes.tree import leaves
from gambol.matter.forces import SelfTouch, Surroundings, Touch
from gambol.matter.forces.field import ForceField
from gambol.matter.mesh import ClothMaterial, cloth, joined, rope
from gambol.matter.motion.balls import Ball, with_balls
from gambol.view.cloth import write_cloth_page
from gambol.view.cloth.page import blocked, control_steps
from gambol.view.live.numbers import number_names

MATERIAL = ClothMaterial(density=0.3, warp=300.0, weft=300.0, shear=60.0, damping=2e-4, hinge=1e-4)
BALL = Ball(0.08, 0.3, (0.02, 0.01, 0.5), (0.1, 0.0, -1.0))
RIM = [(i, j) for i in range(5) for j in range(5) if i in (0, 4) or j in (0, 4)]
NET = cloth(5, 5, 0.07, MATERIAL, origin=(-0.14, -0.14, 0.4), pins=RIM)
AROUND = Surroundings(ground=Plane(), touch=Touch(300.0, 0.05, 0.4, 0.01))
LINE = rope(np.linspace([-0.12, 0.0, 0.5], [0.12, 0.0, 0.5], 5), density=0.05, stretch=50.0, pins=[0, -1])
TOWEL = cloth(4, 4, 0.04, MATERIAL, origin=(-0.06, -0.052, 0.51))
TOUCHING = Surroundings(self_touch=SelfTouch(0.006, 100.0, 0.02, 0.5, surfaces=True))
SCENES = {"net": (NET, AROUND, (BALL,)), "towel": (joined([TOWEL, LINE], "towel and rope"), TOUCHING, ())}
LANES = 2  # of a module in float64


def native(scene, control, changes=(), start=None):
    """The state after some control steps by the processor. changes: inputs by name."""
    mesh, around, balls = SCENES[scene]
    steps, substeps = control_steps(ForceField(with_balls(mesh, balls), around), balls)
    inputs, names = np.array(leaves(steps.inputs), float), list(number_names(steps.inputs))
    for name, value in dict(changes).items():
        inputs[names.index(name)] = value
    places = np.concatenate([mesh.points, *([ball.position] for ball in balls)])
    speeds = np.concatenate([np.zeros_like(mesh.points), *([ball.velocity] for ball in balls)])
    state = steps.start(places, speeds) if start is None else start
    return steps.advance(state, control * substeps, inputs[:, None], lanes=1)[0]


@pytest.fixture(scope="module")
def pages(open_cloth, tmp_path_factory):
    folder = tmp_path_factory.mktemp("touching")
    paths = {
        "net": write_cloth_page(NET, folder / "net.html", surroundings=AROUND, balls=[BALL]),
        "towel": write_cloth_page({"towel": TOWEL, "rope": LINE}, folder / "towel.html", surroundings=TOUCHING),
    }
    return {name: open_cloth(path) for name, path in paths.items()}


@pytest.mark.parametrize("scene", SCENES)
def test_control_steps_have_the_bits_of_the_processor(pages, scene):
    """All rows of all points, also the spin of the ball; hinges and contacts act."""
    rows = pages[scene].run("pause()", "reset()", "step(12)")
    expected = native(scene, 12)
    np.testing.assert_array_equal(rows, blocked(expected, LANES).ravel())
    assert expected[9].sum() < 0.0  # losses of contacts
    if scene == "net":
        assert np.linalg.norm(expected[11:14, 25]) > 0.1


def test_the_ball_is_pulled_and_drawn_where_it_is(pages):
    page, target = pages["net"], [0.1, 0.0, 0.6]
    page.run("pause()", "reset()", "step(6)")
    rows = page.run(f"grab(25, {json.dumps(target)})", "step(6)")
    hand = {"hand.point": 25, **{f"hand.target.{axis}": x for axis, x in zip("xyz", target, strict=True)}}
    expected = native("net", 6, hand, native("net", 6))
    np.testing.assert_array_equal(rows, blocked(expected, LANES).ravel())
    drawn = page.page.evaluate("""(() => {
      const { array } = player.matter.parts[1].positions, bounds = [0, 1, 2].map((axis) => {
        const places = array.filter((_, k) => k % 3 === axis).map((x) => x * player.film.size);
        return [Math.min(...places), Math.max(...places)];
      });
      return bounds.map(([low, high]) => [(low + high) / 2, (high - low) / 2]);
    })()""")
    np.testing.assert_allclose([middle for middle, _ in drawn], expected[:3, 25], atol=1e-5)
    np.testing.assert_allclose([half for _, half in drawn], BALL.radius, rtol=0.02)  # of a ball of triangles
    page.run("release()")


def test_the_mouse_takes_the_ball_anywhere_on_it(pages):
    page = pages["net"]
    page.run("pause()", "reset()", "step(1)")
    page.page.evaluate("player.draw(0)")
    x, y, radius = page.page.evaluate("""(() => {
      const { controls: { target }, film: { size }, camera, canvas } = player, [radius] = gambol.about.balls;
      const { array } = player.matter.parts[1].positions, n = array.length / 3, middle = target.clone().set(0, 0, 0);
      for (let k = 0; k < n; k++) middle.add(target.clone().fromArray(array, 3 * k).divideScalar(n));
      const up = target.clone().set(0, 1, 0).applyQuaternion(camera.quaternion);
      const pixels = (p) => {
        p.project(camera);
        return [(p.x + 1) * canvas.clientWidth / 2, (1 - p.y) * canvas.clientHeight / 2];
      };
      const [px, py] = pixels(middle.clone()), [, qy] = pixels(middle.addScaledVector(up, radius / size));
      return [px, py, py - qy];
    })()""")
    assert radius > 30.0
    page.page.mouse.move(x, y - 0.8 * radius)
    page.page.mouse.down()
    page.wait("gambol.hand?.point === 25")
    page.page.mouse.up()
    page.wait("gambol.hand === null")


def test_pages_are_small_and_without_errors(pages):
    for page in pages.values():
        assert not page.errors
        assert set(page.requests) <= {"file", "blob", "data"}
    assert pages["towel"].page.evaluate("gambol.about.parts") == [16, 5]
