"""Springs, limits, motors and friction of joints in piles, against forward dynamics, closed forms and the ledger."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from worlds import touch

from gambol.actuation import Servo
from gambol.contact import Stepping, SurfaceProperties
from gambol.dynamics import aba, kinematics
from gambol.dynamics.passive import Passive
from gambol.dynamics.tangent import figure_q_dot
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.rigid import Pile, PileState, PileStepper, initial_state, linked_bodies
from gambol.spatial import Quaternion
from gambol.world import Engine, Timing, World, start
from gambol.world.external import InitialState

LENGTH = 0.3
BODY = MassProperties(1.3, (0.02, -0.01, -0.12), ((0.02, 1e-3, 0.0), (1e-3, 0.015, 2e-3), (0.0, 2e-3, 0.01)))
UPRIGHT = MassProperties(1.3, (0.02, 0.0, -0.12), ((0.02, 0.0, 0.0), (0.0, 0.015, 0.0), (0.0, 0.0, 0.01)))
WHEEL = MassProperties(2.0, (0.0, 0.0, 0.0), ((0.04, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.06)))
AXES = [(0.0, 1.0, 0.0), (0.6, 0.0, 0.8), (0.0, -0.6, 0.8)]
ACROSS = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]


def chain(kinds: list[str], mass: MassProperties = BODY, axes=AXES, **more) -> Figure:
    """A chain of joints of these kinds, hung at a height of 2 m, with these axes in turn."""
    links = []
    for k, kind in enumerate(kinds):
        across = ACROSS[k % 3] if kind in ("universal", "planar") else None
        joint = Joint(kind, axes[k % len(axes)], position=(0.0, 0.0, -LENGTH if k else 2.0), across=across, **more)
        links.append(Link(f"link{k}", f"link{k - 1}" if k else None, joint, given_mass=mass))
    return Figure("chain", tuple(links))


def run(figure, q, v, seconds, h, torques=None, targets=None, gravity=(0.0, 0.0, -9.81), **laws):
    """The linked bodies, the stepper, and the states at the begin and end of a motion."""
    linked = linked_bodies(figure, **laws)
    pile = Pile(linked.bodies, joints=linked.joints, step=h, ground=None, gravity=gravity)
    stepper = PileStepper(pile)
    begin = initial_state(pile, *linked.state(q, v))
    return linked, stepper, begin, stepper.advance(begin, round(seconds / h), torques=torques, targets=targets)


def exact(figure, q, v, seconds, springs, torques=None):
    """Coordinates and velocities after a time by articulated bodies and an adaptive Runge-Kutta method."""
    passive, nq = Passive.of(figure, springs), figure.nq
    extra = np.zeros(figure.nv) if torques is None else np.asarray(torques)

    def rates(t, y):
        q, v = y[:nq].tolist(), y[nq:].tolist()
        tau = (np.array(passive.forces(q, v)[0], float) + extra).tolist()
        return np.array([*figure_q_dot(figure, q, v), *aba(kinematics(figure, q, v), tau)[0]], float)

    end = solve_ivp(rates, (0.0, seconds), np.concatenate([q, v]), rtol=1e-8, atol=1e-10).y[:, -1]
    return end[:nq], end[nq:]


def springs_of(figure: Figure) -> dict:
    """A spring, a damper and a bias at every coordinate of every joint, of different strengths."""
    result = {}
    for k, link in enumerate(figure.links):
        if link.joint.kind == "spherical":
            result[link.name] = JointSpring(stiffness=6.0, damping=0.05)
        else:
            one = [
                JointSpring(stiffness=5.0 + k + i, damping=0.05, rest=0.1, bias=0.3)
                for i in range(len(range(figure.nv)[link.v]))
            ]
            result[link.name] = tuple(one)
    return result


@pytest.mark.parametrize(
    "kinds",
    [
        ["revolute"] * 3,
        ["prismatic", "revolute"],
        ["cylindrical", "revolute"],
        ["planar", "revolute"],
        ["universal", "revolute"],
    ],
)
def test_springs_dampers_and_torques_move_joints_as_forward_dynamics_has_them(kinds):
    """In space bodies tumble after impulses are found, so errors are of first order, see test_linked.py."""
    figure = chain(kinds)
    springs, rng = springs_of(figure), np.random.default_rng(1)
    q, v, torques = (scale * rng.normal(size=figure.nv) for scale in (0.3, 1.0, 0.4))
    errors = []
    for h in (2e-3, 1e-3):
        linked, stepper, begin, state = run(figure, q, v, 0.2, h, torques=torques, springs=springs)
        expected = linked.state(*exact(figure, q, v, 0.2, springs, torques))[0]
        errors.append(np.abs(state.position[:, 1:].T - expected).max())
        change = stepper.energy(state) - stepper.energy(begin)
        assert abs(change - state.ledger.total) < 1e-7
    assert errors[1] < 5e-5
    assert errors[1] < 0.75 * errors[0]


def test_in_a_plane_springs_are_of_second_order():
    figure = chain(["revolute"] * 3, UPRIGHT, [(0.0, 1.0, 0.0)])
    springs = springs_of(figure)
    q, v = np.array([0.3, -0.4, 0.6]), np.array([1.0, 2.0, -1.0])
    errors = []
    for h in (2e-3, 1e-3):
        linked, _, _, state = run(figure, q, v, 0.3, h, springs=springs)
        expected = linked.state(*exact(figure, q, v, 0.3, springs))[0]
        errors.append(np.abs(state.position[:, 1:].T - expected).max())
    assert errors[1] < 1e-5
    assert 3.3 < errors[0] / errors[1] < 4.7


def test_a_spring_at_an_orientation_acts_along_the_rotation_vector():
    figure = chain(["spherical"])
    springs = {"link0": JointSpring(stiffness=6.0, damping=0.1)}
    q, v = np.array([math.cos(0.4), math.sin(0.4), 0.0, 0.0]), np.array([1.0, -2.0, 3.0])
    torques, errors = np.array([0.3, -0.2, 0.1]), []
    for h in (2e-3, 1e-3):
        linked, stepper, begin, state = run(figure, q, v, 0.2, h, torques=torques, springs=springs)
        expected = linked.state(*exact(figure, q, v, 0.2, springs, torques))[0]
        errors.append(np.abs(state.position[:, 1:].T - expected).max())
        assert abs(stepper.energy(state) - stepper.energy(begin) - state.ledger.total) < 1e-7
    assert errors[1] < 2e-4
    assert errors[1] < 0.75 * errors[0]


def wheel(kind: str = "revolute", **more) -> Figure:
    """A wheel about a fixed axis along y, or what slides along it."""
    joint = Joint(kind, (0.0, 1.0, 0.0), position=(0.0, 0.0, 2.0), **more)
    return Figure("wheel", (Link("wheel", None, joint, given_mass=WHEEL),))


INERTIA, MASS = 0.05, 2.0


def coordinate(kind: str, state: PileState) -> tuple[float, float]:
    """The coordinate of the wheel and its speed."""
    if kind == "prismatic":
        return float(state.position[1, 1]), float(state.velocity[4, 1])
    return 2.0 * math.atan2(state.orientation[2, 1], state.orientation[0, 1]), float(state.velocity[1, 1])


@pytest.mark.parametrize(("kind", "inertia"), [("revolute", INERTIA), ("prismatic", MASS)])
class TestOneMotion:
    """A wheel or a slider, in closed form; steps of 1 ms."""

    def test_an_undamped_spring_keeps_its_energy(self, kind, inertia):
        stiffness = 20.0 * inertia
        springs = {"wheel": JointSpring(stiffness=stiffness, rest=0.1)}
        _, stepper, begin, state = run(wheel(kind), [0.6], [0.0], 2.0, 1e-3, springs=springs)
        q, u = coordinate(kind, state)
        turned = math.sqrt(20.0) * 2.0
        assert q == pytest.approx(0.1 + 0.5 * math.cos(turned), abs=1e-5)
        assert 0.5 * inertia * u * u + 0.5 * stiffness * (q - 0.1) ** 2 == pytest.approx(0.125 * stiffness, rel=1e-9)
        assert state.ledger.springs == pytest.approx(0.5 * stiffness * (0.25 - (q - 0.1) ** 2), rel=1e-8)
        assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-9)

    def test_friction_stops_it_and_holds_it(self, kind, inertia):
        springs = {"wheel": JointSpring(friction=2.0 * inertia)}
        _, _, _, state = run(wheel(kind), [0.0], [1.0], 0.4, 1e-3, springs=springs)
        assert coordinate(kind, state) == pytest.approx((0.4 - 0.16, 0.2), abs=1e-9)
        for torque, speed in ((0.0, 0.0), (1.9 * inertia, 0.0), (-1.9 * inertia, 0.0), (2.5 * inertia, 0.3)):
            _, stepper, begin, state = run(
                wheel(kind), [0.0], [0.0], 0.6, 1e-3, springs=springs, torques=np.array([torque])
            )
            assert coordinate(kind, state)[1] == pytest.approx(speed, abs=1e-12)
            assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-12)
        assert state.ledger.damping == pytest.approx(-2.0 * inertia * 0.5 * 0.5 * 0.36, rel=1e-9)
        assert state.ledger.motors == pytest.approx(2.5 * inertia * 0.5 * 0.5 * 0.36, rel=1e-9)

    def test_a_hard_limit_stops_it_where_it_is(self, kind, inertia):
        springs = {"wheel": JointSpring(lower=-0.2, upper=0.5, bias=0.3 * inertia)}
        _, stepper, begin, state = run(wheel(kind), [0.0], [2.0], 0.6, 1e-3, springs=springs)
        assert coordinate(kind, state) == pytest.approx((0.5, 0.0), abs=1e-9)
        # in the step of the impact the wheel moves by up to 2 mrad more, and is then moved back
        assert state.ledger.motors == pytest.approx(0.15 * inertia, abs=0.3 * inertia * 2e-3)
        assert state.ledger.limits == pytest.approx(-inertia * (0.5 * 4.0 + 0.15), abs=0.3 * inertia * 2e-3)
        assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-9)
        _, _, _, state = run(wheel(kind), [0.0], [-2.0], 0.2, 1e-3, springs=springs)
        met = (2.0 - math.sqrt(4.0 - 2.0 * 0.3 * 0.2)) / 0.3  # the time at which it meets the lower limit
        expected = -0.2 + 0.15 * (0.2 - met) ** 2, 0.3 * (0.2 - met)  # the bias moves it away again
        assert coordinate(kind, state) == pytest.approx(
            expected, abs=0.3 * 2e-3
        )  # it stops in the two steps around this time

    def test_a_servo_drives_with_its_strength_and_then_holds(self, kind, inertia):
        servo = Servo(-2.0, 2.0, stiffness=100.0 * inertia, damping=40.0 * inertia, strength=3.0 * inertia)
        options = {"servos": {"wheel": servo}, "targets": np.array([1.0])}
        _, _, _, state = run(wheel(kind), [0.0], [0.0], 0.3, 1e-3, **options)
        assert coordinate(kind, state) == pytest.approx((0.5 * 3.0 * 0.09, 0.9), abs=1e-9)
        _, stepper, begin, state = run(wheel(kind), [0.0], [0.0], 8.0, 4e-3, **options)
        assert coordinate(kind, state) == pytest.approx((1.0, 0.0), abs=1e-6)
        assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-9)
        _, _, _, state = run(wheel(kind), [1.9], [0.0], 8.0, 4e-3, servos={"wheel": servo}, targets=np.array([9.0]))
        assert coordinate(kind, state)[0] == pytest.approx(2.0, abs=1e-6)  # the end of its range

    def test_a_critically_damped_servo_follows_its_closed_form(self, kind, inertia):
        servo = Servo(-2.0, 2.0, stiffness=100.0 * inertia, damping=20.0 * inertia)
        _, _, _, state = run(wheel(kind), [1.0], [0.0], 0.2, 1e-3, servos={"wheel": servo})
        assert coordinate(kind, state)[0] == pytest.approx(math.exp(-2.0) * 3.0, abs=1e-5)

    def test_a_rotor_adds_its_inertia(self, kind, inertia):
        figure = wheel(kind, rotor=inertia / 4.0, gear=2.0)
        _, stepper, begin, state = run(figure, [0.0], [0.0], 0.5, 1e-3, torques=np.array([2.0 * inertia]))
        assert coordinate(kind, state)[1] == pytest.approx(0.5, abs=1e-12)  # twice the inertia
        assert state.ledger.springs == pytest.approx(-0.5 * inertia * 0.25, rel=1e-9)  # its kinetic energy
        assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-12)

    def test_a_very_stiff_damped_spring_comes_to_rest(self, kind, inertia):
        springs = {"wheel": JointSpring(stiffness=1e8 * inertia, damping=1e5 * inertia)}
        linked = linked_bodies(wheel(kind), springs=springs)
        pile = Pile(linked.bodies, joints=linked.joints, step=1e-3, ground=None)
        stepper = PileStepper(pile)
        state, speeds = initial_state(pile, *linked.state([0.2], [3.0])), []
        for _ in range(20):
            state = stepper.advance(state)
            speeds.append(coordinate(kind, state)[1])
        assert coordinate(kind, state) == pytest.approx((0.0, 0.0), abs=1e-3)
        assert np.abs(speeds[-5:]).max() < 0.05 * np.abs(speeds).max()  # by 0.7 in each step

    def test_a_soft_limit_turns_it_back_as_its_spring_does(self, kind, inertia):
        """Half an oscillation of 50 rad/s: it leaves the limit with its speed after pi / 50 s, at the limit again."""
        springs = {"wheel": JointSpring(upper=0.1, limit_stiffness=2500.0 * inertia)}
        seconds = 0.05 + math.pi / 50.0 + 0.03
        _, _, _, state = run(wheel(kind), [0.0], [2.0], 1e-4 * round(seconds * 1e4), 1e-4, springs=springs)
        assert coordinate(kind, state) == pytest.approx((0.1 - 2.0 * 0.03, -2.0), abs=2e-3)


def test_a_figure_that_reaches_its_limit_keeps_its_momentum_and_moves_as_one_body():
    """Two wheels on one axis in free fall: angular momenta add up, and both turn with the common speed."""
    first = Link("first", None, Joint("free"), given_mass=WHEEL)
    second = Link("second", "first", Joint("revolute", (0.0, 1.0, 0.0)), given_mass=WHEEL)
    figure, springs = Figure("wheels", (first, second)), {"second": JointSpring(lower=-0.3, upper=0.3)}
    q, v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 3.0]
    _, stepper, begin, state = run(figure, q, v, 0.4, 1e-3, springs=springs)
    assert state.velocity[1, 1:] == pytest.approx([2.5, 2.5], abs=1e-9)  # (1 + 4) / 2
    assert state.ledger.limits == pytest.approx(0.5 * INERTIA * (2.0 * 6.25 - 17.0), abs=1e-9)
    assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-9)


def test_limits_springs_and_servos_act_as_in_a_world():
    """A chain swings against its limits as by velocity steps in joint coordinates: impacts are at most a step apart."""
    figure = chain(["revolute"] * 3, UPRIGHT, [(0.0, 1.0, 0.0)])
    springs = {
        "link1": JointSpring(lower=-0.15, upper=0.1, damping=0.02),
        "link2": JointSpring(lower=-0.1, upper=0.05, stiffness=1.0),
    }
    q, v, h = [0.9, 0.0, 0.0], [0.0, 4.0, -4.0], 5e-4
    linked, _, _, state = run(figure, q, v, 0.6, h, springs=springs)
    world = World(
        figure,
        springs,
        surface=SurfaceProperties(touch(friction=0.6, restitution=0.0)),
        contact=Stepping(),
        timing=Timing(h, h),
        initial=InitialState(tuple(q), tuple(v)),
    )
    other = start(world, 1)
    Engine(world, lanes=1).advance(other, round(0.6 / h))
    expected = linked.state(other.q[0], other.v[0])[0]
    free = linked.state(*exact(figure, np.array(q), np.array(v), 0.6, {}))[0]
    assert np.abs(free - expected).max() > 0.03  # without limits
    assert np.abs(state.position[:, 1:].T - expected).max() < 1e-4


def test_the_limit_of_an_orientation_is_a_cone():
    figure, cone = chain(["spherical"]), 0.5
    springs = {"link0": JointSpring(upper=cone, damping=0.3)}
    linked = linked_bodies(figure, springs=springs)
    pile = Pile(linked.bodies, joints=linked.joints, ground=None, gravity=(5.0, 3.0, -2.0))
    stepper = PileStepper(pile)
    begin = state = initial_state(pile, *linked.state([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0]))
    rest, largest = np.array(begin.orientation[:, 1]), 0.0
    for _ in range(60):
        state = stepper.advance(state, 50)
        angle = 2.0 * math.acos(min(1.0, abs(float(rest @ state.orientation[:, 1]))))
        largest = max(largest, angle)
    assert largest < cone + 1e-4
    assert angle == pytest.approx(cone, abs=1e-6)  # it leans on its limit
    assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-7)
    assert Quaternion(*rest).components()[0] <= 1.0


def test_what_joints_of_a_pile_do_not_have_is_refused_in_clear_words():
    figure, ball = wheel(), chain(["spherical"])
    servo = Servo(-1.0, 1.0, 5.0)
    cases = [
        (figure, {"springs": {"wheel": JointSpring(alpha=1.0, beta=2.0)}}, "exponential"),
        (figure, {"springs": {"wheel": JointSpring(lower=-4.0, upper=1.0)}}, "between -pi and pi"),
        (figure, {"springs": {"wheel": JointSpring(rest=3.5)}}, "between -pi and pi"),
        (figure, {"servos": {"wheel": Servo(-1.0, 1.0, 5.0, power=10.0)}}, "power"),
        (ball, {"servos": {"link0": servo}}, "3 coordinates"),
        (ball, {"springs": {"link0": JointSpring(friction=1.0)}}, "friction at an orientation"),
    ]
    for one, laws, words in cases:
        with pytest.raises(WorldError, match=words):
            linked_bodies(one, **laws)
    with pytest.raises(FigureError, match="wheal"):
        linked_bodies(figure, springs={"wheal": JointSpring()})
    root = Figure("root", (Link("root", None, Joint("free"), given_mass=WHEEL),))
    with pytest.raises(WorldError, match="no joint in a pile"):
        linked_bodies(root, springs={"root": (JointSpring(), JointSpring(), JointSpring(), JointSpring())})
    linked = linked_bodies(figure, motors=True)
    pile = Pile(linked.bodies, joints=linked.joints)
    begin = initial_state(pile, *linked.state([0.0], [0.0]))
    for values, words in (([1.0, 2.0], "shape"), ([np.nan], "finite")):
        with pytest.raises(WorldError, match=words):
            PileStepper(pile).advance(begin, torques=np.array(values))
    free = linked_bodies(figure)
    with pytest.raises(WorldError, match="motors"):
        PileStepper(Pile(free.bodies, joints=free.joints)).advance(begin, targets=np.array([0.0]))
