"""Meshes of a scene that touch each other: momentum, a rope on a net, files, and errors."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import octahedron, stepper
from worlds import ball

from gambol.collide import NoGround
from gambol.errors import WorldError
from gambol.matter.forces import SelfTouch, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, Gas, SurfaceMaterial, cloth, joined, rope, surface_mesh
from gambol.matter.motion import ImplicitOptions, StepRule
from gambol.matter.scene import MeshPart, Scene, Tether, load_scene_state, scene_film
from gambol.world import Timing, World

H = 1.0 / 240.0
LAW = Touch(300.0, 0.1, 0.4, 0.01)
WORLD = World(ball(0.1), ground=NoGround(), timing=Timing(H, H, "velocity verlet"))
FABRIC = ClothMaterial(0.3, 200.0, 200.0, 50.0, 0.0)


def net(**options):
    rim = [(i, j) for i in range(7) for j in range(7) if i in (0, 6) or j in (0, 6)]
    return cloth(7, 7, 0.1, FABRIC, origin=(-0.3, -0.3, 0.0), **{"pins": rim} | options)


def line(z):
    x = np.linspace(-0.22, 0.21, 9)
    return rope(np.stack([x, 0.3 * x + 0.031, np.full(9, z)], axis=1), density=0.1, stretch=200.0)


def scene_of(parts, gravity=9.81, tolerance=1e-3):
    around = Surroundings((0.0, 0.0, -gravity), touch=LAW)
    rule = StepRule("implicit euler", H, ImplicitOptions(tolerance=tolerance))
    meshes = {n: MeshPart(m, around, rule, touches=(), touches_meshes=others) for n, (m, others) in parts.items()}
    return Scene(WORLD, meshes)


@pytest.mark.parametrize("touching", [True, False])
def test_a_rope_that_falls_on_a_net_rests_on_it_only_if_they_touch(touching):
    scene = scene_of({"net": (net(), ()), "line": (line(0.05), ("net",) if touching else ())})
    assert list(scene.groups) == (["net and line"] if touching else ["net", "line"])
    state = scene.run(scene.start(), 0.4, every=96)[-1]
    rests = state.meshes["line"].position[:, 2].min() > state.meshes["net"].position[:, 2].min() - 0.01
    assert bool(rests) is touching
    film = scene_film(scene, [state])
    assert [mesh.name for mesh in film.matter] == ["net", "line"]
    assert np.allclose(film.matter[1].points[0], state.meshes["line"].position, atol=1e-6)


def test_what_one_mesh_loses_the_other_gains_and_a_file_continues_with_the_same_bits(tmp_path):
    scene = scene_of({"net": (net(pins=[]), ()), "line": (line(0.05), ("net",))}, gravity=0.0, tolerance=1e-10)
    begin = scene.start(meshes={"line": (scene.parts["line"].mesh.points, np.tile([0.2, 0.0, -2.0], (9, 1)))})
    m = {name: part.mesh.masses[:, None] for name, part in scene.parts.items()}
    before = m["line"].sum() * np.array([0.2, 0.0, -2.0])
    middle = scene.run(begin, 15 * H, every=15)[-1]
    middle.save(tmp_path / "state.npz")
    state = scene.run(middle, 15 * H, every=15)[-1]
    momenta = {name: (m[name] * state.meshes[name].velocity).sum(axis=0) for name in m}
    assert np.allclose(momenta["net"] + momenta["line"], before, atol=1e-9)
    assert momenta["net"][2] < 0.3 * before[2]
    again = scene.run(load_scene_state(tmp_path / "state.npz", scene), 15 * H, every=15)[-1]
    for name in m:
        assert np.array_equal(again.meshes[name].position, state.meshes[name].position)
    assert again.meshes["net"].ledger == state.meshes["net"].ledger


def test_tethers_hold_the_points_of_their_own_mesh():
    around = Surroundings((0.0, 0.0, 0.0), touch=LAW)
    rule = StepRule("implicit euler", H)
    hold = Tether("ball", [8], stiffness=300.0)
    parts = {
        "net": MeshPart(net(pins=[]), around, rule, touches=()),
        "line": MeshPart(line(0.3), around, rule, (hold,), touches=(), touches_meshes=("net",)),
    }
    scene = Scene(WORLD, parts)
    scene.start()
    (stepper,) = scene.steppers.values()
    assert stepper.field.tethers.points.tolist() == [49 + 8]


def test_wrong_groups_are_refused():
    rule = StepRule("implicit euler", H)
    both = {"net": MeshPart(net(), rule=rule), "line": MeshPart(line(0.1), rule=rule, touches_meshes=("nett",))}
    with pytest.raises(WorldError, match=r'cannot touch the mesh "nett".*"net"'):
        Scene(WORLD, both)
    other = StepRule("newton", H)
    both["line"] = MeshPart(line(0.1), rule=other, touches_meshes=("net",))
    with pytest.raises(WorldError, match='move together, but differ in "rule"'):
        Scene(WORLD, both)
    thin = Surroundings(touch=Touch(100.0, 0.0, 0.0, 0.0))
    both = {k: MeshPart(m, thin, rule, touches_meshes=("net",)) for k, m in (("net", net()), ("line", line(0.1)))}
    with pytest.raises(WorldError, match="need a thickness"):
        Scene(WORLD, both)
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    full = surface_mesh(corners, faces, gas=Gas(10.0, 100.0))
    with pytest.raises(WorldError, match="contain gas; only one"):
        joined([full, replace(full, points=corners + 5.0)])
    with pytest.raises(WorldError, match="no meshes"):
        joined([])


def test_their_own_law_of_contact_is_taken():
    around = Surroundings(self_touch=SelfTouch(0.02, 50.0, 0.0, 0.1), touch=LAW)
    rule = StepRule("implicit euler", H)
    parts = {"net": MeshPart(net(), around, rule), "line": MeshPart(line(0.1), around, rule, touches_meshes=("net",))}
    (group,) = Scene(WORLD, parts).groups.values()
    assert group.whole.surroundings.self_touch == SelfTouch(0.02, 50.0, 0.0, 0.1, surfaces=True)


def balloon(height):
    points, faces = octahedron(0.08, 2)
    material = SurfaceMaterial(density=0.3, stretch=60.0, damping=2e-3)
    return surface_mesh(
        points + np.array([0.013, 0.021, height]), faces, material, gas=Gas(30.0, 3000.0), name="balloon"
    )


def test_gas_acts_on_its_own_surface_only():
    """Far apart, each of two joined meshes moves as it does alone, to the last bit."""
    parts = net(pins=[]), balloon(2.0)
    both = joined(parts)
    squeezed = [m.points * [1.0, 1.0, 0.97] for m in parts]
    s = stepper(both, "verlet", 5e-4)
    state, first = s.advance(s.start(np.concatenate(squeezed)), 40), 0
    for mesh, x in zip(parts, squeezed, strict=True):
        alone = stepper(mesh, "verlet", 5e-4)
        rows = slice(first, first + len(mesh.points))
        assert np.array_equal(state.position[rows], alone.advance(alone.start(x), 40).position)
        first = rows.stop


def test_a_balloon_rests_on_a_net_and_keeps_its_gas():
    mesh = balloon(0.1)
    scene = scene_of({"net": (net(), ()), "balloon": (mesh, ("net",))})
    state = scene.run(scene.start(), 0.6, every=144)[-1]
    x, lowest = state.meshes["balloon"].position, state.meshes["net"].position[:, 2].min()
    assert x[:, 2].min() > lowest
    assert x[:, 2].max() - x[:, 2].min() > 0.12
    assert mesh.volume(x) == pytest.approx(mesh.volume(mesh.points), rel=0.05)
