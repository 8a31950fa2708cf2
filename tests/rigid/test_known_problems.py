"""Problems with closed forms: bounces, friction on slopes and on the level, balls in a row, and rolling on a board."""

import numpy as np
import pytest

from gambol.figure.shapes import Box, Cylinder, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, SurfaceMaterial, initial_state

G = 9.81
R = 0.1


def after(pile: Pile, state: PileState, seconds: float, push: np.ndarray | None = None) -> PileState:
    return PileStepper(pile).advance(state, round(seconds / pile.step), push)


def slope(degrees: float) -> tuple[float, float, float]:
    """Gravity of a world whose level ground slopes down along x."""
    return (G * np.sin(np.radians(degrees)), 0.0, -G * np.cos(np.radians(degrees)))


def bouncing_height(h0: float, e: float, t: float) -> float:
    """Height of a ball dropped from h0 after a time, bounce after bounce."""
    start, v = np.sqrt(2.0 * h0 / G), np.sqrt(2.0 * G * h0)
    if t < start:
        return h0 - 0.5 * G * t * t
    while e * v > 1e-9:
        v *= e
        if t < start + 2.0 * v / G:
            return v * (t - start) - 0.5 * G * (t - start) ** 2
        start += 2.0 * v / G
    return 0.0


@pytest.mark.parametrize(("h0", "e", "seconds"), [(1.0, 0.8, 4.2), (1.0, 0.5, 1.5), (4.9, 1.0, 5.0)])
def test_a_bouncing_ball_lands_at_the_right_times_and_its_infinitely_many_bounces_end(h0, e, seconds):
    pile = Pile([Body(Sphere(R), 1.0)], surface=SurfaceMaterial(0.0, e))
    mover, state = PileStepper(pile), initial_state(pile, [[0.0, 0.0, R + h0]])
    smallest = 2.0 * G * pile.step**2  # bounces that would end within a step do not take place
    for t in np.arange(1, seconds / 0.05) * 0.05:
        state = mover.advance(state, 50)
        assert abs(state.position[2, 1] - R - bouncing_height(h0, e, t)) < (smallest if e < 1.0 else 1e-10)
    if e < 1.0:
        assert np.abs(state.velocity[:, 1]).max() < 1e-9


@pytest.mark.parametrize(("degrees", "mu"), [(20.0, 0.3), (20.0, 0.4), (30.0, 0.5), (30.0, 0.6), (45.0, 0.5)])
def test_a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above_it(degrees, mu):
    pile = Pile([Body(Box((0.4, 0.4, 0.1)), 2.0)], surface=SurfaceMaterial(mu), gravity=slope(degrees))
    state = after(pile, initial_state(pile, [[0.0, 0.0, 0.05]]), 1.0)
    a = max(0.0, G * (np.sin(np.radians(degrees)) - mu * np.cos(np.radians(degrees))))
    assert np.allclose(state.velocity[3:, 1], [a, 0.0, 0.0], atol=1e-8)
    assert np.allclose(state.position[:, 1], [a / 2.0, 0.0, 0.05], atol=1e-8)


@pytest.mark.parametrize(
    ("shape", "k", "degrees", "mu"),
    [
        (Sphere(R), 0.4, 20.0, 0.5),
        (Cylinder(R, 0.3), 0.5, 20.0, 0.5),
        (Sphere(R), 0.4, 45.0, 0.2),
        (Cylinder(R, 0.3), 0.5, 45.0, 0.2),
    ],
)
def test_round_bodies_roll_down_a_slope_or_slip(shape, k, degrees, mu):
    pile = Pile([Body(shape, 1.5)], surface=SurfaceMaterial(mu), gravity=slope(degrees))
    lying = [[np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0]]  # the cylinder's axis across the slope
    state = after(pile, initial_state(pile, [[0.0, 0.0, R]], lying), 1.0)
    angle = np.radians(degrees)
    rolling = G * np.sin(angle) / (1.0 + k)
    slips = mu < np.tan(angle) * k / (1.0 + k)
    a = G * (np.sin(angle) - mu * np.cos(angle)) if slips else rolling
    spin = mu * G * np.cos(angle) / k if slips else rolling
    assert state.velocity[3, 1] == pytest.approx(a, rel=1e-3 if k == 0.5 else 1e-8)
    assert state.velocity[1, 1] * R == pytest.approx(spin, rel=1e-3 if k == 0.5 else 1e-8)
    assert state.position[0, 1] == pytest.approx(a / 2.0, rel=1e-3)


@pytest.mark.parametrize(("v0", "mu"), [(2.0, 0.5), (5.0, 0.3), (1.0, 0.1)])
def test_a_sliding_block_stops_where_friction_has_used_up_its_energy(v0, mu):
    pile = Pile([Body(Box((0.4, 0.4, 0.02)), 1.0)], surface=SurfaceMaterial(mu))
    start = initial_state(pile, [[0.0, 0.0, 0.01]], velocities=[[0.0, 0.0, 0.0, v0, 0.0, 0.0]])
    state = after(pile, start, v0 / (mu * G) + 0.1)
    assert state.position[0, 1] == pytest.approx(v0 * v0 / (2.0 * mu * G), rel=1e-3)
    assert np.abs(state.velocity[:, 1]).max() < 1e-9
    assert state.ledger.friction == pytest.approx(-0.5 * v0 * v0, rel=1e-9)


def test_a_billiard_ball_slides_until_it_rolls_at_five_sevenths_of_its_speed():
    v0, mu = 2.0, 0.2
    pile = Pile([Body(Sphere(R), 0.2)], surface=SurfaceMaterial(mu))
    start = initial_state(pile, [[0.0, 0.0, R]], velocities=[[0.0, 0.0, 0.0, v0, 0.0, 0.0]])
    rolls = 2.0 * v0 / (7.0 * mu * G)
    state = after(pile, start, round(rolls, 3))
    assert state.position[0, 1] == pytest.approx(12.0 * v0**2 / (49.0 * mu * G), rel=1e-3)
    state = after(pile, state, 0.2)
    assert state.velocity[3, 1] == pytest.approx(5.0 / 7.0 * v0, rel=1e-9)
    assert state.velocity[1, 1] * R == pytest.approx(5.0 / 7.0 * v0, rel=1e-9)


def row(masses: list[float], speeds: list[float], e: float) -> np.ndarray:
    """Return the speeds of balls that touch in a row, after their collisions."""
    pile = Pile(
        [Body(Sphere(R), m) for m in masses], ground=None, surface=SurfaceMaterial(0.0, e), gravity=(0.0, 0.0, 0.0)
    )
    places = [[2.0 * R * k, 0.0, 0.0] for k in range(len(masses))]
    start = initial_state(pile, places, velocities=[[0.0, 0.0, 0.0, v, 0.0, 0.0] for v in speeds])
    return after(pile, start, 3 * pile.step).velocity[3, 1:]


def test_balls_in_a_row_hand_a_pulse_on_one_after_the_other():
    assert np.allclose(row([1.0] * 3, [1.0, 0.0, 0.0], 1.0), [0.0, 0.0, 1.0], atol=1e-9)
    assert np.allclose(row([1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0], 1.0), [0.0, 0.0, 0.0, 1.0, 1.0], atol=1e-9)
    assert np.allclose(row([1.0, 2.0], [1.0, 0.0], 1.0), [-1.0 / 3.0, 2.0 / 3.0], atol=1e-9)
    assert np.allclose(row([1.0, 2.0], [1.0, 0.0], 0.5), [0.0, 0.5], atol=1e-9)
    assert np.allclose(row([1.0, 1.0], [1.0, 0.0], 0.5), [0.25, 0.75], atol=1e-9)


@pytest.mark.parametrize("mu", [0.05, 0.5])
def test_an_oblique_hit_slides_or_sticks_as_a_single_impulse_of_friction_allows(mu):
    e, u, m = 0.6, np.array([2.0, 0.0, -3.0]), 1.3
    pile = Pile([Body(Sphere(R), m)], surface=SurfaceMaterial(mu, e), gravity=(0.0, 0.0, 0.0))
    start = initial_state(pile, [[0.0, 0.0, R + 1e-3]], velocities=[[0.0, 0.0, 0.0, *u]])
    state = after(pile, start, 5 * pile.step)
    normal = m * (1.0 + e) * 3.0
    along = min(mu * normal, 2.0 / 7.0 * m * u[0])
    assert np.allclose(state.velocity[3:, 1], [u[0] - along / m, 0.0, e * 3.0], atol=1e-9)
    assert state.velocity[1, 1] == pytest.approx(along * R / (0.4 * m * R * R), rel=1e-9)


@pytest.mark.parametrize("degrees", [60.0, 0.0])
def test_balls_on_a_pushed_board_roll_as_a_cone_of_friction_makes_them(degrees):
    grid = np.arange(5) * 2.0 - 4.0
    bodies = [Body(Box((20.0, 20.0, 1.0)), 10.0, "board"), *[Body(Sphere(0.5), 1.0, "ball")] * 25]
    pile = Pile(
        bodies, surface_pairs={("board", "ground"): SurfaceMaterial(0.4), ("board", "ball"): SurfaceMaterial(0.8)}
    )
    state = initial_state(pile, [[0.0, 0.0, 0.5], *([x, y, 1.5] for x in grid for y in grid)])
    direction = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
    push = np.zeros((26, 6))
    push[0, 3:] = 150.0 * direction
    state = after(pile, state, 0.1, push)
    friction, hold = 0.4 * 35.0 * G, (150.0 - 0.4 * 35.0 * G) / 10.0 / (3.5 + 2.5)
    assert np.allclose(state.velocity[3:, 1], (150.0 - friction - 25.0 * hold) / 10.0 * 0.1 * direction, atol=1e-8)
    assert np.allclose(state.velocity[3:, 2:], (hold * 0.1 * direction)[:, None], atol=1e-8)
