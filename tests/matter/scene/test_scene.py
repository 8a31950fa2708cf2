"""A figure and meshes in one scene: momentum and energy pass from one to the other; states are stored."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import level_rope
from worlds import ball, touch

from gambol.collide import NoGround, Plane
from gambol.contact import SurfaceProperties
from gambol.errors import GambolError, WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.matter.forces import Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import ImplicitOptions, StepRule
from gambol.matter.scene import MeshPart, Scene, Tether, load_scene_state
from gambol.world import Engine, External, Timing, World, start

H = 1.0 / 240.0
WEIGHTLESS = Surroundings(gravity=(0.0, 0.0, 0.0), touch=Touch(800.0, 0.2, 0.3, 0.01))
BALL = World(ball(0.1), ground=NoGround(), gravity=0.0, timing=Timing(H, H, "velocity verlet"))


def free_net(**material):
    return cloth(9, 9, 0.06, ClothMaterial(0.5, 200.0, 200.0, 50.0, 0.0, **material), origin=(-0.24, -0.24, 0.0))


def momentum(scene, state, name="net"):
    """Momentum and angular momentum about the origin, of figure and mesh together."""
    mesh, m = state.meshes[name], scene.parts[name].mesh.masses[:, None]
    body = scene.world.figure.links[0].mass_properties
    q, v = state.figure.q[0], state.figure.v[0]
    w, x, y, z = q[:4]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    p = body.mass * (R @ v[3:])
    spin = np.cross(q[4:], p) + R @ (np.array(body.inertia) @ v[:3])
    u = m * mesh.velocity
    return u.sum(axis=0) + p, np.cross(mesh.position, u).sum(axis=0) + spin


@pytest.mark.parametrize("method", ["implicit euler", "position based", "projective"])
def test_a_ball_that_hits_a_free_net_passes_on_its_momentum(method):
    options = ImplicitOptions(tolerance=1e-10) if method == "implicit euler" else None
    scene = Scene(BALL, {"net": MeshPart(free_net(), WEIGHTLESS, StepRule(method, H, options))})
    state = scene.start(start(scene.world, position=(0.05, 0.0, 0.15), v=[0, 0, 0, 0.2, 0.0, -1.0]))
    before, _ = momentum(scene, state)
    after = scene.run(state, 0.25)[-1]
    p, _ = momentum(scene, after)
    assert (scene.parts["net"].mesh.masses[:, None] * after.meshes["net"].velocity).sum(axis=0)[2] < -0.05
    # to rounding, and to the tolerance of conjugate gradients
    assert np.allclose(p, before, atol=1e-8)


def test_the_work_of_links_on_a_mesh_is_what_they_lose_in_any_number_of_passes():
    edge = [(i, j) for i in range(9) for j in range(9) if i in (0, 8) or j in (0, 8)]
    trampoline = replace(free_net(), pins=np.array([i * 9 + j for i, j in edge]))
    gaps = {}
    for passes in (1, 3):
        part = MeshPart(trampoline, WEIGHTLESS, StepRule("implicit euler", H / 2))
        scene = Scene(BALL, {"net": part}, passes=passes)
        state = scene.start(start(scene.world, position=(0.0, 0.0, 0.15), v=[0, 0, 0, 0.0, 0.0, -1.5]))
        energy = scene.figure_energy(state)
        states = scene.run(state, 0.25)
        lost = energy - min(map(scene.figure_energy, states))
        assert lost > 0.5 * energy  # the ball is stopped, and thrown back
        assert states[-1].figure.v[0, 5] > 0.3
        given = -float(states[-1].figure.step_state.ledger.outside[0])
        gaps[passes] = abs(states[-1].meshes["net"].ledger.support - given) / lost
    assert max(gaps.values()) < 1e-3  # the tolerance of conjugate gradients


def test_a_light_ball_rests_on_a_net_and_gains_no_energy():
    # ten points of 500 N/m touch 11 g: exchanges that lag would be stable below 2 sqrt(m/k) = 3 ms only
    mass = 0.011
    part = Part(Sphere(0.03), density=mass / (4.0 / 3.0 * np.pi * 0.03**3))
    light = Figure("ball", (Link("ball", None, Joint("free"), (part,)),))
    world = World(light, ground=NoGround(), gravity=9.81, timing=Timing(H, H, "velocity verlet"))
    rim = [(i, j) for i in range(11) for j in range(11) if i in (0, 10) or j in (0, 10)]
    material = ClothMaterial(0.2, 200.0, 200.0, 50.0, 0.0, damping=0.003)
    net = cloth(11, 11, 0.02, material, origin=(-0.1, -0.1, 0.0), pins=rim)
    around = Surroundings(touch=Touch(500.0, 0.2, 0.4, 0.03))
    scene = Scene(world, {"net": MeshPart(net, around, StepRule("implicit euler", H))})
    state = scene.start(start(scene.world, position=(0.003, 0.0, 0.055)))
    begin = scene.figure_energy(state) + scene.mesh_energy(state)
    falls = mass * 9.81 * 0.055 + net.masses.sum() * 9.81 * 0.01  # what both can give: heights of their falls
    heights = []
    for _ in range(120):
        state = scene.step(state)
        heights.append(state.figure.q[0, 6])
        assert scene.figure_energy(state) + scene.mesh_energy(state) - begin < 0.1 * falls
    assert 0.015 < np.mean(heights[-40:]) < 0.045  # on the net: the ball and half of the thickness, less the sag


def test_a_pulled_rope_pulls_back():
    # a ball at 2 m/s drags a rope of 0.1 kg behind it; together they go on with the momentum that the ball had
    rope = level_rope(11, 0.5, stretch=300.0, density=0.2, pins=[], damping=0.01)
    tether = Tether("ball", [10], stiffness=500.0, damping=0.5)
    scene = Scene(BALL, {"rope": MeshPart(rope, WEIGHTLESS, StepRule("implicit euler", H), (tether,), ())})
    state = scene.start(start(scene.world, position=(0.6, 0.0, 0.0), v=[0, 0, 0, 2.0, 0.0, 0.0]))
    before = momentum(scene, state, "rope")[0]
    after = scene.run(state, 1.5)[-1]
    assert np.allclose(momentum(scene, after, "rope")[0], before, atol=2e-3)
    # dampers bring the rope to the speed of the ball: m v/(m + M)
    assert after.meshes["rope"].velocity[:, 0].mean() == pytest.approx(2.0 / 1.1, rel=0.02)
    held = after.meshes["rope"].position[10] - after.figure.q[0, 4:]
    assert np.linalg.norm(held - [-0.1, 0.0, 0.0]) < 0.02


def test_a_tethered_ball_hangs_on_its_rope():
    # at rest the rope's top carries the ball and the rope; the tether to the ball stretches by m g/k
    world = replace(BALL, gravity=9.81)
    rope = level_rope(6, 0.5, stretch=2000.0, density=0.2, pins=[0], damping=0.05)
    tether = Tether("ball", [5], at=[[0.0, 0.0, 0.0]], stiffness=800.0, damping=10.0)
    part = MeshPart(rope, Surroundings(), StepRule("implicit euler", H), (tether,), ())
    scene = Scene(world, {"rope": part})
    x = rope.points[:, [1, 2, 0]] * [1.0, 1.0, -1.0]
    state = scene.start(start(scene.world, position=(0.0, 0.0, -0.515)), {"rope": (x, np.zeros_like(x))})
    after = scene.run(state, 2.0, every=240)[-1]
    end, stretch = after.meshes["rope"].position[5, 2], after.meshes["rope"].position[5, 2] - after.figure.q[0, 6]
    assert stretch == pytest.approx(9.81 / 800.0, rel=0.02)
    segment = -after.meshes["rope"].position[1, 2]
    assert segment / 0.1 - 1.0 == pytest.approx((9.81 + 0.09 * 9.81) / 2000.0, rel=0.02)
    assert end < -0.5


def test_a_world_without_wrenches_is_unchanged_and_a_wrench_accelerates_its_link():
    plain = start(BALL, v=[0.1, 0.2, 0.3, 1.0, 0.0, 0.0])
    world = replace(BALL, external=External(wrenches=("ball",)))
    pushed, still = start(world, v=plain.v[0]), start(world, v=plain.v[0])
    Engine(BALL).advance(plain, 20)
    engine = Engine(world)
    engine.advance(still, 20)
    assert np.array_equal(plain.rows, still.rows)
    engine.advance(pushed, 20, engine.numbers(wrenches={"ball": [0.0, 0.0, 0.0, 0.0, 3.0, 0.0]}))
    t = 20 * H
    moved = pushed.q[0, 4:] - plain.q[0, 4:]
    assert np.allclose(moved, [0.0, 0.5 * 3.0 * t * t, 0.0], atol=1e-12)
    assert pushed.step_state.ledger.outside[0] == pytest.approx(3.0 * moved[1], rel=1e-9)


@pytest.mark.parametrize("contact", ["penalty", "stepping", "impulse", "constraint"])
def test_a_wrench_acts_under_every_contact_method(contact):
    world = World(
        ball(0.1),
        surface=SurfaceProperties(touch()),
        ground=Plane(-5.0),
        gravity=0.0,
        contact=contact,
        external=External(wrenches=("ball",)),
        timing=Timing(0.01, 1e-3, "rk4"),
    )
    state, engine = start(world), Engine(world)
    engine.advance(state, 10, engine.numbers(wrenches={"ball": [0.0, 0.0, 0.004, 2.0, 0.0, 0.0]}))
    assert np.linalg.norm(state.v[0, 3:]) == pytest.approx(0.2, rel=1e-6)
    assert state.v[0, 2] == pytest.approx(0.1 * 0.004 / (0.4 * 0.01), rel=1e-6)
    assert state.step_state.ledger.outside[0] == pytest.approx(0.5 * 0.2**2 + 0.5 * 0.004 * 0.1**2, rel=2e-2)


def test_a_scene_continues_from_a_file_with_the_same_bits(tmp_path):
    def scene():
        return Scene(BALL, {"net": MeshPart(free_net(tears_at=1.5), WEIGHTLESS, StepRule("implicit euler", H))})

    first = scene()
    middle = first.run(first.start(start(first.world, position=(0, 0, 0.12), v=[0, 0, 0, 0, 0, -1.0])), 0.05)[-1]
    middle.save(tmp_path / "scene.npz")
    second = scene()
    second.start()
    a, b = first.run(middle, 0.05)[-1], second.run(load_scene_state(tmp_path / "scene.npz", second), 0.05)[-1]
    assert np.array_equal(a.figure.rows, b.figure.rows)
    assert np.array_equal(a.meshes["net"].position, b.meshes["net"].position)
    assert np.array_equal(a.exchange, b.exchange)


def test_bad_scenes_are_refused():
    net = free_net()
    with pytest.raises(WorldError, match="does not divide the control step"):
        Scene(BALL, {"net": MeshPart(net, rule=StepRule("implicit euler", H / 1.5))})
    with pytest.raises(WorldError, match='did you mean "ball"'):
        Scene(BALL, {"net": MeshPart(net, rule=StepRule("implicit euler", H), touches=("bal",))}).start()
    with pytest.raises(WorldError, match='holds to link "bell"'):
        Scene(BALL, {"net": MeshPart(net, rule=StepRule("implicit euler", H), tethers=(Tether("bell", [0]),))}).start()
    with pytest.raises(WorldError, match="start the scene first"):
        _ = Scene(BALL, {}).engine
    with pytest.raises(GambolError, match="bell"):
        replace(BALL, external=External(wrenches=("bell",)))
