"""Births: numbers, directions, places, children, limits, and the same future from a stored state."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import NoGround
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.matter.particles import (
    CurveSource,
    Emitter,
    Look,
    MeshSource,
    ParticleState,
    ParticleStepper,
    ParticleSystem,
    PointSource,
    Spread,
)
from gambol.spatial import polyline

HERE = PointSource()


def run(system, steps, h=0.01, state=None, **options):
    stepper, state = ParticleStepper(system, **options), state or ParticleState()
    for _ in range(steps):
        state = stepper.step(state, h).state
    return state


@pytest.mark.parametrize("h", [0.003, 0.01, 0.07])
def test_a_rate_and_bursts_give_their_number_at_any_step(h):
    emitter = Emitter(HERE, rate=130.0, bursts=((0.5, 7), (9.0, 5)), start=0.1, end=0.6, lifetime=Spread(100.0))
    assert len(run(ParticleSystem({"a": emitter}, (), NoGround()), math.ceil(1.0 / h), h)) == 65 + 7


def test_newborn_particles_are_evenly_spread_along_a_stream():
    emitter = Emitter(HERE, rate=20000.0, speed=Spread(1.0), lifetime=Spread(10.0))
    z = run(ParticleSystem({"a": emitter}, (), NoGround()), 10, 0.1).position[:, 2]
    counts, _ = np.histogram(z, 40, (0.0, 1.0))
    assert counts.sum() == 20000
    assert ((counts - 500.0) ** 2 / 500.0).sum() < 39.0 + 5.0 * math.sqrt(78.0)  # chi squared, 5 deviations


def test_directions_fill_a_cone_evenly():
    emitter = Emitter(direction=(1.0, 1.0, 0.0), cone=0.8, speed=Spread(2.0))
    axes = np.tile(emitter.unit_direction, (100_000, 1))
    u = emitter.velocities(np.random.default_rng(1), axes) / 2.0
    cosines = (u * axes).sum(axis=1)
    assert cosines.min() >= math.cos(0.8) - 1e-12
    middle = 0.5 * (1.0 + math.cos(0.8))  # even over the solid angle: the cosine is even
    assert cosines.mean() == pytest.approx(middle, abs=5.0 * (1.0 - math.cos(0.8)) / math.sqrt(12.0 * 100_000))
    np.testing.assert_allclose(u.mean(axis=0) / middle, axes[0], atol=0.01)


def test_sources_are_sampled_by_length_and_area():
    rng = np.random.default_rng(2)
    corner = CurveSource(polyline(((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 1.0, 0.0)))).sample(rng, 40_000)
    assert np.mean(corner[:, 1] > 0.0) == pytest.approx(0.25, abs=5.0 * math.sqrt(0.25 * 0.75 / 40_000))
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    mesh = MeshSource(vertices, np.array([[0, 1, 2], [0, 1, 3]])).sample(rng, 40_000)
    assert np.mean(mesh[:, 2] > 0.0) == pytest.approx(0.75, abs=5.0 * math.sqrt(0.25 * 0.75 / 40_000))
    lower = mesh[mesh[:, 2] == 0.0]
    np.testing.assert_allclose(lower.mean(axis=0), [1.0 / 3.0, 1.0 / 3.0, 0.0], atol=0.015)  # the centroid


def test_touches_and_deaths_have_children():
    emitters = {
        "drop": Emitter(HERE, bursts=((0.0, 3),), direction=(0.0, 0.0, -1.0), speed=Spread(2.0), on_touch="die",
                        children_at_touch=("splash", 5)),
        "splash": Emitter(speed=Spread(0.5), cone=0.3, lifetime=Spread(0.05), children_at_death=("mist", 2)),
        "mist": Emitter(speed=Spread(0.1), lifetime=Spread(5.0)),
    }  # fmt: skip
    system = ParticleSystem({**emitters, "drop": emitters["drop"]}, (), seed=4)
    stepper, state = ParticleStepper(system), ParticleState()
    state = stepper.emit(state, "drop", np.array([[0.0, 0.0, 0.1]]))
    step = stepper.step(state, 0.06)
    assert list(step.touches["obstacle"]) == [0] * 4  # the three of the burst begin in the ground
    assert sorted(step.state.kind) == [1] * 20
    assert (step.state.velocity[:, 2] > 0.0).all()
    later = stepper.step(step.state, 0.06).state
    assert sorted(later.kind) == [2] * 40


def test_a_stored_state_lanes_and_threads_give_the_same_bits():
    emitter = Emitter(
        HERE, rate=500.0, cone=0.5, lifetime=Spread(0.3, 0.2), radius=Spread(0.01, 0.005), drag=(0.1, 0.2)
    )
    system = ParticleSystem({"a": emitter}, seed=9)
    whole = run(system, 60)
    again = run(system, 30, state=run(system, 30, lanes=1))
    threaded = run(system, 60, threads=2, lanes=2)
    for other in (again, threaded):
        np.testing.assert_array_equal(other.rows, whole.rows)
        assert other.ledger == whole.ledger
    assert not np.array_equal(run(ParticleSystem({"a": emitter}, seed=8), 60).rows[:, :20], whole.rows[:, :20])


def test_particles_beyond_the_capacity_are_counted_only():
    system = ParticleSystem({"a": Emitter(HERE, rate=1000.0, lifetime=Spread(9.0))}, capacity=40)
    state = run(system, 10)
    assert (len(state), state.born, state.not_created) == (40, 40, 60)


def test_an_emitter_on_a_link_moves_and_turns_with_it():
    figure = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.1), colliding=False),)),))
    emitter = Emitter(PointSource((1.0, 0.0, 0.0)), bursts=((0.0, 50),), direction=(1.0, 0.0, 0.0), link="ball",
                      lifetime=Spread(9.0))  # fmt: skip
    stepper = ParticleStepper(ParticleSystem({"a": emitter}, (), NoGround(), figure))
    half = math.sqrt(0.5)  # turned by 90 degrees about z
    links = np.array([[0.0, 0.0, 2.0, half, 0.0, 0.0, half, 0.0, 0.0, 3.0, 0.5, 0.0, 0.0]])
    state = stepper.step(ParticleState(), 1e-6, links).state
    np.testing.assert_allclose(state.position, np.tile([0.0, 1.0, 2.0], (50, 1)), atol=5e-6)
    np.testing.assert_allclose(state.velocity, np.tile([0.5 - 3.0, 1.0, 0.0], (50, 1)), atol=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ParticleSystem({}), "without emitters"),
        (lambda: Emitter(HERE), "emits nothing"),
        (lambda: Emitter(rate=5.0), "has no source"),
        (lambda: Emitter(lifetime=Spread(1.0, 1.0)), "times above 0"),
        (lambda: Emitter(direction=(0.0, 0.0, 0.0)), "give a direction"),
        (lambda: Emitter(on_touch="stick"), '"bounce" or "die"'),
        (lambda: Look(sizes=((0.5, 1.0), (0.1, 1.0))), "order them"),
        (lambda: Look(colors=((0.0, (2.0, 0.0, 0.0, 1.0)),)), "from 0 to 1"),
        (lambda: MeshSource(np.zeros((3, 3)), np.array([[0, 1, 2]])), "no particles can be born on it"),
        (lambda: ParticleSystem({"a": Emitter(children_at_death=("b", 2))}), 'children of "b"; the emitters are a'),
        (lambda: ParticleSystem({"a": Emitter(link="foot")}), 'on link "foot"; the links are none'),
    ],
)
def test_what_is_impossible_is_refused(make, message):
    with pytest.raises(WorldError, match=message):
        make()


def test_a_step_without_time_and_unknown_names_are_refused():
    stepper = ParticleStepper(ParticleSystem({"a": Emitter()}))
    with pytest.raises(WorldError, match="a step of 0"):
        stepper.step(ParticleState(), 0.0)
    with pytest.raises(WorldError, match="no emitter"):
        stepper.emit(ParticleState(), "b", np.zeros((1, 3)))


def test_the_order_of_the_rows_in_memory_changes_nothing():
    """Particles born at events leave rows in any order of memory, as do those that stay where others die."""
    stepper = ParticleStepper(ParticleSystem({"dust": Emitter(speed=Spread(1.0, 0.5), lifetime=Spread(1.0))}))
    state = stepper.emit(ParticleState(), "dust", np.zeros((5, 3)))
    turned = replace(state, rows=np.asfortranarray(state.rows))
    assert not turned.rows.flags.c_contiguous
    assert np.array_equal(stepper.step(turned, 0.01).state.rows, stepper.step(state, 0.01).state.rows)
