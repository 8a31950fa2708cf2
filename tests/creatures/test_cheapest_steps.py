"""The cheapest fixed steps: worlds whose best settings follow from another argument."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gambol
from gambol import Capsule, Engine, Figure, Joint, JointSpring, Link, Part, Sphere, Stepping, World, fit_accuracy
from gambol.collide import NoGround
from gambol.creatures.cheapest_steps import COUNTS, MAX_PASSIVE_STEP, Reference
from gambol.creatures.compared_motions import DURATION, JITTER, WORLDS, ComparedMotions, RandomInputs, median_distance
from gambol.creatures.step_options import COSTS, OPTIONS, cost_of, with_options
from gambol.world import start

INPUTS = RandomInputs(0, 1.0)
Y = (0.0, 1.0, 0.0)
LENGTH, RADIUS = 0.5, 0.02


def ball() -> Figure:
    return Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.1)),)),))


def pendulum() -> World:
    bob = Part(Sphere(RADIUS), position=(0.0, 0.0, -LENGTH), density=3e4)
    figure = Figure("pendulum", (Link("rod", None, Joint("revolute", Y), (bob,)),))
    world = gambol.make_world(figure, ground=NoGround(), contact=Stepping())
    return replace(world, initial=replace(world.initial, q=(2.5,)))


def rod_of_balls(count: int, max_contacts: int) -> World:
    """A rod of balls that lies on the ground: all of them touch it."""
    balls = tuple(Part(Sphere(0.05), position=(0.2 * k, 0.0, 0.0)) for k in range(count))
    figure = Figure("rod", (Link("rod", None, Joint("free"), balls),))
    world = gambol.make_world(figure, contact=Stepping(max_contacts=max_contacts))
    return replace(world, initial=replace(world.initial, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0501)))


def stander() -> World:
    """A trunk that falls over on two legs with springs."""
    trunk = Link("trunk", None, Joint("free"), (Part(Capsule(0.05, 0.3), density=400.0),))
    legs = (
        Link(name, "trunk", Joint("revolute", Y, position=(0.0, 0.0, z)), (Part(Capsule(0.02, 0.2), (0.1, 0.0, 0.0)),))
        for name, z in (("fore", 0.15), ("hind", -0.15))
    )
    springs = {name: JointSpring(stiffness=20.0, damping=0.1) for name in ("fore", "hind")}
    return gambol.make_world(Figure("stander", (trunk, *legs)), springs=springs, contact=Stepping())


def test_a_fall_without_rotation_is_exact_in_the_longest_steps():
    """Weight alone is constant, so a step of any length is exact, and nothing can be cheaper than one step."""
    world = gambol.make_world(ball(), ground=NoGround(), contact=Stepping(), accuracy=1e-6)
    assert world.timing.step == MAX_PASSIVE_STEP
    assert world.method == Stepping(iterations=4)


def test_a_pendulum_has_the_longest_steps_that_meet_the_accuracy():
    """Against an integrator of order 8: the chosen number of steps meets the accuracy, and the next smaller does not.

    The bob is so small that the distance of the link is that of its centre.
    """
    accuracy, fit = 3e-4, fit_accuracy(pendulum(), 3e-4)
    (link,) = fit.world.figure.links
    mass = link.mass_properties.mass
    frequency = math.sqrt(mass * 9.81 * LENGTH / (mass * LENGTH**2 + 0.4 * mass * RADIUS**2))
    first = start(fit.world, WORLDS, jitter=JITTER, seed=0)
    exact = np.array([
        solve_ivp(lambda _, y: [y[1], -(frequency**2) * math.sin(y[0])], (0.0, DURATION), [q, 0.0], "DOP853", None,
                  rtol=1e-12, atol=1e-12).y[0, -1]
        for q in first.q[:, 0]
    ])  # fmt: skip

    def error(count: int) -> float:
        step = MAX_PASSIVE_STEP / count
        world = replace(fit.world, timing=replace(fit.world.timing, control_step=MAX_PASSIVE_STEP, step=step))
        state = start(world, WORLDS, jitter=JITTER, seed=0)
        Engine(world).advance(state, round(DURATION / MAX_PASSIVE_STEP))
        return float(np.median(2.0 * LENGTH * np.abs(np.sin(0.5 * (state.q[:, 0] - exact))))) / float(world.size)

    chosen = round(MAX_PASSIVE_STEP / fit.world.timing.step)
    fewer = COUNTS[COUNTS.index(chosen) - 1]
    assert error(chosen) <= accuracy < error(fewer)
    assert fit.error == pytest.approx(error(chosen), rel=0.1)


def test_worlds_wait_for_those_of_their_block():
    motions = ComparedMotions.of(gambol.make_world(ball(), contact=Stepping()), INPUTS)
    motions.ends[1] = motions.first.copied()
    motions.ends[1].step_state.clock.taken[:] = np.arange(WORLDS)
    assert motions.steps_waited(1) == pytest.approx(0.5 * (15.0 + 31.0) / motions.control_steps)


def test_costs_multiply():
    world = gambol.make_world(ball(), contact=Stepping())
    assert cost_of(world) == 1.0
    assert cost_of(gambol.make_world(ball(), contact="penalty")) == 1.0
    fast = with_options(world, second_order_landings=True, extrapolated=True, landing_steps=3)
    expected = COSTS["second_order_landings"] * COSTS["extrapolated"] * COSTS["landing_steps"]
    assert cost_of(fast) == pytest.approx(expected)
    assert set(COSTS) == {field for option in OPTIONS for field in option.fields}


@pytest.mark.parametrize("max_contacts", [5, 20])
def test_there_is_room_for_all_contacts(max_contacts: int):
    """20 balls on the ground are 20 contacts, whatever the capacity of the given world."""
    reference = Reference.of(rod_of_balls(20, max_contacts), INPUTS)
    assert not reference.motions.over_capacity(reference.count).any()
    assert reference.motions.engine.world.contact_capacity == 20
    fit = fit_accuracy(rod_of_balls(20, max_contacts), 1e-2)
    assert fit.world.contact_capacity == 20


def test_worlds_with_more_contacts_than_the_capacity_are_infinitely_far():
    motions = ComparedMotions.of(rod_of_balls(20, 19), INPUTS)
    assert np.isinf(motions.by_step(4)).all()
    assert motions.over_capacity(4).all()


@pytest.mark.slow
def test_motions_with_all_options_approach_that_of_the_reference():
    """In steps of a sixteenth, each is less than a quarter as far from it; so there is one motion that all approach."""
    reference = Reference.of(stander(), INPUTS)
    world, size = reference.motions.engine.world, reference.motions.engine.world.size
    exact = reference.motions.by_step(1024)
    for option in OPTIONS:
        other = option.added_to(world)
        if other is not None:
            motions = ComparedMotions.of(other, INPUTS)
            coarse, fine = (median_distance(motions.by_step(n), exact, size) for n in (16, 256))
            assert fine < coarse / 4.0, option.fields


def test_progress_is_reported():
    """Once for each option and the steps without options; the choice of the solver is left."""
    calls = list[tuple[int, int]]()
    fit_accuracy(pendulum(), 1e-2, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, len(OPTIONS) + 2) for done in range(1, len(OPTIONS) + 2)]
