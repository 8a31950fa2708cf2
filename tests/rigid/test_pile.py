"""Piles: energy and momentum balance, no penetration, the same bits for any lanes, and invalid inputs."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from gambol.collide import HeightGrid
from gambol.collide.pairs import gaps
from gambol.errors import WorldError
from gambol.figure.shapes import Box, Capsule, Pipe, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, SurfaceMaterial, initial_state
from gambol.spatial import Quaternion, Transform, Vector

RADIUS = 0.1


def cube(count: int, e: float, height: float, mu: float = 0.0) -> tuple[Pile, PileState]:
    """Balls in a cube, a little out of line, above the ground."""
    rng = np.random.default_rng(42)
    grid = np.stack(np.meshgrid(*[np.arange(count)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    places = 0.21 * grid + [0.0, 0.0, height] + rng.uniform(0.0, 1e-3, grid.shape)
    pile = Pile([Body(Sphere(RADIUS), 10.0)] * len(grid), surface=SurfaceMaterial(mu, e))
    return pile, initial_state(pile, places)


def depths(state: PileState) -> np.ndarray:
    """Return the depth of balls in each other and in the ground [m]."""
    x = state.position[:, 1:].T
    apart = np.linalg.norm(x[:, None] - x, axis=-1)[np.triu_indices(len(x), 1)]
    return np.maximum(np.concatenate([2.0 * RADIUS - apart, RADIUS - x[:, 2]]), 0.0)


def least_gap(pile: Pile, state: PileState) -> float:
    """Return the smallest gap between any two bodies, or to the plane z = 0, without the pile's own search [m]."""
    poses = [
        Transform(Quaternion(*q).rotation(), Vector(*x))
        for q, x in zip(state.orientation.T[1:].tolist(), state.position.T[1:].tolist(), strict=True)
    ]
    shapes = [body.shape for body in pile.bodies]
    found = [
        gap.size
        for (one, pose), (other, other_pose) in combinations(zip(shapes, poses, strict=True), 2)
        for gap in gaps(one, pose, other, other_pose)
    ]
    corners = [
        (pose @ Vector(*p.position)).z - p.radius
        for s, pose in zip(shapes, poses, strict=True)
        for p in s.contact_points()
    ]
    return min(*found, *corners)


def test_elastic_balls_conserve_energy_through_hundreds_of_hits():
    pile, state = cube(4, 1.0, 0.3)
    mover = PileStepper(pile)
    whole = mover.energy(state)
    for _ in range(30):
        state = mover.advance(state, 20)
        assert abs(mover.energy(state) - whole) < 1e-12 * whole
        assert depths(state).max() < 1e-9


def test_dull_balls_fall_into_a_heap_without_entering_each_other():
    pile, state = cube(4, 0.0, 0.101)
    mover = PileStepper(pile)
    whole = last = mover.energy(state)
    for _ in range(25):
        state = mover.advance(state, 20)
        energy = mover.energy(state)
        assert energy <= last + 1e-9
        assert abs(energy - whole - state.ledger.total) < 1e-10 * whole
        assert depths(state).max() < 1e-9
        last = energy
    assert state.residual <= mover.tolerance


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_rough_balls_lose_energy_only(e):
    pile, state = cube(3, e, 0.2, mu=0.6)
    rng = np.random.default_rng(1)
    spin = np.zeros_like(state.velocity)
    spin[:3, 1:] = rng.normal(0.0, 20.0, (3, len(pile.bodies)))
    state = replace(state, velocity=spin)
    mover = PileStepper(pile)
    whole = last = mover.energy(state)
    for _ in range(20):
        state = mover.advance(state, 20)
        energy = mover.energy(state)
        assert energy <= last + 1e-9 * whole
        assert abs(energy - whole - state.ledger.total) < 1e-10 * whole
        last = energy


def test_momentum_stays_among_bodies_of_all_shapes_in_space():
    rng = np.random.default_rng(5)
    shapes = [Sphere(0.1), Capsule(0.06, 0.2), Sphere(0.15), Capsule(0.1, 0.1)] * 3
    pile = Pile(
        [Body(s, 0.5 + k) for k, s in enumerate(shapes)], None, SurfaceMaterial(0.5, 0.3), gravity=(0.0, 0.0, 0.0)
    )
    places = 0.4 * np.stack(np.meshgrid(range(3), range(2), range(2), indexing="ij"), axis=-1).reshape(-1, 3)
    orientations = rng.normal(size=(12, 4))
    orientations /= np.linalg.norm(orientations, axis=1)[:, None]
    inward = np.concatenate([rng.normal(0.0, 3.0, (12, 3)), 2.0 * (places.mean(axis=0) - places)], axis=1)
    state = initial_state(pile, places, orientations, inward)
    mover, masses = PileStepper(pile), pile.masses()[1:]

    def momentum(state: PileState) -> np.ndarray:
        return state.velocity[3:, 1:] @ masses

    before, energy = momentum(state), mover.energy(state)
    after = mover.advance(state, 300)
    assert np.allclose(momentum(after), before, atol=1e-11)
    assert mover.energy(after) < 0.98 * energy  # they collided
    assert abs(mover.energy(after) - energy - after.ledger.total) < 1e-10 * energy


def test_a_ball_rolls_to_the_bottom_of_a_valley_and_stays():
    x = np.linspace(-2.0, 2.0, 41)
    valley = HeightGrid(0.2 * np.abs(x)[:, None] * np.ones(41), 0.1, -2.0, -2.0)
    pile = Pile([Body(Sphere(RADIUS), 1.0)], valley, SurfaceMaterial(0.5))
    start = initial_state(pile, [[1.0, 0.0, 0.2 + RADIUS * np.sqrt(1.04)]])
    mover = PileStepper(pile)
    state = mover.advance(start, 500)
    slope = np.arctan(0.2)
    a = 5.0 / 7.0 * 9.81 * np.sin(slope)
    assert state.position[0, 1] == pytest.approx(1.0 - 0.5 * a * 0.25 * np.cos(slope), abs=1e-4)
    assert mover.energy(state) <= mover.energy(start) + 1e-9


def test_a_tower_of_boxes_stands():
    edge, count = 0.2, 10
    pile = Pile([Body(Box((edge, edge, edge)), 1.0)] * count)
    places = np.array([[0.0, 0.0, edge * (k + 0.5)] for k in range(count)])
    mover, start = PileStepper(pile), initial_state(pile, places)
    state = mover.advance(start, 300)
    assert np.abs(state.position[:, 1:].T - places).max() < 1e-8  # 1e-4 of its edge is asked for
    later = mover.advance(state, 100)
    assert np.abs(later.position - state.position).max() < 1e-7 * 0.1  # 1e-6 m/s is
    assert abs(mover.energy(later) - mover.energy(start)) < 1e-5


def test_boxes_tumble_into_a_heap_and_lose_energy_only():
    rng = np.random.default_rng(1)
    places = 0.3 * np.stack(np.meshgrid(range(2), range(2), range(2), indexing="ij"), axis=-1).reshape(-1, 3)
    orientations = rng.normal(size=(8, 4))
    orientations /= np.linalg.norm(orientations, axis=1)[:, None]
    pile = Pile([Body(Box((0.2, 0.15, 0.1)), 1.0)] * 8, surface=SurfaceMaterial(0.5, 0.2))
    mover, state = PileStepper(pile), initial_state(pile, places + np.array([0.0, 0.0, 0.3]), orientations)
    whole = last = mover.energy(state)
    for _ in range(12):
        state = mover.advance(state, 50)
        energy = mover.energy(state)
        assert energy <= last + 1e-6
        assert abs(energy - whole - state.ledger.total) < 1e-10 * whole
        last = energy
    assert least_gap(pile, state) > -1e-3 * 0.1


def test_the_same_bits_come_out_for_any_number_of_lanes():
    pile, start = cube(3, 0.5, 0.12, mu=0.4)
    ends = [PileStepper(pile, lanes=lanes).advance(start, 150) for lanes in (1, 2, 8)]
    for end in ends[1:]:
        assert end.position.tobytes() == ends[0].position.tobytes()
        assert end.velocity.tobytes() == ends[0].velocity.tobytes()
        assert end.orientation.tobytes() == ends[0].orientation.tobytes()


def test_a_pile_continues_where_it_was():
    pile, start = cube(3, 0.0, 0.12, mu=0.4)
    whole = PileStepper(pile).advance(start, 100)
    halves = PileStepper(pile).advance(PileStepper(pile).advance(start, 50), 50)
    assert whole.position.tobytes() == halves.position.tobytes()


def test_overlapping_bodies_part_without_gaining_speed():
    pile = Pile([Body(Sphere(RADIUS), 1.0)] * 2, None, gravity=(0.0, 0.0, 0.0))
    state = PileStepper(pile).advance(initial_state(pile, [[0.0, 0.0, 0.0], [0.15, 0.0, 0.0]]), 60)
    assert 0.2 - 1e-6 < state.position[0, 2] - state.position[0, 1] <= 0.2
    assert np.abs(state.velocity).max() < 1e-12


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pile([]), "at least one body"),
        (lambda: Pile([Body(Sphere(0.1), -1.0)]), "body 1 has a mass of -1.0"),
        (lambda: Pile([Body(Pipe(0.1, 0.2, 0.3), 1.0)]), "body 1 is a pipe"),
        (lambda: Pile([Body(Sphere(0.1), 1.0)], step=0.0), "step of 0.0 s"),
        (lambda: Pile([Body(Sphere(0.1), 1.0)], gravity=(0.0, 0.0, np.nan)), "gravity"),
        (
            lambda: Pile([Body(Sphere(0.1), 1.0, "steel")], surface_pairs={("steal", "ground"): SurfaceMaterial()}),
            'did you mean "steel"',
        ),
        (lambda: SurfaceMaterial(friction=-0.1), "friction of -0.1"),
        (lambda: SurfaceMaterial(restitution=1.1), "restitution of 1.1"),
        (lambda: initial_state(Pile([Body(Sphere(0.1), 1.0)]), [[0.0, 0.0]]), "shape"),
        (lambda: initial_state(Pile([Body(Sphere(0.1), 1.0)]), [[0.0, 0.0, np.inf]]), "body 1 are not finite"),
        (
            lambda: initial_state(Pile([Body(Box((1.0, 1.0, 1.0)), 1.0)]), [[0.0] * 3], [[1.0, 1.0, 0.0, 0.0]]),
            "length 1",
        ),
        (lambda: PileStepper(Pile([Body(Sphere(0.1), 1.0)])).advance(cube(1, 0.0, 1.0)[1], push=np.zeros(3)), "push"),
    ],
)
def test_impossible_input_is_refused_by_name(make, message):
    with pytest.raises(WorldError, match=message):
        make()


def test_single_precision_follows_double_precision():
    pile, start = cube(3, 0.0, 0.12, mu=0.4)
    double, single = (PileStepper(pile, precision=p).advance(start, 100) for p in ("float64", "float32"))
    assert single.position.dtype == np.float32
    # each step rounds positions of at most 0.6 m by half a unit in the last place, 2^-25, and speeds by the tolerance;
    # errors of speeds last, and so displace by their sum
    error = 100 * 0.6 * 2.0**-25 + 100**2 / 2 * 1e-3 * 5e-5
    assert np.abs(single.position - double.position).max() < error
    assert depths(single).max() < 2e-6


def test_boxes_in_single_precision_stand_on_each_other():
    edge = 0.2
    pile = Pile([Body(Box((edge, edge, edge)), 1.0)] * 5)
    places = np.array([[0.0, 0.0, edge * (k + 0.5)] for k in range(5)])
    stepper = PileStepper(pile, precision="float32")
    state = stepper.advance(initial_state(pile, places), 500)
    assert np.abs(state.position[:, 1:].T - places).max() < 1e-3 * edge
    assert np.abs(state.velocity).max() < 1e-3
