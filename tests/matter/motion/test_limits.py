"""The limit of stretch, tearing, momentum, contacts, and equal bits."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import WEIGHTLESS, flag, level_rope, octahedron, pair, stepper

from gambol.collide import HeightGrid, Plane
from gambol.errors import WorldError
from gambol.matter.forces import Air, SelfTouch, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, SpringMesh, SurfaceMaterial, cloth, surface_mesh
from gambol.matter.motion import ImplicitOptions, MeshState, StretchRule, load_state

G = 9.81
SHORT = 1e-9  # s: a step in which nothing moves by itself


def limited(mesh, x):
    s = stepper(mesh, "semi-implicit euler", SHORT, surroundings=WEIGHTLESS, stretch=StretchRule())
    return s.advance(s.start(x)).position


def test_provots_rule_moves_both_free_ends_by_a_tenth_or_one_end_by_two():
    stretched = [[0.0, 0, 0], [1.3, 0, 0]]
    assert np.allclose(limited(pair(), stretched)[:, 0], [0.1, 1.2], atol=1e-9)
    pinned = replace(pair(), pins=np.array([0]))
    assert np.allclose(limited(pinned, stretched)[:, 0], [0.0, 1.1], atol=1e-9)
    assert np.allclose(limited(pair(), [[0.0, 0, 0], [1.05, 0, 0]])[:, 0], [0.0, 1.05], atol=1e-9)
    heavy = limited(pair(masses=(3.0, 1.0)), stretched)[:, 0]
    assert np.allclose(heavy, [0.05, 1.15], atol=1e-9)  # by inverse masses, so that their centre stays


def test_a_soft_curtain_stretches_by_a_tenth_at_most():
    mesh = flag(7, 7, warp=5.0, weft=5.0, shear=1.0, bend=0.0)
    stretches = []
    for rule in (None, StretchRule(sweeps=400)):
        s = stepper(mesh, "implicit euler", 0.01, stretch=rule)
        x = s.advance(s.start(), 60).position
        a, b = mesh.springs.ends.T
        stretches.append((np.linalg.norm(x[a] - x[b], axis=1) / mesh.springs.rest).max())
    assert stretches[0] > 1.2
    assert stretches[1] <= 1.1 * (1.0 + 1e-3)


def test_springs_tear_at_their_threshold_and_triangles_with_them():
    mesh = flag(4, 4, tears_at=1.2)
    s = stepper(mesh, "semi-implicit euler", 1e-5, surroundings=WEIGHTLESS)
    x = mesh.points.copy()
    x[15] += [0.1, 0.0, 0.0]  # the corner, whose thread along x is then 1.3 times as long
    start = s.start(x)
    state = s.advance(start)
    lengths = np.linalg.norm(x[mesh.springs.ends[:, 0]] - x[mesh.springs.ends[:, 1]], axis=1)
    beyond = lengths > 1.2 * mesh.springs.rest
    assert 0 < beyond.sum() < 4
    assert (state.intact == ~beyond).all()
    energy = (0.5 * mesh.springs.stiffness * (lengths - mesh.springs.rest) ** 2)[beyond].sum()
    assert state.ledger.torn == pytest.approx(-energy, rel=1e-2)
    assert s.energy(state) - s.energy(start) == pytest.approx(state.ledger.total, abs=1e-3 * energy)


@pytest.mark.parametrize(
    "method", ["rk4", "velocity verlet", "implicit euler", "newton", "position based", "projective"]
)
def test_a_free_mesh_conserves_momentum(method):
    material = SurfaceMaterial(stretch=40.0, hinge=0.0 if method == "projective" else 0.01)
    mesh = surface_mesh(*octahedron(0.3, 1), material)
    rng = np.random.default_rng(3)
    v = 0.5 * rng.standard_normal(mesh.points.shape)
    options = ImplicitOptions(30, 1e-12, 1e-9) if method == "newton" else None
    options = ImplicitOptions(1, 1e-13) if method == "implicit euler" else options
    s = stepper(mesh, method, 1e-3, options, surroundings=WEIGHTLESS)
    state = s.advance(s.start(velocities=v), 50)
    m = mesh.masses[:, None]
    scale = np.abs(m * v).sum()
    assert np.allclose((m * state.velocity).sum(axis=0), (m * v).sum(axis=0), atol=1e-10 * scale)
    if method in ("rk4", "velocity verlet"):  # others keep it to the order of their step
        spin = [np.cross(x, m * u).sum(axis=0) for x, u in ((mesh.points, v), (state.position, state.velocity))]
        assert np.allclose(*spin, atol=(1e-6 if method == "rk4" else 1e-10) * scale)


@pytest.mark.parametrize("method", ["implicit euler", "velocity verlet", "position based", "projective"])
@pytest.mark.parametrize(("friction", "slides"), [(0.6, False), (0.3, True)])
def test_a_cloth_on_a_slope_slides_if_its_friction_is_below_the_slope(method, friction, slides):
    slope = 0.45
    ramp = np.linspace(2.0, -2.0, 41)[:, None] * slope * np.ones((1, 41))
    ground = HeightGrid(ramp, 0.1, -2.0, -2.0)
    mesh = cloth(5, 5, 0.1, ClothMaterial(density=0.5, warp=200.0, weft=200.0, shear=50.0, bend=0.0))
    around = Surroundings(ground=ground, touch=Touch(200.0, 0.5, friction, 0.0))
    h = 1 / 1200 if method == "velocity verlet" else 1 / 120
    s = stepper(mesh, method, h, surroundings=around)
    x = mesh.points.copy()
    x[:, 0], x[:, 2] = x[:, 0] * np.cos(np.arctan(slope)), -x[:, 0] * np.sin(np.arctan(slope))
    state = s.advance(s.start(x), round(0.5 / h))
    angle = np.arctan(slope)
    expected = max(0.0, 0.5 * G * 0.25 * (np.sin(angle) - friction * np.cos(angle)))
    moved = (state.position - x).mean(axis=0) @ [np.cos(angle), 0.0, -np.sin(angle)]
    assert bool(moved > 0.05) is slides
    assert moved == pytest.approx(expected, abs=0.1 * 0.5 * G * 0.25 * np.sin(angle))


def test_two_layers_do_not_pass_through_each_other():
    lower = cloth(6, 6, 0.05, ClothMaterial(bend=0.0), pins=[(i, j) for i in range(6) for j in range(6)])
    upper = cloth(6, 6, 0.05, ClothMaterial(bend=0.0), origin=(0.012, 0.007, 0.1))
    n = len(lower.points)
    both = SpringMesh(
        np.concatenate([lower.points, upper.points]),
        np.concatenate([lower.masses, upper.masses]),
        type(lower.springs).joined(lower.springs, replace(upper.springs, ends=upper.springs.ends + n)),
        triangles=np.concatenate([lower.triangles, upper.triangles + n]),
        pins=lower.pins,
    )
    lowest = {}
    for touch in (None, SelfTouch(0.04, 200.0, 0.05, 0.2)):
        s = stepper(both, "implicit euler", 1 / 240, surroundings=Surroundings(self_touch=touch))
        lowest[touch is None] = s.advance(s.start(), 96).position[n:, 2].min()
    assert lowest[True] < -0.3
    assert lowest[False] > 0.0


@pytest.mark.parametrize("method", ["rk4", "verlet", "implicit euler", "newton", "position based"])
def test_bits_do_not_depend_on_lanes_and_threads(method):
    mesh = flag(6, 7, hinge=1e-3, tears_at=1.6)
    around = Surroundings(air=Air((4.0, 1.0, 0.0)), ground=Plane(-0.2), self_touch=SelfTouch(0.05, 50.0, 0.0, 0.0))
    h = 5e-4 if method in ("rk4", "verlet") else 1 / 120
    found = []
    for lanes, threads in ((1, 1), (4, 3), (None, 2)):
        options = ImplicitOptions(4, 1e-3, 0.5) if method == "newton" else None
        s = stepper(mesh, method, h, options, surroundings=around, lanes=lanes, threads=threads)
        found.append(s.advance(s.start(), 12))
    for other in found[1:]:
        assert np.array_equal(found[0].position, other.position)
        assert np.array_equal(found[0].velocity, other.velocity)
        assert found[0].ledger == other.ledger


@pytest.mark.parametrize("method", ["leapfrog", "verlet", "implicit euler", "position based"])
def test_a_stored_state_continues_with_the_same_bits(tmp_path, method):
    mesh = flag(5, 5, tears_at=1.5)
    h = 5e-4 if method in ("leapfrog", "verlet") else 1 / 120
    s = stepper(mesh, method, h, surroundings=Surroundings(air=Air()))
    middle = s.advance(s.start(), 7)
    middle.save(tmp_path / "state.npz")
    read = load_state(tmp_path / "state.npz", mesh)
    first, second = s.advance(middle, 9), s.advance(read, 9)
    assert np.array_equal(first.position, second.position)
    assert np.array_equal(first.velocity, second.velocity)
    assert first.ledger == second.ledger
    assert first.time == second.time


def test_files_of_before_twisted_rods_and_numerical_losses_are_read(tmp_path):
    """They have no array "twist", and ledgers of seven entries."""
    start = stepper(flag(5, 5), "verlet", 5e-4).start()
    arrays = {name: array for name, array in start.arrays().items() if name != "twist"}
    np.savez(tmp_path / "old.npz", **{**arrays, "ledger": arrays["ledger"][:7]})
    read = load_state(tmp_path / "old.npz", flag(5, 5))
    np.testing.assert_array_equal(read.position, start.position)
    assert read.ledger.numerical == 0.0
    assert read.twist.shape == (0,)


def test_a_file_of_another_mesh_is_refused(tmp_path):
    s = stepper(flag(5, 5), "implicit euler", 0.01)
    s.start().save(tmp_path / "state.npz")
    with pytest.raises(WorldError, match="which has 2 and 1"):
        load_state(tmp_path / "state.npz", pair())
    (tmp_path / "bad.npz").write_bytes(b"nonsense")
    with pytest.raises(WorldError, match="not a state of a mesh"):
        load_state(tmp_path / "bad.npz", pair())
    assert isinstance(load_state(tmp_path / "state.npz", flag(5, 5)), MeshState)


def test_a_rope_under_its_weight_stretches_by_hookes_law():
    n, L, EA, density = 41, 2.0, 50.0, 0.3
    mesh = level_rope(n, L, stretch=EA, density=density, pins=[0], damping=0.05)
    s = stepper(mesh, "implicit euler", 0.1, ImplicitOptions(1, 1e-8))
    x = mesh.points[:, [1, 2, 0]] * [1.0, 1.0, -1.0]
    state = s.advance(s.start(x), 400)
    assert -state.position[-1, 2] - L == pytest.approx(density * G * L * L / (2.0 * EA), rel=1e-3)
