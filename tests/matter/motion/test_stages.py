"""Steps by compiled evaluations are the steps of the same method with forces from Python."""

from dataclasses import astuple

import numpy as np
import pytest
from meshes import flag, level_rope, stepper

from gambol.collide import HeightGrid, Plane
from gambol.matter.forces import Air, SelfTouch, Surroundings, Touch
from gambol.matter.motion import StretchRule
from gambol.matter.motion.stages import Stages, evaluations

EVALUATIONS = {
    "explicit euler": 1,
    "semi-implicit euler": 1,
    "midpoint": 2,
    "heun": 2,
    "velocity verlet": 2,
    "rk4": 4,
    "rkf45": 6,
    "dormand-prince": 7,
}


def on_ground(ground):
    return Surroundings(ground=ground, touch=Touch(300.0, 0.3, 0.5, 0.004))


def falling_rod(method, h=5e-5, **more):
    """A damped rod that falls askew on the ground, and its stepping."""
    mesh = level_rope(14, 0.5, stretch=300.0, bend=0.02, damping=2e-3, pins=[])
    s = stepper(mesh, method, h, surroundings=on_ground(more.pop("ground", Plane())), **more)
    return s, s.start(mesh.points * [1.0, 1.0, 1.0] + [0.0, 0.0, 0.004] + 0.3 * mesh.points[:, [1, 0, 0]] * [0, 1, 0.1])


def by_python(s, state, steps):
    """The state after several steps whose forces are evaluated from Python."""
    stages, s.stages = s.stages, None
    after = s.advance(state, steps)
    s.stages = stages
    return after


def assert_same_motion(first, second, moved):
    assert first.time == second.time
    assert np.allclose(first.position, second.position, atol=1e-11 * moved, rtol=0.0)
    assert np.allclose(first.velocity, second.velocity, atol=1e-7 * moved, rtol=0.0)
    exchanged = sum(map(abs, astuple(second.ledger)))
    assert astuple(first.ledger) == pytest.approx(astuple(second.ledger), abs=1e-9 * exchanged)


@pytest.mark.parametrize("method", EVALUATIONS)
def test_a_rod_that_falls_on_the_ground_moves_as_by_steps_from_python(method):
    assert evaluations(method) == EVALUATIONS[method]
    s, start = falling_rod(method)
    assert isinstance(s.stages, Stages)
    for state in (start, s.advance(start, 1200)):
        after, expected = s.advance(state, 40), by_python(s, state, 40)
        assert_same_motion(after, expected, abs(expected.position - state.position).max())
    ledger = after.ledger
    assert min(-ledger.damping, -ledger.friction, -ledger.contact) > 0.0


def test_a_cloth_of_springs_on_hills_moves_as_by_steps_from_python():
    mesh = flag(6, 7, hinge=0.0)
    hills = HeightGrid(-0.05 + 0.02 * np.random.default_rng(2).standard_normal((12, 12)), 0.2, -0.5, -0.5)
    s = stepper(mesh, "velocity verlet", 5e-4, surroundings=on_ground(hills))
    assert s.stages is not None
    state = s.advance(s.start(), 300)
    assert state.ledger.contact < 0.0
    assert_same_motion(s.advance(state, 30), by_python(s, state, 30), 1e-2)


def test_bits_do_not_depend_on_lanes_and_on_how_many_steps_a_call_takes():
    found = []
    for lanes, calls in ((1, (400, 1)), (4, (100, 4)), (None, (1, 400))):
        s, state = falling_rod("velocity verlet", lanes=lanes)
        for _ in range(calls[1]):
            state = s.advance(state, calls[0])
        found.append(state)
    for other in found[1:]:
        assert np.array_equal(found[0].position, other.position)
        assert np.array_equal(found[0].velocity, other.velocity)
        assert found[0].time == other.time


@pytest.mark.parametrize(
    ("method", "hinge", "more"),
    [
        ("verlet", 0.0, {}),
        ("implicit euler", 0.0, {}),
        ("rk4", 1e-3, {}),
        ("rk4", 0.0, {"stretch": StretchRule()}),
        ("rk4", 0.0, {"surroundings": Surroundings(air=Air())}),
        ("rk4", 0.0, {"surroundings": Surroundings(self_touch=SelfTouch(0.02, friction=0.0))}),
    ],
)
def test_meshes_with_more_than_springs_and_bends_take_steps_from_python(method, hinge, more):
    assert stepper(flag(4, 4, hinge=hinge), method, 1e-4, **more).stages is None
