"""Touches: restitution, Coulomb friction, moving shapes, momentum and energy."""

import math

import numpy as np
import pytest

from gambol.collide import HeightGrid, Plane
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.matter.particles import Emitter, Gravity, ParticleState, ParticleStepper, ParticleSystem, Spread

G, R = 9.81, 0.01


GRAVITY = (Gravity(),)


def ball(ground=None, figure=None, fields=GRAVITY, **properties):
    emitter = Emitter(lifetime=Spread(1e6), speed=Spread(0.0), radius=Spread(R), **properties)
    return ParticleStepper(ParticleSystem({"ball": emitter}, fields, ground or Plane(), figure))


def placed(stepper, position, velocity=(0.0, 0.0, 0.0)):
    return stepper.emit(ParticleState(), "ball", np.array([position]), None, np.array([velocity]))


def test_each_bounce_leaves_the_squared_restitution_of_the_energy():
    stepper, heights = ball(restitution=0.6), []
    state = placed(stepper, (0.0, 0.0, 1.0 + R))
    for _ in range(2000):
        state = stepper.step(state, 1e-3).state
        heights.append(state.position[0, 2] - R)
    z = np.array(heights)
    tops = z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:])]
    # a top is seen within half a step of the true one, g h2 / 8 = 1.2e-6 m lower; the time of touch errs by h2
    np.testing.assert_allclose(tops[:4], 0.36 ** np.arange(1, 5), atol=1e-5)


def test_a_sliding_ball_stops_where_friction_predicts():
    stepper = ball(friction=0.4)
    state = placed(stepper, (0.0, 0.0, R), (2.0, 0.0, 0.0))
    for _ in range(1000):
        state = stepper.step(state, 1e-3).state
    assert state.velocity[0, 0] == 0.0
    assert state.position[0, 0] == pytest.approx(4.0 / (2.0 * 0.4 * G), rel=1e-3)  # one step: v h / 2 at most
    assert state.position[0, 2] == pytest.approx(R, abs=1e-12)


@pytest.mark.parametrize(("friction", "slides"), [(0.3, True), (0.7, False)])
def test_on_a_slope_it_slides_or_rests(friction, slides):
    angle = math.atan(0.5)
    heights = np.add.outer(0.5 * np.arange(-20.0, 21.0), np.zeros(41))
    stepper = ball(HeightGrid(heights, 1.0, -20.0, -20.0), friction=friction)
    normal = np.array([-math.sin(angle), 0.0, math.cos(angle)])
    state = placed(stepper, tuple(np.array([0.3, 0.2, 0.15]) + R * normal))
    for _ in range(500):
        state = stepper.step(state, 1e-3).state
    acceleration = G * (math.sin(angle) - friction * math.cos(angle)) if slides else 0.0
    assert np.linalg.norm(state.velocity[0]) == pytest.approx(0.5 * acceleration, abs=1e-9)


def test_the_impulses_on_the_ground_and_gravity_give_the_momentum():
    stepper = ball(restitution=0.7, friction=0.5)
    state = placed(stepper, (0.0, 0.0, 0.3), (1.0, 0.5, -1.0))
    mass, total = state.rows[9, 0], np.zeros(3)
    for _ in range(700):
        step = stepper.step(state, 1e-3)
        state, total = step.state, total + step.touches["impulse"].sum(axis=0)
    expected = mass * (np.array([1.0, 0.5, -1.0]) + np.array([0.0, 0.0, -G * 0.7])) - mass * state.velocity[0]
    np.testing.assert_allclose(total, expected, rtol=1e-12)


@pytest.mark.parametrize("steps", [500, 2000])
def test_the_ledger_closes(steps):
    stepper = ball(restitution=0.7, friction=0.5, drag=(0.1, 0.05))
    state = placed(stepper, (0.0, 0.0, 0.5), (1.0, 0.5, 0.0))
    initial = stepper.energy(state)
    for _ in range(steps):
        state = stepper.step(state, 1.0 / steps).state
    ledger = state.ledger
    assert ledger.touch > 0.3 * initial
    assert ledger.drag > 0.0
    # seven touches: each errs by the energy of gravity over half a step at a speed of at most 3.3 m/s
    bound = 7 * state.rows[9, 0] * G * 3.3 * (0.5 / steps)
    assert abs(stepper.energy(state) - ledger.expected) < bound


def test_a_moving_shape_throws_an_elastic_ball_at_twice_its_speed():
    paddle = Figure("paddle", (Link("paddle", None, Joint("free"), (Part(Box((0.2, 0.2, 0.02))),)),))
    stepper = ball(figure=paddle, fields=(), restitution=1.0)
    state = placed(stepper, (0.0, 0.0, 1.0))
    height, speed, h, work = 0.9, 3.0, 1e-3, 0.0
    for _ in range(100):
        state = stepper.step(state, h, motion((0.0, 0.0, height), linear=(0.0, 0.0, speed))).state
        height += speed * h
    np.testing.assert_allclose(state.velocity[0], [0.0, 0.0, 6.0], atol=1e-12)
    work = 0.5 * state.rows[9, 0] * 36.0
    assert state.ledger.obstacles == pytest.approx(work, rel=1e-12)
    # the paddle's face is at 0.91 + 3 t, the ball's lowest point at 0.99
    met = (0.99 - 0.91) / 3.0
    assert state.position[0, 2] == pytest.approx(1.0 + 6.0 * (0.1 - met), abs=1e-12)


def test_a_turning_ball_drags_what_lies_on_it():
    globe = Figure("globe", (Link("globe", None, Joint("free"), (Part(Sphere(0.5)),)),))
    stepper = ball(figure=globe, friction=100.0, restitution=0.0)
    state = placed(stepper, (0.0, 0.0, 0.5 + R), (0.0, 0.0, -0.1))
    state = stepper.step(state, 1e-4, motion((0.0, 0.0, 0.0), angular=(0.0, 2.0, 0.0))).state
    # it moves with the surface, at w x r
    np.testing.assert_allclose(state.velocity[0], [2.0 * 0.5, 0.0, 0.0], atol=1e-9)


def motion(position, angular=(0.0, 0.0, 0.0), linear=(0.0, 0.0, 0.0)):
    return np.array([[*position, 1.0, 0.0, 0.0, 0.0, *angular, *linear]])


def test_a_shape_does_not_press_a_particle_into_the_ground():
    plate = Figure("plate", (Link("plate", None, Joint("free"), (Part(Box((1.0, 1.0, 0.1))),)),))
    stepper = ball(figure=plate)
    state, height = placed(stepper, (0.0, 0.0, R)), 0.075
    for _ in range(40):
        state = stepper.step(state, 1e-3, motion((0.0, 0.0, height), linear=(0.0, 0.0, -1.0))).state
        height -= 1e-3
    assert state.position[0, 2] == pytest.approx(R, abs=1e-12)
