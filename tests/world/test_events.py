"""Events between the frames of a film, and their times, against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.contact import ContactParameters, SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part, Sphere
from gambol.integrate import ConvergenceWarning
from gambol.world import Film, Timing, World, ZeroCrossing, run, start
from gambol.world.events.convergence import name_lanes

G, R = 9.81, 0.05
BALL = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(R)),)),))
HARD = ContactParameters(2000.0, 0.0, 1.0, 5.0, 0.05, 0.5, 0.1, 0.5, 500.0, 0.1, 0.1)
FLOOR = World(BALL, surface=SurfaceProperties(HARD), timing=Timing(1.0 / 240.0, 1e-4, "rkf45", 1e-7))
STEPS = replace(FLOOR, contact="stepping", timing=Timing(1.0 / 240.0, 1.0 / 960.0, "semi-implicit euler"))
ROD = Figure(
    "rod", (Link("rod", None, Joint("revolute", axis=(0.0, 1.0, 0.0)), (), MassProperties(1.0, (0.0, 0.0, -1.0))),)
)
SWING = World(ROD, timing=Timing(1.0 / 240.0, 1e-3, "rkf45", 1e-10))


def height(q, v):
    """Return the height of the lowest point of the ball above the ground [m]."""
    return q[6] - R


@pytest.mark.parametrize(
    ("world", "touches"),
    [(FLOOR, ZeroCrossing(height, "falling", 1e-10)), (STEPS, ZeroCrossing(lambda q, v: v[5], "rising", 1e-10))],
    ids=["penalty", "stepping"],
)
def test_a_ball_touches_the_ground_when_it_has_fallen_so_far(world, touches):
    """It sinks into a soft ground, and rebounds from a solid one."""
    heights = np.array([0.1, 0.23, 0.4])
    state = start(world, 3, position=[[0.0, 0.0, R + x] for x in heights])
    film = run(world, state, 0.35, rate=240.0, events={"lands": touches})
    first = [next(event for event in film.events if event.lane == lane) for lane in range(3)]
    falls = np.sqrt(2.0 * heights / G)
    np.testing.assert_allclose([event.time for event in first], falls, rtol=0.0, atol=1e-9)
    # the height there is 0 within what is covered in the precision of the time, and in rounding; what falls in large
    # steps is where its last velocity takes it, off by up to g h^2 / 2
    off = 1e-10 * G * falls.max() + 1e-12 if world is FLOOR else 0.5 * G * STEPS.timing.step**2
    np.testing.assert_allclose([event.q[6] for event in first], R, rtol=0.0, atol=off)
    # with e = 1/2 it leaves the solid ground with half its speed; a stage of rkf45 that reaches into the soft one by
    # some 1e-6 m is felt as 2000 N/m on 0.5 kg for a step of 1e-3 s at most
    turned = 1.0 if world is FLOOR else -0.5
    np.testing.assert_allclose([event.v[5] for event in first], -G * falls * turned, rtol=1e-4)
    assert [event.time for event in film.events] == sorted(event.time for event in film.events)


@pytest.mark.parametrize("method", ["rkf45", "rk4", "semi-implicit euler", "implicit midpoint"])
def test_a_pendulum_is_lowest_after_a_quarter_of_its_period(method):
    world = replace(SWING, timing=replace(SWING.timing, method=method))
    film = run(world, start(world, angles={"rod": 0.8}), 3.0, rate=60.0, events={"lowest": lambda q, v: q[0]})
    # the exact period is the arithmetic-geometric mean's: T = 2 pi sqrt(l / g) / agm(1, cos(0.8 / 2))
    a, b = 1.0, math.cos(0.4)
    for _ in range(6):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    period = 2.0 * math.pi / math.sqrt(G) / a
    # a method of order 1 with h = 1 ms is off by at most about h / 2 at a pass; of order 2, by (h w)^2 / 24 of the time
    allowed = {"rkf45": 1e-8, "rk4": 1e-8, "implicit midpoint": 3e-6, "semi-implicit euler": 6e-4}[method]
    times = [event.time for event in film.events]
    np.testing.assert_allclose(times, [(0.25 + 0.5 * k) * period for k in range(len(times))], rtol=0.0, atol=allowed)
    assert len(times) == 3
    speed = math.sqrt(2.0 * G * (1.0 - math.cos(0.8)))
    np.testing.assert_allclose([event.v[0] for event in film.events], [-speed, speed, -speed], rtol=2e-3)


def test_directions_are_distinguished():
    def watched(direction):
        state = start(SWING, angles={"rod": 0.3})
        return run(SWING, state, 2.5, rate=60.0, events={"x": ZeroCrossing(lambda q, v: q[0], direction)}).events

    falls, rises, both = (watched(way) for way in ("falling", "rising", "either"))
    assert (len(falls), len(rises)) == (1, 1)
    assert both == (*falls, *rises)
    assert falls[0].v[0] < 0.0 < rises[0].v[0]


def test_several_events_occur_in_one_frame():
    world = replace(FLOOR, timing=replace(FLOOR.timing, step=1e-3, method="rk4"))
    marks = {f"mark {k}": (lambda q, v, z=0.5 - 0.002 * k: q[6] - z) for k in range(6)}
    state = start(world, position=(0.0, 0.0, 0.501))
    state.v[:, 5] = -3.0
    film = run(world, state, 1.0 / 240.0, rate=240.0, events=marks)
    assert len(film.time) == 2
    fallen = [0.001 + 0.002 * k for k in range(6)]  # fall of 0.001 m and on, begun at 3 m/s: a root of g t^2 / 2 + 3 t
    expected = [(math.sqrt(9.0 + 2.0 * G * x) - 3.0) / G for x in fallen]
    np.testing.assert_allclose([event.time for event in film.events], expected, rtol=0.0, atol=2e-9)
    assert [event.name for event in film.events] == list(marks)


@pytest.mark.parametrize("world", [FLOOR, STEPS], ids=["penalty", "stepping"])
def test_to_watch_changes_nothing(world):
    def begun():
        return start(world, 3, position=[[0.0, 0.0, 0.06], [0.0, 0.0, 0.1], [0.0, 0.0, 0.2]])

    seen, plain = begun(), begun()
    watched = run(world, seen, 0.3, rate=240.0, events={"lands": ZeroCrossing(height, "falling")}, threads=2)
    assert np.array_equal(watched.position, run(world, plain, 0.3, rate=240.0).position)
    assert np.array_equal(seen.rows, plain.rows)
    assert watched.events


def test_lanes_see_what_they_would_alone():
    def lands(heights):
        state = start(FLOOR, len(heights), position=[[0.0, 0.0, z] for z in heights])
        return run(FLOOR, state, 0.3, rate=240.0, events={"lands": ZeroCrossing(height, "falling")}).events

    together = lands([0.06, 0.1, 0.2])
    for lane, z in enumerate((0.06, 0.1, 0.2)):
        assert [(event.time, event.q, event.v) for event in together if event.lane == lane] == [
            (event.time, event.q, event.v) for event in lands([z])
        ]


def test_events_are_saved_and_cut_with_their_film(tmp_path):
    state = start(FLOOR, 2, position=[[0.0, 0.0, 0.1], [0.0, 0.0, 0.2]])
    film = run(FLOOR, state, 0.25, rate=240.0, events={"lands": ZeroCrossing(height, "falling")})
    assert Film.load(film.save(tmp_path / "film.npz")).events == film.events
    assert {event.lane for event in film.events} == {0, 1}
    assert {event.lane for event in film.of_worlds([1]).events} == {0}
    late = film.between(0.15, 0.25).events
    assert late == tuple(event for event in film.events if event.time >= 0.15)
    assert 0 < len(late) < len(film.events)


def test_what_cannot_be_watched_is_refused():
    with pytest.raises(WorldError, match='did you mean "rising"'):
        ZeroCrossing(height, "risign")
    with pytest.raises(WorldError, match="more than 0"):
        ZeroCrossing(height, within=0.0)
    with pytest.raises(WorldError, match='the event "lands" is 3; give a function'):
        run(FLOOR, start(FLOOR), 0.1, rate=240.0, events={"lands": 3})


@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_an_implicit_step_that_does_not_converge_causes_one_warning():
    spring = ContactParameters(1e7, 0.0, 1.0, 0.0, 0.05, 0.0, 0.1, 0.5, 500.0, 0.1, 0.1)
    world = World(BALL, surface=SurfaceProperties(spring), timing=Timing(0.02, 0.02, "implicit euler"))
    state = start(world, 3, position=[[0.0, 0.0, 9.0], [0.0, 0.0, R + 0.01], [0.0, 0.0, 5.0]])
    state.v[1, 5] = -2.0
    with pytest.warns(ConvergenceWarning) as caught:
        run(world, state, 0.2, rate=50.0)
    (caught,) = (event for event in caught if event.category is ConvergenceWarning)
    assert str(caught.message).startswith('lane 1 had steps of "implicit euler" that did not converge')
    assert (
        state.step_state.clock.max_residual[0]
        == state.step_state.clock.max_residual[2]
        == 0.0
        < state.step_state.clock.max_residual[1]
    )


def test_unsolved_contact_causes_a_warning_with_its_lanes():
    stone = Figure("stone", (Link("stone", None, Joint("free"), (Part(Box((0.2, 0.3, 0.1))),)),))
    timing = replace(STEPS.timing, tolerance=1e-17)  # below rounding, which is left by any number of steps
    world = replace(STEPS, figure=stone, timing=timing, contact=replace(STEPS.method, iterations=1))
    state = start(world, 2, position=[[0.0, 0.0, 9.0], [0.0, 0.0, 0.15]])
    state.v[:, 0], state.v[:, 3] = 3.0, 1.0
    with pytest.warns(ConvergenceWarning, match='lane 1 had contacts that ".*" did not solve') as caught:
        film = run(world, state, 0.5, rate=240.0)
    assert len(caught) == 1
    steps = film.signals["unsolved"][-1]
    assert steps[0] == 0.0 < steps[1]
    assert f"in up to {steps[1]:.0f} of 480 steps" in str(caught[0].message)
    assert film.signals["residual"].shape == film.signals["unsolved"].shape == (121, 2)


def test_many_lanes_are_named_shortly():
    assert name_lanes(np.array([4])) == "lane 4"
    assert name_lanes(np.array([1, 5])) == "lanes 1, 5"
    assert name_lanes(np.arange(20)) == "lanes 0, 1, 2, 3, 4, 5, 6, 7 and 12 more"
