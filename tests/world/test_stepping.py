"""Worlds that move in large steps: falls, bounces, stacks, holds and walks, and their ledgers."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from worlds import ball, block, energy_balance, moved, touch

from gambol.collide.broad import allowed_pairs
from gambol.contact import Stepping, SurfaceProperties
from gambol.creatures import roach, standing_state, world_of
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Closure, Figure, Joint, JointSpring, Link, MassProperties, Part, make_forest
from gambol.world import Engine, State, Timing, World, run, start

G, H = 9.81, 1e-3
BOUNCES = [0.4515236409857309, 1.1739614665629003, 1.7519117270246358]  # of a ball from 1 m, e = 0.8


def world(figure: Figure, *, step: float = H, control_step: float = 0.01, **how: Any) -> World:
    surface = touch(restitution=how.pop("e", 0.0), friction=how.pop("mu", 0.5))
    contact = Stepping(max_contacts=how.pop("max_contacts", None))
    return World(
        figure,
        surface=SurfaceProperties(surface),
        contact=contact,
        timing=Timing(control_step=control_step, step=step),
        **how,
    )


def test_a_ball_bounces_when_and_as_high_as_it_should():
    """Free fall and bounces are exact for steps of any length."""
    engine = Engine(world(ball(0.1), e=0.8, control_step=H))
    state = start(engine.world, position=(0.0, 0.0, 1.1))
    speeds = [state.v[0, 5]]
    for frame in range(1, 1800):
        engine.advance(state, frame)
        speeds.append(float(state.v[0, 5]))
    up = [k for k in range(1, len(speeds)) if speeds[k - 1] < 0.0 < speeds[k]]
    np.testing.assert_allclose([k * H for k in up], BOUNCES, atol=H)
    leaving = [speeds[k] + G * (k * H - t) for k, t in zip(up, BOUNCES, strict=True)]
    np.testing.assert_allclose(leaving, [0.8 ** (n + 1) * np.sqrt(2.0 * G) for n in range(3)], rtol=1e-9)


@pytest.mark.parametrize(("e", "last"), [(1.0, 0.0), (0.5, G * H), (0.0, np.sqrt(2.0 * G))])
def test_the_ledger_of_a_ball_closes(e: float, last: float):
    """To rounding while it bounces; if it comes to rest within a step, weight does work for half a step too long."""
    engine = Engine(world(ball(0.1), e=e))
    begun = start(engine.world, position=(0.0, 0.0, 1.1))
    ended = moved(engine, begun, 3.0)
    energy = 1.0 * G * 1.0
    left = 0.5 * G * H * last + 1e-10 * energy
    np.testing.assert_allclose(energy_balance(engine, ended) - energy_balance(engine, begun), 0.0, atol=left)
    if e == 1.0:
        assert float(ended.step_state.ledger.impact[0]) == pytest.approx(0.0, abs=1e-9 * energy)


def test_a_stack_stands_still():
    """Three blocks on each other for 8 s: no drift, no creep, no overlap."""
    figure = make_forest("stack", [block((0.2, 0.2, 0.1)) for _ in range(3)])
    engine = Engine(world(figure, pairs=allowed_pairs(figure), max_contacts=24))
    state = start(engine.world)
    for k, link in enumerate(figure.links[1:]):
        state.q[0, link.q.start + 4 : link.q.stop] = (0.01 * k, 0.0, 0.05 + 0.1 * k)
    settled = moved(engine, state, 4.0)
    ended = moved(engine, settled, 4.0)
    assert abs(ended.v).max() < 1e-9
    assert abs(ended.q - settled.q).max() < 1e-9
    heights = [ended.q[0, link.q.stop - 1] for link in figure.links[1:]]
    np.testing.assert_allclose(heights, [0.05, 0.15, 0.25], atol=1e-4 * 0.3)


@cache
def thrown(precision: Any = "float64") -> tuple[World, State]:
    """Nineteen pairs of blocks, thrown and turning, that land on the ground and on each other."""
    figure = make_forest("two", [block((0.4, 0.3, 0.2)), ball(0.15)])
    tested_world = world(figure, e=0.4, pairs=allowed_pairs(figure), max_contacts=6)
    state, rng = start(tested_world, 19, precision=precision), np.random.default_rng(0)
    state.q[:, 6], state.q[:, 13] = 0.4, 0.8
    state.v[:] = rng.normal(size=state.v.shape)
    return tested_world, state


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_lanes_and_threads_and_company_do_not_matter(precision: Any):
    tested_world, state = thrown(precision)
    full, threads = state.copied(), state.copied()
    Engine(tested_world, precision).advance(full, 60)
    Engine(tested_world, precision).advance(threads, 60, threads=3)
    np.testing.assert_array_equal(threads.rows, full.rows)
    alone = State(tested_world, np.ascontiguousarray(state.rows[:, 7:8]))
    Engine(tested_world, precision, lanes=1).advance(alone, 60)
    np.testing.assert_array_equal(alone.rows[:, 0], full.rows[:, 7])
    assert (full.step_state.clock.status == 0.0).all()


def test_a_saved_state_has_the_same_future():
    tested_world, state = thrown()
    engine, full, saved = Engine(tested_world), state.copied(), state.copied()
    engine.advance(full, 40)
    engine.advance(saved, 17)
    restored = State(tested_world, saved.rows.copy())
    engine.advance(restored, 40)
    np.testing.assert_array_equal(restored.rows, full.rows)


def test_thrown_blocks_never_gain_energy():
    tested_world, state = thrown()
    engine, now = Engine(tested_world), state.copied()
    before = energy(engine, now)
    for frame in range(1, 100):
        engine.advance(now, frame)
        after = energy(engine, now)
        assert (after <= before + 2e-3 * before).all()  # semi-implicit Euler lets a tumbling block's energy swing
        before = np.minimum(before, after)


def energy(engine: Engine, state: State) -> Any:
    seen = engine.observe(state)
    return seen.kinetic + seen.potential


def test_a_lane_that_breaks_stops_alone():
    tested_world, state = thrown()
    now = state.copied()
    now.v[3, 0] = 1e200
    Engine(tested_world).advance(now, 20)
    assert (now.step_state.clock.status > 0.0).tolist() == [lane == 3 for lane in range(19)]


def test_a_hard_limit_needs_no_stiffness():
    rod = MassProperties(1.0, (0.0, 0.0, -0.5), ((0.08, 0.0, 0.0), (0.0, 0.08, 0.0), (0.0, 0.0, 0.001)))
    figure = Figure("door", (Link("door", None, Joint("revolute", (0.0, 1.0, 0.0)), (), rod),))
    tested_world = world(figure, springs={"door": JointSpring(lower=-0.3, upper=0.2)})
    after = moved(Engine(tested_world), start(tested_world, angles={"door": 0.2}), 2.0)
    assert -0.3 - 1e-9 <= after.q[0, 0] <= 0.2 + 1e-9
    pushed = start(tested_world)
    pushed.v[0, 0] = 5.0
    after = moved(Engine(tested_world), pushed, 0.05)
    assert after.q[0, 0] <= 0.2 + 1e-9


@pytest.mark.filterwarnings("ignore:lane 0 had contacts that")  # fixed work; the ledger is judged
@pytest.mark.parametrize("feet", ["sliding", "sticky"])
@pytest.mark.filterwarnings("ignore:springs are too stiff for the step:gambol.world.events.ledger.LedgerWarning")
def test_the_roach_walks_in_steps_a_dozen_times_as_long(feet: Any):
    """Within 15 % of the speed that it has on a soft ground, whose mean step is 63 microseconds."""
    creature = roach()
    tested_world = world_of(creature, feet=feet, contact="stepping")
    film = run(tested_world, standing_state(creature, tested_world), 1.1, rate=240)
    centre = film.signals["centre"][:, 0, :2]
    walked = np.linalg.norm(centre[-1] - centre[72]) / (film.time[-1] - film.time[72])
    assert tested_world.timing.step > 10.0 * 63e-6
    assert walked == pytest.approx({"sliding": 0.109, "sticky": 0.102}[feet], rel=0.15)
    motors = film.signals["motors"][-1, 0]
    assert 0.0 < film.signals["numerical_damping"][-1, 0] < 0.05 * motors  # of its ankles and tarsi
    assert abs(film.signals["unaccounted"]).max() < 0.01 * motors


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"contact": "stepin"}, "stepping"),
        ({"surface": SurfaceProperties(touch(restitution=1.5))}, "above 1"),
    ],
)
def test_impossible_input_is_refused(changes: dict[str, Any], words: str):
    with pytest.raises(WorldError, match=words):
        replace(world(ball()), **changes)


@pytest.mark.parametrize("option", ["max_contacts", "iterations"])
def test_options_below_one_are_refused(option: str):
    with pytest.raises(WorldError, match=f"{option} is 0"):
        Stepping(**{option: 0})


def four_bar() -> Figure:
    """Return a trunk on two legs and a rod between their ends: a planar loop in space, with three redundant rows."""
    across = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))  # z of the hinge along y
    along = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    trunk = Link("trunk", None, Joint("free"), (Part(Box((0.3, 0.1, 0.05)), density=500.0),))
    bar = Capsule(0.02, 0.3)

    def hung(name: str, parent: str, at: Any, part: Part) -> Link:
        return Link(name, parent, Joint("revolute", (0.0, 1.0, 0.0), position=at), (part,))

    leg, rod = (Part(bar, (0.0, 0.0, -0.15), density=1e3), Part(bar, (0.15, 0.0, 0.0), along, density=1e3))
    legs = (hung("left", "trunk", (-0.15, 0.0, 0.0), leg), hung("right", "trunk", (0.15, 0.0, 0.0), leg))
    ends: Any = {"position": (0.3, 0.0, 0.0), "other_position": (0.0, 0.0, -0.3)}
    shut = Closure("hinge", "rod", "right", rotation=across, other_rotation=across, **ends)
    return Figure("four-bar", (trunk, *legs, hung("rod", "left", (0.0, 0.0, -0.3), rod)), constraints=(shut,))


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_planar_loop_may_fall_in_space(precision: Any):
    """Relations that the joints satisfy by themselves are rounding errors, and cause no impulse."""
    engine = Engine(world(four_bar()), precision)
    state = start(engine.world, 8, position=(0.0, 0.0, 0.7), precision=precision)
    state.v[:, 3:6] = np.random.default_rng(1).normal(size=(8, 3))
    state.v[:, 0] = 1.0
    before = energy(engine, state)
    after = moved(engine, state, 1.0)
    assert (energy(engine, after) < before).all()
    assert abs(after.v).max() < 1.0  # it lies on the ground, and rocks at most


def test_pairs_are_parts_of_the_figure():
    pairs = allowed_pairs(make_forest("two", [ball(), ball()]))
    with pytest.raises(WorldError, match='part 0 of link 2, which "ball" lacks'):
        world(ball(), pairs=pairs)
