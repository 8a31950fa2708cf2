"""Figures that hold a pose: they stand where their stiffness says, on feet that carry their weight."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from standers import bent_by_weight, quadruped

import gambol
from gambol.actuation import Servo, VelocityServo
from gambol.creatures.holding import held_model
from gambol.creatures.holding.gains import SAG
from gambol.creatures.holding.strength import pose_torques
from gambol.creatures.holding.support import support_of
from gambol.errors import WorldError
from gambol.figure.parameters import extent
from gambol.formats import Model, Motor

ROBOT = """<mujoco><worldbody><body name="arm" pos="0 0 1"><joint name="arm" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/>
<body name="hand" pos=".4 0 0"><joint name="hand" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
</body></body></worldbody><actuator>{}</actuator>
<keyframe><key name="home" qpos=".3 -.5"/></keyframe></mujoco>"""


def robot(tmp_path: Path, motors: str) -> Model:
    (tmp_path / "robot.xml").write_text(ROBOT.format(motors))
    return gambol.read_mjcf(tmp_path / "robot.xml")


def stiffness_of(held, figure) -> np.ndarray:
    k = np.zeros(figure.nv)
    for name, pair in held.gains.items():
        k[figure.link(name).v.start] = pair[0]
    return k


@pytest.mark.parametrize("contact", ["penalty", pytest.param("stepping", marks=pytest.mark.slow)])
def test_a_quadruped_sags_by_its_stiffness_and_its_feet_carry_its_weight(contact: str):
    """Round feet on compliant ground creep until no force pulls them sideways; on hard ground they stick."""
    model, sticking = quadruped(), contact == "stepping"
    held, world = held_model(model), gambol.make_world(model, hold=True, contact=contact)
    q, state = np.array(held.model.q), gambol.start(world)
    film = gambol.run(world, state, 3.0, rate=20.0, contacts=True)
    x, f = bent_by_weight(model.figure, q, stiffness_of(held, model.figure), sticking=sticking)
    seen, largest = film.contacts(len(film.time) - 1), np.abs(x).max()
    # K x + g = J^T f is of first order: the weight changes the stiffness by up to SAG of it, and levers by x.
    np.testing.assert_allclose(state.q[0, 7:] - q[7:], x[6:], atol=SAG * largest)
    force = seen.force[np.argsort(seen.link)]
    np.testing.assert_allclose(force[:, 2], f[:, -1], rtol=largest)
    np.testing.assert_allclose(
        force[:, 0], f[:, 0] if sticking else 0.0, atol=2.0 * SAG * np.abs(f[0, 0]) if sticking else 1e-2
    )
    np.testing.assert_allclose(force.sum(axis=0), [0.0, 0.0, model.figure.mass * 9.81], atol=1e-2)
    sunk = q[6] - state.q[0, 6]
    assert math.isclose(sunk + seen.gap.mean(), -x[5], rel_tol=SAG)  # soft ground yields by the gap


def test_it_stands_where_it_was_after_a_push():
    model = quadruped()
    push = gambol.Push((0.0, 0.3 * model.figure.mass * 9.81, 0.0), 0.5, 0.6)
    world = gambol.make_world(model, hold=True, external=gambol.External(push=push))
    film = gambol.run(world, gambol.start(world), 2.5, rate=60.0)
    height, place = film.position[:, 0, 0, 2], film.position[:, 0, 0, 1]
    assert np.abs(np.diff(place)).max() > 1e-4  # it was moved
    assert abs(height[-1] - height[25]) < 1e-4
    assert film.quaternion[-1, 0, 0, 0] > 0.9999


@pytest.mark.parametrize("steepness", [0.7, 1.5])
def test_feet_stick_on_a_slope_in_large_steps_unless_it_is_steeper_than_their_friction(steepness: float):
    """Coulomb: a body rests if tan(slope) < mu, and else slides with the acceleration g (sin - mu cos).

    Feet that rest do not creep: each step ends with velocity 0 at each contact, so that a second only adds rounding:
    240 steps of 1e-16 times the size of 1 m. A body that slides moves by a t^2 / 2; its legs bend by SAG at most.
    """
    g, mu = 9.81, 0.3  # with a friction above 0.57 it would rather turn over than slide
    slope = math.atan(steepness * mu)
    down = (-g * math.sin(slope), 0.0, -g * math.cos(slope))
    world = gambol.make_world(quadruped(), hold=True, contact="stepping", gravity=down)
    slippery = replace(world.surface, parameters=replace(world.surface.parameters, friction=mu))
    world = replace(world, surface=slippery)
    film = gambol.run(world, gambol.start(world), 4.0, rate=10.0)
    places = film.position[:, 0]
    if steepness < 1.0:
        np.testing.assert_allclose(places[-1], places[30], atol=240 * 1e-16)
        return
    a = g * (math.sin(slope) - mu * math.cos(slope))
    assert math.isclose(places[0, 0, 0] - places[-1, 0, 0], a * 4.0**2 / 2.0, rel_tol=SAG)


def test_gains_are_given_for_all_or_by_name():
    model = quadruped()
    given = held_model(model, (80.0, 4.0))
    assert set(given.gains.values()) == {(80.0, 4.0)}
    some = held_model(model, {"fore left shank": (80, 4)})
    assert some.gains["fore left shank"] == (80.0, 4.0)
    assert some.gains["fore right shank"] == held_model(model).gains["fore right shank"]
    with pytest.raises(WorldError, match='no motor "fore left shan" holds a joint; did you mean "fore left shank"'):
        held_model(model, {"fore left shan": (80, 4)})
    for wrong in ((80.0,), (0.0, 1.0), (80.0, -1.0), (math.nan, 1.0), (80.0, math.inf)):
        with pytest.raises(WorldError, match="give a stiffness of more than 0 and a damping of 0 or more"):
            held_model(model, wrong)


def test_motors_of_files_have_their_limits(tmp_path: Path):
    model = robot(tmp_path, '<motor name="m" joint="arm" gear="-5" ctrlrange="-2 3"/><motor joint="hand"/>')
    held = held_model(model)
    servo = held.controller.actuators["m"]
    assert isinstance(servo, Servo)
    assert servo.strength == 10.0  # of the weaker direction
    assert held.controller.actuators["motor2"].strength == math.inf
    assert held.controller.law.values == (0.3, -0.5)


def test_position_motors_with_the_gains_of_the_file_hold_the_pose(tmp_path: Path):
    motors = '<velocity name="v" joint="arm" kv="2"/><position name="p" joint="arm" kp="50" gear="2"/>'
    held = held_model(robot(tmp_path, motors))
    servo = held.controller.actuators["p"]
    assert (servo.stiffness, servo.damping) == (200.0, 0.0)
    assert isinstance(held.controller.actuators["v"], VelocityServo)
    assert held.controller.law.values == (0.0, 0.3)
    assert not held.gains
    assert "Position motors keep the gains of the file: p." in held.notes
    assert held_model(robot(tmp_path, motors), {"p": (7, 1)}).controller.actuators["p"].stiffness == 7.0


def test_motors_without_load_are_noted_and_off(tmp_path: Path):
    muscle = '<muscle name="pull" joint="hand" lengthrange="0 1"/>'
    motors = f'<motor name="m" joint="arm"/>{muscle}<motor gear="0" joint="hand"/>'
    held = held_model(robot(tmp_path, motors))
    assert list(held.controller.actuators) == ["m", "pull"]
    assert held.controller.law.values == (0.3, 0.0)
    assert held.notes[-1] == "These motors do not hold a joint: pull, motor3."
    with pytest.raises(WorldError, match="has no joint to hold: none of its motors"):
        held_model(robot(tmp_path, muscle))


def test_an_arm_bends_by_its_weight_over_its_stiffness(tmp_path: Path):
    model = robot(tmp_path, '<motor name="m" joint="arm"/><motor name="n" joint="hand"/>')
    world = gambol.make_world(model, hold=True)
    state = gambol.start(world)
    gambol.run(world, state, 3.0, rate=20.0)
    q = state.q[0]
    tau = gambol.inverse_dynamics(model.figure, q, np.zeros(2), np.zeros(2))
    k = np.array([pair[0] for pair in held_model(model).gains.values()])
    np.testing.assert_allclose(k * (np.array([0.3, -0.5]) - q), tau, rtol=1e-5)
    assert (np.abs(q - [0.3, -0.5]) <= SAG).all()


def test_a_pose_is_found_only_for_a_figure_at_zero_that_hardly_stands():
    model = quadruped()
    angles = list(model.q)
    springs = {
        f"{end} {side} shank": gambol.JointSpring(lower=-2.0, upper=-1.2)
        for end in ("fore", "hind")
        for side in ("left", "right")
    }
    zero = replace(model, q=(), springs=springs)
    found = held_model(zero)
    assert any("nearest one to zero" in note for note in found.notes)
    assert max(found.model.q[8::2]) <= -1.2
    assert found.model.ground
    straight = held_model(replace(model, q=()))
    assert straight.model.q[7:] == (0.0,) * 8
    assert held_model(model).model.q[7:] == tuple(angles[7:])


def test_models_that_cannot_hold_are_refused():
    figure = gambol.Figure(
        "stone", (gambol.Link("stone", None, gambol.Joint("free"), (gambol.Part(gambol.Sphere(0.1)),)),)
    )
    with pytest.raises(WorldError, match='"stone" has no joint to hold'):
        held_model(Model(figure))
    model = quadruped()
    with pytest.raises(WorldError, match='"hold" drives all motors itself; leave out "actuators"'):
        gambol.make_world(model, hold=True, actuators=True)
    weak = replace(model, motors=(Motor("m", "fore left shank", weakest=0.0, strongest=3.0),))
    with pytest.raises(WorldError, match="a servo needs both directions"):
        held_model(weak)


def test_motors_too_weak_for_the_pose_are_noted_before_the_run(tmp_path: Path, caplog):
    """The closed form of two rods: the torque of a joint is that of the weights beyond it."""
    limited = '<motor name="{0} motor" joint="{0}" ctrlrange="-{1} {1}"/>'
    model = robot(tmp_path, limited.format("arm", 2.0) + limited.format("hand", 0.05))
    arm, hand = (link.mass_properties.mass for link in model.figure.links)
    far = 0.4 * math.cos(0.3) + 0.1 * math.cos(0.2)  # of the hand's centre from the shoulder, turned by .3 and -.5 rad
    shoulder = 9.81 * (arm * 0.2 * math.cos(0.3) + hand * far)
    held = held_model(model)
    assert f"arm motor (2 of {shoulder:.3g} N m or N), hand motor (0.05 of" in held.notes[-1]
    assert caplog.messages == [held.notes[-1]]
    strong = robot(tmp_path, limited.format("arm", 1.01 * shoulder) + limited.format("hand", 2.0))
    assert "too weak" not in held_model(strong).notes[-1]


def test_torques_of_a_standing_pose_are_those_of_its_simulation():
    """A quadruped hardly sags with stiff servos: each turns its joint by torque over stiffness."""
    model = quadruped()
    held = held_model(model, (2000.0, 60.0))
    support = support_of(held.model.figure, np.array(held.model.q), extent(model.figure))
    joints = [link.name for link in model.figure.links if link.v.stop - link.v.start == 1]
    torques = pose_torques(support, np.array(held.model.q), joints, 9.81, free=True)
    world = gambol.make_world(model, hold=(2000.0, 60.0))
    state = gambol.start(world)
    gambol.run(world, state, 3.0)
    bent = {name: state.q[0, model.figure.link(name).q.start] for name in joints}
    rest = {name: held.model.q[model.figure.link(name).q.start] for name in joints}
    seen = np.array([2000.0 * (rest[name] - bent[name]) for name in joints])
    assert np.abs(seen).max() > 1.0
    np.testing.assert_allclose(seen, [torques[name] for name in joints], atol=0.02 * np.abs(seen).max())


def test_a_servo_holds_a_closed_loop_where_its_stiffness_carries_the_weight():
    """A beam on two parallel bars of 1 m at the angle t: k (t_0 - t) = g (m_beam + 2 m_bar / 2) sin t."""
    hinge, start, k = (0.0, 1.0, 0.0), 0.6, 800.0
    bar = gambol.Part(gambol.Box((0.05, 0.05, 1.0)), (0.0, 0.0, -0.5), density=800.0)
    load = gambol.Part(gambol.Box((1.0, 0.1, 0.1)), (0.5, 0.0, 0.0), density=2000.0)
    links = (
        gambol.Link("frame", None, gambol.Joint("fixed")),
        gambol.Link("first", "frame", gambol.Joint("revolute", hinge), (bar,)),
        gambol.Link("second", "frame", gambol.Joint("revolute", hinge, position=(1.0, 0.0, 0.0)), (bar,)),
        gambol.Link("beam", "first", gambol.Joint("revolute", hinge, position=(0.0, 0.0, -1.0)), (load,)),
    )
    closure = gambol.Closure("point", "beam", "second", (1.0, 0.0, 0.0), other_position=(0.0, 0.0, -1.0))
    figure = gambol.Figure("swing", links, constraints=(closure,))
    model = Model(figure, motors=(Motor("motor", "first", "torque"),), q=(start, start, -start))
    world = gambol.make_world(model, hold={"motor": (k, 200.0)}, contact="stepping", pairs=())
    state = gambol.start(world)
    gambol.run(world, state, 6.0, rate=10.0)
    angle = float(state.q[0, 0])
    weight = 9.81 * (figure.link("beam").mass_properties.mass + figure.link("first").mass_properties.mass)
    assert start - angle > 0.05, "it sags by some degrees"
    assert k * (start - angle) == pytest.approx(weight * math.sin(angle), rel=1e-6)
    np.testing.assert_allclose(state.q[0], [angle, angle, -angle], atol=1e-9)
