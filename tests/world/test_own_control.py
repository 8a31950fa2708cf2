"""Control by a function in plain NumPy: the same motion as by a compiled law; errors that name step, world and line."""

import inspect

import numpy as np
import pytest

import gambol
from gambol import Box, Figure, Joint, Link, Part, TorqueMotor
from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import WorldError
from gambol.world import Engine, ZeroCrossing

Y = (0.0, 1.0, 0.0)
BAR = Part(Box((0.04, 0.04, 0.3)), (0.0, 0.0, -0.15))
ARM = Figure(
    "arm",
    (
        Link("upper", None, Joint("revolute", Y), (BAR,)),
        Link("lower", "upper", Joint("revolute", Y, position=(0.0, 0.0, -0.3)), (BAR,)),
    ),
)
START = np.array([0.4, -0.9])


def world_of_motors(torques=(0.0, 0.0)) -> gambol.World:
    motors = {"upper": TorqueMotor(-20.0, 20.0), "lower": TorqueMotor(-20.0, 20.0)}
    timing = gambol.Timing(1e-3, 1e-3, "semi-implicit euler")
    controller = FeedbackController(ConstantLaw(torques), motors)
    return gambol.World(ARM, ground=gambol.NoGround(), contact="stepping", controller=controller, timing=timing)


@pytest.fixture(scope="module")
def world() -> gambol.World:
    return world_of_motors()


def run(world, control, worlds=1, seconds=0.3, **options):
    state = gambol.start(world, worlds, q=START, jitter=0.1 if worlds > 1 else 0.0)
    return gambol.run(world, state, seconds, rate=100.0, control=control, **options), state


def test_constant_commands_have_the_bits_of_a_constant_law(world):
    constant = world_of_motors((3.0, -1.0))
    film = gambol.run(constant, gambol.start(constant, q=START), 0.3, rate=100.0)
    np.testing.assert_array_equal(run(world, lambda time, q, v: [3.0, -1.0])[0].quaternion, film.quaternion)


def test_gravity_compensation_holds_an_arm_at_rest(world):
    def compensation(time, q, v):
        return gambol.inverse_dynamics(ARM, q, np.zeros(2), np.zeros(2))

    _, state = run(world, compensation)
    np.testing.assert_allclose(state.q[0], START, atol=1e-12)
    _, limp = run(world, lambda time, q, v: np.zeros(2))
    assert np.abs(limp.q[0] - START).max() > 0.1


def test_a_function_of_many_worlds_moves_each_as_it_would_move_one(world):
    seen = []

    def springs(time, q, v):
        seen.append((np.shape(time), q.shape, v.shape))
        return 5.0 * np.sin(9.0 * np.asarray(time))[..., None] - 2.0 * q - 0.3 * v

    _, many = run(world, springs, worlds=3)
    assert set(seen) == {((3,), (3, 2), (3, 2))}
    assert len(seen) == 300
    starts = gambol.start(world, 3, q=START, jitter=0.1).q
    for k, q in enumerate(starts):
        state = gambol.start(world, q=q)
        gambol.run(world, state, 0.3, rate=100.0, control=springs)
        np.testing.assert_array_equal(state.q[0], many.q[k])


def test_time_and_state_are_those_of_the_control_step(world):
    times = []

    def record(time, q, v):
        times.append(time)
        q[:] = np.nan  # a copy
        return (0.0, 0.0)

    _, state = run(world, record, seconds=0.05)
    np.testing.assert_allclose(times, np.arange(50) * 1e-3, atol=1e-15)
    assert np.isfinite(state.q).all()


def test_not_finite_commands_name_step_command_and_world(world):
    def broken(time, q, v):
        commands = np.zeros((3, 2))
        commands[2, 1] = np.nan if time[0] > 0.0165 else 0.0
        return commands

    with pytest.raises(
        WorldError,
        match=r'at control step 17 \(0\.017 s\), the control function "broken" \(.*line \d+\) '
        r'returned nan for command 1 \("lower"\) in world 2',
    ):
        run(world, broken, worlds=3)


@pytest.mark.filterwarnings("ignore::gambol.world.StoppedWarning")
def test_commands_of_a_world_that_has_stopped_do_not_matter(world):
    def diverges(time, q, v):
        return np.where(np.abs(v) > 1e9, np.nan, 0.0)

    state = gambol.start(world, 2, q=START, v=[[0.0, 0.0], [1e300, 0.0]])
    alone = gambol.start(world, q=START)
    gambol.run(world, alone, 0.1, rate=100.0)
    with pytest.raises(WorldError, match=r"returned nan for command 0 .* in world 1"):
        gambol.run(world, state.copied(), 0.1, rate=100.0, control=diverges)
    gambol.run(
        world, state, 0.1, rate=100.0, control=lambda t, q, v: diverges(t, q, v) if t[0] > 0 else np.zeros((2, 2))
    )
    np.testing.assert_array_equal(state.q[0], alone.q[0])


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2), (1, 3)])
def test_the_error_of_a_wrong_shape_names_the_right_one(world, shape):
    with pytest.raises(WorldError, match=r"returned commands of shape .*; give \(2,\): one each for upper, lower"):
        run(world, lambda time, q, v: np.zeros(shape))


def test_errors_of_the_function_name_its_line(world):
    def divides(time, q, v):
        return 1 // int(q[0] * 0.0)

    line = inspect.getsourcelines(divides)[1] + 1
    with pytest.raises(
        WorldError,
        match=rf'at control step 0 \(0 s\).*"divides".* raised ZeroDivisionError in line {line} '
        "of .*test_own_control.py",
    ) as caught:
        run(world, divides)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_worlds_without_constant_commands_are_refused(world):
    drive = gambol.Drive(gambol.Commanded(2), world.controller.actuators)
    other = gambol.make_world(ARM, controller=drive)
    with pytest.raises(WorldError, match="a FeedbackController with a ConstantLaw"):
        gambol.run(other, gambol.start(other), 0.1, control=lambda time, q, v: (0.0, 0.0))


@pytest.mark.parametrize("worlds", [1, 3])
def test_events_under_a_control_function_are_those_of_its_motion(world, worlds):
    """The motion is that without events, and passes the event's angle at its time, up to the error of a chord."""

    def pushes(time, q, v):
        return np.sin(30.0 * np.asarray(time))[..., None] * np.array([2.0, -1.0])

    def run_by(**options):
        state = gambol.start(world, worlds, q=START, jitter=0.1)
        control = pushes if worlds > 1 else lambda time, q, v: pushes(time, q, v).reshape(-1)
        return gambol.run(world, state, 0.3, control=control, coordinates=True, **options), state

    plain, other = run_by(rate=1000.0)
    q, v = plain.signals["q"][:, :, 0], plain.signals["v"][:, :, 0]
    goal = float(q[150, 0])
    film, state = run_by(events={"goal": ZeroCrossing(lambda q, v: q[0] - goal)}, rate=1000.0)
    np.testing.assert_array_equal(state.q, other.q)
    crossings = np.diff(np.sign(q - goal), axis=0) != 0.0
    assert {event.lane for event in film.events} == set(np.flatnonzero(crossings.any(axis=0))) >= {0}
    acceleration = np.abs(np.diff(v, axis=0)).max() / 1e-3
    for event in film.events:
        angle = np.interp(event.time, plain.time, q[:, event.lane])
        assert abs(angle - goal) <= 2.0 * acceleration * 1e-3**2 / 8.0


def test_a_slow_function_holds_its_commands(world):
    times, commands = [], []

    def slow(time, q, v):
        times.append(time)
        return np.sin(40.0 * time) * np.array([4.0, -2.0])

    def same_held(time, q, v):
        held = np.floor(time * 50.0 + 1e-9) / 50.0
        commands.append(held)
        return np.sin(40.0 * held) * np.array([4.0, -2.0])

    _, state = run(world, slow, control_rate=50.0)
    _, other = run(world, same_held)
    np.testing.assert_allclose(times, np.arange(15) / 50.0, atol=1e-12)
    np.testing.assert_allclose(state.q, other.q, atol=1e-9)
    assert len(commands) == 300


@pytest.mark.parametrize("rate", [0.0, -1.0, 300.0, 2000.0, np.nan, np.inf])
def test_a_rate_of_no_whole_number_of_control_steps_is_refused(world, rate):
    with pytest.raises(WorldError, match=r"1000 control steps per second.* is possible"):
        run(world, lambda time, q, v: (0.0, 0.0), control_rate=rate)


@pytest.mark.parametrize(("worlds", "threads"), [(1, 1), (3, 1), (16, 1), (16, 2)])
def test_a_loop_has_the_bits_of_calls_of_the_program(world, worlds, threads):
    """Numbers that change in place are those of the next control step, whether arrays stay bound or not."""
    state = gambol.start(world, worlds, q=START, jitter=0.1)
    other, engine = state.copied(), Engine(world, lanes=1 if worlds == 1 else None)
    run_state = state.copied()

    def wave(time, q, v):
        return np.sin(5.0 * q + np.asarray(time)[..., None]) - v

    numbers = np.repeat(engine.numbers(), worlds, axis=1)
    for step in range(40):
        numbers[engine.number_rows["control"]["law"]["values"]] = wave(other.time, other.q, other.v).T
        engine.advance(other, step + 1, numbers)
    gambol.run(world, run_state, 0.04, rate=100.0, control=wave, threads=threads)
    np.testing.assert_array_equal(run_state.rows, other.rows)


def test_errors_of_computed_torque_decay_like_a_damped_oscillator():
    """With tau = ID(q, v, r'' + k (r - q) + c (r' - v)) the error obeys e'' + c e' + k e = 0 [Craig 2005, sec. 10.4].

    With k = w^2 and c = 2 w, from e = 0 and e' = s, it is s t exp(-w t). Commands are h / 2 old on average, which acts
    as an acceleration of h / 2 times the jerk of the joints; a constant one moves an oscillator by 1 / k.
    """
    w, rate, world = 20.0, 3.0, world_of_motors()
    sizes = np.array([0.5, -0.8])

    def goal(time):
        return np.outer(np.sin(rate * np.asarray(time)), sizes)

    def law(time, q, v):
        r, speed = goal(time)[0], rate * np.cos(rate * time) * sizes
        return gambol.inverse_dynamics(ARM, q, v, -(rate**2) * r + w**2 * (r - q) + 2.0 * w * (speed - v))

    state = gambol.start(world, q=np.zeros(2))
    film = gambol.run(world, state, 1.0, rate=1000.0, control=law, coordinates=True)
    q, v, t = film.signals["q"][:, 0], film.signals["v"][:, 0], film.time
    expected = goal(t) - np.outer(t * np.exp(-w * t), rate * sizes)
    jerk = np.abs(np.diff(v, n=2, axis=0)).max() / 1e-6
    assert np.abs(q - expected).max() <= 0.5e-3 * jerk / w**2
    assert np.abs(film.signals["q"][-1, 0] - goal(t[-1])).max() < 2e-3
