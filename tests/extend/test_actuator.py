"""Actuators from outside the package, as docs/extend/actuator.md adds them: a DC motor, and a muscle over two joints.

The independent routes are the matrix exponential of the motor's linear equations, and MuJoCo's filtered actuator on a
fixed tendon.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np
import pytest
from drives import ConstantPattern, joint_world, wheel
from pages import restored, run_page
from scipy.integrate import simpson
from scipy.linalg import expm
from scipy.optimize import brentq
from worlds import energy_balance, moved

from gambol.actuation import ACTUATORS, Actuator, add_actuator
from gambol.control import Drive
from gambol.errors import WorldError
from gambol.formats import read_mjcf
from gambol.world import Engine, Film, State, Timing, World, run, start

R, L, K, INERTIA, VOLTS = 1.0, 0.004, 0.1, 1e-3, 6.0
A = np.array([[-R / L, -K / L], [K / INERTIA, 0.0]])
SPAN, CONTROL_STEP = 0.06, 0.005
SMOOTH = ("rk4", "implicit midpoint", "variational", "leapfrog", "implicit euler")
ORDERS = {"rk4": 4, "implicit midpoint": 2, "variational": 2, "leapfrog": 2, "implicit euler": 1}
FIXED = [("penalty", method) for method in SMOOTH] + [("stepping", "rk4"), ("impulse", "rk4"), ("constraint", "rk4")]


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(ACTUATORS):
        yield run_page("extend/actuator.md")


def motor(page: dict[str, Any], **changes: float) -> Any:
    return page["DCMotor"](
        **({"lower": -12.0, "upper": 12.0, "resistance": R, "inductance": L, "constant": K} | changes)
    )


def motor_world(actuator: Any, contact: str = "penalty", method: str = "rk4", step: float = 5e-4) -> World:
    world = joint_world(wheel(INERTIA), actuator, VOLTS / 12.0, contact=contact)
    return replace(world, timing=Timing(CONTROL_STEP, step, method, tolerance=1e-6))


def exact(time: float, A: Any = A, b: float = VOLTS / L) -> Any:
    """Current and speed after a time, from rest, by the matrix exponential: A^-1 (e^(A t) - 1) (b, 0)."""
    return np.linalg.solve(A, (expm(A * time) - np.eye(2)) @ [b, 0.0])


def current(state: State, name: str = "wheel") -> Any:
    return state.actuators[name]["current"]


@pytest.mark.parametrize(("contact", "method"), FIXED)
def test_the_current_follows_its_closed_form_to_the_order_of_the_method(contact: str, method: str, page: Any):
    """At a constant voltage; in large steps it is of first order, as they take the force at the end of a step."""
    order = 1 if contact in ("stepping", "impulse") else ORDERS[method]
    engine, errors, balances = Engine(motor_world(motor(page), contact, method)), [], []
    for step in (5e-4, 2.5e-4):
        state = start(replace(engine.world, timing=replace(engine.world.timing, step=step)))
        then = moved(engine, state, SPAN)
        found = [float(current(then)[0]), float(then.v[0, 0])]
        errors.append(np.abs(found - exact(SPAN)).max())
        balances.append(abs(float((energy_balance(engine, then) - energy_balance(engine, state))[0])))
    assert errors[0] < {1: 0.2, 2: 5e-3, 4: 1e-5}[order]
    assert 0.8 * 2.0**order < errors[0] / errors[1] < 1.25 * 2.0**order
    supplied = float(then.step_state.ledger.motors[0])
    assert supplied > 0.5
    assert balances[1] < {1: 1e-2, 2: 1e-3, 4: 1e-6}[order] * supplied
    assert balances[0] > 1.7 * balances[1] or balances[0] < 1e-12  # implicit midpoint keeps it to rounding


@pytest.mark.parametrize("method", ["dormand-prince", "rosenbrock"])
def test_adaptive_steps_solve_the_current_within_the_tolerance(method: str, page: Any):
    """A rejected step leaves the current as it was: errors stay of the size of the tolerance, times the steps taken."""
    world = motor_world(motor(page), method=method, step=CONTROL_STEP)
    state = moved(Engine(world), start(world), SPAN)
    clock = state.step_state.clock
    assert clock.rejected[0] >= 1.0
    assert abs(float(current(state)[0]) - exact(SPAN)[0]) < world.timing.tolerance * clock.taken[0]


def test_large_steps_are_stable_however_fast_the_coil(page: Any):
    """With L / R = 1e-6 s, and steps of 5 ms, the speed rises as without a coil: 1 - exp(-t k^2 / (R I))."""
    world = motor_world(motor(page, inductance=1e-6), "stepping", step=CONTROL_STEP)
    rate, seconds = K * K / (R * INERTIA), 0.3
    state = moved(Engine(world), start(world), seconds)
    expected = VOLTS / K * (1.0 - math.exp(-rate * seconds))
    np.testing.assert_allclose(state.v[0, 0], expected, rtol=rate * CONTROL_STEP)
    np.testing.assert_allclose(current(state), (VOLTS - K * state.v[0, 0]) / R, rtol=1e-3)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("contact", ["penalty", "stepping", "constraint"])
def test_a_restored_state_continues_with_the_same_bits(contact: str, precision: Any, tmp_path: Path, page: Any):
    method = "rk4" if contact == "stepping" else "rkf45"
    world = motor_world(motor(page), contact, method)
    world = replace(world, timing=replace(world.timing, tolerance=1e-4))
    engine, state = Engine(world, precision), start(world, 3, precision=precision)
    current(state)[:] = [0.0, 1.0, 2.0]
    middle = moved(engine, state, 0.02)
    np.save(tmp_path / "state.npy", middle.rows)
    later = moved(engine, middle, 0.02)
    again = moved(Engine(world, precision), State(world, np.load(tmp_path / "state.npy")), 0.02)
    np.testing.assert_array_equal(again.rows, later.rows)
    np.testing.assert_array_equal(moved(engine, state, 0.04).rows, later.rows)
    assert len(set(current(middle).tolist())) == 3


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_lanes_have_motors_of_their_own_and_one_that_breaks_disturbs_none(contact: str, page: Any):
    world = motor_world(motor(page), contact)
    engine, resistance = Engine(world), np.array([0.5, 1.0, np.nan, 2.0])
    numbers = world.numbers()["actuators"]
    given = engine.numbers(actuators={"wheel": numbers["wheel"] | {"resistance": resistance}})
    state = start(world, 4)
    engine.advance(state, 8, given)
    assert list(state.step_state.clock.status > 0.5) == [False, False, True, False]
    assert current(state)[2] == 0.0
    for lane in (0, 1, 3):
        alone = motor_world(motor(page, resistance=float(resistance[lane])), contact)
        own = start(alone)
        Engine(alone, lanes=1).advance(own, 8)
        np.testing.assert_array_equal(own.rows[:, 0], state.rows[:, lane])


def test_a_film_has_the_state_as_a_signal_and_the_ledger_closes(tmp_path: Path, page: Any):
    world = motor_world(motor(page))
    film = run(world, start(world, 2), SPAN, rate=1.0 / CONTROL_STEP)
    signal = film.signals["actuator wheel current"]
    np.testing.assert_allclose(signal[:, 1], [exact(t)[0] for t in film.time], atol=1e-5)
    heat = film.signals["damping"][-1, 0]
    times = np.linspace(0.0, SPAN, 241)
    squares = np.array([exact(t)[0] ** 2 for t in times])
    np.testing.assert_allclose(heat, R * simpson(squares, x=times), rtol=1e-5)
    film.save(tmp_path / "film.npz")
    np.testing.assert_array_equal(Film.load(tmp_path / "film.npz").signals["actuator wheel current"], signal)


ARM = """<mujoco><compiler angle="radian"/><option timestep="0.001" integrator="RK4"/>
<worldbody><body name="upper" pos="0 0 1"><joint name="one" axis="0 1 0" damping="0.02"/>
  <inertial pos="0 0 -0.15" mass="1" diaginertia="0.01 0.01 0.001"/>
  <body name="lower" pos="0 0 -0.3"><joint name="two" axis="0 1 0" damping="0.02"/>
    <inertial pos="0 0 -0.15" mass="0.7" diaginertia="0.01 0.01 0.001"/></body></body></worldbody>
<tendon><fixed name="t"><joint joint="one" coef="0.03"/><joint joint="two" coef="0.02"/></fixed></tendon>
<actuator><general tendon="t" dyntype="filter" dynprm="0.03" gaintype="affine" gainprm="-200 0 -100" biastype="affine"
  biasprm="0 -4000 0"/></actuator></mujoco>"""


def arm_world(page: Any, tmp_path: Path, contact: str, method: str, step: float) -> World:
    """The arm of ARM with the page's muscle; its tendon is stretched and far below its largest speed throughout."""
    (tmp_path / "arm.xml").write_text(ARM)
    model = read_mjcf(tmp_path / "arm.xml")
    muscle = page["TwoJointMuscle"]((0.03, 0.02), 200.0, 4000.0, 2.0, rise=0.03, fall=0.03, joints=("upper", "lower"))
    return World(
        model.figure,
        model.springs,
        controller=Drive(ConstantPattern((0.4,)), {"flexor": muscle}),
        contact=contact,
        timing=Timing(0.01, step, method),
    )


def mujoco_arm(q: Any, seconds: float) -> Any:
    """Return angles, speeds and activation by MuJoCo."""
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    data.qpos[:], data.ctrl[:] = q, 0.7
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        assert data.ten_length[0] > 0.0
        assert abs(data.ten_velocity[0]) < 2.0
    return np.array([*data.qpos, *data.qvel, *data.act])


@pytest.mark.parametrize(("contact", "step", "close"), [("penalty", 1e-3, 1e-8), ("stepping", 1e-4, 2e-2)])
def test_a_muscle_over_two_joints_moves_them_as_in_mujoco(
    contact: str, step: float, close: float, tmp_path: Path, page: Any
):
    """The method of rk4 is MuJoCo's; large steps are of first order: closer with a tenth of the step."""
    q, seconds = [0.9, 0.8], 0.08
    expected = mujoco_arm(q, seconds)
    world = arm_world(page, tmp_path, contact, "rk4", step)
    engine = Engine(world)

    def error(step: float) -> float:
        state = start(replace(world, timing=replace(world.timing, step=step)), q=q)
        then = moved(engine, state, seconds)
        activation = then.actuators["flexor"]["activation"]
        return float(np.abs(np.concatenate([then.q[0], then.v[0], activation]) - expected).max())

    assert error(step) < close
    if contact == "stepping":
        assert 1.7 < error(2.0 * step) / error(step) < 2.3


def test_the_muscle_gives_back_what_its_spring_stores(tmp_path: Path, page: Any):
    """Energy is kept to the error of rk4, while the active element does work."""
    world = arm_world(page, tmp_path, "penalty", "rk4", 1e-3)
    engine, state = Engine(world), start(world, q=[0.9, 0.8])
    then = moved(engine, state, 0.08)
    assert abs(float(then.step_state.ledger.motors[0])) > 0.1
    np.testing.assert_allclose(energy_balance(engine, then), energy_balance(engine, state), atol=1e-6)


def test_an_event_is_found_where_the_closed_form_has_it(page: Any):
    """The speed passes 20 rad/s within a control step: the current is advanced by a part of the step."""
    world = motor_world(motor(page))
    film = run(world, start(world), SPAN, rate=1.0 / CONTROL_STEP, events={"fast": lambda q, v: v[0] - 20.0})
    (record,) = film.events
    np.testing.assert_allclose(record.time, brentq(lambda t: exact(t)[1] - 20.0, 1e-3, SPAN), atol=1e-6)


@dataclass(frozen=True)
class SeriesElastic(Actuator):
    """A motor behind a spring, as a newcomer wrote it from the page: stiffness K [N m/rad], lag T of its angle [s].

    theta' = (u - theta) / T        tau = K (theta - q)
    """

    kind: ClassVar[str] = "test series elastic"
    commands: ClassVar[tuple[str, ...]] = ("target",)

    lower: float
    upper: float
    stiffness: float
    lag: float
    joints: tuple[str, ...] = ()

    def initial_state(self, numbers: Any, at: Any) -> dict[str, Any]:
        return {"angle": at.q[0]}

    def derivative(self, numbers: Any, at: Any) -> dict[str, Any]:
        return {"angle": (at.commands[0] - at.state["angle"]) / numbers["lag"]}

    def force(self, numbers: Any, at: Any) -> list[Any]:
        return [numbers["stiffness"] * (at.state["angle"] - at.q[0])]

    def supply(self, numbers: Any, at: Any) -> Any:
        return self.force(numbers, at)[0] * self.derivative(numbers, at)["angle"]

    def energy(self, numbers: Any, at: Any) -> Any:
        stretch = at.state["angle"] - at.q[0]
        return 0.5 * numbers["stiffness"] * stretch * stretch


class Infinite(SeriesElastic):
    """A spring of infinite stiffness."""

    kind: ClassVar[str] = "test infinite"

    def force(self, numbers: Any, at: Any) -> list[Any]:
        return [math.inf * (1.0 + at.state["angle"] - at.q[0])]


def test_a_motor_behind_a_spring_turns_its_wheel_as_linear_equations_do():
    """States (q, v, theta): x' = B x + (0, 0, u / T), from rest, by the matrix exponential."""
    stiffness, lag, target = 0.5, 0.05, 0.8
    add_actuator(SeriesElastic)
    world = joint_world(wheel(INERTIA), SeriesElastic(-1.0, 1.0, stiffness, lag), target)
    film = run(world, start(world), 0.3, rate=100.0)
    B = np.array([[0.0, 1.0, 0.0], [-stiffness / INERTIA, 0.0, stiffness / INERTIA], [0.0, 0.0, -1.0 / lag]])
    end = np.array([target, 0.0, target])
    expected = [end - expm(B * t) @ end for t in film.time]
    np.testing.assert_allclose(film.signals["actuator wheel angle"][:, 0], [x[2] for x in expected], atol=1e-6)
    kinetic = [0.5 * INERTIA * x[1] ** 2 for x in expected]
    np.testing.assert_allclose(film.signals["kinetic"][:, 0], kinetic, atol=1e-6)
    assert film.signals["motors"][-1, 0] > 0.01
    assert abs(film.signals["unaccounted"][-1, 0]) < 1e-6


def test_a_force_that_is_not_finite_is_an_error_of_the_world():
    add_actuator(Infinite)
    with pytest.raises(WorldError, match=r'"wheel" \(of kind "test infinite"\) has the forces \[inf\] at rest'):
        joint_world(wheel(INERTIA), Infinite(-1.0, 1.0, 1.0, 1.0), 0.5)
