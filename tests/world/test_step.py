"""Motion through time against closed forms, benchmarks and conservation laws; and worlds that must stop."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from worlds import ball, block, body, diagonal, energy_balance, mechanical, moved, point, touch

from gambol.contact import SurfaceProperties
from gambol.dynamics import aba, kinematics
from gambol.figure import Figure, Joint, Link
from gambol.lanes import sin
from gambol.world import Engine, External, State, Timing, World, start
from gambol.world.step import NOT_FINITE, UNDERFLOW

SHARP = Timing(control_step=0.05, step=1e-3, tolerance=1e-12)
Y_AXIS = (0.0, 1.0, 0.0)

# IFToMM benchmark A01: a point of 1 kg on a massless rod of 1 m, let go at (-1, 0); t, x, y.
PENDULUM = [(1, 0.9862917511318754, -0.165010853125541), (10, -0.27508746257611705, -0.961419205099125)]

# Two points of 1 kg on massless rods of 1 m, both level and let go; t, the rods' angles from the vertical.
DOUBLE_PENDULUM = [(1.0, -0.6250876998063712, -1.0345850856800571), (2.0, -0.4829715342517711, -1.3240487123022964)]

# A free body with moments 1, 2, 3 that starts with w = (1, 0, 1.5), by Jacobi's elliptic functions; t, w.
TORQUE_FREE = [
    (2.0, -0.9642234345333928, 0.2650908679993166, 1.4921714414127454),
    (10.0, -0.2654793412889162, 0.9641165486333684, 1.3928961771133856),
    (20.0, -0.8383500329443455, -0.5451322979444294, 1.4666095569643818),
]

CHAIN = (2.019591147248851, 4.744142739667242, 7.855212362731937)  # rad/s: three equal masses on links of 1 m


def rods(count: int) -> Figure:
    """Points of 1 kg on massless rods of 1 m, hanging one from the other, turning about y; level at rest: along -x."""
    links = [Link("rod0", None, Joint("revolute", Y_AXIS), (), point(1.0, (-1.0, 0.0, 0.0)))]
    for k in range(1, count):
        joint = Joint("revolute", Y_AXIS, position=(-1.0, 0.0, 0.0))
        links.append(Link(f"rod{k}", f"rod{k - 1}", joint, (), point(1.0, (-1.0, 0.0, 0.0))))
    return Figure("rods", tuple(links))


def momenta(moments: Sequence[float], mass: float, state: State) -> tuple[NDArray[Any], NDArray[Any]]:
    """Linear and angular momentum in world axes of a free body whose origin is its centre of mass."""
    R = Rotation.from_quat(state.q[0, :4], scalar_first=True).as_matrix()
    p = mass * R @ state.v[0, 3:]
    return p, R @ (np.array(moments) * state.v[0, :3]) + np.cross(state.q[0, 4:7], p)


@pytest.mark.parametrize("method", ["rkf", "rk4", "euler"])
def test_free_fall_is_a_parabola(method: Any):
    world = World(body(diagonal(2.0, 1.0, 1.0, 1.0)), timing=Timing(control_step=0.01, step=0.01, method=method))
    engine, state = Engine(world), start(world, position=(0.0, 0.0, 5.0))
    state.v[0, 3:] = (1.0, 0.0, 2.0)
    after = moved(engine, state, 1.0)
    # Semi-implicit Euler falls g t h / 2 further; the other methods are exact for a parabola.
    late = 0.5 * 9.81 * 1.0 * 0.01 if method == "euler" else 0.0
    np.testing.assert_allclose(after.q[0, 4:7], (1.0, 0.0, 5.0 + 2.0 - 0.5 * 9.81 - late), atol=1e-12)
    np.testing.assert_allclose(after.v[0, 3:], (1.0, 0.0, 2.0 - 9.81), atol=1e-12)
    assert after.time[0] == pytest.approx(1.0)


def test_torque_free_body_turns_by_elliptic_functions():
    world = World(body(diagonal(1.0, 1.0, 2.0, 3.0)), gravity=0.0, timing=SHARP)
    engine, state = Engine(world), start(world)
    state.v[0, :3] = (1.0, 0.0, 1.5)
    for t, *w in TORQUE_FREE:
        state = moved(engine, state, t - float(state.time[0]))
        np.testing.assert_allclose(state.v[0, :3], w, atol=1e-8)


def test_a_spinning_box_conserves_momenta_and_energy():
    I = (0.8083333333333335, 0.6833333333333335, 0.1416666666666667)
    timing = Timing(control_step=1e-3, step=1e-3, method="rk4")
    world = World(body(diagonal(10.0, *I)), gravity=0.0, timing=timing)
    engine, state = Engine(world), start(world)
    state.v[0] = (0.5, 0.01, 0.0, -0.9, 0.4, 0.1)
    before, energy = momenta(I, 10.0, state), mechanical(engine, state)
    after = moved(engine, state, 10.0)
    for result, expected in zip(momenta(I, 10.0, after), before, strict=True):
        np.testing.assert_allclose(result, expected, atol=1e-6 * np.linalg.norm(expected))
    np.testing.assert_allclose(mechanical(engine, after), energy, rtol=1e-6)


def test_pendulum_of_the_iftomm_benchmark():
    world = World(rods(1), timing=SHARP)
    engine, state = Engine(world), start(world)
    for t, x, y in PENDULUM:
        state = moved(engine, state, t - float(state.time[0]))
        seen = state.q[0, 0]
        np.testing.assert_allclose((-np.cos(seen), np.sin(seen)), (x, y), atol=1e-6)


def test_double_pendulum():
    world = World(rods(2), timing=SHARP)
    engine, state = Engine(world), start(world, angles={"rod0": np.pi})  # along +x, as the benchmark starts
    for t, first, second in DOUBLE_PENDULUM:
        state = moved(engine, state, t - float(state.time[0]))
        angles = np.cumsum(state.q[0])  # of a rod from -x towards +z; from the vertical: pi / 2 less, and turned round
        np.testing.assert_allclose(-(angles - np.pi) + np.pi / 2, (first, second), atol=1e-6)


def test_hanging_chain_swings_at_its_three_frequencies():
    figure, tiny = rods(3), 1e-6
    hanging = np.array([-np.pi / 2, 0.0, 0.0])

    def acceleration(q: NDArray[Any]) -> NDArray[Any]:
        return np.array(aba(kinematics(figure, q.tolist(), [0.0] * 3), [0.0] * 3)[0])

    steps = tiny * np.eye(3)
    A = np.column_stack([(acceleration(hanging + d) - acceleration(hanging - d)) / (2 * tiny) for d in steps])
    np.testing.assert_allclose(np.sort(np.sqrt(np.linalg.eigvals(-A).real)), CHAIN, atol=1e-6)


def test_energy_of_a_swinging_chain_is_kept():
    world = World(rods(3), timing=SHARP)
    engine, state = Engine(world), start(world)
    np.testing.assert_allclose(mechanical(engine, moved(engine, state, 3.0)), mechanical(engine, state), atol=1e-8)


def shaken() -> World:
    """A base of 2 kg that is shaken along x with a pendulum of 1 kg and 0.5 m below it."""
    size, w = 3.0, 7.0  # m/s2, rad/s

    def shake(time: Any, q: Any, v: Any) -> list[Any]:
        return [0.0, 0.0, 0.0, size * sin(w * time), 0.0, 0.0]

    base = Link("base", None, Joint("free"), (), diagonal(2.0, 0.1, 0.1, 0.1))
    bob = Link("bob", "base", Joint("revolute", Y_AXIS), (), point(1.0, (0.0, 0.0, -0.5)))
    return World(
        Figure("shaken", (base, bob), prescribed=True), timing=SHARP, external=External(base_acceleration=shake)
    )


def test_a_shaken_pendulum_and_the_work_it_took():
    world = shaken()
    engine, state = Engine(world), start(world, angles={"bob": 0.4})
    after = moved(engine, state, 4.0)

    def peer(t: float, y: NDArray[Any]) -> list[float]:
        a = 3.0 * np.sin(7.0 * t)  # the bob lies at (-sin, -cos) of the angle about y
        return [y[1], -(9.81 * np.sin(y[0]) - a * np.cos(y[0])) / 0.5]

    expected = solve_ivp(peer, (0.0, 4.0), [0.4, 0.0], rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose((after.q[0, 7], after.v[0, 6]), expected, atol=1e-6)
    speed = 3.0 / 7.0 * (1.0 - np.cos(7.0 * 4.0))
    np.testing.assert_allclose(after.v[0, :6], [0.0, 0.0, 0.0, speed, 0.0, 0.0], atol=1e-9)
    gained = mechanical(engine, after) - mechanical(engine, state)
    np.testing.assert_allclose(after.step_state.ledger.outside, gained, atol=1e-7)


def test_a_fixed_step_is_taken_as_often_as_it_fits():
    world = World(body(diagonal(1.0, 1.0, 1.0, 1.0)), timing=Timing(control_step=0.01, step=0.003, method="rk4"))
    after = moved(Engine(world), start(world), 0.05)
    assert after.step_state.clock.taken[0] == 5 * 4  # four equal steps of 2.5 ms in each frame
    assert after.step_state.clock.rejected[0] == 0


def bouncing(tolerance: float = 1e-6, smallest: float = 1e-9) -> tuple[Engine, State]:
    timing = Timing(control_step=0.01, step=1e-3, tolerance=tolerance, min_step=smallest)
    world = World(ball(), surface=SurfaceProperties(touch()), timing=timing)
    state = start(world, 6, position=(0.0, 0.0, 0.2))
    state.q[:, 6] += 0.1 * np.arange(6)
    return Engine(world), state


def test_step_sizes_of_each_world_follow_its_own_motion():
    engine, state = bouncing()
    after = moved(engine, state, 1.0)
    clock = after.step_state.clock
    assert len(set(clock.taken.tolist())) > 3
    assert (clock.rejected > 0).all()
    assert (clock.control_steps == 100).all()
    # A step may err by 1e-6 of the ball's 0.1 m in a frame: 1e-5 m/s, of 3.7 m/s at most.
    assert (np.abs(energy_balance(engine, after) - energy_balance(engine, state)) < clock.taken * 1e-5 * 3.7).all()


def test_a_step_that_is_thrown_away_changes_nothing_but_the_step():
    engine, state = bouncing()
    landing = moved(engine, state, 0.14)
    landing.step_state.clock.step[:] = 10.0  # far too long for a landing: the first try must fail
    landing.v[:, 5] = -50.0
    world = World(
        state.world.figure,
        surface=SurfaceProperties(state.world.surface.parameters),
        timing=Timing(0.01, 1e-3, "rkf", 1e-6, min_step=0.0099),
    )
    stopped = landing.copied()
    Engine(world).advance(stopped, 1000)
    rows = len(stopped.rows)
    same = np.delete(np.arange(rows), [rows - 2, rows - 3, rows - 5])  # but for status, rejected and step
    assert (stopped.step_state.clock.status == UNDERFLOW).any()
    untaken = np.flatnonzero(stopped.step_state.clock.taken == landing.step_state.clock.taken)
    assert len(untaken) > 0
    for w in untaken:
        np.testing.assert_array_equal(stopped.rows[same, w], landing.rows[same, w])
        assert stopped.step_state.clock.rejected[w] == landing.step_state.clock.rejected[w] + 1


def test_a_step_below_the_smallest_stops_a_world():
    engine, state = bouncing(smallest=2e-3)
    after = state.copied()
    engine.advance(after, 100)
    clock = after.step_state.clock
    assert (clock.status == UNDERFLOW).all()
    assert (clock.control_steps < 100).all()
    assert np.isfinite(after.rows).all()


@pytest.mark.parametrize("method", ["rkf", "rk4", "euler"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_non_finite_world_is_frozen_and_its_neighbours_continue(method: Any, bad: float):
    world = World(ball(), surface=SurfaceProperties(touch()), timing=Timing(0.01, 1e-4, method, 1e-6))
    engine, state = Engine(world), start(world, 5, position=(0.0, 0.0, 0.2))
    state.v[:, 3] = np.arange(5)
    healthy, state.rows[9, 2] = state.copied(), bad
    broken = state.copied()
    engine.advance(healthy, 40)
    engine.advance(broken, 40)
    clock = broken.step_state.clock
    assert clock.status.tolist() == [0.0, 0.0, NOT_FINITE, 0.0, 0.0]
    assert clock.control_steps.tolist() == [40.0, 40.0, 0.0, 40.0, 40.0]
    others = [0, 1, 3, 4]
    np.testing.assert_array_equal(broken.rows[:, others], healthy.rows[:, others])
    figure = world.figure
    np.testing.assert_array_equal(broken.rows[: figure.nq + figure.nv, 2], state.rows[: figure.nq + figure.nv, 2])


def test_a_world_that_blows_up_is_stopped_where_it_still_had_numbers():
    world = World(
        block(), surface=SurfaceProperties(touch(stiffness=1e37, restitution=0.5)), timing=Timing(0.01, 1e-2, "rk4")
    )
    engine, state = Engine(world, "float32"), start(world, 2, position=(0.0, 0.0, 0.5), precision="float32")
    state.q[1, 6] = 50.0  # the other is still falling
    engine.advance(state, 60)
    assert state.step_state.clock.status.tolist() == [NOT_FINITE, 0.0]
    assert np.isfinite(state.rows).all()


def test_frozen_worlds_stay_frozen():
    engine, state = bouncing(smallest=2e-3)
    engine.advance(state, 100)
    restored = state.copied()
    engine.advance(restored, 200)
    np.testing.assert_array_equal(restored.rows, state.rows)
