"""Hinges, contacts of surfaces and balls in steps by points: the motion of MeshStepper, conservation, closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import Plane
from gambol.errors import WorldError
from gambol.lanes.tree import leaves
from gambol.matter.elements.ball_triangle import nearest_weights
from gambol.matter.forces import SelfTouch, Surroundings, Touch
from gambol.matter.forces.field import ForceField
from gambol.matter.mesh import ClothMaterial, cloth, joined, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.motion.balls import Ball, with_balls
from gambol.matter.motion.point_steps import LEDGER, METHOD, PointSteps
from gambol.spatial import Vector

STEP = 2e-4
NET = ClothMaterial(density=0.3, warp=600.0, weft=600.0, shear=100.0, damping=1e-4)
SOFT = Touch(stiffness=500.0, damping=0.05, friction=0.4, thickness=0.01)
FREE_FALL = (0.0, 0.0, 0.0)


def rim(n):
    """The points at the edges of a cloth of n x n points."""
    return [(i, j) for i in range(n) for j in range(n) if i in (0, n - 1) or j in (0, n - 1)]


def advanced(steps, state, count, lanes=None):
    return steps.advance(state, count, np.array(leaves(steps.inputs), float)[:, None], lanes)


def steps_of(mesh, around, balls=(), h=STEP, every=1):
    """Steps of a mesh with balls, and the first state."""
    steps = PointSteps(ForceField(with_balls(mesh, balls), around), h, tuple(balls), every)
    places = np.concatenate([mesh.points, *([ball.position] for ball in balls)])
    speeds = np.concatenate([np.zeros_like(mesh.points), *([ball.velocity] for ball in balls)])
    return steps, steps.start(places, speeds)


def test_hinges_bend_a_cloth_as_in_the_stepper():
    """The stepper adds hinges up by another program, in another order."""
    mesh = cloth(4, 5, 0.05, replace(NET, hinge=2e-3), origin=(0, 0, 1), pins=[(k, 0) for k in range(4)])
    mesh = replace(mesh, hinges=replace(mesh.hinges, damping=np.full(len(mesh.hinges.corners), 2e-6)))
    stepper = MeshStepper(mesh, Surroundings(), StepRule(METHOD, STEP))
    expected = stepper.advance(stepper.start(), 400)
    steps, start = steps_of(mesh, Surroundings())
    state, _ = advanced(steps, start, 400)
    n = len(mesh.points)
    np.testing.assert_allclose(state[:3, :n].T, expected.position, rtol=0.0, atol=1e-11)
    assert expected.position[:, 2].min() < 0.97
    received = dict(zip(LEDGER, state[6:11, :n].sum(axis=1), strict=True))
    assert received["damping"] == pytest.approx(expected.ledger.damping, rel=1e-8)
    loose = steps_of(replace(mesh, hinges=type(mesh.hinges)()), Surroundings())
    assert np.abs(advanced(*loose, 400)[0][:3, :n] - state[:3, :n]).max() > 1e-3  # hinges matter


def test_a_cloth_falls_on_a_rope_as_in_the_stepper():
    """The stepper finds pairs by a grid of cells, and adds their forces in another order."""
    towel = cloth(4, 4, 0.04, NET, origin=(-0.06, -0.055, 0.508))
    line = rope(np.linspace([-0.1, 0.0, 0.5], [0.1, 0.0, 0.5], 5), density=0.05, stretch=100.0, pins=[0, -1])
    both = joined([towel, line], "both")
    law = SelfTouch(0.006, 200.0, 0.02, 0.5, surfaces=True)
    around = Surroundings(self_touch=law)
    stepper = MeshStepper(both, around, StepRule(METHOD, STEP))
    expected = stepper.advance(stepper.start(), 500)
    steps, start = steps_of(both, around)
    state, _ = advanced(steps, start, 500)
    n = len(both.points)
    np.testing.assert_allclose(state[:3, :n].T, expected.position, rtol=0.0, atol=1e-9)
    received = dict(zip(LEDGER, state[6:11, :n].sum(axis=1), strict=True))
    for name in ("friction", "contact"):
        assert received[name] == pytest.approx(getattr(expected.ledger, name), rel=1e-6)
        assert received[name] < 0.0


def momenta(steps, state, mesh, ball):
    """Momentum and angular momentum of a mesh and its ball about the origin."""
    n = len(mesh.points) + 1
    x, v, m = state[:3, :n].T, state[3:6, :n].T, steps.points[1, :n, None]
    return (m * v).sum(axis=0), np.cross(x, m * v).sum(axis=0) + ball.inertia * state[11:14, n - 1]


def test_a_ball_gives_a_free_net_what_it_loses():
    mesh = cloth(4, 4, 0.07, NET, origin=(-0.1, -0.1, 0.0))
    ball = Ball(0.08, 0.2, (0.02, 0.01, 0.09), (0.5, -0.3, -2.0))
    steps, start = steps_of(mesh, Surroundings(gravity=FREE_FALL, touch=SOFT), [ball])
    state, _ = advanced(steps, start, 300)
    before, after = (momenta(steps, each, mesh, ball) for each in (start, state))
    for first, last in zip(before, after, strict=True):
        np.testing.assert_allclose(last, first, rtol=0.0, atol=1e-14)
    assert np.linalg.norm(state[11:14, 16]) > 0.5  # friction turns it
    assert state[5, 16] > -1.9


@pytest.mark.parametrize("on", ["ground", "triangle"])
def test_a_ball_rolls_down_a_slope_by_the_closed_form(on):
    """a = g sin(slope)/(1 + 2/5 (r/s)^2), with the distance s from the centre to the contact: 5/7 for s = r.

    The contact is in the ground by the depth of its spring, and half of the thickness above the triangle. The bound of
    friction lets the ball slip by 3 mm/s on the triangle, of which 2/7 are in its speed.
    """
    g, slope, t, depth = 9.81, 0.2, 0.5, 9.81 * np.cos(0.2) / 2e4
    gravity = (g * np.sin(slope), 0.0, -g * np.cos(slope))
    mesh = cloth(2, 2, 4.0, NET, origin=(-1.0, -1.0, 0.0), pins=[(0, 0), (0, 1), (1, 0), (1, 1)])
    if on == "ground":
        mesh = replace(mesh, points=mesh.points - np.array([0.0, 0.0, 5.0]))
    law = Touch(2e4, 40.0, 0.6, 0.01)
    ball = Ball(0.1, 1.0, (0.2, 0.0, 0.1 + 0.005 * (on == "triangle") - depth))
    around = Surroundings(gravity=gravity, touch=law, ground=Plane() if on == "ground" else None)
    steps, start = steps_of(mesh, around, [ball], h=1e-4)
    state, _ = advanced(steps, start, round(t / 1e-4))
    x, v, spin = state[:3, 4], state[3:6, 4], state[11:14, 4]
    arm = 0.1 + 0.005 * (on == "triangle") - depth
    acceleration = g * np.sin(slope) / (1.0 + 0.4 * (0.1 / arm) ** 2)
    assert v[0] == pytest.approx(acceleration * t, abs=1e-3)
    assert x[0] - 0.2 == pytest.approx(0.5 * acceleration * t * t, abs=1e-3 * t)
    assert spin[1] * arm == pytest.approx(v[0], abs=3e-3)
    assert abs(v[2]) < 1e-3


def test_the_energy_of_a_ball_on_a_net_is_that_of_the_ledger_up_to_the_order_of_the_step():
    mesh = cloth(5, 5, 0.07, NET, origin=(-0.14, -0.14, 0.4), pins=rim(5))
    ball = Ball(0.08, 0.3, (0.02, 0.01, 0.485), (0.0, 0.0, -1.0))
    missing = []
    for h in (STEP, STEP / 2, STEP / 4):
        steps, start = steps_of(mesh, Surroundings(touch=SOFT), [ball], h)
        state, _ = advanced(steps, start, round(0.06 / h))
        energies = [advanced(steps, each, 1)[1][:26].sum() for each in (start, state)]
        missing.append(energies[1] - energies[0] - state[6:11, :26].sum())
    ratios = np.array(missing[:-1]) / missing[1:]
    assert np.all((ratios > 1.5) & (ratios < 2.6)), missing
    received = dict(zip(LEDGER, state[6:11, :26].sum(axis=1), strict=True))
    assert received["friction"] < 0.0
    assert received["contact"] < 0.0
    assert abs(missing[-1]) < 0.02 * 0.5 * 0.3  # of the energy of motion at the start


def test_the_bits_depend_on_neither_lanes_nor_the_number_of_searches():
    """Candidates that do not touch change nothing, as long as sides are those of the start of the control step."""
    mesh = cloth(4, 4, 0.07, NET, origin=(-0.1, -0.1, 0.4), pins=rim(4))
    ball = Ball(0.08, 0.3, (0.02, 0.01, 0.49), (0.3, 0.0, -1.0))
    found = []
    for every, lanes in ((1, 1), (1, 8), (10, 4)):
        steps, start = steps_of(mesh, Surroundings(touch=SOFT), [ball], every=every)
        found.append(advanced(steps, start, 200, lanes)[0])
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_the_nearest_point_of_a_triangle_satisfies_the_condition_of_a_minimum():
    """(p - n) . (x - n) <= 0 for all corners x of a convex set and its point n that is nearest to p."""
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(300):
        p, *x = rng.normal(size=(4, 3))
        w = np.array(nearest_weights(Vector(*p), tuple(Vector(*each) for each in x)), float)
        assert w.min() >= 0.0
        assert w.sum() == pytest.approx(1.0, abs=1e-12)
        n = w @ np.array(x)
        assert max((p - n) @ (each - n) for each in x) < 1e-11
        inside += w.min() > 0.0
    assert 30 < inside < 270


def test_impossible_balls_are_refused():
    with pytest.raises(WorldError, match=r"a radius of 0.0 m and a mass of 1.0 kg are impossible"):
        Ball(0.0, 1.0, (0.0, 0.0, 0.0))
    with pytest.raises(WorldError, match="position and velocity must be finite"):
        Ball(0.1, 1.0, (0.0, np.inf, 0.0))
