"""Runs: contents of a film, worlds that stop, interrupted runs, and invalid requests."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import HeightGrid, Plane
from gambol.contact import ContactParameters, SurfaceProperties
from gambol.creatures import roach, standing_state, world_of
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.world import Engine, State, StoppedWarning, Timing, World, record, run, start, was_interrupted
from gambol.world.capacity import GrowingCapacity
from gambol.world.record import film_ground

G = 9.81
STONE = Figure("stone", (Link("block", None, Joint("free"), (Part(Box((0.02, 0.03, 0.04))),)),))
HARD = ContactParameters(200.0, 0.0, 1.0, 0.5, 0.1, 0.5, 0.1, 0.5, 500.0, 0.1, 0.1)
AIR = World(STONE)
FLOOR = World(STONE, surface=SurfaceProperties(HARD))


def falling(world=AIR, worlds=1, height=1.0):
    return start(world, worlds, position=(0.0, 0.0, height))


def test_a_film_of_free_fall_is_a_parabola():
    film = run(AIR, falling(), 0.2, rate=600.0)
    z = film.signals["centre"][:, 0, 2]
    assert len(film.time) == 121
    assert np.allclose(film.time, np.arange(121) / 600.0, atol=1e-12)
    assert np.allclose(z, 1.0 - 0.5 * G * film.time**2, rtol=0.0, atol=1e-12)  # exact for a method of order 4
    assert np.allclose(film.position[:, 0, 0, 2], z, atol=1e-15)
    assert np.allclose(film.quaternion[:, 0, 0], (1.0, 0.0, 0.0, 0.0), atol=1e-12)


def test_energy_of_free_fall_is_all_accounted_for():
    film = run(AIR, falling(), 0.2)
    m = STONE.mass
    assert np.allclose(film.signals["kinetic"][:, 0], 0.5 * m * (G * film.time) ** 2, rtol=1e-9, atol=1e-15)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-12 * m * G


def test_two_runs_are_one():
    full = run(FLOOR, falling(FLOOR, height=0.05), 0.1)
    state = falling(FLOOR, height=0.05)
    halves = [run(FLOOR, state, 0.05), run(FLOOR, state, 0.05)]
    assert np.array_equal(np.concatenate([halves[0].time, halves[1].time[1:]]), full.time)
    joined = np.concatenate([halves[0].position, halves[1].position[1:]])
    assert np.array_equal(joined, full.position)


def test_a_lane_of_many_is_the_world_alone():
    state = falling(FLOOR, worlds=5, height=0.05)
    state.v[:, 0] = np.linspace(-20.0, 20.0, 5)  # turning about x
    alone = State(FLOOR, state.rows[:, 3:4].copy())
    many, one = run(FLOOR, state, 0.06, threads=2), run(FLOOR, alone, 0.06)
    for name in ("taken", "kinetic", "centre"):
        assert np.array_equal(many.signals[name][:, 3], one.signals[name][:, 0])
    assert np.array_equal(many.quaternion[:, 3], one.quaternion[:, 0])


def test_how_many_states_are_seen_at_once_does_not_matter(monkeypatch):
    full = run(FLOOR, falling(FLOOR, 2, height=0.03), 0.02)
    monkeypatch.setattr(record, "BATCH", 6)
    parts = run(FLOOR, falling(FLOOR, 2, height=0.03), 0.02)
    assert np.array_equal(full.position, parts.position)
    for name in set(full.signals) - {"wall"}:
        assert np.array_equal(full.signals[name], parts.signals[name])


def test_numbers_may_differ_between_worlds():
    engine = Engine(AIR)
    numbers = np.repeat(engine.numbers(), 2, axis=1)
    row = np.flatnonzero(engine.numbers(gravity=1.0)[:, 0] != engine.numbers()[:, 0])
    numbers[row, 1] = 1.62
    film = run(AIR, falling(worlds=2), 0.1, numbers=numbers)
    fallen = 1.0 - film.signals["centre"][-1, :, 2]
    assert np.allclose(fallen, (0.5 * G * 0.01, 0.5 * 1.62 * 0.01), rtol=1e-9)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-12


def test_a_world_that_breaks_stops_alone_with_a_warning():
    state = falling(worlds=3)
    state.v[1, :3] = 1e200
    with pytest.warns(
        StoppedWarning, match=r'lane 1 stopped at 0\.0000 s.*infinite or NaN.*"block" \(1\.73e\+200 rad/s\)'
    ):
        film = run(AIR, state, 0.05)
    assert film.signals["status"][-1].tolist() == [0.0, 1.0, 0.0]
    assert np.array_equal(film.position[-1, 1], film.position[0, 1])
    assert np.allclose(film.position[-1, [0, 2], 0, 2], 1.0 - 0.5 * G * 0.05**2)
    assert np.isfinite(film.position).all()
    assert not was_interrupted(film)


def test_a_film_ends_where_its_last_world_stops():
    world = replace(FLOOR, timing=Timing(tolerance=1e-9, min_step=1e-3))  # any step that is rejected was too small
    with pytest.warns(StoppedWarning, match=r"step became too small"):
        film = run(world, falling(world, height=0.03), 1.0)
    assert 0.0 < film.duration < 0.2
    assert film.signals["status"][-1, 0] == 2.0


def test_the_deepest_contact_is_named():
    state = falling(FLOOR, height=0.015)  # 5 mm inside
    state.v[0, 0] = 1e200
    with pytest.warns(StoppedWarning, match=r'deepest contact is that of "block" \(5 mm\)'):
        run(FLOOR, state, 0.01)


def test_an_interrupted_run_has_its_film():
    def stop(done, frames):
        if done == 5:
            raise KeyboardInterrupt

    state = falling()
    with pytest.warns(StoppedWarning, match="interrupted after"):
        film = run(AIR, state, 1.0, progress=stop)
    assert len(film.time) == 6
    assert was_interrupted(film)
    assert np.allclose(state.time, film.time[-1])
    assert not was_interrupted(run(AIR, state, 0.01))


def test_a_run_that_was_interrupted_between_frames_continues_from_its_last_frame(monkeypatch):
    advance, calls = GrowingCapacity.advance, []

    def interrupted(self, state, until):
        advance(self, state, until)
        calls.append(until)
        if len(calls) == 5:  # the state is ahead of the film
            raise KeyboardInterrupt

    state, whole = falling(), falling()
    with monkeypatch.context() as patch:
        patch.setattr(GrowingCapacity, "advance", interrupted)
        with pytest.warns(StoppedWarning, match="interrupted after"):
            film = run(AIR, state, 1.0)
    assert len(film.time) == 5
    assert state.time[0] == film.time[-1]
    run(AIR, state, 0.01)
    run(AIR, whole, float(film.time[-1]))
    run(AIR, whole, 0.01)
    np.testing.assert_array_equal(state.rows, whole.rows)


def test_progress_is_reported_after_every_frame():
    calls = []
    run(AIR, falling(), 0.01, rate=1200.0, progress=lambda done, frames: calls.append((done, frames)))
    assert calls == [(k, 12) for k in range(1, 13)]


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf])
def test_an_impossible_time_is_refused(seconds):
    with pytest.raises(WorldError, match="more than 0 s"):
        run(AIR, falling(), seconds)


@pytest.mark.parametrize(
    ("rate", "cure"), [(1000.0, "1200 is possible"), (5000.0, "2400 is possible"), (0.0, "2400"), (-3, "2400")]
)
def test_a_rate_that_cuts_decisions_is_refused(rate, cure):
    with pytest.raises(WorldError, match=cure):
        run(AIR, falling(), 0.1, rate=rate)


def test_a_start_that_is_not_finite_is_refused():
    state = falling(worlds=4)
    state.v[2, 0] = math.nan
    with pytest.raises(WorldError, match=r"lane 2 is not finite: [qv]\[.*link .*; 1 of 4"):
        run(AIR, state, 0.1)


def test_an_orientation_that_is_none_is_refused():
    state = falling(worlds=2)
    state.rows[:4, 1] = 0.0
    with pytest.raises(WorldError, match=r"lane 1 is a quaternion of length 0; divide"):
        run(AIR, state, 0.1)


def test_a_state_of_another_world_is_refused():
    with pytest.raises(WorldError, match="not of this world"):
        run(world_of(roach("thesis")), falling(), 0.1)


def test_a_film_larger_than_the_machine_is_refused():
    state = falling(worlds=100_000)
    with pytest.raises(WorldError, match=r"take .* GB, and this machine has .* GB; give a lower rate"):
        run(AIR, state, 1e4)


def test_grounds_are_shown_where_they_are():
    assert film_ground(Plane()).heights is None
    assert film_ground(Plane(0.3)).heights.tolist() == [[0.3, 0.3], [0.3, 0.3]]
    grid = HeightGrid(np.arange(6.0).reshape(2, 3), 0.5, -1.0, 2.0)
    shown = film_ground(grid)
    assert (shown.x0, shown.y0, shown.spacing) == (-1.0, 2.0, 0.5)
    assert np.array_equal(shown.heights, grid.heights)


def test_a_roach_is_filmed_with_its_legs():
    creature = roach("thesis")
    world = world_of(creature, begins=0.02)
    film = run(world, standing_state(creature, world), 0.06)
    assert film.limb_names == tuple(leg.name for leg in creature.legs)
    assert film.signals["stepping"].shape == (73, 1, 6)
    assert film.signals["feet"].shape == (73, 1, 6, 3)
    steps = film.signals["stepping"][:, 0]
    assert not steps[film.time < 0.02].any()
    assert steps[-1].tolist() == [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]  # the first tripod
    assert len(film.shapes) == sum(len(link.parts) for link in creature.figure.links)
    boxes = film.position[0, 0, [shape.link for shape in film.shapes]]
    assert boxes.shape == (33, 3)


def test_the_error_of_an_endless_film_names_the_possible_frames():
    with pytest.raises(WorldError, match=r"^1e\+300 frames of 1 worlds take .* GB"):
        run(AIR, falling(worlds=1), 1e308)
