"""A push gives its whole impulse wherever it begins and ends, and one that is too short is refused."""

import numpy as np
import pytest
from worlds import ball, body, diagonal, touch

from gambol.contact import CONTACT_METHODS, SurfaceProperties
from gambol.errors import GambolError, WorldError
from gambol.integrate import INTEGRATORS
from gambol.world import Engine, External, Push, State, Timing, World, start
from gambol.world.timing import MIN_PUSH_STEPS

CONTROL_STEP, MASS = 0.02, 0.5
FORCE = np.array([2.0, 0.5, -1.0])
RIGID = body(diagonal(MASS, 1.0, 1.0, 1.0))
MIN_PUSH = MIN_PUSH_STEPS * CONTROL_STEP
TIME_TOLERANCE = 1e-5 * CONTROL_STEP  # times this near count as equal
SECONDS = 0.2

NEAR = [-2.5, -1.5, -0.9, -0.3, 0.0, 0.3, 0.9, 1.5, 2.5]
"""Distances of the ends of a push from the ends of steps, in units of TIME_TOLERANCE."""

TIMES = [
    *(
        (0.04 + x * TIME_TOLERANCE, 0.1 + y * TIME_TOLERANCE) for x in NEAR for y in NEAR
    ),  # ends near ends of control steps
    *(
        (0.05 + x * TIME_TOLERANCE, 0.05 + x * TIME_TOLERANCE + 1.01 * MIN_PUSH) for x in NEAR
    ),  # a short one near the end of a step
    *(
        (0.06 + x * TIME_TOLERANCE - MIN_PUSH, 0.06 + x * TIME_TOLERANCE + MIN_PUSH) for x in NEAR
    ),  # across the end of a control step
    (0.0, SECONDS),
    (0.0137, 0.0137 + 1.01 * MIN_PUSH),
    (-0.3, 0.07),
]


def world_of(contact: str, integrator: str, push: Push | None = None) -> World:
    timing = Timing(CONTROL_STEP, 0.01, integrator, 1e-9)
    return World(RIGID, gravity=0.0, timing=timing, external=External(push=push or Push()), contact=contact)


def pushed(engine: Engine) -> tuple[State, np.ndarray]:
    """Return the state after all TIMES in lanes, and the seconds for which each push acts in it."""
    begin, end = np.array(TIMES).T
    state = start(engine.world, len(TIMES), precision=engine.precision)
    engine.advance(state, round(SECONDS / CONTROL_STEP), engine.numbers(push=[*FORCE, begin, end]))
    assert (state.step_state.clock.status == 0.0).all()
    return state, end - np.maximum(begin, 0.0)


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_no_impulse_is_lost_under_any_contact_method(contact: str):
    state, duration = pushed(Engine(world_of(contact, "rk4")))
    impulse = FORCE * duration[:, None]
    np.testing.assert_allclose(state.v[:, 3:] * MASS, impulse, rtol=1e-9, atol=1e-15)
    work = (impulse**2).sum(axis=1) / (2.0 * MASS)
    np.testing.assert_allclose(state.step_state.ledger.outside, work, rtol=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_no_impulse_is_lost_under_any_integrator(integrator: str):
    state, duration = pushed(Engine(world_of("penalty", integrator)))
    np.testing.assert_allclose(state.v[:, 3:] * MASS, FORCE * duration[:, None], rtol=1e-9, atol=1e-15)


def test_no_impulse_is_lost_at_the_end_of_a_step_that_a_contact_shortens():
    """A ball lands at t0; steps of "constraint" end there. A push may begin or end just before or after that."""
    height, landing = 0.05, 0.05 + 3e-4
    gravity = 2.0 * height / landing**2
    lanes = [(x * TIME_TOLERANCE, y * TIME_TOLERANCE) for x in NEAR for y in NEAR]
    begin, end = (np.array(z) + landing for z in zip(*lanes, strict=True))
    end += 2.0 * MIN_PUSH
    timing = Timing(CONTROL_STEP, 0.01, "rk4")
    surface = SurfaceProperties(touch(restitution=0.0, friction=0.0))
    engine = Engine(World(ball(0.1), gravity=gravity, surface=surface, contact="constraint", timing=timing))
    state = start(engine.world, len(lanes), position=(0.0, 0.0, 0.1 + height))
    engine.advance(state, 5, engine.numbers(push=[1.0, 0.0, 0.0, begin, end]))
    np.testing.assert_allclose(state.v[:, 3], end - begin, rtol=1e-9)


@pytest.mark.parametrize("duration", [1e-7, 1e-9, 0.9 * MIN_PUSH])
@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_a_push_that_is_too_short_is_refused(contact: str, duration: float):
    with pytest.raises(WorldError, match=r"the shortest at 0.1\d* s is 2e-05 s. A force of .* has the same impulse"):
        world_of(contact, "rk4", Push((1.0 / duration, 0.0, 0.0), 0.1, 0.1 + duration))


def test_the_error_gives_the_force_of_the_same_impulse():
    with pytest.raises(WorldError, match=r"A force of \(5e\+04, 0, 0\) N for that time"):
        world_of("stepping", "rk4", Push((1e7, 0.0, 0.0), 0.1, 0.1 + 1e-7))
    state = start(world := world_of("stepping", "rk4", Push((5e4, 0.0, 0.0), 0.1, 0.1 + 2.0001e-5)))
    Engine(world).advance(state, 10)
    np.testing.assert_allclose(state.v[0, 3] * MASS, 5e4 * 2.0001e-5, rtol=1e-9)


def test_a_push_that_is_too_short_is_refused_among_the_inputs_of_a_run():
    engine = Engine(world_of("stepping", "rk4"))
    ends = 0.1 + np.array([0.1, 1e-7])
    with pytest.raises(WorldError, match="a push of 1e-07 s is too short"):
        engine.numbers(push=[1.0, 0.0, 0.0, 0.1, ends])
    with pytest.raises(WorldError, match=r"cannot start at 0.1 s and end at 0.05 s"):
        engine.numbers(push=[1.0, 0.0, 0.0, 0.1, 0.05])
    assert engine.numbers(push=[0.0, 0.0, 0.0, 0.1, ends]).shape[1] == 2  # no force: no push


def test_in_single_precision_a_push_is_longer_than_the_spacing_of_times():
    """At 1000 s single precision has steps of 61 microseconds."""
    push = Push((1.0, 0.0, 0.0), 1000.0, 1000.001)
    world = world_of("stepping", "rk4", push)
    with pytest.raises(WorldError, match=r"too short for control steps of 0.02 s in float32; the shortest"):
        Engine(world, "float32")
    exact = world_of("stepping", "rk4")
    with pytest.raises(GambolError, match="in float32"):
        Engine(exact, "float32").numbers_of([world])


def test_a_push_of_no_length_and_one_without_force_are_allowed():
    for push in (Push((1.0, 0.0, 0.0), 0.1, 0.1), Push((0.0, 0.0, 0.0), 0.1, 0.1 + 1e-9)):
        state = start(world := world_of("stepping", "rk4", push))
        Engine(world).advance(state, 10)
        assert not state.v.any()
