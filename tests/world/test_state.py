"""States of many worlds: their initial values, their completeness, and the independence of worlds."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from worlds import ball, block, diagonal, moved, touch

from gambol.collide import HeightGrid, Plane
from gambol.contact import SurfaceProperties
from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.errors import FigureError, GambolError, WorldError
from gambol.figure import Figure, Joint, Link
from gambol.gait import GaitController, GaitMemory
from gambol.world import Engine, State, Timing, World, start

STRIDE = 240  # frames, 0.1 s


@pytest.fixture(scope="module")
def thesis() -> Creature:
    return roach("thesis")


@pytest.fixture(scope="module")
def walk(thesis: Creature) -> World:
    return world_of(thesis, begins=0.01)


@pytest.fixture(scope="module")
def engine(walk: World) -> Engine:
    return Engine(walk)


@pytest.fixture(scope="module")
def walking(engine: Engine, walk: World, thesis: Creature) -> State:
    """Return eight roaches after a stride of walking."""
    state = standing_state(thesis, walk, 8, jitter=0.02, seed=4)
    engine.advance(state, STRIDE)
    return state


def test_the_same_state_has_the_same_future(engine: Engine, walking: State):
    saved = walking.rows.copy()
    first = State(walking.world, saved.copy())
    engine.advance(first, STRIDE + 60)
    restored = State(walking.world, saved.copy())
    engine.advance(restored, STRIDE + 30)
    engine.advance(restored, STRIDE + 60)  # stopping on the way changes nothing either
    np.testing.assert_array_equal(first.rows, restored.rows)
    assert not np.array_equal(first.rows, saved)


def test_worlds_walk_alike_alone_and_side_by_side(engine: Engine, walking: State):
    together = walking.copied()
    engine.advance(together, STRIDE + 60)
    threaded = walking.copied()
    engine.advance(threaded, STRIDE + 60, threads=2)
    np.testing.assert_array_equal(threaded.rows, together.rows)
    alone = State(walking.world, walking.rows[:, 5:6].copy())
    engine.advance(alone, STRIDE + 60)
    np.testing.assert_array_equal(alone.rows[:, 0], together.rows[:, 5])


def test_many_blocks_of_lanes_on_threads_agree():
    world = World(block(), surface=SurfaceProperties(touch()), timing=Timing(0.01, 1e-3, tolerance=1e-6))
    engine, state = Engine(world), start(world, 37, position=(0.0, 0.0, 0.2))
    state.v[:, :3] = np.random.default_rng(0).normal(size=(37, 3))
    one, two = state.copied(), state.copied()
    engine.advance(one, 30, threads=1)
    engine.advance(two, 30, threads=3)
    np.testing.assert_array_equal(one.rows, two.rows)
    scalar = state.copied()
    Engine(world, lanes=1).advance(scalar, 30)
    np.testing.assert_array_equal(scalar.rows, one.rows)


@pytest.mark.parametrize(("worlds", "threads"), [(1, 1), (16, 1), (21, 2)])
def test_sampled_states_are_those_of_advancing_step_by_step(worlds: int, threads: int):
    def places(world: World, step_state: Any, numbers: Any, scale: float, table: Any) -> tuple[list[Any], Any]:
        return [scale * x for x in step_state.q[4:7]], numbers["gravity"]

    world = World(block(), surface=SurfaceProperties(touch()), timing=Timing(0.01, 1e-3, tolerance=1e-6))
    engine, state = Engine(world), start(world, worlds, position=(0.0, 0.0, 0.2))
    state.v[:, :3] = np.random.default_rng(0).normal(size=(worlds, 3))
    followed, frames = state.copied(), (0, 4, 5, 30)
    show, scale = engine.observer("places", places, 0.0), np.linspace(1.0, 2.0, worlds)[None]
    result = engine.sample(followed, frames, show, (engine.numbers(), scale), threads)
    for k, frame in enumerate(frames):
        engine.advance(state, frame)
        np.testing.assert_array_equal(result[:3, :, k], scale * state.q[:, 4:7].T)
    assert (result[3] == world.gravity).all()
    np.testing.assert_array_equal(followed.rows, state.rows)


def test_a_world_without_numbers_does_not_disturb_walkers_beside_it(engine: Engine, walking: State):
    healthy, broken = walking.copied(), walking.copied()
    broken.v[3, 7] = np.nan
    engine.advance(healthy, STRIDE + 24)
    engine.advance(broken, STRIDE + 24)
    others = np.delete(np.arange(8), 3)
    np.testing.assert_array_equal(broken.rows[:, others], healthy.rows[:, others])
    assert broken.step_state.clock.status[3] == 1.0
    assert broken.step_state.clock.control_steps[3] == STRIDE


def test_rejected_steps_do_not_disturb_oscillators(walking: State):
    assert (walking.step_state.clock.rejected > 0).all()
    cycle = 2 * walking.world.controller.metabolism  # pyright: ignore[reportOptionalMemberAccess]
    strides = (STRIDE - 24) / 2400.0 / cycle
    np.testing.assert_allclose(walking.step_state.memory.control.master, strides, rtol=1e-12)


def test_single_precision_walks_close_by(thesis: Creature, walk: World, engine: Engine):
    rough = standing_state(thesis, walk, 2, jitter=0.01, precision="float32")
    Engine(walk, "float32").advance(rough, STRIDE)
    exact = standing_state(thesis, walk, 2, jitter=0.01)
    engine.advance(exact, STRIDE)
    assert rough.rows.dtype == np.float32
    assert (rough.step_state.clock.status == 0.0).all()
    np.testing.assert_allclose(rough.q[:, 4:7], exact.q[:, 4:7], atol=2e-3)


def test_numbers_may_differ_between_worlds():
    world = World(ball(), surface=SurfaceProperties(touch()), timing=Timing(0.01, 1e-3))
    engine, state = Engine(world), start(world, 3, position=(0.0, 0.0, 50.0))
    gravity = np.array([9.81, 1.62, 0.0])
    fallen = moved(engine, state, 1.0, engine.numbers(gravity=gravity))
    np.testing.assert_allclose(fallen.q[:, 6], 50.0 - 0.5 * gravity, rtol=1e-12)
    assert engine.numbers().shape == (len(engine.numbers()), 1)


def test_missing_numbers_are_refused():
    engine = Engine(World(ball()))
    with pytest.raises(WorldError, match='did you mean "gravity"'):
        engine.numbers(gravty=1.0)
    with pytest.raises(WorldError, match="structure"):
        engine.numbers(push=[1.0, 2.0])
    with pytest.raises(WorldError, match="cannot be combined"):
        engine.numbers(gravity=np.zeros(3), tolerance=np.ones(4))


def test_places_of_another_number_of_worlds_are_refused(walk: World, thesis: Creature):
    with pytest.raises(WorldError, match=r"\(2, 2\), not \(3, 2\)"):
        standing_state(thesis, walk, 2, positions=np.zeros((3, 2)))


def test_starts():
    joint = Joint("revolute", (0.0, 1.0, 0.0))
    arm = Link("arm", "trunk", joint, (), diagonal(1.0, 1.0, 1.0, 1.0))
    trunk = Link("trunk", None, Joint("free"), (), diagonal(1.0, 1.0, 1.0, 1.0))
    world = World(Figure("pair", (trunk, arm)))
    places = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    state = start(world, 2, position=np.array(places), angles={"arm": 0.3}, jitter=0.1, seed=7)
    np.testing.assert_array_equal(state.q[:, :4], [[1.0, 0.0, 0.0, 0.0]] * 2)
    np.testing.assert_array_equal(state.q[:, 4:7], places)
    disturbed = state.q[:, 7] - 0.3
    assert disturbed[0] != disturbed[1]
    assert np.abs(disturbed).max() < 0.5
    np.testing.assert_array_equal(start(world, 2, angles={"arm": 0.3}, jitter=0.1, seed=7).q[:, 7], state.q[:, 7])
    assert (start(world).time, start(world).v.tolist()) == (0.0, [[0.0] * 7])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"position": (0.0, np.nan, 0.0)}, WorldError, "not finite"),
        ({"angles": {"arm": np.inf}}, WorldError, "not finite"),
        ({"angles": {"am": 0.1}}, FigureError, 'did you mean "arm"'),
        ({"angles": {"trunk": 0.1}}, WorldError, '"free"'),
        ({"jitter": -1.0}, WorldError, "jitter"),
        ({"worlds": 0}, WorldError, "at least one"),
        ({"worlds": 2, "position": np.zeros((3, 3))}, WorldError, r"\(2, 3\) for 2 worlds, not \(3, 3\)"),
        ({"position": (0.0, 0.0)}, WorldError, r"not \(2,\)"),
        ({"precision": "float16"}, WorldError, 'did you mean "float64"'),
    ],
)
def test_impossible_starts_are_refused(options: dict[str, Any], error: type[Exception], message: str):
    arm = Link("arm", "trunk", Joint("revolute"), (), diagonal(1.0, 1.0, 1.0, 1.0))
    trunk = Link("trunk", None, Joint("free"), (), diagonal(1.0, 1.0, 1.0, 1.0))
    with pytest.raises(error, match=message):
        start(World(Figure("pair", (trunk, arm))), **options)


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-6), ("float64", 1e-13)])
def test_a_tolerance_below_rounding_is_refused(precision: Any, tolerance: float):
    with pytest.raises(WorldError, match="tolerance"):
        Engine(World(ball(), timing=Timing(tolerance=tolerance)), precision)


def test_a_state_of_another_precision_is_refused():
    world = World(ball())
    with pytest.raises(GambolError, match="float64"):
        Engine(world).advance(start(world, precision="float32"), 1)


def test_a_ground_of_ones_own_is_traced():
    class Ramp(Plane):
        def surface(self, numbers: Any, table: Any, x: Any, y: Any) -> Any:
            level = super().surface(numbers, table, x, y)
            return type(level)(level.height + 100.0, level.normal)

        def highest(self, numbers: Any, table: Any, x: Any, y: Any, radius: Any) -> Any:
            return super().highest(numbers, table, x, y, radius) + 100.0

    ground = touch(damping=100.0)
    worlds = [
        World(ball(), ground=g, surface=SurfaceProperties(ground), timing=Timing(0.01, 1e-3)) for g in (Plane(), Ramp())
    ]
    heights = [float(moved(Engine(w), start(w, position=(0.0, 0.0, 100.2)), 0.5).q[0, 6]) for w in worlds]
    assert heights[0] == pytest.approx(100.2 - 0.5 * 9.81 * 0.25)
    assert heights[1] == pytest.approx(100.05, abs=2e-3)


class Statue(GaitController):
    """A gait that never requests a step."""

    def decide(self, numbers: Any, memory: GaitMemory, senses: Any, dt: Any) -> GaitMemory:
        return memory


def test_a_controller_of_ones_own_is_traced(walk: World, walking: State, thesis: Creature):
    gait = walk.controller
    assert gait is not None
    assert any((state > 0.5).any() for state in walking.step_state.memory.control.state)
    own = replace(walk, controller=Statue(gait.legs, gait.rest, begins=gait.begins, reflexes=gait.reflexes))
    assert own.structure() == walk.structure()  # all that can be told apart without tracing it
    state = standing_state(thesis, own)
    Engine(own).advance(state, STRIDE)
    assert not any(state.step_state.memory.control.state)


def test_a_grid_of_a_plane_is_walked_on_like_a_plane():
    level = HeightGrid(np.full((4, 4), 0.3), 1.0, -1.5, -1.5)
    ground = touch(damping=20.0, restitution=0.7)
    timing = Timing(0.01, 1e-3, tolerance=1e-8)
    ends: list[Any] = []
    for g in (Plane(0.3), level):
        world = World(block((0.1, 0.06, 0.04)), ground=g, surface=SurfaceProperties(ground), timing=timing)
        state = start(world, position=(0.0, 0.0, 0.6))
        state.v[0, :3] = (3.0, 2.0, 1.0)
        ends.append(moved(Engine(world), state, 0.4).q)
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-6)


def test_more_worlds_than_memory_holds_are_refused_before_any_is_made(walk: World, thesis: Creature):
    for worlds in (10**9, 2**70):
        with pytest.raises(WorldError, match=r"worlds take .* GB, and this machine has .* GB; give fewer"):
            standing_state(thesis, walk, worlds)
