"""A page simulates a cloth with the bits of the processor; the pointer pulls it; it asks nobody."""

import json

import numpy as np
import pytest

from gambol.collide import Plane
from gambol.errors import WorldError
from gambol.lanes.tree import leaves
from gambol.matter.forces import Air, Surroundings
from gambol.matter.forces.field import ForceField
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion.point_steps import LEDGER
from gambol.view.cloth import write_cloth_page
from gambol.view.cloth.page import blocked, control_steps
from gambol.view.live.numbers import number_names

MATERIAL = ClothMaterial(density=0.12, warp=200.0, weft=200.0, shear=40.0, bend=2.0, damping=2e-4)
MESH = cloth(6, 7, 0.06, MATERIAL, origin=(0, 0, 0.4), axes=((0, 0, -1), (1, 0, 0)), pins=[(k, 0) for k in range(6)])
AROUND = Surroundings(air=Air(velocity=(4.0, 0.5, 0.0)), ground=Plane())
CORNER = 41  # the lowest point at the free edge
LANES = 2  # of a module in float64
NAME = 'flag <img src=x onerror="window.harmed = true">'


def native(control, changes=(), start=None):
    """The blocks of the state after some control steps, computed by the processor. changes: inputs by name."""
    steps, substeps = control_steps(ForceField(MESH, AROUND))
    inputs = np.array(leaves(steps.inputs), float)
    names = list(number_names(steps.inputs))
    for name, value in dict(changes).items():
        inputs[names.index(name)] = value
    state = steps.start(MESH.points) if start is None else start
    return steps.advance(state, control * substeps, inputs[:, None], lanes=1)[0]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_cloth_page(MESH, tmp_path_factory.mktemp("cloth") / "flag.html", surroundings=AROUND, name=NAME)


@pytest.fixture(scope="module")
def opened(open_cloth, path):
    return open_cloth(path)


@pytest.mark.parametrize("fragment", ["", "#software-fma"])
def test_sixty_control_steps_have_the_bits_of_the_processor(open_cloth, path, fragment):
    """All rows of all points: positions, velocities, and the ledger; also without a fused multiply-add."""
    page = open_cloth(path, fragment)
    rows = page.run("pause()", "reset()", "step(60)")
    assert page.page.evaluate("gambol.fused") == (fragment == "")
    expected = native(60)
    np.testing.assert_array_equal(rows, blocked(expected, LANES).ravel())
    assert np.abs(expected[:3, :42].T - MESH.points).max() > 0.02  # it moved
    page.page.close()


def test_a_setting_and_a_pull_have_the_bits_of_the_processor(opened):
    """The wind by its slider's name, then a hand at a corner, whose work is in the ledger."""
    rows = opened.run("pause()", "reset()", "set('wind', -6)", "step(5)")
    before = native(5, {"wind.velocity.x": -6.0})
    np.testing.assert_array_equal(rows, blocked(before, LANES).ravel())
    target = [0.2, 0.3, 0.5]
    rows = opened.run(f"grab({CORNER}, {json.dumps(target)})", "step(20)")
    hand = {"hand.point": CORNER, **{f"hand.target.{axis}": x for axis, x in zip("xyz", target, strict=True)}}
    after = native(20, {"wind.velocity.x": -6.0} | hand, before)
    np.testing.assert_array_equal(rows, blocked(after, LANES).ravel())
    distance = [np.linalg.norm(state[:3, CORNER] - target) for state in (before, after)]
    assert distance[1] < 0.5 * distance[0]
    assert after[6 + LEDGER.index("hand")].sum() > 0.0
    assert opened.page.evaluate("gambol.hand.point") == CORNER
    opened.run("release()", "set('wind', 4)")
    assert opened.page.evaluate("gambol.hand === null")


def test_a_cloth_that_is_let_go_falls(opened):
    rows = opened.run("pause()", "reset()", "set('held', 0)", "step(10)")
    after = native(10, {"held": 0.0})
    np.testing.assert_array_equal(rows, blocked(after, LANES).ravel())
    assert np.all(after[2, :42] < MESH.points[:, 2])
    opened.run("set('held', 1)")


def test_the_slider_goes_back_to_the_same_bits(opened):
    first = opened.run("pause()", "reset()", "step(8)")
    later = opened.run("step(12)")
    dt = opened.page.evaluate("gambol.dt")
    np.testing.assert_array_equal(opened.run(f"seek({8 * dt})"), first)
    assert opened.page.evaluate("gambol.time") == pytest.approx(8 * dt)
    np.testing.assert_array_equal(opened.run("step(12)"), later)


def test_the_mouse_pulls_the_point_below_it(opened):
    opened.run("pause()", "reset()", "step(1)")
    opened.page.evaluate("player.draw(0)")
    place = f"""(() => {{
      const {{ controls: {{ target }}, matter: {{ parts: [part] }} }} = player;
      const p = target.clone().fromArray(part.positions.array, 3 * {CORNER}).project(player.camera);
      return [(p.x + 1) * player.canvas.clientWidth / 2, (1 - p.y) * player.canvas.clientHeight / 2];
    }})()"""
    x, y = opened.page.evaluate(place)
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.wait(f"gambol.hand?.point === {CORNER}")
    opened.page.mouse.move(x + 40, y - 60)
    opened.wait("gambol.hand.target[2] > 0.12")
    opened.run("step(10)")
    opened.page.mouse.up()
    opened.wait("gambol.hand === null")
    assert opened.page.evaluate("gambol.time") > 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("set('winds', 1)", '"winds" is not a number of this world; they are gravity, wind'),
        ("grab(42, [0, 0, 0])", "42 is no point; they are 0 to 41"),
        ("grab(1, [0, 0])", "must be an array of three numbers"),
        ("push([1, 0, 0], 1)", "grab(point, target) pulls one of its points"),
    ],
)
def test_the_error_of_a_bad_call_names_what_would_be_right(opened, call, message):
    assert message in opened.page.evaluate(f"gambol.{call}.catch((error) => error.message)")


def test_a_page_is_small_and_asks_nobody(opened, path):
    assert path.stat().st_size < 1_000_000
    assert set(opened.requests) <= {"file", "blob", "data"}
    assert opened.page.inner_text("h1") == NAME
    assert opened.page.evaluate("window.harmed === undefined")
    answer = "fetch('https://example.org').then(() => 'sent', () => 'refused')"
    assert opened.page.evaluate(answer) == "refused"
    assert not opened.errors


def test_a_mesh_with_bends_is_refused_before_anything_is_written(tmp_path):
    stiff = rope([(0, 0, 0), (0.1, 0, 0), (0.2, 0, 0)], density=1.0, stretch=10.0, bend=1.0)
    with pytest.raises(WorldError, match='"rope" has bends; steps by points have springs, hinges, wind and contacts'):
        write_cloth_page(stiff, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
