"""Spring-dampers between two points: frequency, decay, cords, conserved momentum, and MuJoCo's spatial tendons."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from worlds import body, diagonal, energy_balance, mechanical, moved

from gambol.contact import SpringDamper
from gambol.dynamics import kinematics, momentum
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, Joint, Link, MassProperties, make_forest
from gambol.world import Engine, External, State, Timing, World, run, start

K, M, C, REST = 40.0, 0.5, 0.8, 0.3  # N/m, kg, N s/m, m
CENTRE = (0.0, 0.0, 0.0)
SPRING = SpringDamper("body", None, CENTRE, CENTRE, K, C, REST)
SMOOTH = Timing(control_step=0.005, step=1e-3, tolerance=1e-9)
STEPS = Timing(control_step=1 / 240, step=1 / 240)
METHODS = {
    "penalty": SMOOTH,
    "constraint": replace(SMOOTH, step=0.005, method="rk4"),
    "stepping": STEPS,
    "impulse": STEPS,
}


def tied(spring: SpringDamper, contact: str = "penalty", h: float | None = None) -> tuple[Engine, State]:
    timing = METHODS[contact] if h is None else Timing(control_step=h, step=h)
    figure = body(diagonal(M, 0.1, 0.2, 0.3))
    world = World(figure, external=External(spring_dampers=(spring,)), gravity=0.0, timing=timing, contact=contact)
    return Engine(world), start(world, position=(REST + 0.1, 0.0, 0.0))


def decaying(t: float) -> float:
    """The distance of a mass on a damped spring, released at rest 0.1 m beyond the rest length."""
    a = C / (2.0 * M)
    w = math.sqrt(K / M - a * a)
    return REST + 0.1 * math.exp(-a * t) * (math.cos(w * t) + a / w * math.sin(w * t))


@pytest.mark.parametrize("contact", ["penalty", "constraint"])
def test_a_mass_on_a_damped_spring_swings_and_decays(contact: str):
    engine, state = tied(SPRING, contact)
    for _ in range(5):
        state = moved(engine, state, 0.25)
        # rk4 with 5 ms: (w h)^5 / 120 = 5e-9 a step of phase, 1e-6 in all, of 0.1 m
        np.testing.assert_allclose(state.q[0, 4:7], (decaying(float(state.time[0])), 0.0, 0.0), atol=2e-7)


@pytest.mark.parametrize("contact", ["stepping", "impulse"])
def test_in_large_steps_the_error_halves_with_the_step(contact: str):
    """The damper acts at the speed of the end of the step, which is of first order."""
    errors: list[float] = []
    for h in (1 / 240, 1 / 480):
        engine, state = tied(SPRING, contact, h)
        errors.append(abs(moved(engine, state, 0.25).q[0, 4] - decaying(0.25)))
    assert errors[0] < 2e-3
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.1)


@pytest.mark.parametrize("contact", list(METHODS))
def test_the_ledger_closes_and_the_loss_is_damping(contact: str):
    """The force of a large step is the mean of both ends along the line, so its work is exact; rounding is left."""
    engine, state = tied(SPRING, contact)
    after = moved(engine, state, 1.0)
    begun = 0.5 * K * 0.1**2
    np.testing.assert_allclose(mechanical(engine, state), begun, rtol=1e-12)
    np.testing.assert_allclose(energy_balance(engine, after), begun, rtol=1e-6 if contact == "constraint" else 1e-8)
    ledger = after.step_state.ledger
    np.testing.assert_allclose(ledger.damping, begun - mechanical(engine, after), rtol=1e-6)
    assert float(ledger.damping[0]) > 0.7 * begun
    assert float(ledger.impact[0]) == float(ledger.sliding[0]) == float(ledger.motors[0]) == 0.0


def pair(spring: SpringDamper, contact: str = "penalty") -> tuple[Engine, State]:
    """A mass of 3 kg that slides along a free one of 1 kg."""
    links = (
        Link("left", None, Joint("free"), (), diagonal(1.0, 0.1, 0.1, 0.1)),
        Link("right", "left", Joint("prismatic", (1.0, 0.0, 0.0)), (), diagonal(3.0, 0.1, 0.1, 0.1)),
    )
    world = World(
        Figure("pair", links),
        external=External(spring_dampers=(spring,)),
        gravity=0.0,
        timing=METHODS[contact],
        contact=contact,
    )
    return Engine(world), start(world, angles={"right": REST + 0.1})


@pytest.mark.parametrize(("contact", "error"), [("penalty", 1e-6), ("stepping", 1e-4)])
def test_two_bodies_swing_with_their_reduced_mass(contact: str, error: float):
    """In large steps the phase is (w h)^2 / 12 too slow: 8e-4 of 0.1 m times w t = 5."""
    engine, state = pair(replace(SPRING, link="right", other="left", damping=0.0), contact)
    after = moved(engine, state, 0.7)
    w = math.sqrt(K / 0.75)
    assert after.q[0, 7] == pytest.approx(REST + 0.1 * math.cos(w * 0.7), abs=error)
    assert 1.0 * after.v[0, 3] + 3.0 * (after.v[0, 3] + after.v[0, 6]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("contact", list(METHODS))
def test_a_body_on_a_slack_cord_flies_freely(contact: str):
    engine, state = tied(replace(SPRING, tension_only=True, rest_length=1.0), contact)
    state.v[:, 3:] = (-1.0, 0.5, 0.2)
    after = moved(engine, state, 0.5)
    np.testing.assert_allclose(after.q[0, 4:7], (REST + 0.1 - 0.5, 0.25, 0.1), atol=1e-12)
    np.testing.assert_allclose(after.v[0, 3:], (-1.0, 0.5, 0.2), atol=1e-12)


def test_a_cord_throws_a_body_back_after_half_a_period():
    """Flight to the rest length, half a period of the spring, flight back: the speed is only reversed."""
    engine, state = tied(replace(SPRING, tension_only=True, damping=0.0, rest_length=0.45))
    state.v[:, 3] = 1.0
    w, t = math.sqrt(K / M), 0.5
    after = moved(engine, state, t)
    assert after.v[0, 3] == pytest.approx(-1.0, abs=1e-6)
    assert after.q[0, 4] == pytest.approx(0.45 - (t - 0.05 - math.pi / w), abs=1e-6)


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_a_cord_with_a_damper_never_pushes_and_loses_what_it_stored(contact: str):
    """Over-damped: the tension is gone before the cord is short again, and the rest of its energy is lost."""
    engine, state = tied(replace(SPRING, tension_only=True, damping=20.0, rest_length=0.45), contact)
    state.v[:, 3] = 1.0
    film = run(engine.world, state, 2.0, rate=1.0 / engine.world.timing.control_step)
    assert (np.diff(film.position[:, 0, 0, 0]) > -0.01).all()  # it creeps back, and is never thrown
    kinetic, stored = film.signals["kinetic"][:, 0], film.signals["stored"][:, 0]
    assert kinetic[-1] + stored[-1] < 0.01 * kinetic[0]
    np.testing.assert_allclose(film.signals["unaccounted"], 0.0, atol=1e-6)


@pytest.mark.filterwarnings("ignore:springs are too stiff for the step")
@pytest.mark.parametrize("contact", ["stepping", "impulse"])
@pytest.mark.parametrize("stiffness", [400.0, 1e4, 4e5, 4e7])
@pytest.mark.parametrize("start_of_step", np.linspace(0.0, 1.0, 5)[:-1])
def test_a_cord_caught_within_a_large_step_throws_no_faster_than_it_was_stretched(
    contact: str, stiffness: float, start_of_step: float
):
    """Half a period lasts 110 to 0.4 steps. The ledger has all of what is lost, which is little if it lasts many."""
    engine, state = tied(
        replace(SPRING, tension_only=True, damping=0.0, rest_length=0.45, stiffness=stiffness), contact
    )
    state.q[:, 4], state.v[:, 3] = 0.4 + start_of_step / 240, 1.0
    film = run(engine.world, state, 0.4, rate=240.0)
    thrown, steps = -float(state.v[0, 3]), math.pi * 240 * math.sqrt(M / stiffness)
    assert -1e-9 <= thrown <= 1.0 + 1e-9
    # at both ends a part of a step, which stores at most k (h v)^2 / 2, (pi / steps)^2 of M v^2 / 2, is not conserved
    assert thrown**2 >= 1.0 - 2.0 * (math.pi / steps) ** 2
    np.testing.assert_allclose(film.signals["unaccounted"], 0.0, atol=1e-9)
    lost = 0.5 * M * (1.0 - thrown**2)
    np.testing.assert_allclose(film.signals["numerical_damping"][-1, 0], lost, atol=1e-9)


@pytest.mark.parametrize("stiffness", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("rest_length", [0.0, REST])
def test_any_stiffness_is_stable_in_large_steps(stiffness: float, rest_length: float):
    """A body circles on a tether. Explicitly, a step of 1/240 s could hold 2^2 M / h^2 = 115 kN/m at most."""
    spring = replace(SPRING, stiffness=stiffness, damping=0.0, rest_length=rest_length)
    engine, state = tied(spring, "stepping")
    state.q[:, 4], state.v[:, 4] = rest_length, 0.5
    begun = mechanical(engine, state)
    after = moved(engine, state, 2.0)
    sagitta = (0.5 / 240) ** 2 / (2.0 * REST) * bool(rest_length)  # of the arc of a step: a stretch between two steps
    assert (mechanical(engine, after) <= begun * 1.001 + 0.5 * stiffness * sagitta**2).all()
    assert abs(np.linalg.norm(after.q[0, 4:7]) - rest_length) <= 0.5 * math.sqrt(M / stiffness) + 0.5 / 240


def test_large_steps_conserve_momentum():
    """That along axes to rounding, since both ends get opposite forces; that about the origin to second order."""
    bodies = [
        Figure(name, (Link(name, None, Joint("free"), (), diagonal(m, 0.01 * m, 0.02 * m, 0.025 * m)),))
        for name, m in (("a", 1.0), ("b", 2.0))
    ]
    figure = make_forest("two", bodies)
    spring = SpringDamper("b", "a", (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), 60.0, 0.5, 0.4)
    changes: list[np.ndarray] = []
    for h in (1 / 120, 1 / 240):
        timing = Timing(control_step=h, step=h)
        world = World(
            figure, external=External(spring_dampers=(spring,)), gravity=0.0, contact="stepping", timing=timing
        )
        state = start(world)
        state.q[0, 11:14] = (0.5, 0.1, 0.2)
        state.v[0] = (0.3, -0.2, 0.5, 0.1, 0.2, -0.1, 1.0, 0.5, -0.5, 0.2, -0.3, 0.4)
        before, after = (momenta_of(figure, s) for s in (state, moved(Engine(world), state, 0.5)))
        np.testing.assert_allclose(after[3:], before[3:], atol=1e-12)
        changes.append(after[:3] - before[:3])
    np.testing.assert_allclose(changes[0], 4.0 * changes[1], rtol=0.05)


def momenta_of(figure: Figure, state: State) -> np.ndarray:
    h = momentum(kinematics(figure, state.q[0].tolist(), state.v[0].tolist()))
    return np.array([*h.n, *h.f])


def test_worlds_of_one_program_may_have_different_springs():
    engine, _ = tied(SPRING)
    numbers = engine.numbers(
        spring_dampers=[{"stiffness": np.array([K, 4.0 * K]), "damping": 0.0, "rest_length": REST}]
    )
    state = start(engine.world, 2, position=(REST + 0.1, 0.0, 0.0))
    engine.advance(state, 40, numbers)  # 0.2 s
    for k, stiffness in enumerate((K, 4.0 * K)):
        x = REST + 0.1 * math.cos(math.sqrt(stiffness / M) * 0.2)
        assert state.q[k, 4] == pytest.approx(x, abs=1e-6)


TENDON = """
<mujoco><option timestep="1e-4" integrator="RK4" gravity="0 0 -9.81"/><worldbody><site name="hook" pos="0.3 0.1 0.2"/>
<body><joint name="a" axis="0 1 0"/><inertial pos="0 0 -0.2" mass="1" diaginertia="0.02 0.02 0.01"/>
<body pos="0 0 -0.4"><joint name="b" axis="1 0 0"/><inertial pos="0 0 -0.1" mass="0.5" diaginertia="0.01 0.01 0.005"/>
<site name="tip" pos="0 0 -0.2"/></body></body></worldbody>
<tendon><spatial stiffness="35" damping="1.2" springlength="0.5">
<site site="hook"/><site site="tip"/></spatial></tendon>
</mujoco>"""


def hanging(mass: float, z: float, across: float, along: float) -> MassProperties:
    """A body whose centre of mass is at a height z in its link."""
    return MassProperties(mass, (0.0, 0.0, z), ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, along)))


def test_it_is_a_spatial_tendon_of_mujoco():
    links = (
        Link("upper", None, Joint("revolute", (0.0, 1.0, 0.0)), (), hanging(1.0, -0.2, 0.02, 0.01)),
        Link("lower", "upper", Joint("revolute", (1.0, 0.0, 0.0), position=(0.0, 0.0, -0.4)), (),
             hanging(0.5, -0.1, 0.01, 0.005)),
    )  # fmt: skip
    spring = SpringDamper("lower", None, (0.0, 0.0, -0.2), (0.3, 0.1, 0.2), 35.0, 1.2, 0.5)
    world = World(
        Figure("arm", links), external=External(spring_dampers=(spring,)), timing=replace(SMOOTH, tolerance=1e-11)
    )
    state = start(world, q=[0.4, -0.3])
    model = mujoco.MjModel.from_xml_string(TENDON)
    data = mujoco.MjData(model)
    data.qpos[:] = (0.4, -0.3)
    for _ in range(10000):
        mujoco.mj_step(model, data)
    after = moved(Engine(world), state, 1.0)
    np.testing.assert_allclose(after.q[0], data.qpos, atol=1e-7)
    np.testing.assert_allclose(after.v[0], data.qvel, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("stiffness", -1.0), ("damping", math.inf), ("rest_length", math.nan), ("point", (0.0, math.nan, 0.0))],
)
def test_impossible_spring_dampers_are_refused(name: str, value: object):
    with pytest.raises(WorldError, match='"body"'):
        replace(SPRING, **{name: value})


@pytest.mark.parametrize("names", [("bodi", None), ("body", "bodi")])
def test_spring_dampers_of_missing_links_are_refused(names: tuple[str, str | None]):
    with pytest.raises(FigureError, match='did you mean "body"'):
        tied(replace(SPRING, link=names[0], other=names[1]))
