"""Points against triangles and edges against edges of meshes: places, pairs, and what does not pass through what."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import stepper
from scipy.optimize import lsq_linear

from gambol.collide import Plane
from gambol.matter.elements.surface_pair import nearest_places, point_and_triangle, two_edges, two_ropes
from gambol.matter.forces import SelfTouch, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, SpringMesh, Springs, cloth, rope
from gambol.matter.mesh.topology import edges_of
from gambol.matter.motion import ImplicitOptions
from gambol.matter.touch.boxes import Boxes
from gambol.spatial import Vector

G = 9.81


def vectors(points):
    return tuple(Vector(*map(float, p)) for p in points)


def together(*meshes):
    """Return several meshes as one."""
    offsets = np.cumsum([0, *(len(m.points) for m in meshes)])
    return SpringMesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.masses for m in meshes]),
        Springs.joined(*(replace(m.springs, ends=m.springs.ends + k) for m, k in zip(meshes, offsets, strict=False))),
        triangles=np.concatenate([m.triangles + k for m, k in zip(meshes, offsets, strict=False)]),
        pins=np.concatenate([m.pins + k for m, k in zip(meshes, offsets, strict=False)]),
    )


def test_the_nearest_places_of_two_edges_are_those_of_a_bounded_least_squares_solver():
    rng = np.random.default_rng(0)
    kinds = [0, 0]
    for _ in range(200):
        a0, a1, b0, b1 = rng.standard_normal((4, 3))
        s, t, within = nearest_places(vectors([a0, a1]), vectors([b0, b1]))
        matrix = np.stack([a1 - a0, -(b1 - b0)], axis=1)
        solved = lsq_linear(matrix, b0 - a0, bounds=(0.0, 1.0), tol=1e-14)
        ours = np.linalg.norm(a0 + s * (a1 - a0) - b0 - t * (b1 - b0))
        assert ours == pytest.approx(np.sqrt(2.0 * solved.cost), abs=1e-7)
        kinds[bool(within)] += 1
    assert min(kinds) > 30


@pytest.mark.parametrize("formula", [point_and_triangle, two_edges, two_ropes])
def test_the_rate_of_a_gap_is_the_speed_of_its_places_along_the_normal(formula):
    rng, tried = np.random.default_rng(1), 0
    for _ in range(200):
        x, v = rng.standard_normal((4, 3)), rng.standard_normal((4, 3))
        x[0] = x[1:].mean(axis=0) + 0.1 * rng.standard_normal(3) if formula is point_and_triangle else x[0]
        here = formula(0.0, *(vectors(x),) * 3)
        if here.gap > 100.0:
            continue
        e = 1e-6
        gaps = [formula(0.0, *(vectors(x + k * e * v),) * 3).gap for k in (-1.0, 1.0)]
        speed = sum(w * u for w, u in zip(here.weights, v, strict=True)) @ np.array(list(here.normal))
        assert (gaps[1] - gaps[0]) / (2.0 * e) == pytest.approx(speed, abs=1e-6)
        tried += 1
    assert tried > 30


def test_what_has_passed_through_has_a_negative_gap():
    triangle = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]
    above, below = ([[0.0, 0.0, z], *triangle] for z in (0.1, -0.2))
    assert point_and_triangle(0.01, *map(vectors, (below, below, above))).gap == pytest.approx(-0.21)
    assert point_and_triangle(0.01, *map(vectors, (below, below, below))).gap == pytest.approx(0.19)
    level = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]
    above, below = ([[-1.0, 0.0, z], [1.0, 0.0, z], *level] for z in (0.1, -0.2))
    assert two_edges(0.01, *map(vectors, (below, below, above))).gap == pytest.approx(-0.21)
    assert two_edges(0.01, *map(vectors, (below, below, below))).gap == pytest.approx(0.19)


def test_the_grid_finds_the_pairs_of_all_comparisons():
    rng = np.random.default_rng(2)
    for scale in (0.1, 1.5):
        low = [rng.uniform(-1.0, 1.0, (n, 3)) for n in (70, 90)]
        sizes = [scale * rng.uniform(0.0, 1.0, (n, 3)) ** 2 for n in (70, 90)]
        a, b = (Boxes(x, x + s) for x, s in zip(low, sizes, strict=True))
        apart = (a.low[:, None] > b.high[None]) | (b.low[None] > a.high[:, None])
        expected = np.argwhere(~apart.any(axis=2))
        assert np.array_equal(a.overlapping(b), expected)
    assert len(expected) > 10


def two_cloths():
    """Return a cloth held at its rim with a smaller one above it, and the number of points of the first."""
    fabric = ClothMaterial(warp=100.0, weft=100.0, shear=20.0, bend=0.0)
    rim = [(i, j) for i in range(6) for j in range(6) if i in (0, 5) or j in (0, 5)]
    lower = cloth(6, 6, 0.05, fabric, pins=rim)
    upper = cloth(5, 5, 0.03, fabric, origin=(0.041, 0.037, 0.02))
    return together(lower, upper), len(lower.points)


@pytest.mark.parametrize(
    ("method", "h", "steps"),
    [
        ("implicit euler", 1 / 120, 30),
        ("position based", 1 / 120, 30),
        ("projective", 1 / 240, 60),
        ("velocity verlet", 1e-4, 700),
    ],
)
def test_a_cloth_rests_on_another_whose_threads_are_five_times_as_far_apart_as_it_is_thick(method, h, steps):
    both, n = two_cloths()
    touch = SelfTouch(0.01, 60.0, 0.02, 0.3, surfaces=True)
    s = stepper(both, method, h, surroundings=Surroundings(self_touch=touch))
    state = s.advance(s.start(), steps)
    assert state.position[n:, 2].min() > state.position[:n, 2].min()
    assert np.abs(state.velocity).max() < 2.0


def test_without_contact_it_falls_through():
    both, n = two_cloths()
    s = stepper(both, "implicit euler", 1 / 120)
    state = s.advance(s.start(), 30)
    assert state.position[n:, 2].max() < state.position[:n, 2].min()


def test_a_fast_cloth_does_not_pass_within_a_step():
    fabric = ClothMaterial(bend=0.0)
    lower = cloth(4, 4, 0.05, fabric, pins=[(i, j) for i in range(4) for j in range(4)])
    upper = cloth(3, 3, 0.03, fabric, origin=(0.041, 0.037, 0.05))
    both, n = together(lower, upper), len(lower.points)
    touch = SelfTouch(0.004, 1000.0, 0.5, 0.3, surfaces=True)
    s = stepper(both, "implicit euler", 1.0 / 120.0, surroundings=Surroundings(self_touch=touch))
    v = np.zeros_like(both.points)
    v[n:, 2] = -8.0  # 67 mm in a step, 17 times the thickness
    state = s.start(velocities=v)
    for _ in range(30):
        state = s.advance(state)
        assert state.position[n:, 2].min() > -0.004


def crossed_ropes(touch, method, h, seconds):
    """Return two ropes of which one falls across the other, which hangs between its ends, after a time."""
    hung = rope([(x, 0.0, 0.0) for x in np.linspace(-0.5, 0.5, 11)], density=0.1, stretch=200.0, pins=[0, -1])
    falls = rope([(0.05, y, 0.1) for y in np.linspace(-0.3, 0.3, 8)], density=0.1, stretch=200.0)
    both = together(hung, falls)
    options = ImplicitOptions(1, 1e-10) if method == "implicit euler" else None
    s = stepper(both, method, h, options, surroundings=Surroundings(self_touch=touch))
    return s, s.advance(s.start(), round(seconds / h)), len(hung.points)


@pytest.mark.parametrize(
    ("method", "h"), [("implicit euler", 1 / 240), ("rk4", 5e-4), ("position based", 1 / 240), ("projective", 1 / 480)]
)
def test_a_rope_hangs_over_another_at_a_place_between_their_points(method, h):
    for own in (SelfTouch(0.01, 3000.0, 0.3, 0.6, surfaces=True), None):
        _, state, n = crossed_ropes(own, method, h, 0.5)
        middle = state.position[n : n + 8][3:5, 2].mean()
        assert bool(middle > state.position[:n, 2].min() - 0.05) is (own is not None)


def test_momentum_and_energy_of_ropes_that_strike_each_other():
    first = rope([(x, 0.0, 0.0) for x in np.linspace(-0.5, 0.5, 11)], density=0.1, stretch=200.0)
    second = rope([(0.05, y, 0.1) for y in np.linspace(-0.3, 0.3, 8)], density=0.1, stretch=200.0)
    both, n = together(first, second), len(first.points)
    touch = SelfTouch(0.01, 3000.0, 0.02, 0.4, surfaces=True)
    s = stepper(both, "rk4", 2e-4, surroundings=Surroundings(gravity=(0.0, 0.0, 0.0), self_touch=touch))
    v = np.zeros_like(both.points)
    v[n:] = [0.3, 0.0, -2.0]
    begin, m = s.start(velocities=v), both.masses[:, None]
    state = s.advance(begin, 1000)
    assert np.allclose((m * state.velocity).sum(axis=0), (m * v).sum(axis=0), atol=1e-12)
    spin = [np.cross(x, m * u).sum(axis=0) for x, u in ((both.points, v), (state.position, state.velocity))]
    assert np.allclose(*spin, atol=1e-2 * np.linalg.norm(spin[0]))  # places are a thickness apart where friction acts
    kinetic = 0.5 * (m * v * v).sum()
    assert -state.ledger.friction > 1e-4 * kinetic
    assert s.energy(state) - s.energy(begin) == pytest.approx(state.ledger.total, abs=0.01 * kinetic)
    assert state.velocity[:n, 2].mean() < -0.2, "the second rope pushed the first"


@pytest.mark.parametrize(("friction", "slides"), [(0.7, False), (0.2, True)])
def test_a_cloth_slides_on_an_inclined_cloth_by_coulombs_law(friction, slides):
    angle = 0.4
    fabric = ClothMaterial(density=0.3, warp=300.0, weft=300.0, shear=60.0, bend=0.0)
    down = (np.cos(angle), 0.0, -np.sin(angle))
    lower = cloth(4, 20, 0.05, fabric, axes=((0, 1, 0), down), pins=[(i, j) for i in range(4) for j in range(20)])
    lift = 0.0101 * np.array([np.sin(angle), 0.0, np.cos(angle)])
    upper = cloth(3, 3, 0.03, fabric, origin=lift + 0.1 * np.array(down) + [0, 0.03, 0], axes=((0, 1, 0), down))
    n, both = len(lower.points), together(lower, upper)
    touch = SelfTouch(0.01, 60.0, 0.05, friction, surfaces=True)
    s = stepper(both, "implicit euler", 1 / 240, surroundings=Surroundings(self_touch=touch))
    state = s.advance(s.start(), 96)
    way = float((state.position - both.points)[n:].mean(axis=0) @ down)
    expected = max(0.0, 0.5 * G * 0.16 * (np.sin(angle) - friction * np.cos(angle)))
    assert (way > 0.05) is slides
    assert way == pytest.approx(expected, abs=0.1 * 0.5 * G * 0.16 * np.sin(angle))


@pytest.mark.parametrize("method", ["implicit euler", "position based", "rk4"])
def test_bits_do_not_depend_on_lanes_and_threads(method):
    h, found = 4e-5 if method == "rk4" else 1 / 120, []
    fabric = ClothMaterial(bend=0.0)
    both = together(cloth(4, 4, 0.05, fabric), cloth(3, 3, 0.03, fabric, origin=(0.041, 0.037, 0.0102)))
    touch = SelfTouch(0.01, 60.0, 0.02, 0.3, surfaces=True)
    v = np.zeros_like(both.points)
    v[16:, 2] = -1.0
    for lanes, threads in ((1, 1), (4, 3), (None, 2)):
        around = Surroundings(self_touch=touch)
        s = stepper(both, method, h, surroundings=around, lanes=lanes, threads=threads)
        found.append(s.advance(s.start(velocities=v), 12))
    assert np.abs(found[0].velocity[:16]).max() > 0.01, "they touch"
    for other in found[1:]:
        assert np.array_equal(found[0].position, other.position)
        assert found[0].ledger == other.ledger


def test_neighbours_at_rest_and_torn_triangles_do_not_touch():
    mesh = cloth(5, 5, 0.05, ClothMaterial(bend=0.0))
    touch = SelfTouch(0.06, 60.0, 0.02, 0.3, surfaces=True)  # thicker than its threads are far apart
    s = stepper(mesh, "implicit euler", 1 / 120, surroundings=Surroundings((0.0, 0.0, 0.0), self_touch=touch))
    assert np.abs(s.advance(s.start(), 5).velocity).max() < 1e-9
    finder = s.field.surfaces
    whole, intact = np.ones(len(mesh.triangles), bool), np.ones(len(mesh.springs), bool)
    folded = mesh.points.copy()
    folded[15:, 0] = folded[15:, 0] - 0.1
    folded[15:, 2] = 0.01
    count = {name: len(rows) for name, rows in finder.pairs([folded], (whole, intact)).items()}
    none = {name: len(rows) for name, rows in finder.pairs([folded], (~whole, ~intact)).items()}
    assert min(count["point and triangle"], count["two edges"]) > 0
    assert max(none.values()) == 0


def piercings(x, triangles, edges):
    """Return how many edges pierce triangles with which they share no point, by the signs of volumes."""
    found = Boxes.around([x], edges, 1e-9).overlapping(Boxes.around([x], triangles, 1e-9))
    apart = ~(edges[found[:, 0]][:, :, None] == triangles[found[:, 1]][:, None, :]).any(axis=(1, 2))
    a, b = (x[edges[found[apart, 0], k]] for k in range(2))
    p, q, r = (x[triangles[found[apart, 1], k]] for k in range(3))

    def volume(*corners):
        return np.linalg.det(np.stack([corner - a for corner in corners], axis=1))

    beside = [volume(b, p, q), volume(b, q, r), volume(b, r, p)]
    through = np.all(np.greater(beside, 0.0), axis=0) | np.all(np.less(beside, 0.0), axis=0)
    crosses = volume(p, q, r) * np.linalg.det(np.stack([p - b, q - b, r - b], axis=1)) < 0.0
    return int((through & crosses).sum())


@pytest.mark.parametrize("touching", [True, False])
def test_a_cloth_that_falls_in_a_heap_pierces_itself_only_without_contact(touching):
    fabric = ClothMaterial(density=0.2, warp=100.0, weft=100.0, shear=20.0, bend=0.2)
    mesh = cloth(13, 13, 0.02, fabric, origin=(0.0, 0.0, 0.26), axes=((0.0, 0.05, -1.0), (1.0, 0.0, 0.0)))
    own = SelfTouch(0.003, 100.0, 0.03, 0.3, surfaces=True) if touching else None
    around = Surroundings(ground=Plane(), touch=Touch(100.0, 0.02, 0.4, 0.003), self_touch=own)
    s = stepper(mesh, "implicit euler", 1 / 240, surroundings=around)
    state, count = s.start(), 0
    for _ in range(4):
        state = s.advance(state, 24)
        count += piercings(state.position, mesh.triangles, edges_of(mesh.triangles))
    assert state.position[:, 2].max() < 0.1, "it is a heap"
    assert (count == 0) is touching
